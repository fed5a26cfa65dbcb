# SPDX-License-Identifier: MIT
"""The command line of kiln-pcc, as the conformance suite, CMake modules and people use it."""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import time

import check
import pipelines
import support
import template as t
from support import Case, names_of_all, read, run


def read_terminal(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # nobody writes any more
        return b""


class Options(Case):
    """Spellings of options, and what each of them does."""

    def test_spellings(self):
        self.add_some()
        self.compile("--quiet", out="expected")
        expected = read(self.path("expected"))
        for arguments in (
                ["-path", self.inputs, "-out", "PATH"],
                ["--path=" + self.inputs, "--out=PATH"],
                ["-path=" + self.inputs, "-out=PATH", "-chip=gfx1100"],
                ["--out", "wrong", "--path", "nowhere", "--path", self.inputs, "--out", "PATH"],
                ["--chip", "gfx1201", "--path", self.inputs, "--chip", "gfx1100", "--out", "PATH"],
                ["--device", "0x744c", "--path", self.inputs, "--out", "PATH"],
                ["-device=29772", "--path", self.inputs, "--out", "PATH"],
                ["-j4", "-quiet", "--quiet", "--path", self.inputs, "--out", "PATH"],
                ["-j=1", "--prefix=", "--path", self.inputs, "--out", "PATH"]):
            out = self.path("out.bin")
            done = run(*[a.replace("PATH", out) for a in arguments])
            self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
            self.assertEqual(read(out), expected, arguments)
            os.remove(out)

    def test_wrong_options(self):
        self.add_some(1)
        base = ["--path", self.inputs, "--out", self.path("o")]
        for arguments, message in (
                ([], "--path and --out are needed"),
                (["--path", self.inputs], "--path and --out are needed"),
                ([*base, "--fast"], "unknown option '--fast'; --help lists the options"),
                ([*base, "--debgu"], "unknown option '--debgu'; did you mean '--debug'?"),
                ([*base, "more"], "unknown argument 'more'"),
                ([*base, "--log"], "option '--log' needs a value"),
                ([*base, "--debug=yes"], "option '--debug': 'yes' is neither true nor false"),
                ([*base, "-j", "0"], "option '-j': '0' is no number of threads (1 to 1024)"),
                ([*base, "--jobs=many"], "option '--jobs': 'many' is no number of threads (1 to 1024)"),
                ([*base, "--diagnostics=xml"], "option '--diagnostics': 'xml' is none of json, text"),
                ([*base, "--chip", "gfx906"], "unknown chip gfx906; --list-architectures names all"),
                ([*base, "--chip", "gfx1100", "--device", "1"], "--chip and --device exclude one another"),
                ([*base, "--device", "0x1"], "--device: no device of the id 0x1"),
                ([*base, "--device", "navi"], "--device: no number: navi"),
                (["--path", self.path("none"), "--out", self.path("o")], "none: No such file"),
                (["--path", self.inputs, "--out", self.path("none/o")], "none/o"),
                ([*base, "--report", self.path("r.txt")], "r.txt: neither .json nor .html"),
                ([*base, "--chip", "gfx1100,gfx1201", "--report=-"], "--report -: several chips want a file each"),
                (["--path", self.inputs, "--out=-", "--chip=gfx1100,gfx1201"], "--out -: several chips want a file each"),
                (["--path", self.inputs, "--out=/dev/null", "--chip=gfx1100,gfx1201"],
                 "--out /dev/null: several chips want a file each"),
                ([*base, "--log", self.path("none/log")], "none/log: No such file or directory"),
                (["--path", self.inputs, "--out", self.path("in")], "in: ")):
            text = self.refuse(*arguments)
            self.assertIn(message, text)
            self.assertTrue(text.startswith("kiln-pcc: "), text)
            self.assertFalse(os.path.exists(self.path("o")), arguments)

    def test_help_and_lists(self):
        for arguments in (["--help"], ["--xyzzyplugh", "--help"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: kiln-pcc --path DIR --out FILE", done.stdout)
        done = run("--list-architectures")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual({"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"},
                             set(done.stdout.split()))

    def test_prefix(self):
        self.add_all()
        cache = self.compile("--prefix", "graphics-", "--quiet", "--debug")
        self.assertEqual(len(cache.entries), sum(n.startswith("graphics-") for n in names_of_all()))
        self.assertTrue(all("GraphicsPipelineState" in e.json for e in cache.entries))

    def test_prefix_of_nothing(self):
        self.add_some(1)
        message = self.refuse("--path", self.inputs, "--out", self.path("o"), "--prefix", "grafics-")
        self.assertIn("in: no pipeline's name begins with grafics-", message)
        self.assertFalse(os.path.exists(self.path("o")))

    def test_all_wrong_options_in_one_run(self):
        lines = self.refuse("--fast", "more", "--diagnostics=json", "-j", "0").splitlines()
        self.assertEqual([json.loads(line)["message"] for line in lines], [
            "unknown option '--fast'; --help lists the options", "unknown argument 'more'",
            "option '-j': '0' is no number of threads (1 to 1024)"])

    def test_no_pipelines(self):
        done = run("--path", self.inputs, "--out", self.path("o"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("no pipelines there", done.stderr)
        self.assertEqual(len(check.check(read(self.path("o"))).entries), 0)

    def test_log(self):
        self.add(("old.json", pipelines.trailing_commas(
            json.dumps(t.compute("plain.comp.spv", pipelines.BUFFER), indent=1))))
        done = run("--path", self.inputs, "--out", self.path("o"), "--log", self.path("log"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        lines = read(self.path("log")).decode().splitlines()
        self.assertRegex(lines[0], r"^kiln-pcc: warning: old\.json:\d+:\d+: from here on \d+ places")
        line, column = (int(number) for number in lines[0].split(":")[3:5])
        text = read(os.path.join(self.inputs, "old.json")).decode().splitlines()
        self.assertEqual(text[line - 1][column - 1], ",")
        self.assertRegex(lines[1], r"o: 1 pipelines for gfx1100, 0 unchanged, \d+ bytes$")
        support.write(os.path.join(self.inputs, "bad.json"), "{")
        done = run("--path", self.inputs, "--out", self.path("o"), "--log", self.path("log"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", ""))
        self.assertIn("bad.json:1:2: no JSON", read(self.path("log")).decode())

    def test_summary_for_machines(self):
        self.add_all()
        done = run("--path", self.inputs, "--out", self.path("o"), "--diagnostics=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        summary = {"severity": "note", "file": self.path("o"), "target": "gfx1100",
                   "pipelines": len(names_of_all()), "unchanged": 0, "bytes": len(read(self.path("o")))}
        self.assertEqual({k: lines[-1].get(k) for k in summary}, summary)
        warning = [line for line in lines if line.get("file") == "graphics-old-files.json"]
        self.assertEqual(len(warning), 1)
        self.assertEqual((warning[0]["severity"], warning[0]["pointer"]), (
            "warning", "/GraphicsPipelineState/PhysicalDeviceFeatures/pNext/pNext/pNext/sType"))
        self.assertIn("VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_OF_TOMORROW", warning[0]["message"])
        text = read(os.path.join(self.inputs, warning[0]["file"])).decode().splitlines()
        self.assertIn("FEATURES_OF_TOMORROW", text[warning[0]["line"] - 1])

    def test_paths_with_blanks(self):
        self.add_some()
        self.compile("--quiet")
        inputs = self.path("my pipelines $1 #2")
        os.rename(self.inputs, inputs)
        done = run("--path", inputs, "--out", self.path("my cache.bin"), "--log", self.path("my log"),
                   "--depfile", self.path("my deps"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read(self.path("my cache.bin")), read(self.path("out.bin")))

    def test_log_that_cannot_be_written(self):
        self.add_some(1)
        done = run("--path", self.inputs, "--out", self.path("o"), "--log", "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("log: No space left on device", done.stderr)

    def test_log_on_a_stream(self):
        """It goes where the stream is, not to the beginning of its file."""
        self.add_some(1)
        for name in ("-", "/dev/stdout", "/proc/self/fd/1"):
            command = '(echo 1; "$0" "$@"; echo 2) >>file'
            subprocess.run(["sh", "-c", "echo 0 >file; " + command, support.KILN_PCC, "--path", self.inputs, "--out",
                            self.path("o"), "--log", name], check=True, cwd=self.folder, stdin=subprocess.DEVNULL)
            self.assertRegex(read(self.path("file")).decode(), "^0\n1\nkiln-pcc: .*o: 1 pipelines for .*\n2\n$", name)
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "in", "o"])

    def test_full_streams(self):
        self.add_some(1)
        self.compile("--quiet")
        for arguments in (["--help"], ["--list-architectures"], ["info", self.path("out.bin")], ["verify", self.path("out.bin")],
                          ["--manifest", "x"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([support.KILN_PCC, *arguments], check=False, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr),
                             (1, b"kiln-pcc: error: standard output: No space left on device\n"), arguments)
            with open("/dev/full", "wb") as full:
                done = subprocess.run([support.KILN_PCC, *arguments, "--fast"], check=False, stdout=full, stderr=full)
            self.assertEqual(done.returncode, 1, arguments)

    def test_wrong_variables(self):
        self.add_some(1)
        done = run("--path", self.inputs, "--out", self.path("o"), "--diagnostics=json", environment={"KILN_OPT_LEVEL": "fast"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual([(line["severity"], line["message"].split(":")[0]) for line in lines], [("error", "KILN_OPT_LEVEL")])
        self.assertFalse(os.path.exists(self.path("o")))

    def test_progress(self):
        """Nothing of it in what is quick, also on a terminal; tools/cli tests bars and lines of what is not."""
        self.add_some(5)
        for arguments, is_said in (([], True), (["--quiet"], False), (["--diagnostics=json"], True)):
            terminal, end = pty.openpty()
            done = subprocess.run([support.KILN_PCC, "--path", self.inputs, "--out", self.path("o"), *arguments], check=False,
                                  stdin=subprocess.DEVNULL, stderr=end)
            os.close(end)
            text = b""
            while part := read_terminal(terminal):
                text += part
            os.close(terminal)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn(b"/5", text)
            self.assertEqual(bool(text), is_said, text)

    def test_interrupt(self):
        """A cache of what was finished, and none in the place of a whole one."""
        self.add_some(60)
        command = [support.KILN_PCC, "--path", self.inputs, "--out", self.path("o"), "-j1"]

        def interrupted(is_new):
            for delay in (0.6, 0.3, 0.15, 0.08):  # machines differ
                if is_new and os.path.exists(self.path("o")):
                    os.remove(self.path("o"))
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                message = process.communicate(timeout=100)[1]
                if process.returncode == 130:
                    return message
            return self.fail(f"{process.returncode}: {message}")

        message = interrupted(is_new=True)
        self.assertRegex(message, r"interrupted, \d+ pipelines? (was|were) not compiled")
        if os.path.exists(self.path("o")):  # else it came before the first one
            self.assertRegex(message, r"\d+ of \d+ pipelines had errors, only the others were written")
        self.assertEqual(subprocess.run([*command, "--incremental"], check=False, stderr=subprocess.DEVNULL).returncode, 0)
        whole = read(self.path("o"))
        self.assertIn("left as it was", interrupted(is_new=False))
        self.assertEqual(read(self.path("o")), whole)

    def test_relative_paths(self):
        self.add_some()
        self.compile("--quiet")
        done = run("--path", "in", "--out", "relative.bin", "--log=log", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read(self.path("relative.bin")), read(self.path("out.bin")))


class Files(Case):
    """What is read is not written, and what is written has one meaning."""

    def setUp(self):
        super().setUp()
        self.add(("a.json", json.dumps(t.compute("plain.comp.spv", pipelines.BUFFER))))
        self.contents = {name: read(os.path.join(self.inputs, name)) for name in os.listdir(self.inputs)
                         if os.path.isfile(os.path.join(self.inputs, name))}

    def refused(self, message, *arguments):
        done = run("--path", self.inputs, *arguments, folder=self.folder)
        self.assertEqual(done.returncode, 1, arguments)
        self.assertIn(message, done.stderr)
        for name, data in self.contents.items():
            self.assertEqual(read(os.path.join(self.inputs, name)), data, f"{arguments} changed {name}")

    def test_inputs(self):
        for name in ("a.json", "plain.comp.spv"):
            path = os.path.join(self.inputs, name)
            self.refused("it is also an input", "--out", path)
            for option in ("--log", "--depfile", *(["--report"] if name.endswith(".json") else [])):
                self.refused("it is also an input", "--out", "o", option, path)
            self.refused("it is also an input", "--out", "./in/../in//" + name)
            os.symlink(path, self.path("soft." + name))
            os.link(path, self.path("hard." + name))
            self.refused("it is also an input", "--out", "o", "--log", "soft." + name)
            self.refused("it is also an input", "--out", "o", "--log", "hard." + name)
        os.symlink(self.inputs, self.path("folder"))
        self.refused("it is also an input", "--out", "folder/a.json")
        self.refused("it would be a pipeline of", "--out", "o", "--report", "folder/r.json")
        self.assertFalse(os.path.exists(self.path("o")))

    def test_one_another(self):
        os.symlink("o", self.path("link"))
        for one, other in (("--out", "--log"), ("--out", "--report"), ("--log", "--depfile")):
            base = () if one == "--out" else ("--out", "c")
            self.refused("is the same file", *base, one, "o", other, "o")
            self.refused("is the same file", *base, one, "./o", other, self.path("o"))
        self.assertFalse(os.path.exists(self.path("o")))
        support.write(self.path("o"), "old")
        self.refused("is the same file", "--out", "o", "--log", "link")
        self.refused("is the same file", "--out", "c.bin", "--log", "c.gfx1201.bin", "--chip", "gfx1100,gfx1201")
        self.assertEqual(read(self.path("o")), b"old")
        done = run("--path", self.inputs, "--out", "/dev/null", "--log", "/dev/null")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_logs_are_new(self):
        support.write(self.path("log"), "x" * 10000)
        done = run("--path", self.inputs, "--out", self.path("o"), "--log", self.path("log"), "--quiet")
        self.assertEqual((done.returncode, read(self.path("log"))), (0, b""))


class Reports(Case):
    """Files beside the cache."""

    def test_depfile(self):
        self.add(("a.json", json.dumps(t.compute("a b/plain copy.spv", pipelines.BUFFER))),
                 ("b.json", json.dumps(t.graphics(pipelines.FRAME))))
        self.compile("--quiet", "--depfile", self.path("d"))
        text = read(self.path("d")).decode().replace("\\\n", " ")
        rule, *phony = text.split("\n\n")
        target, inputs = rule.split(":", 1)
        self.assertEqual(target.strip(), self.path("out.bin"))
        found = {name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", inputs)}
        self.assertEqual(found, {self.inputs, *(os.path.join(self.inputs, name) for name in (
            "a.json", "b.json", "a b/plain copy.spv", "plain.vert.spv", "plain.frag.spv"))})
        self.assertEqual({line.strip().replace("\\ ", " ") for line in phony}, {name + ":" for name in found})

    def test_depfile_in_builds(self):
        """What make and ninja do when inputs change, come and go, also ones with odd names."""
        odd = "a #$ :b\\ c"
        os.rename(self.inputs, self.path(odd))
        self.inputs = self.path(odd)
        self.add(("a.json", json.dumps(t.compute("a b/plain copy.spv", pipelines.BUFFER))))
        command = f"'{support.KILN_PCC}' --path '{odd}' --out out.bin --depfile d --quiet"
        support.write(self.path("Makefile"), "out.bin:\n\t" + command.replace("$", "$$") + "\n-include d\n")
        support.write(self.path("build.ninja"), "rule pcc\n  command = " + command.replace("$", "$$") +
                      "\n  depfile = d\nbuild out.bin: pcc\n")
        builds = [[shutil.which(tool), *more] for tool, *more in (("make", "-s"), ("ninja", "--quiet"))
                  if shutil.which(tool)]
        json_file, shader = (os.path.join(self.inputs, n) for n in ("a.json", "a b/plain copy.spv"))

        def later(path):
            time.sleep(0.05)
            os.utime(path)

        for build in builds:
            def changes(by=lambda: None, count=None, build=build):
                """Does the cache become a new one?"""
                by()
                before = os.path.exists(self.path("out.bin")) and os.stat(self.path("out.bin")).st_ino
                done = subprocess.run(build, check=False, cwd=self.folder, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), build)
                if count is not None:
                    self.assertEqual(len(check.check(read(self.path("out.bin"))).entries), count)
                changed = os.stat(self.path("out.bin")).st_ino != before
                for path in (self.inputs, json_file, shader):
                    os.utime(path, (1, 1))
                return changed

            for name in ("out.bin", "d", ".ninja_log", ".ninja_deps"):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))
            self.assertTrue(changes(count=1), build)
            self.assertFalse(changes(), build)
            self.assertTrue(changes(lambda: later(shader)))
            self.assertTrue(changes(lambda: later(json_file)))
            self.assertFalse(changes(), build)
            extra = os.path.join(self.inputs, "b.json")

            def add(extra=extra):
                support.write(extra, json.dumps(t.compute("plain.comp.spv", pipelines.BUFFER, uuid=range(16))))
                os.utime(extra, (1, 1))
                later(self.inputs)
            self.assertTrue(changes(add, count=2))

            def remove(extra=extra):
                os.remove(extra)
                later(self.inputs)
            self.assertTrue(changes(remove, count=1))

    def test_depfile_in_the_folder(self):
        """Nothing would ever be up to date if it depended on the folder that it comes into."""
        self.add_some(1)
        for name, option in (("d", "--depfile"), ("r.html", "--report")):
            arguments = {"--depfile": self.path("d"), option: os.path.join(self.inputs, name)}
            self.compile("--quiet", *(word for pair in arguments.items() for word in pair))
            self.assertNotIn(f" {self.inputs} ", read(arguments["--depfile"]).decode())
        for odd in ("a\nb", "a\\"):
            os.rename(self.inputs, self.path(odd))
            self.inputs = self.path(odd)
            self.assertIn("a line break, or a backslash at its end, cannot be written", self.refuse(
                "--path", self.inputs, "--out", self.path("o"), "--depfile", self.path("e")))
            self.assertFalse(os.path.exists(self.path("o")))

    def test_report_json(self):
        self.add_all()
        cache = self.compile("--quiet", "--report", self.path("r.json"))
        report = json.loads(read(self.path("r.json")))
        self.assertEqual(report["target"], "gfx1100")
        self.assertEqual([p["name"] for p in report["pipelines"]], names_of_all())
        pools = {}
        for pipeline, entry in zip(report["pipelines"], cache.entries):
            self.assertEqual(pipeline["identifier"].replace("-", ""), entry.identifier.hex())
            self.assertEqual(pipeline["pipelineMemorySize"], entry.memory)
            self.assertEqual(pipeline["elfBytes"], len(entry.elf))
            pools[entry.memory] = pools.get(entry.memory, 0) + 1
            self.assertTrue(pipeline["stages"], pipeline["name"])
            for stage in pipeline["stages"]:
                self.assertNotIn(",", stage["name"])  # or else nobody could put it into a table
                self.assertGreater(stage["codeBytes"], 0)
                self.assertGreater(stage["vgprs"], 0)
                self.assertIn(stage["waveSize"], (32, 64))
                self.assertIn(stage["wavesPerSimd"], range(1, 17))
        self.assertEqual({p["poolEntrySize"]: p["poolEntryCount"] for p in report["pipelinePoolSizes"]}, pools)
        by_name = {p["name"]: p["stages"] for p in report["pipelines"]}
        self.assertEqual(by_name["compute-subgroup-size-64.json"][0]["waveSize"], 64)
        self.assertEqual(by_name["compute-subgroup-size-32-alias.json"][0]["waveSize"], 32)
        self.assertEqual(by_name["compute-texel-buffers.json"][0]["ldsBytes"], 512)  # as it is allocated
        self.assertEqual(len(by_name["graphics-plain.json"]), 2)
        self.assertEqual([s["name"] for s in by_name["graphics-geometry.json"]], ["vertex + geometry", "fragment"])

    def test_report_html(self):
        self.add(("a<b>&.json", json.dumps(t.graphics(pipelines.FRAME))))
        self.compile("--quiet", "--report=" + self.path("r.html"))
        html = read(self.path("r.html")).decode()
        self.assertIn("a&lt;b&gt;&amp;.json", html)
        self.assertNotIn("a<b>", html)
        for word in ("poolEntrySize", "poolEntryCount", "VGPRs", "waves per SIMD", "code bytes"):
            self.assertIn(word, html)

    def test_reports_of_several_chips(self):
        self.add_some(2)
        done = run("--path", self.inputs, "--out", self.path("c.bin"), "--chip", "gfx1030,gfx1201",
                   "--report", self.path("r.json"), "--depfile", self.path("d"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        for chip in ("gfx1030", "gfx1201"):
            self.assertEqual(json.loads(read(self.path(f"r.{chip}.json")))["target"], chip)
            self.assertIn(f"c.{chip}.bin", read(self.path("d")).decode().split(":", maxsplit=1)[0])
