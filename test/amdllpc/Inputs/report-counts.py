# SPDX-License-Identifier: MIT
"""Prints what a report says of executions: for each instruction its source line, name, runs, lanes, lines, passes through LDS."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for pipeline in report["pipelines"]:
    for warning in pipeline["warnings"]:
        print("warning", warning)
    for stage in pipeline["stages"]:
        run = stage.get("run")
        if not run:
            print("no run")
            continue
        print(stage["stage"], "groups", *run.get("groups", []), run["fault"])
        code = stage["code"]
        for i, text in enumerate(code["text"]):
            place = code["places"][code["place"][i]][0][1] if code["place"][i] >= 0 else 0
            print(place, text.split(" ")[0].removesuffix("_e32"), "runs", run["runs"][i], "lanes", run["lanes"][i], "lines",
                  run["lines"][i], "lds", run["lds_passes"][i], "of", run["lds_passes_without_conflicts"][i])
