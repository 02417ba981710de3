"""Hides the secrets of tests/redact/planted.tsv in a copy of a bundle, and looks for them.

planted.py plant TABLE FOLDER     adds files to FOLDER
planted.py look TABLE PATH...     prints and fails with each secret that is left in names or contents
"""
import gzip
import os
import sys


def rows(table):
    with open(table, encoding="utf-8") as f:
        for line in f:
            if not line.startswith(("#", "class\t")):
                yield line.rstrip("\n").split("\t", 4)


def plant(table, folder):
    files = {}
    for _, how, name, secret, line in rows(table):
        line = line.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
        files.setdefault((name, how), []).append(line.replace("{}", secret) + "\n")
    for (name, how), lines in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = "".join(lines).encode("utf-16" if how == "utf16" else "utf-8")
        if how == "gz":
            path += ".gz"
            data = gzip.compress(data, mtime=0)
        with open(path, "ab") as f:
            f.write(data)


def contents(path):
    if os.path.isfile(path):
        yield path, path
    for folder, folders, files in os.walk(path):
        for name in folders + files:
            yield os.path.join(folder, name), os.path.relpath(os.path.join(folder, name), path)


def look(table, paths):
    secrets = {(row[0], row[3]) for row in rows(table)}
    left = set()
    for path in paths:
        for full, name in contents(path):
            data = b""
            if os.path.isfile(full):
                with open(full, "rb") as f:
                    data = f.read()
            data += b"\n" + os.fsencode(name)
            left.update((c, s, name) for c, s in secrets if s.encode() in data or s.encode("utf-16-le") in data)
    for item in sorted(left):
        print("left: %s %s in %s" % item)
    return 1 if left else 0


if __name__ == "__main__":
    if sys.argv[1] == "plant":
        plant(sys.argv[2], sys.argv[3])
    else:
        sys.exit(look(sys.argv[2], sys.argv[3:]))
