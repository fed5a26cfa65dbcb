#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's OpenCL kernels on the software device: debian.py --program kiln-cl --own FOLDER [--root FOLDER] [--families NAMES] [FILE.sim...]

Each file debian/FILE.sim names its program as PACKAGE/PATH, in the folder where corpus.py finds that package's kernels; a first
line "# OPTION..." are options of kiln-cl and of Oclgrind, behind those that hashcat gives all of its programs. What is printed must be debian/FILE.out, which Oclgrind has printed
(--record: does so again); lines in another order count as the same, because Oclgrind runs one work-item after the other, the
device all of a wave in step. Blanks at the ends of lines do not count. Without translator, package, or the built-in library that
it needs, a file is skipped.
"""
import argparse
import collections
import glob
import os
import sys

import corpus
from run import FAMILIES, find_translator

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "debian")


def localized(sim, root, own):
    """(path of a copy with the program's own path, options), or (None, why not)"""
    with open(sim, encoding="utf-8") as file:
        lines = file.read().splitlines()
    options = lines.pop(0)[1:].split() if lines[0].startswith("#") else []
    package, path = lines[0].split("/", 1)
    folder = corpus.find_folder(package, root)
    if not folder:
        return None, f"{package} is not installed"
    if package == "hashcat-data":
        of_all = [option.format(folder=folder) for option in corpus.HASHCAT]
        options = [word for option in of_all for word in (option[:2], option[2:])] + options
    made = os.path.join(own, os.path.basename(sim))
    with open(made, "w", encoding="utf-8") as file:
        file.write("\n".join([os.path.join(folder, path), *lines[1:], ""]))
    return made, options


def lines_of(text):
    return [line.rstrip() for line in text.splitlines()]


def record(sim, copy, options):
    # Without optimisation, which makes intrinsics of rotations that Oclgrind does not know.
    done = corpus.run(["oclgrind-kernel", "--build-options", " ".join(["-cl-opt-disable", *options]), copy])
    wrong = [line for line in done.stderr.splitlines() if line.strip() and "warning" not in line]
    if done.returncode or wrong:
        print(f"FAIL {os.path.basename(sim)}: Oclgrind ended with {done.returncode}: {' '.join(wrong[:3])}")
        return 1
    with open(sim[:-len("sim")] + "out", "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines_of(done.stdout)))
    return 0


def check(sim, copy, options, arguments, translator):
    """Number of families that print something else; None: there is no library."""
    with open(sim[:-len("sim")] + "out", encoding="utf-8") as file:
        expected = file.read()
    faults = 0
    for family in arguments.families.split(","):
        done = corpus.run([arguments.program, f"--target={family}", f"--spirv-translator={translator}", *options, copy])
        if done.returncode and "built-in library not found" in done.stderr:
            return None
        if done.returncode or sorted(lines_of(done.stdout)) != sorted(lines_of(expected)):
            faults += 1
            print(f"FAIL {os.path.basename(sim)} on {family}: exit code {done.returncode}\n{done.stderr}{done.stdout[:2000]}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    parser.add_argument("--root", help="a folder of unpacked packages, each in a folder of its name")
    parser.add_argument("--translator", help="the program llvm-spirv")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--record", action="store_true", help="write what Oclgrind prints")
    parser.add_argument("names", nargs="*", metavar="FILE.sim", help="files of debian/ (default: all)")
    arguments = parser.parse_args()
    arguments.program = os.path.abspath(arguments.program)
    translator = arguments.translator or find_translator(arguments.program)
    if not translator and not arguments.record:
        print("skipped: no program llvm-spirv (--translator)")
        return 0
    os.makedirs(arguments.own, exist_ok=True)
    faults, ran, skipped = 0, 0, collections.Counter()
    names = sorted(arguments.names or glob.glob("*.sim", root_dir=HERE))
    for sim in (os.path.join(HERE, os.path.basename(name)) for name in names):
        copy, options = localized(sim, arguments.root, arguments.own)
        if not copy:
            skipped[options] += 1
            continue
        found = record(sim, copy, options) if arguments.record else check(sim, copy, options, arguments, translator)
        if found is None:
            skipped["no built-in library"] += 1
            continue
        ran += 1
        faults += found
    for why, count in skipped.items():
        print(f"{count} files skipped: {why} (--root is a folder of unpacked packages)")
    print(f"{ran} kernels on {arguments.families}: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
