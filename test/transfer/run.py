#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py KILN-TRANSFER MANIFEST FILE: transfers and YCbCr conversions on lavapipe, then on Kiln's driver at two levels of
optimisation, compared.

Each driver runs in a process of its own, chosen by VK_DRIVER_FILES. FILE keeps lavapipe's results.
"""
import glob
import os
import subprocess
import sys

FAMILIES = "gfx1010,gfx1030,gfx1100,gfx1150,gfx1201"


def run(program, manifest, *arguments, level="2"):
    """Exit code of the program on that driver."""
    environment = dict(os.environ, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest,
                       VK_LOADER_LAYERS_DISABLE="~implicit~", KILN_DEVICES=FAMILIES, KILN_OPT_LEVEL=level)
    environment.setdefault("KILN_PARTS", "off")
    environment.setdefault("KILN_CACHE", "off")
    environment.setdefault("KILN_POISON", "1")
    environment.setdefault("KILN_STRICT", "1")
    return subprocess.run([program, *arguments], env=environment, check=False).returncode


def main():
    program, manifest, results = sys.argv[1:]
    lavapipe = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    if not lavapipe:
        sys.exit("no lavapipe (mesa-vulkan-drivers): run ./kiln setup")
    code = run(program, lavapipe[0], "write", results)
    # Without optimisation the conversion has to find samplers by itself.
    for level in "20":
        code = code or run(program, manifest, "compare", results, level=level)
    sys.exit(code)


if __name__ == "__main__":
    main()
