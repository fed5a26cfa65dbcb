#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""control.py --bin DIR --icd FILE --build DIR: what is wrong in the control stops no test (ctest: exec-control).

A stand-in for kiln-exec fails or dies as lavapipe might on some machine; kiln-exec itself gets lists of defects, and tests
that lavapipe cannot run.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import run

RUN = os.path.join(run.HERE, "run.py")
OPTIONS = None

# Ends like a crash in the second file that it is given, and writes down what it was given.
DYING = """#!/bin/bash
echo "$@" >> "$LOG"
[[ $1 == scripts ]] || exit 0
for word in "$@"; do case $word in --reference=*) folder=${word#*=} ;; *.comp) files+=("$word") ;; esac; done
(( ${#files[@]} > 1 )) || { rm -f "$folder/running"; exit 0; }
printf '%s' "${files[1]}" > "$folder/running"
kill -SEGV $$
"""
WRONG = "#!/bin/bash\necho 'FAIL [lavapipe] something'\nexit 1\n"

# lavapipe lacks the feature that it asks for, so it has nothing to compare with; what is expected without it counts.
SHADER = """#version 450
//! buffer 0.0 u32 : 0*64
//! buffer 0.1 u32 : 0*64
//! requires %s
//! expect 0.0 u32 : %d*64
//! compare 0.1 u32
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  a[gl_LocalInvocationIndex] = 7;
  b[gl_LocalInvocationIndex] = 8;
}
"""
MISSING = "fragmentShaderBarycentric"  # on lavapipe; every family has it


class StandIn(unittest.TestCase):
    """Checks whose kiln-exec is another program."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def check(self, name, width="256"):
        """(exit code, output) of a check."""
        done = subprocess.run(
            [sys.executable, RUN, name, "--bin", self.folder.name, "--work", os.path.join(self.folder.name, "work")],
            env={**os.environ, "LOG": os.path.join(self.folder.name, "log"), "LP_NATIVE_VECTOR_WIDTH": width}, check=False, text=True,
            stdout=subprocess.PIPE)
        return done.returncode, done.stdout

    def install(self, text):
        path = os.path.join(self.folder.name, "kiln-exec")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def test_wrong(self):
        self.install(WRONG)
        self.assertEqual(self.check("references")[0], 0)
        code, text = self.check("lavapipe")
        self.assertEqual(code, 1)
        self.assertIn("FAIL [lavapipe] something", text)

    def test_nothing_to_say(self):
        self.install(WRONG)
        self.assertEqual(self.check("lavapipe")[0], 1)

    def test_crash(self):
        self.install(DYING)
        self.assertEqual(self.check("references")[0], 0)
        code, text = self.check("lavapipe")
        self.assertEqual(code, 1)
        self.assertIn("lavapipe ended the process in ", text)
        with open(os.path.join(self.folder.name, "log"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[-1].startswith("families"))
        seen = [[word for word in line.split() if word.endswith(".comp")] for line in lines[:-1]]
        files = sorted(glob.glob(os.path.join(run.HERE, "scripts", "**", "*.comp"), recursive=True))
        self.assertEqual(seen[0], files)
        self.assertEqual(seen[1], files[2:])
        self.assertEqual([name for names in seen for name in names[:2]], files)

    def test_known_crash(self):
        self.install(DYING)
        self.check("references", width="128")
        self.assertEqual(self.check("lavapipe", width="128")[0], 0)
        self.install(DYING.replace("#!/bin/bash", "#!/bin/bash\necho 'FAIL [lavapipe] something'", 1))
        self.check("references", width="128")
        self.assertEqual(self.check("lavapipe", width="128")[0], 1)


class Order(unittest.TestCase):
    """What ctest runs only when something else is green."""

    def test_fixtures(self):
        # In a folder of its own: ctest empties the log of its folder, which may be that of a run in progress.
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
                file.write(f'subdirs("{os.path.abspath(OPTIONS.build)}")\n')
            listed = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=folder, check=True,
                                               stdout=subprocess.PIPE, text=True).stdout)
        setups = {test["name"] for test in listed["tests"]
                  for item in test.get("properties", []) if item["name"] == "FIXTURES_SETUP"}
        self.assertEqual(setups, {"exec-references"})


class Defects(unittest.TestCase):
    """kiln-exec on lavapipe and on a device of ours."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def kiln_exec(self, families, *arguments):
        options = argparse.Namespace(icd=OPTIONS.icd, work=self.path("work"), counts=None, own=self.path("work"))
        done = subprocess.run([os.path.join(OPTIONS.bin, "kiln-exec"), *arguments], check=False, text=True,
                              env=run.Driver(options, families).environment, stdout=subprocess.PIPE)
        return done.returncode, done.stdout

    def test_left_out(self):
        """What only the control could judge is left out, and said; the rest counts."""
        for value, green in ((7, True), (6, False)):
            test = self.path(f"t{value}.comp", SHADER % (MISSING, value))
            reference = "--reference=" + self.path("")
            code, text = self.kiln_exec(["gfx1100"], "scripts", reference, test)
            self.assertEqual(code, 1)  # the control has not run
            self.kiln_exec(None, "scripts", reference, test)
            code, text = self.kiln_exec(["gfx1100"], "scripts", reference, test)
            self.assertEqual(code, 0 if green else 1, text)
            self.assertIn("gfx1100: 1 passed, 0 failed" if green else "gfx1100: 0 passed, 1 failed", text)
            self.assertEqual("LEFT OUT [gfx1100]" in text, green)

    def test_bad_list(self):
        for line, why in (("OpIAdd | any", "is not of the form"), ("OpIAdd | avx513 | x", "'avx513' is none of"),
                          ("OpIAdd | | x", "which hosts?")):
            defects = "--control-defects=" + self.path("list", f"# comment\n{line}\n")
            code, text = self.kiln_exec(None, "families", "--filter=OpIAdd", defects)
            self.assertEqual(code, 2)
            self.assertIn("line 2: ", text)
            self.assertIn(why, text)

    def test_known(self):
        """A failing test is none when it is listed for this host, and is named."""
        test = self.path("wrong.comp", (SHADER % ("shaderInt64", 6)).replace("//! compare 0.1 u32\n", ""))
        for hosts, green in (("any", True), ("avx512 no-avx512", False), ("96-bit", False)):
            defects = "--control-defects=" + self.path("list", f"wrong.comp | {hosts} | is made wrong\n")
            code, text = self.kiln_exec(None, "scripts", defects, test, os.path.join(run.HERE, "scripts", "constants"))
            self.assertEqual(code, 0 if green else 1, text)
            self.assertIn("CONTROL [lavapipe]" if green else "FAIL [lavapipe]", text)
            # The list is for the control alone.
            code, text = self.kiln_exec(["gfx1100"], "scripts", defects, test)
            self.assertEqual(code, 1)


def main():
    """See the text at the top."""
    global OPTIONS  # pylint: disable=global-statement
    parser = argparse.ArgumentParser()
    for name in ("bin", "icd", "build"):
        parser.add_argument("--" + name, required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
