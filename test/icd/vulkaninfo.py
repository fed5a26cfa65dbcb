#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vulkaninfo.py MANIFEST: the program vulkaninfo runs cleanly on the driver.

One device of each family at once. It must end well, say nothing on standard error, and show every
device with its target's name; with an X server, also what can be presented in its windows.
"""
import os
import subprocess
import sys
import tempfile

import xvfb

FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
# What vulkaninfo itself says on machines without a screen.
HARMLESS = ("'DISPLAY' environment variable not set... skipping surface info",)


def run(manifest, folder, display, *arguments):
    """(exit code, standard output, lines of standard error that are not harmless)."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("VK_", "KILN_")) and not name.endswith("DISPLAY")}
    environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest,
                       NODEVICE_SELECT="1", KILN_CACHE="off", KILN_DEVICES=",".join(FAMILIES),
                       XDG_RUNTIME_DIR=folder, **({"DISPLAY": display} if display else {}))
    done = subprocess.run(["vulkaninfo", *arguments], env=environment, cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    complaints = [line for line in done.stderr.split("\n") if line and line not in HARMLESS]
    return done.returncode, done.stdout, complaints


def main():
    manifest = os.path.abspath(sys.argv[1])
    failed = False
    server, screen = xvfb.start_server()
    with tempfile.TemporaryDirectory() as folder:
        for display, arguments in ((None, []), (None, ["--summary"]), (screen, [])):
            code, output, complaints = run(manifest, folder, display, *arguments)
            missing = [name for name in FAMILIES if f"Kiln {name} (software)" not in output]
            surfaces = output.partition("Presentable Surfaces:")[2]
            if display and not ("VK_KHR_xcb_surface" in surfaces and "VK_KHR_xlib_surface" in surfaces):
                missing.append("the surface")
            if code or complaints or missing:
                failed = True
                print(f"vulkaninfo {' '.join(arguments)}: exit code {code}, "
                      f"not shown: {' '.join(missing) or 'none'}")
                print("\n".join(complaints))
    server.terminate()
    server.wait()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
