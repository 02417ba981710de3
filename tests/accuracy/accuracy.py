"""How often gpudx is right: make accuracy.

Usage: accuracy.py GPUDX [--fast] [--healthy N] [--only PART]
--fast is what `make check` runs: the samples, some of the healthy bundles and of the mutations, as "ok NAME" and
"not ok NAME" lines. Without it everything is scored and a report printed; the exit status is 1 when a label is missed,
a healthy bundle raises an alarm or a mutation changes a verdict.

A label is one claim about one bundle (labels.py). A finding above info in a bundle that is labelled quiet, or in a
generated healthy one (healthy.py), is a false alarm. A finding that no label speaks of counts neither way."""
import argparse
import concurrent.futures
import fnmatch
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict

import healthy
import labels
import mutate

STEPS = [0.95, 0.85, 0.7, 0.5, 0.3]
LOUD = ("warning", "error", "critical")


def wilson(hits, n, z=1.959964):
    """The 95 % score interval of a proportion (Wilson 1927)."""
    if n == 0:
        return 0.0, 1.0
    p, d = hits / n, 1 + z * z / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / d), min(1.0, (middle + half) / d)


def share(hits, n):
    if n == 0:
        return "   -"
    low, high = wilson(hits, n)
    return f"{100 * hits / n:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]  {hits}/{n}"


# ---- running it ----

class Runner:
    def __init__(self, gpudx):
        self.gpudx = os.path.abspath(gpudx)
        self.env = dict(os.environ, GPUDX_GNUPLOT="/nonexistent")
        self.pool = concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count())

    def report(self, path, args=()):
        """The JSON report; None when nothing could be read. Anything else is a failure of the program."""
        run = subprocess.run([self.gpudx, "analyze", "--format", "json", "-o", "-", *args, path],
                             capture_output=True, env=self.env, check=False)
        if run.returncode == 3:
            return None
        if run.returncode != 0:
            raise SystemExit(f"{path}: exit {run.returncode}: {run.stderr.decode(errors='replace')}")
        return json.loads(run.stdout)

    def bundle(self, b):
        """A fixture's expect file is no part of its bundle."""
        if b.group != "fixtures":
            return self.report(b.path, b.args)
        with tempfile.TemporaryDirectory() as d:
            copy = os.path.join(d, os.path.basename(b.path))
            shutil.copytree(b.path, copy, ignore=shutil.ignore_patterns("expect", "site.*"))
            return self.report(copy, b.args)

    def files(self, files, args=()):
        with tempfile.TemporaryDirectory() as d:
            for path, text in files.items():
                full = os.path.join(d, "bundle", path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "wb") as f:
                    f.write(text)
            return self.report(os.path.join(d, "bundle"), args)

    def map(self, f, items):
        return list(self.pool.map(f, items))


# ---- judging a report ----

def is_of(finding, gpu, report):
    """gpu: an index, else an address or UUID as keys have it; "" whichever."""
    if not gpu.isdigit():
        return not gpu or any(key.endswith(gpu) for key in finding["gpus"])
    index = {g["key"]: g["index"] for g in report["gpus"]}
    return any(index[key] == int(gpu) for key in finding["gpus"])


def of_rule(report, rule, gpu=""):
    return [f for f in report["findings"] if fnmatch.fnmatchcase(f["id"], rule) and is_of(f, gpu, report)]


def loud(report):
    return [f for f in report["findings"] if f["severity"] in LOUD]


def roots(report):
    return [r["id"] for r in report["verdict"]["roots"]]


def where(finding):
    e = finding["evidence"]
    return f"{finding['id']} {finding['severity']} " + (f"{e[0]['source']}:{e[0]['line']}" if e else "without evidence")


