"""The same incident told otherwise: what a bundle would be if it had been collected on another day or machine.

Each mutation takes and gives the files of a bundle as {path: bytes}; None when there is nothing to change. Sameness is
kept within a bundle: one address, index or version becomes one other everywhere."""
import datetime
import re

ISO = re.compile(rb"\b(\d{4})([-/])(\d\d)\2(\d\d)(T| {1,2})(\d\d):(\d\d):(\d\d)(?![\d:])")
CTIME = re.compile(rb"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})")
SYSLOG = re.compile(rb"(?m)^(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)")
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
FRENCH = dict(zip(MONTHS, "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.".split()))


def drops(files):
    """One variant for each member that is left out."""
    for path in sorted(files):
        if len(files) > 1:
            yield path, {k: v for k, v in files.items() if k != path}


def zone(files, hours=5):
    """All local stamps some hours later, as if the machine stood further east. Stamps that say their zone name the
    same moment in the other one."""
    by = datetime.timedelta(hours=hours)

    def iso(m):
        tail = m.string[m.end():m.end() + 16]
        fraction = re.match(rb"[.,]\d+", tail)
        after = tail[fraction.end() if fraction else 0:]
        if re.match(rb"(Z|\+|-| UTC| \(\d+\))", after):
            return m.group(0)
        t = datetime.datetime(*(int(m.group(i)) for i in (1, 3, 4, 6, 7, 8))) + by
        s = m.group(2).decode()
        return t.strftime(f"%Y{s}%m{s}%d{m.group(5).decode()}%H:%M:%S").encode()

    def ctime(m):
        t = datetime.datetime.strptime(re.sub(rb" +", b" ", m.group(0)).decode(), "%a %b %d %H:%M:%S %Y") + by
        return f"{t:%a} {t:%b} {t.day:2d} {t:%H:%M:%S %Y}".encode()

    def syslog(m):
        t = datetime.datetime(2023, MONTHS.index(m.group(1).decode()) + 1, int(m.group(2)), int(m.group(3)), int(m.group(4)), int(m.group(5))) + by
        return f"{t:%b} {t.day:2d} {t:%H:%M:%S}".encode()

    return _each(files, lambda b: SYSLOG.sub(syslog, CTIME.sub(ctime, ISO.sub(iso, b))))


def months(files):
    """Stamps as journalctl writes them under a French locale."""
    def french(m):
        return FRENCH[m.group("month").decode()].encode() + m.group(0)[3:]

    return _each(files, lambda b: SYSLOG.sub(french, b))


ADDRESS = re.compile(rb"(?<![0-9a-fA-F.])(?<![0-9a-fA-F]:)((?:PCI:)?(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{4}):|PCI:)?"
                     rb"([0-9a-fA-F]{2}):([01][0-9a-fA-F])(?:(\.[0-7])(?![0-9a-fA-F])|(?![0-9a-fA-F:]))")


def _is_address(m):
    """20:15 may be a time."""
    return m.group(4) is not None or (m.group(1) or b"").startswith(b"PCI")


def bus(files):
    """All buses from the first behind a port on are two higher: a card was put in below."""
    named = {int(m.group(2), 16) for t in files.values() for m in ADDRESS.finditer(t) if _is_address(m)}
    named.discard(0)
    tree = any(re.search(rb"(?m)^ *[-+]\[?0000:00\]?-", t) for t in files.values())
    if not named or max(named) > 0xfc or tree:
        return None
    low = min(named)

    def up(word):
        n = int(word, 16)
        new = f"{n + 2 if n >= low else n:02x}"
        return (new.upper() if word.isupper() else new).encode()

    def address(m):
        if not _is_address(m):
            return m.group(0)
        return (m.group(1) or b"") + up(m.group(2)) + b":" + m.group(3) + (m.group(4) or b"")

    def number(m):
        return m.group(1) + up(m.group(2)) + m.group(3)

    def one(text):
        text = ADDRESS.sub(address, text)
        text = re.sub(rb"(primary=|secondary=|subordinate=)([0-9a-f]{2})(\b)", number, text)
        text = re.sub(rb"(GPU ID 0x0000)([0-9a-f]{2})(00\])", number, text)
        return re.sub(rb"(?m)^( +Bus +: 0x)([0-9A-F]{2})($)", number, text)

    return _each(files, one)


