#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Facts of reports that must fit together, for examples and the shader corpus, both tiers; a ctest test (`report-facts`).

    facts.py --bin FOLDER --work FOLDER

Live registers are at most those that were allocated. Waits wait for operations that some counter counts. All instructions of a
block ran equally often, a block no more often than the blocks that lead to it, and lanes were no more than there are. The IR
behind each pass can be put together.
"""
import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
SHADER = re.compile(r"\.(comp|vert|frag|spvasm|mesh|task|geom|tesc|tese|pipe)$")


def problems_of_run(stage):
    run, wave = stage["run"], stage["figures"]["wave_size"]
    if run["fault"]:
        return  # instructions behind it did not run
    for b, block in enumerate(stage["blocks"]):
        runs = {run["runs"][i] for i in range(block["begin"], block["end"])}
        if len(runs) > 1:
            yield f"block {b} has instructions that ran {sorted(runs)} times"
        before = [other for other in stage["blocks"] if b in other["to"]]
        most = sum(run["runs"][other["end"] - 1] for other in before)
        if b and before and run["runs"][block["begin"]] > most:
            yield f"block {b} ran {run['runs'][block['begin']]} times, those before it {most}"
    for i, runs in enumerate(run["runs"]):
        if run["lanes"][i] > runs * wave or run["masked"][i] > runs:
            yield f"instruction {i}: {run['lanes'][i]} lanes in {runs} runs"
        if run["lds_passes"][i] < run["lds_passes_without_conflicts"][i]:
            yield f"instruction {i}: fewer LDS passes than without conflicts"


def problems_of_stage(stage):
    figures, code = stage["figures"], stage["code"]
    for kind in ("vgprs", "sgprs"):
        if stage[kind + "_at_peak"] > figures[kind]:
            yield f"{stage[kind + '_at_peak']} {kind} are live, {figures[kind]} are allocated"
        if max(code[kind]) != stage[kind + "_at_peak"]:
            yield f"the most live {kind} are not those of the peak"
    if stage["live_is_upper_bound"]:
        yield "masks could not be followed"
    counted = {operation["at"] for operation in stage["memory"]["operations"] if "counter" in operation}
    for wait in stage["memory"]["waits"]:
        for at in wait["for"]:
            if at not in counted and not code["text"][at].startswith("s_"):
                yield f"{code['text'][wait['at']]} waits for {code['text'][at]}"
    if "run" in stage:
        yield from problems_of_run(stage)


def problems_of_passes(pipeline):
    text = []
    for change in pipeline["passes"]:
        after, at = [], 0
        for begin, removed, added in change["changes"]:
            if begin < at or begin + removed > len(text):
                yield f"{change['name']}: a change leaves the text"
            after += text[at:begin] + added
            at = begin + removed
        text = after + text[at:]
        if len(text) != len(change["lines"]):
            yield f"{change['name']}: {len(text)} lines, {len(change['lines'])} source lines"


def corpus_inputs():
    """Arguments for the examples, and for each folder of the corpus, by name."""
    inputs = {"examples": [os.path.join(ROOT, "examples")]}
    for name in sorted(os.listdir(CORPUS)) if os.path.isdir(CORPUS) else []:
        folder = os.path.join(CORPUS, name)
        if os.path.isdir(folder) and any(map(SHADER.search, os.listdir(folder))):
            inputs[name] = ["-separate", folder]
    return inputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    stages = failed = 0
    for tier in ("llvm", "direct"):
        for name, arguments in corpus_inputs().items():
            file = os.path.join(options.work, f"{name}-{tier}.json")
            subprocess.run([os.path.join(options.bin, "amdllpc"), "-gfxip=gfx1030,gfx1201", "-run", f"-tier={tier}", f"-report={file}",
                            *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            with open(file, encoding="utf-8") as opened:
                report = json.load(opened)
            for pipeline in report["pipelines"]:
                problems = list(problems_of_passes(pipeline)) if "passes" in pipeline else []
                for stage in pipeline.get("stages", []):
                    stages += 1
                    problems += [f"{stage['stage']}: {text}" for text in problems_of_stage(stage)]
                if pipeline.get("error", "").startswith("internal"):
                    problems.append(pipeline["error"])
                for text in problems:
                    print(f"{pipeline['name']} [{pipeline['target']}] {tier}: {text}")
                failed += len(problems)
            os.remove(file)
    print(f"{stages} stages, {failed} problems")
    return 1 if failed or not stages else 0


if __name__ == "__main__":
    sys.exit(main())
