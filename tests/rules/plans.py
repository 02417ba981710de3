#!/usr/bin/env python3
"""plans.py DB RULE.sql...: which statements walk a table of samples from end to end, by the program that
SQLite makes of them: a cursor on the table that is put on its first or last row and then moved on.
Looking rows up by id, or a range of ids, is no walk. Prints "FILE: walks TABLE N times" for those."""
import csv
import io
import subprocess
import sys

SAMPLES = ("gpu_sample", "metric_sample")


def shell(db, script):
    done = subprocess.run(["sqlite3", "-batch", "-readonly", db], input=script, text=True,
                          capture_output=True, check=False)
    if done.returncode or done.stderr:
        sys.exit(f"sqlite3: {done.stderr.strip()}")
    return list(csv.reader(io.StringIO(done.stdout)))


def tables(db):
    """The page where each of the tables begins, as the programs name them."""
    names = ", ".join(f"'{n}'" for n in SAMPLES)
    rows = shell(db, f".mode csv\nSELECT rootpage, name FROM sqlite_schema WHERE name IN ({names});\n")
    return {int(page): name for page, name in rows}


def walks(db, sql, roots):
    """Table -> how many cursors of the statement walk it."""
    program = shell(db, ".explain off\n.mode csv\nEXPLAIN " + sql + "\n;\n")
    opened, begun, found = {}, set(), {}
    for _, op, p1, p2, *_ in (row for row in program if len(row) > 4):
        cursor = int(p1) if p1.lstrip("-").isdigit() else None
        if op == "OpenRead" and int(p2) in roots:
            opened[cursor] = roots[int(p2)]
        elif op in ("Rewind", "Last"):
            begun.add(cursor)
        elif op in ("Next", "Prev") and cursor in begun and cursor in opened:
            found.setdefault(opened[cursor], set()).add(cursor)
    return {table: len(cursors) for table, cursors in found.items()}


def main():
    db, rules = sys.argv[1], sys.argv[2:]
    roots = tables(db)
    if not roots:
        sys.exit("no table of samples in " + db)
    for rule in rules:
        with open(rule, encoding="utf-8") as f:
            sql = f.read()
        for table, n in walks(db, sql, roots).items():
            print(f"{rule}: walks {table} {n} time{'s' if n > 1 else ''}")


main()
