"""Does gpudx compare find what was planted? python3 accuracy.py GPUDX all|fast [SEED]

Prints "ok NAME" and "not ok NAME" lines. all: 200 pairs without a change, of which at most 18 may
give a finding above info; 200 pairs with a shift whose 95 % intervals must hold the truth in 181 to
197; every scenario with five seeds. fast: every scenario once, and six pairs of each kind."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import generate

KEYS = ("sample.sm_clock_mhz", "sample.power_w", "sample.temp_c")


def compare(gpudx, directory, *options):
    run = subprocess.run([gpudx, "compare", "--format", "json", "-o", "-", *options,
                          os.path.join(directory, "before"), os.path.join(directory, "after")],
                         capture_output=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"exit {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout), run.returncode


class Check:
    def __init__(self, gpudx, seed):
        self.gpudx, self.seed, self.failed = gpudx, seed, 0

    def say(self, name, why):
        print(f"not ok compare/{name}\n  {why}" if why else f"ok compare/{name}", flush=True)
        self.failed += bool(why)

    def in_directory(self, work):
        directory = tempfile.mkdtemp(prefix="gpudx-compare-")
        try:
            return work(directory)
        finally:
            shutil.rmtree(directory)

    def scenario(self, name, seed):
        def work(directory):
            truth = generate.write(name, seed, directory)
            return why_not(truth, compare(self.gpudx, directory)[0])
        self.say(f"{name}-{seed}", self.in_directory(work))


def clocks(report):
    return {s["of"]: s for s in report["shifts"]
            if s["key"] == "sample.sm_clock_mhz" and s["of"].startswith("GPU")}


def rate_of(report, code):
    return next((r for r in report["rates"] if r["kind"] == "xid" and r["code"] == code), None)


def clock_wrong(truth, report):
    moved = {k: s["verdict"] for k, s in clocks(report).items()}
    worse = [k for k, v in moved.items() if v == "worse"]
    better = [k for k, v in moved.items() if v == "better"]
    if truth["clock"] == "same" and (worse or better):
        return f"clock moved: {moved}"
    if truth["clock"] == "worse" and "only" not in truth and len(worse) != len(moved):
        return f"not all clocks are worse: {moved}"
    if "only" in truth and worse != [truth["only"]]:
        return f"worse are {worse}, not {truth['only']}"
    if "better" in truth and len(better) != truth["better"]:
        return f"better are {better}"
    return None


def cause_wrong(truth, report):
    words = {"limit": "power limit", "heat": "heat", "driver": "driver"}
    if "cause" in truth and words[truth["cause"]] not in (report["cause"] or ""):
        return f"cause: {report['cause']}"
    if "together" in truth and f"together with {truth['together']}" not in report["lead"]:
        return f"lead: {report['lead']}"
    open_question = [f for f in report["findings"] if f["id"] == "compare.not-separable"]
    for name in truth.get("not_separable", []):
        if not open_question or name not in open_question[0]["summary"]:
            return f"not-separable does not name {name}: {report['findings']}"
    lost = [c["key"] for c in report["changes"] if c["class"] == "site policy lost"]
    return f"lost: {lost}" if "lost" in truth and truth["lost"] not in lost else None


def twice_as_wide(rate):
    """One interval of 95 % in twenty misses; one twice as wide misses in ten thousand."""
    return [rate["ratio"] * (end / rate["ratio"]) ** 2 for end in rate["interval"]]


def errors_wrong(truth, report):
    if "errors" not in truth:
        return None
    rate = rate_of(report, 31)
    if truth["errors"] == "rose":
        good = rate and rate["sure"] and twice_as_wide(rate)[0] <= truth["ratio"] <= twice_as_wide(rate)[1]
    else:
        rate = rate or rate_of(report, None)
        good = rate and not rate["sure"] and rate["hours_needed"]
    return None if good else f"rate: {rate}"


def why_not(truth, report):
    if not truth.get("comparable", True):
        return "comparable" if report["comparable"] else None
    for wrong in (clock_wrong if "clock" in truth else None, cause_wrong, errors_wrong):
        why = wrong and wrong(truth, report)
        if why:
            return why
    return None


def no_change_pair(check, seed):
    """One pair without a change; true when something above info is found."""
    def work(directory):
        rng = random.Random(f"no change {seed}")
        gpus = [generate.Gpu(limit_w=rng.choice((400, 300)), temp_c=rng.randrange(50, 75))
                for _ in range(rng.choice((1, 2, 8)))]
        minutes = rng.choice((8, 12, 20))
        for side in ("before", "after"):
            later = {} if side == "before" else generate.LATER
            generate.write_side(generate.Side(gpus, minutes=minutes, hours=100, errors_per_h=0.1, step_ms=500,
                                              **later), rng, os.path.join(directory, side))
        report = compare(check.gpudx, directory)[0]
        return [f for f in report["findings"] if f["severity"] != "info"]
    return check.in_directory(work)


SHIFTED = (generate.Gpu(), generate.Gpu(clock_mhz=1340, want_w=330, temp_c=66))


def covered(check, seed, truth):
    """Which of the true differences the intervals of one pair hold."""
    def work(directory):
        rng = random.Random(f"shift {seed}")
        for side, gpu in zip(("before", "after"), SHIFTED):
            generate.write_side(generate.Side([gpu], minutes=12), rng, os.path.join(directory, side))
        report = compare(check.gpudx, directory)[0]
        out = {}
        for s in report["shifts"]:
            if s["key"] in truth and s["of"] == "GPU 0":
                out[s["key"]] = s["interval"][0] <= truth[s["key"]] <= s["interval"][1]
        return out
    return check.in_directory(work)


def many(check, pairs, most_found, least, most):
    base = int(check.seed) * 100000
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda i: no_change_pair(check, base + i), range(pairs)))
        runs = [generate.long_run(g) for g in SHIFTED]
        truth = {k: runs[1][k] - runs[0][k] for k in KEYS}
        cover = list(pool.map(lambda i: covered(check, base + i, truth), range(pairs)))
    n = sum(map(bool, found))
    first = next((f for f in found if f), "")
    check.say(f"no-change-{pairs}", n > most_found and f"{n} pairs with a finding, {most_found} allowed: {first}")
    print(f"# no change: {n} of {pairs} with a finding above info")
    for key in KEYS:
        hits = sum(c.get(key, False) for c in cover)
        print(f"# {key}: {hits} of {pairs} intervals hold the truth {truth[key]:.2f}")
        check.say(f"coverage-{key}", not least <= hits <= most and f"{hits} of {pairs} intervals hold the truth")


def main():
    gpudx, how = os.path.abspath(sys.argv[1]), sys.argv[2]
    check = Check(gpudx, sys.argv[3] if len(sys.argv) > 3 else "1")
    for name in generate.scenarios():
        for k in range(5 if how == "all" else 1):
            check.scenario(name, int(check.seed) * 10 + k)
    if how == "all":
        many(check, 200, 18, 181, 197)
    else:
        many(check, 6, 1, 3, 6)
    sys.exit(check.failed > 0)


if __name__ == "__main__":
    main()
