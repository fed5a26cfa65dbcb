# SPDX-License-Identifier: MIT
"""A stage for a shader that has none beside it: text_for(module, entry, stage).

A vertex shader in front of a fragment shader writes every location that it reads, with values that
change smoothly over the picture, or that are the same in all of it where they are flat. A fragment
shader behind a vertex shader shows the sum of what that writes. Types are scalars and vectors of 16
and 32 bits and matrices of them; None for others, for blocks and arrays.
"""
import struct

OP_ENTRY_POINT, OP_TYPE_INT, OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_MATRIX = 15, 21, 22, 23, 24
OP_TYPE_POINTER, OP_VARIABLE, OP_DECORATE = 32, 59, 71
FLAT, BUILT_IN, LOCATION, COMPONENT = 14, 11, 30, 31
INPUT, OUTPUT = 1, 3
HEADER = ("#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
          "#extension GL_EXT_shader_16bit_storage : require\n")
SCALARS = {(OP_TYPE_FLOAT, 32, 0): ("float", "vec"), (OP_TYPE_FLOAT, 16, 0): ("float16_t", "f16vec"),
           (OP_TYPE_INT, 32, 1): ("int", "ivec"), (OP_TYPE_INT, 32, 0): ("uint", "uvec"),
           (OP_TYPE_INT, 16, 1): ("int16_t", "i16vec"), (OP_TYPE_INT, 16, 0): ("uint16_t", "u16vec")}


class Module:
    """What is needed of a module's types, variables and decorations."""

    def __init__(self, path, entry):
        with open(path, "rb") as file:
            data = file.read()
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.types, self.pointers, self.variables = {}, {}, {}
        self.decorations, self.interface = {}, ()
        place = 5
        while place < len(words):
            count, opcode = words[place] >> 16, words[place] & 0xFFFF
            self.read(opcode, words[place + 1:place + count], entry)
            place += count

    def read(self, opcode, operands, entry):
        """One instruction."""
        if opcode == OP_ENTRY_POINT:
            text = struct.pack(f"<{len(operands) - 2}I", *operands[2:])
            name, _, _ = text.partition(b"\0")
            if name.decode() == entry:
                self.interface = operands[2 + len(name) // 4 + 1:]
        elif opcode in (OP_TYPE_INT, OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_MATRIX):
            self.types[operands[0]] = (opcode,) + operands[1:3] + (0,) * (3 - len(operands))
        elif opcode == OP_TYPE_POINTER:
            self.pointers[operands[0]] = operands[2]
        elif opcode == OP_VARIABLE:
            self.variables[operands[1]] = operands[2], self.pointers.get(operands[0])
        elif opcode == OP_DECORATE:
            self.decorations.setdefault(operands[0], {})[operands[1]] = operands[2:]

    def glsl_type(self, number):
        """(type, scalar type, components of a column, columns), or None."""
        kind = self.types.get(number)
        if kind is None or kind in SCALARS:
            return kind and (SCALARS[kind][0], SCALARS[kind][0], 1, 1)
        part = self.types.get(kind[1])
        if kind[0] == OP_TYPE_VECTOR and part in SCALARS:
            return f"{SCALARS[part][1]}{kind[2]}", SCALARS[part][0], kind[2], 1
        column = kind[0] == OP_TYPE_MATRIX and self.glsl_type(kind[1])
        if column and column[1] == "float":
            return f"mat{kind[2]}x{column[2]}", "float", column[2], kind[2]
        return None

    def locations(self, storage):
        """[(location, component or None, is flat?, glsl_type)]; None where something has no such type."""
        rows = []
        for variable in self.interface:
            of_storage, pointee = self.variables[variable]
            decorations = self.decorations.get(variable, {})
            if of_storage != storage or BUILT_IN in decorations:
                continue
            if LOCATION not in decorations:  # a block: of built-ins, or of members with locations
                if pointee in self.types:
                    return None
                continue
            of_type = self.glsl_type(pointee)
            if not of_type:
                return None
            component = decorations.get(COMPONENT)
            rows.append((decorations[LOCATION][0], component and component[0], FLAT in decorations, of_type))
        return sorted(rows, key=lambda row: (row[0], row[1] or 0))


def declaration(row, number, direction, is_flat):
    """One variable of the interface."""
    location, component, _, of_type = row
    place = f"location = {location}" + (f", component = {component}" if component else "")
    return f"layout({place}) {'flat ' if is_flat else ''}{direction} {of_type[0]} v{number};\n"


def is_integer(row):
    """Integers are always flat in fragment shaders."""
    return "int" in row[3][1]


def vertex_text(rows):
    """A shader that writes all of them."""
    text = HEADER + "layout(location = 0) in vec4 place;\n"
    for number, row in enumerate(rows):
        text += declaration(row, number, "out", row[2] or is_integer(row))
    text += "void main() {\n  gl_Position = vec4(place.xy, 0.4 + 0.1 * place.x, 1);\n"
    parts = ("place.x * 0.4 + 0.45", "place.y * 0.4 + 0.45", "0.3 + 0.2 * place.x", "0.8")
    for number, (location, _, _, (name, _, count, columns)) in enumerate(rows):
        values = [str(location % 3)] if is_integer(rows[number]) else \
            [parts[i % count] for i in range(count * columns)]
        text += f"  v{number} = {name}({', '.join(values)});\n"
    return text + "}\n"


def fragment_text(rows):
    """A shader that shows all of them."""
    text = HEADER + "layout(location = 0) out vec4 color;\n"
    for number, row in enumerate(rows):
        text += declaration(row, number, "in", row[2] or is_integer(row))
    text += "void main() {\n  color = vec4(0, 0.2, gl_FragCoord.z, 1);\n"
    for number, (_, _, _, (_, _, count, columns)) in enumerate(rows):
        for column in range(columns):
            value = f"v{number}" + (f"[{column}]" if columns > 1 else "")
            for component in range(count):
                part = value + (f".{'xyzw'[component]}" if count > 1 else "")
                text += f"  color.{'xyz'[(number + component) % 3]} += float({part}) * 0.25;\n"
    return text + "}\n"


def text_for(path, entry, stage):
    """(stage, GLSL) of the neighbour of a vertex or fragment shader, or None."""
    rows = Module(path, entry).locations(INPUT if stage == "frag" else OUTPUT)
    if rows is None:
        return None
    return ("vert", vertex_text(rows)) if stage == "frag" else ("frag", fragment_text(rows))
