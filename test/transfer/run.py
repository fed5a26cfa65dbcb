#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py KILN-TRANSFER MANIFEST FILE: transfers and YCbCr conversions on lavapipe, then on Kiln's driver, compared.

Each driver runs in a process of its own, chosen by VK_DRIVER_FILES. FILE keeps lavapipe's results.
"""
import glob
import os
import subprocess
import sys

FAMILIES = "gfx1010,gfx1030,gfx1100,gfx1150,gfx1201"


def run(program, manifest, *arguments):
    """Exit code of the program on that driver."""
    environment = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest,
                       VK_LOADER_LAYERS_DISABLE="~implicit~", KILN_DEVICES=FAMILIES)
    environment.setdefault("KILN_PARTS", "off")
    environment.setdefault("KILN_CACHE", "off")
    environment.setdefault("KILN_POISON", "1")
    return subprocess.run([program, *arguments], env=environment, check=False).returncode


def main():
    program, manifest, results = sys.argv[1:]
    lavapipe = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    if not lavapipe:
        sys.exit("no lavapipe (mesa-vulkan-drivers): run ./kiln setup")
    code = run(program, lavapipe[0], "write", results)
    sys.exit(code or run(program, manifest, "compare", results))


if __name__ == "__main__":
    main()
