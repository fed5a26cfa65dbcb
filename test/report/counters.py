#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executed counts of reports against those that the driver counts while kiln-exec runs the same shader with the same inputs; a ctest
test (`report-counters`).

    counters.py --bin FOLDER --icd FILE.json --work FOLDER [--all]

The driver writes the pipeline that it was given (KILN_DUMP_DIR) and how often each instruction was executed by waves with active lanes
(KILN_OPCODE_COUNTS); the report is of that pipeline. Sums by mnemonic are equal. A fifth of the compute shaders of the examples and the
corpus without --all, two draws, both tiers. Shaders with inputs that one of the two cannot make are left out.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys

from facts import corpus_inputs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAIRS = [[("examples", "trefoil.vert"), ("examples", "trefoil.frag")],
         [("test", "debug", "Inputs", "draw.vert"), ("test", "debug", "Inputs", "draw.frag")]]
TARGET = "gfx1100"  # mnemonics are counted in its spelling
FORM = re.compile(r"(_e32|_e64|_dpp|_dpp8|_sdwa)+$")


def counts_of_report(stage):
    run = stage["run"]
    counts = collections.Counter()
    for text, runs, masked in zip(stage["code"]["text"], run["runs"], run["masked"]):
        for half in text.split(" :: "):  # two that are executed at the same time
            counts[FORM.sub("", half.split()[0]).replace("v_dual_", "v_")] += runs - masked
    return +counts


def counts_of_driver(path):
    counts = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            _, mnemonic, _, count = line.split()
            counts[mnemonic] += int(count)
    return +counts


def compare(options, shader, tier):
    """None: left out; else what is wrong, or an empty text."""
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    counts, report = (os.path.join(options.work, name) for name in ("counts", "report.json"))
    variables = {"VK_DRIVER_FILES": options.icd, "KILN_DEVICES": TARGET, "KILN_CACHE": "off", "KILN_PARTS": "off", "KILN_TIER": tier,
                 "KILN_OPCODE_COUNTS": counts, "KILN_DUMP_DIR": options.work}
    subprocess.run([os.path.join(options.bin, "kiln-exec"), "pairs" if "+" in shader else "sample", "--record", f"--reference={options.work}", "--seed=1", shader], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=dict(os.environ, **variables), check=False)
    dumps = [os.path.join(options.work, name) for name in os.listdir(options.work) if name.endswith(".pipe")]
    if len(dumps) != 1 or not os.path.exists(counts):
        return None
    subprocess.run([os.path.join(options.bin, "amdllpc"), "-run", f"-gfxip={TARGET}", f"-tier={tier}", f"-report={report}", *dumps],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(report, encoding="utf-8") as file:
        pipeline = json.load(file)["pipelines"][0]
    stages = pipeline.get("stages", [])
    if not stages or any("run" not in stage or stage["run"]["fault"] for stage in stages):
        return None
    ours, theirs = sum(map(counts_of_report, stages), collections.Counter()), counts_of_driver(counts)
    return ", ".join(f"{name}: {ours[name]}, kiln-exec has {theirs[name]}"
                     for name in sorted(ours.keys() | theirs.keys()) if ours[name] != theirs[name])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--icd", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    shaders = sorted(os.path.join(arguments[-1], name) for arguments in corpus_inputs().values() for name in os.listdir(arguments[-1])
                     if name.endswith(".comp"))
    if not options.all:
        shaders = shaders[::5]
    shaders += ["+".join(os.path.join(ROOT, *name) for name in pair) for pair in PAIRS]
    compared = failed = 0
    left_out = []
    for shader in shaders:
        for tier in ("llvm", "direct"):
            problem = compare(options, shader, tier)
            if problem is None:
                left_out.append(os.path.basename(shader))
                continue
            compared += 1
            if problem:
                print(f"{shader} {tier}: {problem}")
                failed += 1
    print(f"{compared} runs compared, {failed} differ; left out: {', '.join(sorted(set(left_out))) or 'none'}")
    return 1 if failed or compared < len(shaders) else 0  # half of them


sys.exit(main())
