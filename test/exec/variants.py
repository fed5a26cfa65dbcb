# SPDX-License-Identifier: MIT
"""What other checks of run.py run with the driver's defaults, with another level or tier of code generation.

`run` is run.py as a module.
"""
import glob
import os
import sys

import random_kinds

LEVEL_RANDOM_FILES = 5  # of each kind
# Values of KILN_OPT_LEVEL that are not the default: (value, n, m) runs every mth test file from the nth on: a third.
LEVELS = {"none": ("0", 0, 6), "quick": ("1", 1, 12), "fast": ("3", 3, 12)}
DIRECT_RANDOM_FILES = 40  # of each kind
DIRECT_RAY_FILES = 5
MIN_DIRECT = 0.85  # of the pipelines of each run of `direct`; else it would prove nothing



def script_files(run):
    return sorted(glob.glob(os.path.join(run.HERE, "scripts", "**", "*.*"), recursive=True))


def check_levels(run, options):
    """What other checks run at the default level, at the other levels."""
    scripts = script_files(run)
    random_files = random_kinds.write(os.path.join(options.own, "scripts"),
                                      LEVEL_RANDOM_FILES * (10 if options.all else 1))
    control = run.Driver(options)
    own = os.path.join(options.own, "references")
    os.makedirs(own, exist_ok=True)
    control.references = own
    codes = [run.run_draws(control, random_files)]
    for offset, (name, (level, first, stride)) in enumerate(LEVELS.items()):
        for number, family in enumerate(run.FAMILIES):
            print(f"level {name}:", flush=True)
            driver = run.Driver(options, [family])
            driver.environment["KILN_OPT_LEVEL"] = level
            turn, step = (number + offset) % len(run.FAMILIES), stride * len(run.FAMILIES)
            place = first * len(run.FAMILIES) + turn
            sample = slice(None) if options.all else slice(place, None, step)
            part = [] if options.all else [f"--part={place}/{step}"]
            codes += [run.run_draws(driver, scripts[sample]), driver.run("families", *part)]
            driver.references = own
            codes.append(run.run_draws(driver, random_files[slice(None) if options.all else slice(turn, None, 5)]))
    return codes


def judge_direct(log, name):
    """0 if the direct tier made enough of what it was asked for. Says what it refused."""
    made, refused = 0, {}
    with open(log, encoding="utf-8") as file:
        for line in file:
            text = line.strip().partition("KILN_STATS: direct tier ")[2]
            if text.startswith("made "):
                made += int(text.split(" ")[1])
            elif text.startswith("refused "):
                number, _, reason = text[len("refused "):].partition(": ")
                refused[reason] = refused.get(reason, 0) + int(number)
    total = made + sum(refused.values())
    print(f"{name}: {made} of {total} pipelines by the direct tier", flush=True)
    for reason, count in sorted(refused.items(), key=lambda item: -item[1]):
        print(f"  {count} {reason}", flush=True)
    if made >= MIN_DIRECT * total > 0:
        return 0
    print(f"FAIL {name}: at least {MIN_DIRECT:.0%} should be")
    return 1


def check_direct(run, options):
    """Test files and corpus with code of the direct tier."""
    random_files = random_kinds.write(os.path.join(options.own, "scripts"),
                                      DIRECT_RANDOM_FILES * (15 if options.all else 1), ["compute", "fragment"])
    random_files += random_kinds.write(os.path.join(options.own, "scripts"), DIRECT_RAY_FILES * (15 if options.all else 1),
                                       ["rays", "ray-pipelines", "ray-edges", "ray-damage"])
    own = os.path.join(options.own, "references")
    os.makedirs(own, exist_ok=True)
    control = run.Driver(options)
    control.references = own
    scripts, codes = script_files(run), [run.run_draws(control, random_files)]
    has_corpus = os.path.isdir(options.corpus)
    if has_corpus:
        inputs = {"sample": run.diff_inputs(options), "pairs": run.pair_inputs(options)}
        control = run.Driver(options)
        codes += [run.run_diff(control, files, command) for command, files in inputs.items()]
    for number, family in enumerate(run.FAMILIES):
        driver = run.Driver(options, [family])
        log = os.path.join(options.own, f"{family}.txt")
        open(log, "w", encoding="utf-8").close()
        driver.environment.update(KILN_TIER="direct", KILN_STATS="1", KILN_LOG=log)
        sample = slice(None) if options.all else slice(number, None, len(run.FAMILIES))
        part = [] if options.all else [f"--part={2 * number}/{10}"]
        codes += [run.run_draws(driver, scripts[sample]), driver.run("families", *part)]
        if has_corpus:
            codes += [run.run_diff(driver, files, command) for command, files in inputs.items()]
        driver.references = own
        codes += [run.run_draws(driver, random_files), judge_direct(log, family)]
        # Its parts go on into glue.
        driver = run.Driver(options, [family])
        driver.environment.update(KILN_TIER="direct", KILN_PARTS="sync")
        draws = [path for path in scripts if path.endswith(".draw")]
        turns = slice(None) if options.all else slice(number, None, 2 * len(run.FAMILIES))
        codes.append(run.run_draws(driver, draws[turns]))
        driver.references = own
        fragments = [path for path in random_files if path.endswith(".draw")]
        codes.append(run.run_draws(driver, fragments[turns]))
    return codes


def check_tiers(run, options):
    """Captured pipelines and the corpus: what code of both tiers writes is the same, bit by bit."""
    folder = os.path.join(options.corpus, "pipelines")
    if not os.path.isdir(folder):
        print(f"no captured pipelines at {folder}")
        sys.exit(run.SKIPPED)
    captures = sorted(glob.glob(os.path.join(folder, "*", "*", "*.json")))
    named = {
        "captures": [(path, path) for path in captures],
        "sample": [(text, text) for text in run.diff_inputs(options)],
        "pairs": [(text, text) for text in run.pair_inputs(options)],
    }
    inputs = {command: run.without_exceptions(files, "tier-exceptions.txt") for command, files in named.items()}
    codes = []
    for number, family in enumerate(run.FAMILIES):
        own = os.path.join(options.own, "references-" + family)
        sample = slice(None) if options.all else slice(number, None, len(run.FAMILIES))
        for command, files in inputs.items():
            for tier, mode in (("llvm", "--record"), ("direct", "--exact")):
                driver = run.Driver(options, [family])
                driver.environment["KILN_TIER"] = tier
                codes.append(run.run_mode(driver, "off", command, [mode] + files[sample], own)[0])
    return codes
