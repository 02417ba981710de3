"""A made-up machine with GPUs, and the text that its tools print.

Everything follows from the numbers in Machine, so that sources of one bundle never contradict each other. Layouts
are those of nvidia-smi 470 to 580, the kernel, lspci, DCGM and its exporter."""
import datetime
import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Model:
    name: str
    lspci: str
    device: int
    arch: str
    mem_mib: int
    limit_w: int
    min_w: int
    max_mhz: int
    mem_mhz: int
    idle_w: int
    gts: int           # of its PCIe link
    datacenter: bool   # error correction, persistence
    idle_p8: bool      # falls to P8 and PCIe generation 1 at rest
    mig: bool
    nvlinks: int
    branch: int        # the first driver branch that knows it
    fan: bool = False


MODELS = [
    Model("NVIDIA A100-SXM4-40GB", "GA100 [A100 SXM4 40GB]", 0x20b0, "Ampere", 40960, 400, 100, 1410, 1215, 52, 16, True, False, True, 12, 470),
    Model("NVIDIA A100-SXM4-80GB", "GA100 [A100 SXM4 80GB]", 0x20b2, "Ampere", 81920, 400, 100, 1410, 1593, 60, 16, True, False, True, 12, 470),
    Model("NVIDIA A100 80GB PCIe", "GA100 [A100 PCIe 80GB]", 0x20b5, "Ampere", 81920, 300, 150, 1410, 1512, 45, 16, True, False, True, 0, 470),
    Model("NVIDIA H100 80GB HBM3", "GH100 [H100 SXM5 80GB]", 0x2330, "Hopper", 81559, 700, 200, 1980, 2619, 71, 32, True, False, True, 18, 525),
    Model("NVIDIA H100 PCIe", "GH100 [H100 PCIe]", 0x2331, "Hopper", 81559, 350, 200, 1755, 1593, 48, 32, True, False, True, 0, 525),
    Model("NVIDIA L40S", "AD102GL [L40S]", 0x26b9, "Ada Lovelace", 46068, 350, 100, 2520, 9001, 34, 16, True, True, False, 0, 535),
    Model("Tesla T4", "TU104GL [Tesla T4]", 0x1eb8, "Turing", 15360, 70, 60, 1590, 5001, 9, 8, True, True, False, 0, 470),
    Model("NVIDIA GeForce RTX 3090", "GA102 [GeForce RTX 3090]", 0x2204, "Ampere", 24576, 350, 100, 2100, 9751, 21, 16, False, True, False, 0, 470, True),
    Model("NVIDIA GeForce RTX 4090", "AD102 [GeForce RTX 4090]", 0x2684, "Ada Lovelace", 24564, 450, 10, 3105, 10501, 18, 16, False, True, False, 0, 525, True),
    Model("NVIDIA RTX A6000", "GA102GL [RTX A6000]", 0x2230, "Ampere", 49140, 300, 100, 2100, 8001, 17, 16, False, True, False, 0, 470, True),
]

# Version, the CUDA that nvidia-smi prints above its table, build date as the module says it.
DRIVERS = [
    ("470.256.02", "11.4", "Thu May  2 14:37:44 UTC 2024"),
    ("525.147.05", "12.0", "Wed Oct 25 20:27:35 UTC 2023"),
    ("535.183.01", "12.2", "Sun May 12 19:39:15 UTC 2024"),
    ("550.127.05", "12.4", "Tue Oct  8 03:22:07 UTC 2024"),
    ("560.35.03", "12.6", "Fri Aug 16 21:39:15 UTC 2024"),
    ("565.57.01", "12.7", "Thu Oct 10 12:29:05 UTC 2024"),
    ("570.133.20", "12.8", "Sun Mar 16 17:46:51 UTC 2025"),
    ("575.57.08", "12.9", "Sat May 24 06:33:55 UTC 2025"),
    ("580.95.05", "13.0", "Tue Sep 23 10:11:16 UTC 2025"),
]

IDLE, CAPPED = 0x1, 0x4


