#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every program says its version and how it is used: tool-help.py PROGRAM...

--version is one line, "NAME (Kiln VERSION, LLVM VERSION)". --help and -h begin with how the program is called, on standard
output, and have examples, whose options the text above explains. An option that nobody knows is exit code 1 or 2 and a
message, which names the program.
"""
import os
import re
import subprocess
import sys


def run(program, *arguments):
    """(exit code, standard output, standard error) of a program that has nothing to read."""
    done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def check_examples(name, text):
    """What is wrong with the examples of a help text."""
    before, mark, after = text.partition("\nExamples:\n")
    examples = re.match(r"(  .*\n?)*", after)[0]
    if not mark or not examples:
        return ["no examples"]
    lines = [line for line in examples.splitlines() if re.search(rf"\b{name} ", line)]
    faults = [] if lines else ["no example calls it"]
    for line in lines:
        # Of a pipe, the part that is the program's own.
        own = next(part for part in re.split(r" \| ", line) if part.strip().startswith(name))
        own = own.strip().split("  ")[0]
        for option in re.findall(r" --?([A-Za-z][\w-]*)", own):
            if not re.search(rf"-{re.escape(option)}\b|-{re.escape(option[0])}[ ,]", before):
                faults.append(f"an example has -{option}, which the help does not explain")
    return faults


def check(program):
    """What is wrong, a line each."""
    name = os.path.basename(program)
    faults = []
    code, out, err = run(program, "--version")
    if code or err or not re.fullmatch(rf"{name} \(Kiln [\d.]+, LLVM [\d.]+\)\n", out):
        faults.append(f"--version: {code} {out!r} {err!r}")
    for option in ("--help", "-h"):
        code, out, err = run(program, option)
        if code or err or not re.search(rf"^usage: {name}\b", out, re.I | re.M):
            faults.append(f"{option}: {code} {out[:80]!r} {err[:80]!r}")
        faults += check_examples(name, out)
    code, out, err = run(program, "--no-such-option")
    if code not in (1, 2) or name not in err:
        faults.append(f"--no-such-option: {code} {err[:80]!r}")
    return [f"{name}: {fault}" for fault in faults]


def main():
    programs = sys.argv[1:]
    faults = [fault for program in programs for fault in check(program)]
    print("\n".join(faults) or f"{len(programs)} programs")
    sys.exit(1 if faults or not programs else 0)


if __name__ == "__main__":
    main()
