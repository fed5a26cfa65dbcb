#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Live registers of reports against LLVM's own of the same machine code (LiveRegisters.cpp has the rules), for shaders of the examples
and the corpus; a ctest test (`report-live`).

    live.py --bin FOLDER --work FOLDER [--all]

A third of the shaders for each of two targets without --all, all of them for six with it.
"""
import argparse
import os
import shutil
import subprocess
import sys

from facts import corpus_inputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    targets = ("gfx1010,gfx1030,gfx1100,gfx1150,gfx1200,gfx1201" if options.all else "gfx1030,gfx1201")
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    for name, arguments in corpus_inputs().items():
        folder = os.path.join(options.work, name)
        os.makedirs(folder)
        subprocess.run([os.path.join(options.bin, "amdllpc"), f"-gfxip={targets}", "-emit-llvm", "-o", folder, *arguments],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(options.work) for name in names)
    if not options.all:
        files = files[::6] + files[3::6]  # both targets
    failed = subprocess.run([os.path.join(options.bin, "kiln-live-registers"), *files], check=False).returncode
    shutil.rmtree(options.work)
    return failed


sys.exit(main())
