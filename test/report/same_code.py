#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code with debug information is the code without, byte by byte, for examples and the shader corpus, both tiers; a ctest test
(`report-same-code`).

    same_code.py --bin FOLDER --work FOLDER

With it each has a line table. Not compared are LLVM's graphics pipelines, which are compiled in halves without and as a whole with it.
"""
import argparse
import os
import shutil
import struct
import subprocess
import sys

from facts import corpus_inputs

TARGETS = "gfx1010,gfx1100"


def sections(data):
    """Content by name."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    strings = headers[names][4]
    result = {}
    for name, _, _, _, offset, length in headers:
        end = data.index(b"\0", strings + name)
        result[data[strings + name:end].decode()] = data[offset:offset + length]
    return result


def compile_all(options, arguments, tier, more):
    """Sections of each code object, by its name."""
    folder = os.path.join(options.work, "out")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([os.path.join(options.bin, "amdllpc"), f"-gfxip={TARGETS}", f"-tier={tier}", *more, "-o", folder, *arguments],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    result = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            result[name] = sections(file.read())
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    count = failed = 0
    for tier in ("llvm", "direct"):
        for arguments in corpus_inputs().values():
            plain, debug = (compile_all(options, arguments, tier, more) for more in ([], ["-g"]))
            problems = [f"{name}: only with -g or only without" for name in plain.keys() ^ debug.keys()]
            for name in plain.keys() & debug.keys():
                count += 1
                is_whole = tier == "direct" or arguments[0] == "-separate" or ".comp." in name
                if is_whole and plain[name][".text"] != debug[name][".text"]:
                    problems.append(f"{name}: the code is another with -g")
                if any(section.startswith(".debug_") for section in plain[name]):
                    problems.append(f"{name}: debug information without -g")
                if not debug[name].get(".debug_line"):
                    problems.append(f"{name}: no line table with -g")
            for text in problems:
                print(f"{tier}: {text}")
            failed += len(problems)
    print(f"{count} code objects, {failed} problems")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
