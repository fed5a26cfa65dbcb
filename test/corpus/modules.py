# SPDX-License-Identifier: MIT
"""The compute modules of the shader corpus, as a list of Module.

Three sets: `shaders` (MANIFEST.tsv without the cases), `cases` (the runnable cases, with the
specialization that each case.json names) and `pipelines` (modules of captured compute pipelines,
with the entry point and specialization of each JSON). Source text is compiled once by the command
of its MANIFEST.tsv row into a cache folder; a module is made again when its source is newer.
"""
import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

SETS = ("shaders", "cases", "pipelines")


@dataclass(frozen=True)
class Module:
    """One compile: file, entry point, `-spec` arguments. `name` is unique in the corpus."""
    name: str
    path: str
    entry: str
    specs: tuple = field(default=())


def manifest_rows(corpus, stages=("comp",)):
    """Rows of MANIFEST.tsv of these stages as dictionaries."""
    with open(os.path.join(corpus, "MANIFEST.tsv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    header = lines[0].split("\t")
    rows = [dict(zip(header, line.split("\t"))) for line in lines[1:] if line]
    return [row for row in rows if row["stage"] in stages]


def build(source, command, target):
    """Runs a MANIFEST command; returns an error text or None."""
    if os.path.exists(target) and os.path.getmtime(target) >= os.path.getmtime(source):
        return None
    partial = f"{target}.{os.getpid()}.part"
    done = subprocess.run(shlex.split(command) + ["-o", partial, source], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        return f"{source}: {done.stdout}{done.stderr}"
    os.replace(partial, target)
    return None


def case_of(folder):
    """(source file, entry point, -spec arguments) of the one pipeline of a case."""
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        case = json.load(file)
    shaders = case["shaders"]
    shader = (list(shaders.values()) if isinstance(shaders, dict) else shaders)[0]
    pipelines = case["pipelines"]
    pipeline = (list(pipelines.values()) if isinstance(pipelines, dict) else pipelines)[0]
    stage = pipeline["shaders"][0]
    specs = tuple(f"{s['id']}={s['value']}" for s in stage.get("specialize") or ())
    return os.path.join(folder, shader["text"]), stage["entry"], specs


def text_modules(corpus, cache, want_cases):
    """Modules of the manifest, compiled into the cache folder."""
    os.makedirs(cache, exist_ok=True)
    modules, jobs = [], []
    for row in manifest_rows(corpus):
        is_case = row["name"].startswith("cases/")
        if is_case != want_cases:
            continue
        source, entry, specs = os.path.join(corpus, row["name"]), row["entry"], ()
        if is_case:
            source, entry, specs = case_of(source)
        target = os.path.join(cache, row["name"].replace("/", ".") + ".spv")
        jobs.append((source, row["compile"], target))
        modules.append(Module(row["name"], target, entry, specs))
    with ThreadPoolExecutor(2) as pool:
        errors = [error for error in pool.map(lambda job: build(*job), jobs) if error]
    if errors:
        raise RuntimeError("\n".join(errors))
    return modules


def specialization_of(stage):
    """`-spec` arguments of a VkSpecializationInfo, as raw integers of the entry's size."""
    info = stage.get("specializationInfo")
    if not info:
        return ()
    data = bytes.fromhex(info["data"])
    specs = []
    for entry in info["mapEntries"]:
        raw = data[entry["offset"]:entry["offset"] + entry["size"]]
        specs.append(f"{entry['constantID']}={int.from_bytes(raw, 'little')}")
    return tuple(specs)


def pipeline_modules(corpus):
    """Distinct (module, entry, specialization) of the captured compute pipelines."""
    modules = {}
    top = os.path.join(corpus, "pipelines")
    for program in sorted(os.listdir(top)):
        folder = os.path.join(top, program, "compute")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                stage = json.load(file)["stages"][0]
            path = os.path.join(top, program, "modules", stage["module"] + ".spv")
            specs = specialization_of(stage)
            key = (path, stage["name"], specs)
            modules[key] = Module(f"pipelines/{program}/{stage['module']}", *key)
    return list(modules.values())


def load(corpus, cache, which):
    """Modules of one of SETS, in a fixed order."""
    if which == "pipelines":
        return pipeline_modules(corpus)
    return text_modules(corpus, cache, which == "cases")
