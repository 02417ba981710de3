"""Bundles of machines on which nothing is wrong: write(N, DIRECTORY) makes the Nth, always the same.

What is innocent about each is in its name. Models, driver branches, formats and what the GPUs do vary."""
import datetime
import os
import random

import machine as mc

SEED = 20260131
LOADS = ["idle", "busy", "capped", "jobs", "preallocated", "starved", "mig", "killed"]
MODES = ["persistence", "no-persistence"]


def _steps(m, load, n):
    """n seconds of what all GPUs do."""
    r, out = m.rng, []
    for t in range(n):
        if load in ("idle", "mig"):
            states = [m.idle(g) for g in m.gpus]
        elif load == "busy":
            states = [m.busy(g, share=0.78) for g in m.gpus]
        elif load == "capped":
            states = [m.capped(g) for g in m.gpus]
        elif load == "jobs":   # one that begins and ends within the trace
            states = [m.busy(g, share=0.7) if n // 4 <= t < 3 * n // 4 else m.idle(g) for g in m.gpus]
        elif load == "preallocated":   # a server that holds nearly all memory and waits for requests
            states = [m.busy(g, share=0.35 + 0.2 * r.random(), used=0.9, util=r.randrange(5, 60)) for g in m.gpus]
        elif load == "starved":  # waits for its input every few seconds
            states = [m.busy(g, share=0.5, util=r.randrange(85, 100) if t % 6 < 3 else r.randrange(0, 10)) for g in m.gpus]
        else:  # killed by its scheduler
            states = [m.busy(g, share=0.75) if t < n // 2 else m.idle(g) for g in m.gpus]
        if load == "mig":
            for s in states:
                s.util, s.used = None, int(m.model.mem_mib * 0.4)
                s.power += 60
                s.reasons = 0
        out.append(states)
    return out


def _processes(m, load):
    if load in ("idle", "mig"):
        return []
    name = "VLLM::EngineCore" if load == "preallocated" else "python3"
    used = m.busy(m.gpus[0], used=0.9 if load == "preallocated" else 0.6).used - 10
    return [(g.index, 20000 + 137 * g.index + m.rng.randrange(100), name, used) for g in m.gpus]


def _slurm(m, start):
    end = m.start + datetime.timedelta(seconds=90)
    return (f"slurmstepd: error: *** JOB 4711 ON {m.host} CANCELLED AT {end:%Y-%m-%dT%H:%M:%S} DUE TO TIME LIMIT ***\n"
            f"slurmstepd: error: *** STEP 4711.0 ON {m.host} CANCELLED AT {end:%Y-%m-%dT%H:%M:%S} DUE TO TIME LIMIT ***\n"
            "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n")


def _files(m, load, r):
    steps = _steps(m, load, 180)
    now = steps[60]
    busy = load not in ("idle", "mig")
    processes = _processes(m, load)
    files = {"nvidia-smi-L.txt": mc.smi_list(m)}
    optional = {
        "nvidia-smi.txt": lambda: mc.smi_table(m, now, processes),
        "nvidia-smi-q.txt": lambda: mc.smi_q(m, now),
        "trace.csv": lambda: mc.smi_trace(m, steps),
        "dmon.txt": lambda: mc.smi_dmon(m, steps[:60]),
        "pmon.txt": lambda: mc.smi_pmon(m, processes, 20),
        "lspci.txt": lambda: mc.lspci(m, busy),
        "metrics.prom": lambda: mc.prometheus(m, now),
        "version": lambda: mc.proc_version(m),
        "modinfo.txt": lambda: mc.modinfo(m),
        "cmdline.txt": lambda: f"BOOT_IMAGE=/vmlinuz-{m.kernel} root=UUID=5b0e2c1f-7c0a-4d4e-9a1b-0f3f2f6d7a11 ro iommu=pt\n",
    }
    for name, text in optional.items():
        if r.random() < 0.7:
            files[name] = text()
    kind = r.choice(["dmesg", "iso", "syslog", "none"])
    if kind == "dmesg":
        files["dmesg.txt"] = mc.dmesg(m)
    elif kind != "none":
        files["journal-k.txt" if kind == "iso" else "kern.log"] = mc.journal(m, iso=kind == "iso")
    if load == "killed":
        files["slurm-4711.out"] = _slurm(m, m.start)
    return files


def machine(n):
    """The Nth machine, what it does, and the generator that made it."""
    r = random.Random(SEED * 1000 + n)
    load = LOADS[n % len(LOADS)]
    model = r.choice([m for m in mc.MODELS if load != "mig" or m.mig])
    driver = r.choice([d for d in mc.DRIVERS if int(d[0].split(".")[0]) >= model.branch])
    start = datetime.datetime(2025, 10, 1) + datetime.timedelta(seconds=r.randrange(15_000_000))
    m = mc.make(r, model, driver, r.choice([1, 2, 4, 8]), f"node{n:03d}", start, uptime_h=r.randrange(30, 900),
                mig=load == "mig", persistence=model.datacenter or r.random() < 0.5)
    if load == "mig":
        m.profile = "1g.5gb" if model.mem_mib < 50000 else "1g.10gb"
    return m, load, r


def name(n):
    m, load, _ = machine(n)
    return f"{n:03d}-{load}-{len(m.gpus)}x{m.model.name.replace('NVIDIA ', '').replace(' ', '-')}-{m.major}"


def write(n, directory):
    m, load, r = machine(n)
    os.makedirs(directory)
    for path, text in _files(m, load, r).items():
        with open(os.path.join(directory, path), "w", encoding="utf-8") as f:
            f.write(text)
