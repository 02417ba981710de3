"""Pairs of captures whose difference is known: python3 generate.py SCENARIO SEED DIR writes DIR/before,
DIR/after and DIR/truth.json. The same seed gives the same bytes.

A GPU under load wants so much power (a mean and a noise that remembers some seconds); the limit turns
what is beyond it into lower clocks, and so does heat. Clocks come in steps of 15 MHz, temperatures in
whole degrees, as the tools print them."""
import datetime
import json
import math
import os
import random
import sys

TOP_MHZ, STEP_MHZ, DEFAULT_W = 1410, 15, 400
IDLE_S, WARM_S = 60, 45
SUBSYSTEMS = ("ACPI", "PCI", "usb 1-1", "nvme nvme0", "e1000e", "EXT4-fs (sda1)", "systemd[1]", "audit", "random",
              "clocksource", "tsc", "cpuidle", "thermal", "i2c i2c-0", "ata1", "scsi host0", "NET", "TCP", "microcode")


class Noise:
    """A first-order autoregressive series of mean 0."""

    def __init__(self, rng, sigma, memory_s):
        self.rng, self.sigma = rng, sigma
        self.rho = math.exp(-1 / memory_s)
        self.x = rng.gauss(0, sigma)

    def next(self):
        self.x = self.rho * self.x + math.sqrt(1 - self.rho ** 2) * self.rng.gauss(0, self.sigma)
        return self.x


class Gpu:
    """What one GPU does on one side. want_w: power at top clock; heat: share of time in thermal slowdown."""

    def __init__(self, limit_w=400, want_w=360, clock_mhz=1380, temp_c=62, util=98, mem_mib=60000, heat=0.0):
        self.limit_w, self.want_w, self.clock_mhz, self.temp_c = limit_w, want_w, clock_mhz, temp_c
        self.util, self.mem_mib, self.heat = util, mem_mib, heat

    def steps(self, rng, seconds):
        clock, power = Noise(rng, 12, 8), Noise(rng, 9, 12)
        temp, util, hot = Noise(rng, 1.0, 30), Noise(rng, 1.5, 5), Noise(rng, 1, 20)
        hot_above = inverse_normal(1 - self.heat)
        for _ in range(seconds):
            mhz, want, reasons = self.clock_mhz + clock.next(), self.want_w + power.next(), 0
            if want > self.limit_w:
                mhz *= (self.limit_w / want) ** 0.4
                want, reasons = self.limit_w + rng.uniform(-1, 1), 4
            if hot.next() > hot_above:
                mhz, want, reasons = mhz * 0.7, want * 0.8, reasons | 0x20
            yield (min(TOP_MHZ, round(mhz / STEP_MHZ) * STEP_MHZ), want, self.temp_c + temp.next(),
                   max(0, min(100, round(self.util + util.next()))), self.mem_mib, reasons)


def inverse_normal(p):
    lo, hi = -9.0, 9.0
    for _ in range(60):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if 0.5 * math.erfc(-mid / math.sqrt(2)) < p else (lo, mid)
    return hi


def mid_median(values):
    """As gpudx means it: Ma, Genton and Parzen (2011)."""
    counts = {}
    for v in values:
        counts[v] = counts.get(v, 0) + 1
    n, below, last = len(values), 0, None
    for v in sorted(counts):
        at = below + counts[v] / 2
        if at >= n / 2:
            return v if last is None else last[1] + (v - last[1]) * (n / 2 - last[0]) / (at - last[0])
        below, last = below + counts[v], (at, v)
    return last[1]


def long_run(gpu):
    """The medians that this GPU has in the long run."""
    rng = random.Random("long run")
    rows = list(gpu.steps(rng, 200000))
    return {"sample.sm_clock_mhz": mid_median([r[0] for r in rows]),
            "sample.power_w": mid_median([round(r[1], 2) for r in rows]),
            "sample.temp_c": mid_median([round(r[2]) for r in rows])}


class Side:
    def __init__(self, gpus, driver="535.183.01", minutes=12, start="2026-01-06 10:00:00", persistence="Enabled",
                 errors_per_h=0.0, hours=0, torch="2.1.0", step_ms=0.0):
        self.gpus, self.driver, self.minutes, self.persistence = gpus, driver, minutes, persistence
        self.start = datetime.datetime.fromisoformat(start)
        self.errors_per_h, self.hours, self.torch, self.step_ms = errors_per_h, hours, torch, step_ms


