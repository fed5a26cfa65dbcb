# SPDX-License-Identifier: MIT
"""Results of another vendor's GPU (recorded/), for run.py.

They were written by kiln-exec scripts --record --recorded=FILE over the same files, which files() makes:

    python3 test/exec/recorded.py FOLDER
"""
import glob
import os
import sys

import random_kinds

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST_SEED, SEEDS = 100, 32  # of random pipelines


def files(folder):
    """Ray tracing pipelines: test files, and random ones that are written to the folder."""
    return sorted(glob.glob(os.path.join(HERE, "scripts", "rays", "*.rays"))
                  + random_kinds.write(folder, SEEDS, ["ray-pipelines"], FIRST_SEED))


def check_recorded(run, options):
    """Every family gives what those GPUs gave, within the tolerances of the files."""
    inputs = files(os.path.join(options.own, "scripts"))
    return [run.Driver(options, [family]).run("scripts", f"--recorded={results}", *inputs)
            for results in sorted(glob.glob(os.path.join(HERE, "recorded", "*.txt"))) for family in run.FAMILIES]


if __name__ == "__main__":
    print("\n".join(files(sys.argv[1])))
