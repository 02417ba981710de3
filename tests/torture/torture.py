#!/usr/bin/env python3
"""Makes everything fail that can: the n-th allocation, the n-th call of the kernel, the process itself.

    torture.py BUILD INJECT.so [--every N] [--kills N] [--seed N] [--only WORD]

Whatever fails, gpudx must end by itself with an exit status of its own and say why on stderr; each
output must be whole or absent, no unfinished file may be left (but by a kill, and the next run clears
that), and the input must be untouched. Prints "ok NAME" or "not ok NAME" for each of the tests.
--every 1 tries every n, --every 40 one of forty."""
import argparse
import gzip
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PART = ".gpudx-part"

# name: (arguments, files that it writes)
COMMANDS = {
    "analyze": (["analyze", "in"], ["in.gpudx.db", "in.gpudx.html"]),
    "analyze-json": (["analyze", "--format", "json", "-o", "-", "in"], []),
    "analyze-jobs": (["analyze", "--jobs", "2", "in", "more"],
                     ["in.gpudx.db", "in.gpudx.html", "more.gpudx.db", "more.gpudx.html"]),
    "sources": (["sources", "in"], []),
    "report": (["report", "--format", "html", "-o", "r.html", "case.db"], ["r.html"]),
    "report-redacted": (["report", "--redact", "--map", "key.map", "--format", "md", "-o", "r.md", "case.db"],
                        ["r.md", "key.map"]),
    "query": (["query", "case.db", "SELECT severity, summary FROM finding"], []),
    "compare": (["compare", "more", "case.db"], ["compare.gpudx.html"]),
    "ticket": (["ticket", "--map", "key.map", "in"], ["in.gpudx-ticket.tar.gz", "key.map"]),
}


def digest(path):
    h = hashlib.sha256()
    for folder, _, names in sorted(os.walk(path)):
        for n in sorted(names):
            p = os.path.join(folder, n)
            h.update(p.encode())
            h.update(open(p, "rb").read())
    return h.hexdigest()


def flaw(path):
    """Why an output is not whole, or None."""
    data = open(path, "rb").read()
    if path.endswith(".html"):
        return None if data.endswith(b"</html>\n") else "the page is cut"
    if path.endswith(".db"):
        said = subprocess.run(["sqlite3", path, "PRAGMA integrity_check; SELECT count(*) FROM verdict"],
                              capture_output=True, text=True).stdout.split()
        return None if said == ["ok", "1"] else f"the database is damaged or has no verdict: {said}"
    if path.endswith(".tar.gz"):
        try:
            with tarfile.open(path) as t:
                return None if any("TICKET.md" in n for n in t.getnames()) else "the ticket is empty"
        except (OSError, EOFError, tarfile.TarError) as e:
            return f"the ticket is cut: {e}"
    if path.endswith(".map"):
        return None if data.startswith(b"# gpudx") or b"\n" in data else "the map is empty"
    return None if data.endswith(b"\n") else "it is cut"


