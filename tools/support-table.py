#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the support table of README.md from the dispatch tables in llpc/translate.

    tools/support-table.py           rewrite what stands between the markers in README.md
    tools/support-table.py --check   exit code 1 if it would change anything

A row of the table is a source file, that is a class of the SPIR-V grammar. Its instructions are the
rows `valueOp(spv::Op::OpX, ...)`, `instOp(spv::Op::OpX, ...)` and, for extended sets,
`{number, "Name", ...}` of the file's dispatch tables. Targets come from pal_shim/abi/GpuTargets.def.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- support-table:begin -->", "<!-- support-table:end -->"
CORE_ROW = re.compile(r"\b(?:valueOp|instOp)\s*\(\s*spv::Op::(Op\w+)")
EXTENDED_ROW = re.compile(r"^\s*\{\s*(?:\d+|[\w:]+)\s*,\s*\"(\w+)\"\s*,", re.M)
# Only files with such a table have extended rows.
EXTENDED_TABLE = re.compile(r"\bExtEntry\b")
TARGET_ROW = re.compile(r"^KILN_GPU\((gfx\w+),", re.M)


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def instructions_by_class():
    """[(class, [instruction names without "Op"])], by class name."""
    folder = os.path.join("llpc", "translate")
    classes = []
    for name in sorted(os.listdir(os.path.join(ROOT, folder))):
        if not name.endswith((".cpp", ".inc", ".def")):
            continue
        text = read(folder, name)
        names = [op[2:] for op in CORE_ROW.findall(text)]
        if EXTENDED_TABLE.search(text):
            names += EXTENDED_ROW.findall(text)
        if names:
            classes.append((name.rsplit(".", 1)[0], sorted(set(names))))
    return classes


def table():
    classes = instructions_by_class()
    total = sum(len(names) for _, names in classes)
    lines = [f"Targets: {', '.join(TARGET_ROW.findall(read('pal_shim', 'abi', 'GpuTargets.def')))}.",
             "", f"SPIR-V instructions that are translated ({total}), by source file of `llpc/translate`:",
             "", "| Class | | Instructions |", "|---|---|---|"]
    lines += [f"| {name} | {len(names)} | {' '.join(names)} |" for name, names in classes]
    return "\n".join(lines)


def main():
    readme = read("README.md")
    if BEGIN not in readme or END not in readme:
        print(f"README.md has no {BEGIN} ... {END}")
        return 1
    head, rest = readme.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    updated = f"{head}{BEGIN}\n{table()}\n{END}{tail}"
    if "--check" in sys.argv[1:]:
        return 0 if updated == readme else 1
    with open(os.path.join(ROOT, "README.md"), "w", encoding="utf-8") as file:
        file.write(updated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
