#!/usr/bin/env python3
"""terminal.py [--pause SECONDS FILE] COMMAND...: runs it on a terminal of 120 columns and prints all that
it writes there. With --pause it is stopped for so long once it has FILE open, as a slow disk would do."""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time


def has_open(pid, path):
    folder = f"/proc/{pid}/fd"
    try:
        return any(os.readlink(os.path.join(folder, fd)) == path for fd in os.listdir(folder))
    except OSError:
        return False


def run(argv, pause, path):
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp(argv[0], argv)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    if pause:
        for _ in range(20000):
            if has_open(pid, path):
                break
            time.sleep(0.0005)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(pause)
        os.kill(pid, signal.SIGCONT)
    while True:
        try:
            got = os.read(fd, 65536)
        except OSError:
            break
        if not got:
            break
        os.write(1, got)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


args = sys.argv[1:]
seconds, awaited = 0.0, ""
if args[0] == "--pause":
    seconds, awaited = float(args[1]), os.path.realpath(args[2])
    args = args[3:]
sys.exit(run(args, seconds, awaited) & 0xFF)
