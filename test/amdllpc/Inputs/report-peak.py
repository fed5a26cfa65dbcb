# SPDX-License-Identifier: MIT
"""Prints the instruction at a report's peak of vector registers, and what wrote the register that it names first."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    stage = json.load(file)["pipelines"][0]["stages"][0]
text, peak = stage["code"]["text"], stage["vgpr_peak"]
print("peak", text[peak["instruction"]])
register = text[peak["instruction"]].split(" ")[1].rstrip(",")
for entry in peak["registers"]:
    if entry["name"] == register:
        print(register, "written by", *(text[i] for i in entry["writers"]))
