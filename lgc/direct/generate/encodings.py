#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""encodings.py LLVM-MC OUTPUT DEFINITIONS...: where operands stand in encoded instructions.

Each instruction is assembled with all operands at zero, and once more for each bit of each operand:
the bits that change are where that bit belongs. Nothing is taken on trust that follows from this: a
few random instances of each instruction, and all processors of a generation, must agree with the
table, or the build fails.
"""
import random
import re
import subprocess
import sys

# GPUs of a generation, which must have the same encodings: majors 10, 11, 12 in a row.
GENERATIONS = (("gfx1010", "gfx1013", "gfx1030", "gfx1036"), ("gfx1100", "gfx1103", "gfx1150", "gfx1153"),
               ("gfx1200", "gfx1201"))
# Those of gfx10 that lack what rows DIRECT_INSTRUCTION_1030 have.
BEFORE_1030 = ("gfx1010", "gfx1013")
SAMPLES = 8
LITERAL = 0xAAAAAAAA  # no bit more or less makes it a constant that instructions have
TARGETS = {**{i: f"mrt{i}" for i in range(8)}, 8: "mrtz", **{12 + i: f"pos{i}" for i in range(5)}, 20: "prim"}
PARAMETERS = {32 + i: f"param{i}" for i in range(32)}
VGPR = 256
CONSTANT = 128
# What bits of an operand add to the text.
POLICIES = {"B": (" bound_ctrl:1",), "C": (" clamp",), "G": (" glc", " slc", " dlc"), "U": (" slc",)}
# Of DPP, rows of 16 lanes by the bits above the number.
LANE_ROWS = {0x10: "row_shl", 0x11: "row_shr", 0x12: "row_ror", 0x15: "row_share", 0x16: "row_xmask"}
HINTS = {kind: {0: "", 1: f" th:TH_{name}_NT", 2: f" th:TH_{name}_HT", 4: f" th:TH_{name}_NT_RT"}
         for kind, name in (("I", "LOAD"), ("O", "STORE"))}
SCOPES = ("", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS")


def registers(letter, first, count):
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


def source(value):
    """Nine bits as instructions have them."""
    if value >= VGPR:
        return f"v{value - VGPR}"
    if value < 106:
        return f"s{value}"
    return str(value - 128)  # 0 to 64


def sources(value, count):
    if value >= VGPR:
        return registers("v", value - VGPR, count)
    return registers("s", value, count) if value < 106 else source(value)


def lane_control(value):
    """Which lane is read, of DPP."""
    if value < 0x100:
        return f"quad_perm:[{value & 3},{value >> 2 & 3},{value >> 4 & 3},{value >> 6}]"
    if value in (0x140, 0x141):
        return ("row_mirror", "row_half_mirror")[value & 1]
    return f"{LANE_ROWS[value >> 4]}:{value & 15}"


class Operand:
    """One operand of an instruction; `bits`: numbers of its bits."""

    def __init__(self, kind):
        self.role = kind[0] if kind[0] in "=+" else ""
        self.kind, count = kind[len(self.role)], int(kind[len(self.role) + 1:] or 1)
        self.count = count
        # What it is while other operands are looked at: a VGPR goes beside everything.
        self.zero = {"L": LITERAL, "X": VGPR, "D": 15, "Q": 1}.get(self.kind, 0)
        self.bits = {
            "V": range(8), "S": range({1: 0, 2: 1}.get(count, 2), 7), "M": range(7), "X": range(9), "Y": range(8),
            "N": range(count), "A": range(count), "C": range(1), "G": range(3), "U": range(1), "H": range(2), "I": range(5), "O": range(5), "i": range(count), "L": range(32), "T": range(5), "W": range(6), "K": range(2),
            "J": range(8), "D": range(4), "Q": range(4),
            "R": range(9), "B": range(1), "E": range(9), "P": range(10)}[self.kind]

    def text(self, value):
        if self.kind in "VJSM":
            return registers("v" if self.kind in "VJ" else "s", value, self.count)
        if self.kind in "XY":
            return sources(value, self.count)
        if self.kind == "L":
            return hex(value)
        if self.kind in "TW":
            return TARGETS[value] if value < 32 else PARAMETERS[value]
        if self.kind == "K":
            return "xyzw"[value]
        if self.kind in "EP":
            name = f"v{value % VGPR}" if value >= VGPR else "off"
            return name if self.kind == "E" else f"{name}, {name}"
        if self.kind in POLICIES:
            return "".join(name for bit, name in enumerate(POLICIES[self.kind]) if value >> bit & 1)
        if self.kind == "H":
            return SCOPES[value]
        if self.kind in HINTS:
            return HINTS[self.kind][value & 7] + SCOPES[value >> 3]
        if self.kind == "R":
            return lane_control(value)
        return "" if self.kind in "NA" else str(value)  # Form.text

    def instances(self):
        """(bits, text) with which each bit can be told, from the zero or another value."""
        if self.kind == "Q":
            return  # where D stands; only one bit may be set
        for bit in self.bits[:9] if self.kind == "P" else self.bits:
            base = VGPR if self.kind in "XEP" and bit < 8 else self.zero
            if self.kind == "Y" and bit < 6:
                base = CONSTANT
            if self.kind == "R" and bit == 8:
                base = 0x51  # and row_share with it
            yield bit, base, base ^ 1 << bit

    def sample(self, rng):
        if self.kind in "XY":
            scalar = [rng.randrange(0, 104 // self.count) * self.count, CONSTANT + rng.randrange(0, 65)]
            return rng.choice(scalar + ([VGPR + rng.randrange(0, 257 - self.count)] if self.kind == "X" else []))
        if self.kind in "VJ":
            return rng.randrange(0, 256 - self.count + 1)
        if self.kind in HINTS:
            return rng.choice(list(HINTS[self.kind])) | rng.randrange(4) << 3
        if self.kind in "DQ":
            return rng.choice([1, 2, 4, 8]) if self.kind == "Q" else rng.randrange(1, 16)
        if self.kind in "SM":
            step = min(self.count, 4)
            return rng.randrange(0, (104 - self.count) // step + 1) * step
        if self.kind in "TW":
            return rng.choice(list(TARGETS) + (list(PARAMETERS) if self.kind == "W" else []))
        if self.kind in "EP":
            return rng.choice([0, (VGPR if self.kind == "E" else 3 * VGPR) + rng.randrange(0, 256)])
        if self.kind == "R":
            return rng.choice([rng.randrange(0x100), 0x140, 0x141, rng.choice(list(LANE_ROWS)) << 4 | rng.randrange(1, 16)])
        if self.kind == "L":
            return rng.randrange(1 << 16, 1 << 29)
        return rng.randrange(0, 1 << len(self.bits))

    def info(self):
        role = {"": "Read", "=": "Written", "+": "Both"}[self.role]
        return f"{{'{self.kind}', {self.count}, OperandInfo::Role::{role}}}"


class Form:
    """An instruction's text on one generation."""

    def __init__(self, text):
        self.pieces = re.split(r"\{([=+]?\w+)\}", text)
        self.operands = [Operand(kind) for kind in self.pieces[1::2]]

    def text(self, values):
        out = list(self.pieces)
        texts = [operand.text(value) for operand, value in zip(self.operands, values)]
        sources = [index for index, operand in enumerate(self.operands) if operand.kind == "X"]
        for kind, form in (("A", "|{}|"), ("N", "-{}")):
            for operand, value in zip(self.operands, values):
                for bit in operand.bits if operand.kind == kind else ():
                    if value >> bit & 1:
                        texts[sources[bit]] = form.format(texts[sources[bit]])
        for operand, value in zip(self.operands, values):
            if operand.kind == "D":
                texts[0] = registers("v", values[0], value.bit_count())
        out[1::2] = texts
        return "".join(out)

    def zeros(self):
        return [operand.zero for operand in self.operands]

    def sample(self, rng):
        """Values of all operands; of nine-bit sources, one at most is scalar."""
        values = [operand.sample(rng) for operand in self.operands]
        sources = [index for index, operand in enumerate(self.operands) if operand.kind == "X"]
        hasMask = any(operand.kind == "M" and not operand.role for operand in self.operands)
        for index in rng.sample(sources, max(len(sources) - (0 if hasMask else 1), 0)):
            values[index] = VGPR + values[index] % 255
        # The assembler shows constants with their signs.
        if any(operand.kind in "NA" for operand in self.operands):
            for index in sources:
                if CONSTANT <= values[index] < VGPR:
                    values[index] = VGPR
        return values

    def with_one(self, index, value):
        values = self.zeros()
        values[index] = value
        return self.text(values)


