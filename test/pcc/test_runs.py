# SPDX-License-Identifier: MIT
"""Runs after runs: incremental ones, and ones that are killed."""
import json
import os
import re
import signal
import struct
import subprocess
import time

import check
import pipelines
import small
import support
import template as t
from support import Case, names_of_all, read, run, write


class Incremental(Case):
    """--incremental gives the bytes of a full run, with less work."""

    def run_incremental(self, *arguments):
        done = run("--path", self.inputs, "--out", self.path("inc"), "--incremental", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        check.check(read(self.path("inc")))
        return int(re.search(r"(\d+) unchanged", done.stderr).group(1))

    def expect_same(self, *arguments):
        self.compile("--quiet", *arguments)
        self.assertEqual(read(self.path("inc")), read(self.path("out.bin")))

    def test_same_as_a_full_run(self):
        self.add_all()
        count = len(names_of_all())
        self.assertEqual(self.run_incremental(), 0)  # there is no old file
        self.expect_same()
        self.assertEqual(self.run_incremental(), count)
        self.expect_same()
        self.assertEqual(self.run_incremental("--debug"), count)
        self.expect_same("--debug")
        # A file that changed, one that is new, one that is gone, a module that changed.
        name = os.path.join(self.inputs, "graphics-plain.json")
        write(name, read(name).replace(b"VK_LOGIC_OP_COPY", b"VK_LOGIC_OP_AND"))
        self.add(("new.json", json.dumps(t.compute("push.comp.spv", pipelines.BUFFER, push=[
            ("VK_SHADER_STAGE_ALL", 0, 128)]))))
        os.remove(os.path.join(self.inputs, "compute-plain.json"))
        write(os.path.join(self.inputs, "patch.tese.spv"), read(os.path.join(self.inputs, "patch.tese.spv")))
        write(os.path.join(self.inputs, "yuv.comp.spv"),
              read(os.path.join(self.inputs, "yuv.comp.spv")) + struct.pack("<I", 0x10000))  # OpNop
        self.assertEqual(self.run_incremental("-j2"), count - 3)
        self.expect_same()

    def test_old_files_of_no_use(self):
        self.add_some()
        for old in (b"", b"no cache at all", os.urandom(4096)):
            write(self.path("inc"), old)
            done = run("--path", self.inputs, "--out", self.path("inc"), "--incremental", "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("all is compiled", done.stderr)
            self.expect_same()
        done = run("--path", self.inputs, "--out", "/dev/zero", "--incremental")
        self.assertIn("/dev/zero: no regular file; all is compiled", done.stderr)
        # Another target's: nothing of it fits.
        os.remove(self.path("inc"))
        done = run("--path", self.inputs, "--out", self.path("inc"), "--chip", "gfx1030")
        self.assertEqual(self.run_incremental(), 0)
        self.expect_same()

    def test_damaged_code_is_not_taken(self):
        self.add_some()
        self.run_incremental()
        data = bytearray(read(self.path("inc")))
        elf = check.check(bytes(data)).entries[2].elf
        data[bytes(data).index(elf) + 400] ^= 1
        write(self.path("inc"), bytes(data))
        self.assertEqual(self.run_incremental(), 0)
        self.expect_same()

    def test_optimisation_level_matters(self):
        self.add_some()
        self.run_incremental()
        done = run("--path", self.inputs, "--out", self.path("inc"), "--incremental",
                   environment={"KILN_OPT_LEVEL": "1"})
        self.assertIn(" 0 unchanged", done.stderr)


class Killed(Case):
    """Whoever reads the output sees an old cache or a whole new one."""

    def test_kill(self):
        self.add(*small.texts(150))
        self.compile("--quiet")
        old = read(self.path("out.bin"))
        command = [support.KILN_PCC, "--path", self.inputs, "--out", self.path("out.bin"), "--debug", "--quiet"]
        start = time.monotonic()
        subprocess.run([*command[:4], self.path("new.bin"), *command[5:]], check=True)
        whole = time.monotonic() - start
        new = read(self.path("new.bin"))
        self.assertNotEqual(old, new)
        killed = 0
        for i in range(10):
            with subprocess.Popen(command) as process:
                time.sleep(whole * i / 10)
                process.send_signal(signal.SIGKILL)
                process.wait()
            killed += process.returncode == -signal.SIGKILL
            found = read(self.path("out.bin"))
            self.assertIn(found, (old, new))
            if found == new:
                break
        self.assertGreater(killed, 0)


class FullDisk(Case):
    """What cannot be written leaves all files as they were."""

    def limited(self, *arguments, blocks=8):
        """Files of this run have at most so many blocks of 512 bytes."""
        command = f'ulimit -f {blocks}; exec "$0" "$@"'
        done = subprocess.run(["sh", "-c", command, support.KILN_PCC, *arguments], check=False,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def assert_old(self, *names):
        for name in names:
            self.assertEqual(read(self.path(name)), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["in", *names]))

    def test_limits(self):
        self.add_all()
        for name in ("out.bin", "r.json", "d"):
            write(self.path(name), "old")
        arguments = ("--path", self.inputs, "--out", self.path("out.bin"), "--depfile",
                     self.path("d"), "--report", self.path("r.json"), "--quiet")
        self.assertIn("r.json: File too large", self.limited(*arguments))
        self.assert_old("out.bin", "r.json", "d")
        self.assertIn("out.bin: File too large", self.limited(*arguments, blocks=256))
        self.assert_old("out.bin", "r.json", "d")

    def test_limits_of_commands(self):
        self.add_some(4)
        self.compile("--quiet", "--debug", out="in/c")
        cache = os.path.join(self.inputs, "c")
        write(self.path("o"), "old")
        self.assertIn("o: File too large", self.limited("strip", "-o", self.path("o"), cache))
        self.assert_old("o")
        message = self.limited("extract", "-o", self.inputs, cache, blocks=1)
        self.assertIn(": File too large", message)
        self.assertFalse([name for name in os.listdir(self.inputs) if ".tmp" in name])

    def test_devices(self):
        self.add_some(2)
        write(self.path("o"), "old")
        for option in ("--depfile", "--report", "--log"):
            message = self.refuse("--path", self.inputs, "--out", self.path("o"), option, "/dev/full")
            self.assertIn("No space left on device", message, option)
            self.assert_old("o")
        message = self.refuse("--path", self.inputs, "--out", "/dev/full")
        self.assertEqual(message, "kiln-pcc: error: /dev/full: No space left on device\n")
        done = run("--path", self.inputs, "--out", "/dev/null", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("in: Is a directory", self.refuse(
            "--path", self.inputs, "--out", self.inputs, "--depfile", self.path("o")))
        self.assert_old("o")


class Threads(Case):
    """Jobs for which there can be no threads."""

    def test_stacks_too_large(self):
        self.add_some(8)
        self.compile("--quiet")
        command = 'ulimit -s 2000000 && ulimit -v 5000000 && exec "$0" "$@"'
        done = subprocess.run(
            ["sh", "-c", command, support.KILN_PCC, "--path", self.inputs, "--out", self.path("o"),
             "-j8", "--quiet"], check=False, text=True, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(read(self.path("o")), read(self.path("out.bin")))
