#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every C++ file as clang-format 22 has it, also those that git does not know yet? A ctest test
(`format`). With `--fix` all of them are formatted; `./kiln fmt` says so."""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import tidy

SKIPPED = 77
BATCH = 50


def main():
    if not shutil.which("clang-format-22"):
        print("skipped: no clang-format-22")
        return SKIPPED
    paths = [path for path in tidy.tracked_files() if path.endswith(tidy.CODE)]
    batches = [paths[i:i + BATCH] for i in range(0, len(paths), BATCH)]
    fix = sys.argv[1:] == ["--fix"]
    command = ["clang-format-22", "-i"] if fix else ["clang-format-22", "--dry-run", "-Werror"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = list(pool.map(lambda batch: subprocess.call(command + batch, cwd=tidy.ROOT), batches))
    wrong = ", some could not be formatted" if fix else ", some to be formatted: ./kiln fmt"
    print(f"format: {len(paths)} files" + (wrong if any(codes) else ""))
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
