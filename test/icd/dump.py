#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dump.py MANIFEST BIN: KILN_DUMP_DIR writes pipelines that amdllpc understands.

Runs the programs mandelbrot and rays on the driver. The pipeline of each must appear as a .pipe file whose name
is the hash that amdllpc computes from the file's content: nothing was lost on the way.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

TARGET = "gfx1100"
PROGRAMS = (("mandelbrot", [], "compute"), ("rays", ["rays.png", "16", "16"], "rays"))


def main():
    for program in PROGRAMS:
        check(*program)


def check(program, arguments, kind):
    manifest, folder = (os.path.abspath(argument) for argument in sys.argv[1:3])
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("VK_", "KILN_"))}
    with tempfile.TemporaryDirectory() as work:
        dump = os.path.join(work, "dump")
        environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, KILN_DEVICES=TARGET,
                           NODEVICE_SELECT="1", KILN_CACHE="off", KILN_DUMP_DIR=dump)
        subprocess.run([os.path.join(folder, program), *arguments], env=environment, cwd=work, check=True)
        pipes = glob.glob(os.path.join(dump, f"{kind}_*.pipe"))
        if len(pipes) != 1:
            sys.exit(f"one .pipe file expected, found: {os.listdir(dump)}")
        report = json.loads(subprocess.run(
            [os.path.join(folder, "amdllpc"), f"-gfxip={TARGET}", "--format=json", pipes[0]],
            check=True, stdout=subprocess.PIPE).stdout)
        shader = report["shaders"][0]
        if shader["status"] != "ok" or shader.get("warnings"):
            sys.exit(f"not as it should be: {shader}")
        if f"{kind}_{shader['pipeline_hash']}.pipe" != os.path.basename(pipes[0]):
            sys.exit(f"the file describes another pipeline: {shader['pipeline_hash']}")


if __name__ == "__main__":
    main()
