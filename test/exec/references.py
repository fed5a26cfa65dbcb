# SPDX-License-Identifier: MIT
"""The control's results, and whether they were right, for run.py. Nothing that is wrong in the control stops another test."""
import glob
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "scripts")
DEFECTS = os.path.join(HERE, "control-defects.txt")
CRASH = "crash"  # the test's name in that list where it is no single test


def known_crash():
    """Why the control may end its process on this host, or None. The other lines of the list are kiln-exec's."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        features = set(file.read().split())
    width = os.environ.get("LP_NATIVE_VECTOR_WIDTH", "256" if "avx" in features else "128")
    holds = {"any", "avx512" if "avx512f" in features else "no-avx512", width + "-bit"}
    with open(DEFECTS, encoding="utf-8") as file:
        for line in file:
            columns = [column.strip() for column in line.split("|", 2)]
            if columns[0] == CRASH and set(columns[1].split()) <= holds:
                return columns[2]
    return None


def files_after(path):
    """The test files behind one, in the order of kiln-exec."""
    files = sorted(name for suffix in ("comp", "spvasm", "draw")
                   for name in glob.glob(os.path.join(SCRIPTS, "**", "*." + suffix), recursive=True))
    return [name for name in files if name > path]


def run_scripts(driver, run_draws):
    """Exit codes of the test files. Where the control ends the process, the next file goes on."""
    running, codes = os.path.join(driver.references, "running"), []
    files, known = files_after(""), known_crash()
    while files:
        driver.log.flush()
        begin = os.path.getsize(driver.log.name)
        codes.append(run_draws(driver, files))
        if codes[-1] in (0, 1) or not os.path.exists(running):
            break
        with open(running, encoding="utf-8") as file:
            last = file.read()
        if known:  # what failed before the end is another matter
            with open(driver.log.name, encoding="utf-8", errors="replace") as file:
                file.seek(begin)
                codes[-1] = int("FAIL [" in file.read())
        print(f"lavapipe ended the process in {last}" + (f" (known: {known})" if known else ""), file=driver.log)
        files = files_after(last)
    return codes


def record(driver, run_draws, options):
    """Runs the control and writes down what it said."""
    path = os.path.join(options.work, "lavapipe.json")
    if os.path.exists(path):
        os.remove(path)
    with open(os.path.join(options.own, "log.txt"), "w+", encoding="utf-8", errors="replace") as driver.log:
        codes = run_scripts(driver, run_draws) + [driver.run("families")]
        driver.log.seek(0)
        text = driver.log.read()
    print(text, end="")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"codes": codes, "text": text}, file)


def judge(options):
    """Exit codes of what was recorded."""
    path = os.path.join(options.work, "lavapipe.json")
    if not os.path.exists(path):
        print("the control has not run, or did not end: see the check `references`")
        return [1]
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    print(found["text"], end="")
    return found["codes"]
