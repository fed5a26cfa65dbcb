# SPDX-License-Identifier: MIT
"""Prints how many registers at a report's peak of vector registers hold values of each variable, and how many of none."""
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    stage = json.load(file)["pipelines"][0]["stages"][0]
counts = collections.Counter(name for entry in stage["vgpr_peak"]["registers"] for name in entry["variables"] or ["(none)"])
for variable, count in sorted(counts.items()):
    print(f"{variable}: {count}")
assert all(entry["variables"] or entry["writers"] for entry in stage["vgpr_peak"]["registers"])
assert {name for entry in stage["vgpr_peak"]["registers"] for name in entry["variables"]} <= set(stage["code"]["variables"])
