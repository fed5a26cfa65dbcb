#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An AMD-style driver that contains libkiln_amd.so creates pipelines on null GPUs (docs/amd-icd.md).

usage: run.py [--bin DIR] [--captures DIR] [--work DIR] [--icd LIBRARY] [--library LIBRARY] [--gpus NAMES] [--only-code]

LIBRARY is the driver (xgl's amdvlk64.so), also $KILN_AMD_ICD; without it the test is skipped. --library is the compiler that it
shall use instead of the one that it was linked with. For each GPU (but with --only-code), and at the end a sum of all:

  cold       every capture and one pipeline of each kind is created, with an empty cache on disk
  warm       and again, out of that cache, without a compile
  parts      modules are compiled in the background, then pipelines are linked
  random     three seeds of other layouts that fit, with dynamic buffers

and on one GPU, but for `executed`, which is done with a sample on the others, too:

  libraries  pipelines of libraries are linked of the parts that those became, without a compile
  state      what the compiler is told of each capture is what Kiln's own driver tells it, but for what AMD's wants otherwise
  dumps      .pipe files of all pipelines give the driver's code again
  executed   the driver's code, with resources bound as the driver binds them, draws and stores what lavapipe does (execution.py)
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
import execution
import kinds
import scenes

GPUS = {"gfx1010": "NAVI10", "gfx1030": "NAVI21", "gfx1100": "NAVI31", "gfx1150": "STRIX1", "gfx1201": "NAVI48"}
FULL_GPU = "gfx1100"
SAMPLE = 10  # of the captures, on the others
PARTS_SAMPLE = 5  # of those that are executed, also linked of parts
SKIP = 77
# Of the driver itself, without any compiler: a null device has no window system, and a driver without ray tracing fewer stages.
OWN_ASSERTS = ("VerifyExtensions", "VkToVkgcShaderStageMask")
# Kinds that a GPU does not have.
ABSENT = {("gfx1010", "task-mesh")}
# The driver does not keep pipelines on disk whose vertex input is read from memory, and names those with YCbCr conversion after bits
# that it leaves undefined.
UNCACHED = ("dynamic-vertex-input", "ycbcr")
STATISTICS = re.compile(r"^kiln: \w+: pipelines compiled (\d+), linked of parts (\d+), kept (\d+), parts in advance \d+, late (\d+)", re.M)


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
        self.first_links = [float(line.split("\t")[3]) / 1000 for line in done.stdout.splitlines() if line.startswith("# first fast link\t")]
        totals = [sum(map(int, column)) for column in zip(*STATISTICS.findall(done.stderr))] or [0, 0, 0, 0]
        self.compiled, self.linked, self.kept, self.late = totals

    def failures(self, names):
        found = [f"{path}: {outcome}" for path, outcome in self.outcomes.items() if outcome != "created"
                 and (self.gpu, names.get(path.split("/")[-1], "")) not in ABSENT]
        if not self.outcomes:
            found.append(f"nothing was created, exit code {self.code}")
        return found + self.asserts[:5]


def captures_in(folders):
    return [path for folder in folders for path in sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True))
            if os.path.basename(os.path.dirname(path)) in ("graphics", "compute")]


def run_dumps(options, gpu, captures, executor, judges):
    """Checks `executed`, and where it `judges` them `state` and `dumps`. Returns how many dumps were reproduced, how many pipelines
    that were executed had been linked of parts, and messages."""
    amd, own = (os.path.join(options.work, name) for name in ("dump-amd", "dump-kiln"))
    messages, reproduced, linked = [], 0, 0
    for number, capture in enumerate(captures):
        name = "/".join(capture.split("/")[-3:])
        cache = dumps.fresh(os.path.join(options.work, "cache-dump"))
        Run(options, gpu, "dump", [capture], f"-kiln-parts=off -kiln-dump={dumps.fresh(amd)}", cache=cache)
        if executor:
            messages += executor.run(gpu, capture, amd)
        if executor and (number % PARTS_SAMPLE == 0 or capture.startswith(options.work)):
            parts = Run(options, gpu, "dump-parts", [capture], f"-kiln-parts=on -kiln-dump={dumps.fresh(amd + '-parts')}", ["--pause=1"],
                        cache=dumps.fresh(cache))
            linked += min(parts.linked, 1)
            messages += executor.run(gpu, capture, amd + "-parts")
            libraries = Run(options, gpu, "dump-libraries", [capture], f"-kiln-parts=on -kiln-dump={dumps.fresh(amd + '-parts')}",
                            ["--libraries"], cache=dumps.fresh(cache))
            if libraries.first_links:
                linked += min(libraries.linked, 1)
                messages += executor.run(gpu, capture, amd + "-parts")
        if not judges:
            continue
        if os.path.exists(options.kiln_icd):
            environment = dict(os.environ, KILN_DUMP_DIR=dumps.fresh(own), KILN_CACHE="off", KILN_PARTS="off", KILN_DEVICES=gpu)
            subprocess.run([os.path.join(options.bin, "kiln-replay"), f"--icd={os.path.abspath(options.kiln_icd)}", capture],
                           env=environment, capture_output=True, check=False)
            messages += [f"{name}: {text}" for text in dumps.compare(amd, own)]
        messages += [f"{name}: {text}" for text in dumps.reproduce(os.path.join(options.bin, "amdllpc"), gpu, amd)]
        reproduced += len(glob.glob(os.path.join(amd, "*.pipe")))
    return reproduced, linked, messages


