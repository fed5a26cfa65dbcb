# SPDX-License-Identifier: MIT
"""Thousands of pipelines with something wrong in their JSON or SPIR-V, also for the driver inside of
kiln-pcc: each is compiled or refused with a position, and the program goes on."""
import copy
import json
import os
import random
import re
import struct

import pipelines
from support import Case, read, run, write

ROUNDS, FILES, MODULES = 8, 250, 500
HOSTILE = ("NULL", "", None, 0, 1, -1, 7, 31, 32, 33, 255, 4096, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 32,
           (1 << 64) - 1, 1e300, "NaN", "VK_WHOLE_SIZE", "VK_ATTACHMENT_UNUSED", True, [], {}, [[]],
           "A | B", "////", "set0", "main", {"sType": "VK_STRUCTURE_TYPE_APPLICATION_INFO"})


def places(value, path=()):
    """Every place in a document."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(inner, (dict, list)):
            yield from places(inner, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def mutate(value, draw, names):
    """One thing is replaced, removed, doubled or exchanged."""
    path = draw.choice(list(places(value)) or [()])
    if not path:
        return  # nothing is left of it
    parent, key = at(value, path[:-1]), path[-1]
    kind = draw.randrange(6)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif kind == 2:
        other = draw.choice(list(places(value)))
        parent[key] = copy.deepcopy(at(value, other))
    elif kind == 3 and isinstance(parent[key], str):
        parent[key] = draw.choice(names)
    elif isinstance(parent[key], int) and not isinstance(parent[key], bool):
        parent[key] = draw.choice((parent[key] + 1, parent[key] * 2, *HOSTILE))
    else:
        parent[key] = copy.deepcopy(draw.choice(HOSTILE))


def damage(data, draw):
    """A module with one other word, by small numbers, bits, words of its own."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    place = draw.randrange(5, len(words))
    words[place] = draw.choice((draw.randrange(40), words[place] ^ 1 << draw.randrange(32),
                                words[draw.randrange(5, len(words))], words[place] + 1 & 0xFFFFFFFF))
    return struct.pack(f"<{len(words)}I", *words)


def documents():
    return [json.loads(text) for name, text in pipelines.all_texts()
            if "trailing" not in name and "infinit" not in name]


class Mutations(Case):
    """The same ones in every run."""

    def refused(self, what):
        """Names of the files of which none but expected things are said."""
        done = run("--path", self.inputs, "--out", self.path("o"), "-j2", "--diagnostics=json")
        self.assertEqual(done.returncode, 1, f"{what}: {done.stderr[-2000:]}")
        # The others are there, and whole.
        if os.path.exists(self.path("o")):
            checked = run("verify", self.path("o"))
            self.assertEqual(checked.returncode, 0, f"{what}: {checked.stderr[-2000:]}")
            os.remove(self.path("o"))
        errors = [json.loads(line) for line in done.stderr.splitlines()]
        errors = [e for e in errors if e["severity"] == "error" and "file" in e]
        for error in errors:
            self.assertGreater(error.get("line", 0), 0, error)
            self.assertNotIn("internal error", error["message"], error["file"])
        return {e["file"] for e in errors}

    def test_nothing_ends_the_program(self):
        originals = documents()
        names = sorted(set(re.findall(r'"(VK_[A-Z0-9_]+|\w+\.spv)"', json.dumps(originals))))
        refused = 0
        for number in range(ROUNDS):
            draw = random.Random(number)
            files = []
            for i in range(FILES):
                value = copy.deepcopy(draw.choice(originals))
                value.pop("PipelineUUID", None)
                for _ in range(draw.choice((1, 1, 2, 5))):
                    mutate(value, draw, names)
                files.append((f"m{i:03}.json", json.dumps(value)))
            self.add(*files)
            refused += len(self.refused(f"round {number}"))
        self.assertGreater(refused, ROUNDS * FILES // 4)
        self.assertLess(refused, ROUNDS * FILES, "none of them was good, so little was tested")

    def test_damaged_modules(self):
        draw, originals = random.Random(1), documents()
        for i in range(MODULES):
            value = copy.deepcopy(draw.choice(originals))
            value.pop("PipelineUUID", None)
            state = value.get("ComputePipelineState") or value["GraphicsPipelineState"]
            damaged = draw.choice(state["ShaderFileNames"])
            module = read(os.path.join(self.inputs, damaged["filename"]))
            damaged["filename"] = f"m{i:03}.spv"
            write(os.path.join(self.inputs, damaged["filename"]), damage(module, draw))
            self.add((f"m{i:03}.json", json.dumps(value)))
        refused = len(self.refused("modules"))
        self.assertGreater(refused, MODULES // 4)
        self.assertLess(refused, MODULES * 9 // 10, "little was tested")
