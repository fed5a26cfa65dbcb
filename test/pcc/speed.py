#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""speed.py --bin FOLDER [--pipelines N] [--rounds N] [--memory N]: how fast kiln-pcc compiles small
pipelines with one thread and with two, in turn, so that the ratio holds although the machine's speed
drifts. Where other programs run, the time of the busiest thread says more. --memory: resident memory of a run over so many (10000 with no number said)."""
import argparse
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import small  # pylint: disable=wrong-import-position
import support  # pylint: disable=wrong-import-position


def fill(folder, count):
    support.copy_shaders(folder)
    for name, text in small.texts(count):
        support.write(os.path.join(folder, name), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--pipelines", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", type=int, nargs="?", const=10000, default=0)
    options = parser.parse_args()
    support.use(options.bin)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        fill(folder, options.pipelines)
        cache = os.path.join(out, "cache")
        walls = {1: [], 2: []}
        threads = {1: [], 2: []}
        for _ in range(options.rounds):
            for jobs, times in walls.items():
                wall, busiest, _ = small.measured(folder, cache, f"-j{jobs}")
                times.append(wall)
                threads[jobs].append(busiest)
        print(f"kiln-pcc: {options.pipelines} small pipelines, gfx1100, median of {options.rounds}")
        for jobs, times in walls.items():
            wall, busiest = statistics.median(times), statistics.median(threads[jobs])
            print(f"  {jobs} thread{'s' if jobs > 1 else ' '} {options.pipelines / wall:8.0f} pipelines/s "
                  f"{wall:7.2f} s, busiest thread {busiest:.2f} s")
        # In pairs: both of a round had the same machine.
        ratios = [statistics.median(one / two for one, two in zip(of[1], of[2])) for of in (walls, threads)]
        print("  two threads are {:.2f} times as fast as one, {:.2f} by the busiest thread".format(*ratios))
        if options.memory:
            fill(folder, options.memory)
            wall, _, memory = small.measured(folder, cache, "-j2")
            print(f"  {options.memory} pipelines: {wall:.1f} s, {memory / 1024:.0f} MiB resident")


if __name__ == "__main__":
    main()