class Torture:
    def __init__(self, o):
        self.gpudx = os.path.abspath(os.path.join(o.build, "gpudx"))
        self.inject = os.path.abspath(o.inject)
        self.every, self.kills, self.only = o.every, o.kills, o.only
        self.random = random.Random(o.seed)
        self.failed = 0
        self.dir = tempfile.mkdtemp(prefix="gpudx-torture.")
        os.chdir(self.dir)
        self.env = dict(os.environ, GPUDX_GNUPLOT=os.path.join(self.dir, "gnuplot"), LC_ALL="C")
        self.env.pop("LD_PRELOAD", None)
        shutil.copy(os.path.join(TOP, "tests/fake-gnuplot"), "gnuplot")
        self.make_inputs()

    def make_inputs(self):
        samples = os.path.join(TOP, "samples")
        shutil.copytree(os.path.join(samples, "xid-after-update"), "in")
        with open(os.path.join(samples, "power-cap/trace.csv"), "rb") as f:
            packed = gzip.compress(f.read())
        with open("in/trace.csv.gz", "wb") as f:
            f.write(packed[:len(packed) // 2])
        with tarfile.open("in/old.tar.xz", "w:xz") as t:
            t.add(os.path.join(samples, "healthy/lspci.txt"), "lspci.txt")
        shutil.copytree(os.path.join(samples, "power-cap"), "more")
        self.run(["ticket", "--map", "key.map", "in"])
        shutil.copy("key.map", "key")
        self.run(["analyze", "-f", "in"])
        shutil.move("in.gpudx.db", "case.db")
        self.inputs = digest("in") + digest("more") + self.sum("case.db")
        self.clear(["in.gpudx.html", "in.gpudx-ticket.tar.gz"])

    @staticmethod
    def sum(path):
        return hashlib.sha256(open(path, "rb").read()).hexdigest()

    def run(self, args, before=(), **env):
        return subprocess.run([*before, self.gpudx, *args], env={**self.env, **env}, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120)

    def clear(self, outputs):
        for o in outputs:
            if os.path.exists(o):
                os.remove(o)
        for n in os.listdir("."):
            if n.endswith(PART):
                os.remove(n)
        if os.path.exists("key"):
            shutil.copy("key", "key.map")

    @staticmethod
    def pages(outputs):
        return [open(o, "rb").read() for o in outputs if o.endswith((".html", ".md")) and os.path.exists(o)]

    def leftovers(self):
        return [n for n in os.listdir(".") if n.endswith(PART)]

    def judge(self, outputs, rc, err, parts_may_stay=False):
        """What is wrong after a run that something happened to, or None."""
        if rc < 0 or rc > 5:
            return f"ended with status {rc}"
        if rc and b"gpudx:" not in err:
            return f"status {rc}, and not a word why"
        if self.leftovers() and not parts_may_stay:
            return f"left {self.leftovers()}"
        for o in outputs:
            if os.path.exists(o):
                why = flaw(o)
                if why:
                    return f"{o}: {why}"
            elif rc == 0:
                return f"status 0 without {o}"
        if digest("in") + digest("more") + self.sum("case.db") != self.inputs:
            return "the input was changed"
        return None

    def result(self, name, bad, tried, note=""):
        print(f"{'not ok' if bad else 'ok'} torture/{name}: {tried} tried{note}", flush=True)
        for line in bad[:12]:
            print(f"  {line}")
        self.failed += bool(bad)

    def wanted(self, kind):
        for name, (args, outputs) in COMMANDS.items():
            if not self.only or self.only in f"{kind}/{name}":
                yield name, args, outputs

    # ---- the n-th allocation ----

    def ways(self, args):
        """The first allocation by each way that leads to one, and how many there are in all."""
        sites = os.path.join(self.dir, "sites")
        self.run(args, LD_PRELOAD=self.inject, GPUDX_SITES=sites)
        lines = open(sites).read().split("\n")
        os.remove(sites)
        return [int(n) for n in lines if n.isdigit()], int(lines[-2].split()[1])

    def allocations(self):
        for name, args, outputs in self.wanted("alloc"):
            if "jobs" in name:
                continue  # every process counts for itself
            self.clear(outputs)
            whole = self.run(args)
            pages = self.pages(outputs)
            self.clear(outputs)
            ways, n = self.ways(args)
            bad, tried, did_without = [], 0, 0
            for mode in ("", "+"):
                for i in ways[self.random.randrange(min(self.every, len(ways)))::self.every]:
                    self.clear(outputs)
                    r = self.run(args, LD_PRELOAD=self.inject, GPUDX_FAIL=f"{i}{mode}")
                    why = self.judge(outputs, r.returncode, r.stderr)
                    if not why and r.returncode == 0:
                        did_without += 1
                        if r.stdout != whole.stdout:
                            why = "status 0, and something else was printed"
                        elif self.pages(outputs) != pages:
                            why = "status 0, and another page was written"
                    tried += 1
                    if why:
                        bad.append(f"allocation {i}{mode} of {n}: {why}: {r.stderr[:200].decode(errors='replace')}")
            self.clear(outputs)
            self.result(f"alloc/{name}", bad, tried,
                        f", {len(ways)} ways to {n} allocations, {did_without} times it did without")

    # ---- the n-th call of the kernel ----

    CALLS = [("write", "ENOSPC"), ("pwrite64", "ENOSPC"), ("read", "EIO"), ("pread64", "EIO"), ("openat", "EMFILE"),
             ("rename", "EIO"), ("fdatasync", "EIO"), ("fsync", "EIO"), ("clone3", "EAGAIN"), ("clone", "EAGAIN"),
             ("vfork", "EAGAIN"), ("pipe2", "EMFILE"), ("socketpair", "EMFILE"), ("mmap", "ENOMEM"),
             ("getdents64", "EIO"), ("newfstatat", "EIO"), ("lseek", "EIO"), ("poll", "EINTR"), ("sendto", "EPIPE"),
             ("recvfrom", "ECONNRESET"), ("getrandom", "EINTR"), ("read", "EINTR"), ("write", "EINTR"),
             ("wait4", "EINTR"), ("ftruncate", "EIO"), ("unlink", "EIO"), ("prctl", "EINVAL"),
             ("landlock_create_ruleset", "ENOSYS"), ("landlock_add_rule", "EINVAL"), ("memfd_create", "EMFILE")]

    def calls(self):
        if subprocess.run(["sh", "-c", "strace -qq -o /dev/null true"], capture_output=True).returncode:
            print("skip torture/calls: no strace")
            return
        for name, args, outputs in self.wanted("calls"):
            self.clear(outputs)
            # The stand-in for gnuplot is a shell that calls the kernel for every letter.
            plot = "/nonexistent"
            self.run(args, before=["strace", "-f", "-qq", "-o", "trace"], GPUDX_GNUPLOT=plot)
            counts, loader = {}, {}
            for line in open("trace", errors="replace"):
                pid, _, rest = line.partition(" ")
                call = rest.strip().split("(")[0]
                if not loader and "F_GETFD" in line:  # what main does first
                    loader = {c: max(n.values()) for c, n in counts.items()}
                counts.setdefault(call, {}).setdefault(pid, 0)
                counts[call][pid] += 1
            bad, tried = [], 0
            for call, error in self.CALLS:
                n = max(counts.get(call, {"": 0}).values())
                step = max(1, self.every // 4) if n > 8 else max(1, self.every // 20)
                for i in range(loader.get(call, 0) + 1 + self.random.randrange(step), n + 1, step):
                    self.clear(outputs)
                    r = self.run(args, before=["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                               f"inject={call}:error={error}:when={i}"], GPUDX_GNUPLOT=plot)
                    why = self.judge(outputs, r.returncode, r.stderr, call in ("unlink", "write"))
                    tried += 1
                    if why:
                        bad.append(f"{call} {i} of {n} fails with {error}: {why}: "
                                   f"{r.stderr[:200].decode(errors='replace')}")
            self.clear(outputs)
            self.result(f"calls/{name}", bad, tried)

    # ---- a kill at any moment ----

    def killed(self):
        for name, args, outputs in self.wanted("kill"):
            self.clear(outputs)
            began = time.monotonic()
            self.run(args)
            takes = time.monotonic() - began
            bad, caught = [], 0
            for i in range(self.kills):
                sig = signal.SIGKILL if i % 4 else signal.SIGTERM
                if i % 2:
                    self.clear(outputs)  # else: over what an earlier run wrote
                if sig == signal.SIGTERM:  # which clears up what is its own
                    for n in self.leftovers():
                        os.remove(n)
                p = subprocess.Popen([self.gpudx, *args], env=self.env, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
                time.sleep(self.random.uniform(0, takes * 1.05))
                p.send_signal(sig)
                rc = p.wait()
                caught += rc in (-signal.SIGKILL, 128 + signal.SIGTERM, -signal.SIGTERM)
                why = None
                if "jobs" in name:
                    time.sleep(0.05)  # its children notice
                for o in outputs:
                    if os.path.exists(o):
                        why = why or (flaw(o) and f"{o}: {flaw(o)}")
                if sig == signal.SIGTERM and self.leftovers() and "jobs" not in name:
                    why = why or f"left {self.leftovers()}"
                if digest("in") + digest("more") + self.sum("case.db") != self.inputs:
                    why = "the input was changed"
                if i % 20 == 19:  # and the next one clears up
                    r = self.run(args)
                    why = why or self.judge(outputs, r.returncode, r.stderr)
                if why:
                    bad.append(f"kill {i}: {why}")
            self.clear(outputs)
            self.result(f"kill/{name}", bad, self.kills, f", {caught} in time")

    def end(self):
        os.chdir("/")
        shutil.rmtree(self.dir)
        return 1 if self.failed else 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("build")
    a.add_argument("inject")
    a.add_argument("--every", type=int, default=1)
    a.add_argument("--kills", type=int, default=200)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--only", default="")
    t = Torture(a.parse_args())
    t.allocations()
    t.calls()
    t.killed()
    return t.end()


if __name__ == "__main__":
    sys.exit(main())
