#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py CHECK --bin DIR --cache DIR [--corpus DIR] [--targets A,B]: the shader corpus.

    shaders | cases | pipelines   every module compiles for every target, and every code object
                                  passes pal-verify and loads on the software device
    captured | groups | alone     graphics: captured pipelines with their state, the stages that
                                  belong together, every shader as a part of a pipeline; for every
                                  target, checked with pal-verify; those with tessellation or
                                  geometry shaders also in the ways of KILN_NGG (ngg.py)
    determinism                   compute shaders, graphics shaders, pipelines and the same pipelines
                                  with other options: equal bytes with one thread, and with two and
                                  the inputs in reverse order; without a corpus, the examples
    direct                        the same inputs by the direct tier, a fifth for each target, with a
                                  check of its registers; 85 % must be its own, and every captured
                                  pipeline, as the driver compiles it, for every target

As ctest tests these are `corpus-CHECK`; all but determinism and direct are skipped where no corpus lies beside
the checkout.
Compute pipelines are compiled with the layout that amdllpc makes up.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import graphics as corpus_graphics
import modules as corpus_modules
import ngg as corpus_ngg

SKIPPED = 77
TARGETS = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
HERE = os.path.dirname(os.path.abspath(__file__))
NO_MESH = ("gfx1010",)
MIN_DIRECT = 0.85  # of what `direct` compiles; else it would prove nothing

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
    ("gfx1010", "meshlets.pipe"): "mesh shaders on gfx1010",
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
        files = sorted(os.path.join(out, name)
                       for name in os.listdir(out)) if os.path.isdir(out) else []
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
    check_pipelines(runner, jobs, targets)
    if runner.options.check == "groups":
        folder = os.path.join(HERE, os.pardir, "exec", "pairs")
        check_pipelines(runner, [("+".join(names), [os.path.join(folder, name) for name in names])
                                 for names in corpus_graphics.MESH_PAIRS],
                        [target for target in targets if target not in NO_MESH], "mesh")
    # What the driver compiles with KILN_NGG.
    chosen = [(name, files) for name, files in jobs if corpus_ngg.has_stages(files)]
    by_mode = {}
    for target in targets if chosen else ():
        for mode in corpus_ngg.modes(target):
            by_mode.setdefault(mode, []).append(target)
    for mode, those in by_mode.items():
        check_pipelines(runner, chosen, those, "ngg-" + mode.replace(",", "-"),
                        corpus_ngg.options(mode))
    if runner.verified + runner.unsupported + len(runner.failures) < runner.compiles:
        runner.failures.append(f"{runner.compiles} compiles, but only {runner.verified} objects")


def check_pipelines(runner, jobs, targets, suffix="", extra=()):
    """Compiles the jobs with extra options and lists their opcodes in a file of their own."""
    check = runner.options.check
    whole = "-".join(filter(None, (check, suffix)))
    out = os.path.join(runner.folder, "elf-" + whole)
    base = [runner.tool("amdllpc"), f"-gfxip={','.join(targets)}", "-j2", "--format=json",
            "-validate-spirv=0", *extra, "-o", out + os.sep]
    if check == "groups":
        calls = [(name, base + list(files), 1) for name, files in jobs]
    else:
        files = [file for _, files in jobs for file in files]
        calls = [(check, base + ["-separate"] + files, len(files))]
    for name, command, pipelines in calls if targets else ():
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
    runner.list_opcodes(out, os.path.join(runner.options.cache, f"opcodes-{whole}.txt"))


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


# State that changes the code of most pipelines; a copy of each .pipe file gets it.
OTHER_STATE = """[GraphicsPipelineState]
options.optimizationLevel = Quick
options.robustBufferAccess = 1
nggState.enableBackfaceCulling = 1
nggState.forceNgg = 1
"""


def with_other_options(pipe, folder):
    """A copy of a .pipe file that differs in its options; in one process with the first."""
    with open(pipe, encoding="utf-8") as file:
        text = file.read()
    name = os.path.join(folder, "other-" + os.path.basename(pipe))
    with open(name, "w", encoding="utf-8") as file:
        file.write(text.replace("[GraphicsPipelineState]\n", OTHER_STATE))
    return name


