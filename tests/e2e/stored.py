"""What a case database must hold: rows for expect.py, each answered by one question in SQL.

    parsers NAME...              exactly these have read something ("-": nobody)
    parser NAME                  this one is among them
    unread WORD...               nobody read it, and this is (part of) the reason
    rejects N                    lines that are rightly counted as broken
    count TABLE N                rows of this table
    fact KEY[@GPU] VALUE...      some source states it; "-": none states this key at all
    event KIND[/CODE][@GPU] N    so many messages, copies of one in another log not counted
    attr KIND[/CODE] NAME VALUE  such an event carries this
    metric KEY[@GPU] STAT VALUE  over all such series; STAT: n min max
    sample COLUMN[@GPU] STAT VALUE
    process NAME...              such a client was seen
    device ADDRESS COLUMN VALUE  of pci_device
    seat WORD...                 a row of the view seat holds all these words
GPU is an index, or the end of an address. Texts may contain * and ?; numbers are compared with as many
decimals as the row gives."""
import fnmatch
import sqlite3


def like(have, want):
    """Whether a stored value is the one that was asked for."""
    if have is None:
        return False
    try:
        number = float(have)
        if "." in want:
            return round(number, len(want.partition(".")[2])) == float(want)
        return round(number) == int(want)
    except ValueError:
        return fnmatch.fnmatchcase(str(have), want)


def of_gpu(word):
    """KEY@GPU: the key, a condition on a row with gpu_id, and its parameters."""
    key, _, gpu = word.partition("@")
    if not gpu:
        return key, "", ()
    if gpu.isdigit():
        return key, " AND gpu_id IN (SELECT id FROM gpu WHERE idx = ?)", (int(gpu),)
    return key, " AND gpu_id IN (SELECT id FROM gpu WHERE bdf LIKE ?)", ("%" + gpu,)


class Database:
    """The case database, for questions."""

    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)

    def ask(self, sql, values=()):
        return self.db.execute(sql, values).fetchall()

    def one(self, sql, values=()):
        return self.db.execute(sql, values).fetchone()[0]

    def readers(self):
        return sorted({row[0] for row in self.ask("SELECT parser FROM source WHERE parser IS NOT NULL AND taken > 0")})


def parsers(db, words):
    have = db.readers()
    return None if have == sorted(w for w in words if w != "-") else " ".join(have) or "nobody"


def parser(db, words):
    return None if words[0] in db.readers() else " ".join(db.readers()) or "nobody"


def unread(db, words):
    rows = db.ask("SELECT status, reason FROM source WHERE parent_id IS NULL")
    ok = all(status in ("unread", "skipped", "empty") and " ".join(words) in (reason or "") for status, reason in rows)
    return None if ok else f"{rows}"


def rejects(db, words):
    n = db.one("SELECT coalesce(sum(rejected), 0) FROM source")
    return None if n == int(words[0]) else f"{n}: {db.ask('SELECT line_id & 0xffffffff, reason FROM reject LIMIT 5')}"


def count(db, words):
    n = db.one(f"SELECT count(*) FROM {words[0]}")
    return None if n == int(words[1]) else f"{n}"


def fact(db, words):
    key, where, values = of_gpu(words[0])
    want = " ".join(words[1:])
    have = sorted({f"{row[0]}" for row in db.ask(f"SELECT value FROM fact WHERE key = ?{where}", (key, *values))})
    if want == "-":
        return f"{have}" if have else None
    return None if any(like(v, want) for v in have) else f"{have}"


def of_kind(word):
    """KIND[/CODE][@GPU]: a condition on event, and its parameters."""
    kind, where, values = of_gpu(word)
    kind, _, code = kind.partition("/")
    where = "kind GLOB ? AND copy_of IS NULL" + where + (" AND code = ?" if code else "")
    return where, (kind, *values, *([int(code)] if code else []))


def event(db, words):
    where, values = of_kind(words[0])
    n = db.one(f"SELECT count(*) FROM event WHERE {where}", values)
    return None if n == int(words[1]) else f"{n}"


def attr(db, words):
    where, values = of_kind(words[0])
    have = {row[0] for row in db.ask(
        f"SELECT a.value FROM event e JOIN event_attr a ON a.event_id = e.id WHERE {where} AND a.name = ?",
        (*values, words[1]))}
    return None if any(like(v, " ".join(words[2:])) for v in have) else f"{have}"


def metric(db, words):
    key, where, values = of_gpu(words[0])
    stat = {"n": "sum(s.n)", "min": "min(s.min)", "max": "max(s.max)"}[words[1]]
    have = db.one(f"SELECT {stat} FROM metric m JOIN metric_stat s ON s.metric_id = m.id WHERE key GLOB ?{where}",
                  (key, *values))
    return None if like(have, words[2]) else f"{have}"


def sample(db, words):
    column, where, values = of_gpu(words[0])
    stat = {"n": "count", "min": "min", "max": "max"}[words[1]]
    have = db.one(f"SELECT {stat}({column}) FROM sample WHERE 1{where}", values)
    return None if like(have, words[2]) else f"{have}"


def process(db, words):
    have = {row[0] for row in db.ask("SELECT name FROM process_sample")}
    return None if any(like(v, " ".join(words)) for v in have) else f"{have}"


def device(db, words):
    have = [row[0] for row in db.ask(f"SELECT {words[1]} FROM pci_device WHERE bdf LIKE ?", ("%" + words[0],))]
    return None if any(like(v, " ".join(words[2:])) for v in have) else f"{have}"


def seat(db, words):
    rows = [[f"{v}" for v in row] for row in db.ask("SELECT * FROM seat")]
    ok = any(all(any(like(v, w) for v in row) for w in words) for row in rows)
    return None if ok else f"{rows}"


# Each says why its row does not hold; None when it does.
KINDS = {"parsers": parsers, "parser": parser, "unread": unread, "rejects": rejects, "count": count, "fact": fact,
         "event": event, "attr": attr, "metric": metric, "sample": sample, "process": process, "device": device,
         "seat": seat}
