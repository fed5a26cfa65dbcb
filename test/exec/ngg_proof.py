# SPDX-License-Identifier: MIT
"""Did KILN_NGG do anything? What a draw executed with a mode, beside what it executed without.

Equal pictures prove nothing where the driver ignores the variable. Each mode has instructions that
only its code has; named_draws() are the draws that the support table names for a mode.
"""
import os
import re

# Vertex and fragment shader; vertex, geometry and fragment shader.
PLAIN, GEOMETRY = DRAWS = ("triangle.draw", "geometry-points.draw")
# (last word of the mode, families) -> [(draw, executed only with it, executed only without it)].
# A vertex shader asks for export space only as a primitive shader. A legacy geometry shader stores
# vertices to the ring in memory, a primitive shader counts those that live. A culling one exchanges
# positions through LDS and divides them by w.
EXPECTED = {
    ("gfx10", "gfx1010"): [(PLAIN, ("s_sendmsg",), ()),
                           (GEOMETRY, ("s_bcnt1_i32_b32",), ("buffer_store_b32",))],
    ("gfx10", "gfx1030"): [(GEOMETRY, ("s_bcnt1_i32_b32",), ("buffer_store_b32",))],
    ("culling", None): [(PLAIN, ("ds_store_b32", "v_rcp_f32"), ())]}
# Beginnings of the names of the table's rows.
ROWS = {"gfx10": ("geometry shaders, NGG", "NGG pass-through"), "culling": ("NGG culling",)}
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "tools",
                     "support-table", "GraphicsFeatures.def")


def read(path):
    """The mnemonics of a file that the driver wrote under KILN_OPCODE_COUNTS."""
    with open(path, encoding="utf-8") as file:
        return {line.split()[1] for line in file}


def judge(family, mode, without, with_it):
    """0 if what {draw: mnemonics} says shows the last word of the mode. Says what does not."""
    word = mode.split(",")[-1]
    code = 0
    for draw, only_with, only_without in EXPECTED.get((word, family)) or EXPECTED[word, None]:
        for names, have, lack in ((only_with, with_it[draw], without[draw]),
                                  (only_without, without[draw], with_it[draw])):
            for name in names:
                if name not in have or name in lack:
                    is_new = names is only_with
                    print(f"FAIL {family}: KILN_NGG={mode} does nothing to {draw}: {name} should be "
                          f"executed with '{word}' {'only' if is_new else 'never'}, but was executed: "
                          f"with it {name in with_it[draw]}, without {name in without[draw]}")
                    code = 1
    if not code:
        print(f"{family}: KILN_NGG={mode} chooses other code", flush=True)
    return code


def named_draws(mode):
    """Test files of the table's rows for the words of a mode."""
    with open(TABLE, encoding="utf-8") as file:
        rows = re.findall(r'FEATURE\(\s*"([^"]*)",((?:\s*"[^"]*",?)*)\s*\)', file.read())
    names = set()
    for beginning in (row for word in mode.split(",") for row in ROWS[word]):
        found = [name for row, rest in rows if row.startswith(beginning)
                 for name in re.findall(r"test/exec/scripts/draw/([\w-]+\.draw)", rest)]
        if not found:
            raise RuntimeError(f"{TABLE}: no draws of '{beginning}'")
        names.update(found)
    return sorted(names)
