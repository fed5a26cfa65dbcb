#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sourceHash.py OUT.inc NAMES ROOT FOLDER...: one number for all source files of the compiler and the driver.

Paths relative to ROOT and contents are hashed, not times, so that it is the same wherever the files lie. Tests and texts
are left out: they are in no program. NAMES is not looked at; it differs when there are other files, so that the build runs
this again when one goes, or comes with an old time.
"""
import hashlib
import os
import sys


def is_source(name):
    stem, ending = os.path.splitext(name)
    return not stem.endswith(("Test", "ForTest")) and ending not in (".md", ".pyc")


def main():
    out, _, root, *folders = sys.argv[1:]
    files = []
    for folder in folders:
        for place, _, names in os.walk(os.path.join(root, folder)):
            files += [os.path.join(place, name) for name in names if is_source(name)]
    digest = hashlib.sha256()
    for name, path in sorted((os.path.relpath(file, root).replace(os.sep, "/"), file) for file in files):
        with open(path, "rb") as file:
            content = file.read()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    with open(out, "w", encoding="ascii") as file:
        file.write(f'constexpr char sourceHash[] = "{digest.hexdigest()}";\n')


if __name__ == "__main__":
    main()