def order(files):
    """nvidia-smi counts the GPUs the other way round."""
    indices = {int(n) for t in files.values() for n in re.findall(rb"(?m)^GPU (\d+): ", t)}
    if len(indices) < 2 or indices != set(range(len(indices))):
        return None

    def other(word):
        n = int(word)
        return str(max(indices) - n).encode() if n in indices else word

    def keep(m, pattern_group=2):
        new = other(m.group(pattern_group))
        return m.group(1) + new.rjust(len(m.group(pattern_group)))

    def one(text):
        text = re.sub(rb"(?m)^(GPU )(\d+)(?=: )", keep, text)
        text = re.sub(rb"(?m)^(\| {2,3})( ?\d+)(?=  (?:NVIDIA|Tesla|GeForce|Quadro|A\d|H\d))", keep, text)
        text = re.sub(rb"(?m)^(\| {2,4})( ?\d+)(?= +(?:N/A|\d+) +(?:N/A|\d+) +\d+ +[CGM])", keep, text)
        text = re.sub(rb'(gpu=")(\d+)(?=")', keep, text)
        text = re.sub(rb'(device="nvidia)(\d+)(?=")', keep, text)
        if re.match(rb"#\s*gpu", text):
            text = re.sub(rb"(?m)^( +)(\d+)(?= )", keep, text)
        head = text.split(b"\n", 1)[0]
        if head.startswith(b"timestamp, index"):
            text = re.sub(rb"(?m)^([^,\n]+, )(\d+)(?=,)", keep, text)
        elif re.search(rb"\bindex\b", head):
            return None
        return text

    changed = {k: one(v) for k, v in files.items()}
    return None if None in changed.values() or changed == files else changed


NAME = re.compile(rb"(?:NVIDIA |Tesla )(?:GeForce )?(?:RTX |GTX )?(?:[A-Z]{1,2}\d{2,4}[A-Z]?|\d{4})(?:[- ](?:SXM\d|PCIe|HBM3|NVL|\d+GB|Ti|SUPER))*")


def model(files):
    """A card of a name that nobody knows yet."""
    return _each(files, lambda b: NAME.sub(lambda m: b"NVIDIA X900".ljust(len(m.group(0))), b) if b"NVIDIA" in b or b"Tesla" in b else b)


VERSION = re.compile(rb"\b(4[7-9]\d|5[1-9]\d)\.(\d{2,3})(\.\d\d)?\b")


def driver(files):
    """A newer branch, each version another one: what differed differs still."""
    said = re.compile(rb"(?:Kernel Module|Driver Version|Driver Version +:|version:|Version)[ :]+(?:for x86_64 +)?(\d{3}\.\d{2,3}(?:\.\d\d)?)")
    versions = {v for t in files.values() for v in said.findall(t) if VERSION.fullmatch(v)}
    if not versions:
        return None
    to = {v: b"58%d.%s" % (min(5, sorted({w[:3] for w in versions}).index(v[:3])), v[4:]) for v in versions}
    pattern = re.compile(rb"(?<![\d.])(?:" + b"|".join(re.escape(v) for v in sorted(versions, key=len, reverse=True)) + rb")(?![\d])")

    def one(text):
        text = pattern.sub(lambda m: to[m.group(0)], text)
        return re.sub(rb"(CUDA Version *: )\d+\.\d", lambda m: m.group(1) + b"13.0", text)

    return _each(files, one)


def _each(files, change):
    changed = {k: change(v) for k, v in files.items()}
    return None if changed == files else changed


WHOLE = {"zone": zone, "bus": bus, "order": order, "months": months, "model": model, "driver": driver}


def variants(files):
    """(name, files) of all mutations that change something."""
    for path, rest in drops(files):
        yield "without " + path, rest
    for name, mutate in WHOLE.items():
        changed = mutate(files)
        if changed is not None:
            yield name, changed