def wrong(label, report, wanted):
    """What contradicts this label, or None. wanted: rules that the bundle's labels demand."""
    found = of_rule(report, label.rule, label.gpu)
    if label.claim in ("must", "open"):
        return None if found else "does not fire"
    if label.claim == "root":
        return None if roots(report)[:1] == [label.rule] and found else "the verdict names " + (", ".join(roots(report)[:3]) or "nothing")
    if label.claim == "never":
        return "; ".join(where(f) for f in found if label.rule == f["id"] or f["id"] not in wanted) or None
    if label.claim == "quiet":
        return "; ".join(where(f) for f in loud(report) if f["id"] not in wanted) or None
    verdict = report["verdict"]
    return None if verdict["kind"] in label.rule.split("|") else f"{verdict['kind']}: {verdict['reason']}"


class Score:
    """Counts per rule, and what the counts are made of."""

    def __init__(self):
        self.rules = defaultdict(lambda: {"tp": 0, "fn": 0, "fp": 0, "tn": 0})
        self.steps = {s: [0, 0] for s in STEPS}
        self.rank = []     # of the labelled root among the roots; 0 not among them
        self.verdicts = [0, 0]
        self.misses = []
        self.open, self.closed = [], []   # misses that are known, and those that are no longer

    def _confidence(self, finding, hit):
        step = min(STEPS, key=lambda s: abs(s - finding["confidence"]))
        self.steps[step][1] += 1
        self.steps[step][0] += hit

    def add(self, bundle, report):
        wanted = {x.rule for x in bundle.labels if x.claim in ("must", "root", "open")}
        seen = set()
        for label in bundle.labels:
            why = wrong(label, report, wanted)
            if label.claim == "open" and not why:
                self.closed.append(f"{bundle.name}: {label.rule} of GPU {label.gpu} holds: call it must or root")
            elif why:
                (self.open if label.claim == "open" else self.misses).append(f"{bundle.name}: {label.claim} {label.rule}{' of GPU ' + label.gpu if label.gpu else ''}: {why} ({label.source})")
            self._count(label, report, wanted, seen)

    def _count(self, label, report, wanted, seen):
        found = of_rule(report, label.rule, label.gpu)
        if label.claim == "verdict":
            self.verdicts[1] += 1
            self.verdicts[0] += report["verdict"]["kind"] in label.rule.split("|")
        elif label.claim in ("must", "root", "open"):
            if label.claim == "root":
                names = roots(report)
                self.rank.append(names.index(label.rule) + 1 if label.rule in names else 0)
            if (label.rule, label.gpu) not in seen:
                self.rules[label.rule]["tp" if found else "fn"] += 1
                for f in found:
                    self._confidence(f, True)
            seen.add((label.rule, label.gpu))
        else:
            bad = [f for f in (loud(report) if label.claim == "quiet" else found) if f["id"] not in wanted or f["id"] == label.rule]
            for f in bad:
                if (f["id"], "never") not in seen:
                    self.rules[f["id"]]["fp"] += 1
                    self._confidence(f, False)
                seen.add((f["id"], "never"))
            if not bad and "*" not in label.rule:
                self.rules[label.rule]["tn"] += 1


def worst_first(rules):
    """Rules in the order of how little can be vouched for: the lower ends of the two intervals."""
    def key(item):
        c = item[1]
        return (c["fn"] + c["fp"] == 0, min(wilson(c["tp"], c["tp"] + c["fn"])[0], wilson(c["tp"], c["tp"] + c["fp"])[0]), item[0])
    return sorted(rules.items(), key=key)


# ---- mutations ----

