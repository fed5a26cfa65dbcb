#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL kernels on the software device: run.py --program kiln-cl

Each FILE.sim runs on every family, with SPIR-V that clang writes and, where there is a program llvm-spirv, with its; what is
printed must be FILE.out, whose numbers follow from the kernel by formulas. Where Oclgrind is installed, it must print the same.
A first line "# --OPTION..." of a .sim file are options of kiln-cl. Then what must fail, with its message.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
# clang 22 writes no valid constant for the event that is none, and calls for to_global() and its like.
NEEDS_TRANSLATOR = ("copies-few.sim", "copies-many.sim", "generic.sim")

# Oclgrind 21.10 rounds negative numbers the other way, and saturates them as unsigned ones. Its files have no images, and it
# knows neither to_global() and its like nor OpenCL C 3.0.
NOT_OCLGRIND = ("conversions.sim", "images-lines.sim", "images-planes.sim", "generic.sim", "collectives-integers.sim",
                "collectives-floats.sim", "collectives-subgroups.sim", "copy-bytes.sim", "variables.sim")

# Kernel, the rest of the .sim file, what the message has, exit code.
FAILURES = (
    ("kernel void k(global int *a) { a[get_global_id(0) + 1] = 1; }", "4 1 1\n4 1 1\n<size=16 fill=0 int dump>",
     "write of 4 bytes", 1),
    ("kernel void k(global int *a) { a[0] = *(global int *)0; }", "1 1 1\n1 1 1\n<size=16 fill=0 int dump>",
     "read of 4 bytes", 1),
    ("int far(int); kernel void k(global int *a) { a[0] = far(1); }", "1 1 1\n1 1 1\n<size=4 fill=0 int>",
     "call of 'far' (%", 3),
    ("kernel void k(global float *a) { a[0] = tgamma(a[0]); }", "1 1 1\n1 1 1\n<size=4 fill=0>",
     "built-in library not found (tgamma)", 3),
    ("kernel void k(constant char *a) { printf(a); }", "1 1 1\n1 1 1\n<size=4 fill=0>", "a format that is no constant", 3),
    ("global char big[1 << 27]; kernel void k(global char *a) { a[0] = big[a[1]]; }", "1 1 1\n1 1 1\n<size=4 fill=0>",
     "variable of the program exceeds", 4),
    ("kernel void k(global int *a, local int *b) { b[a[1]] = 1; a[0] = b[0]; }", "1 1 1\n1 1 1\n<size=8 fill=0>\n<size=70000>",
     "): workgroup memory exceeds 65536 bytes", 4),
    ("kernel void k(read_only image2d_t a) { }", "1 1 1\n1 1 1\n<size=4>", "an image has image=", 1),
    ("kernel void k(global int *a) { a[0] = ; }", "1 1 1\n1 1 1\n<size=4 fill=0>", "expected expression", 1),
    ("kernel void other(global int *a) { }", "1 1 1\n1 1 1\n<size=4 fill=0>", "no kernel 'k'", 1),
    ("kernel void k(global int *a) { }", "5 1 1\n2 1 1\n<size=4 fill=0>", "is no multiple of the workgroup size", 1),
    ("kernel void k(global int *a) { }", "4 1 1\n2 1 1\n<size=8> 1", "the file ends where a number should be", 1),
    ("kernel void k(global int *a, int b) { }", "4 1 1\n2 1 1\n<size=8 fill=1>\n<size=8 fill=0>",
     "argument b: 8 bytes, the kernel takes 4", 1),
    ("kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global int *a) { }", "4 1 1\n2 1 1\n<size=8 fill=1>",
     "another workgroup size", 1),
)


def run(program, *arguments, folder=HERE):
    return subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300, check=False)


def find_translator(program):
    """llvm-spirv, of the search path or of ./kiln setup; None: there is none."""
    fetched = os.path.join(os.path.dirname(program), "../opencl/bin/llvm-spirv-22")
    return shutil.which("llvm-spirv-22") or shutil.which(fetched)


def check_file(program, sim):
    name = os.path.basename(sim)
    with open(sim[:-len("sim")] + "out", encoding="utf-8") as file:
        expected = file.read()
    with open(sim, encoding="utf-8") as file:
        first = file.readline()
        own = first[1:].split() if first.startswith("# --") else []
        is_text = (file.readline() if own else first).endswith(".cl\n")
    runs = []
    if is_text and name not in NOT_OCLGRIND and shutil.which("oclgrind-kernel"):
        runs.append(("Oclgrind", "oclgrind-kernel", ()))
    translators = [find_translator(program)] if is_text and find_translator(program) else []
    if name not in NEEDS_TRANSLATOR:
        translators.append("off")
    for family in FAMILIES:
        for translator in translators:
            runs.append((f"{family}, translator {os.path.basename(translator)}", program,
                         (f"--target={family}", f"--spirv-translator={translator}", *own)))
    faults = 0
    for what, by, options in runs:
        done = run(by, *options, name)
        if done.returncode or done.stdout != expected:
            faults += 1
            print(f"FAIL {name} ({what}): exit code {done.returncode}\n{done.stderr}{done.stdout}")
    return faults


def check_failure(program, folder, number, failure):
    kernel, launch, message, code = failure
    name = f"failure{number}"
    for suffix, text in (("cl", kernel + "\n"), ("sim", f"{name}.cl\nk\n{launch}\n")):
        with open(os.path.join(folder, f"{name}.{suffix}"), "w", encoding="utf-8") as file:
            file.write(text)
    done = run(program, "--cl-std=CL3.0", "--spirv-translator=off", "--opencl-library=off", f"{name}.sim", folder=folder)
    if done.returncode == code and message in done.stderr:
        return 0
    print(f"FAIL {kernel}: exit code {done.returncode}, expected {code} with '{message}'\n{done.stderr}")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    options = parser.parse_args()
    os.makedirs(options.own, exist_ok=True)
    program = os.path.abspath(options.program)
    files = sorted(glob.glob(os.path.join(HERE, "*.sim")))
    faults = sum(check_file(program, sim) for sim in files)
    for number, failure in enumerate(FAILURES):
        faults += check_failure(program, options.own, number, failure)
    print(f"{len(files)} kernels on {len(FAMILIES)} families, {len(FAILURES)} that must fail: {faults} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
