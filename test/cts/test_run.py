#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests run.py with a program that does what a conformance suite can do: fail, crash, hang, end early."""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "fake_deqp.py")
BAD = {"dEQP-VK.one.first.fail": "Fail", "dEQP-VK.one.first.crash": "Crash", "dEQP-VK.one.first.hang": "Timeout",
       "dEQP-VK.one.first.leave": "Crash", "dEQP-VK.one.second.fail-everywhere": "Fail",
       "dEQP-VK.one.second.lost": "DeviceLost", "dEQP-VK.one.second.text": "Fail",
       "dEQP-VK.two.ends.pass-crash-behind": "Crash", "dEQP-VK.two.ends.pass-leave-at-end": "Crash"}


class RunTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_suite(self, *arguments, timeout="300"):
        """(exit code, output, {case: fields of results.tsv})."""
        results = os.path.join(self.folder, "results")
        done = subprocess.run([sys.executable, os.path.join(HERE, "run.py"), f"--deqp={FAKE}", "--icd=kiln.json",
                               "--control-icd=control.json", f"--results={results}", f"--timeout={timeout}",
                               *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        table = {}
        path = os.path.join(results, "results.tsv")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    case, *fields = line.rstrip("\n").split("\t")
                    self.assertNotIn(case, table)
                    table[case] = fields
        return done.returncode, done.stdout.decode(), table

    def test_stopped(self):
        """The suite's process ends, too, and what had a result by then is kept."""
        results = os.path.join(self.folder, "results")
        table = os.path.join(results, "results.tsv")
        list_ = self.write("list", "".join(f"dEQP-VK.one.first.{name}\n" for name in ("pass0", "crash", "pass2", "hang")))
        with subprocess.Popen([sys.executable, os.path.join(HERE, "run.py"), f"--deqp={FAKE}", "--icd=kiln.json",
                               "--control=none", f"--results={results}", "--timeout=300", f"--caselist={list_}"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
            log = os.path.join(results, "kiln", "0-1.qpa")  # the process behind the crash
            while not (os.path.exists(log) and "first.hang" in self.text_of(log)):
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            process.terminate()
            self.assertEqual(process.wait(60), 128 + signal.SIGTERM)
        self.assertEqual([line.split("\t")[0] for line in self.text_of(table).splitlines()],
                         [f"dEQP-VK.one.first.{name}" for name in ("pass0", "crash", "pass2")])
        for name in os.listdir("/proc"):
            if name.isdigit() and os.path.exists(f"/proc/{name}/cmdline"):
                try:
                    self.assertNotIn(log, self.text_of(f"/proc/{name}/cmdline"))
                except (FileNotFoundError, ProcessLookupError):
                    pass

    @staticmethod
    def text_of(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def test_every_ending(self):
        # Only the case that hangs waits that long; on a loaded machine starting takes seconds, too.
        code, output, table = self.run_suite("--jobs=2", timeout="20")
        self.assertEqual(code, 1, output)
        self.assertEqual(len(table), 79)
        bad = {case: fields[0] for case, fields in table.items() if fields[0] not in ("Pass", "NotSupported")}
        self.assertEqual(bad, BAD)
        self.assertEqual(table["dEQP-VK.one.second.text"][1], "1 < 2 &")
        self.assertEqual(table["dEQP-VK.one.first.crash"][1:], ["signal 11", "Pass"])
        self.assertEqual(table["dEQP-VK.one.second.fail-everywhere"][2], "Fail")
        for case, ending in (("crash-behind", "signal 11"), ("leave-at-end", "ended with 7")):
            self.assertEqual(table[f"dEQP-VK.two.ends.pass-{case}"][1:],
                             [f"behind the case, which had Pass (ok): {ending}", "Pass"])
        self.assertIn("79 cases, 9 failures without an explained exception", output)
        self.assertIn("the control ran 9 of them: 8 fail here only, 0 there only", output)

    def test_exceptions(self):
        listed = self.write("exceptions.txt", "# a comment\ndEQP-VK.one.first.* Fail Crash: first reason\n"
                            + "".join(f"{case} {status}: second\n" for case, status in BAD.items()
                                      if ".one.first." not in case))
        code, output, _ = self.run_suite(f"--exceptions={listed}", "--exclude=*.hang")
        self.assertEqual(code, 0, output)
        self.assertIn("expected: dEQP-VK.one.first.fail: Fail: Wrong; the control: Pass [first reason]", output)
        self.assertIn("no longer an exception? dEQP-VK.one.first.pass0", output)

    def test_exceptions_are_for_failures_unless_they_say_more(self):
        listed = self.write("exceptions.txt", "dEQP-VK.one.*: reason\n")
        code, output, _ = self.run_suite(f"--exceptions={listed}", "--filter=*.crash", "--filter=*.fail")
        self.assertEqual(code, 1, output)
        self.assertIn("expected: dEQP-VK.one.first.fail: Fail", output)
        self.assertIn("FAILED: dEQP-VK.one.first.crash: Crash", output)

    def test_exception_without_reason(self):
        code, output, _ = self.run_suite(f"--exceptions={self.write('exceptions.txt', 'dEQP-VK.one.first.fail')}")
        self.assertNotEqual(code, 0)
        self.assertIn("exceptions.txt:1: an exception needs a reason", output)

    def test_sample_takes_of_every_group(self):
        code, output, table = self.run_suite("--sample=10", "--exclude=*.crash", "--exclude=*.hang")
        groups = {".".join(case.split(".")[:3]) for case in table}
        self.assertEqual(groups, {"dEQP-VK.one.first", "dEQP-VK.one.second", "dEQP-VK.two.only",
                                  "dEQP-VK.two.ends"}, output)
        self.assertLessEqual(len(table), 13)
        self.assertEqual(code, 1 if any(fields[0] in ("Fail", "Crash") for fields in table.values()) else 0)

    def test_case_lists(self):
        os.mkdir(os.path.join(self.folder, "part"))
        self.write("part/a.txt", "dEQP-VK.one.first.pass0\ndEQP-VK.one.first.pass1\ndEQP-VK.gone.case\n")
        code, output, table = self.run_suite(f"--caselist={self.write('all.txt', 'part/a.txt')}",
                                             "--filter=*.pass0", "--filter=*gone*")
        self.assertEqual(set(table), {"dEQP-VK.one.first.pass0", "dEQP-VK.gone.case"}, output)
        self.assertEqual(table["dEQP-VK.gone.case"][0], "Missing")
        self.assertEqual(code, 1)

    def test_resume(self):
        os.mkdir(os.path.join(self.folder, "results"))
        self.write("results/results.tsv", "".join(f"{case}\tPass\tbefore\n" for case in BAD))
        code, output, table = self.run_suite("--resume")
        self.assertEqual(code, 0, output)
        self.assertEqual((len(table), table["dEQP-VK.one.first.fail"][1]), (79, "before"))

    def test_program_that_cannot_start(self):
        code, output, _ = self.run_suite(f"--deqp={self.write('no.sh', '')}", "--filter=*pass0")
        self.assertNotEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main()