def changed_verdict(before, after, dropped=None):
    """What a mutation made of a verdict that it must not have, or None. It may stay; it may become "cannot tell"; and
    where its cause is no longer checkable (a file is gone, nobody knows this card), what was found beside it may lead,
    and an explanation, or a fault that the dropped file alone had shown, may be missing; so may one that takes two
    captures, of which the dropped file was one, when the report says that it is not checkable. A cause must never be excluded,
    nor a new one found."""
    was, now = before["verdict"], after["verdict"]
    had = {f["id"] for f in before["findings"]}
    new = [where(f) for f in loud(after) if f["id"] not in had]
    if new:
        return "new: " + "; ".join(new)
    if (was["kind"], was["finding"]) == (now["kind"], now["finding"]) or now["kind"] == "cannot_tell":
        return None
    outcomes = {c["outcome"] for c in after["checks"] if c["id"] == was["finding"]}
    excluded = "clean" in outcomes
    shown = {e["source"] for f in before["findings"] if f["severity"] in LOUD for e in f["evidence"]}
    quiet = now["kind"] == "healthy" and (shown <= {dropped} or (dropped in shown and outcomes == {"not_checkable"}))
    if was["finding"] and not excluded and (quiet or now["finding"] in had):
        return None
    return f"{was['kind']} {was['finding']} became {now['kind']} {now['finding']}"


def read_files(path):
    out = {}
    for base, _, names in os.walk(path):
        for name in names:
            full = os.path.join(base, name)
            rel = os.path.relpath(full, path)
            if labels.is_input(rel):
                with open(full, "rb") as f:
                    out[rel] = f.read()
    return out


def mutations(runner, bundles, chosen=None):
    """[(bundle, mutation, what is wrong or None)] for the bundles that are directories."""
    bundles = [b for b in bundles if os.path.isdir(b.path)]
    before = dict(zip((b.name for b in bundles), runner.map(runner.bundle, bundles)))
    jobs = [(b, name, files) for b in bundles for name, files in mutate.variants(read_files(b.path))
            if not chosen or name in chosen]
    after = runner.map(lambda job: runner.files(job[2], job[0].args), jobs)
    return [(b.name, name, changed_verdict(before[b.name], report, name.partition("without ")[2]) if report else None)
            for (b, name, _), report in zip(jobs, after)]


# ---- healthy ones ----

def false_alarms(runner, numbers):
    """[(name, findings above info or a verdict of fault, or None)]"""
    with tempfile.TemporaryDirectory() as d:
        def one(n):
            path = os.path.join(d, healthy.name(n))
            healthy.write(n, path)
            report = runner.report(path)
            shutil.rmtree(path)
            alarms = [where(f) for f in loud(report)] + (["verdict fault"] if report["verdict"]["kind"] == "fault" else [])
            return healthy.name(n), "; ".join(alarms) or None
        return runner.map(one, numbers)


# ---- what is printed ----

def print_rules(score):
    print("\nRULES, the worst first (recall: of the bundles that must show it; precision: of its labelled findings)")
    print(f"  {'rule':<32} {'hit':>4} {'miss':>4} {'false':>5} {'quiet':>5}   recall [95 %]       precision [95 %]")
    for rule, c in worst_first(score.rules):
        r, p = wilson(c["tp"], c["tp"] + c["fn"]), wilson(c["tp"], c["tp"] + c["fp"])
        if not c["tp"] + c["fn"] + c["fp"]:
            continue
        recall = f"{c['tp'] / (c['tp'] + c['fn']):.2f} [{r[0]:.2f}, {r[1]:.2f}]" if c["tp"] + c["fn"] else "-"
        precision = f"{c['tp'] / (c['tp'] + c['fp']):.2f} [{p[0]:.2f}, {p[1]:.2f}]" if c["tp"] + c["fp"] else "-"
        print(f"  {rule:<32} {c['tp']:4d} {c['fn']:4d} {c['fp']:5d} {c['tn']:5d}   {recall:<19} {precision}")


def print_score(title, bundles, score):
    total = {k: sum(c[k] for c in score.rules.values()) for k in ("tp", "fn", "fp", "tn")}
    print(f"\n{title}: {len(bundles)} bundles, {sum(len(b.labels) for b in bundles)} labels")
    print("  recall          ", share(total["tp"], total["tp"] + total["fn"]))
    print("  precision       ", share(total["tp"], total["tp"] + total["fp"]))
    print("  verdict kind    ", share(*score.verdicts))
    print("  root first      ", share(sum(r == 1 for r in score.rank), len(score.rank)))
    print("  root in first 3 ", share(sum(1 <= r <= 3 for r in score.rank), len(score.rank)))


