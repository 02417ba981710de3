#!/usr/bin/env python3
"""within.py STATUSES SECONDS MIB COMMAND...: runs it, says its CPU time and peak memory, and fails where it takes
more or is killed; else ends with its status, and with 0 for one of STATUSES ("0,3"). The sanitizers need several
times as much, so of their builds only the end is awaited."""
import resource
import subprocess
import sys

allowed, seconds, mib, command = sys.argv[1].split(","), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
try:
    rc = subprocess.run(command, timeout=seconds * 20, check=False).returncode
except subprocess.TimeoutExpired:
    sys.exit(f"did not end within {seconds * 20:g} s")
u = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu, peak = u.ru_utime + u.ru_stime, u.ru_maxrss / 1024
print(f"{cpu:.2f} s, {peak:.0f} MiB, status {rc}")
if rc < 0:
    sys.exit(f"killed by signal {-rc}")
if "asan" not in command[0] and (cpu > seconds or peak > mib):
    sys.exit(f"more than {seconds:g} s or {mib:g} MiB")
sys.exit(0 if str(rc) in allowed else rc)
