# SPDX-License-Identifier: MIT
"""Checks a pipeline cache of Vulkan SC against the specification's description of it ("Pipeline
Cache Header", "Pipeline Cache Safety Critical Index Entry", "Stage Validation Index Entry").

It shares nothing with Kiln's own reader: two readings of one text are compared. What the text leaves
to the vendor is checked at the end, as docs/vulkansc.md describes it.

    python3 check.py FILE [gfx1100]
"""
import json
import struct
import sys
import zlib

HEADER = struct.Struct("<4I16s4IQ")
INDEX_ENTRY = struct.Struct("<16sQQQIIQ")
STAGE_ENTRY = struct.Struct("<QQ")
VENDOR_PART = struct.Struct("<3QII16s")
SAFETY_CRITICAL_ONE = 1000298001
SPIRV_MAGIC = 0x07230203
ELF_FLAGS = {"gfx1010": 0x33, "gfx1030": 0x36, "gfx1100": 0x41, "gfx1150": 0x43, "gfx1201": 0x4E}


class Wrong(Exception):
    """The cache breaks a rule."""


def require(condition, message):
    if not condition:
        raise Wrong(message)


class Entry:
    """A pipeline; modules: [bytes], json: str or None, elf: bytes."""
    identifier = b""
    memory = 0
    json = None
    modules = ()
    elf = b""


class Cache:
    vendor = device = implementation = 0
    uuid = b""
    entries = ()


class Checker:
    def __init__(self, data):
        self.data = data
        self.taken = []  # (begin, end, what)

    def take(self, offset, size, alignment, what):
        require(offset % alignment == 0, f"{what} at {offset} is not aligned to {alignment}")
        require(offset + size <= len(self.data), f"{what} reaches beyond the end")
        self.taken.append((offset, offset + size, what))
        return self.data[offset:offset + size]

    def header(self):
        require(len(self.data) >= 56, "shorter than its header")
        (size, version, vendor, device, uuid, validation, implementation, count, stride,
         offset) = HEADER.unpack(self.take(0, 56, 8, "header"))
        require(size == 56, f"headerSize is {size}")
        require(version == SAFETY_CRITICAL_ONE, f"headerVersion is {version}")
        require(validation == 1, f"validationVersion is {validation}")
        require(stride >= 56, f"pipelineIndexStride is {stride}")
        cache = Cache()
        cache.vendor, cache.device, cache.uuid = vendor, device, uuid
        cache.implementation = implementation
        self.take(offset, count * stride, 8, "pipeline index")
        cache.entries = [self.entry(offset + i * stride) for i in range(count)]
        return cache

    def entry(self, at):
        entry = Entry()
        (entry.identifier, entry.memory, json_size, json_offset, stages, stride,
         index) = INDEX_ENTRY.unpack_from(self.data, at)
        # Applications pass it on as uint32_t.
        require(0 < entry.memory < 1 << 32, f"pipelineMemorySize is {entry.memory}")
        if json_size:
            text = self.take(json_offset, json_size, 1, "JSON")
            require(b"\0" not in text, "NUL in the JSON")
            entry.json = text.decode("utf-8")
            require(stages > 0, "JSON without stages")
        else:
            require(json_offset == 0 and stages == 0, "no JSON, but an offset or stages")
        if stages:
            require(stride >= 16, f"stageIndexStride is {stride}")
            self.take(index, stages * stride, 8, "stage index")
            entry.modules = [self.module(index + i * stride) for i in range(stages)]
        else:
            require(index == 0 and stride == 0, "no stages, but an offset or a stride")
        self.vendor_part(entry, at + 56)
        return entry

    def module(self, at):
        size, offset = STAGE_ENTRY.unpack_from(self.data, at)
        require(size > 0 and size % 4 == 0, f"codeSize is {size}")
        words = self.take(offset, size, 4, "SPIR-V")
        require(struct.unpack_from("<I", words)[0] == SPIRV_MAGIC, "a module without SPIR-V's magic")
        return words

    def vendor_part(self, entry, at):
        offset, size, _hash, _stages, debug_hash, _inputs = VENDOR_PART.unpack_from(self.data, at)
        require(debug_hash == debug_hash_of(entry), "the hash of JSON and SPIR-V is not theirs")
        entry.elf = self.take(offset, size, 8, "ELF")

    def finish(self):
        """Nothing overlaps, and no byte is there for nothing."""
        end = 0
        # A module of several stages may be there once.
        for begin, after, what in sorted(set(self.taken)):
            require(begin >= end, f"{what} at {begin} overlaps what is before it")
            require(begin - end < 8 and not any(self.data[end:begin]), f"bytes in front of {what} at {begin}")
            end = after
        require(end == len(self.data), "bytes behind the last object")


def debug_hash_of(entry):
    if entry.json is None:
        return 0
    text = entry.json.encode()
    modules = (struct.pack("<QI", len(each), zlib.crc32(each)) for each in entry.modules)
    return zlib.crc32(struct.pack("<Q", len(text)) + text + b"".join(modules)) or 1


def check_elf(elf, target):
    require(elf[:4] == b"\x7fELF" and elf[4] == 2 and elf[5] == 1, "no ELF of 64 bits, little-endian")
    machine = struct.unpack_from("<H", elf, 18)[0]
    flags = struct.unpack_from("<I", elf, 48)[0]
    require(machine == 224 and elf[7] == 65, "no code object of the PAL ABI")
    require(flags & 0xFF == ELF_FLAGS[target], f"code for another target ({flags & 0xFF:#x})")
    sections = struct.unpack_from("<Q", elf, 40)[0]
    require(sections < len(elf), "the ELF is cut off")


def stages_of(text):
    """Stages of a pipeline in the order of pStages."""
    state = json.loads(text)
    if "ComputePipelineState" in state:
        return [state["ComputePipelineState"]["ComputePipeline"]["stage"]]
    return state["GraphicsPipelineState"]["GraphicsPipeline"]["pStages"]


EXECUTION_MODELS = {"VERTEX": 0, "TESSELLATION_CONTROL": 1, "TESSELLATION_EVALUATION": 2,
                    "GEOMETRY": 3, "FRAGMENT": 4, "COMPUTE": 5}


def entry_points(words):
    """(execution model, name) of a module's OpEntryPoint instructions."""
    numbers = struct.unpack(f"<{len(words) // 4}I", words)
    at = 5
    while at < len(numbers):
        length, opcode = numbers[at] >> 16, numbers[at] & 0xFFFF
        require(length > 0, "an instruction without words")
        if opcode == 15:
            text = words[(at + 3) * 4:(at + length) * 4]
            yield numbers[at + 1], text.split(b"\0")[0].decode()
        at += length


def check_debug(entry):
    """The modules are those of pStages, in that order."""
    stages = stages_of(entry.json)
    require(len(stages) == len(entry.modules), "as many modules as stages")
    for stage, words in zip(stages, entry.modules):
        model = EXECUTION_MODELS[stage["stage"][len("VK_SHADER_STAGE_"):-len("_BIT")]]
        require((model, stage["pName"]) in set(entry_points(words)),
                f"the module of {stage['stage']} has no entry point {stage['pName']}")


def check(data, target="gfx1100"):
    """Returns the Cache. Raises Wrong."""
    checker = Checker(data)
    cache = checker.header()
    identifiers = [entry.identifier for entry in cache.entries]
    require(len(set(identifiers)) == len(identifiers), "two pipelines of one identifier")
    for entry in cache.entries:
        check_elf(entry.elf, target)
    checker.finish()
    return cache


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = check(file.read(), *sys.argv[2:3])
    print(f"{len(found.entries)} pipelines")
