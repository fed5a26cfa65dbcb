#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C leaves what is finished: tool-interrupt.py BIN WORK [CAPTURES]

amdllpc compiles many files and gets SIGINT when the first code object is there: exit code 130, all files that are there
are whole, some are not there, and the table is about those that are. kiln-replay, with captures, prints its sums.
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import time

FILES = 400
INTERRUPTED = 130
SHADER = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = sin(values[gl_GlobalInvocationID.x + FILEu]); }
"""


def interrupted(command, is_time):
    """(exit code, standard output, standard error) of a program that is interrupted when is_time() holds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while process.poll() is None and not is_time() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def check_amdllpc(program, work):
    """What is wrong."""
    sources, results = os.path.join(work, "sources"), os.path.join(work, "results")
    for folder in (sources, results):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for i in range(FILES):
        with open(os.path.join(sources, f"s{i:03}.comp"), "w", encoding="utf-8") as file:
            file.write(SHADER.replace("FILE", str(i)))
    code, out, err = interrupted([program, "-j2", "-o", results + "/", sources], lambda: os.listdir(results))
    there = sorted(os.listdir(results))
    faults = []
    if code != INTERRUPTED or f"interrupted: {FILES - len(there)} of {FILES} inputs are not compiled" not in err:
        faults.append(f"amdllpc: {code}, {len(there)} results, {err[-200:]!r}")
    if not 0 < len(there) < FILES or there != [f"s{i:03}.comp.elf" for i in range(len(there))]:
        faults.append(f"amdllpc: results {there[:3]} ... {len(there)}")
    if f"{len(there)} shader" not in out:
        faults.append(f"amdllpc: the table says {out[-120:]!r}")
    verify = subprocess.run([os.path.join(os.path.dirname(program), "pal-verify"), *glob.glob(results + "/*.elf")],
                            capture_output=True, text=True, check=False)
    if verify.returncode:
        faults.append(f"pal-verify: {verify.stdout[-200:]}{verify.stderr[-200:]}")
    return faults


def check_replay(program, captures):
    """What is wrong."""
    start = time.monotonic()
    code, out, err = interrupted([program, "--icd=kiln", "--quiet", captures], lambda: time.monotonic() - start > 1.5)
    return [] if code == INTERRUPTED and " created, " in out else [f"kiln-replay: {code} {out[-200:]!r} {err[-200:]!r}"]


def main():
    binaries, work = sys.argv[1:3]
    faults = check_amdllpc(os.path.join(binaries, "amdllpc"), work)
    if len(sys.argv) > 3 and os.path.isdir(sys.argv[3]):
        faults += check_replay(os.path.join(binaries, "kiln-replay"), sys.argv[3])
    print("\n".join(faults) or "what was finished is there")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
