#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do two builds of amdllpc make the same code? For changes that are to change none.

    tools/same-code.py BASE NEW [INPUT...]    BASE, NEW: the programs; exit code 1 if any code differs

Inputs are modules, shaders and .pipe files, or folders of them; without any: examples/, and what tests have made of the
corpus (build/test/corpus), if they have. Every input is compiled alone for every family to assembly, with its metadata;
hashes in it are left out, since they name formats of keys, not code. What BASE compiles, NEW must compile.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
ENDINGS = (".spv", ".spvasm", ".pipe", ".comp", ".vert", ".tesc", ".tese", ".geom", ".task", ".mesh", ".frag")
# "  .internal_pipeline_hash:" and the two numbers behind it; the same of shaders; "hash" in one line.
HASHES = re.compile(r"^\s*\S*hash:.*\n(?:^\s*- +0x[0-9a-f]+\n)*", re.M)


def inputs_of(arguments):
    found = []
    for path in arguments:
        if not os.path.isdir(path):
            found.append(path)
            continue
        for folder, _, names in os.walk(path):
            found += [os.path.join(folder, name) for name in names if name.endswith(ENDINGS)]
    return sorted(found)


def assembly(program, path, family, folder):
    """Text without hashes; None if it does not compile."""
    out = os.path.join(folder, f"{os.path.basename(path)}.{family}.s")
    done = subprocess.run([program, f"-gfxip={family}", "-separate", "-validate-spirv=0", "-filetype=asm", "-o", out, path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode or not os.path.isfile(out):
        return None
    with open(out, encoding="utf-8") as file:
        return HASHES.sub("", file.read())


def compare(programs, path, family):
    """None: the same, and compiled; else "" when BASE does not compile it, or what is wrong."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        base, new = (assembly(p, path, family, folder) for p, folder in zip(programs, (first, second)))
    if base is None:
        return ""
    if base == new:
        return None
    return "does not compile any more" if new is None else "other code"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    programs = [os.path.abspath(p) for p in sys.argv[1:3]]
    made = os.path.join(ROOT, "build", "test", "corpus")
    inputs = inputs_of(sys.argv[3:] or [os.path.join(ROOT, "examples")] + [made] * os.path.isdir(made))
    jobs = [(path, family) for path in inputs for family in FAMILIES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compare(programs, *job), jobs))
    for (path, family), wrong in zip(jobs, results):
        if wrong:
            print(f"{path} {family}: {wrong}")
    same, skipped = results.count(None), results.count("")
    different = len(jobs) - same - skipped
    print(f"{len(inputs)} inputs, {len(FAMILIES)} families: {same} the same, {different} different, {skipped} not compiled by the first")
    sys.exit(different > 0 or same == 0)


if __name__ == "__main__":
    main()
