# SPDX-License-Identifier: MIT
"""What kiln-pcc writes for the pipelines of pipelines.py, on every generation."""
import json
import os
import struct

import check
import pipelines
import support
import template as t
from support import Case, names_of_all, read, run

# Spelled in another way, the same pipeline.
SAME = (
    ("compute-specialization-array", "compute-specialization-base64"),
    ("compute-plain", "compute-null-for-all-that-is-empty"),
    ("compute-plain", "compute-trailing-commas"),
    ("compute-plain", "compute-file name, with blanks"),
    ("graphics-plain", "graphics-numbers-as-strings"),
    ("graphics-plain", "graphics-render-pass-2"),
    ("graphics-infinities", "graphics-infinities-as-short-as-can-be"),
    ("graphics-infinities", "graphics-infinities-of-400-digits"),
    ("graphics-input-attachments-of-render-pass-1", "graphics-input-attachments-of-render-pass-2"),
    # The hardware checks bounds in any case.
    ("compute-plain", "compute-robustness-of-stage"),
    ("compute-plain", "compute-features-behind-others"),
    ("graphics-plain", "graphics-robustness-of-pipeline"),
    ("graphics-plain", "graphics-old-files"),
)
# What is said must have an effect.
DIFFERENT = (
    ("compute-specialization-array", "compute-specialization-none"),
    ("compute-entry-one-of-two", "compute-entry-two-of-two"),
    ("compute-subgroup-size-64", "compute-subgroup-size-32-alias"),
    ("compute-one-layout-for-two-sets", "compute-dynamic-buffers"),
    ("graphics-plain", "graphics-dynamic-rendering"),
    ("graphics-immutable-sampler", "graphics-ycbcr"),
    ("graphics-immutable-sampler", "graphics-infinities"),
)
# nullDescriptor is in the key of shaders that have no use for it, too.
OTHER_ELF = (("compute-plain", "compute-robustness-of-device"),)


def code_of(elf):
    """.text of an ELF."""
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<3H", elf, 58)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    for name, _, _, _, offset, length in sections:
        at = sections[names][4] + name
        if elf[at:elf.index(b"\0", at)] == b".text":
            return elf[offset:offset + length]
    raise AssertionError("no .text")