def determinism_inputs(options, folder):
    """What amdllpc takes: compute shaders, graphics shaders alone, pipelines, and these with other
    options. Without a corpus: the examples."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    examples = os.path.join(root, "examples")
    inputs, pipes = [], []
    for name in sorted(os.listdir(examples)):
        if name.endswith(".comp"):
            inputs.append(os.path.join(examples, name))
        elif name.endswith(".pipe"):
            pipes.append(os.path.join(examples, name))
    if os.path.isdir(options.corpus):
        modules = corpus_modules.load(options.corpus, options.cache, "shaders")
        inputs += [f"{m.path},{m.entry}" for m in modules if not m.specs]
        jobs = {which: corpus_graphics.load(options.corpus, options.cache, which)
                for which in ("alone", "captured")}
        inputs += [file for _, files in jobs["alone"] for file in files]
        pipes += [file for _, files in jobs["captured"] for file in files]
    for pipe in pipes:
        inputs += [pipe, with_other_options(pipe, folder)]
    return inputs


def check_determinism(runner, inputs, targets):
    """One process with one thread, and one with two and the inputs in reverse order."""
    runs = {"j1": (inputs, 1), "j2": (inputs[::-1], 2)}
    results = {}

    def compile_all(name):
        order, jobs = runs[name]
        command = [runner.tool("amdllpc"), f"-gfxip={targets[0]},{targets[-1]}", f"-j{jobs}",
                   "--format=json", "-validate-spirv=0", "-separate", "-o", os.path.join(runner.folder, name) + os.sep]
        return subprocess.run(command + order, capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(len(runs)) as pool:
        processes = dict(zip(runs, pool.map(compile_all, runs)))
    for name, done in processes.items():
        out = os.path.join(runner.folder, name)
        try:
            shaders = json.loads(done.stdout)["shaders"]
        except ValueError:
            runner.failures.append(f"{name}: exit code {done.returncode}: {done.stderr[-2000:]}")
            return
        runner.compiles += len(shaders)
        # An error is a result as well: the same text, whatever the order.
        results[name] = {(r["file"], r["target"]): (r["status"], r.get("message"))
                         for r in shaders}
        for name_of_file in os.listdir(out):
            with open(os.path.join(out, name_of_file), "rb") as file:
                results[name][name_of_file] = file.read()
    first = results["j1"]
    objects = [name for name in first if isinstance(name, str)]
    refused = [name for name, result in first.items()
               if isinstance(name, tuple) and result[0] != "ok"]
    if len(objects) + len(refused) != 2 * len(inputs):
        runner.failures.append(f"{len(inputs)} inputs for two targets gave {len(objects)} objects "
                               f"and {len(refused)} errors")
    for name in sorted(first.keys() | results["j2"].keys(), key=str):
        if first.get(name) != results["j2"].get(name):
            runner.failures.append(f"{name}: differs between one thread and two, or with the order")
    compare_options(runner, first, objects)
    print(f"{len(objects)} code objects and {len(refused)} errors compared")


def compare_options(runner, first, objects):
    """Options that change nothing would make a weak test."""
    others = [name for name in objects if name.startswith("other-")]
    equal = [name for name in others if first[name] == first.get(name.removeprefix("other-"))]
    if not others or len(equal) * 2 > len(others):
        runner.failures.append(f"{len(equal)} of {len(others)} pipelines do not depend on options")


def check_direct(runner, inputs, targets):
    """Registers of the direct tier, by a second opinion (-verify-ir)."""
    made = 0
    for number, target in enumerate(targets):
        out = os.path.join(runner.folder, target)
        command = [runner.tool("amdllpc"), f"-gfxip={target}", "-j2", "--format=json", "-validate-spirv=0",
                   "-separate", "-tier=direct", "-verify-ir", "-o", out + os.sep]
        done = subprocess.run(command + inputs[number::len(targets)], capture_output=True, text=True, check=False)
        try:
            shaders = json.loads(done.stdout)["shaders"]
        except ValueError:
            runner.failures.append(f"{target}: exit code {done.returncode}: {done.stderr[-2000:]}")
            continue
        runner.compiles += len(shaders)
        made += sum(result.get("tier") == "direct" for result in shaders)
        for result in shaders:
            judge_graphics(runner, result)
        runner.verify(out)
    print(f"{made} of {runner.compiles} by the direct tier")
    if made < MIN_DIRECT * runner.compiles or not made:
        runner.failures.append(f"at least {MIN_DIRECT:.0%} should be")


def check_direct_captures(runner, targets):
    """What captured programs create, libraries and all; also captures that lie beside the corpus."""
    beside = os.path.join(os.path.dirname(runner.options.corpus), "cases", "captures")
    folders = [path for path in (os.path.join(runner.options.corpus, "pipelines"), beside) if os.path.isdir(path)]
    if not folders:
        print("no captured pipelines beside the checkout")
        return
    for target in targets:
        environment = dict(os.environ, KILN_DEVICES=target, KILN_CACHE="off", KILN_PARTS="off", KILN_TIER="auto")
        done = subprocess.run([runner.tool("kiln-replay"), "--icd=kiln", "--counters"] + folders,
                              capture_output=True, text=True, check=False, env=environment)
        made = sum(int(number) for number in re.findall(r"^# direct tier made (\d+)$", done.stdout, re.M))
        refused = re.findall(r"^# direct tier refused (.*)$", done.stdout, re.M)
        print(f"{target}: {made} pipelines and parts of captured programs by the direct tier")
        if done.returncode or not made:
            runner.failures.append(f"kiln-replay, {target}: exit code {done.returncode}: {done.stderr[-2000:]}")
        runner.failures += [f"{target}: the direct tier refused {what}" for what in refused]


def parse_arguments():
    """The command line; see the text at the top."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=corpus_modules.SETS + corpus_graphics.SETS
                        + ("determinism", "direct"))
    parser.add_argument("--bin", required=True, help="folder of amdllpc and pal-verify")
    parser.add_argument("--cache", required=True, help="folder for the modules made from text")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(root), "shared", "corpus"))
    parser.add_argument("--targets", default=",".join(TARGETS))
    return parser.parse_args()


def main():
    options = parse_arguments()
    missing = [tool for tool in ("glslangValidator", "spirv-as") if not shutil.which(tool)]
    has_mixed_inputs = options.check in ("determinism", "direct")
    if missing or not (has_mixed_inputs or os.path.isdir(options.corpus)):
        print("skipped: " + (f"no {missing[0]}" if missing else "no corpus beside the checkout"))
        return SKIPPED
    os.makedirs(options.cache, exist_ok=True)
    start = time.monotonic()
    targets = options.targets.split(",")
    is_graphics = options.check in corpus_graphics.SETS
    with tempfile.TemporaryDirectory() as folder:
        if has_mixed_inputs:
            modules = determinism_inputs(options, folder)
        else:
            modules = (corpus_graphics if is_graphics else corpus_modules).load(
                options.corpus, options.cache, options.check)
        made = time.monotonic()
        runner = Runner(options, folder)
        if options.check == "direct":
            check_direct(runner, modules, targets)
            check_direct_captures(runner, targets)
        elif has_mixed_inputs:
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