def make_executor(options, names, modules, captures):
    """None without lavapipe, which is said; and messages."""
    hashes = {path: os.path.basename(path).removesuffix(".json") for path in captures}
    of_kinds = {path: names[hashes[path]] for path in captures if os.path.dirname(path).startswith(options.work) and hashes[path] in names}
    scripts = scenes.write(os.path.join(options.work, "scenes"), modules)
    executor = execution.Execution(options, {path: scripts[kind] for path, kind in of_kinds.items() if kind in scripts}, of_kinds)
    if not executor.control:
        print("LEFT OUT: nothing is executed without lavapipe")
        return None, []
    return executor, executor.record(captures)


def check_libraries(options, gpu, folders):
    """The check `libraries`."""
    run = Run(options, gpu, "libraries", folders, "-kiln-parts=on", ["--libraries"])
    links = sorted(run.first_links)
    print(f"{gpu} libraries: {len(links)} pipelines, compiled {run.compiled}, linked {run.linked}, first links {sum(links):.1f} ms, median "
          f"{links[len(links) // 2] if links else 0:.2f} ms", flush=True)
    # One kind cannot be, and a pair of shaders may not fit.
    wrong = [] if run.linked > 20 * run.compiled or (run.linked and run.compiled <= 2) else ["libraries are compiled whole when they are linked"]
    return [f"{gpu} libraries: {text}" for text in [*wrong, *run.asserts[:5]]]


def check_code(options, names, modules, folders):
    """The checks on what the compiler was told, and on what it made."""
    captures = captures_in(folders)
    executor, failures = make_executor(options, names, modules, captures)
    for number, gpu in enumerate(options.gpus.split(",")):
        judges = gpu == FULL_GPU
        chosen = [path for index, path in enumerate(captures)
                  if judges or path.startswith(options.work) or index % SAMPLE == number]
        chosen = [path for path in chosen if (gpu, names.get(os.path.basename(path).removesuffix(".json"), "")) not in ABSENT]
        before = executor.executed if executor else 0
        reproduced, linked, wrong = run_dumps(options, gpu, chosen if judges or executor else [], executor, judges)
        failures += wrong
        print(f"{gpu} {'state, dumps and ' if judges else ''}executed: {len(chosen)} captures"
              + (f", {reproduced} dumps" if judges else "") + f", {(executor.executed if executor else 0) - before} executed, {linked} of them linked of parts"
              + (f", {len(wrong)} FAILURES" if wrong else ""), flush=True)
    return failures + (executor.summary() if executor else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="build/bin")
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--captures", default=os.path.join(here, "../../../shared/corpus/pipelines"))
    parser.add_argument("--work", default="build/test/amd-icd")
    parser.add_argument("--icd", default=os.environ.get("KILN_AMD_ICD"))
    parser.add_argument("--library")
    parser.add_argument("--kiln-icd", default="build/icd/libkiln_icd.so")
    parser.add_argument("--kiln-manifest", default="build/icd/kiln_icd.json")
    parser.add_argument("--only-code", action="store_true", help="only the checks state, dumps and executed")
    parser.add_argument("--gpus", default=",".join(GPUS))
    options = parser.parse_args()
    if not options.icd or not os.path.exists(options.icd):
        print("skipped: no AMD-style driver (KILN_AMD_ICD, docs/amd-icd.md)")
        return SKIP
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    options.work = os.path.abspath(options.work)
    names, modules = kinds.write(options.work)
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

    for gpu in [] if options.only_code else options.gpus.split(","):
        cache = os.path.join(options.work, f"cache-{gpu}")
        done(Run(options, gpu, "cold", folders, "-kiln-parts=off", cache=cache))
        warm = Run(options, gpu, "warm", folders, "-kiln-parts=off", cache=cache)
        done(warm, [f"{warm.compiled} pipelines were compiled again"] if warm.compiled > len(UNCACHED) else [])
        parts = Run(options, gpu, "parts", folders, "-kiln-parts=on", ["--pause=20"])
        done(parts, ([] if parts.linked > parts.compiled else ["most pipelines were not linked of parts"])
             + ([] if parts.late * 2 <= parts.linked else ["parts were not made in advance"]))
        for seed in (1, 2, 3):
            done(Run(options, gpu, f"random-{seed}", folders, "-kiln-parts=on",
                     [f"--random-layouts={seed}", "--dynamic=30"]))
        if gpu == FULL_GPU:
            failures += check_libraries(options, gpu, folders)
    failures += check_code(options, names, modules, folders)
    for failure in failures[:40]:
        print("FAILED:", failure)
    print(f"amd-icd: {totals['created']} pipelines created, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
