#!/usr/bin/env python3
"""bench.py GPUDX: speed and memory as ratios to programs that everybody knows, measured in interleaved
runs; medians and spread. Never part of a test's verdict.

A run counts only with the right answer: as many rows as went in, and the trouble that was planted.
RUNS=5 is how often each is run, ROWS="ingest klog" which rows of the table are made. DuckDB comes from
npm, and only when GPUDX_BENCH_NPM=1 asks for it; what is not installed is left out and said."""
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("GPUDX_BENCH_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gpudx-bench")
RUNS = int(os.environ.get("RUNS", "5"))
ONLY = os.environ.get("ROWS", "").split()
NULL = open(os.devnull, "r+")

# ---- inputs, made once ----


def made(name, *gen):
    """Path of an input, generated where it is not there."""
    path = os.path.join(CACHE, name)
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        print("making", path, file=sys.stderr, flush=True)
        part = path + ".part"
        shutil.rmtree(part, ignore_errors=True)
        if gen[0] in ("small", "bundles"):
            os.makedirs(part)
        subprocess.run([sys.executable, os.path.join(HERE, "gen.py"), *gen, part], check=True)
        os.rename(part, path)
    return path


def packed(path, command, ending):
    """path in another form, made by a shell command that writes it to stdout."""
    out = path + ending
    if not os.path.exists(out):
        subprocess.run(command % {"path": path, "dir": os.path.dirname(path), "base": os.path.basename(path)} + " > '%s.part'" % out,
                       shell=True, check=True)
        os.rename(out + ".part", out)
    return out


def gz(path):
    return packed(path, "gzip -c < '%(path)s'", ".gz")


def trace():
    return made("trace-2m.csv", "trace", "2000000")


# ---- running ----


class Wrong(Exception):
    """The answer was not what was planted."""


def run(argv, out=NULL):
    """Seconds and peak memory in MiB of one run."""
    t0 = time.monotonic()
    p = subprocess.Popen(argv, stdin=NULL, stdout=out, stderr=NULL)
    _, status, usage = os.wait4(p.pid, 0)
    if status:
        raise Wrong("%s ended with %d" % (" ".join(argv), os.waitstatus_to_exitcode(status)))
    return time.monotonic() - t0, usage.ru_maxrss / 1024


def shell(command):
    return ["sh", "-c", command]


def interleaved(base, ours, check=None, runs=None):
    """Times and peak memory of both: base may be None."""
    times, rss = {"base": [], "ours": []}, {"base": 0, "ours": 0}
    for _ in range(runs or RUNS):
        for who, argv in (("base", base), ("ours", ours)):
            if argv is None:
                continue
            t, m = run(argv)
            times[who].append(t)
            rss[who] = max(rss[who], m)
        if check:
            check()
    return times, rss


def line(work, *cells):
    print("| %s | %s |" % (work, " | ".join(cells)), flush=True)


def versus(work, base, ours, budget, check=None, runs=None):
    """One row: ours against the other."""
    times, rss = interleaved(base, ours, check, runs)
    b, o = statistics.median(times["base"]), statistics.median(times["ours"])
    ratios = [y / x for x, y in zip(times["base"], times["ours"])]
    line(work, "%.2f s, %.0f MiB" % (b, rss["base"]), "%.2f s, %.0f MiB" % (o, rss["ours"]),
         "%.2f (%.2f-%.2f)" % (o / b, min(ratios), max(ratios)), budget)


def alone(work, ours, budget, size=0, check=None):
    """One row: seconds, or GB/s of a size."""
    times, rss = interleaved(None, ours, check)
    o = times["ours"]
    if size:
        rate = "%.2f GB/s (%.2f-%.2f)" % (size / statistics.median(o) / 1e9, size / max(o) / 1e9, size / min(o) / 1e9)
    else:
        rate = "%.3f s (%.3f-%.3f)" % (statistics.median(o), min(o), max(o))
    line(work, "", "%.2f s, %.0f MiB" % (statistics.median(o), rss["ours"]), rate, budget)


# ---- right answers ----


def ask(db, sql):
    con = sqlite3.connect("file:%s?mode=ro" % db, uri=True)
    try:
        return con.execute(sql).fetchone()[0]
    finally:
        con.close()


def holds(db, sql, want):
    got = ask(db, sql)
    if got != want:
        raise Wrong("%s: %s gives %s, not %s" % (db, sql, got, want))


def rows(db, n):
    return lambda: holds(db, "SELECT count(*) FROM gpu_sample", n)


def trace_is_judged(db, n):
    """All rows, the limit on all GPUs, and the fan of GPU 5 that stopped."""
    def check():
        holds(db, "SELECT count(*) FROM gpu_sample", n)
        holds(db, "SELECT count(*) FROM finding_gpu g JOIN finding f ON f.id = g.finding_id WHERE f.rule = 'power.cap-clock-drop'", 8)
        holds(db, "SELECT group_concat(u.idx) FROM finding f JOIN finding_gpu g ON g.finding_id = f.id JOIN gpu_ref u ON u.gpu_id = g.gpu_id"
              " WHERE f.rule = 'thermal.slowdown'", "5")
    return check


