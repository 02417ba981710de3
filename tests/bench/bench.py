#!/usr/bin/env python3
"""Measures gpudx as ratios: interleaved runs, medians, spread. Never part of a test's verdict."""
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("GPUDX_BENCH_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gpudx-bench")
RUNS = int(os.environ.get("RUNS", "5"))


def made(name, *gen):
    """Path of a cached input, generated when it is not there."""
    path = os.path.join(CACHE, name)
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        print("making", path, flush=True)
        subprocess.run([sys.executable, os.path.join(HERE, "gen.py"), *gen, path + ".part"], check=True)
        os.rename(path + ".part", path)
    return path


def gz(path):
    if not os.path.exists(path + ".gz"):
        subprocess.run("gzip -c < '%s' > '%s.gz.part'" % (path, path), shell=True, check=True)
        os.rename(path + ".gz.part", path + ".gz")
    return path + ".gz"


def run(argv, out):
    """Seconds and peak RSS in MiB of one run."""
    t0 = time.monotonic()
    p = subprocess.Popen(argv, stdout=out, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    if status:
        sys.exit("failed: %s" % " ".join(argv))
    return time.monotonic() - t0, usage.ru_maxrss / 1024


def compare(title, base, ours, budget):
    """One line of the table: ours against base in RUNS interleaved runs."""
    times = {"base": [], "ours": []}
    rss = 0
    with open(os.devnull, "w") as null:
        for _ in range(RUNS):
            times["base"].append(run(base, null)[0])
            t, m = run(ours, null)
            times["ours"].append(t)
            rss = max(rss, m)
    b, o = statistics.median(times["base"]), statistics.median(times["ours"])
    ratios = [y / x for x, y in zip(times["base"], times["ours"])]
    print("| %s | %.2f s | %.2f s | %.2f (%.2f-%.2f) | %s | %.0f MiB |" % (title, b, o, o / b, min(ratios), max(ratios), budget, rss), flush=True)


def shell(command):
    return ["sh", "-c", command]


def rate(title, argv, path, budget):
    """One line: how many bytes of path a second."""
    times, rss = [], 0
    with open(os.devnull, "w") as null:
        for _ in range(RUNS):
            t, m = run(argv, null)
            times.append(t)
            rss = max(rss, m)
    size = os.path.getsize(path) / 1e9
    print("| %s | | %.2f s | %.2f GB/s (%.2f-%.2f) | %s | %.0f MiB |" % (title, statistics.median(times), size / statistics.median(times), size / max(times), size / min(times), budget, rss), flush=True)


def have(tool):
    found = shutil.which(tool)
    if not found:
        print("(no %s here: its row is left out)" % tool)
    return found


def main():
    gpudx = os.path.abspath(sys.argv[1])
    trace = made("trace-2m.csv", "trace", "2000000")
    trace_gz = gz(trace)
    klog = made("kernel-3m-quiet.log", "klog", "3000000")
    work = os.path.join(CACHE, "work")
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    print("machine: %d cores, %s" % (os.cpu_count(), open("/proc/cpuinfo").read().split("model name")[1].split("\n")[0].strip("\t: ")))
    print("| work | the other | gpudx | ratio (spread) | budget | peak RSS |")
    print("|---|---|---|---|---|---|")
    compare("ingest, 2 M rows, .csv.gz; gzip -dc", ["gzip", "-dc", trace_gz], [gpudx, "ingest", trace_gz, "bench.db"], "<= 1.1")
    compare("analyze, 2 M rows, .csv.gz, all charts; gzip -dc", ["gzip", "-dc", trace_gz], [gpudx, "analyze", "--force", trace_gz], "<= 1.5")
    both = "'%s' analyze --force '%s' >&2 && '%s' analyze --force '%s' >&2" % (gpudx, trace_gz, gpudx, trace_gz)
    compare("compare, 2 x 2 M rows, .csv.gz; analyze twice", shell(both), [gpudx, "compare", "--force", trace_gz, trace_gz], "<= 1.3")
    if have("sqlite3"):
        compare("analyze, 2 M rows, .csv; sqlite3 .import", shell("rm -f import.db; sqlite3 import.db '.mode csv' '.import %s t'" % trace), [gpudx, "analyze", "--force", trace], "<= 0.25")
    rate("ingest, kernel log, 3 M lines", [gpudx, "ingest", klog, "bench.db"], klog, ">= 0.5 GB/s")
    compare("analyze, kernel log, 3 M lines; wc -l", ["wc", "-l", klog], [gpudx, "analyze", "--force", klog], "-")
    if have("lnav"):
        compare("ingest, kernel log, 3 M lines; lnav count(*)", ["lnav", "-n", "-c", ";select count(*) from syslog_log", klog],
                [gpudx, "ingest", klog, "bench.db"], "<= 0.4")


if __name__ == "__main__":
    main()
