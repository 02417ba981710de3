#!/usr/bin/env python3
"""Writes bundles that mean harm into a directory: bundles.py DIR [all]. Each holds, where nothing of it
is damaged, one kernel log with a GPU that fell off the bus; what gpudx says of that must not get lost.
Prints "NAME SECONDS MIB FINDS" for each: what it may cost, and 1 when the log must be found. With "all"
come those that are too big for every day."""
import gzip
import io
import os
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

XID = (b"[    1.000001] Linux version 6.1.0-18-amd64 (x@y) (gcc) #1 SMP Debian 6.1.76-1\n"
       b"[  100.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, name=job, GPU has fallen off the bus.\n")
EVIL = ["../../../../tmp/gpudx-pwned", "/etc/gpudx-pwned", "/dev/sda", "CON", "a\nb\n.log", "\x1b[31mred\x1b]0;t\x07.log",
        "`touch pwned`.log", "$(touch pwned).log", "x'); DROP TABLE finding;--.log", "<script>alert(1)</script>.log",
        "=cmd|' /C calc'!A0.log", "[click](javascript:alert(1)).log", "a" * 250 + ".log", "\u202egol.exe", ".", "..", " ", "-rf"]


class Maker:
    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def say(self, name, seconds=10, mib=120, finds=1):
        print(name, seconds, mib, finds)

    def file(self, name, data, **cost):
        with open(self.path(name), "wb") as f:
            f.write(data)
        self.say(name, **cost)

    # ---- containers ----

    def tar(self, name, fill, form=tarfile.GNU_FORMAT, **cost):
        with tarfile.open(self.path(name), "w", format=form) as t:
            self.add(t, "kern.log", XID)
            fill(t)
        self.say(name, **cost)

    @staticmethod
    def add(t, name, data=b"", kind=tarfile.REGTYPE, link=""):
        i = tarfile.TarInfo(name)
        i.size, i.type, i.linkname = len(data), kind, link
        t.addfile(i, io.BytesIO(data))

    def names(self):
        self.tar("names.tar", lambda t: [self.add(t, n, b"text\n") for n in EVIL])
        self.tar("pax-names.tar", lambda t: [self.add(t, n, b"text\n") for n in EVIL], tarfile.PAX_FORMAT)
        with zipfile.ZipFile(self.path("names.zip"), "w") as z:
            z.writestr("kern.log", XID)
            for n in EVIL:
                z.writestr(zipfile.ZipInfo(n), b"text\n")
        self.say("names.zip")
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as t:
            self.add(t, "kern.log", XID)
            self.add(t, "QQQQQQQQ.log", b"text\n")
        for title, bad in (("overlong", b"\xc0\xaf\xc0\xae"), ("wrong", b"\xff\xfe\x80\xed\xa0\x80")):
            self.file(f"{title}-utf8-name.tar", raw.getvalue().replace(b"QQQQQQQQ", bad.ljust(8, b"_")))

    def links(self):
        def fill(t):
            self.add(t, "a", kind=tarfile.SYMTYPE, link="b")
            self.add(t, "b", kind=tarfile.SYMTYPE, link="a")
            self.add(t, "c", kind=tarfile.LNKTYPE, link="d")
            self.add(t, "d", kind=tarfile.LNKTYPE, link="c")
            self.add(t, "self", kind=tarfile.LNKTYPE, link="self")
            self.add(t, "passwd", kind=tarfile.SYMTYPE, link="/etc/passwd")
            self.add(t, "zero", kind=tarfile.CHRTYPE)
            self.add(t, "pipe", kind=tarfile.FIFOTYPE)
        self.tar("links.tar", fill)

    def sizes(self):
        """Headers whose size is a lie: negative, enormous, no number."""
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as t:
            self.add(t, "kern.log", XID)
            self.add(t, "lie", b"x" * 100)
        for title, size in (("negative", b"\xff" * 12), ("enormous", b"\x80" + b"\x7f" + b"\xff" * 10),
                            ("octal", b"77777777777\0"), ("words", b"hello world\0")):
            data = bytearray(raw.getvalue())
            at = 1024
            assert data[at:at + 3] == b"lie"
            data[at + 124:at + 136] = size
            data[at + 148:at + 156] = b" " * 8
            data[at + 148:at + 156] = b"%06o\0 " % sum(data[at:at + 512])
            self.file(f"{title}-size.tar", bytes(data))

    def sparse(self):
        """A member that says it is 8 TiB of nothing."""
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as t:
            self.add(t, "kern.log", XID)
            i = tarfile.TarInfo("holes.log")
            i.size = 512
            i.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "holes.log",
                             "GNU.sparse.realsize": str(8 << 40)}
            t.addfile(i, io.BytesIO(b"1\n0\n10\n".ljust(512, b"\0")))
        self.file("sparse.tar", raw.getvalue(), seconds=20)

    def zips(self):
        with open(self.path("kern.log"), "wb") as f:
            f.write(XID)
        with open(self.path("secret.log"), "wb") as f:
            f.write(XID * 10)
        for tool, name in ((["zip", "-q", "-P", "x"], "password.zip"), (["7z", "a", "-bd", "-px", "-mhe=on"], "password.7z")):
            made = subprocess.run([*tool, name, "secret.log"], cwd=self.folder, capture_output=True)
            if made.returncode == 0:
                self.say(name, finds=0)
        subprocess.run(["zip", "-q", "half-password.zip", "kern.log"], cwd=self.folder, check=True)
        subprocess.run(["zip", "-q", "-P", "x", "half-password.zip", "secret.log"], cwd=self.folder, check=True)
        self.say("half-password.zip")
        for n in ("kern.log", "secret.log"):
            os.remove(self.path(n))
        self.overlapping()

    def overlapping(self):
        """2,000 entries of the directory that all are the same 4 MiB of zeros."""
        c = zlib.compressobj(9, zlib.DEFLATED, -15)
        zeros = b"0" * (4 << 20)
        body = c.compress(zeros) + c.flush()
        crc = zlib.crc32(zeros)
        x = zlib.crc32(XID)
        out = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 0, 0, 0, x, len(XID), len(XID), 8, 0) + b"kern.log" + XID
        at = len(out)
        out += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, crc, len(body), len(zeros), 4, 0) + b"zero" + body
        start = len(out)
        central = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 0, 0, 0, x, len(XID), len(XID), 8, 0, 0, 0, 0, 0, 0) + b"kern.log"
        for i in range(2000):
            central += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0, crc, len(body), len(zeros), 4, 0, 0, 0, 0, 0, at) + b"z%03d" % (i % 1000)
        end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 2001, 2001, len(central), start, 0)
        self.file("overlapping.zip", out + central + end, seconds=30)

    def nesting(self):
        """Every member holds two more: 2^n without a limit on depth."""
        data = XID
        for _ in range(14):
            raw = io.BytesIO()
            with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("a.zip", data)
                z.writestr("b.zip", data)
            data = raw.getvalue()
        with tarfile.open(self.path("nesting.tar"), "w") as t:
            self.add(t, "kern.log", XID)
            self.add(t, "bomb.zip", data)
        self.say("nesting.tar", 20)

    def many(self, n, name):
        header = tarfile.TarInfo("m")
        block = header.tobuf() * 1000
        with open(self.path(name), "wb") as f:
            with tarfile.open(fileobj=f, mode="w") as t:
                self.add(t, "kern.log", XID)
                for _ in range(n // 1000):
                    f.write(block)
        self.say(name, 120 if n > 100000 else 30, 700 if n > 100000 else 200)

    # ---- texts ----

    def text(self):
        self.file("overlong.log", XID + b"\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf\xfe\xff\xed\xa0\x80 text\n" * 2000)
        self.file("utf16-cut.log", "\ufeff".encode("utf-16-le") + XID.decode().encode("utf-16-le")[:-1])
        self.file("nul.log", XID + b"\0" * 100000 + b"\n" + XID)
        times = [b"Jan  1 00:00:00 1970", b"Dec 31 23:59:59 9999", b"Feb 30 25:61:61 2026", b"Jan  1 00:00:00 0000"]
        self.file("times.log", XID + b"".join(b"[%s] NVRM: Xid (PCI:0000:3b:00): 31, pid=1, x\n" % t for t in times * 50))
        back = b"".join(b"[%5d.000000] NVRM: Xid (PCI:0000:3b:00): 31, pid=%d, name=x, Ch 1\n" % (90000 - i, i) for i in range(5000))
        self.file("backwards.log", XID + back, seconds=20)
        self.file("uptime-overflow.log", XID + b"[99999999999999999999.999999] NVRM: Xid (PCI:ffff:ff:1f): 99999999999999999999, pid=-1, x\n" * 100)

    def parts(self):
        """So many outputs in one file that the memory for its parts ends in the middle."""
        table = open(os.path.join(os.path.dirname(__file__), "../../samples/xid-after-update/nvidia-smi.txt"), "rb").read()
        self.file("parts.log", XID + b"".join(b"$ nvidia-smi -i %d -f x%d\n%s\n" % (i, i, table) for i in range(3000)), seconds=20)

    def numbers(self):
        """Values that no column can hold, in every place that has one."""
        big = ["9" * 400, "1e999", "-1e999", "nan", "inf", "-9223372036854775808", "18446744073709551616", "0x" + "f" * 40, "", "[N/A]"]
        head = ("timestamp, index, uuid, pstate, clocks.sm [MHz], clocks.mem [MHz], power.draw [W], power.limit [W], temperature.gpu, "
                "utilization.gpu [%], memory.used [MiB], memory.total [MiB], fan.speed [%]\n")
        rows = [f"2026/01/13 10:00:{i % 60:02d}.000, {v}, GPU-{v}, P{v}, {v} MHz, {v} MHz, {v} W, {v} W, {v}, {v} %, {v} MiB, {v} MiB, {v} %\n"
                for i, v in enumerate(big * 20)]
        with tarfile.open(self.path("numbers.tar"), "w") as t:
            self.add(t, "kern.log", XID)
            self.add(t, "trace.csv", (head + "".join(rows)).encode())
            q = "==============NVSMI LOG==============\n\nDriver Version : {v}\nCUDA Version : {v}\nAttached GPUs : {v}\nGPU 00000000:3B:00.0\n    Product Name : {v}\n    Fan Speed : {v} %\n    Temperature\n        GPU Current Temp : {v} C\n    Clocks\n        SM : {v} MHz\n"
            self.add(t, "q.txt", "".join(q.format(v=v) for v in big).encode())
        self.say("numbers.tar", 20)

    def crowds(self, n, name):
        """n GPUs, and as many kinds of Xid."""
        with tarfile.open(self.path(name), "w") as t:
            self.add(t, "kern.log", XID)
            self.add(t, "xids.log", b"".join(b"[%8d.000001] NVRM: Xid (PCI:0000:3b:00): %d, pid=1, x\n" % (i, i) for i in range(n)))
            head = b"timestamp, index, uuid, clocks.sm [MHz], power.draw [W]\n"
            self.add(t, "trace.csv", head + b"".join(b"2026/01/13 10:00:00.000, %d, GPU-%08x-0000-0000-0000-000000000000, 1000 MHz, 100 W\n" % (i, i) for i in range(n)))
        self.say(name, 60 if n < 100000 else 600, 250 if n < 100000 else 1500)

    def injections(self):
        evil = "'); DROP TABLE finding;-- `touch pwned` $(touch pwned) <script>alert(1)</script> [x](javascript:alert(1)) |a|b| =1+1 \x1b[31m @here #1"
        with tarfile.open(self.path("injections.tar"), "w") as t:
            self.add(t, "kern.log", XID.replace(b"name=job", b"name=" + evil.encode()))
            self.add(t, "uname.txt", f"Linux {evil} 6.1.0 #1 SMP x86_64 GNU/Linux\n".encode())
            self.add(t, "l.txt", f"GPU 0: NVIDIA {evil} (UUID: GPU-{evil})\n".encode())
            self.add(t, "t.csv", f"timestamp, index, name, uuid, clocks.sm [MHz]\n2026/01/13 10:00:00.000, 0, {evil}, {evil}, 1 MHz\n".encode())
            self.add(t, "run.log", f"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {evil}\n".encode())
        self.say("injections.tar")

    def cut(self):
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as t:
            self.add(t, "kern.log", XID)
            self.add(t, "rest.log", os.urandom(60000))
        packed = gzip.compress(raw.getvalue())
        self.file("cut.tar.gz", packed[:len(packed) * 2 // 3])
        hurt = bytearray(packed)
        hurt[len(hurt) // 2] ^= 0xFF
        self.file("hurt.tar.gz", bytes(hurt))


def main():
    m = Maker(sys.argv[1])
    for make in (m.names, m.links, m.sizes, m.sparse, m.zips, m.nesting, m.text, m.parts, m.numbers, m.injections, m.cut):
        make()
    m.many(30000, "many.tar")
    m.crowds(20000, "crowds.tar")
    if "all" in sys.argv[2:]:
        m.many(10000000, "ten-million.tar")
        m.crowds(1000000, "crowd-of-a-million.tar")


if __name__ == "__main__":
    main()
