#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has clang-tidy 22 anything to say about changed files? A ctest test (`clang-tidy`).

    tools/lint.py [BUILD [FILE...]]    BUILD: folder with compile_commands.json (default: build)

Changed is what differs from the last commit, and commits that the branch's upstream does not have; or the files that are
named. A file takes seconds to half a minute, so that a clean checkout of what is published checks nothing. The checks are
those of .clang-tidy but for the analyzer's, which take minutes; what headers say is left to the files that they belong to.
"""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import tidy

SKIPPED = 77


def git(*arguments):
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", tidy.ROOT, *arguments], capture_output=True, text=True,
                          check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files():
    base = git("rev-parse", "--verify", "--quiet", "@{upstream}") or ["HEAD"]
    names = git("diff", "--name-only", base[0]) + git("ls-files", "--others", "--exclude-standard")
    return [name for name in dict.fromkeys(names) if name.endswith(".cpp") and os.path.isfile(os.path.join(tidy.ROOT, name))]


def findings(build, path):
    command = ["clang-tidy-22", "-p", build, "--quiet", "--checks=-clang-analyzer-*", "--warnings-as-errors=*", "--header-filter=^$", path]
    done = subprocess.run(command, cwd=tidy.ROOT, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr or f"{path}: clang-tidy failed\n") if done.returncode else ""


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(tidy.ROOT, "build"))
    paths = sys.argv[2:] or changed_files()
    if not shutil.which("clang-tidy-22") or not os.path.isfile(os.path.join(build, "compile_commands.json")):
        print("skipped: no clang-tidy-22, or no compile_commands.json")
        return SKIPPED
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        compiled = {os.path.realpath(os.path.join(entry["directory"], entry["file"])) for entry in json.load(file)}
    unknown = [path for path in paths if os.path.realpath(os.path.join(tidy.ROOT, path)) not in compiled]
    paths = [path for path in paths if path not in unknown]
    if unknown:
        print("not of this build: " + " ".join(unknown))
        if sys.argv[2:]:
            return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = [text for text in pool.map(lambda path: findings(build, path), paths) if text]
    print("".join(texts) + f"clang-tidy: {len(paths)} changed files, {len(texts)} with findings")
    return 1 if texts else 0


if __name__ == "__main__":
    sys.exit(main())