def write_trace(side, rng, path):
    """Idle, then load whose temperature rises as metal does."""
    runs = [g.steps(rng, side.minutes * 60) for g in side.gpus]
    with open(path, "w") as out:
        out.write("timestamp, index, uuid, driver_version, clocks.current.sm [MHz], power.draw [W], "
                  "power.limit [W], temperature.gpu, utilization.gpu [%], memory.used [MiB], "
                  "clocks_event_reasons.active\n")
        for s in range(IDLE_S + side.minutes * 60):
            stamp = (side.start + datetime.timedelta(seconds=s)).strftime("%Y/%m/%d %H:%M:%S.000")
            for i, g in enumerate(side.gpus):
                if s < IDLE_S:
                    mhz, watt, temp, util, mem, reasons = 210, 60 + rng.random(), 35, 0, 500, 1
                else:
                    mhz, watt, temp, util, mem, reasons = next(runs[i])
                    temp -= (g.temp_c - 35) * math.exp(-(s - IDLE_S) / WARM_S)
                out.write(f"{stamp}, {i}, GPU-00000000-0000-0000-0000-{i:012d}, {side.driver}, {mhz} MHz, "
                          f"{watt:.2f} W, {g.limit_w:.2f} W, {round(temp)}, {util} %, {mem} MiB, "
                          f"0x{reasons:016x}\n")


def write_query(side, path):
    with open(path, "w") as out:
        out.write("\n==============NVSMI LOG==============\n\n"
                  f"Timestamp                                 : {side.start.strftime('%a %b %d %H:%M:%S %Y')}\n"
                  f"Driver Version                            : {side.driver}\n"
                  f"CUDA Version                              : {'12.2' if side.driver < '550' else '12.4'}\n\n"
                  f"Attached GPUs                             : {len(side.gpus)}\n")
        for i, g in enumerate(side.gpus):
            out.write(f"GPU 00000000:{7 + i:02X}:00.0\n"
                      "    Product Name                          : NVIDIA A100-SXM4-80GB\n"
                      f"    Persistence Mode                      : {side.persistence}\n"
                      f"    GPU UUID                              : GPU-00000000-0000-0000-0000-{i:012d}\n"
                      f"    Minor Number                          : {i}\n"
                      "    FB Memory Usage\n"
                      "        Total                             : 81920 MiB\n"
                      "    GPU Power Readings\n"
                      f"        Current Power Limit               : {g.limit_w:.2f} W\n"
                      f"        Default Power Limit               : {DEFAULT_W:.2f} W\n"
                      "        Min Power Limit                   : 100.00 W\n"
                      "        Max Power Limit                   : 400.00 W\n")


def write_journal(side, rng, path):
    """A whole journal of the time, its errors as a Poisson process."""
    end, t = side.hours * 3600.0, 0.0
    lines = [(0.0, "Linux version 5.15.0-91-generic (build@host) #101-Ubuntu SMP")]
    lines += [(1 + i / 10, f"{SUBSYSTEMS[i % len(SUBSYSTEMS)]}: step {i} of the boot is done") for i in range(60)]
    while side.errors_per_h > 0:
        t += rng.expovariate(side.errors_per_h / 3600)
        if t > end:
            break
        gpu = rng.randrange(len(side.gpus))
        lines.append((t, f"NVRM: Xid (PCI:0000:{7 + gpu:02x}:00): 31, pid={rng.randrange(1000, 60000)}, "
                         "name=python3, Ch 00000008, intr 10000000. MMU Fault: ENGINE GRAPHICS "
                         "GPCCLIENT_T1_0 faulted @ 0x7f3a_12345000. Fault is of type FAULT_PDE "
                         "ACCESS_TYPE_VIRT_READ"))
    lines.sort()
    lines.append((end, "usb 1-1: new high-speed USB device number 2 using xhci_hcd"))
    with open(path, "w") as out:
        for at, text in lines:
            stamp = (side.start + datetime.timedelta(seconds=at)).strftime("%Y-%m-%dT%H:%M:%S.%f")
            out.write(f"{stamp}+00:00 node17 kernel: {text}\n")


