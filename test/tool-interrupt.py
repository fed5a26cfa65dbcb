#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C leaves what is finished, and what takes long shows how far it is: tool-interrupt.py BIN WORK [CORPUS]

amdllpc compiles many files and gets SIGINT when the first code object is there: exit code 130, all files that are there
are whole, some are not there, and the table is about those that are. With a corpus kiln-replay prints its sums, and
kiln-bench, in each of its modes, what it has measured. On a terminal there is a bar, which goes away; elsewhere there are lines;
with --quiet nothing.
"""
import glob
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

FILES = 4000  # more than a fast machine compiles in six seconds
INTERRUPTED = 130
SHADER = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = sin(values[gl_GlobalInvocationID.x + FILEu]); }
"""


def interrupted(command, is_time):
    """(exit code, standard output, standard error) of a program that is interrupted when is_time() holds, with its children, as terminals do it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 120
    while process.poll() is None and not is_time() and time.monotonic() < end:
        time.sleep(0.02)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    return process.returncode, out, err


def on_terminal(command, seconds, wanted):
    """What a program writes to its standard error, a terminal, until that has what is wanted or time is up; and then, interrupted, to its end."""
    ours, its = os.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=its, start_new_session=True)
    os.close(its)
    text, end, is_interrupted = "", time.monotonic() + seconds, False
    while True:
        if not is_interrupted and process.poll() is None and (wanted in text or time.monotonic() > end):
            os.killpg(process.pid, signal.SIGINT)
            is_interrupted = True
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(ours, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            break
        text += part
    os.close(ours)
    process.wait(timeout=120)
    return text


def check_amdllpc(program, work):
    """What is wrong."""
    sources, results = os.path.join(work, "sources"), os.path.join(work, "results")
    for folder in (sources, results):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for i in range(FILES):
        with open(os.path.join(sources, f"s{i:04}.comp"), "w", encoding="utf-8") as file:
            file.write(SHADER.replace("FILE", str(i)))
    code, out, err = interrupted([program, "-j2", "-o", results + "/", sources], lambda: os.listdir(results))
    there = sorted(os.listdir(results))
    faults = []
    if code != INTERRUPTED or f"interrupted: {FILES - len(there)} of {FILES} inputs are not compiled" not in err:
        faults.append(f"amdllpc: {code}, {len(there)} results, {err[-200:]!r}")
    if not 0 < len(there) < FILES or there != [f"s{i:04}.comp.elf" for i in range(len(there))]:
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
    faults = []
    for mode, wanted in (([], " created, "), (["--caches"], ""), (["--libraries"], ""), (["--random-layouts=3"], " created, ")):
        start = time.monotonic()
        code, out, err = interrupted([program, "--icd=kiln", "--quiet", *mode, *[captures] * 8], lambda s=start: time.monotonic() - s > 1.5)
        if code != INTERRUPTED or wanted not in out:
            faults.append(f"kiln-replay {mode}: {code} {out[-200:]!r} {err[-200:]!r}")
    return faults


# What the modes of kiln-bench print in any case. The last three start other programs.
BENCHES = {"": " compute shaders, ", "--memory-compiles=100000": " compute shaders, ", "--graphics": " graphics pipelines, ",
           "--link": " linked from parts: ", "--reflect": " modules, ", "--scale": "growth", "--device": "software device, ", "--matrices": " compute shaders, ",
           "--pipelines": "", "--busy": "", "--caches": ""}


def check_bench(program, work, corpus):
    """What is wrong."""
    faults = []
    for mode, wanted in BENCHES.items():
        start = time.monotonic()
        command = [program, "--no-peer", f"--work={work}", f"--corpus={corpus}", "--rounds=1000", *mode.split()]
        code, out, err = interrupted(command, lambda s=start: time.monotonic() - s > 3)
        if code != INTERRUPTED or wanted not in out:
            faults.append(f"kiln-bench {mode}: {code} {out[-200:]!r} {err[-200:]!r}")
    # A source that was being compiled is not taken for a module the next time.
    if [name for name in os.listdir(work) if name.endswith(".spv") and os.path.getsize(os.path.join(work, name)) % 4]:
        faults.append("kiln-bench: a part of a module")
    return faults


def check_progress(command, program):
    """What is wrong."""
    bar = re.compile(r"^(\r\[[# ]{40}\] \d+/\d+ [a-z ]+)+\r\x1b\[K")
    faults = []
    shown = on_terminal(command, 60, "\r[")
    if not bar.search(shown):
        faults.append(f"{program}: no bar, or it stays: {shown[-200:]!r}")
    quiet = on_terminal([*command, "--quiet"], 4, "\r[")
    if "[" in quiet:
        faults.append(f"{program} --quiet: {quiet[-200:]!r}")
    start = time.monotonic()
    _, _, lines = interrupted(command, lambda: time.monotonic() - start > 6)
    if not re.search(rf"^{program}: \d+ of \d+ [a-z ]+, \d+ s$", lines, re.MULTILINE) or "\r" in lines:
        faults.append(f"{program}: no lines: {lines[-200:]!r}")
    return faults


def main():
    binaries, work = sys.argv[1:3]
    os.environ["KILN_CACHE"] = "off"  # what is there already takes no time
    tool = {name: os.path.join(binaries, name) for name in ("amdllpc", "kiln-replay", "kiln-bench")}
    faults = check_amdllpc(tool["amdllpc"], work)
    faults += check_progress([tool["amdllpc"], "-j1", "-o", os.path.join(work, "results"), os.path.join(work, "sources")], "amdllpc")
    if len(sys.argv) > 3 and os.path.isdir(sys.argv[3]):
        corpus = sys.argv[3]
        captures = os.path.join(corpus, "pipelines")
        faults += check_replay(tool["kiln-replay"], captures)
        faults += check_progress([tool["kiln-replay"], "--icd=kiln", "--caches", *[captures] * 4], "kiln-replay")
        bench = os.path.join(work, "bench")
        shutil.rmtree(bench, ignore_errors=True)
        faults += check_bench(tool["kiln-bench"], bench, corpus)
        faults += check_progress([tool["kiln-bench"], "--reflect", "--rounds=100000", f"--work={bench}", f"--corpus={corpus}"], "kiln-bench")
    print("\n".join(faults) or "what was finished is there")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
