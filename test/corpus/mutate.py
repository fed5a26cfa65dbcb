#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutate.py --bin DIR --cache DIR [--corpus DIR] [--seconds N] [--seed N]: damaged corpus modules.

Flips words, exchanges operands and whole instructions, cuts modules short; compiles each result with
the validator off: compute shaders, graphics shaders alone, and pipelines one of whose stages is
damaged. Whatever the damage: an error of the documented kinds or success, never a crash, an internal
error or a hang. Prints its seed; the modules of a failing case are kept in the cache folder.
Unlike the libFuzzer targets this runs amdllpc itself, at the default level and for several targets.
"""
import argparse
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import graphics as corpus_graphics
import modules as corpus_modules

SKIPPED = 77
BATCH = 40
BATCH_SECONDS = 900  # only what hangs takes so long, on a busy machine too
MAX_MODULE_BYTES = 24000
TARGETS = ("gfx1010", "gfx1030", "gfx1100", "gfx1201")
HEADER_WORDS = 5
# OpExecutionMode, OpConstant, OpDecorate, OpMemberDecorate, OpTypeVector, OpTypeImage, OpCompositeExtract
NUMBER_LAST = (16, 43, 71, 72, 23, 25, 81)

# A batch takes each of these or not.
GRAPHICS_OPTIONS = ("-force-ngg", "-ngg-enable-gs-use", "-ngg-enable-backface-culling",
                    "-ngg-enable-frustum-culling", "-ngg-enable-small-prim-filter",
                    "-ngg-enable-cull-distance-culling", "-enable-robust-unbound-vertex",
                    "-robust-buffer-access", "-verify-ir")


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


def mutate_alike(words, starts, at, rng):
    """Gives an instruction an operand of another one with the same opcode, or, where the last operand
    is a number (decorations, modes, constants), a small or an extreme number."""
    opcode, count = words[at] & 0xFFFF, words[at] >> 16
    if opcode in NUMBER_LAST and rng.randrange(2):
        words[at + count - 1] = rng.choice((rng.randrange(8), rng.randrange(64), rng.randrange(5300),
                                            0x7FFFFFFF, 0xFFFFFFFF))
        return
    alike = [start for start in starts if words[start] & 0xFFFF == opcode]
    other = rng.choice(alike)
    if min(count, words[other] >> 16) > 1:
        index = rng.randrange(1, min(count, words[other] >> 16))
        words[at + index] = words[other + index]


def mutate(words, rng):
    """A damaged copy."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 2, 4))):
        starts = starts_of(words)
        if not starts:
            break
        at, other = rng.choice(starts), rng.choice(starts)
        count, other_count = words[at] >> 16, words[other] >> 16
        kind = rng.randrange(16)
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
        elif kind >= 8:  # likely to pass the reader
            mutate_alike(words, starts, at, rng)
    return words


def fuzz_pipelines(root, cache):
    """The pipelines of the fuzz target, which have the stages that the corpus has few of: a list of
    lists of SPIR-V files."""
    top = os.path.join(root, "test", "fuzz", "compile", "pipelines")
    pipelines = []
    for name in sorted(os.listdir(top)):
        pipelines.append([])
        for file in sorted(os.listdir(os.path.join(top, name))):
            target = os.path.join(cache, f"fuzz-{name}.{file}.spv")
            error = corpus_modules.build(os.path.join(top, name, file),
                                         "glslangValidator -V --target-env vulkan1.3", target)
            if error:
                raise RuntimeError(error)
            pipelines[-1].append(target)
    return pipelines


def end_of(path):
    """".vert.spv": what tells amdllpc which files are one pipeline."""
    stage = os.path.basename(path).removesuffix(".spv").rpartition(".")[2]
    return f".{stage}.spv" if stage in corpus_graphics.STAGE_ORDER else ".spv"


def load_seeds(root, corpus, cache):
    """Three lists of cases, which are lists of (file name's end, words): compute shaders, graphics
    shaders alone, the stages of pipelines."""
    compute = [m.path for name in corpus_modules.SETS
               for m in corpus_modules.load(corpus, cache, name)]
    alone = [file.rpartition(",")[0] for _, file in corpus_graphics.shaders(corpus, cache).values()]
    pipelines = fuzz_pipelines(root, cache)
    alone += [file for files in pipelines for file in files]
    pipelines += [[file.rpartition(",")[0] for file in files]
                  for _, files in corpus_graphics.load(corpus, cache, "groups")]
    seeds = ([[path] for path in compute], [[path] for path in alone], pipelines)
    return [[[(end_of(path), words_of(path)) for path in case]
             for case in cases if sum(map(os.path.getsize, case)) <= MAX_MODULE_BYTES]
            for cases in seeds]


def write_case(seed, rng, prefix):
    """The modules of a seed, one of them damaged; amdllpc takes them for one pipeline because of
    their names. Returns the files."""
    files, damaged = [], rng.randrange(len(seed))
    for index, (end, words) in enumerate(seed):
        words = mutate(words, rng) if index == damaged else words
        files.append(prefix + end)
        with open(files[-1], "wb") as file:
            file.write(struct.pack(f"<{len(words)}I", *words))
    return files


def run(command, cases):
    """Exit code and standard error of a batch; the code is None after a time-out."""
    files = [file for case in cases for file in case]
    try:
        done = subprocess.run(command + files, capture_output=True, text=True, errors="replace",
                              check=False, timeout=BATCH_SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "time-out"
    if done.returncode in (0, 1, 3, 4):
        try:
            json.loads(done.stdout)
        except ValueError:
            return -1, "no report"
    return done.returncode, done.stderr


def culprits(command, cases, cache):
    """Runs a failed batch one by one and keeps what fails."""
    found = []
    for case in cases:
        code, text = run(command, [case])
        if code not in (0, 1, 3, 4):
            kept = [os.path.join(cache, "found-" + os.path.basename(file)) for file in case]
            for file, name in zip(case, kept):
                shutil.copyfile(file, name)
            found.append(f"{' '.join(command[1:] + kept)}: exit code {code}: {text[-500:]}")
    return found or [f"{' '.join(command[1:])}: a batch of {len(cases)} failed, but no case alone"]


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not os.path.isdir(options.corpus):
        print("skipped: no corpus beside the checkout")
        return SKIPPED
    seeds = load_seeds(root, options.corpus, options.cache)
    rng = random.Random(options.seed)
    print(f"{'+'.join(str(len(cases)) for cases in seeds)} seeds, seed {options.seed}, {options.seconds:.0f} s", flush=True)
    end, number, failures = time.monotonic() + options.seconds, 0, []
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as folder:
            cases = [write_case(rng.choice(rng.choice(seeds)), rng,
                                os.path.join(folder, f"{options.seed}-{number + i}"))
                     for i in range(BATCH)]
            number += BATCH
            command = [os.path.join(options.bin, "amdllpc"), "-validate-spirv=0", "-j2",
                       "--format=json", f"-gfxip={rng.choice(TARGETS)}"]
            command += [option for option in GRAPHICS_OPTIONS if rng.randrange(3) == 0]
            code, _ = run(command, cases)
            if code not in (0, 1, 3, 4):
                failures += culprits(command, cases, options.cache)
    print(f"{number} cases compiled, {len(failures)} failures")
    for failure in failures:
        print("FAIL: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