def write_steps(side, rng, path):
    step = Noise(rng, side.step_ms * 0.01, 10)
    with open(path, "w") as out:
        for n in range(1, 401):
            ms = side.step_ms + step.next()
            out.write(f" iteration {n:8d}/     400 | consumed samples: {n * 256:12d} | elapsed time per iteration (ms): "
                      f"{ms:.1f} | learning rate: 1.000000E-04 | global batch size:   256 | lm loss: 2.5E+00 | "
                      "loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |\n")


def write_side(side, rng, directory):
    os.makedirs(directory, exist_ok=True)
    write_trace(side, rng, os.path.join(directory, "trace.csv"))
    write_query(side, os.path.join(directory, "nvidia-smi-q.txt"))
    with open(os.path.join(directory, "pip-list.txt"), "w") as out:
        out.write(f"Package    Version\n---------- ---------\nnumpy      1.26.4\ntorch      {side.torch}\n")
    if side.hours:
        write_journal(side, rng, os.path.join(directory, "journal.txt"))
    if side.step_ms:
        write_steps(side, rng, os.path.join(directory, "train.log"))


NEW = dict(driver="550.127.05", start="2026-01-27 10:00:00")
LATER = dict(start="2026-01-27 10:00:00")


def scenarios():
    """Name -> sides before and after, and what is true of them."""
    gpu = Gpu
    return {
        "no-change": (Side([gpu(), gpu()], hours=200, errors_per_h=0.05),
                      Side([gpu(), gpu()], hours=200, errors_per_h=0.05, **LATER), {"clock": "same"}),
        "limit-lowered": (Side([gpu(), gpu()], step_ms=500), Side([gpu(limit_w=300)] * 2, step_ms=540, **NEW),
                          {"clock": "worse", "cause": "limit", "together": "driver"}),
        "thermal-one": (Side([gpu(), gpu(), gpu()], minutes=20),
                        Side([gpu(), gpu(temp_c=84, heat=0.85), gpu()], minutes=20, **LATER),
                        {"clock": "worse", "only": "GPU 1", "cause": "heat"}),
        "driver-effect": (Side([gpu()] * 2), Side([gpu(clock_mhz=1300)] * 2, **NEW),
                          {"clock": "worse", "cause": "driver"}),
        "driver-no-effect": (Side([gpu()] * 2), Side([gpu()] * 2, **NEW), {"clock": "same"}),
        "errors-20h": (Side([gpu()], hours=20, errors_per_h=0.05),
                       Side([gpu()], hours=20, errors_per_h=0.15, **NEW), {"errors": "nothing yet", "ratio": 3}),
        "errors-2000h": (Side([gpu()], hours=2000, errors_per_h=0.05),
                         Side([gpu()], hours=2000, errors_per_h=0.15, **NEW), {"errors": "rose", "ratio": 3}),
        "no-overlap": (Side([gpu()]), Side([gpu(util=35, mem_mib=20000, want_w=180)], **NEW),
                       {"comparable": False}),
        "two-causes": (Side([gpu()] * 2), Side([gpu(clock_mhz=1300)] * 2, torch="2.4.0", **NEW),
                       {"clock": "worse", "not_separable": ["driver", "PyTorch"]}),
        "cap-lost": (Side([gpu(limit_w=300) for _ in range(8)], minutes=8),
                     Side([gpu() if i != 5 else gpu(temp_c=85, heat=0.8) for i in range(8)], minutes=8, **LATER),
                     {"clock": "both", "better": 7, "only": "GPU 5", "lost": "power.limit_w"}),
    }


def write(name, seed, directory):
    before, after, truth = scenarios()[name]
    rng = random.Random(f"{name} {seed}")
    write_side(before, rng, os.path.join(directory, "before"))
    write_side(after, rng, os.path.join(directory, "after"))
    return truth


def main():
    name, seed, directory = sys.argv[1:4]
    truth = write(name, seed, directory)
    with open(os.path.join(directory, "truth.json"), "w") as out:
        json.dump(truth, out)


if __name__ == "__main__":
    main()
