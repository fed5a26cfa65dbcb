#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK --bin DIR --cache DIR [--corpus DIR] [--targets A,B]: the shader corpus.

    shaders | cases | pipelines   every module compiles for every target, and every code object
                                  passes pal-verify and loads on the software device
    captured | groups | alone     graphics: captured pipelines with their state, the stages that
                                  belong together, every shader as a part of a pipeline; for every
                                  target, checked with pal-verify
    determinism                   equal bytes with one thread, with two, and in a second run with
                                  the inputs in reverse order

As ctest tests these are `corpus-CHECK`; they are skipped where no corpus lies beside the checkout.
Compute pipelines are compiled with the layout that amdllpc makes up.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import graphics as corpus_graphics
import modules as corpus_modules

SKIPPED = 77
TARGETS = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")

# name of a module -> text that the error must contain. Nothing of the corpus needs more than is
# implemented, so this is empty and should stay so.
EXPECTED_UNSUPPORTED = {}

# The same for graphics: (target, part of the file's name) -> text. gfx10.1 has neither the word that
# says which vertex provokes nor the rotation of parameters, so no value of a vertex can be named
# (Mesa offers VK_KHR_fragment_shader_barycentric from gfx10.3 on for the same reason).
GRAPHICS_UNSUPPORTED = {
    ("gfx1010", "intrinsicsSpirvDecorate.frag"): "PerVertexKHR on gfx1010",
    ("gfx1010", "barycentric-khr-nopersp"): "PerVertexKHR on gfx1010",
    ("gfx1010", "fragmentshaderbarycentrics__scene.frag"): "BaryCoordKHR on gfx1010",
}


