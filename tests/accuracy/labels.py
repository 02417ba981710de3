"""What is known of labelled bundles, as one kind of row from all places where it is written down.

labels.tsv here says it of bundles in samples/, with the GPU and where the claim comes from; samples/*.expect and the
expect files of tests/rules say it for the tests of whole reports and of rules; tests/corpus of real files."""
import csv
import os
from dataclasses import dataclass, field

CLAIMS = ("must", "never", "root", "verdict", "quiet", "open")


@dataclass
class Label:
    claim: str    # must | never: rule fires or not; root: it is also what the verdict names; quiet: nothing above info;
                  # open: must, and it is known that it does not yet
    rule: str     # * stands for anything; of "verdict" its kind, a|b either
    gpu: str      # index or address of the GPU; "" whichever
    source: str


@dataclass
class Bundle:
    name: str
    path: str
    group: str    # samples | fixtures | corpus
    args: list = field(default_factory=list)
    labels: list = field(default_factory=list)


def _words(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                yield words


def _add(bundle, words, source):
    """A row of an expect file."""
    kind = words[0]
    if kind in ("must", "never", "root"):
        bundle.labels.append(Label(kind, words[1], "", source))
    elif kind == "verdict":
        bundle.labels.append(Label("verdict", words[1], "", source))
        if len(words) > 2:
            bundle.labels.append(Label("root", words[2], "", source))
    elif kind == "outcome" and words[2] == "fired":
        bundle.labels.append(Label("must", words[1], "", source))
    elif kind == "quiet-above" and words[1] == "info":
        bundle.labels.append(Label("quiet", "*", "", source))
    elif kind == "args":
        bundle.args = words[1:]


def _table(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = [r for r in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r and not r[0].startswith("#")]
    for r in rows[1:]:
        if len(r) != len(rows[0]):
            raise SystemExit(f"{path}: {r}: not {len(rows[0])} columns")
        yield dict(zip(rows[0], r))


def samples(top):
    found = {}
    for row in _table(os.path.join(top, "tests/accuracy/labels.tsv")):
        path = os.path.join(top, "samples", row["bundle"])
        if row["claim"] not in CLAIMS or not os.path.isdir(path):
            raise SystemExit(f"labels.tsv: {row['bundle']}: no such sample, or no such claim: {row['claim']}")
        b = found.setdefault(row["bundle"], Bundle("samples/" + row["bundle"], path, "samples"))
        b.labels.append(Label(row["claim"], row["rule"], "" if row["gpu"] == "-" else row["gpu"], row["source"]))
    for entry in sorted(os.listdir(os.path.join(top, "samples"))):
        if entry.endswith(".expect"):
            name = entry[:-7]
            b = found.setdefault(name, Bundle("samples/" + name, os.path.join(top, "samples", name), "samples"))
            for words in _words(os.path.join(top, "samples", entry)):
                _add(b, words, "samples/" + entry)
    return [found[k] for k in sorted(found)]


def is_input(name):
    """What a folder has to be analysed; the rest says what is expected and what the site means to have."""
    return name != "expect" and not name.startswith("site.")


def site_of(path):
    return [word for name in sorted(os.listdir(path)) if name.startswith("site.") for word in ("--site", os.path.join(path, name))]


def fixtures(top):
    base, out = os.path.join(top, "tests/rules"), []
    for rule in sorted(os.listdir(base)):
        for case in sorted(os.listdir(os.path.join(base, rule))) if os.path.isdir(os.path.join(base, rule)) else []:
            path = os.path.join(base, rule, case)
            expect = os.path.join(path, "expect")
            if os.path.isfile(expect):
                b = Bundle(f"rules/{rule}/{case}", path, "fixtures", site_of(path))
                for words in _words(expect):
                    _add(b, words, f"tests/rules/{rule}/{case}/expect")
                out.append(b)
    return [b for b in out if b.labels]


def corpus(top, shared):
    """Lines with a file, its rows behind tabs: of tests/corpus/*.tsv those that are of findings."""
    base, found, here = os.path.join(shared, "corpus"), {}, os.path.join(top, "tests/corpus")
    for table in sorted(os.listdir(here)):
        name = None
        with open(os.path.join(here, table), encoding="utf-8") as f:
            for line in f:
                words = line.split("#")[0].split()
                if words and not line[0].isspace():
                    name = words[0]
                elif words and name:
                    b = found.setdefault(name, Bundle("corpus/" + name, os.path.join(base, name), "corpus"))
                    _add(b, words, "tests/corpus/" + table)
    return [b for b in found.values() if b.labels and os.path.exists(b.path)]
