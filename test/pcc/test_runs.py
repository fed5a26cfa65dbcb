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

    def prepare(self):
        """Two caches of the same pipelines; the new one is large, and soon compiled."""
        self.add(*((name, json.dumps({**json.loads(text), "Comment": "x" * 2_000_000}))
                   for name, text in small.texts(8)))
        self.compile("--quiet")
        old = read(self.path("out.bin"))
        self.compile("--quiet", "--debug", out="new.bin")
        return old, read(self.path("new.bin"))

    def temporaries(self):
        """Files that are being written: their sizes."""
        sizes = []
        for entry in os.scandir(self.folder):
            if ".tmp" in entry.name:
                try:
                    sizes.append(entry.stat().st_size)
                except FileNotFoundError:
                    pass
        return sizes

    def kill_when(self, is_time):
        """Runs kiln-pcc over the old cache, and kills it when it is time. Was it?"""
        command = [support.KILN_PCC, "--path", self.inputs, "--out", self.path("out.bin"), "--debug", "--quiet",
                   "--incremental"]
        with subprocess.Popen(command) as process:
            while process.poll() is None and not is_time(process):
                pass
            process.send_signal(signal.SIGKILL)
            process.wait()
        return process.returncode == -signal.SIGKILL

    def test_kill(self):
        old, new = self.prepare()
        self.assertNotEqual(old, new)
        killed, half = 0, 0
        # On a busy machine this process may sleep while the other one writes: again, then.
        for part in (0, 0.001, 0.2, 0.5, 0.8, 0.99, 1) * 10:
            write(self.path("out.bin"), old)
            wanted = part * len(new)
            killed += self.kill_when(lambda _, wanted=wanted: any(size >= wanted for size in self.temporaries()))
            self.assertIn(read(self.path("out.bin")), (old, new), part)
            half += any(0 < size < len(new) for size in self.temporaries())
            for entry in os.scandir(self.folder):
                if ".tmp" in entry.name:
                    os.remove(entry)
            if part == 1 and killed >= 5 and half >= 2:
                break
        # Or else other moments than that of writing were tested.
        self.assertGreaterEqual(killed, 5)
        self.assertGreaterEqual(half, 2)

    def test_kill_around_the_exchange(self):
        """When all is written, until the program ends."""
        old, new = self.prepare()
        before, seen = os.stat(self.path("out.bin")).st_ino, set()
        for delay in range(6):
            write(self.path("out.bin"), old)
            before = os.stat(self.path("out.bin")).st_ino

            def is_time(_, delay=delay, before=before):
                if delay % 2:  # it has just happened
                    return os.stat(self.path("out.bin")).st_ino != before
                if any(size == len(new) for size in self.temporaries()):
                    time.sleep(delay * 0.0002)
                    return True
                return False
            self.kill_when(is_time)
            found = read(self.path("out.bin"))
            self.assertIn(found, (old, new))
            seen.add(found == new)
        self.assertIn(True, seen)


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


