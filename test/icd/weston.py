#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""weston.py COMMAND [ARGUMENTS]: runs a command with a Wayland compositor of its own that shows on no screen.

The compositor and its socket live in a folder of their own (XDG_RUNTIME_DIR), so any number of these can run at
once. There is no X server for the command. The exit code is that of the command.
"""
import os
import subprocess
import sys
import tempfile
import time

SOCKET = "wayland-kiln"
PATIENCE = 30  # seconds until the socket is there


def start_compositor(folder):
    """A process whose socket is there. The compositor itself draws nothing, and needs no driver."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "KILN_"))}
    environment["XDG_RUNTIME_DIR"] = folder
    with open(os.path.join(folder, "weston.log"), "wb") as log:
        server = subprocess.Popen(["weston", "--backend=headless-backend.so", f"--socket={SOCKET}", "--idle-time=0",
                                   "--width=1280", "--height=1024"], env=environment, stdout=log, stderr=log)
    end = time.monotonic() + PATIENCE
    while not os.path.exists(os.path.join(folder, SOCKET)):
        if server.poll() is not None or time.monotonic() > end:
            server.kill()
            sys.exit("weston.py: weston does not start")
        time.sleep(0.05)
    return server


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = start_compositor(folder)
        environment = {**os.environ, "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": SOCKET}
        environment.pop("DISPLAY", None)
        try:
            return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
