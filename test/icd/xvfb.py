#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""xvfb.py COMMAND [ARGUMENTS]: runs a command with an X server of its own that shows on no screen.

The server chooses a free number for itself, so any number of these can run at once. The exit code is
that of the command.
"""
import os
import subprocess
import sys


def start_server():
    """(process, display) of a server that is ready."""
    ours, theirs = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x1024x24",
                               "-nolisten", "tcp", "-noreset"],
                              pass_fds=(theirs,), stderr=subprocess.DEVNULL)
    os.close(theirs)
    with os.fdopen(ours) as answer:
        number = answer.readline().strip()
    if not number:
        server.wait()
        sys.exit("xvfb.py: Xvfb does not start: run ./kiln setup")
    return server, ":" + number


def main():
    server, display = start_server()
    try:
        return subprocess.run(sys.argv[1:], env={**os.environ, "DISPLAY": display},
                              check=False).returncode
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