class Caches(Case):
    """One compile of everything for each test."""

    def test_every_pipeline_is_there(self):
        self.add_all()
        cache = self.compile("--quiet")
        self.assertEqual(len(cache.entries), len(names_of_all()))
        kinds = [name.split("-")[0] for name in names_of_all()]
        self.assertGreaterEqual(kinds.count("compute"), 15)
        self.assertGreaterEqual(kinds.count("graphics"), 15)
        self.assertEqual((cache.vendor, cache.device), (0x1002, 0x744C))
        for entry in cache.entries:
            self.assertEqual((entry.json, len(entry.modules)), (None, 0))
            self.assertEqual(entry.memory % 4096, 0)
            self.assertGreaterEqual(entry.memory, len(entry.elf) + 4096)
        self.assertLess(len({entry.memory for entry in cache.entries}), 6, "pools must stay few")

    def test_identifiers(self):
        self.add_all()
        found = dict(zip(names_of_all(), self.compile("--quiet").entries))
        self.assertEqual(found["compute-plain.json"].identifier, bytes(range(16)))
        self.assertEqual(found["graphics-plain.json"].identifier, b"\xff" * 15 + b"\0")
        self.assertEqual(found["compute-flags-and-identifier-in-chain.json"].identifier, b"\xc8" * 16)
        self.assertEqual(found["graphics-robustness-of-pipeline.json"].identifier, b"\xc9" * 16)

    def test_uuid_beside_an_identifier(self):
        """PipelineUUID counts, and the other is mentioned; zeros are what nobody has set."""
        texts = dict(pipelines.all_texts())
        text = texts["compute-uuid-and-another-in-the-chain.json"]
        for other, count in (([202] * 16, 1), ([0] * 16, 0), (list(range(100, 116)), 0)):
            self.add(("a.json", json.dumps(t.change(
                json.loads(text), "/ComputePipelineState/ComputePipeline/pNext", pipelines.offline(other)), indent=1)))
            done = run("--path", self.inputs, "--out", self.path("o"), "--quiet", "--debug")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("\n"), count, done.stderr)
            if count:
                self.assertRegex(done.stderr, r"warning: a\.json:\d+:\d+: /ComputePipelineState/ComputePipeline/pNext/"
                                 "pipelineIdentifier: it is not PipelineUUID, which counts")
            self.assertEqual(check.check(read(self.path("o"))).entries[0].identifier, bytes(range(100, 116)))
            self.assertEqual(run("verify", self.path("o")).returncode, 0)

    def test_debug_information(self):
        self.add_all()
        cache = self.compile("--quiet", "--debug")
        texts = dict(pipelines.all_texts())
        for name, entry in zip(names_of_all(), cache.entries):
            self.assertEqual(entry.json, texts[name], name)
            if not ("trailing-commas" in name or "infinities" in name):
                check.check_debug(entry)
        order = dict(zip(names_of_all(), cache.entries))["graphics-tessellation.json"].modules
        files = ("plain.vert", "patch.tesc", "patch.tese", "plain.frag")
        self.assertEqual(list(order), [read(os.path.join(self.inputs, f + ".spv")) for f in files])
        plain = read(os.path.join(self.inputs, "plain.comp.spv"))
        self.assertEqual(read(self.path("out.bin")).count(plain), 1, "a shared module is there once")

    def test_spelling_does_not_matter_and_state_does(self):
        self.add_all()
        cache = self.compile("--quiet")
        elf = {name[:-5]: e.elf for name, e in zip(names_of_all(), cache.entries)}
        for one, other in SAME:
            self.assertTrue(elf[one] == elf[other], f"{one} and {other}")
        for one, other in DIFFERENT:
            self.assertTrue(code_of(elf[one]) != code_of(elf[other]), f"{one} and {other}")
        for one, other in OTHER_ELF:
            self.assertTrue(elf[one] != elf[other], f"{one} and {other}")

    def test_derived_identifiers_are_stable(self):
        self.add(("a.json", json.dumps(t.compute("plain.comp.spv", pipelines.BUFFER))))
        one = self.compile("--quiet").entries[0].identifier
        again = self.compile("--quiet", "--chip", "gfx1100", "--debug").entries[0].identifier
        self.assertEqual(one, again)
        support.write(os.path.join(self.inputs, "plain.comp.spv"),
                      read(os.path.join(self.inputs, "subgroup.comp.spv")))
        self.assertNotEqual(one, self.compile("--quiet").entries[0].identifier)

    def test_every_generation(self):
        self.add_all()
        chips = ["gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"]
        done = run("--path", self.inputs, "--out", self.path("all.bin"), "--chip", ",".join(chips), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = set()
        for chip in chips:
            cache = check.check(read(self.path(f"all.{chip}.bin")), chip)
            self.assertEqual(len(cache.entries), len(names_of_all()))
            seen.add((cache.device, cache.uuid))
        self.assertEqual(len(seen), len(chips))
        self.assertFalse(os.path.exists(self.path("all.bin")))

    def test_same_bytes(self):
        self.add_all()
        self.compile("--quiet", "--debug", "-j1", out="one.bin")
        expected = read(self.path("one.bin"))
        for number, arguments in enumerate((["-j", "2"], ["-j7"], ["--jobs=3"])):
            self.compile("--quiet", "--debug", *arguments, out=f"{number}.bin")
            self.assertEqual(read(self.path(f"{number}.bin")), expected, arguments)
        # The user's shell has no say.
        self.compile("--quiet", "--debug", out="shell.bin", environment={
            "KILN_PARTS": "sync", "KILN_COMPILE_THREADS": "2", "KILN_DEVICES": "gfx1030",
            "KILN_CACHE": "nonsense", "KILN_CACHE_DIR": self.path("disk"), "KILN_TIER": "direct"})
        self.assertEqual(read(self.path("shell.bin")), expected)
        self.assertFalse(os.path.exists(self.path("disk")))

    def test_folder_does_not_matter(self):
        self.add_some()
        self.compile("--quiet", "--debug")
        os.rename(self.inputs, self.path("else where"))
        self.inputs = self.path("else where")
        self.compile("--quiet", "--debug", out="second.bin")
        self.assertEqual(read(self.path("out.bin")), read(self.path("second.bin")))