# Long and short forms of what is written by its name alone.
PAIRS = {
    "VOP1": ("{}_e64 {{=V}}, {{X}}", "{}_e32 {{=V}}, {{X}}"),
    "VOP1F": ("{}_e64 {{=V}}, {{X}}{{N1}}{{A1}}{{C}}", "{}_e32 {{=V}}, {{X}}"),
    "VOP2": ("{}_e64 {{=V}}, {{X}}, {{X}}", "{}_e32 {{=V}}, {{X}}, {{V}}"),
    "VOP2F": ("{}_e64 {{=V}}, {{X}}, {{X}}{{N2}}{{A2}}{{C}}", "{}_e32 {{=V}}, {{X}}, {{V}}"),
    "VOPC": ("{}_e64 {{=M}}, {{X}}, {{X}}", "{}_e32 vcc_lo, {{X}}, {{V}}"),
    "VOPCF": ("{}_e64 {{=M}}, {{X}}, {{X}}{{N2}}{{A2}}", "{}_e32 vcc_lo, {{X}}, {{V}}"),
}


DIMENSIONS = {"1d": "1D", "2d": "2D", "3d": "3D", "cube": "CUBE", "1darray": "1D_ARRAY", "2darray": "2D_ARRAY",
              "2dmsaa": "2D_MSAA", "2darraymsaa": "2D_MSAA_ARRAY"}
