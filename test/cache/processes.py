#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""processes.py MANIFEST BIN: what one process has compiled, others find on disk; ctest `cache-processes`.

The program trefoil draws its picture again and again, with caches of every kind in a folder of the
test's own. The picture is always the same, to the bit; KILN_STATS says where the code came from.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SIZE = ("80", "50")


class Runs:
    def __init__(self, manifest, program, work):
        self.manifest, self.program, self.work = manifest, program, work
        self.picture, self.failed = {}, False

    def path(self, *names):
        return os.path.join(self.work, *names)

    def draw(self, what, conditions, **variables):
        """CONDITIONS: of counters, such as "compiled == 0"; `log` is what the driver said."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("VK_", "KILN_", "XDG_", "HOME"))}
        log, file = self.path("log"), self.path("picture.png")
        environment.update(VK_DRIVER_FILES=self.manifest, VK_ICD_FILENAMES=self.manifest,
                           NODEVICE_SELECT="1", KILN_STATS="1", KILN_LOG=log, KILN_PARTS="off",
                           KILN_DEVICES="gfx1100", KILN_TIER="llvm")  # nothing is compiled behind the program's end
        environment.update(variables)
        for name in (log, file):
            if os.path.exists(name):
                os.remove(name)
        done = subprocess.run([self.program, file, *SIZE], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode or done.stderr:
            return self.fail(what, f"exit code {done.returncode}, said: {done.stderr}")
        with open(file, "rb") as picture:
            pixels = picture.read()
        if self.picture.setdefault(environment["KILN_DEVICES"], pixels) != pixels:
            self.fail(what, "another picture")
        with open(log, encoding="utf-8") as text:
            said = text.read()
        values = {"log": said, "disk": "KILN_STATS: disk" in said}
        for name, pattern in (("compiled", r"compiled monolithically (\d+)"), ("linked", r"linked (\d+)"),
                              ("built", r"parts built (\d+)"), ("glue", r"glue built (\d+)"),
                              ("hits", r"disk (\d+) hits"), ("secondary", r"(\d+) of them read only"),
                              ("stored", r"misses, (\d+) stored"), ("damaged", r"(\d+) damaged")):
            match = re.search(pattern, said)
            values[name] = int(match.group(1)) if match else -1
        for condition in conditions:
            if not eval(condition, {}, values):  # of this file, not of an input
                self.fail(what, f"not so: {condition}\n{said}")

    def fail(self, what, why):
        self.failed = True
        print(f"{what}: {why}")


def main():
    manifest, folder = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(manifest, os.path.join(folder, "trefoil"), work)
        one, two = runs.path("one"), runs.path("two")
        runs.draw("first process", ["compiled > 0", "hits == 0", "stored >= compiled"], KILN_CACHE_DIR=one)
        runs.draw("second process", ["compiled == 0", "hits > 0", "stored == 0"], KILN_CACHE_DIR=one)
        runs.draw("read only", ["compiled == 0", "hits > 0"], KILN_CACHE_DIR=one, KILN_CACHE="readonly")
        runs.draw("another GPU", ["compiled > 0", "hits == 0"], KILN_CACHE_DIR=one, KILN_DEVICES="gfx1030")
        runs.draw("another level", ["compiled > 0", "hits == 0"], KILN_CACHE_DIR=one, KILN_OPT_LEVEL="1")
        runs.draw("parts", ["linked > 0", "built > 0"], KILN_CACHE_DIR=one, KILN_PARTS="sync")
        runs.draw("parts again", ["built == 0", "glue == 0", "compiled == 0", "hits > 0"],
                  KILN_CACHE_DIR=one, KILN_PARTS="sync")

        file = runs.path("compiled.db")
        shutil.copy(os.path.join(one, "cache-1.db"), file)
        os.chmod(file, 0o400)
        runs.draw("compiled in advance", ["compiled == 0", "secondary == hits", "stored == 0"],
                  KILN_CACHE_DIR=two, KILN_CACHE_READ_ONLY=f"{runs.path('none')}:{file}")
        runs.draw("compiled in advance, alone", ["compiled == 0", "secondary > 0"],
                  KILN_CACHE_READ_ONLY=file)

        with open(os.path.join(one, "cache-1.db"), "r+b") as database:
            data = bytearray(database.read())
            data[4096:] = bytes(byte ^ 0x5a for byte in data[4096:])
            database.seek(0)
            database.write(data)
        runs.draw("damaged file", ["compiled > 0", "'damaged and is made anew' in log"], KILN_CACHE_DIR=one)
        runs.draw("damaged file, again", ["compiled == 0", "'damaged and' not in log"], KILN_CACHE_DIR=one)

        with open(os.path.join(two, "cache-1.db"), "w", encoding="ascii") as foreign:
            foreign.write("my notes\n" * 1000)
        runs.draw("foreign file", ["compiled > 0", "'not a cache of this driver' in log", "not disk"],
                  KILN_CACHE_DIR=two)
        with open(os.path.join(two, "cache-1.db"), encoding="ascii") as foreign:
            if foreign.read() != "my notes\n" * 1000:
                runs.fail("foreign file", "it was changed")

        home = runs.path("home")
        os.mkdir(home)
        runs.draw("off", ["compiled > 0", "not disk"], HOME=home, KILN_CACHE="off")
        if os.listdir(home):
            runs.fail("off", f"there is {os.listdir(home)}")
        runs.draw("no home", ["compiled > 0", "not disk"])
        runs.draw("home", ["compiled > 0", "stored > 0"], HOME=home)
        runs.draw("home again", ["compiled == 0", "hits > 0"], HOME=home)
        if not os.path.exists(os.path.join(home, ".cache", "kiln", "cache-1.db")):
            runs.fail("home", "the file is somewhere else")
        sys.exit(1 if runs.failed else 0)


if __name__ == "__main__":
    main()
