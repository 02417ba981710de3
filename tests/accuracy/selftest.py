"""Does the score see what is wrong? Small reports with planted mistakes, and figures from a table."""
import datetime
import glob
import os
import random

import accuracy
import healthy
import machine
import labels
import mutate
from labels import Bundle, Label

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def finding(rule, severity="error", confidence=0.95, gpus=("n1/0000:3b:00.0",)):
    return {"id": rule, "severity": severity, "confidence": confidence, "gpus": list(gpus),
            "evidence": [{"source": "kern.log", "line": 7}]}


def report(kind, findings, outcomes=()):
    named = [f["id"] for f in findings]
    return {"verdict": {"kind": kind, "finding": named[0] if named else None, "reason": "", "roots": [{"id": r} for r in named]},
            "findings": findings, "gpus": [{"key": "n1/0000:3b:00.0", "index": 0}],
            "checks": [{"id": r, "outcome": o} for r, o in outcomes]}


def misses(labels, rep):
    score = accuracy.Score()
    score.add(Bundle("b", "b", "samples", labels=[Label(*x, "t") for x in labels]), rep)
    return score


FAULT = report("fault", [finding("xid.gsp")])


def near(pair, low, high):
    return abs(pair[0] - low) < 5e-4 and abs(pair[1] - high) < 5e-4


def moved(text, mutation):
    files = {"a": text}
    return dict(mutate.WHOLE[mutation](files) or files)["a"]


def two_gpus():
    return machine.make(random.Random(3), machine.MODELS[0], machine.DRIVERS[3], 2, "n1", datetime.datetime(2026, 1, 13, 22))


def claimed(*claims):
    """The units that labels of samples speak of: bundle, rule, GPU."""
    return {(b.name, x.rule, x.gpu) for b in labels.samples(TOP) for x in b.labels if x.claim in claims}


def families():
    """Of the rules that judge one bundle; those that compare two are scored apart."""
    files = glob.glob(os.path.join(TOP, "rules", "*", "*.sql"))
    return {os.path.basename(os.path.dirname(f)) for f in files} - {"compare", "fleet"}


KINDS = {"fault", "explanation", "operation", "healthy", "cannot_tell"}

