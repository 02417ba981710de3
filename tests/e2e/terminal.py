#!/usr/bin/env python3
"""terminal.py [--pause SECONDS] COMMAND...: runs it on a terminal of 120 columns and prints all that it
writes there. With --pause it is stopped for so long while it works, as a slow disk would do."""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time


def run(argv, pause):
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp(argv[0], argv)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    if pause:
        time.sleep(0.05)
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
seconds = 0.0
if args[0] == "--pause":
    seconds = float(args[1])
    args = args[2:]
sys.exit(run(args, seconds) & 0xFF)
