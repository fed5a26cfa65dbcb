# SPDX-License-Identifier: MIT
"""Modules with cooperative matrices, as text: types, constants and memory (random_matrices.py, random_tensors.py)."""
import random

SIDE = 16
# SPIR-V type, bytes, type of kiln-exec, range of values
TYPES = {
    "bf16": (None, 2), "e4m3": (None, 1), "e5m2": (None, 1), "f16": ("OpTypeFloat 16", 2), "f32": ("OpTypeFloat 32", 4), "i8": ("OpTypeInt 8 1", 1), "u8": ("OpTypeInt 8 0", 1),
    "i32": ("OpTypeInt 32 1", 4), "u32": ("OpTypeInt 32 0", 4)}
# Floats that have no name in assemblers: bits, of the mantissa, bias, encoding.
SMALL = {"bf16": (16, 7, 127, 0), "e4m3": (8, 3, 7, 4214), "e5m2": (8, 2, 15, 4215)}
STORAGE = {"buffer": 12, "workgroup": 4, "address": 5349}


def is_float(kind):
    return kind[0] == "f" or kind in SMALL


def memory_type(kind):
    """The type that kiln-exec has for it."""
    return f"u{SMALL[kind][0]}" if kind in SMALL else kind


def bits_of(kind, value):
    """A whole number as memory has it."""
    if kind not in SMALL or value == 0:
        return value
    bits, mantissa, bias, _ = SMALL[kind]
    exponent = abs(value).bit_length() - 1
    fraction = (abs(value) << mantissa) >> exponent
    assert fraction << exponent == abs(value) << mantissa, (kind, value)
    return (value < 0) << (bits - 1) | (exponent + bias) << mantissa | fraction - (1 << mantissa)


def wrap(value, kind):
    if is_float(kind):
        return value
    bits = TYPES[kind][1] * 8
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "i" and value >> (bits - 1) else value


