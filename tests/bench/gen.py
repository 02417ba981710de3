#!/usr/bin/env python3
"""Makes the inputs of `make bench`, seeded, phased like life: jobs of 5-40 minutes with
autocorrelated power, stretches at the limit, idle gaps, missing cells, one planted thermal episode."""
import gzip
import os
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




# ---- a bug report, small files, many bundles ----

def gpu_uuid(i):
    return "GPU-%08x-0000-4000-8000-%012x" % (0xa1000000 + i, i + 1)


def smi_q(gpus, when):
    """nvidia-smi -q, as far as most readers of it look."""
    out = ["\n==============NVSMI LOG==============\n", "Timestamp                                 : %s" % when,
           "Driver Version                            : 570.133.20", "CUDA Version                              : 12.8\n",
           "Attached GPUs                             : %d" % gpus]
    for i in range(gpus):
        out += ["GPU 00000000:%02X:00.0" % (0x10 + i), "    Product Name                          : NVIDIA A100-SXM4-80GB",
                "    Persistence Mode                      : Enabled", "    MIG Mode", "        Current                           : Disabled",
                "        Pending                           : Disabled", "    Serial Number                         : 13248210%05d" % i,
                "    GPU UUID                              : %s" % gpu_uuid(i), "    Minor Number                          : %d" % i,
                "    VBIOS Version                         : 92.00.45.00.03", "    PCI", "        Bus                               : 0x%02X" % (0x10 + i),
                "        Bus Id                            : 00000000:%02X:00.0" % (0x10 + i), "        GPU Link Info", "            PCIe Generation",
                "                Max                       : 4", "                Current                   : 4", "            Link Width",
                "                Max                       : 16x", "                Current                   : 16x", "    Performance State                     : P0",
                "    FB Memory Usage", "        Total                             : 81920 MiB", "        Used                              : 4 MiB",
                "    Utilization", "        Gpu                               : 0 %", "    ECC Mode", "        Current                           : Enabled",
                "    Temperature", "        GPU Current Temp                  : 34 C", "    GPU Power Readings", "        Power Draw                        : 62.10 W",
                "        Current Power Limit               : 400.00 W", "        Default Power Limit               : 400.00 W", ""]
    return "\n".join(out)


