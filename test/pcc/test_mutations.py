# SPDX-License-Identifier: MIT
"""Thousands of pipelines with something wrong in them, also for the driver inside of kiln-pcc: each is
compiled or refused with a position, and the program goes on."""
import copy
import json
import os
import random
import re

import pipelines
from support import Case, run

ROUNDS, FILES = 8, 250
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


class Mutations(Case):
    """The same ones in every run."""

    def test_nothing_ends_the_program(self):
        documents = [json.loads(text) for name, text in pipelines.all_texts()
                     if "trailing" not in name and "infinit" not in name]
        names = sorted(set(re.findall(r'"(VK_[A-Z0-9_]+|\w+\.spv)"', json.dumps(documents))))
        refused = 0
        for number in range(ROUNDS):
            draw = random.Random(number)
            files = []
            for i in range(FILES):
                value = copy.deepcopy(draw.choice(documents))
                value.pop("PipelineUUID", None)
                for _ in range(draw.choice((1, 1, 2, 5))):
                    mutate(value, draw, names)
                files.append((f"m{i:03}.json", json.dumps(value)))
            self.add(*files)
            done = run("--path", self.inputs, "--out", self.path("o"), "-j2", "--diagnostics=json")
            self.assertEqual(done.returncode, 1, f"round {number}: {done.stderr[-2000:]}")
            self.assertFalse(os.path.exists(self.path("o")))
            errors = [json.loads(line) for line in done.stderr.splitlines()]
            errors = [e for e in errors if e["severity"] == "error" and "file" in e]
            for error in errors:
                self.assertGreater(error.get("line", 0), 0, error)
                self.assertNotIn("internal error", error["message"])
            refused += len({e["file"] for e in errors})
        self.assertGreater(refused, ROUNDS * FILES // 4)
        self.assertLess(refused, ROUNDS * FILES, "none of them was good, so little was tested")