@dataclass
class Gpu:
    index: int
    bus: int
    uuid: str
    serial: str


@dataclass
class State:
    """What one GPU does at one moment. util None: not reported (MIG)."""
    util: int = 0
    mhz: int = 210
    mem_mhz: int = 405
    power: float = 0
    temp: int = 34
    used: int = 3
    pstate: int = 8
    reasons: int = IDLE


@dataclass
class Machine:
    host: str
    model: Model
    gpus: list
    driver: str
    cuda: str
    built: str
    kernel: str
    start: datetime.datetime   # of the trace, local time
    boot: datetime.datetime
    rng: random.Random
    mig: bool = False
    persistence: bool = True
    profile: str = "1g.10gb"
    facts: dict = field(default_factory=dict)  # of a tool's output, to be changed: see smi_q

    @property
    def major(self):
        return int(self.driver.split(".")[0])

    def idle(self, gpu):
        m, r = self.model, self.rng
        return State(0, 210 if m.idle_p8 else 345 if m.arch == "Hopper" else 210,
                     405 if m.idle_p8 else m.mem_mhz, m.idle_w + r.uniform(-1, 1), 31 + gpu.index % 4 + r.randrange(2),
                     3 if m.datacenter else 12, 8 if m.idle_p8 else 0, IDLE)

    def busy(self, gpu, share=0.8, used=0.6, util=None):
        """share: of the power limit. Not capped: the clock stays at the top."""
        m, r = self.model, self.rng
        return State(r.randrange(97, 101) if util is None else util, m.max_mhz - (150 if m.fan else 0), m.mem_mhz,
                     m.limit_w * share + r.uniform(-4, 4) * m.limit_w / 400, 58 + gpu.index % 3 + r.randrange(2),
                     int(m.mem_mib * used), 2 if m.fan else 0, 0)

    def capped(self, gpu):
        """At the default power limit, as any board is under a dense load."""
        s = self.busy(gpu)
        s.power = self.model.limit_w + self.rng.uniform(-1.2, 0.6)
        s.mhz = int(self.model.max_mhz * 0.82) // 15 * 15 + 15 * self.rng.randrange(2)
        s.reasons = CAPPED
        return s


def make(rng, model, driver, count, host, start, uptime_h=200, **more):
    bus0 = rng.choice([0x07, 0x17, 0x3b, 0x4b, 0x65, 0x81])
    step = rng.choice([1, 4, 8])
    gpus = [Gpu(i, bus0 + i * step, "GPU-%08x-%04x-%04x-%04x-%012x" % tuple(rng.getrandbits(b) for b in (32, 16, 16, 16, 48)),
                str(1_320_000_000_000 + rng.randrange(400_000_000_000))) for i in range(count)]
    kernel = rng.choice(["5.15.0-122-generic", "6.5.0-44-generic", "6.8.0-49-generic"])
    return Machine(host, model, gpus, *driver, kernel, start, start - datetime.timedelta(hours=uptime_h), rng, **more)


def na(value, known=True):
    return str(value) if known else "N/A"


# ---- nvidia-smi ----

def smi_list(m):
    out = []
    for g in m.gpus:
        out.append(f"GPU {g.index}: {m.model.name} (UUID: {g.uuid})")
        for i in range(2 if m.mig else 0):
            out.append(f"  MIG {m.profile}     Device  {i}: (UUID: MIG-%08x-%04x-5%03x-%04x-%012x)" % tuple(
                m.rng.getrandbits(b) for b in (32, 16, 12, 16, 48)))
    return "\n".join(out) + "\n"