TESTS = {
    "samples-hold-a-finding-of-every-family": lambda: families() <= {rule.split(".")[0] for _, rule, _ in claimed("must", "root")},
    "samples-hold-every-kind-of-verdict": lambda: {kind for _, kind, _ in claimed("verdict")} >= KINDS,
    "at-least-200-findings-are-demanded": lambda: len(claimed("must", "root")) >= 200,
    "at-least-200-findings-are-forbidden": lambda: len(claimed("never", "quiet")) >= 200,
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    "wilson-81-of-263": lambda: near(accuracy.wilson(81, 263), 0.2553, 0.3662),
    "wilson-15-of-148": lambda: near(accuracy.wilson(15, 148), 0.0624, 0.1605),
    "wilson-0-of-20": lambda: near(accuracy.wilson(0, 20), 0.0000, 0.1611),
    "wilson-29-of-29": lambda: near(accuracy.wilson(29, 29), 0.8830, 1.0000),
    "a-right-report-has-no-misses": lambda: not misses([("root", "xid.gsp", "0"), ("verdict", "fault", ""), ("never", "thermal.*", "")], FAULT).misses,
    "sees-a-rule-that-is-silent": lambda: misses([("must", "xid.mmu-fault", "")], FAULT).rules["xid.mmu-fault"]["fn"] == 1,
    "sees-the-wrong-gpu": lambda: len(misses([("must", "xid.gsp", "1")], FAULT).misses) == 1,
    "sees-what-must-never-fire": lambda: misses([("never", "xid.*", "")], FAULT).rules["xid.gsp"]["fp"] == 1,
    "sees-noise-in-a-quiet-bundle": lambda: len(misses([("quiet", "*", "")], FAULT).misses) == 1,
    "sees-another-kind-of-verdict": lambda: len(misses([("verdict", "healthy", "")], FAULT).misses) == 1,
    "sees-another-root": lambda: len(misses([("root", "pcie.errors", "")], FAULT).misses) == 1,
    "a-demanded-finding-is-no-noise": lambda: not misses([("quiet", "*", ""), ("must", "xid.gsp", "")], FAULT).misses,
    "counts-one-false-finding-once": lambda: misses([("never", "xid.*", ""), ("quiet", "*", "")], FAULT).rules["xid.gsp"]["fp"] == 1,
    "a-known-miss-counts-and-is-set-apart": lambda: (lambda s: s.rules["xid.gsp"]["fn"] == 1 and not s.misses and len(s.open) == 1)(
        misses([("open", "xid.gsp", "1")], FAULT)),
    "a-known-miss-that-holds-is-told": lambda: len(misses([("open", "xid.gsp", "0")], FAULT).closed) == 1,
    "index-0-is-no-end-of-an-address": lambda: not accuracy.is_of(FAULT["findings"][0], "0", dict(FAULT, gpus=[{"key": "n1/0000:3b:00.0", "index": 1}])),
    "counts-by-confidence": lambda: misses([("never", "xid.*", "")], report("fault", [finding("xid.gsp", confidence=0.7)])).steps[0.7] == [0, 1],
    "mutation-may-stay": lambda: accuracy.changed_verdict(FAULT, FAULT) is None,
    "mutation-may-end-in-doubt": lambda: accuracy.changed_verdict(FAULT, report("cannot_tell", [])) is None,
    "mutation-must-not-heal": lambda: accuracy.changed_verdict(FAULT, report("healthy", [])),
    "mutation-must-not-find-more": lambda: accuracy.changed_verdict(FAULT, report("fault", [finding("xid.gsp"), finding("pcie.errors")])),
    "mutation-must-not-exclude-the-cause": lambda: accuracy.changed_verdict(
        report("fault", [finding("xid.gsp"), finding("pcie.errors")]), report("fault", [finding("pcie.errors")], [("xid.gsp", "clean")])),
    "zone-moves-past-midnight": lambda: moved(b"2026-01-31T22:10:00 x\nFeb 28 23:00:01 n\n", "zone") == b"2026-02-01T03:10:00 x\nMar  1 04:00:01 n\n",
    "zone-leaves-a-stamp-that-says-its-zone": lambda: moved(b"2026-01-31T22:10:00.5+00:00 2026-01-31T22:10:00Z", "zone").count(b"22:10:00") == 2,
    "bus-moves-gpu-and-not-the-time": lambda: moved(b"20:3b:00 [0000:3b:00.0] (PCI:0000:3b:00): 79 at 10:20:15.5", "bus") ==
    b"20:3b:00 [0000:3d:00.0] (PCI:0000:3d:00): 79 at 10:20:15.5",
    "months-are-french": lambda: moved(b"Mar  3 10:00:00 n kernel: Mar\n", "months") == b"mars  3 10:00:00 n kernel: Mar\n",
    "mutation-may-lose-what-one-file-showed": lambda: accuracy.changed_verdict(
        FAULT, report("healthy", [], [("xid.gsp", "not_checkable")]), "kern.log") is None,
    "mutation-must-not-heal-by-another-file": lambda: accuracy.changed_verdict(
        FAULT, report("healthy", [], [("xid.gsp", "not_checkable")]), "trace.csv"),
    "mutation-must-not-exclude-what-one-file-showed": lambda: accuracy.changed_verdict(
        FAULT, report("healthy", [], [("xid.gsp", "clean")]), "kern.log"),
    "drivers-stay-apart": lambda: moved(b"Kernel Module  550.54.14  x Driver Version: 535.183.01", "driver") ==
    b"Kernel Module  581.54.14  x Driver Version: 580.183.01",
    "order-is-turned": lambda: moved(machine.smi_list(two_gpus()).encode(), "order").startswith(b"GPU 1: "),
    "healthy-bundles-are-always-the-same": lambda: healthy.name(17) == healthy.name(17) and len({healthy.name(n) for n in range(240)}) == 240,
}

for name, test in TESTS.items():
    print(f"{'ok' if test() else 'not ok'} accuracy/selftest-{name}")