def xids(db, path):
    """As many as grep finds."""
    n = int(subprocess.run(["grep", "-c", "NVRM: Xid", path], capture_output=True, text=True, check=False).stdout)
    return lambda: holds(db, "SELECT count(*) FROM event WHERE kind = 'xid'", n)


# ---- the rows of the table ----


def row_ingest(gpudx):
    src = gz(trace())
    versus("ingest, 2 M rows, .csv.gz; gzip -dc", ["gzip", "-dc", src], [gpudx, "ingest", src, "bench.db"], "≤ 1.1",
           rows("bench.db", 2000000))


def row_analyze(gpudx):
    src = gz(trace())
    versus("analyze, 2 M rows, .csv.gz, 8 charts; gzip -dc", ["gzip", "-dc", src], [gpudx, "analyze", "--force", src], "≤ 1.5",
           trace_is_judged("trace-2m.gpudx.db", 2000000))


def row_sqlite(gpudx):
    if have("sqlite3"):
        versus("analyze, 2 M rows, .csv; sqlite3 .import", shell("rm -f import.db; sqlite3 import.db '.mode csv' '.import %s t'" % trace()),
               [gpudx, "analyze", "--force", trace()], "≤ 0.25", trace_is_judged("trace-2m.gpudx.db", 2000000))


DUCK = """const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const db = await DuckDBInstance.create(process.argv[3], { threads: '2' });
  const c = await db.connect();
  await c.run("CREATE TABLE t AS SELECT * FROM read_csv('" + process.argv[2] + "', header = true)");
  c.closeSync(); db.closeSync();
})();
"""


def duckdb():
    folder = os.path.join(CACHE, "duckdb")
    if not os.path.isdir(os.path.join(folder, "node_modules", "@duckdb", "node-api")):
        if os.environ.get("GPUDX_BENCH_NPM") != "1" or not have("npm"):
            print("(no DuckDB: GPUDX_BENCH_NPM=1 gets it from npm)", flush=True)
            return None
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", folder, "@duckdb/node-api"], check=True, stdout=NULL)
    script = os.path.join(folder, "import.js")
    with open(script, "w", encoding="utf-8") as f:
        f.write(DUCK)
    return script


def row_duckdb(gpudx):
    script = duckdb()
    if script:
        versus("analyze, 2 M rows, .csv; DuckDB, 2 threads, to a file", shell("rm -f duck.db; node %s %s duck.db" % (script, trace())),
               [gpudx, "analyze", "--force", trace()], "≤ 0.5", trace_is_judged("trace-2m.gpudx.db", 2000000))


def klog():
    return made("kernel-3m-quiet.log", "klog", "3000000")


def row_klog(gpudx):
    log = klog()
    alone("ingest, kernel log, 3 M lines", [gpudx, "ingest", log, "bench.db"], "≥ 0.5 GB/s", os.path.getsize(log), xids("bench.db", log))


def row_wc(gpudx):
    versus("ingest, kernel log; wc -l", ["wc", "-l", klog()], [gpudx, "ingest", klog(), "bench.db"], "-", xids("bench.db", klog()))


def row_rg(gpudx):
    if have("rg"):
        versus("ingest, kernel log; rg -c for three patterns", ["rg", "-c", "-e", "NVRM: Xid", "-e", "AER: .*error", "-e", "Out of memory: Killed", klog()],
               [gpudx, "ingest", klog(), "bench.db"], "-", xids("bench.db", klog()))


def row_lnav(gpudx):
    if have("lnav"):
        versus("ingest, kernel log; lnav count(*)", ["lnav", "-n", "-c", ";select count(*) from syslog_log", klog()],
               [gpudx, "ingest", klog(), "bench.db"], "≤ 0.4", xids("bench.db", klog()))


def row_judge(gpudx):
    log = klog()
    alone("analyze, kernel log, 3 M lines", [gpudx, "analyze", "--force", log], "-", os.path.getsize(log), xids("kernel-3m-quiet.gpudx.db", log))


def row_report(gpudx):
    raw = made("nvidia-bug-report.log", "bugreport", "26000")
    src = gz(raw)
    alone("bug report, %.1f MB raw, to JSON" % (os.path.getsize(raw) / 1e6), shell("exec %s analyze -o - --format json %s >report.json" % (gpudx, src)),
          "≤ 0.15 s")
    alone("the same, page with charts", [gpudx, "analyze", "--force", src], "≤ 0.3 s",
          check=lambda: holds("nvidia-bug-report.gpudx.db", "SELECT count(*) FROM event WHERE kind = 'xid'", 40))