def smi_table(m, states, processes=()):
    """processes: (GPU, pid, name, MiB)."""
    new, wide = m.major >= 535, m.major >= 545   # 535 made the columns wider, 545 the bus id
    a, b, c = 41 if new else 31, 24 if wide else 22, 22
    w = a + b + c + 2
    bar = "+" + "-" * a + "+" + "-" * b + "+" + "-" * c + "+"

    def row(left, middle, right):
        return f"|{left:<{a}}|{middle:>{b}}|{right:>{c}}|"

    gap = 13 if wide else 10 if new else 8
    out = [m.start.strftime("%a %b %e %H:%M:%S %Y").ljust(31), "+" + "-" * w + "+",
           f"| NVIDIA-SMI {m.driver}{' ' * gap}Driver Version: {m.driver}{' ' * (gap // 2)}CUDA Version: {m.cuda}".ljust(w + 1) + "|",
           bar.replace("+", "|", 1)[:-1] + "|",
           row(" GPU  Name                 Persistence-M" if new else " GPU  Name        Persistence-M",
               " Bus-Id          Disp.A " if wide else " Bus-Id        Disp.A ", " Volatile Uncorr. ECC "),
           row(" Fan  Temp   Perf          Pwr:Usage/Cap" if new else " Fan  Temp  Perf  Pwr:Usage/Cap",
               "Memory-Usage ", " GPU-Util  Compute M. "),
           row("", "", "MIG M. "), "|" + "=" * a + "+" + "=" * b + "+" + "=" * c + "|"]
    room = 25 if new else 18
    for g, s in zip(m.gpus, states):
        name = m.model.name if len(m.model.name) <= room else m.model.name[:room - 3] + "..."
        fan, ecc = "30%" if m.model.fan else "N/A", "On" if m.mig else "0" if m.model.datacenter else "N/A"
        power = f"{round(s.power)}W / {m.model.limit_w:4d}W "
        out += [row(f"{g.index:4d}  {name:<{room + 1}}{'On' if m.persistence else 'Off':>3} ", f"00000000:{g.bus:02X}:00.0 Off ", ecc + " "),
                row(f" {fan:>3} {s.temp:4d}C    P{s.pstate} {power:>{a - 16}}", f"{s.used}MiB / {m.model.mem_mib:6d}MiB ",
                    f"{'N/A' if s.util is None else str(s.util) + '%'}      Default "),
                row("", "", ("Enabled" if m.mig else "Disabled" if m.model.mig else "N/A") + " "), bar]
    out += [" " * (w + 2), "+" + "-" * w + "+", "| Processes:".ljust(w + 1) + "|",
            "|  GPU   GI   CI        PID   Type   Process name".ljust(w - 11) + " GPU Memory |",
            "|        ID   ID".ljust(w - 11) + " Usage      |", "|" + "=" * w + "|"]
    for index, pid, name, mib in processes:
        out.append(("|%5d   N/A  N/A %10d      C   %s" % (index, pid, name)).ljust(w - 12) + "%9dMiB |" % mib)
    if not processes:
        out.append("|  No running processes found".ljust(w + 1) + "|")
    return "\n".join(out + ["+" + "-" * w + "+"]) + "\n"


def rows(indent, pairs):
    return ["    " * indent + str(k).ljust(42 - 4 * indent) + (f": {v}" if v is not None else "") for k, v in pairs]


def _q_reasons(m, s):
    old, on = m.major < 535, lambda bit: "Active" if s.reasons & bit else "Not Active"
    return rows(1, [("Clocks Throttle Reasons" if old else "Clocks Event Reasons", None)]) + rows(2, [
        ("Idle", on(IDLE)), ("Applications Clocks Setting", on(2)), ("SW Power Cap", on(CAPPED)), ("HW Slowdown", on(8)),
        ("    HW Thermal Slowdown", on(0x40)), ("    HW Power Brake Slowdown", on(0x80)), ("Sync Boost", on(0x10)),
        ("SW Thermal Slowdown", on(0x20)), ("Display Clock Setting", on(0x100))])


