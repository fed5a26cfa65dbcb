#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutate.py --bin DIR --cache DIR [--corpus DIR] [--seconds N] [--seed N]: damaged corpus modules.

Flips words, exchanges operands and whole instructions, cuts modules short; compiles each result with
the validator off. Whatever the damage: an error of the documented kinds or success, never a crash,
an internal error or a hang. Prints its seed; a failing module is kept in the cache folder.
Unlike the libFuzzer targets this runs amdllpc itself, at the default level and for several targets.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

import modules as corpus_modules

SKIPPED = 77
BATCH = 40
BATCH_SECONDS = 120
MAX_MODULE_BYTES = 24000
TARGETS = ("gfx1010", "gfx1030", "gfx1100", "gfx1201")
HEADER_WORDS = 5


def words_of(path):
    """The words of a little-endian module."""
    with open(path, "rb") as file:
        data = file.read()
    return list(struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4]))


def starts_of(words):
    """Index of each instruction's first word."""
    starts, at = [], HEADER_WORDS
    while at < len(words) and words[at] >> 16 and at + (words[at] >> 16) <= len(words):
        starts.append(at)
        at += words[at] >> 16
    return starts


def mutate(words, rng):
    """A damaged copy."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 2, 4))):
        starts = starts_of(words)
        if not starts:
            break
        at, other = rng.choice(starts), rng.choice(starts)
        count, other_count = words[at] >> 16, words[other] >> 16
        kind = rng.randrange(8)
        if kind <= 3 and count > 1:  # an operand: a neighbour's, a small number, a flipped bit
            index = at + rng.randrange(1, count)
            words[index] = rng.choice((words[other + rng.randrange(other_count)], rng.randrange(64),
                                       words[index] ^ 1 << rng.randrange(32), words[index] + 1 & 0xFFFFFFFF,
                                       0xFFFFFFFF, 0xFFFFFFFE, 0x80000000))
        elif kind == 4:  # another opcode
            words[at] = words[at] & 0xFFFF0000 | words[other] & 0xFFFF
        elif kind == 5 and at + count <= other:  # two instructions change places
            words = (words[:at] + words[other:other + other_count] + words[at + count:other] +
                     words[at:at + count] + words[other + other_count:])
        elif kind == 6:  # an instruction twice or not at all
            words[at:at + count] = words[at:at + count] * rng.choice((0, 2))
        elif kind == 7 and rng.randrange(8) == 0:
            words = words[:rng.randrange(len(words))]
    return words


def run(amdllpc, files, target):
    """Exit code and standard error of a batch; the code is None after a time-out."""
    command = [amdllpc, "-validate-spirv=0", f"-gfxip={target}", "-j2", "--format=json"] + files
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=BATCH_SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "time-out"
    if done.returncode in (0, 1, 3, 4):
        try:
            json.loads(done.stdout)
        except ValueError:
            return -1, "no report"
    return done.returncode, done.stderr


def culprits(amdllpc, files, target, cache):
    """Runs a failed batch one by one and keeps what fails."""
    found = []
    for file in files:
        code, text = run(amdllpc, [file], target)
        if code not in (0, 1, 3, 4):
            kept = os.path.join(cache, "found-" + os.path.basename(file))
            os.replace(file, kept)
            found.append(f"{kept} [{target}]: exit code {code}: {text[-500:]}")
    return found or [f"a batch of {len(files)} for {target} failed, but no module alone"]


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not os.path.isdir(options.corpus):
        print("skipped: no corpus beside the checkout")
        return SKIPPED
    seeds = [words_of(m.path) for name in corpus_modules.SETS
             for m in corpus_modules.load(options.corpus, options.cache, name)
             if os.path.getsize(m.path) <= MAX_MODULE_BYTES]
    rng = random.Random(options.seed)
    amdllpc = os.path.join(options.bin, "amdllpc")
    print(f"{len(seeds)} modules, seed {options.seed}, {options.seconds:.0f} s", flush=True)
    end, number, failures = time.monotonic() + options.seconds, 0, []
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            files = []
            for _ in range(BATCH):
                words = mutate(rng.choice(seeds), rng)
                files.append(os.path.join(folder, f"{options.seed}-{number}.spv"))
                with open(files[-1], "wb") as file:
                    file.write(struct.pack(f"<{len(words)}I", *words))
                number += 1
            target = rng.choice(TARGETS)
            code, _ = run(amdllpc, files, target)
            if code not in (0, 1, 3, 4):
                failures += culprits(amdllpc, files, target, options.cache)
            for file in files:
                if os.path.exists(file):
                    os.remove(file)
    print(f"{number} modules compiled, {len(failures)} failures")
    for failure in failures:
        print("FAIL: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
