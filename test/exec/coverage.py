#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py --code DIR --counts DIR [--list]: has every instruction been executed?

Compares the instructions that the code objects of the corpus consist of (DIR/opcodes-*.txt, written
by test/corpus/run.py) with those that the execution tests executed (DIR/CHECK.txt, written by the
driver under KILN_OPCODE_COUNTS for the checks that run.py counts). An instruction is a mnemonic in
an encoding; targets are looked at one by one. The ctest test is `opcode-coverage`, which runs last
and is skipped when either side is missing.
"""
import argparse
import glob
import os
import sys

import run as exec_run

SKIPPED = 77


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
    for target, opcodes in sorted(code.items()):
        done = executed.get(target, {})
        lacking = sorted(key for key in opcodes if key not in done)
        missing += len(lacking)
        print(f"{target}: {len(opcodes)} instructions in corpus code, {len(lacking)} of them never "
              f"executed; {len(done)} executed in all, {sum(done.values())} times")
        for mnemonic, variant in lacking:
            print(f"  never executed: {mnemonic} ({variant}), {opcodes[mnemonic, variant]} times in code")
        if options.list:
            for (mnemonic, variant), count in sorted(done.items()):
                print(f"  {mnemonic} ({variant}) {count}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