def _q_pci(m, g, s):
    gen, now = {8: 3, 16: 4, 32: 5}[m.model.gts], {8: 3, 16: 4, 32: 5}[m.model.gts]
    if m.model.idle_p8 and s.pstate == 8:
        now = 1
    return rows(1, [("PCI", None)]) + rows(2, [
        ("Bus", f"0x{g.bus:02X}"), ("Device", "0x00"), ("Domain", "0x0000"), ("Device Id", f"0x{m.model.device:04X}10DE"),
        ("Bus Id", f"00000000:{g.bus:02X}:00.0"), ("Sub System Id", "0x146310DE"), ("GPU Link Info", None)]) + rows(3, [
            ("PCIe Generation", None)]) + rows(4, [("Max", gen), ("Current", now)]) + rows(3, [("Link Width", None)]) + rows(4, [
                ("Max", "16x"), ("Current", "16x")]) + rows(2, [
                    ("Replays Since Reset", 0), ("Replay Number Rollovers", 0), ("Tx Throughput", "420 KB/s"), ("Rx Throughput", "370 KB/s")])


def _q_memory(m, s):
    ecc = m.model.datacenter
    out = rows(1, [("FB Memory Usage", None)]) + rows(2, [
        ("Total", f"{m.model.mem_mib} MiB"), ("Reserved", "561 MiB"), ("Used", f"{s.used} MiB"),
        ("Free", f"{m.model.mem_mib - s.used - 561} MiB")])
    out += rows(1, [("Compute Mode", "Default"), ("Utilization", None)]) + rows(2, [
        ("Gpu", na(f"{s.util} %", s.util is not None)), ("Memory", na(f"{(s.util or 0) // 3} %", s.util is not None))])
    out += rows(1, [("ECC Mode" if m.major >= 535 else "Ecc Mode", None)]) + rows(2, [
        ("Current", na("Enabled", ecc)), ("Pending", na("Enabled", ecc))])
    out += rows(1, [("ECC Errors", None)])
    for kind in ("Volatile", "Aggregate"):
        out += rows(2, [(kind, None)]) + rows(3, [(k, na(0, ecc)) for k in (
            "SRAM Correctable", "SRAM Uncorrectable", "DRAM Correctable", "DRAM Uncorrectable")])
    out += rows(1, [("Retired Pages", None)]) + rows(2, [
        (k, na(v, m.model.arch == "Turing")) for k, v in (("Single Bit ECC", 0), ("Double Bit ECC", 0), ("Pending Page Blacklist", "No"))])
    if not ecc or m.model.arch == "Turing":
        return out + rows(1, [("Remapped Rows", "N/A")])
    return out + rows(1, [("Remapped Rows", None)]) + rows(2, [
        ("Correctable Error", 0), ("Uncorrectable Error", 0), ("Pending", "No"), ("Remapping Failure Occurred", "No"),
        ("Bank Remap Availability Histogram", None)]) + rows(3, [
            ("Max", "640 bank(s)"), ("High", "0 bank(s)"), ("Partial", "0 bank(s)"), ("Low", "0 bank(s)"), ("None", "0 bank(s)")])


def _q_power(m, s):
    w = m.model.limit_w
    if m.major < 535:
        return rows(1, [("Power Readings", None)]) + rows(2, [
            ("Power Management", "Supported"), ("Power Draw", f"{s.power:.2f} W"), ("Power Limit", f"{w:.2f} W"),
            ("Default Power Limit", f"{w:.2f} W"), ("Enforced Power Limit", f"{w:.2f} W"),
            ("Min Power Limit", f"{m.model.min_w:.2f} W"), ("Max Power Limit", f"{w:.2f} W")])
    return rows(1, [("GPU Power Readings", None)]) + rows(2, [
        ("Power Draw", f"{s.power:.2f} W"), ("Current Power Limit", f"{w:.2f} W"), ("Requested Power Limit", f"{w:.2f} W"),
        ("Default Power Limit", f"{w:.2f} W"), ("Min Power Limit", f"{m.model.min_w:.2f} W"), ("Max Power Limit", f"{w:.2f} W")])


def _q_thermal(m, s):
    margin = m.model.arch in ("Hopper", "Ada Lovelace") and m.major >= 535
    out = rows(1, [("Temperature", None)]) + rows(2, [("GPU Current Temp", f"{s.temp} C")])
    if margin:
        return out + rows(2, [("GPU T.Limit Temp", f"{87 - s.temp} C"), ("GPU Shutdown T.Limit Temp", "-8 C"),
                              ("GPU Slowdown T.Limit Temp", "-2 C"), ("GPU Max Operating T.Limit Temp", "0 C")])
    return out + rows(2, [("GPU Shutdown Temp", "92 C"), ("GPU Slowdown Temp", "89 C"), ("GPU Max Operating Temp", "85 C")])


