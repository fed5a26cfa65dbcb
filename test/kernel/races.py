#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Data races: races.py --program kiln-cl --own FOLDER

Kernels of races.cl with and without what orders their accesses, with workgroups of several waves on every family, and of one:
`kiln-cl --data-races` must name the lines, or find nothing. Where Oclgrind is installed, it must find races in the same kernels.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

from run import FAMILIES, HERE, find_translator

LOCAL, GLOBAL = "barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_GLOBAL_MEM_FENCE)"
GROUPS, SIZES = 2, (8, 128)

# Kernel, what stands for BARRIER, bytes of the arguments per work-item (negative: of local memory in all), texts of the lines
# that race: pairs.
CASES = (
    ("neighbour", "", (4, -1024), (("tile[i] = i;", "(i + 1)"),)),
    ("neighbour", GLOBAL, (4, -1024), (("tile[i] = i;", "(i + 1)"),)),
    ("neighbour", LOCAL, (4, -1024), ()),
    ("neighbour", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", (4, -1024), ()),
    ("loop", "", (4, -1024), (("tile[i] = i + n", "sum += tile"),)),
    ("loop", LOCAL, (4, -1024), ()),
    ("in_global", "", (4, 4), (("own[i] = i;", "own[(i + 1)"),)),
    ("in_global", LOCAL, (4, 4), (("own[i] = i;", "own[(i + 1)"),)),
    ("in_global", GLOBAL, (4, 4), ()),
    ("groups", "", (4,), (("get_group_id(0); }", "get_group_id(0); }"),)),
    ("same_value", "", (4,), ()),
    ("other_value", "", (4,), (("out[0] = get_global_id", "out[0] = get_global_id"),)),
    ("atomics", "", (4,), ()),
    ("atomic_and_plain", "", (4, 4), (("atomic_add(sum, 1);", "= *sum;"),)),
    ("local_atomics", "", (4, -4), (("*sum = 0;", "atomic_add(sum, 1);"),)),
    ("local_atomics", LOCAL, (4, -4), ()),
    ("bytes", "", (1, 2), ()),
    ("overlap", "", (8,), (("vstore4", "vstore4"),)),
    ("uniform_read", "", (4, 4), ()),
    ("read_what_one_writes", "", (4, 4), (("in[0] = 1;", "= in[0];"),)),
    ("vectors", "", (16, -4096), (("tile[i] = (float4)", "tile[i ^ 1]"),)),
    ("vectors", LOCAL, (16, -4096), ()),
    ("own_cells", "", (4, -2048), ()),
)


def line_numbers(kernel, texts, source):
    """Lines of the kernel that have the texts."""
    begin = next(i for i, line in enumerate(source) if f"void {kernel}(" in line)
    return tuple(sorted(next(i + 1 for i in range(begin, len(source)) if text in source[i]) for text in texts))


def write_sim(path, kernel, size, arguments):
    lines = ["races.cl", kernel, f"{GROUPS * size} 1 1", f"{size} 1 1"]
    lines += [f"<size={a * GROUPS * size} fill=0 uchar>" if a > 0 else f"<size={-a}>" for a in arguments]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def run(*arguments, folder):
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def check(program, folder, case, size, source):
    kernel, barrier, arguments, races = case
    write_sim(os.path.join(folder, "race.sim"), kernel, size, arguments)
    expected = {line_numbers(kernel, texts, source) for texts in races}
    faults = 0
    for family in FAMILIES if size == SIZES[-1] else FAMILIES[::2]:
        done = run(program, "--data-races", f"--target={family}", "-D", f"BARRIER={barrier}", "race.sim", folder=folder)
        found = re.findall(r"data race in .*\n  races\.cl:(\d+): .*\n  races\.cl:(\d+): ", done.stderr)
        found = {tuple(sorted(map(int, pair))) for pair in found}
        if not find_translator(program):  # clang's own writer keeps no lines
            found = expected if ("data race in" in done.stderr) == bool(expected) else {}
        if found != expected or done.returncode != (1 if expected else 0):
            faults += 1
            print(f"FAIL {kernel} '{barrier}', {size} work-items, {family}: exit code {done.returncode}, expected {expected}\n"
                  f"{done.stderr}")
    if shutil.which("oclgrind-kernel"):
        done = run("oclgrind-kernel", "--data-races", "--build-options", f'-DBARRIER="{barrier}"', "race.sim", folder=folder)
        if ("data race" in done.stderr) != bool(expected):
            faults += 1
            print(f"FAIL {kernel} '{barrier}', {size} work-items: Oclgrind says\n{done.stderr}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    options = parser.parse_args()
    os.makedirs(options.own, exist_ok=True)
    shutil.copy(os.path.join(HERE, "races.cl"), options.own)
    with open(os.path.join(HERE, "races.cl"), encoding="utf-8") as file:
        source = file.read().split("\n")
    program = os.path.abspath(options.program)
    faults = sum(check(program, options.own, case, size, source) for case in CASES for size in SIZES)
    print(f"{len(CASES)} cases with workgroups of {SIZES} on {len(FAMILIES)} families: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