def row_small(gpudx):
    folder = made("small-500", "small", "500")
    tar = packed(folder, "tar -C '%(dir)s' -czf - '%(base)s'", ".tar.gz")

    def check():
        holds("small-500.gpudx.db", "SELECT count(*) FROM source WHERE parent_id IS NULL", 500)
        holds("small-500.gpudx.db", "SELECT count(*) FROM host", 100)
        holds("small-500.gpudx.db", "SELECT count(*) FROM event WHERE kind = 'xid'", 10)
    versus("analyze, 500 small files of 100 machines, .tar.gz; tar -xzO", shell("tar -xzOf %s" % tar), [gpudx, "analyze", "--force", tar], "-", check)


def row_jobs(gpudx):
    folder = made("bundles-100", "bundles", "100")
    cases = sorted(os.path.join(folder, n) for n in os.listdir(folder))

    def check():
        for case in cases:
            holds(os.path.basename(case) + ".gpudx.db", "SELECT count(*) FROM gpu_sample", 8008)
    versus("100 bundles, --jobs 2; one after the other", [gpudx, "analyze", "--force", *cases], [gpudx, "analyze", "--force", "--jobs", "2", *cases], "-",
           check, runs=min(RUNS, 3))


def row_compare(gpudx):
    before, after = gz(trace()), packed(trace(), "cat '%(path)s' | gzip -1", ".after.csv.gz")
    versus("compare, 2 × 2 M rows; analyze of both", [gpudx, "analyze", "--force", "--db", "both.db", before, after],
           [gpudx, "compare", before, after], "≤ 1.3", runs=min(RUNS, 3))


def row_20m(gpudx):
    src = made("trace-20m.csv.gz", "trace.gz", "20000000")
    versus("analyze, 20 M rows, .csv.gz; gzip -dc", ["gzip", "-dc", src], [gpudx, "analyze", "--force", src], "≤ 1.5",
           trace_is_judged("trace-20m.gpudx.db", 20000000), runs=min(RUNS, 3))


def row_growth(gpudx):
    """Seconds and memory over rows, as a table and, with gnuplot, as growth.svg."""
    points = []
    for n in (100000, 300000, 1000000, 2000000, 5000000, 20000000):
        src = made("trace-20m.csv.gz", "trace.gz", "20000000") if n == 20000000 else made("trace-%d.csv.gz" % n, "trace.gz", str(n))
        out = "growth"
        times, rss = interleaved(None, [gpudx, "analyze", "--force", "--db", out + ".db", "--output", out + ".html", src], rows(out + ".db", n), runs=min(RUNS, 3))
        points.append((n, statistics.median(times["ours"]), rss["ours"]))
    print("\n| rows | seconds | µs a row | peak RSS |\n|---|---|---|---|")
    for n, t, m in points:
        line("{:,}".format(n), "%.2f" % t, "%.2f" % (t * 1e6 / n), "%.0f MiB" % m)
    draw(points)


def draw(points):
    if not have("gnuplot"):
        return
    data = "\n".join("%d %.3f" % (n, t) for n, t, _ in points)
    script = ("set term svg size 640,360 font 'sans-serif,12'\nset output 'growth.svg'\nset logscale xy\nset xlabel 'rows'\nset ylabel 'seconds'\n"
              "set key left top\nset grid\n$d << EOD\n%s\nEOD\nplot $d using 1:2 with linespoints pt 7 title 'analyze', x * %g with lines dt 2 title 'linear'\n"
              % (data, points[-1][1] / points[-1][0]))
    subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)
    print("\n(the plot: %s)" % os.path.abspath("growth.svg"))


ROWS = {"ingest": row_ingest, "analyze": row_analyze, "sqlite": row_sqlite, "duckdb": row_duckdb, "klog": row_klog, "wc": row_wc, "rg": row_rg,
        "lnav": row_lnav, "judge": row_judge, "report": row_report, "small": row_small, "jobs": row_jobs, "compare": row_compare, "20m": row_20m,
        "growth": row_growth}


def have(tool):
    found = shutil.which(tool)
    if not found:
        print("(no %s here: its row is left out)" % tool, flush=True)
    return found


def main():
    gpudx = os.path.abspath(sys.argv[1])
    work = os.path.join(CACHE, "work")
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    unknown = [r for r in ONLY if r not in ROWS]
    if unknown:
        sys.exit("no such row: %s; there are %s" % (" ".join(unknown), " ".join(ROWS)))
    model = open("/proc/cpuinfo", encoding="utf-8").read().split("model name")[1].split("\n")[0].strip("\t: ")
    print("machine: %d cores, %s, load %.1f; %d runs each, medians" % (os.cpu_count(), model, os.getloadavg()[0], RUNS))
    print("\n| work; the other | the other | gpudx | ratio or rate (spread) | budget |\n|---|---|---|---|---|")
    status = 0
    for name, row in ROWS.items():
        if ONLY and name not in ONLY:
            continue
        try:
            row(gpudx)
        except Wrong as wrong:
            line(name, "", "", "no result: %s" % wrong, "")
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
