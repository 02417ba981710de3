"""Holds a JSON report, and the database behind it, against rows of what must come out, one "ok" line a row.

Usage: expect.py SUITE/NAME REPORT [DATABASE] < ROWS. A row is one of stored.py, or
    must ID SEVERITY [PATH:LINE[-LINE]...]  a finding of this severity that cites at least these lines; the rule
                                            fires as often as it has such rows
    may ID          allowed, whatever quiet-above says
    never ID        does not fire
    root ID         is the first root, and what the verdict names
    verdict KIND[|KIND...]
    outcome ID fired|clean|not_checkable    over all hosts and GPUs
    quiet-above SEVERITY                    nothing worse, folded findings included, but what must and may fire
    unchecked WORD...                       what nobody can check here: skipped, and said so
In ID, * stands for anything; # begins a comment."""
import fnmatch
import json
import sqlite3
import sys

import stored

SEVERITIES = ["info", "warning", "error", "critical"]


class Report:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            report = json.load(f)
        self.verdict, self.findings = report["verdict"], report["findings"]
        self.outcomes = {}
        for c in report["checks"]:
            self.outcomes.setdefault(c["id"], set()).add(c["outcome"])
        self.taken = set()

    def of(self, pattern):
        return [f for f in self.findings if fnmatch.fnmatchcase(f["id"], pattern)]

    def outcome(self, rule):
        for word in ("error", "fired", "not_checkable", "clean"):
            if word in self.outcomes.get(rule, ()):
                return word
        return "no outcome"


def say(finding):
    lines = " ".join(f"{e['source']}:{e['line']}" for e in finding["evidence"][:8])
    return f"{finding['id']} {finding['severity']} {lines}"


def cited(words):
    lines = set()
    for word in words:
        path, _, span = word.rpartition(":")
        first, _, last = span.partition("-")
        lines |= {(path, line) for line in range(int(first), int(last or first) + 1)}
    return lines


def must(report, rows, words):
    rule, severity, want = words[0], words[1], cited(words[2:])
    same = report.of(rule)
    wanted = sum(row[:2] == ["must", rule] for row in rows)
    if len(same) != wanted:
        return f"{len(same)} times instead of {wanted}: " + "; ".join(map(say, same))
    for f in same:
        if f["severity"] == severity and want <= {(e["source"], e["line"]) for e in f["evidence"]} and \
                f["n"] not in report.taken:
            report.taken.add(f["n"])
            return None
    return "; ".join(map(say, same))


def never(report, rows, words):
    return "; ".join(map(say, report.of(words[0]))) or None


def may(report, rows, words):
    return None


def root(report, rows, words):
    roots = [r["id"] for r in report.verdict["roots"]]
    return None if roots[:1] == words and report.verdict["finding"] == words[0] else f"{roots}"


def verdict(report, rows, words):
    return None if report.verdict["kind"] in words[0].split("|") else f"{report.verdict['kind']}: {report.verdict['reason']}"


def outcome(report, rows, words):
    return None if report.outcome(words[0]) == words[1] else report.outcome(words[0])


def quiet_above(report, rows, words):
    allowed = [row[1] for row in rows if row[0] in ("must", "may")]
    worst = SEVERITIES.index(words[0])
    loud = [f for f in report.findings if SEVERITIES.index(f["severity"]) > worst and
            not any(fnmatch.fnmatchcase(f["id"], a) for a in allowed)]
    return "; ".join(map(say, loud)) or None


KINDS = {"must": must, "may": may, "never": never, "root": root, "verdict": verdict, "outcome": outcome,
         "quiet-above": quiet_above}


def answer(report, database, rows, row):
    if row[0] in KINDS:
        return KINDS[row[0]](report, rows, row[1:])
    if database is None or row[0] not in stored.KINDS:
        return "what is this?"
    try:
        return stored.KINDS[row[0]](database, row[1:])
    except sqlite3.Error as e:
        return str(e)


report = Report(sys.argv[2])
database = stored.Database(sys.argv[3]) if len(sys.argv) > 3 else None
rows = [row for row in (line.split("#")[0].split() for line in sys.stdin) if row]
for row in rows:
    if row[0] == "unchecked":
        print(f"skip {sys.argv[1]}: {' '.join(row[1:])}")
        continue
    wrong = answer(report, database, rows, row)
    print(f"{'not ok' if wrong else 'ok'} {sys.argv[1]} {' '.join(row)}{': ' + wrong if wrong else ''}")
sys.exit(not rows)