def smi_q(m, states):
    out = ["", "==============NVSMI LOG==============", ""] + rows(0, [
        ("Timestamp", m.start.strftime("%a %b %e %H:%M:%S %Y")), ("Driver Version", m.driver), ("CUDA Version", m.cuda)])
    out += [""] + rows(0, [("Attached GPUs", len(m.gpus))])
    for g, s in zip(m.gpus, states):
        mode = na("Enabled" if m.mig else "Disabled", m.model.mig)
        out += [f"GPU 00000000:{g.bus:02X}:00.0"] + rows(1, [
            ("Product Name", m.model.name), ("Product Brand", "NVIDIA" if m.model.datacenter else "GeForce"),
            ("Product Architecture", m.model.arch), ("Display Mode", "Disabled"), ("Display Active", "Disabled"),
            ("Persistence Mode", "Enabled" if m.persistence else "Disabled"), ("MIG Mode", None)])
        out += rows(2, [("Current", mode), ("Pending", mode)]) + rows(1, [
            ("Accounting Mode", "Disabled"), ("Driver Model", None)]) + rows(2, [("Current", "N/A"), ("Pending", "N/A")])
        out += rows(1, [("Serial Number", na(g.serial, m.model.datacenter)), ("GPU UUID", g.uuid), ("Minor Number", g.index),
                        ("VBIOS Version", "96.00.5E.00.03"), ("MultiGPU Board", "No"),
                        ("GSP Firmware Version", na(m.driver, m.model.datacenter and m.major >= 525))])
        out += _q_pci(m, g, s) + rows(1, [("Fan Speed", na("30 %", m.model.fan)), ("Performance State", f"P{s.pstate}")])
        out += _q_reasons(m, s) + _q_memory(m, s) + _q_thermal(m, s) + _q_power(m, s)
        out += rows(1, [("Clocks", None)]) + rows(2, [
            ("Graphics", f"{s.mhz} MHz"), ("SM", f"{s.mhz} MHz"), ("Memory", f"{s.mem_mhz} MHz")])
        out += rows(1, [("Applications Clocks", None)]) + rows(2, [("Graphics", "N/A"), ("Memory", "N/A")])
        out += rows(1, [("Max Clocks", None)]) + rows(2, [
            ("Graphics", f"{m.model.max_mhz} MHz"), ("SM", f"{m.model.max_mhz} MHz"), ("Memory", f"{m.model.mem_mhz} MHz")])
        out += rows(1, [("Processes", "None")]) + [""]
    return "\n".join(out) + "\n"


TRACE = ("timestamp, index, uuid, pstate, clocks.current.sm [MHz], clocks.current.memory [MHz], power.draw [W], "
         "enforced.power.limit [W], temperature.gpu, utilization.gpu [%], memory.used [MiB], ")


def smi_trace(m, steps, limit=None, every=1):
    """steps: every so many seconds a list with the State of each GPU."""
    out = [TRACE + ("clocks_throttle_reasons.active" if m.major < 535 else "clocks_event_reasons.active")]
    for second, states in enumerate(steps):
        for g, s in zip(m.gpus, states):
            t = m.start + datetime.timedelta(seconds=second * every, milliseconds=40 + 4 * g.index)
            out.append(f"{t:%Y/%m/%d %H:%M:%S}.{t.microsecond // 1000:03d}, {g.index}, {g.uuid}, P{s.pstate}, {s.mhz} MHz, {s.mem_mhz} MHz, "
                       f"{s.power:.2f} W, {limit or m.model.limit_w:.2f} W, {s.temp}, " +
                       ("[N/A]" if s.util is None else f"{s.util} %") + f", {s.used} MiB, 0x{s.reasons:016x}")
    return "\n".join(out) + "\n"