def print_misses(title, lines):
    print(f"\n{title}: {len(lines)}" + "".join("\n  " + line for line in lines))


def scored(runner, bundles, score):
    unread = []
    for b, report in zip(bundles, runner.map(runner.bundle, bundles)):
        if report is None:
            unread.append(b)
        else:
            score.add(b, report)
    return unread


def everything(runner, top, shared, count):
    whole, groups = Score(), {"samples": labels.samples(top), "rule fixtures": labels.fixtures(top), "corpus": labels.corpus(top, shared)}
    for title, bundles in groups.items():
        if not bundles:
            print(f"\n{title}: skipped, not here")
            continue
        score = Score()
        unread = scored(runner, bundles, score)
        print_score(title, [b for b in bundles if b not in unread], score)
        if unread:
            print(f"  {len(unread)} more are of formats that nobody reads")
        for rule, c in score.rules.items():
            for k in c:
                whole.rules[rule][k] += c[k]
        for step in STEPS:
            whole.steps[step] = [a + b for a, b in zip(whole.steps[step], score.steps[step])]
        whole.misses += score.misses
        whole.open += score.open
        whole.closed += score.closed
    alarms = false_alarms(runner, range(count))
    bad = [f"{name}: {why}" for name, why in alarms if why]
    low, high = wilson(len(bad), count)
    print(f"\nhealthy: {len(bad)} false alarms of {count} generated bundles: "
          f"{1000 * len(bad) / count:.1f} per 1,000 [{1000 * low:.1f}, {1000 * high:.1f}]")
    print("\nCONFIDENCE, labelled findings only: how often a finding of each step is right")
    for step in STEPS:
        print(f"  {step:4.2f}  {share(*whole.steps[step])}")
    print_rules(whole)
    mutants = mutations(runner, groups["samples"] + [b for b in groups["rule fixtures"] if any(x.claim == "root" for x in b.labels)])
    broken = [f"{b}, {name}: {why}" for b, name, why in mutants if why]
    print(f"\nmutations: {len(mutants) - len(broken)} of {len(mutants)} keep their verdict, or can no longer tell")
    print_misses("MISSES", whole.misses)
    print_misses("KNOWN MISSES", whole.open)
    print_misses("NO LONGER MISSES", whole.closed)
    print_misses("FALSE ALARMS", bad)
    print_misses("CHANGED BY MUTATION", broken)
    return bool(whole.misses or whole.closed or bad or broken)


def tests(runner, top, _shared, count):
    """The fast subset, as lines of a test."""
    score, bundles = Score(), labels.samples(top)
    scored(runner, bundles, score)
    for b in bundles:
        mine = [m for m in score.misses + score.closed if m.startswith(b.name + ": ")]
        print("\n  ".join([f"{'not ok' if mine else 'ok'} accuracy/{b.name}"] + mine))
    for name, why in false_alarms(runner, range(count)):
        print(f"{'not ok' if why else 'ok'} accuracy/healthy-{name}" + (f"\n  {why}" if why else ""))
    chosen = [b for b in bundles if b.name in ("samples/healthy", "samples/power-cap", "samples/xid-after-update")]
    for b, name, why in mutations(runner, chosen, set(mutate.WHOLE)):
        print(f"{'not ok' if why else 'ok'} accuracy/{b}-{name}" + (f"\n  {why}" if why else ""))
    return 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("gpudx")
    p.add_argument("--fast", action="store_true")
    p.add_argument("--healthy", type=int)
    a = p.parse_args()
    top = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    shared = os.environ.get("GPUDX_SHARED", os.path.join(top, "..", "shared"))
    count = a.healthy or (16 if a.fast else 240)
    return (tests if a.fast else everything)(Runner(a.gpudx), top, shared, count)


if __name__ == "__main__":
    sys.exit(main())
