# SPDX-License-Identifier: MIT
"""Random shaders with cooperative matrices as test files of kiln-exec: text_of(seed).

One matrix product of random types, layouts, strides, storage classes and pointees, over several steps whose number
comes from memory, with branches around single steps that no compiler can know to be uniform; what is computed with
components before and behind it; variables, arrays and functions of matrices. What must come out is computed here, in
integers, which the floats of every type hold exactly; sums of bytes may saturate or wrap.

Assemblers of Debian 12 know none of the instructions, so that they stand as words.
"""
import random

SIDE = 16
# SPIR-V type, bytes, type of kiln-exec, range of values
TYPES = {
    "bf16": (None, 2), "e4m3": (None, 1), "e5m2": (None, 1), "f16": ("OpTypeFloat 16", 2), "f32": ("OpTypeFloat 32", 4), "i8": ("OpTypeInt 8 1", 1), "u8": ("OpTypeInt 8 0", 1),
    "i32": ("OpTypeInt 32 1", 4), "u32": ("OpTypeInt 32 0", 4)}
# Floats that have no name in assemblers: bits, of the mantissa, bias, encoding.
SMALL = {"bf16": (16, 7, 127, 0), "e4m3": (8, 3, 7, 4214), "e5m2": (8, 2, 15, 4215)}
PRODUCTS = [("f16", "f16", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32"), ("bf16", "bf16", "bf16")] + [
    (a, b, "f32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")] + [
    (a, b, c) for a in ("i8", "u8") for b in ("i8", "u8") for c in ("i32", "u32")]
STORAGE = {"buffer": 12, "workgroup": 4, "address": 5349}
A_SIGNED, B_SIGNED, C_SIGNED, RESULT_SIGNED, SATURATE = 1, 2, 4, 8, 16


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
    """A matrix in a buffer: SIDE x SIDE at an offset, rows or columns some distance apart."""

    def __init__(self, rng, kind, binding):
        self.kind, self.binding = kind, binding
        size = TYPES[kind][1]
        self.row_major = rng.random() < 0.5
        self.storage = rng.choice(list(STORAGE))
        # Elements that pointers point to: of the matrix's type, or several together.
        self.pointee = rng.choice((1, 1, 2, 4)) if size < 4 or self.storage == "buffer" else 1
        unit = max(16 // size, 1)
        self.stride = SIDE + unit * rng.choice((0, 0, 1, 3))
        self.offset = unit * rng.choice((0, 0, 1, 2))
        self.count = self.offset + self.stride * SIDE
        self.count += -self.count % 64

    def place(self, row, column):
        return self.offset + (row * self.stride + column if self.row_major else column * self.stride + row)

    def content(self, matrix, rest):
        values = [rest] * self.count
        for row in range(SIDE):
            for column in range(SIDE):
                values[self.place(row, column)] = matrix[row][column]
        return values


def numbers(rng, kind, large=False):
    low = -3 if is_float(kind) or kind[0] == "i" else 0
    high = 5 if kind[0] == "u" else 3
    if kind in ("i8", "u8"):
        low, high = (-128, 127) if kind == "i8" else (0, 255)
    if large:
        low, high = rng.choice(((2**31 - 2000, 2**31 - 1), (-2**31, -2**31 + 2000), (-100, 100)))
    return [[rng.randint(low, high) for _ in range(SIDE)] for _ in range(SIDE)]


class Shader:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.head, self.decorations, self.types, self.body = [], [], [], []
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

    def matrix(self, kind, use):
        result = self.raw_type(4456, self.scalar(kind), self.uint(3), self.uint(SIDE), self.uint(SIDE), self.uint(use))
        self.uses[result] = use
        return result

    def raw(self, opcode, *words):
        self.body += ["OpNop", f"!0x{len(words) + 1:04x}{opcode:04x} " + " ".join(str(word) for word in words)]

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

    # --- What is done with components

    def change(self, kind, use, value, matrix):
        """A random operation on the components, and what it makes of the matrix."""
        r, type, scalar = self.rng, self.matrix(kind, use), self.scalar(kind)
        if kind in SMALL:
            return self.move(kind, type, scalar, value), matrix
        prefix = "F" if is_float(kind) else "I"
        number = r.randint(1, 3)
        constant = self.constant(kind, f"{number}.0" if is_float(kind) else number)

        def each(function):
            return [[wrap(function(v), kind) for v in row] for row in matrix]
        choice = r.choice(("negate", "add", "scale", "variable", "component", "splat", "array", "select", "nothing"))
        if choice == "negate":
            return self.op(f"Op{'F' if is_float(kind) else 'S'}Negate {type} {value}"), each(lambda v: -v)
        if choice == "add":
            return self.op(f"Op{prefix}Add {type} {value} {value}"), each(lambda v: v + v)
        if choice == "scale":
            return self.op(f"OpMatrixTimesScalar {type} {value} {constant}"), each(lambda v: v * number)
        if choice == "splat":
            other = self.op(f"OpCompositeConstruct {type} {constant}")
            return self.op(f"Op{prefix}Sub {type} {value} {other}"), each(lambda v: v - number)
        if choice in ("variable", "array"):
            return self.through_memory(choice == "array", type, value), matrix
        if choice == "component":  # each one, taken out and put in again
            for i in range(4):
                part = self.op(f"OpCompositeExtract {scalar} {value} {i}")
                part = self.op(f"Op{prefix}Add {scalar} {part} {constant}")
                part = self.op(f"Op{prefix}Sub {scalar} {part} {constant}")
                value = self.op(f"OpCompositeInsert {type} {part} {value} {i}")
            return value, matrix
        if choice == "select":
            yes = self.op(f"OpIEqual {self.type('OpTypeBool')} {self.one} {self.uint(1)}")
            null = self.type(f"OpConstantNull {type}")
            return self.op(f"OpSelect {type} {yes} {value} {null}"), matrix
        return value, matrix

    def move(self, kind, type, scalar, value):
        """What there is of operations on numbers without arithmetic."""
        choice = self.rng.choice(("convert", "variable", "array", "component"))
        if choice == "convert":
            wide = self.matrix("f32", self.uses[type])
            value = self.op(f"OpFConvert {wide} {value}")
            return self.op(f"OpFConvert {type} {value}")
        if choice != "component":
            return self.through_memory(choice == "array", type, value)
        part = self.op(f"OpCompositeExtract {scalar} {value} 1")
        return self.op(f"OpCompositeInsert {type} {part} {value} 1")

    def through_memory(self, is_array, type, value):
        """A variable, or one of two in an array, of which the first and another component are written again."""
        held = self.type(f"OpTypeArray {type} {self.uint(2)}") if is_array else type
        pointer = self.type(f"OpTypePointer Function {held}")
        variable = self.name("f")
        self.variables.append(f"{variable} = OpVariable {pointer} Function")
        place = variable
        if is_array:
            place = self.op(f"OpAccessChain {self.type('OpTypePointer Function ' + type)} {variable} {self.one}")
        self.body.append(f"OpStore {place} {value}")
        return self.op(f"OpLoad {type} {place}")

    # --- The shader

    def product(self):
        r = self.rng
        a, b, c = r.choice(PRODUCTS)
        flags = ((A_SIGNED if a == "i8" else 0) | (B_SIGNED if b == "i8" else 0) |
                 (C_SIGNED | RESULT_SIGNED if c == "i32" else 0))
        saturates = c == "i32" and r.random() < 0.5
        flags |= SATURATE if saturates else 0
        kinds = [a, b, c]
        memories = [Memory(r, kind, i) for i, kind in enumerate(kinds)]
        out = Memory(r, c, 3)
        values = [numbers(r, a), numbers(r, b), numbers(r, c, large=saturates or (c == "u32" and r.random() < 0.3))]
        values[2] = [[wrap(v, c) for v in row] for row in values[2]]
        if is_float(a):
            values[0] = [[v % 5 - 2 for v in row] for row in values[0]]
        inputs = [(m, m.content(v, 1)) for m, v in zip(memories, values)]
        ids = [self.load(m, use) for use, m in enumerate(memories)]
        for i in range(3):
            if r.random() < 0.6 and not (i == 2 and saturates):
                ids[i], values[i] = self.change(kinds[i], i, ids[i], values[i])
        steps = r.randint(1, 3)
        flow = r.choice(("plain", "loop", "branches"))
        matrix, total = self.matrix(c, 2), values[2]

        def multiply(sum, result=None):
            result = result or self.name("v")
            self.raw(4459, matrix, result, ids[0], ids[1], sum, flags)
            return result

        def advance(total):
            result = []
            for row in range(SIDE):
                line = []
                for column in range(SIDE):
                    v = total[row][column] + sum(values[0][row][k] * values[1][k][column] for k in range(SIDE))
                    line.append(max(-2**31, min(2**31 - 1, v)) if saturates else wrap(v, c))
                result.append(line)
            return result
        if flow == "loop":
            ids[2] = self.loop(steps, matrix, ids[2], multiply)
            for _ in range(steps):
                total = advance(total)
        else:
            for i in range(steps):
                taken = flow == "plain" or r.random() < 0.5
                ids[2] = multiply(ids[2]) if flow == "plain" else self.branch(i, taken, matrix, ids[2], multiply)
                total = advance(total) if taken else total
        if r.random() < 0.6:
            ids[2], total = self.change(c, 2, ids[2], total)
        limit = {"f16": 2048, "bf16": 256}.get(c, 2**24)
        if is_float(c) and any(abs(v) > limit for row in total for v in row):
            return None
        self.store(out, ids[2])
        return inputs, out, total

    def loop(self, steps, matrix, sum, multiply):
        head, body, more, end, before = (self.name("l") for _ in range(5))
        uint, boolean = self.scalar("u32"), self.type("OpTypeBool")
        bound = self.load_uint(1)
        self.words[1] = steps
        self.body += [f"OpBranch {before}"]
        self.label(before)
        self.body += [f"OpBranch {head}"]
        self.label(head)
        i, next, result = self.name("i"), self.name("i"), self.name("v")
        state = self.op(f"OpPhi {matrix} {sum} {before} {result} {more}")
        self.body += [f"{i} = OpPhi {uint} {self.uint(0)} {before} {next} {more}"]
        self.body.append(f"OpLoopMerge {end} {more} None")
        go = self.name("c")
        # OpLoopMerge must stand in front of the branch alone.
        self.body.insert(-1, f"{go} = OpULessThan {boolean} {i} {bound}")
        self.body.append(f"OpBranchConditional {go} {body} {end}")
        self.label(body)
        multiply(state, result)
        self.body.append(f"OpBranch {more}")
        self.label(more)
        self.body += [f"{next} = OpIAdd {uint} {i} {self.uint(1)}", f"OpBranch {head}"]
        self.label(end)
        return state

    def branch(self, number, taken, matrix, sum, multiply):
        before, then, end = (self.name("l") for _ in range(3))
        word = 2 + number
        self.words[word] = int(taken)
        value = self.load_uint(word)
        self.body += [f"OpBranch {before}"]
        self.label(before)
        yes = self.op(f"OpINotEqual {self.type('OpTypeBool')} {value} {self.uint(0)}")
        self.body += [f"OpSelectionMerge {end} None", f"OpBranchConditional {yes} {then} {end}"]
        self.label(then)
        result = multiply(sum)
        self.body.append(f"OpBranch {end}")
        self.label(end)
        return self.op(f"OpPhi {matrix} {sum} {before} {result} {then}")

    def load_uint(self, word):
        """A word of the buffer of binding 6, from an address that differs from lane to lane as far as anyone can see."""
        uint = self.scalar("u32")
        zero = self.op(f"OpShiftRightLogical {uint} {self.lane} {self.uint(10)}")
        index = self.op(f"OpIAdd {uint} {zero} {self.uint(word)}")
        pointer = self.op(f"OpAccessChain {self.type('OpTypePointer StorageBuffer ' + uint)} {self.parameters} "
                          f"{self.uint(0)} {index}")
        return self.op(f"OpLoad {uint} {pointer}")

    def text(self):
        self.size = self.rng.choice((32, 64))
        self.groups = self.rng.choice((1, 2))  # subgroups that all compute the same
        self.words = [1] * 8
        self.variables = []
        uint = self.scalar("u32")
        three = self.type(f"OpTypeVector {uint} 3")
        pointer = self.type(f"OpTypePointer Input {uint}")
        del three
        self.types.append(f"%index = OpVariable {pointer} Input")
        self.decorations.append("OpDecorate %index BuiltIn LocalInvocationIndex")
        self.parameters, _ = self.variable("u32", 1, 6)
        self.lane = self.op(f"OpLoad {uint} %index")
        self.one = self.load_uint(0)
        made = self.product()
        if made is None:
            return None
        inputs, out, total = made
        return "\n".join(self.directives(inputs, out, total) + self.module()) + "\n"

    def directives(self, inputs, out, total):
        lines = ["; SPDX-License-Identifier: MIT",
                 ";! requires cooperativeMatrix shaderFloat16 shaderInt8 shaderInt64 storageBuffer16BitAccess "
                 "storageBuffer8BitAccess bufferDeviceAddress vulkanMemoryModel",
                 ";! skip lavapipe: no cooperative matrices", ";! skip validation: older than the extension",
                 f";! subgroup {self.size}", ";! fullsubgroups"]
        memories = [memory for memory, _ in inputs] + [out]
        blank = {out.binding: [7] * out.count}
        for memory, content in inputs:
            blank[memory.binding] = content
        for memory in memories:
            name = f"data{memory.binding}" if memory.storage == "address" else f"0.{memory.binding}"
            kind = " none" if memory.storage == "address" else ""
            content = (bits_of(memory.kind, v) for v in blank[memory.binding])
            lines.append(f";! buffer {name}{kind} {memory_type(memory.kind)} : " + " ".join(map(str, content)))
        lines.append(";! buffer 0.6 u32 : " + " ".join(map(str, self.words)))
        if hasattr(self, "addresses"):
            lines.append(";! buffer 0.7 u64 : 0*8")
            lines += [f";! address 0.7@{8 * m.binding} data{m.binding}" for m in memories if m.storage == "address"]
        name = f"data{out.binding}" if out.storage == "address" else f"0.{out.binding}"
        signs = " ~abs=0.001" if out.kind[0] == "f" else ""  # zeros of both signs
        content = (bits_of(out.kind, v) for v in out.content(total, 7))
        lines.append(f";! expect {name} {memory_type(out.kind)}{signs} : " + " ".join(map(str, content)))
        return lines

    def module(self):
        capabilities = ["Shader", "Float16", "Int8", "Int64", "StorageBuffer16BitAccess", "StorageBuffer8BitAccess",
                        "PhysicalStorageBufferAddresses", "VulkanMemoryModel"]
        void = self.type("OpTypeVoid")
        function = self.type(f"OpTypeFunction {void}")
        return ([f"OpCapability {name}" for name in capabilities] + ["OpCapability !6022", "OpCapability !4213", "OpCapability !5118"] +
                ['OpExtension "SPV_KHR_cooperative_matrix"', '%glsl = OpExtInstImport "GLSL.std.450"',
                 "OpMemoryModel PhysicalStorageBuffer64 Vulkan", 'OpEntryPoint GLCompute %main "main" %index',
                 f"OpExecutionMode %main LocalSize {self.size * self.groups} 1 1"] + self.decorations + self.types +
                [f"%main = OpFunction {void} None {function}", "%entry = OpLabel"] + self.variables + self.body +
                ["OpReturn", "OpFunctionEnd"])


def text_of(seed):
    """The first of several tries whose sums are exact."""
    for number in range(100):
        text = Shader(seed * 1000 + number).text()
        if text:
            return text
    raise AssertionError("no shader")
