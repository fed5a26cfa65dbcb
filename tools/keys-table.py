#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/keys.md from llpc/context/KeyFields.def.

    tools/keys-table.py            rewrite what stands between the markers
    tools/keys-table.py --check    exit code 1 if that would change something, if the document names
                                   a test that does not exist, or if one of the ten reasons why
                                   earlier attempts missed has no row or no test
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIELDS = os.path.join(ROOT, "llpc", "context", "KeyFields.def")
DOCUMENT = os.path.join(ROOT, "docs", "keys.md")
BEGIN, END = "<!-- keys:begin -->\n", "<!-- keys:end -->"
REASONS_BEGIN, REASONS_END = "<!-- reasons:begin -->", "<!-- reasons:end -->"
REASONS = 10  # rows of the table at the end
HEAD = ("| Field | pipelineHash | cacheHash | compute part | pre-raster part | fragment part "
        "| vertex fetch | colour export | Why |\n|---|---|---|---|---|---|---|---|---|\n")
WORDS = {"Y": "yes", "N": "no", "C": "where used", "E": "error", "X": "–"}
OWNERS = {"COMMON": "PipelineBuildInfo", "SHADER": "PipelineShaderInfo",
          "GRAPHICS": "GraphicsPipelineBuildInfo"}


def string(text):
    """The value of adjacent C string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))


def rows():
    with open(FIELDS, encoding="utf-8") as file:
        text = re.sub(r"^\s*(//|#).*$", "", file.read(), flags=re.M)
    pattern = re.compile(r'KEY_(COMMON|SHADER|GRAPHICS)\(\s*("[^"]*"),(.*?),\s*'
                         + r"([YNCEX]),\s*" * 7 + r'("(?:[^"]|"\s*")*")\s*\)', re.S)
    found = pattern.findall(text)
    if len(found) != len(re.findall(r"^KEY_", text, flags=re.M)):
        sys.exit(f"{FIELDS}: a row does not have the expected form")
    for owner, field, _, *cells, why in found:
        yield owner, string(field), cells, string(why)


def table():
    result, last = "", None
    for owner, field, cells, why in rows():
        if owner != last:
            result += f"\n### {OWNERS[owner]}\n\n{HEAD}"
            last = owner
        name, _, note = field.partition(", ")
        name = f"`{name}`" + (f", {note}" if note else "")
        result += f"| {name} | {' | '.join(WORDS[cell] for cell in cells)} | {why} |\n"
    return result


def sources(folders, end):
    """The text of all files below folders whose names end so."""
    text = ""
    for folder in folders:
        for path, _, files in os.walk(os.path.join(ROOT, folder)):
            for file in files:
                if file.endswith(end):
                    with open(os.path.join(path, file), encoding="utf-8") as source:
                        text += source.read()
    return text


def missing_tests(text):
    """Names `Suite.Test` in the document that no source file has."""
    tests = sources(("lgc", "llpc", "pal_shim", "icd_glue", "tools", "test"), "Test.cpp")
    return [f"{suite}.{test}" for suite, test in re.findall(r"`(\w+)\.([A-Z]\w+)`", text)
            if not re.search(rf"TEST(_[FP])?\(\s*{suite},\s*{test}\)", tests)]


def wrong_reasons(text):
    """What is wrong with the table of reasons."""
    lists = sources(("test", "tools"), "CMakeLists.txt")
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", text, flags=re.M)
    if [number for number, _ in rows] != [str(number + 1) for number in range(REASONS)]:
        yield f"there are not {REASONS} rows"
    for number, tests in rows:
        names = re.findall(r"`([^`]+)`", tests)
        if not names:
            yield f"row {number} names no test"
        for name in names:
            known = (f"NAME {name}\n", f"NAME {name} ")
            is_fuzz = name.startswith("fuzz-") and os.path.isdir(
                os.path.join(ROOT, "test", "fuzz", name.removeprefix("fuzz-")))
            if "." not in name and not is_fuzz and not any(text in lists for text in known):
                yield f"row {number}: no ctest {name}"


def main():
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    if BEGIN not in text or END not in text:
        sys.exit(f"{DOCUMENT} has no {BEGIN.strip()} ... {END}")
    head, rest = text.split(BEGIN, 1)
    new = f"{head}{BEGIN}{table()}\n{END}{rest.split(END, 1)[1]}"
    if sys.argv[1:] != ["--check"]:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(new)
        return
    if new != text:
        sys.exit("docs/keys.md is not what llpc/context/KeyFields.def says: run tools/keys-table.py")
    if missing := missing_tests(text):
        sys.exit("docs/keys.md names tests that do not exist: " + ", ".join(missing))
    reasons = text.partition(REASONS_BEGIN)[2].partition(REASONS_END)[0]
    if wrong := list(wrong_reasons(reasons)):
        sys.exit("docs/keys.md, earlier attempts: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