class Memory:
    """A matrix in a buffer, at an offset, rows or columns some distance apart."""

    def __init__(self, rng, kind, binding, shape):
        self.kind, self.binding, self.shape = kind, binding, shape
        size = TYPES[kind][1]
        self.row_major = rng.random() < 0.5
        self.storage = rng.choice(list(STORAGE))
        # Elements that pointers point to: of the matrix's type, or several together.
        self.pointee = rng.choice((1, 1, 2, 4)) if size < 4 or self.storage == "buffer" else 1
        unit = max(16 // size, 1)
        lines, length = shape if self.row_major else shape[::-1]
        self.stride = length + unit * rng.choice((0, 0, 1, 3))
        self.offset = unit * rng.choice((0, 0, 1, 2))
        self.count = self.offset + self.stride * lines
        self.count += -self.count % 64

    def place(self, row, column):
        return self.offset + (row * self.stride + column if self.row_major else column * self.stride + row)

    def content(self, matrix, rest):
        values = [rest] * self.count
        for row in range(self.shape[0]):
            for column in range(self.shape[1]):
                values[self.place(row, column)] = matrix[row][column]
        return values


class Text:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.head, self.decorations, self.types, self.body = [], [], [], []
        self.functions = []
        self.known, self.uses = {}, {}
        self.names = 0

    # --- Text

    def name(self, letter):
        self.names += 1
        return f"%{letter}{self.names}"

    def type(self, text):
        """The id of a type or constant, made when it is first asked for."""
        if text not in self.known:
            self.known[text] = self.name("t")
            self.types.append(f"{self.known[text]} = {text}")
        return self.known[text]

    def scalar(self, kind):
        if kind in SMALL:
            return self.raw_type(22, str(SMALL[kind][0]), str(SMALL[kind][3]))
        return self.type(TYPES[kind][0])

    def constant(self, kind, value):
        return self.type(f"OpConstant {self.scalar(kind)} {value}")

    def uint(self, value):
        return self.constant("u32", value)

    def raw_type(self, opcode, *words):
        text = f"{opcode} " + " ".join(words)
        if text not in self.known:
            self.known[text] = self.name("m")
            self.types += ["OpNop", f"!0x{len(words) + 2:04x}{opcode:04x} {self.known[text]} " + " ".join(words)]
        return self.known[text]

    def matrix(self, kind, use, shape=None):
        """Of the size that its use in the product has, if none is given."""
        rows, columns = shape or self.shapes[use]
        result = self.raw_type(4456, self.scalar(kind), self.uint(self.scope), self.uint(rows), self.uint(columns),
                               self.uint(use))
        self.uses[result] = use
        return result

    def raw(self, opcode, *words):
        self.body += ["OpNop", f"!0x{len(words) + 1:04x}{opcode:04x} " + " ".join(str(word) for word in words)]

    def raw_op(self, opcode, type, *words):
        result = self.name("v")
        self.raw(opcode, type, result, *words)
        return result

    def op(self, text):
        result = self.name("v")
        self.body.append(f"{result} = {text}")
        return result

    def label(self, name):
        self.body.append(f"{name} = OpLabel")

    # --- Memory

    def array(self, kind, pointee, count=None):
        """Arrays of \\p pointee components each."""
        element = self.scalar(kind)
        if pointee > 1:
            element = self.type(f"OpTypeVector {element} {pointee}")
        if count:
            return element, self.type(f"OpTypeArray {element} {self.uint(count)}")
        key = f"OpTypeRuntimeArray {element}"
        new = key not in self.known
        result = self.type(key)
        if new:
            self.decorations.append(f"OpDecorate {result} ArrayStride {TYPES[kind][1] * pointee}")
        return element, result

    def block(self, array, storage):
        key = f"OpTypeStruct {array}"
        new = key not in self.known
        result = self.type(key)
        if new:
            self.decorations += [f"OpDecorate {result} Block", f"OpMemberDecorate {result} 0 Offset 0"]
        return result, self.type(f"OpTypePointer {storage} {result}")

    def variable(self, kind, pointee, binding):
        element, array = self.array(kind, pointee)
        _, pointer = self.block(array, "StorageBuffer")
        variable = self.name("b")
        self.types.append(f"{variable} = OpVariable {pointer} StorageBuffer")
        self.decorations += [f"OpDecorate {variable} DescriptorSet 0", f"OpDecorate {variable} Binding {binding}"]
        return variable, element

    def pointer(self, memory):
        """To the matrix, from where it is in memory."""
        pointee = memory.pointee
        index = self.uint(memory.offset // pointee)
        if memory.storage == "address":
            _, array = self.array(memory.kind, pointee)
            _, block = self.block(array, "PhysicalStorageBuffer")
            element, _ = self.array(memory.kind, pointee)
            holder, wide = self.holder()
            where = self.op(f"OpAccessChain {self.type('OpTypePointer StorageBuffer ' + wide)} {holder} {self.uint(0)} "
                            f"{self.uint(memory.binding)}")
            address = self.op(f"OpConvertUToPtr {block} {self.op(f'OpLoad {wide} {where}')}")
            return self.op(f"OpAccessChain {self.type('OpTypePointer PhysicalStorageBuffer ' + element)} {address} "
                           f"{self.uint(0)} {index}")
        variable, element = self.variable(memory.kind, pointee, memory.binding)
        to_element = self.type(f"OpTypePointer StorageBuffer {element}")
        if memory.storage == "buffer":
            return self.op(f"OpAccessChain {to_element} {variable} {self.uint(0)} {index}")
        return self.shared(memory, variable, element, to_element, index)

    def shared(self, memory, variable, element, to_element, index):
        """A copy in workgroup memory, which all invocations make."""
        count = memory.count // memory.pointee
        _, array = self.array(memory.kind, memory.pointee, count)
        place = self.name("s")
        self.types.append(f"{place} = OpVariable {self.type('OpTypePointer Workgroup ' + array)} Workgroup")
        to_shared = self.type(f"OpTypePointer Workgroup {element}")
        memory.shared = (place, to_shared, variable, to_element, element, count)
        self.copy(memory, to_shared=True)
        return self.op(f"OpAccessChain {to_shared} {place} {index}")

    def copy(self, memory, to_shared):
        place, to_place, variable, to_element, element, count = memory.shared
        for first in range(0, count, self.size):
            i = self.op(f"OpIAdd {self.scalar('u32')} {self.lane} {self.uint(first)}")
            i = self.op(f"OpExtInst {self.scalar('u32')} %glsl UMin {i} {self.uint(count - 1)}")
            a = self.op(f"OpAccessChain {to_element} {variable} {self.uint(0)} {i}")
            b = self.op(f"OpAccessChain {to_place} {place} {i}")
            source, target = (a, b) if to_shared else (b, a)
            value = self.op(f"OpLoad {element} {source}")
            self.body.append(f"OpStore {target} {value}")
        self.body.append(f"OpControlBarrier {self.uint(2)} {self.uint(2)} {self.uint(264)}")

    def holder(self):
        """The variable with the addresses, and the type of one."""
        wide = self.type("OpTypeInt 64 0")
        if not hasattr(self, "addresses"):
            array = self.type(f"OpTypeRuntimeArray {wide}")
            self.decorations.append(f"OpDecorate {array} ArrayStride 8")
            _, pointer = self.block(array, "StorageBuffer")
            self.addresses = self.name("b")
            self.types.append(f"{self.addresses} = OpVariable {pointer} StorageBuffer")
            self.decorations += [f"OpDecorate {self.addresses} DescriptorSet 0", f"OpDecorate {self.addresses} Binding 7"]
        return self.addresses, wide

    def stride(self, memory):
        return self.uint(memory.stride // memory.pointee)

    def load(self, memory, use):
        pointer = self.pointer(memory)
        result = self.name("v")
        words = [self.matrix(memory.kind, use), result, pointer, self.uint(0 if memory.row_major else 1),
                 self.stride(memory)]
        if memory.storage == "address":
            words += [2, 16]  # Aligned
        self.raw(4457, *words)
        return result

    def store(self, memory, value):
        pointer = self.pointer(memory)
        words = [pointer, value, self.uint(0 if memory.row_major else 1), self.stride(memory)]
        if memory.storage == "address":
            words += [2, 16]
        self.raw(4458, *words)
        if memory.storage == "workgroup":
            self.body.append(f"OpControlBarrier {self.uint(2)} {self.uint(2)} {self.uint(264)}")
            self.copy(memory, to_shared=False)
