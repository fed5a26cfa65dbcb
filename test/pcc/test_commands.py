# SPDX-License-Identifier: MIT
"""kiln-pcc info, verify, merge, strip and extract."""
import os
import struct

import check
from support import Case, names_of_all, read, run, write


class Commands(Case):
    """Commands that work on caches."""

    def setUp(self):
        super().setUp()
        self.add_all()
        self.cache = self.compile("--quiet", "--debug")
        self.out = self.path("out.bin")

    def good(self, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_info(self):
        lines = self.good("info", self.out).splitlines()
        self.assertRegex(lines[0], r"^vendor 0x1002, device 0x744c, UUID [0-9a-f-]{36}, format 2, "
                                   rf"{len(names_of_all())} pipelines for gfx1100$")
        for entry in self.cache.entries:
            text = entry.identifier.hex()
            name = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
            wanted = (f"{name}  memory {entry.memory}, ELF {len(entry.elf)}, "
                      f"JSON {len(entry.json.encode())}, modules {len(entry.modules)}")
            self.assertIn(wanted, lines)
        self.assertTrue(any(line.startswith("pool entries of 4096 bytes: ") for line in lines)
                        or any(line.startswith("pool entries of 8192 bytes: ") for line in lines))

    def test_strip(self):
        self.good("strip", "-o", self.path("s"), self.out)
        self.compile("--quiet", out="release.bin")
        self.assertEqual(read(self.path("s")), read(self.path("release.bin")))
        self.assertEqual(self.good("verify", self.path("s")),
                         f"{self.path('s')}: {len(self.cache.entries)} pipelines, without JSON and SPIR-V\n")
        self.good("strip", "--out", self.out, self.out)  # in place
        self.assertEqual(read(self.path("s")), read(self.out))

    def test_merge(self):
        for kind in ("compute", "graphics"):
            self.compile("--quiet", "--debug", "--prefix", kind, out=kind)
        self.good("merge", "--out=" + self.path("m"), self.path("compute"), self.path("graphics"))
        entries = check.check(read(self.path("m"))).entries
        self.assertEqual({entry.identifier: entry.elf for entry in entries},
                         {entry.identifier: entry.elf for entry in self.cache.entries})
        self.good("verify", self.path("m"))
        # Neither the order nor what is there twice matters, with JSON and SPIR-V or without.
        self.good("strip", "-o", self.path("stripped"), self.path("graphics"))
        for files in (["graphics", "compute"], ["out.bin"], ["out.bin", "graphics", "out.bin"],
                      ["stripped", "out.bin"], ["out.bin", "stripped"]):
            self.good("merge", "-o", self.path("n"), *map(self.path, files))
            self.assertEqual(read(self.path("n")), read(self.path("m")), files)
            os.remove(self.path("n"))
        self.compile("--quiet", "--prefix", "compute", out="other", environment={"KILN_OPT_LEVEL": "0"})
        for files in (["other", "compute"], ["compute", "other"]):
            done = run("merge", "-o", self.path("n"), *map(self.path, files))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, f"{files[1]}: pipeline [0-9a-f-]{{36}} is another one in .*{files[0]}")
        self.compile_for("gfx1030", "old")
        done = run("merge", "-o", self.path("n"), self.path("compute"), self.path("old"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("old: for another device than", done.stderr)
        self.assertFalse(os.path.exists(self.path("n")))

    def compile_for(self, chip, out):
        done = run("--path", self.inputs, "--prefix", "graphics-plain", "--chip", chip, "--quiet",
                   "--out", self.path(out))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_extract(self):
        self.good("extract", "-o", self.path("x y"), self.out)
        count = 0
        for entry in self.cache.entries:
            text = entry.identifier.hex()
            stem = os.path.join(self.path("x y"), "-".join(
                (text[:8], text[8:12], text[12:16], text[16:20], text[20:])))
            self.assertEqual(read(stem + ".elf"), entry.elf)
            self.assertEqual(read(stem + ".json").decode(), entry.json)
            for i, module in enumerate(entry.modules):
                self.assertEqual(read(f"{stem}.{i}.spv"), module)
            count += 2 + len(entry.modules)
        self.assertEqual(len(os.listdir(self.path("x y"))), count)

    def test_verify(self):
        self.assertEqual(len(self.cache.entries), len(names_of_all()))
        self.good("verify", self.out, self.out)
        done = run("verify", self.out, self.path("gone"), self.path("in/plain.comp.spv"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("gone: No such file", done.stderr)
        self.assertIn("plain.comp.spv: ", done.stderr)

    def test_damaged_caches(self):
        """Every field of header and first index entry, and single bytes of code."""
        good = read(self.out)
        elf = good.index(self.cache.entries[0].elf)
        index = struct.unpack_from("<Q", good, 48)[0]
        places = {"headerSize": 0, "headerVersion": 4, "vendorID": 8, "deviceID": 12, "pipelineCacheUUID": 20,
                  "validationVersion": 32, "implementationData": 36,
                  "pipelineIndexCount": 43, "pipelineIndexStride": 44, "pipelineIndexOffset": 55,
                  "jsonSize": index + 28, "jsonOffset": index + 38, "stageIndexCount": index + 41,
                  "stageIndexStride": index + 44, "stageIndexOffset": index + 54,
                  "elf offset": index + 62, "elf size": index + 70, "hash": index + 72,
                  "code": elf + 300, "code's end": elf + len(self.cache.entries[0].elf) - 1}
        for name, place in places.items():
            bad = bytearray(good)
            bad[place] = bad[place] ^ 0x31 if name != "stageIndexStride" else 1
            write(self.path("bad"), bytes(bad))
            for command in (["verify"], ["info"], ["strip", "-o", self.path("no")],
                            ["extract", "-o", self.path("no")], ["merge", "-o", self.path("no")]):
                done = run(*command, self.path("bad"))
                self.assertEqual(done.returncode, 1, f"{command} takes a bad {name}")
                self.assertRegex(done.stderr, r"kiln-pcc: .*bad: .*pipeline cache", name)
            self.assertFalse(os.path.exists(self.path("no")))
        for size in (0, 1, 55, 56, 1000, len(good) - 1):
            write(self.path("bad"), good[:size])
            self.assertEqual(run("verify", self.path("bad")).returncode, 1, f"cut off at {size}")

    @staticmethod
    def without_hashes(data):
        """As older builds wrote it: nothing says that JSON and SPIR-V are what they were."""
        data = bytearray(data)
        index = struct.unpack_from("<Q", data, 48)[0]
        count, stride = struct.unpack_from("<II", data, 40)
        for i in range(count):
            struct.pack_into("<I", data, index + i * stride + 84, 0)
        return bytes(data)

    def refused(self, message, data, pipelines=1):
        """verify finds fault with a cache, and only that; in so many pipelines."""
        write(self.path("bad"), bytes(data))
        done = run("verify", self.path("bad"))
        self.assertEqual(done.returncode, 1, message)
        self.assertRegex(done.stderr, message)
        self.assertEqual(len(done.stderr.splitlines()), pipelines, done.stderr)

    def test_header_of_another_target(self):
        self.compile_for("gfx1030", "old")
        data = read(self.path("old"))[:32] + read(self.out)[32:]
        for command in ("info", "verify"):
            write(self.path("bad"), data)
            done = run(command, self.path("bad"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("code for gfx1100 in a pipeline cache for gfx1030", done.stderr)

    def test_debug_information_that_does_not_fit(self):
        good = self.without_hashes(read(self.out))
        entry = next(e for e in self.cache.entries if len(e.modules) == 2 and "PipelineUUID" in e.json)
        json = entry.json.encode()

        def with_json(old, new):
            self.assertEqual(len(old), len(new))
            self.assertIn(old, json)
            return good.replace(json, json.replace(old, new, 1))

        name = "-".join((entry.identifier.hex()[:8], entry.identifier.hex()[8:12], ""))
        self.refused(f"bad: {name}.*: JSON:\\d+:\\d+: no JSON", with_json(b"{", b"["))
        self.refused("polygonMode: VK_POLYGON_MODE_FULL is no value of VkPolygonMode",
                     with_json(b"VK_POLYGON_MODE_FILL", b"VK_POLYGON_MODE_FULL"))
        self.refused("JSON: it is pipeline fe", with_json(b"255", b"254"))
        self.refused("filename: no SPIR-V: the magic number is missing",
                     good.replace(entry.modules[0], b"\x04" + entry.modules[0][1:]),
                     sum(entry.modules[0] in e.modules for e in self.cache.entries))
        self.refused(r"\(byte \d+\): 1 bytes behind its end", good + b"\0")
        self.refused(r"\(byte \d+\): 4096 bytes behind its end", good + good[:4096])
        place = good.index(json) + len(json)
        gap = (-place) % 8
        self.assertGreater(gap, 0, "the test needs JSON that something is filled up behind")
        self.refused(rf"\(byte {place}\): not what is written for these pipelines",
                     good[:place] + b"x" + good[place + 1:])

    def test_modules_that_do_not_fit(self):
        """Modules of other stages, other code, and code that is no longer what was compiled."""
        good = self.without_hashes(read(self.out))
        count = len(self.cache.entries)
        write(self.path("old"), good)
        self.assertIn(f"{count} pipelines, 0 of them with the JSON and SPIR-V that were written, {count} with those that",
                      self.good("verify", self.path("old")))
        index = struct.unpack_from("<Q", good, 48)[0]
        stride = struct.unpack_from("<I", good, 44)[0]
        number = next(i for i, e in enumerate(self.cache.entries) if len(e.modules) == 2)
        stages = struct.unpack_from("<Q", good, index + number * stride + 48)[0]
        bad = bytearray(good)
        bad[stages:stages + 32] = good[stages + 16:stages + 32] + good[stages:stages + 16]
        write(self.path("bad"), bytes(bad))
        done = run("verify", self.path("bad"))
        self.assertEqual(done.returncode, 1)
        for stage in ("VERTEX", "FRAGMENT"):
            self.assertRegex(done.stderr, rf"\.spv, VK_SHADER_STAGE_{stage}_BIT: no entry point 'main' of this stage")
        module = self.cache.entries[number].modules[0]
        users = sum(module in e.modules for e in self.cache.entries)
        cut = bytearray(module)
        cut[20] ^= 0x40  # the first instruction
        self.refused(r"\.spv, VK_SHADER_STAGE_[A-Z]+_BIT: ", good.replace(module, bytes(cut)), users)
        # Good SPIR-V, but not what the code is made of: another build may have made it.
        changed = bytearray(module)
        changed[8] ^= 1  # who wrote it
        write(self.path("bad"), good.replace(module, bytes(changed)))
        self.assertIn(f", {count - users} with those that", run("verify", self.path("bad")).stdout)

    def test_damaged_debug_information(self):
        """Whoever compiled it, and however good the result still is."""
        good = read(self.out)
        count = len(self.cache.entries)
        self.assertIn(f"{count} pipelines, {count} of them with the JSON and SPIR-V that were written, {count} with",
                      self.good("verify", self.out))
        entry = next(e for e in self.cache.entries if len(e.modules) == 2)
        module, text = entry.modules[1], entry.json.encode()
        changed = bytearray(module)
        changed[8] ^= 1  # who wrote it
        for data in (good.replace(module, bytes(changed)), good.replace(text, text.replace(b'"lineWidth": 1.0', b'"lineWidth": 2.0')),
                     good.replace(text, text[:-1] + b" ")):
            self.assertNotEqual(data, good)
            write(self.path("bad"), data)
            for command in (["verify"], ["info"], ["strip", "-o", self.path("no")], ["extract", "-o", self.path("no")],
                            ["merge", "-o", self.path("no")]):
                done = run(*command, self.path("bad"))
                self.assertEqual(done.returncode, 1, command)
                self.assertRegex(done.stderr, r"bad: [0-9a-f-]{36}: pipeline cache: JSON or SPIR-V is damaged")
        self.assertFalse(os.path.exists(self.path("no")))
        # Older caches stay what they are, in the order that merge gives them.
        self.good("merge", "-o", self.path("sorted"), self.out)
        write(self.path("old"), self.without_hashes(read(self.path("sorted"))))
        self.good("merge", "-o", self.path("again"), self.path("old"))
        self.assertEqual(read(self.path("again")), read(self.path("old")))
        self.good("strip", "-o", self.path("stripped"), self.path("old"))
        self.good("verify", self.path("stripped"))

    def test_shared_json(self):
        """Or else a small file could take any amount of memory."""
        bad = bytearray(read(self.out))
        index = struct.unpack_from("<Q", bad, 48)[0]
        stride = struct.unpack_from("<I", bad, 44)[0]
        for i in range(len(self.cache.entries)):
            struct.pack_into("<QQ", bad, index + i * stride + 24, len(bad) // 2, len(bad) // 4)
        write(self.path("bad"), bytes(bad))
        for command in (["verify"], ["info"], ["merge", "-o", self.path("o")], ["strip", "-o", self.path("o")]):
            done = run(*command, self.path("bad"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("bad: pipeline cache: JSON and SPIR-V of pipelines overlap", done.stderr)

    def test_what_is_no_file(self):
        os.mkfifo(self.path("fifo"))
        for path in ("/dev/zero", self.path("fifo"), self.inputs):
            for command in (["info"], ["verify"], ["strip", "-o", self.path("o")],
                            ["merge", "-o", self.path("o")], ["extract", "-o", self.path("o")]):
                done = run(*command, path)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{path}: no regular file", done.stderr)
        with open(self.path("hole"), "wb") as file:
            file.truncate(1 << 40)
        self.assertIn("hole: larger than 4096 MiB", run("info", self.path("hole")).stderr)

    def test_two_of_one_identifier(self):
        data = bytearray(read(self.out))
        index = struct.unpack_from("<Q", data, 48)[0]
        stride = struct.unpack_from("<I", data, 44)[0]
        data[index + stride:index + stride + 16] = data[index:index + 16]
        write(self.path("bad"), bytes(data))
        done = run("verify", self.path("bad"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("two pipelines have the identifier", done.stderr)
        with self.assertRaises(check.Wrong):
            check.check(bytes(data))

    def test_wrong_arguments(self):
        for arguments, message in (
                (["info"], "info wants one file"), (["info", "a", "b"], "info wants one file"),
                (["verify"], "verify wants files"), (["merge", "-o"], "option '-o' needs a value"),
                (["strip", self.out], "strip wants -o"), (["info", "-o", "x", self.out], "info has no -o"),
                (["extract", "-o", "x", "--fast", self.out], "unknown option '--fast'")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)
        self.assertIn("usage: kiln-pcc info FILE", self.good("merge", "--help"))
