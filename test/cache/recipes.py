#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recipes.py MANIFEST BIN: after an update of the driver nothing is compiled while a program waits; kiln-cache lists,
checks, exports, imports and compiles what it knows of the program; ctest `cache-recipes`.

The program is trefoil, and rays for pipelines that have no parts; the update is another KILN_CACHE_SALT.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


class Test:
    def __init__(self, manifest, folder, work):
        self.folder, self.work, self.failed = folder, work, False
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("VK_", "KILN_", "XDG_", "HOME"))}
        self.environment.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, NODEVICE_SELECT="1",
                                KILN_DEVICES="gfx1100")

    def path(self, *names):
        return os.path.join(self.work, *names)

    def run(self, arguments, code=0, **variables):
        """What the program says, standard error behind standard output."""
        done = subprocess.run([os.path.join(self.folder, arguments[0]), *arguments[1:]],
                              env=dict(self.environment, **variables), text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        said = done.stdout + done.stderr
        if done.returncode != code:
            self.fail(arguments, f"exit code {done.returncode}, said: {said}")
        return said

    def draw(self, cache, salt, recipes="on", program="trefoil"):
        """Counters of a run of the program."""
        log = self.path("log")
        if os.path.exists(log):
            os.remove(log)
        self.run([program, self.path("picture.png"), "80", "50"], KILN_CACHE_DIR=cache, KILN_CACHE_SALT=salt,
                 KILN_PARTS="on", KILN_RECIPES=recipes, KILN_STATS="1", KILN_LOG=log)
        with open(log, encoding="utf-8") as text:
            said = text.read()
        counters = {}
        for name, pattern in (("compiled", r"compiled monolithically (\d+)"), ("linked", r"pipelines linked (\d+)"),
                              ("late", r"parts built \d+, while a pipeline waited (\d+)"),
                              ("glueLate", r"glue built \d+, while a pipeline waited (\d+)"),
                              ("noted", r"recipes noted (\d+)"), ("ahead", r"compiled ahead (\d+)")):
            match = re.search(pattern, said)
            counters[name] = int(match.group(1)) if match else -1
        return counters

    def check(self, what, is_right, said):
        if not is_right:
            self.fail(what, said)

    def fail(self, what, why):
        self.failed = True
        print(f"{what}: {why}")


def check_program(test, cache):
    """An update, and what follows."""
    first = test.draw(cache, "1")
    test.check("first run", first["noted"] > 0 and first["ahead"] == 0, first)
    second = test.draw(cache, "2", recipes="wait")
    test.check("updated", second["ahead"] == first["noted"] and second["linked"] > 0
               and not second["compiled"] + second["late"] + second["glueLate"], second)
    third = test.draw(cache, "2", recipes="wait")
    test.check("once for each build", third["ahead"] == 0 and not third["compiled"], third)
    return first["noted"]


def check_rays(test, cache):
    """A ray tracing pipeline is compiled as a whole, ahead, and amdllpc takes what is exported of it."""
    first = test.draw(cache, "1", program="rays")
    test.check("rays", first["noted"] > 0 and first["compiled"] > 0, first)
    second = test.draw(cache, "2", recipes="wait", program="rays")
    test.check("rays, updated", second["ahead"] == first["noted"] and not second["compiled"], second)
    exported = test.path("rays")
    test.run(["kiln-cache", "export", f"--dir={cache}", "rays", exported])
    texts = []
    for name in os.listdir(exported):
        if name.endswith(".pipe"):
            with open(os.path.join(exported, name), encoding="utf-8") as file:
                texts.append(file.read())
            test.run(["amdllpc", "-gfxip=11.0.0", os.path.join(exported, name), "-o", test.path("code.elf")])
    test.check("rays, exported", any("[RayTracingPipelineState]" in text for text in texts), texts)


def check_tool(test, cache, count):
    """kiln-cache."""
    here = f"--dir={cache}"
    said = test.run(["kiln-cache", "list", here])
    row = re.search(r"(\d+) +\d+\.\d+ MB .* trefoil$", said, re.M)
    test.check("list", row and int(row.group(1)) >= count, said)
    said = test.run(["kiln-cache", "verify", here])
    test.check("verify", re.search(r"recipes: (\d+) of \1 are good", said), said)
    exported = test.path("exported")
    said = test.run(["kiln-cache", "export", here, "trefoil", exported])
    files = sorted(name for name in os.listdir(exported) if name.endswith(".pipe"))
    test.check("export", len(files) >= count and f"{len(files)} recipes" in said, said)
    for name in files: # they are what amdllpc compiles
        test.run(["amdllpc", "-gfxip=11.0.0", os.path.join(exported, name), "-o", test.path("code.elf")])
    other = test.path("other")
    os.mkdir(other)
    test.run(["kiln-cache", "import", f"--dir={other}", "trefoil", exported])
    said = test.run(["kiln-cache", "warm", f"--dir={other}", "-j1", "trefoil"], KILN_CACHE_SALT="3")
    test.check("warm", "trefoil: compiled for Kiln gfx1100" in said, said)
    warmed = test.draw(other, "3")
    test.check("warmed", warmed["ahead"] == 0 and warmed["linked"] > 0
               and not warmed["compiled"] + warmed["late"] + warmed["glueLate"], warmed)
    said = test.run(["kiln-cache", "prune", "--older-than=1", here])
    test.check("prune nothing", "removed 0 entries of code and 0 of recipes" in said, said)
    said = test.run(["kiln-cache", "prune", here])
    test.check("prune", re.search(r"removed [1-9]\d* entries of code and [1-9]\d* of recipes", said), said)
    said = test.run(["kiln-cache", "list", here])
    test.check("pruned", "trefoil" not in said, said)


def check_errors(test, cache, exported):
    """Every error is one line, and exit code 1."""
    missing = test.path("missing")
    damaged = test.path("damaged")
    shutil.copytree(exported, damaged)
    for name in os.listdir(damaged):
        if name.endswith(".spv"):
            os.truncate(os.path.join(damaged, name), 6)
    for arguments, expected in (
            ([], "no command; --help lists them"),
            (["lists"], "no command 'lists'; --help lists them"),
            (["list", "x"], "list: 'x' is too much"),
            (["list", "--dirr=x"], "dirr"),
            (["list", f"--dir={missing}"], f"there is no folder {missing}"),
            (["list", f"--dir={exported}"], "there is no"),
            (["export", f"--dir={cache}", "x"], "PROGRAM and FOLDER are to be given, found 1 names"),
            (["export", f"--dir={cache}", "x", missing], "no recipes of a program 'x'"),
            (["import", f"--dir={cache}", "x", missing], missing),
            (["import", f"--dir={cache}", "x", damaged], "no SPIR-V"),
            (["warm", f"--dir={cache}", "x"], "no recipes of a program 'x'"),
            (["warm", f"--dir={cache}", "-j0"], "-j 0: at least one thread is needed")):
        said = test.run(["kiln-cache", *arguments], code=1)
        test.check(arguments, expected in said and said.startswith("kiln-cache: error: ") and said.count("\n") == 1, said)


def main():
    manifest, folder = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as work:
        test = Test(manifest, folder, work)
        cache = test.path("cache")
        os.mkdir(cache)
        count = check_program(test, cache)
        rays = test.path("rays-cache")
        os.mkdir(rays)
        check_rays(test, rays)
        check_tool(test, cache, count)
        check_errors(test, cache, test.path("exported"))
        return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