# Whether there is a sampler, data, mask, and how many addresses gfx12 has operands for; then one operand has all others.
IMAGES = {"SAMPLE": (True, "{=V4}", "{D}", 4), "GATHER": (True, "{=V4}", "{Q}", 4), "LOAD": (False, "{=V4}", "{D}", 5),
          "STORE": (False, "{V4}", "{D}", 5), "ATOMIC": (False, "{+V}", "0x1", 5)}


def image_texts(form, rest):
    """Texts by generation of a row of ImageInstructions.def."""
    intrinsic, dimension, *new = re.findall(r'"([^"]*)"', rest)
    count = int(re.search(r", (\d+)", rest)[1])
    sampler, data, mask, most = IMAGES[form]
    if intrinsic.endswith("cmpswap"):
        data, mask = "{+V2}", "0x3"
    old = intrinsic.replace(".", "_").replace("getlod", "get_lod")
    separate = [f"{{V{count - i if i == most - 1 else 1}}}" for i in range(min(count, most))]
    addresses = (f"{{J{count}}}", separate[0] if count == 1 else "[" + ", ".join(separate) + "]")
    behind = f", {{S8}}{', {S4}' if sampler else ''} dmask:{mask} dim:SQ_RSRC_IMG_{DIMENSIONS[dimension]}"
    before12 = f"{old} {data}, {addresses[0]}{behind}{'' if sampler else ' unorm'}" + (" glc{U}" if new else "{G}")
    name12 = f"image_atomic_{new[0]}" if new else old
    return [before12, before12, f"{name12} {data}, {addresses[1]}{behind}" + (" th:TH_ATOMIC_RETURN{H}" if new else "{O}" if form == "STORE" else "{I}")]


