# SPDX-License-Identifier: MIT
"""Prints a report's facts for FileCheck: a line for each instruction, with the source lines that it comes from."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for pipeline in report["pipelines"]:
    if "error" in pipeline:
        print("error", pipeline["error"])
        continue
    print("tier", pipeline["tier"])
    for stage in pipeline["stages"]:
        code, figures = stage["code"], stage["figures"]
        print("stage", stage["stage"], *stage["shaders"])
        print("figures", *(f"{name} {value}" for name, value in figures.items()))
        fits = stage["vgprs_at_peak"] <= figures["vgprs"] and stage["sgprs_at_peak"] <= figures["sgprs"]
        print("peak at most what is allocated" if fits else "peak does not fit")
        print("loops", len(stage["loops"]))
        waited = {operation["at"] for operation in stage["memory"]["operations"] if operation["waited_at"]}
        for i, text in enumerate(code["text"]):
            places = [] if code["place"][i] < 0 else code["places"][code["place"][i]]
            names = [report["sources"][source]["name"].split("/")[-1] + f":{line}" + (f" in {name}" if name else "")
                     for source, line, name in places]
            print(", called from ".join(names), text.split(" ")[0].removesuffix("_e32").removesuffix("_e64"),
                  "waited for" if i in waited else "")
    text = []
    for change in pipeline["passes"]:
        print("pass", change["name"])
        after, at = [], 0
        for begin, removed, added in change["changes"]:
            after += text[at:begin] + added
            at = begin + removed
        text = after + text[at:]
        if len(text) != len(change["lines"]):
            print("text does not fit")
