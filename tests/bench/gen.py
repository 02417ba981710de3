#!/usr/bin/env python3
"""Makes the inputs of `make bench`, seeded, phased like life: jobs of 5-40 minutes with
autocorrelated power, stretches at the limit, idle gaps, missing cells, one planted thermal episode."""
import math
import random
import sys

GPUS = 8
HEAD = ("timestamp, index, uuid, name, pstate, clocks.current.sm [MHz], clocks.current.memory [MHz], "
        "power.draw [W], power.limit [W], temperature.gpu, utilization.gpu [%], utilization.memory [%], "
        "memory.used [MiB], memory.total [MiB], clocks_event_reasons.active\n")


def civil(sec):
    """Seconds since 2026-01-13 00:00:00 as nvidia-smi prints them."""
    day, s = divmod(sec, 86400)
    month, dom = 1, 13 + day
    for length in (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31):
        if dom <= length:
            break
        dom -= length
        month += 1
    return "2026/%02d/%02d %02d:%02d:%02d" % (month, dom, s // 3600, s // 60 % 60, s % 60)


class Gpu:
    """One A100 that runs jobs."""

    def __init__(self, rng, i):
        self.rng, self.i = rng, i
        self.uuid = "GPU-%08x-%04x-%04x-%04x-%012x" % (rng.getrandbits(32), rng.getrandbits(16), rng.getrandbits(16),
                                                       rng.getrandbits(16), rng.getrandbits(48))
        self.left, self.busy, self.target, self.capped = 0, False, 80.0, False
        self.power, self.temp, self.mem = 75.0, 38.0, 4

    def phase(self):
        r = self.rng
        self.busy = not self.busy
        if self.busy:
            self.left = r.randrange(300, 2400)
            self.capped = r.random() < 0.25
            self.target = r.uniform(250, 370)
            self.mem = r.randrange(20000, 79000)
        else:
            self.left = r.randrange(20, 400)
            self.capped, self.target, self.mem = False, r.uniform(62, 80), 4

    def row(self, sec, stamp):
        r = self.rng
        if self.left <= 0:
            self.phase()
        self.left -= 1
        reasons, sm, util, pstate = 0, 1410, 0, "P0"
        if self.busy:
            util = min(100, int(95 + r.gauss(0, 2)))
            if self.capped:
                self.power = 399.2 + r.random() * 1.6
                sm, reasons = 1140 + 15 * r.randrange(5), 4
            else:
                self.power += 0.2 * (self.target - self.power) + r.gauss(0, 4)
        else:
            self.power += 0.3 * (self.target - self.power) + r.gauss(0, 1)
            reasons = 1
            if self.left > 10:
                sm, pstate = 210, "P8"
        self.power = max(55.0, min(401.0, self.power))
        goal = 30 + self.power * 0.085
        if self.i == 5 and 40000 <= sec < 42400:  # the planted episode: its fan stops
            goal += 34
        self.temp += 0.02 * (goal - self.temp)
        if self.temp > 85 and self.busy:
            reasons |= 0x20
            sm = min(sm, 900)
        power = "[N/A]" if r.random() < 0.0002 else "%.2f W" % self.power
        return ("%s, %d, %s, NVIDIA A100-SXM4-80GB, %s, %d MHz, 1593 MHz, %s, 400.00 W, %d, %d %%, %d %%, %d MiB, 81920 MiB, 0x%016x\n"
                % (stamp, self.i, self.uuid, pstate, sm, power, round(self.temp), util, int(util * 0.6), self.mem, reasons))


def trace(rows, out):
    rng = random.Random(7)
    gpus = [Gpu(rng, i) for i in range(GPUS)]
    out.write(HEAD)
    for sec in range(rows // GPUS):
        ms = rng.randrange(900)
        stamp = civil(sec)
        out.write("".join(g.row(sec, "%s.%03d" % (stamp, ms + g.i * 4)) for g in gpus))


WORDS = ["usb 1-3: new high-speed USB device number %d using xhci_hcd", "eth0: link up, 25000 Mbps, full duplex, attempt %d",
         "EXT4-fs (nvme0n1p%d): mounted filesystem with ordered data mode. Quota mode: none.", "audit: type=1400 audit(1767000000.%d:12): apparmor=\"STATUS\" operation=\"profile_load\"",
         "systemd[1]: Started Session %d of user root.", "perf: interrupt took too long (%d > 2500), lowering kernel.perf_event_max_sample_rate to 79750",
         "nfsd: last server has exited, flushing export cache (%d)", "docker0: port 1(veth%x) entered blocking state", "TCP: request_sock_TCP: Possible SYN flooding on port %d. Sending cookies."]
EVENTS = ["NVRM: Xid (PCI:0000:%02x:00): 31, pid=%d, name=python3, Ch 00000018, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC2 GPCCLIENT_T1_13 faulted @ 0x6f17_04027000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE",
          "NVRM: Xid (PCI:0000:%02x:00): 13, pid=%d, name=train, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address"]


def klog(rows, out):
    rng = random.Random(11)
    t = 0.0
    for i in range(rows):
        t += rng.random() * 2
        if rng.random() < 0.001:
            m = rng.choice(EVENTS) % (0x10 + rng.randrange(8), rng.randrange(1000, 99999))
        else:
            m = rng.choice(WORDS) % rng.randrange(1, 99999)
        d, s = divmod(int(t), 86400)
        out.write("%s %2d %02d:%02d:%02d node17 kernel: [%12.6f] %s\n" % (("Jan", "Feb", "Mar")[min(2, d // 28)], d % 28 + 1, s // 3600, s // 60 % 60, s % 60, t, m))


if __name__ == "__main__":
    with open(sys.argv[3], "w") as f:
        {"trace": trace, "klog": klog}[sys.argv[1]](int(sys.argv[2]), f)