def read_definitions(path):
    """(name, texts by generation, whether BEFORE_1030 lack it) of each row."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r" *//.*|^#(.|\\\n)*", "", file.read(), flags=re.M)
    rows = []
    for form, name, rest in re.findall(r"^DIRECT_(\w+)\((\w+), \w+,(.*?)\)$", text, re.M | re.S):
        texts = image_texts(form, rest) if form in IMAGES else re.findall(r'"([^"]*)"', rest)
        texts = texts * 3 if "SAME(" in rest else texts
        # A row that was not understood would have all others behind it take the wrong place.
        if len(texts) != len(GENERATIONS):
            sys.exit(f"encodings.py: {path}: {name} is no DIRECT_...(NAME, CLASS, SAME(TEXT)) or (NAME, CLASS, TEXT, "
                     "TEXT, TEXT)")
        isLater = form == "INSTRUCTION_1030"
        forms = zip((name, name + "Short"), PAIRS[form]) if form in PAIRS else ((name, "{}"),)
        rows += [(name, [form.format(text) if text else "" for text in texts], isLater) for name, form in forms]
    if text.count("\nDIRECT_") != len(re.findall(r"^DIRECT_(\w+)\((\w+), \w+,(.*?)\)$", text, re.M | re.S)):
        sys.exit(f"encodings.py: {path}: a row that was not understood")
    return rows


def assemble(mc, processor, lines):
    """Bytes of each line. A source that does not exist is fatal."""
    done = subprocess.run(
        [mc, "-triple=amdgcn--amdpal", "-mcpu=" + processor, "-mattr=+wavefrontsize32,-real-true16", "-show-encoding"],
        input="\n".join(lines) + "\n", check=False, text=True, capture_output=True)
    found = re.findall(r"encoding: \[([^\]]*)\]", done.stdout)
    if done.returncode or len(found) != len(lines):
        sys.exit(f"encodings.py: {processor}: {done.stderr[:400]}")
    return [int.from_bytes(bytes(int(byte, 16) for byte in line.split(",")), "little") for line in found], \
        [len(line.split(",")) for line in found]


class Table:
    """What becomes of the forms of one generation."""

    def __init__(self, forms, later):
        self.forms = forms
        self.later = later  # names of those that BEFORE_1030 lack
        self.rows = {}

    def lines(self, rng, processor):
        """Everything to be assembled, and what it is."""
        for name, form in self.forms.items():
            if processor in BEFORE_1030 and name in self.later:
                continue
            yield name, None, form.text(form.zeros())
            for index, operand in enumerate(form.operands):
                for bit, base, value in operand.instances():
                    yield name, (index, bit, None), form.with_one(index, base)
                    yield name, (index, bit, value), form.with_one(index, value)
            for _ in range(SAMPLES if form.operands else 0):
                values = form.sample(rng)
                yield name, values, form.text(values)

    def learn(self, mc, processor):
        plan = list(self.lines(random.Random(1), processor))
        codes, sizes = assemble(mc, processor, [line for _, _, line in plan])
        rows, before = {}, 0
        for (name, what, line), code, size in zip(plan, codes, sizes):
            if what is None:
                rows[name] = (size, code, {})
            elif isinstance(what, tuple):
                index, bit, value = what
                if value is None:
                    before = code
                    continue
                places = positions(before ^ code)
                if len(places) != (2 if self.forms[name].operands[index].kind == "P" and bit == 8 else 1):
                    sys.exit(f"encodings.py: one bit of an operand is not one bit of the code: '{line}'")
                rows[name][2].update({(index, bit + i): place for i, place in enumerate(places)})
            elif self.encode(self.with_mask(rows, name), self.forms[name], what) != code or rows[name][0] != size:
                sys.exit(f"encodings.py: {processor}: '{line}' is not what its bits say")
        if any(rows[name] != row for name, row in self.rows.items()):
            sys.exit(f"encodings.py: {processor} differs from its generation")
        self.rows = rows

    def with_mask(self, rows, name):
        """A row that is complete: {Q} stands where others have {D}."""
        for index, operand in enumerate(self.forms[name].operands):
            if operand.kind == "Q" and (index, 0) not in rows[name][2]:
                other = "ImageSample2D"
                there = next(i for i, o in enumerate(self.forms[other].operands) if o.kind == "D")
                rows[name][2].update({(index, bit): rows[other][2][there, bit] for bit in range(4)})
        return rows[name]

    @staticmethod
    def encode(row, form, values):
        _, code, places = row
        for index, (operand, value) in enumerate(zip(form.operands, values)):
            for bit in operand.bits:
                if (value ^ operand.zero) >> bit & 1:
                    code ^= 1 << places[index, bit]
        return code


def positions(difference):
    return [bit for bit in range(96) if difference >> bit & 1]


def runs_of(places):
    """(first bit, first place, bits) of what stands in a row."""
    runs = []
    for bit, place in places:
        first, start, count = runs[-1] if runs else (0, 0, 0)
        if runs and bit == first + count and place == start + count and start // 32 == place // 32:
            runs[-1] = (first, start, count + 1)
        else:
            runs.append((bit, place, 1))
    return runs


class Writer:
    """The tables as C++."""

    def __init__(self):
        self.runs, self.operands, self.infos = [], [], []

    def encoding(self, table, name):
        if name not in table.rows:
            return "{0, 0, 0, {0, 0, 0}}"
        form, (size, code, places) = table.forms[name], table.rows[name]
        first = len(self.operands)
        for index, operand in enumerate(form.operands):
            for bit in operand.bits:
                if operand.zero >> bit & 1:
                    code ^= 1 << places[index, bit]
            runs = runs_of([(bit, places[index, bit]) for bit in operand.bits])
            self.operands.append((len(self.runs), len(runs), operand.bits[0], operand.bits[-1] + 1))
            self.runs += runs
        words = ", ".join(f"0x{code >> 32 * i & 0xFFFFFFFF:08X}" for i in range(3))
        return f"{{{size // 4}, {len(form.operands)}, {first}, {{{words}}}}}"

    def info(self, tables, name):
        """Where the operands of the instruction stand in the list of all."""
        form = next(table.forms[name] for table in tables if name in table.forms)
        self.infos += [operand.info() for operand in form.operands]
        return f"{{{len(self.infos) - len(form.operands)}, {len(form.operands)}}}"

    def write(self, path, names, tables):
        rows = [[self.encoding(table, name) for name in names] for table in tables]
        infos = [self.info(tables, name) for name in names]
        with open(path, "w", encoding="utf-8") as out:
            out.write("// Made by lgc/direct/generate/encodings.py from what LLVM's assembler says.\n")
            out.write("constexpr BitRun bitRuns[] = {" + ", ".join(
                f"{{{bit}, {place}, {count}}}" for bit, place, count in self.runs) + "};\n")
            out.write("constexpr OperandBits operandBits[] = {" + ", ".join(
                f"{{{first}, {count}, {low}, {high}}}" for first, count, low, high in self.operands) + "};\n")
            out.write("constexpr Encoding encodings[][instructionCount] = {\n")
            for row in rows:
                out.write("  {" + ",\n   ".join(row) + "},\n")
            out.write("};\n")
            out.write("constexpr OperandInfo operandInfos[] = {" + ",\n  ".join(self.infos) + "};\n")
            out.write("constexpr OperandRange operandRanges[] = {" + ", ".join(infos) + "};\n")


def main():
    mc, output, *definitions = sys.argv[1:]
    rows = [row for path in definitions for row in read_definitions(path)]
    tables = []
    for generation, processors in enumerate(GENERATIONS):
        table = Table({name: Form(texts[generation]) for name, texts, _ in rows if texts[generation]},
                      {name for name, _, isLater in rows if isLater})
        for processor in processors:
            table.learn(mc, processor)
        tables.append(table)
    Writer().write(output, [name for name, _, _ in rows], tables)


if __name__ == "__main__":
    main()
