#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py --code DIR --counts DIR [--list]: has every instruction been executed?

Compares the instructions that the code objects of the corpus consist of (DIR/opcodes-*.txt, written
by test/corpus/run.py) with those that the execution tests executed (DIR/CHECK.txt, written by the
driver under KILN_OPCODE_COUNTS for the checks that run.py counts). An instruction is a mnemonic in
an encoding; targets are looked at one by one. What only one check draws with (OWN) that check must
execute: elsewhere nearly every instruction occurs in some other stage. The ctest test is
`opcode-coverage`, which runs last and is skipped when either side is missing.
"""
import argparse
import glob
import os
import sys

import run as exec_run

SKIPPED = 77
# Files of opcodes -> the check that has to execute them all.
OWN = {"opcodes-*-ngg-*.txt": "ngg", "opcodes-groups-mesh.txt": "pairs"}


def read(pattern):
    """{target: {(mnemonic, variant): count}} of all files."""
    counts = {}
    for path in sorted(glob.glob(pattern)):
        with open(path, encoding="utf-8") as file:
            for line in file:
                target, mnemonic, variant, count = line.split()
                row = counts.setdefault(target, {})
                row[mnemonic, variant] = row.get((mnemonic, variant), 0) + int(count)
    return counts


def name_lacking(headline, opcodes, done):
    """Prints the instructions that were not executed; how many those are."""
    lacking = sorted(key for key in opcodes if key not in done)
    print(headline.format(len(lacking)))
    for mnemonic, variant in lacking:
        print(f"  never executed: {mnemonic} ({variant}), {opcodes[mnemonic, variant]} times in code")
    return len(lacking)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--code", required=True, help="folder of opcodes-*.txt")
    parser.add_argument("--counts", required=True, help="folder of the execution counts")
    parser.add_argument("--list", action="store_true", help="print all counts")
    options = parser.parse_args()
    code = read(os.path.join(options.code, "opcodes-*.txt"))
    # What ./kiln diff once left is of no test.
    executed = {}
    for name in exec_run.FAMILIES + exec_run.COUNTED:
        for target, row in read(os.path.join(options.counts, name + ".txt")).items():
            executed.setdefault(target, {}).update(
                {key: count + executed.get(target, {}).get(key, 0) for key, count in row.items()})
    if not code or not executed:
        print("skipped: " + ("no code of the corpus" if not code else "no execution counts"))
        return SKIPPED
    missing = 0
    for pattern, check in OWN.items():
        own = read(os.path.join(options.counts, check + ".txt"))
        for target, opcodes in sorted(read(os.path.join(options.code, pattern)).items()):
            missing += name_lacking(f"{target}, {pattern}: {len(opcodes)} instructions, {{}} of them "
                                    f"never executed by '{check}'", opcodes, own.get(target, {}))
    for target, opcodes in sorted(code.items()):
        done = executed.get(target, {})
        missing += name_lacking(
            f"{target}: {len(opcodes)} instructions in corpus code, {{}} of them never executed; "
            f"{len(done)} executed in all, {sum(done.values())} times", opcodes, done)
        if options.list:
            for (mnemonic, variant), count in sorted(done.items()):
                print(f"  {mnemonic} ({variant}) {count}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
