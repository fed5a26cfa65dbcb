# SPDX-License-Identifier: MIT
"""Pipelines that are refused: all errors in one run, with file, position and pipeline."""
import hashlib
import json
import os
import re
import struct
import subprocess

import check
import pipelines
import rejects
import support
from support import Case, names_of_all, read, run

EXPECTED = os.path.join(support.HERE, "rejects.expected")


class Rejects(Case):
    """The messages are in rejects.expected, for people to look at when they change."""

    def messages(self, *arguments):
        out = self.path("none.bin")
        text = self.refuse("--path", self.inputs, "--out", out, "--depfile", self.path("d"),
                           "--report", self.path("r.json"), *arguments)
        for name in ("none.bin", "d", "r.json"):
            self.assertFalse(os.path.exists(self.path(name)), name + " was written")
        return text.replace(self.inputs, "FOLDER").splitlines()

    def test_all_errors_in_one_run(self):
        self.add_rejects()
        found = [line for line in self.messages("-j2", "--quiet") if ": warning: " not in line]
        self.assertEqual(found[-1], "kiln-pcc: error: there were errors, nothing was written")
        self.assertEqual("\n".join(found[:-1]) + "\n", read(EXPECTED).decode())

    def test_every_reject_is_reported(self):
        names = {name for name, _ in rejects.all_rejects()}
        self.assertGreaterEqual(len(names), 20)
        lines = read(EXPECTED).decode().splitlines()
        self.assertEqual({line.split(": ")[2].split(":")[0] for line in lines}, names)
        for line in lines:
            self.assertRegex(line, r"^kiln-pcc: error: [a-z0-9-]+\.json:\d+:\d+: ", "no position")

    def test_messages_for_machines(self):
        self.add_rejects()
        lines = [json.loads(line) for line in self.messages("--diagnostics=json", "--quiet")]
        errors = {line["file"]: line for line in lines if "file" in line}
        self.assertEqual(lines[-1], {"severity": "error", "message": "there were errors, nothing was written"})
        self.assertEqual(set(errors), {name for name, _ in rejects.all_rejects()})
        for error in errors.values():
            self.assertEqual(error["severity"], "error")
            self.assertGreater(error["line"], 0)
            self.assertGreater(error["column"], 0)
            self.assertTrue(error["message"])
        self.assertEqual(errors["enum-unknown.json"]["pointer"],
                         "/GraphicsPipelineState/GraphicsPipeline/pRasterizationState/polygonMode")
        self.assertRegex(errors["enum-unknown.json"]["pipeline"], "^[0-9a-f]{8}-[0-9a-f-]{27}$")

    def test_all_errors_of_a_file(self):
        self.add_rejects()
        lines = [json.loads(line) for line in self.messages("--diagnostics=json", "--quiet")]
        found = {}
        for line in lines[:-1]:
            found.setdefault(line["file"], []).append((line.get("pointer"), line["message"]))
        compute, graphics = (found[f"several-of-a-{kind}-pipeline.json"] for kind in ("compute", "graphics"))
        for errors, count in ((compute, 15), (graphics, 7)):
            self.assertEqual(len(errors), count, errors)
            self.assertEqual(len(set(errors)), count, "one of them is there twice")
        self.assertIn(("/ComputePipelineState/ComputePipeline/a~0b~1c: d",
                       "VkComputePipelineCreateInfo has no member of this name"), compute)
        self.assertIn(("/ComputePipelineState/ComputePipeline/stage/pNext/pNext/pNext/sType",
                       "VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO is not known to extend "
                       "VkPipelineShaderStageCreateInfo"), compute)

    def test_errors_without_end(self):
        many = rejects.t.change(rejects.GRAPHICS, rejects.GP + "/pVertexInputState/pVertexBindingDescriptions",
                                [{"binding": "x", "stride": "y", "inputRate": "z"}] * 100000)
        self.add(("a.json", json.dumps(many)), ("b.json", "{"))
        lines = self.messages("--quiet")
        self.assertEqual(len(lines), 100 + 3)
        self.assertIn("100 errors: no more are looked for", lines[100])
        self.assertIn("b.json:1:2: no JSON", lines[101])

    def test_errors_of_checks_without_end(self):
        """Checks of state and shaders end as well, and soon: they compare nothing with everything."""
        count = 4000
        attributes = [(i, 0, "R8_SINT", 0) for i in range(count)]
        inputs = rejects.t.vertex_input([(0, 8, "VERTEX")], [])
        many = rejects.t.graphics({**pipelines.FRAME, "VERTEX": "lengths.vert.spv"}, constants={
            "VERTEX": rejects.t.specialization([(0, 0, 4)], struct.pack("<i", count))}, pVertexInputState=inputs)
        other = rejects.t.change(many, "/GraphicsPipelineState/GraphicsPipeline/pVertexInputState",
                                 rejects.t.vertex_input([(0, 8, "VERTEX")], attributes))
        bindings = [rejects.t.binding(i, stages=0) for i in range(count)]
        shader = "".join(f"layout(binding = {i}) buffer B{i} {{ uint b{i}; }};\n" for i in range(count))
        source = "#version 450\n" + shader + "void main() {\n" + "".join(f"b{i} = 1;\n" for i in range(count)) + "}\n"
        support.write(self.path("many.comp"), source)
        subprocess.run(["glslangValidator", "-V", "-o", os.path.join(self.inputs, "many-bindings.spv"),
                        self.path("many.comp")], check=True, stdout=subprocess.DEVNULL)
        for pipeline in (many, other, rejects.t.compute("many-bindings.spv", [bindings])):
            self.add(("a.json", json.dumps(pipeline)))
            start = os.times()
            lines = self.messages("--quiet")
            end = os.times()
            self.assertEqual(len(lines), 100 + 2)
            self.assertIn("100 errors: no more are looked for", lines[100])
            self.assertLess(end.children_user - start.children_user, 2)

    def test_many_conversions(self):
        """Time grows with their number, not with its square."""
        def many(count):
            names = [f"c{i}" for i in range(count)]
            one = rejects.with_set([rejects.t.binding(0, "COMBINED_IMAGE_SAMPLER", count, samplers=names)])
            state = one["ComputePipelineState"]
            state["ImmutableSamplers"] = [{name: pipelines.yuv_sampler(name)} for name in names]
            state["YcbcrSamplers"] = [{name: rejects.t.conversion() for name in [each]} for each in names]
            state["YcbcrSamplers"][-1][names[-1]]["format"] = "VK_FORMAT_R8G8B8A8_UNORM"
            self.add(("many.json", json.dumps(one)))
            start = os.times()
            lines = self.messages("--quiet")
            end = os.times()
            self.assertIn(f"YcbcrSamplers/{count - 1}/c{count - 1}/format: VK_FORMAT_R8G8B8A8_UNORM: ", lines[0])
            return end.children_user - start.children_user
        few = many(1000)
        self.assertLess(many(6000), 12 * few + 1)

    def test_messages_are_lines(self):
        bad = dict(rejects.COMPUTE)
        bad["ComputePipelineState"] = {**bad["ComputePipelineState"], "PipelineLayout": {"a\nb\x1b[1m": 1}}
        self.add(("a.json", json.dumps(bad)))
        text = self.messages("--quiet")[0]
        self.assertIn("/PipelineLayout/a\\x0ab\\x1b[1m: ", text)
        line = json.loads(self.messages("--quiet", "--diagnostics=json")[0])
        self.assertEqual(line["pointer"], "/ComputePipelineState/PipelineLayout/a\nb\x1b[1m")

    def test_positions_are_right(self):
        self.add_rejects()
        lines = [json.loads(line) for line in self.messages("--diagnostics=json", "--quiet")]
        for error in lines:
            if "pointer" not in error:
                continue
            text = read(os.path.join(self.inputs, error["file"])).decode()
            line = text.splitlines()[error["line"] - 1]
            value = json.loads(text)
            for key in error["pointer"][1:].split("/"):
                key = key.replace("~1", "/").replace("~0", "~")
                value = value[int(key)] if isinstance(value, list) else value[key]
            begin = json.dumps(value)[0]
            self.assertEqual(line[error["column"] - 1], begin, error)

    def test_old_file_stays(self):
        """Where nothing is good."""
        self.add_some()
        self.compile("--quiet", out="none.bin")
        before = read(self.path("none.bin"))
        for name in os.listdir(self.inputs):
            if name.endswith(".json"):
                os.remove(os.path.join(self.inputs, name))
        self.add_rejects()
        self.refuse("--path", self.inputs, "--out", self.path("none.bin"))
        self.refuse("--path", self.inputs, "--out", self.path("none.bin"), "--incremental")
        self.assertEqual(read(self.path("none.bin")), before)

    def test_identifiers_that_are_there_twice(self):
        name = "compute-plain.json"
        self.add_all()
        text = read(os.path.join(self.inputs, name))
        support.write(os.path.join(self.inputs, "zz.json"), text.replace(b"EnabledExtensions", b"OtherMember"))
        message = self.refuse("--path", self.inputs, "--out", self.path("o"), "--quiet")
        self.assertIn("kiln-pcc: error: zz.json:66:18: /PipelineUUID: compute-plain.json has this identifier"
                      " already [pipeline 00010203-0405-0607-0809-0a0b0c0d0e0f]", message)
        # Nobody knows which of them is meant.
        found = {entry.identifier for entry in check.check(read(self.path("o"))).entries}
        self.assertEqual(len(found), len(names_of_all()) - 1)
        self.assertNotIn(bytes(range(16)), found)
        # Equal files without an identifier would have the same one, too.
        support.write(os.path.join(self.inputs, "zz.json"),
                      read(os.path.join(self.inputs, "graphics-geometry.json")))
        message = self.refuse("--path", self.inputs, "--out", self.path("o"), "--quiet")
        self.assertIn("zz.json:1:1: graphics-geometry.json has this identifier already", message)

    def test_one_bad_pipeline_among_good_ones(self):
        """The results of the good ones are not lost; that one is missing is not overlooked."""
        self.add_some()
        command = ("--path", self.inputs, "--chip", "gfx1100,gfx1201", "--quiet", "--depfile", self.path("d"),
                   "--report", self.path("r.json"))
        self.assertEqual(run(*command, "--out", self.path("good")).returncode, 0)
        report = read(self.path("r.gfx1100.json"))
        self.add(("a.json", "{"), ("zz.json", json.dumps(rejects.t.change(
            rejects.COMPUTE, rejects.CS + "/ShaderFileNames/0/filename", "gone.spv"))))
        for more in ((), ("--incremental",)):
            message = self.refuse(*command, "--out", self.path("o"), *more)
            self.assertTrue(message.endswith(
                "kiln-pcc: error: 2 of 7 pipelines had errors, only the others were written\n"), message)
            self.assertIn("a.json:1:2: no JSON", message)
            self.assertIn("gone.spv: No such file or directory", message)
            for chip in ("gfx1100", "gfx1201"):
                self.assertEqual(read(self.path("o." + chip)), read(self.path("good." + chip)))
            self.assertEqual(read(self.path("r.gfx1100.json")), report)
        # What was good is not compiled again.
        os.remove(os.path.join(self.inputs, "a.json"))
        os.remove(os.path.join(self.inputs, "zz.json"))
        done = run(*[word for word in command if word != "--quiet"], "--out", self.path("o"), "--incremental",
                   "--diagnostics=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        notes = [note for note in map(json.loads, done.stderr.splitlines()) if note["severity"] == "note"]
        self.assertEqual([(note["pipelines"], note["unchanged"]) for note in notes], [(5, 5)] * 2)

    def test_modules_outside_of_the_folder(self):
        """Whoever wrote the JSON has no say in what else this program reads."""
        support.write(self.path("outside.spv"), read(os.path.join(self.inputs, "plain.comp.spv")))
        os.symlink(self.folder, os.path.join(self.inputs, "link"))

        def named(name):
            pipeline = rejects.t.with_identifier(rejects.COMPUTE, hashlib.md5(name.encode()).digest())
            return json.dumps(rejects.t.change(pipeline, rejects.CS + "/ShaderFileNames/0/filename", name))
        outside = ["../outside.spv", self.path("outside.spv"), "a b/../../outside.spv", "./../outside.spv",
                   "../in/plain.comp.spv", ".."]
        self.add(*[(f"{i}.json", named(name)) for i, name in enumerate(outside)])
        message = self.refuse("--path", self.inputs, "--out", self.path("o"), "--quiet")
        self.assertFalse(os.path.exists(self.path("o")))
        for i, name in enumerate(outside):
            self.assertRegex(message, rf"{i}\.json:\d+:\d+: /ComputePipelineState/ShaderFileNames/0/filename: "
                             + re.escape(name) + ": not in the folder of the pipelines")
            os.remove(os.path.join(self.inputs, f"{i}.json"))
        # Dots that stay inside are names like any other; a link is not followed for them.
        self.add(("a.json", named("a b/../plain.comp.spv")), ("b.json", named("./link/../plain.comp.spv")))
        self.assertEqual(len(self.compile("--quiet").entries), 2)

    def test_several_chips_say_it_once(self):
        self.add(("bad.json", "{"), ("old.json", pipelines.trailing_commas(json.dumps(
            rejects.COMPUTE, indent=1))), ("small.json", json.dumps(rejects.t.compute(
                "plain.comp.spv", [[]]))))
        lines = self.refuse("--path", self.inputs, "--out", self.path("o"), "--quiet", "--chip",
                            "gfx1100,gfx1030,gfx1201").splitlines()
        self.assertEqual(len(lines), 4, lines)
        self.assertEqual([line.split(": ")[2].split(":")[0] for line in lines[:3]],
                         ["bad.json", "old.json", "small.json"])

    def test_names_that_are_no_files(self):
        self.add(("pipe.json", rejects.json.dumps(rejects.t.change(
            rejects.COMPUTE, rejects.CS + "/ShaderFileNames/0/filename", "fifo.spv"))))
        os.mkfifo(os.path.join(self.inputs, "fifo.spv"))
        os.mkdir(os.path.join(self.inputs, "folder.json"))
        message = self.refuse("--path", self.inputs, "--out", self.path("o"))
        self.assertIn("pipe.json:1:663", message)
        self.assertIn("fifo.spv: no regular file", message)
        self.assertNotIn("folder.json", message)
        done = run("--path", self.path("nowhere"), "--out", self.path("o"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere: No such file or directory", done.stderr)

    def test_links_to_nothing(self):
        self.add_some(1)
        os.symlink("gone", os.path.join(self.inputs, "link.json"))
        message = self.refuse("--path", self.inputs, "--out", self.path("o"))
        self.assertIn("link.json: No such file or directory", message)