def smi_dmon(m, steps):
    head = ["# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk",
            "# Idx      W      C      C      %      %      %      %    MHz    MHz"]
    out = []
    for n, states in enumerate(steps):
        out += head if n % 25 == 0 else []
        for g, s in zip(m.gpus, states):
            util = "-" if s.util is None else s.util
            out.append(f"{g.index:5d} {round(s.power):6d} {s.temp:6d} {'-':>6} {util:>6} {'-' if s.util is None else s.util // 3:>6} {0:6d} {0:6d} "
                       f"{s.mem_mhz:6d} {s.mhz:6d}")
    return "\n".join(out) + "\n"


def smi_pmon(m, processes, steps):
    """processes: (GPU, pid, name, MiB)."""
    out = []
    for n in range(steps):
        if n % 25 == 0:
            out += ["# gpu        pid  type    sm   mem   enc   dec   command",
                    "# Idx          #   C/G     %     %     %     %   name"]
        for g in m.gpus:
            mine = [p for p in processes if p[0] == g.index]
            for _, pid, name, _ in mine:
                out.append(f"{g.index:5d} {pid:10d}     C {m.rng.randrange(92, 99):5d} {31:5d}     -     -   {name}")
            if not mine:
                out.append(f"{g.index:5d} {'-':>10}     - {'-':>5} {'-':>5}     -     -   -")
    return "\n".join(out) + "\n"


# ---- the machine ----

def lspci(m, busy):
    """-vvv as root: each GPU behind its root port. A card that falls to generation 1 at rest does so here."""
    out = []
    gts = "2.5GT/s" if m.model.idle_p8 and not busy else f"{m.model.gts}GT/s"
    for i, g in enumerate(m.gpus):
        down = " (downgraded)" if gts == "2.5GT/s" else ""
        out += [f"00:{1 + i:02x}.0 PCI bridge: Intel Corporation Device 352a (rev 11) (prog-if 00 [Normal decode])",
                f"\tBus: primary=00, secondary={g.bus:02x}, subordinate={g.bus:02x}, sec-latency=0",
                "\tCapabilities: [40] Express (v2) Root Port (Slot+), MSI 00",
                "\t\tDevSta:\tCorrErr- NonFatalErr- FatalErr- UnsupReq- AuxPwr- TransPend-",
                "\t\tLnkCap:\tPort #2, Speed 32GT/s, Width x16, ASPM not supported",
                f"\t\tLnkSta:\tSpeed {gts}{down}, Width x16", "",
                f"{g.bus:02x}:00.0 3D controller: NVIDIA Corporation {m.model.lspci} (rev a1)",
                "\tSubsystem: NVIDIA Corporation Device 1463",
                "\tControl: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr+ Stepping- SERR+ FastB2B- DisINTx+",
                "\tCapabilities: [60] Express (v2) Endpoint, MSI 00",
                "\t\tDevSta:\tCorrErr- NonFatalErr- FatalErr- UnsupReq- AuxPwr- TransPend-",
                f"\t\tLnkCap:\tPort #0, Speed {m.model.gts}GT/s, Width x16, ASPM not supported",
                f"\t\tLnkSta:\tSpeed {gts}{down}, Width x16",
                f"\t\tLnkCtl2: Target Link Speed: {m.model.gts}GT/s, EnterCompliance- SpeedDis-",
                "\tCapabilities: [420 v2] Advanced Error Reporting",
                "\t\tUESta:\tDLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq- ACSViol-",
                "\t\tCESta:\tRxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr-",
                "\tKernel driver in use: nvidia", "\tKernel modules: nvidia_drm, nvidia", ""]
    return "\n".join(out) + "\n"