class Outputs(Case):
    """Outputs at odd places, and under odd names."""

    def setUp(self):
        super().setUp()
        self.add_some(2)
        self.compile("--quiet", out="expected")
        self.expected = read(self.path("expected"))
        self.arguments = ("--path", self.inputs, "--quiet", "--out")

    def assert_good(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def shell(self, command, *arguments):
        """kiln-pcc in a shell, in the folder."""
        return subprocess.run(["sh", "-c", command, support.KILN_PCC, *arguments], check=False,
                              capture_output=True, cwd=self.folder, stdin=subprocess.DEVNULL)

    def test_closed_streams(self):
        write(os.path.join(self.inputs, "odd.json"), "[1,]")  # there is something to be said
        for closed in ("2>&-", "<&- 2>&-", "<&- >&- 2>&-"):
            done = self.shell(f'"$0" "$@" {closed}', *self.arguments, "c.bin", "--log", "log")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(read(self.path("c.bin")), self.expected, closed)  # the good ones, and no message
            os.remove(self.path("c.bin"))
        os.remove(os.path.join(self.inputs, "odd.json"))
        for closed in ("2>&-", "<&- 2>&-", ">&- <&-", "<&- >&- 2>&-"):
            done = self.shell(f'"$0" "$@" {closed}', "--path", self.inputs, "--out", "c.bin")
            self.assertEqual(done.returncode, 0, closed)
            self.assertEqual(read(self.path("c.bin")), self.expected, closed)
        self.assertEqual(self.shell('"$0" "$@" >&-', *self.arguments, "-").returncode, 1)

    def test_links(self):
        os.mkdir(self.path("there"))
        write(self.path("there/old"), "old")
        for name in ("old", "new"):
            os.symlink("there/" + name, self.path("to-" + name))
            os.symlink(self.path("to-" + name), self.path("again-to-" + name))
            done = self.shell('exec "$0" "$@"', *self.arguments, "again-to-" + name)
            self.assert_good(done)
            self.assertTrue(os.path.islink(self.path("to-" + name)))
            self.assertTrue(os.path.islink(self.path("again-to-" + name)))
            self.assertEqual(read(self.path("there/" + name)), self.expected)
        self.assertEqual(sorted(os.listdir(self.path("there"))), ["new", "old"])
        os.symlink("circle", self.path("circle"))
        done = self.shell('exec "$0" "$@"', *self.arguments, "circle")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"circle: Too many levels of symbolic links", done.stderr)

    def test_streams(self):
        os.symlink("/dev/stdout", self.path("link"))
        for name in ("-", "/dev/stdout", "/proc/self/fd/1", "link"):
            done = self.shell('exec "$0" "$@"', *self.arguments, name)
            self.assert_good(done)
            self.assertEqual(done.stdout, self.expected, name)
            self.assert_good(self.shell('(echo 1; "$0" "$@"; echo 2) >file', *self.arguments, name))
            self.assertEqual(read(self.path("file")), b"1\n" + self.expected + b"2\n", name)
        self.assertTrue(os.path.islink(self.path("link")))
        done = self.shell('exec "$0" "$@"', *self.arguments, "/dev/fd/77")
        self.assertIn(b"/dev/fd/77: Bad file descriptor", done.stderr)
        done = self.shell('exec "$0" "$@" >file', *self.arguments, "link", "--depfile", "file")
        self.assertIn(b"is the same file", done.stderr)
        # What cannot be replaced is written last.
        done = self.shell('exec "$0" "$@"', *self.arguments, "none/o", "--depfile", "/dev/stdout")
        self.assertEqual((done.returncode, done.stdout), (1, b""))

    def test_pipes_that_nobody_reads(self):
        """An error like any other: it is said, and no file is left half-way."""
        write(self.path("r.json"), "old")

        def broken(*arguments):
            read_end, end = os.pipe()
            os.close(read_end)
            done = subprocess.run([support.KILN_PCC, *arguments], check=False, cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=end, stderr=subprocess.PIPE, text=True)
            os.close(end)
            self.assertEqual(sorted(os.listdir(self.folder)), ["expected", "in", "r.json"], arguments)
            self.assertEqual(read(self.path("r.json")), b"old")
            return done.returncode, done.stderr
        self.assertEqual(broken(*self.arguments, "/dev/stdout", "--report", "r.json"),
                         (1, "kiln-pcc: error: /dev/stdout: Broken pipe\n"))
        self.assertEqual(broken("strip", "-o", "/dev/stdout", "expected"), (1, "kiln-pcc: error: /dev/stdout: Broken pipe\n"))
        for command in ("info", "verify"):
            self.assertEqual(broken(command, "expected"), (1, "kiln-pcc: error: standard output: Broken pipe\n"))

    def test_streams_before_an_error(self):
        """What is in a pipe stays there: it is named."""
        done = self.shell('exec "$0" "$@"', *self.arguments, "/dev/full", "--report", "/dev/stdout")
        self.assertEqual((done.returncode, done.stderr.decode()), (
            1, "kiln-pcc: error: /dev/full: No space left on device\nkiln-pcc: error: /dev/stdout: it was written\n"))
        self.assertEqual(len(json.loads(done.stdout)["pipelines"]), 2)

    def test_pipes_are_one_output(self):
        os.mkfifo(self.path("pipe"))
        for one, other in (("pipe", "./pipe"), ("/dev/stdout", "-"), ("-", "/proc/self/fd/1")):
            done = self.shell('exec "$0" "$@"', *self.arguments, one, "--depfile", other)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertIn(b"is the same file", done.stderr)

    def test_modes(self):
        """Those of files that are there stay; new files have what the shell says."""
        for mode in (0o600, 0o640, 0o755, 0o444):
            write(self.path("o"), "old")
            os.chmod(self.path("o"), mode)
            self.assert_good(self.shell('umask 022; exec "$0" "$@"', *self.arguments, "o"))
            self.assertEqual((os.stat(self.path("o")).st_mode & 0o777, read(self.path("o"))), (mode, self.expected))
            os.remove(self.path("o"))
        for umask, mode in (("022", 0o644), ("077", 0o600)):
            self.assert_good(self.shell(f'umask {umask}; exec "$0" "$@"', *self.arguments, "new." + umask))
            self.assertEqual(os.stat(self.path("new." + umask)).st_mode & 0o777, mode)

    def test_names(self):
        os.mkdir(self.path("50% of %%"))
        for name in ("50% of %%/%%%%.bin", "x" * 255, "y" * 245, "50% of %%/" + "%" * 255):
            self.assert_good(self.shell('exec "$0" "$@"', *self.arguments, name))
            self.assertEqual(read(self.path(name)), self.expected)

    def test_links_to_nothing(self):
        os.symlink("out.bin", self.path("log"))
        os.symlink("in/new.json", self.path("report"))
        for message, *more in (("is the same file", "--log", "log"), ("is the same file", "--report", "log"),
                               ("it would be a pipeline of", "--report", "report")):
            done = self.shell('exec "$0" "$@"', *self.arguments, "out.bin", *more)
            self.assertEqual(done.returncode, 1, more)
            self.assertIn(message, done.stderr.decode())
            self.assertFalse(os.path.exists(self.path("out.bin")))

    def test_what_cannot_be_renamed(self):
        write(self.path("o.bin"), "old")
        write(self.path("mounted"), "mounted")
        command = 'mount --bind mounted o.bin || exit 77; "$0" "$@"; echo $?; cat o.bin; ls -A'
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", command, support.KILN_PCC, *self.arguments, "o.bin"],
            check=False, capture_output=True, text=True, cwd=self.folder)
        if "busy" not in done.stderr and done.returncode:
            self.skipTest("nothing can be mounted here: " + done.stderr)
        self.assertIn("o.bin: Device or resource busy", done.stderr)
        self.assertEqual(done.stdout, "1\nmountedexpected\nin\nmounted\no.bin\n")


    def test_all_or_none(self):
        """A later output that cannot be replaced: those before it are as they were."""
        for name in ("o.bin", "r.json"):
            write(self.path(name), "old")
        write(self.path("mounted"), "mounted")
        command = ('mount --bind mounted o.bin || exit 77; "$0" "$@"; echo $?; cat o.bin r.json; ls -A')
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", command, support.KILN_PCC, *self.arguments, "o.bin", "--report", "r.json",
             "--depfile", "d"], check=False, capture_output=True, text=True, cwd=self.folder)
        if "busy" not in done.stderr and done.returncode:
            self.skipTest("nothing can be mounted here: " + done.stderr)
        self.assertEqual(done.stderr, "kiln-pcc: error: o.bin: Device or resource busy\n")
        self.assertEqual(done.stdout, "1\nmountedoldexpected\nin\nmounted\no.bin\nr.json\n")
        # What went to a stream is said.
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", command, support.KILN_PCC, *self.arguments, "o.bin", "--report", "/dev/stderr"],
            check=False, capture_output=True, text=True, cwd=self.folder)
        self.assertTrue(done.stderr.endswith("kiln-pcc: error: o.bin: Device or resource busy\n"
                                             "kiln-pcc: error: /dev/stderr: it was written\n"), done.stderr)


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
