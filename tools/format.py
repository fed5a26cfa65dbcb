#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every C++ file as clang-format 22 has it? A ctest test (`format`); `./kiln fmt` formats them."""
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
    command = ["clang-format-22", "--dry-run", "-Werror"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = list(pool.map(lambda batch: subprocess.call(command + batch, cwd=tidy.ROOT), batches))
    print(f"format: {len(paths)} files" + (", some to be formatted: ./kiln fmt" if any(codes) else ""))
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