def klog(m):
    """Messages of a boot as (seconds since boot, text)."""
    cmdline = f"BOOT_IMAGE=/vmlinuz-{m.kernel} root=UUID=5b0e2c1f-7c0a-4d4e-9a1b-0f3f2f6d7a11 ro iommu=pt"
    out = [(0, f"Linux version {m.kernel} (buildd@lcy02-amd64-018) (x86_64-linux-gnu-gcc-12 12.3.0) #44-Ubuntu SMP PREEMPT_DYNAMIC"),
           (0, f"Command line: {cmdline}"), (0.000031, "SMBIOS 3.3.0 present."),
           (0.6, "iommu: Default domain type: Passthrough (set via kernel command line)")]
    t = 1.1
    for g in m.gpus:
        out.append((t, f"pci 0000:{g.bus:02x}:00.0: [10de:{m.model.device:04x}] type 00 class 0x030200"))
        t += 0.01
    rtc = m.boot + datetime.timedelta(seconds=2)
    out += [(t + 0.7, f"rtc_cmos 00:02: setting system clock to {rtc:%Y-%m-%dT%H:%M:%S} UTC ({int(rtc.replace(tzinfo=datetime.timezone.utc).timestamp())})"),
            (3.001442, f"systemd[1]: Hostname set to <{m.host}>."), (5.00122, "nvidia: loading out-of-tree module taints kernel."),
            (5.04022, "nvidia-nvlink: Nvlink Core is being initialized, major device number 236")]
    out += [(5.1 + i / 100, f"nvidia 0000:{g.bus:02x}:00.0: enabling device (0140 -> 0142)") for i, g in enumerate(m.gpus)]
    out += [(5.4, f"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  {m.driver}  {m.built}"),
            (9.87, "nvidia-uvm: Loaded the UVM driver, major device number 509."),
            (10.112, "bond0: (slave eth0): link status definitely up, 25000 Mbps full duplex"),
            (88211.402, "eth0: renamed from veth1c2a"), (90112.55, "docker0: port 1(veth77ab) entered forwarding state")]
    return out


def dmesg(m, more=()):
    return "".join(f"[{t:12.6f}] {text}\n" for t, text in sorted(klog(m) + list(more), key=lambda e: e[0]))


def journal(m, more=(), iso=True):
    """journalctl -k: -o short-iso, else as syslog has it, without a year."""
    out = []
    for t, text in sorted(klog(m) + list(more), key=lambda e: e[0]):
        at = m.boot + datetime.timedelta(seconds=t)
        stamp = f"{at:%Y-%m-%dT%H:%M:%S}+0000" if iso else f"{at:%b} {at.day:2d} {at:%H:%M:%S}"
        out.append(f"{stamp} {m.host} kernel: {text}\n")
    return "".join(out)


def proc_version(m):
    return f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {m.driver}  {m.built}\nGCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04) \n"


def modinfo(m):
    return (f"filename:       /lib/modules/{m.kernel}/updates/dkms/nvidia.ko\nalias:          char-major-195-*\nversion:        {m.driver}\n"
            "supported:      external\nlicense:        NVIDIA\nsrcversion:     1B2C4D5E6F708192A3B4C5D\nname:           nvidia\n"
            f"vermagic:       {m.kernel} SMP preempt mod_unload modversions \n")


def prometheus(m, states):
    """As dcgm-exporter serves it."""
    series = [("DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", lambda s: s.mhz),
              ("DCGM_FI_DEV_MEM_CLOCK", "Memory clock frequency (in MHz).", lambda s: s.mem_mhz),
              ("DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", lambda s: s.temp),
              ("DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", lambda s: f"{s.power:.6f}"),
              ("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "Total number of PCIe retries.", lambda s: 0),
              ("DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", lambda s: s.util),
              ("DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.", lambda s: 0),
              ("DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", lambda s: m.model.mem_mib - s.used),
              ("DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", lambda s: s.used)]
    out = []
    for name, text, value in series:
        out += [f"# HELP {name} {text}", f"# TYPE {name} gauge"]
        out += [f'{name}{{gpu="{g.index}",UUID="{g.uuid}",device="nvidia{g.index}",modelName="{m.model.name}",Hostname="{m.host}"}} {value(s)}'
                for g, s in zip(m.gpus, states) if value(s) is not None]
    return "\n".join(out) + "\n"