def klog_lines(rng, n, host, t=0.0, events=0):
    """n lines of a kernel log, of which so many, evenly spread, are Xids."""
    lines = []
    every = n // events if events else 0
    for i in range(n):
        t += rng.random() * 2
        if every and i % every == every // 2:
            m = EVENTS[0] % (0x10 + i // every % 8, 4000 + i)
        else:
            m = rng.choice(WORDS) % rng.randrange(1, 99999)
        lines.append("Jan 13 %02d:%02d:%02d %s kernel: [%12.6f] %s\n" % (int(t) // 3600 % 24, int(t) // 60 % 60, int(t) % 60, host, t, m))
    return "".join(lines)


RULE = "____________________________________________\n\n"


def bugreport(lines, out):
    """A report of some 5 MB: half of it kernel log, the rest what the script asks the machine for."""
    rng = random.Random(13)
    out.write(RULE + "Start of NVIDIA bug report log file.  Please include this file, along\nwith a detailed description of your problem, when reporting a graphics driver\n"
              "bug via the NVIDIA Linux forum (see forums.developer.nvidia.com)\n\nnvidia-bug-report.sh Version: 35120201\n\n"
              "Date: Wed Jan 14 10:00:00 UTC 2026\nuname: Linux node17 5.15.0-125-generic #135-Ubuntu SMP Fri Sep 27 13:53:58 UTC 2024 x86_64 x86_64 x86_64 GNU/Linux\ncommand line flags: \n\n")
    out.write(RULE + "*** /proc/driver/nvidia/./version\n*** ls: -r--r--r-- 1 root root 0 2026-01-14 10:00:00.000000000 +0000 /proc/driver/nvidia/./version\n"
              "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.133.20  Sun Mar 16 22:15:05 UTC 2025\nGCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)\n\n")
    for i in range(8):
        name = "/proc/driver/nvidia/./gpus/0000:%02x:00.0/information" % (0x10 + i)
        out.write(RULE + "*** %s\n*** ls: -r--r--r-- 1 root root 0 2026-01-14 10:00:00.000000000 +0000 %s\nModel: \t\t NVIDIA A100-SXM4-80GB\nIRQ:   \t\t %d\nGPU UUID: \t %s\n"
                  "Video BIOS: \t 92.00.45.00.03\nBus Type: \t PCIe\nBus Location: \t 0000:%02x:00.0\nDevice Minor: \t %d\n\n" % (name, name, 100 + i, gpu_uuid(i), 0x10 + i, i))
    out.write(RULE + "/usr/bin/nvidia-smi --query\n\n" + smi_q(8, "Wed Jan 14 10:00:01 2026") + "\n")
    out.write(RULE + "/bin/dmesg\n\n" + klog_lines(rng, lines, "node17", events=40).replace("Jan 13", "Jan 14") + "\n")
    for part in range(3):
        out.write(RULE + "*** /var/log/part%d.log\n*** ls: -rw-r--r-- 1 root root 1 2026-01-14 09:00:00.000000000 +0000 /var/log/part%d.log\n" % (part, part))
        for i in range(lines // 4):
            out.write("%d: setting %s of component %d is %x\n" % (i, rng.choice(("window", "cache", "queue", "scale")), rng.randrange(999), rng.getrandbits(48)))
    out.write(RULE + "End of NVIDIA bug report log file.\n")


def small(n, folder):
    """n small files: five of each of n / 5 machines; one machine in ten has had an Xid."""
    rng = random.Random(17)
    for h in range(n // 5):
        host = "node%03d" % h
        d = os.path.join(folder, host)
        os.makedirs(d)
        files = {"uname.txt": "Linux %s 5.15.0-125-generic #135-Ubuntu SMP Fri Sep 27 13:53:58 UTC 2024 x86_64 x86_64 x86_64 GNU/Linux\n" % host,
                 "nvidia-smi-q.txt": smi_q(2, "Wed Jan 14 10:00:01 2026"),
                 "dmesg.txt": klog_lines(rng, 40, host, events=1 if h % 10 == 3 else 0),
                 "version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.133.20  Sun Mar 16 22:15:05 UTC 2025\n",
                 "cmdline": "BOOT_IMAGE=/boot/vmlinuz-5.15.0-125-generic root=UUID=%08x-0000-4000-8000-0000000000aa ro quiet\n" % rng.getrandbits(32)}
        for name, text in files.items():
            with open(os.path.join(d, name), "w") as f:
                f.write(text)


def bundles(n, folder):
    """n bundles as they come from a fleet: a trace, a kernel log and an inventory each."""
    for b in range(n):
        rng = random.Random(1000 + b)
        d = os.path.join(folder, "case%03d" % b)
        os.makedirs(d)
        with open(os.path.join(d, "trace.csv"), "w") as f:
            trace(8000, f)
        with open(os.path.join(d, "dmesg.txt"), "w") as f:
            f.write(klog_lines(rng, 2000, "node%03d" % b, events=2))
        with open(os.path.join(d, "nvidia-smi-q.txt"), "w") as f:
            f.write(smi_q(8, "Tue Jan 13 10:00:01 2026"))


def main():
    kind, n, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if kind in ("small", "bundles"):
        {"small": small, "bundles": bundles}[kind](n, path)
        return
    opened = gzip.open(path, "wt", compresslevel=6) if kind.endswith(".gz") else open(path, "w")
    with opened as f:
        {"trace": trace, "klog": klog, "bugreport": bugreport}[kind.split(".")[0]](n, f)


if __name__ == "__main__":
    main()
