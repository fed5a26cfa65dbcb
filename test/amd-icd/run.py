#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An AMD-style driver that contains libkiln_amd.so creates pipelines on null GPUs (docs/amd-icd.md).

usage: run.py [--bin DIR] [--captures DIR] [--work DIR] [--icd LIBRARY] [--library LIBRARY]

LIBRARY is the driver (xgl's amdvlk64.so), also $KILN_AMD_ICD; without it the test is skipped. --library is the compiler that it
shall use instead of the one that it was linked with. For each GPU, and at the end a sum of all:

  cold       every capture and one pipeline of each kind is created, with an empty cache on disk
  warm       and again, out of that cache, without a compile
  parts      modules are compiled in the background, then pipelines are linked
  random     three seeds of other layouts that fit, with dynamic buffers

and on one GPU:

  state      what the compiler is told of each capture is what Kiln's own driver tells it, but for what AMD's wants otherwise
  dumps      .pipe files of all pipelines give the driver's code again
"""
import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dumps
import kinds

GPUS = {"gfx1010": "NAVI10", "gfx1030": "NAVI21", "gfx1100": "NAVI31", "gfx1150": "STRIX1", "gfx1201": "NAVI48"}
SKIP = 77
# Of the driver itself, without any compiler: a null device has no window system, and a driver without ray tracing fewer stages.
OWN_ASSERTS = ("VerifyExtensions", "VkToVkgcShaderStageMask")
# Kinds that a GPU does not have.
ABSENT = {("gfx1010", "task-mesh")}
# The driver does not keep pipelines on disk whose vertex input is read from memory, and names those with YCbCr conversion after bits
# that it leaves undefined.
UNCACHED = ("dynamic-vertex-input", "ycbcr")
STATISTICS = re.compile(r"^kiln: \w+: pipelines compiled (\d+), linked of parts (\d+), kept (\d+)", re.M)


class Run:
    """One process of kiln-replay."""

    def __init__(self, options, gpu, name, folders, compiler, arguments=(), cache=None):
        environment = dict(os.environ, AMDVLK_NULL_GPU=f"{GPUS[gpu]}:{gpu}", AMD_SHADER_DISK_CACHE_PATH=cache or os.path.join(
            options.work, f"cache-{gpu}-{name}"), KILN_AMD_OPTIONS="-kiln-stats=on " + compiler)
        if options.library:
            environment["LD_LIBRARY_PATH"] = os.path.dirname(os.path.abspath(options.library))
        command = [os.path.join(options.bin, "kiln-replay"), f"--icd={os.path.abspath(options.icd)}", "--format=tsv",
                   *arguments, *folders]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
        with open(os.path.join(options.work, f"{gpu}-{name}.log"), "w", encoding="utf-8") as log:
            log.write(done.stdout + done.stderr)
        self.gpu, self.name, self.code = gpu, name, done.returncode
        rows = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") >= 5]
        self.outcomes = {row[0]: row[5] for row in rows}
        self.milliseconds = sum(float(row[2]) for row in rows) / 1000
        self.cpu = sum(float(row[3]) for row in rows) / 1000
        self.asserts = [line for line in done.stderr.splitlines() if "Assertion failed" in line
                        and not any(own in line for own in OWN_ASSERTS)]
        self.messages = [line for line in done.stderr.splitlines() if line.startswith("kiln: ")]
        totals = [sum(map(int, column)) for column in zip(*STATISTICS.findall(done.stderr))] or [0, 0, 0]
        self.compiled, self.linked, self.kept = totals

    def failures(self, names):
        found = [f"{path}: {outcome}" for path, outcome in self.outcomes.items() if outcome != "created"
                 and (self.gpu, names.get(path.split("/")[-1], "")) not in ABSENT]
        if not self.outcomes:
            found.append(f"nothing was created, exit code {self.code}")
        return found + self.asserts[:5]


def run_dumps(options, gpu, folders):
    """Checks `state` and `dumps`. Returns counts and messages."""
    amd, own = (os.path.join(options.work, name) for name in ("dump-amd", "dump-kiln"))
    captures = [path for folder in folders for path in sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True))
                if os.path.basename(os.path.dirname(path)) in ("graphics", "compute")]
    messages, reproduced = [], 0
    for capture in captures:
        name = "/".join(capture.split("/")[-3:])
        cache = dumps.fresh(os.path.join(options.work, "cache-dump"))
        Run(options, gpu, "dump", [capture], f"-kiln-parts=off -kiln-dump={dumps.fresh(amd)}", cache=cache)
        if os.path.exists(options.kiln_icd):
            environment = dict(os.environ, KILN_DUMP_DIR=dumps.fresh(own), KILN_CACHE="off", KILN_PARTS="off", KILN_DEVICES=gpu)
            subprocess.run([os.path.join(options.bin, "kiln-replay"), f"--icd={os.path.abspath(options.kiln_icd)}", capture],
                           env=environment, capture_output=True, check=False)
            messages += [f"{name}: {text}" for text in dumps.compare(amd, own)]
        messages += [f"{name}: {text}" for text in dumps.reproduce(os.path.join(options.bin, "amdllpc"), gpu, amd)]
        reproduced += len(glob.glob(os.path.join(amd, "*.pipe")))
    return len(captures), reproduced, messages


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="build/bin")
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--captures", default=os.path.join(here, "../../../shared/corpus/pipelines"))
    parser.add_argument("--work", default="build/test/amd-icd")
    parser.add_argument("--icd", default=os.environ.get("KILN_AMD_ICD"))
    parser.add_argument("--library")
    parser.add_argument("--kiln-icd", default="build/icd/libkiln_icd.so")
    parser.add_argument("--gpus", default=",".join(GPUS))
    options = parser.parse_args()
    if not options.icd or not os.path.exists(options.icd):
        print("skipped: no AMD-style driver (KILN_AMD_ICD, docs/amd-icd.md)")
        return SKIP
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    names = kinds.write(options.work)
    folders = [os.path.join(options.work, "kinds")]
    if os.path.isdir(options.captures):
        folders.append(options.captures)
    else:
        print("without captures: only one pipeline of each kind")

    failures, totals = [], collections.Counter()

    def done(run, wrong=()):
        failed = [*run.failures(names), *wrong]
        failures.extend(f"{run.gpu} {run.name}: {text}" for text in failed)
        created = sum(outcome == "created" for outcome in run.outcomes.values())
        totals["created"] += created
        print(f"{run.gpu} {run.name:9} created {created:4} of {len(run.outcomes):4}, compiled {run.compiled:4}, linked "
              f"{run.linked:4}, kept {run.kept:3}, {run.milliseconds:8.1f} ms, {run.cpu:7.1f} ms CPU" + (f", {len(failed)} FAILURES" if failed else ""),
              flush=True)

    for gpu in options.gpus.split(","):
        cache = os.path.join(options.work, f"cache-{gpu}")
        done(Run(options, gpu, "cold", folders, "-kiln-parts=off", cache=cache))
        warm = Run(options, gpu, "warm", folders, "-kiln-parts=off", cache=cache)
        done(warm, [f"{warm.compiled} pipelines were compiled again"] if warm.compiled > len(UNCACHED) else [])
        parts = Run(options, gpu, "parts", folders, "-kiln-parts=on", ["--pause=20"])
        done(parts, [] if parts.linked > parts.compiled else ["most pipelines were not linked of parts"])
        for seed in (1, 2, 3):
            done(Run(options, gpu, f"random-{seed}", folders, "-kiln-parts=on",
                     [f"--random-layouts={seed}", "--dynamic=30"]))
    compared, reproduced, wrong = run_dumps(options, "gfx1100", folders)
    failures += wrong
    print(f"gfx1100 state and dumps: {compared} captures, {reproduced} dumps, {len(wrong)} FAILURES" if wrong else
          f"gfx1100 state and dumps: {compared} captures, {reproduced} dumps")
    for failure in failures[:40]:
        print("FAILED:", failure)
    print(f"amd-icd: {totals['created']} pipelines created, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
