#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""encodings.py LLVM-MC Instructions.def OUTPUT: where operands stand in encoded instructions.

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
SAMPLES = 8
LITERAL = 0xAAAAAAAA  # no bit more or less makes it a constant that instructions have
TARGETS = {0: "mrt0", 1: "mrt1", 2: "mrt2", 3: "mrt3", 4: "mrt4", 5: "mrt5", 6: "mrt6", 7: "mrt7", 8: "mrtz"}
VGPR = 256


def registers(letter, first, count):
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


def source(value):
    """Nine bits as instructions have them."""
    if value >= VGPR:
        return f"v{value - VGPR}"
    if value < 106:
        return f"s{value}"
    return str(value - 128)  # 0 to 64


class Operand:
    """One operand of an instruction; `bits`: numbers of its bits."""

    def __init__(self, kind):
        self.kind, count = kind[0], int(kind[1:] or 1)
        self.count = count
        # What it is while other operands are looked at: a VGPR goes beside everything.
        self.zero = {"L": LITERAL, "X": VGPR}.get(self.kind, 0)
        self.bits = {
            "V": range(8), "S": range({1: 0, 2: 1, 4: 2}.get(count, 0), 7), "X": range(9), "i": range(count),
            "L": range(32), "T": range(4), "E": range(9), "P": range(10)}[self.kind]

    def text(self, value):
        if self.kind in "VS":
            return registers(self.kind.lower(), value, self.count)
        if self.kind == "X":
            return source(value)
        if self.kind == "L":
            return hex(value)
        if self.kind == "T":
            return TARGETS[value]
        if self.kind in "EP":
            name = f"v{value % VGPR}" if value >= VGPR else "off"
            return name if self.kind == "E" else f"{name}, {name}"
        return str(value)

    def instances(self):
        """(bits, text) with which each bit can be told, from the zero or another value."""
        for bit in self.bits[:9] if self.kind == "P" else self.bits:
            base = VGPR if self.kind in "XEP" and bit < 8 else self.zero
            yield bit, base, base ^ 1 << bit

    def sample(self, rng):
        if self.kind == "X":
            return rng.choice([rng.randrange(0, 106), 128 + rng.randrange(0, 65), VGPR + rng.randrange(0, 256)])
        if self.kind == "V":
            return rng.randrange(0, 256 - self.count + 1)
        if self.kind == "S":
            return rng.randrange(0, 104 // self.count) * self.count
        if self.kind == "T":
            return rng.choice(list(TARGETS))
        if self.kind in "EP":
            return rng.choice([0, (VGPR if self.kind == "E" else 3 * VGPR) + rng.randrange(0, 256)])
        if self.kind == "L":
            return rng.randrange(1 << 16, 1 << 29)
        return rng.randrange(0, 1 << self.count)


class Form:
    """An instruction's text on one generation."""

    def __init__(self, text):
        self.pieces = re.split(r"\{(\w+)\}", text)
        self.operands = [Operand(kind) for kind in self.pieces[1::2]]

    def text(self, values):
        out = list(self.pieces)
        out[1::2] = [operand.text(value) for operand, value in zip(self.operands, values)]
        return "".join(out)

    def zeros(self):
        return [operand.zero for operand in self.operands]

    def sample(self, rng):
        """Values of all operands; of nine-bit sources, one at most is scalar."""
        values = [operand.sample(rng) for operand in self.operands]
        sources = [index for index, operand in enumerate(self.operands) if operand.kind == "X"]
        for index in rng.sample(sources, max(len(sources) - 1, 0)):
            values[index] |= VGPR
            values[index] &= 2 * VGPR - 1
        return values

    def with_one(self, index, value):
        values = self.zeros()
        values[index] = value
        return self.text(values)


def read_definitions(path):
    """(name, texts by generation) of each row."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r" *//.*", "", file.read())
    rows = []
    for name, rest in re.findall(r"^DIRECT_INSTRUCTION\((\w+),(.*?)\)$", text, re.M | re.S):
        texts = re.findall(r'"([^"]*)"', rest)
        rows.append((name, texts * 3 if "SAME(" in rest else texts))
    # A row that was not understood would have all others behind it take the wrong place.
    if len(rows) != text.count("\nDIRECT_INSTRUCTION(") or any(len(texts) != len(GENERATIONS) for _, texts in rows):
        sys.exit(f"encodings.py: {path}: a row is no DIRECT_INSTRUCTION(NAME, SAME(TEXT)) or (NAME, TEXT, TEXT, TEXT)")
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

    def __init__(self, forms):
        self.forms = forms
        self.rows = {}

    def lines(self, rng):
        """Everything to be assembled, and what it is."""
        for name, form in self.forms.items():
            yield name, None, form.text(form.zeros())
            for index, operand in enumerate(form.operands):
                for bit, base, value in operand.instances():
                    yield name, (index, bit, None), form.with_one(index, base)
                    yield name, (index, bit, value), form.with_one(index, value)
            for _ in range(SAMPLES if form.operands else 0):
                values = form.sample(rng)
                yield name, values, form.text(values)

    def learn(self, mc, processor):
        plan = list(self.lines(random.Random(1)))
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
            elif self.encode(rows[name], self.forms[name], what) != code or rows[name][0] != size:
                sys.exit(f"encodings.py: {processor}: '{line}' is not what its bits say")
        if self.rows and self.rows != rows:
            sys.exit(f"encodings.py: {processor} differs from its generation")
        self.rows = rows

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


class Writer:
    """The tables as C++."""

    def __init__(self):
        self.places, self.operands = [], []

    def encoding(self, table, name):
        if name not in table.rows:
            return "{0, 0, 0, {0, 0, 0}}"
        form, (size, code, places) = table.forms[name], table.rows[name]
        first = len(self.operands)
        for index, operand in enumerate(form.operands):
            low, high = operand.bits[0], operand.bits[-1]
            for bit in operand.bits:
                if operand.zero >> bit & 1:
                    code ^= 1 << places[index, bit]
            self.operands.append((len(self.places), low, high + 1))
            self.places += [places[index, bit] for bit in operand.bits]
        words = ", ".join(f"0x{code >> 32 * i & 0xFFFFFFFF:08X}" for i in range(3))
        return f"{{{size // 4}, {len(form.operands)}, {first}, {{{words}}}}}"

    def write(self, path, names, tables):
        rows = [[self.encoding(table, name) for name in names] for table in tables]
        with open(path, "w", encoding="utf-8") as out:
            out.write("// Made by lgc/direct/generate/encodings.py from what LLVM's assembler says.\n")
            out.write("constexpr uint8_t places[] = {" + ", ".join(map(str, self.places)) + "};\n")
            out.write("constexpr OperandBits operandBits[] = {" + ", ".join(
                f"{{{first}, {low}, {high}}}" for first, low, high in self.operands) + "};\n")
            out.write("constexpr Encoding encodings[][instructionCount] = {\n")
            for row in rows:
                out.write("  {" + ",\n   ".join(row) + "},\n")
            out.write("};\n")


def main():
    mc, definitions, output = sys.argv[1:]
    rows = read_definitions(definitions)
    tables = []
    for generation, processors in enumerate(GENERATIONS):
        table = Table({name: Form(texts[generation]) for name, texts in rows if texts[generation]})
        for processor in processors:
            table.learn(mc, processor)
        tables.append(table)
    Writer().write(output, [name for name, _ in rows], tables)


if __name__ == "__main__":
    main()