class Runner:
    """Runs the tools and collects failures."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.failures = []
        self.compiles = 0
        self.verified = 0
        self.unsupported = 0

    def tool(self, name):
        """Path of a program of the build."""
        return os.path.join(self.options.bin, name)

    def amdllpc(self, group, targets, out, jobs):
        """Compiles modules of equal specialization; returns {(path, target): result}."""
        command = [self.tool("amdllpc"), f"-gfxip={','.join(targets)}", f"-j{jobs}",
                   "--format=json", "-validate-spirv=0", "-o", out + os.sep]
        for spec in group[0].specs:
            command += ["-spec", spec]
        command += [f"{module.path},{module.entry}" for module in group]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            results = json.loads(done.stdout)["shaders"]
        except ValueError:
            return None, f"exit code {done.returncode}: {done.stderr[-2000:]}"
        return {(r["file"], r["target"]): r for r in results}, None

    def compile(self, group, targets, out, jobs=2):
        """Compiles a group; if the process dies, once more module by module to name the culprit."""
        results, crash = self.amdllpc(group, targets, out, jobs)
        if crash and len(group) * len(targets) == 1:
            self.failures.append(f"{group[0].name} [{targets[0]}]: crash: {crash}")
            return
        if crash:
            for module in group:
                for target in targets:
                    self.compile([module], [target], out, 1)
            return
        self.compiles += len(group) * len(targets)
        for module in group:
            for target in targets:
                self.judge(module, target, results.get((module.path, target)))

    def judge(self, module, target, result):
        """Compares one result of amdllpc with what is expected."""
        expected = EXPECTED_UNSUPPORTED.get(module.name)
        place = f"{module.name} [{target}]"
        if result is None:
            self.failures.append(f"{place}: not in the report")
        elif result["status"] != "ok":
            message = f"{result['status']}: {result.get('message')}"
            if expected and result["status"] == "unsupported" and expected in message:
                self.unsupported += 1
            else:
                self.failures.append(f"{place}: {message}")
        elif expected:
            self.failures.append(f"{place}: compiles now; take it off EXPECTED_UNSUPPORTED")

    def verify(self, out):
        """pal-verify on every code object of the folder."""
        files = sorted(os.path.join(out, name) for name in os.listdir(out)) if os.path.isdir(out) else []
        for start in range(0, len(files), 200):
            done = subprocess.run([self.tool("pal-verify")] + files[start:start + 200],
                                  capture_output=True, text=True, check=False)
            clean = [line for line in done.stdout.splitlines() if line.endswith(": ok")]
            self.verified += len(clean)
            if done.returncode or len(clean) != len(files[start:start + 200]):
                self.failures += [line for line in (done.stdout + done.stderr).splitlines()
                                  if not line.endswith(": ok")]

    def list_opcodes(self, out, listing):
        """Every code object loads on the software device; writes which instructions they have."""
        files = sorted(os.path.join(out, name) for name in os.listdir(out)) if os.path.isdir(out) else []
        if not files or not os.path.exists(self.tool("isa-opcodes")):
            return
        done = subprocess.run([self.tool("isa-opcodes")] + files, capture_output=True, text=True,
                              check=False)
        self.failures += done.stderr.splitlines()
        if done.returncode and not done.stderr:
            self.failures.append(f"isa-opcodes: exit code {done.returncode}")
        with open(listing, "w", encoding="utf-8") as file:
            file.write(done.stdout)


def groups_of(modules):
    """Modules by specialization: one amdllpc process has one set of constants."""
    groups = {}
    for module in modules:
        groups.setdefault(module.specs, []).append(module)
    return list(groups.values())


def check_set(runner, modules, targets):
    """All modules for all targets."""
    for group in groups_of(modules):
        runner.compile(group, list(targets), os.path.join(runner.folder, "elf"))
    runner.verify(os.path.join(runner.folder, "elf"))
    runner.list_opcodes(os.path.join(runner.folder, "elf"),
                        os.path.join(runner.options.cache, f"opcodes-{runner.options.check}.txt"))
    if runner.verified + runner.unsupported + len(runner.failures) < runner.compiles:
        runner.failures.append(f"{runner.compiles} compiles, but only {runner.verified} objects")


def check_graphics(runner, jobs, targets):
    """Graphics pipelines: a job is a name and the files of one pipeline."""
    out = os.path.join(runner.folder, "elf")
    base = [runner.tool("amdllpc"), f"-gfxip={','.join(targets)}", "-j2", "--format=json",
            "-validate-spirv=0", "-o", out + os.sep]
    if runner.options.check == "groups":
        calls = [(name, base + list(files), 1) for name, files in jobs]
    else:
        files = [file for _, files in jobs for file in files]
        calls = [(runner.options.check, base + ["-separate"] + files, len(files))]
    for name, command, pipelines in calls:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        runner.compiles += pipelines * len(targets)
        try:
            results = json.loads(done.stdout)["shaders"]
        except ValueError:
            runner.failures.append(f"{name}: exit code {done.returncode}: {done.stderr[-2000:]}")
            continue
        if len(results) != pipelines * len(targets):
            runner.failures.append(f"{name}: {len(results)} results of {pipelines} pipelines")
        for result in results:
            judge_graphics(runner, result)
    runner.verify(out)
    if runner.verified + runner.unsupported + len(runner.failures) < runner.compiles:
        runner.failures.append(f"{runner.compiles} compiles, but only {runner.verified} objects")


def judge_graphics(runner, result):
    """Compares one result of amdllpc with what is expected."""
    place = f"{result['file']} [{result['target']}]"
    expected = next((text for (target, name), text in GRAPHICS_UNSUPPORTED.items()
                     if target == result["target"] and name in result["file"]), None)
    if result["status"] == "ok":
        if expected:
            runner.failures.append(f"{place}: compiles now; take it off GRAPHICS_UNSUPPORTED")
    elif expected and result["status"] == "unsupported" and expected in result.get("message", ""):
        runner.unsupported += 1
    else:
        runner.failures.append(f"{place}: {result['status']}: {result.get('message')}")


def check_determinism(runner, modules, targets):
    """Three runs over all modules that need no specialization."""
    sample = [m for m in modules if not m.specs]
    runs = {"j1": (sample, 1), "j2": (sample, 2), "again": (sample[::-1], 2)}
    for name, (order, jobs) in runs.items():
        runner.compile(order, [targets[0], targets[-1]], os.path.join(runner.folder, name), jobs)
    first = os.path.join(runner.folder, "j1")
    names = sorted(os.listdir(first))
    for other in ("j2", "again"):
        folder = os.path.join(runner.folder, other)
        if sorted(os.listdir(folder)) != names:
            runner.failures.append(f"{other}: other files than j1")
            continue
        for name in names:
            with open(os.path.join(first, name), "rb") as a, open(os.path.join(folder, name), "rb") as b:
                if a.read() != b.read():
                    runner.failures.append(f"{name}: differs between j1 and {other}")
    print(f"{len(names)} code objects compared three times")


def parse_arguments():
    """The command line; see the text at the top."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=corpus_modules.SETS + corpus_graphics.SETS
                        + ("determinism",))
    parser.add_argument("--bin", required=True, help="folder of amdllpc and pal-verify")
    parser.add_argument("--cache", required=True, help="folder for the modules made from text")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    parser.add_argument("--targets", default=",".join(TARGETS))
    return parser.parse_args()


def main():
    options = parse_arguments()
    missing = [tool for tool in ("glslangValidator", "spirv-as") if not shutil.which(tool)]
    if not os.path.isdir(options.corpus) or missing:
        print("skipped: " + (f"no {missing[0]}" if missing else "no corpus beside the checkout"))
        return SKIPPED
    start = time.monotonic()
    targets = options.targets.split(",")
    which = "shaders" if options.check == "determinism" else options.check
    is_graphics = which in corpus_graphics.SETS
    modules = (corpus_graphics if is_graphics else corpus_modules).load(
        options.corpus, options.cache, which)
    made = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        if options.check == "determinism":
            check_determinism(runner, modules, targets)
        elif is_graphics:
            check_graphics(runner, modules, targets)
        else:
            check_set(runner, modules, targets)
    print(f"{len(modules)} modules (made in {made - start:.1f} s), {runner.compiles} compiles, "
          f"{runner.verified} objects verified, {runner.unsupported} unsupported as expected, "
          f"{len(runner.failures)} failures, {time.monotonic() - made:.1f} s")
    for failure in runner.failures:
        print("FAIL: " + failure)
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
