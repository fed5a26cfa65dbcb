#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the generated parts of docs/support.md and README.md.

    tools/support-table.py [BIN]                rewrite what stands between the markers
    tools/support-table.py --table-only [BIN]   only the support table of docs/support.md
    tools/support-table.py --check [BIN]        exit code 1 if the support table would change, or
                                                names a test that does not exist, does not run, or
                                                does not check the message that the table promises,
                                                or a word of a row is in none of its tests that
                                                execute code
    tools/support-table.py --missing [BIN]      print what is NOT there: capabilities, instructions
                                and extended instructions of the SPIR-V grammar, device extensions
                                of vk.xml (--headers=DIR: of other headers than those of the build)

BIN is the folder with the built programs, build/bin when not given. The support table is what
the program `support-table` prints. The first look of README.md is what `amdllpc` prints for
examples/; it is written, but not checked: it shows times.
"""
import argparse
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(ROOT, "tools", "support-table"))
import missing  # noqa: E402
# Marker and document of each generated part.
TABLE, LOOK = ("support-table", "docs/support.md"), ("first-look", "README.md")
EXCERPT = 24  # lines of machine code


def run(program, *arguments):
    if not os.path.exists(program):
        sys.exit(f"{os.path.relpath(program)} is not there: ./kiln build first")
    return subprocess.run([program, *arguments], cwd=ROOT, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.rstrip("\n")


def updated(part, content):
    """Path and text of the document of `part`, and the text with `content` between its markers."""
    name, document = part
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
    path = os.path.join(ROOT, document)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if begin not in text or end not in text:
        sys.exit(f"{document} has no {begin.strip()} ... {end}")
    head, rest = text.split(begin, 1)
    return path, text, f"{head}{begin}{content}\n{end}{rest.split(end, 1)[1]}"


def write(part, content):
    path, _, text = updated(part, content)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def support_table(folder):
    """What the program prints, whose links begin at the root, for a document in docs/."""
    return run(os.path.join(folder, "support-table")).replace("](", "](../")


def runs(test, text):
    """Whether lit, kiln-exec, ctest or a GoogleTest program runs `test` of the content `text`."""
    if test.endswith("Test.cpp"):
        return "\nTEST" in text
    if test.startswith("test/exec/") and test.endswith(".py"):
        # test/exec/run.py takes these modules, those of random files by random_kinds.py.
        importing = f"import {os.path.splitext(os.path.basename(test))[0]}\n"
        for user in ("run.py", "random_kinds.py"):
            with open(os.path.join(ROOT, "test", "exec", user), encoding="utf-8") as file:
                if importing in file.read():
                    return True
        return False
    if test.endswith(".py"):
        with open(os.path.join(ROOT, "test", "CMakeLists.txt"), encoding="utf-8") as file:
            return test.removeprefix("test/") in file.read()
    if test.startswith("test/exec/scripts/") and test.endswith((".comp", ".rays", ".spvasm")):
        return "! expect" in text or "! compare" in text
    if test.startswith("test/exec/scripts/") and test.endswith(".draw"):
        # kiln-exec takes all files of that folder.
        return "\n[vert" in text or "\n[mesh" in text
    with open(os.path.join(ROOT, "test", "lit.cfg.py"), encoding="utf-8") as file:
        suffixes = next(line for line in file if line.startswith("config.suffixes"))
    return f'"{os.path.splitext(test)[1]}"' in suffixes and "RUN:" in text


def is_registered(name):
    """Whether test/exec has a test of ctest of this name."""
    with open(os.path.join(ROOT, "test", "exec", "CMakeLists.txt"), encoding="utf-8") as file:
        return f"add_test(NAME {name} " in file.read()


def executes(test):
    """Whether the table says of a test that it executes code and can be read (GraphicsTable.cpp)."""
    return test.startswith(("test/exec/", "test/api/", "icd_glue/wsi/"))


def word_errors(what, words, texts):
    """What is said to be executed must be mentioned by some test of TEXTS, which execute code."""
    if texts and "VK_" in what and not words:
        return [f"{what}: no words that show what its tests execute"]
    return [f"{what}: none of its tests that execute code mentions '{word}'"
            for word in words.split() if not any(word in text for text in texts)]


def test_errors(folder):
    """What is wrong with the tests that the table of graphics features names."""
    errors = []
    for line in run(os.path.join(folder, "support-table"), "--tests").split("\n"):
        tests, message, words, what = line.split("\t")
        texts, executed = "", []
        for test in tests.split():
            if "/" not in test:
                if not is_registered(test):
                    errors.append(f"{test}: ctest does not know it")
                continue
            path = os.path.join(ROOT, test)
            if not os.path.isfile(path):
                errors.append(f"{test}: no such file")
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            texts += text
            if executes(test):
                executed.append(text)
            if not runs(test, text):
                errors.append(f"{test}: nothing runs it")
        if not tests or message not in texts:
            errors.append(f"{tests or 'no test'}: does not check \"{message}\"")
        errors += word_errors(what, words, executed)
    return errors


def first_look(folder):
    amdllpc = os.path.join(folder, "amdllpc")
    examples = sorted(os.path.join("examples", name)
                      for name in os.listdir(os.path.join(ROOT, "examples")) if name.endswith(".comp"))
    table = run(amdllpc, *examples)
    code = [line for line in run(amdllpc, "-filetype=asm", "-o", "-", "examples/saxpy.comp").split("\n")
            if line.startswith("\t") and not line.startswith("\t.") and not line.startswith("\t;")]
    lines = [line.split(";")[0].rstrip().expandtabs(2) for line in code[:EXCERPT]]
    more = ["  ..."] if len(code) > EXCERPT else []
    graphics = run(amdllpc, "examples/triangle.pipe")
    return "\n".join(["```", "$ ./kiln compile examples/*.comp", table,
                      "$ ./kiln compile examples/triangle.pipe", graphics, "```", "",
                      "The machine code of `examples/saxpy.comp` for gfx1100 begins so:", "",
                      "```", *lines, *more, "```"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true")
    modes.add_argument("--table-only", action="store_true")
    modes.add_argument("--missing", action="store_true")
    parser.add_argument("--headers", default=missing.default_headers(), metavar="DIR",
                        help="of --missing: the folder with spirv/ and vulkan/, as KILN_HEADERS_DIR")
    parser.add_argument("bin", nargs="?", default=os.path.join(ROOT, "build", "bin"))
    options = parser.parse_args()
    folder = os.path.abspath(options.bin)
    if options.missing:
        print(missing.report(run(os.path.join(folder, "support-table")), options.headers))
        return 0
    if options.check:
        errors = test_errors(folder)
        missing.report(run(os.path.join(folder, "support-table")), options.headers)  # works, too
        _, text, wanted = updated(TABLE, support_table(folder))
        if text != wanted:
            errors.append(f"{TABLE[1]}: the support table is out of date: run tools/support-table.py --table-only")
        print(*errors, sep="\n", end="\n" if errors else "")
        return 1 if errors else 0
    write(TABLE, support_table(folder))
    if not options.table_only:
        write(LOOK, first_look(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
