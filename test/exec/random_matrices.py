# SPDX-License-Identifier: MIT
"""Random shaders with cooperative matrices as test files of kiln-exec: text_of(seed).

One matrix product of random types, sizes, scopes, layouts, strides, storage classes and pointees, over several steps
whose number comes from memory, with branches around single steps that no compiler can know to be uniform; what is
computed with components before and behind it; variables, arrays and functions of matrices; the product as another
use, transposed, reduced. What must come out is computed here, in integers, which the floats of every type hold
exactly; sums of bytes may saturate or wrap.

Assemblers of Debian 12 know none of the instructions, so that they stand as words.
"""
from random_matrix_text import SIDE, SMALL, TYPES, Memory, Text, bits_of, is_float, memory_type, wrap

PRODUCTS = [("f16", "f16", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32"), ("bf16", "bf16", "bf16")] + [
    (a, b, "f32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")] + [
    (a, b, c) for a in ("i8", "u8") for b in ("i8", "u8") for c in ("i32", "u32")]
LIMITS = {"f16": 2048, "bf16": 256}  # of the whole numbers that are exact; of others 2^24
A_SIGNED, B_SIGNED, C_SIGNED, RESULT_SIGNED, SATURATE = 1, 2, 4, 8, 16


def numbers(rng, kind, shape, large=False):
    low = -3 if is_float(kind) or kind[0] == "i" else 0
    high = 5 if kind[0] == "u" else 3
    if kind in ("i8", "u8"):
        low, high = (-128, 127) if kind == "i8" else (0, 255)
    if large:
        low, high = rng.choice(((2**31 - 2000, 2**31 - 1), (-2**31, -2**31 + 2000), (-100, 100)))
    return [[rng.randint(low, high) for _ in range(shape[1])] for _ in range(shape[0])]


class Shader(Text):
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
        saturates = c == "i32" and self.shapes[0][1] == SIDE and r.random() < 0.5
        flags |= SATURATE if saturates else 0
        kinds = [a, b, c]
        memories = [Memory(r, kind, i, self.shapes[i]) for i, kind in enumerate(kinds)]
        large = saturates or (c == "u32" and r.random() < 0.3)
        values = [numbers(r, kind, self.shapes[i], large=large and i == 2) for i, kind in enumerate(kinds)]
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
            inner = range(len(values[1]))
            for row, _ in enumerate(total):
                line = []
                for column, _ in enumerate(total[row]):
                    v = total[row][column] + sum(values[0][row][k] * values[1][k][column] for k in inner)
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
        limit = LIMITS.get(c, 2**24)
        if is_float(c) and any(abs(v) > limit for row in total for v in row):
            return None
        ids[2], total = self.finish(c, ids[2], total)
        if is_float(c) and any(abs(v) > limit for row in total for v in row):
            return None
        shape = (len(total), len(total[0]))
        out = Memory(r, c, 3, shape)
        self.store(out, ids[2])
        return inputs, out, total

    # --- What becomes of the product

    def finish(self, kind, value, matrix):
        """Id and components of what a random operation makes of an accumulator."""
        r, (rows, columns) = self.rng, self.shapes[2]
        choices = ["nothing", "a", "b", "transpose"]
        if kind not in SMALL:
            choices += ["each", "row", "column", "all"]
            if rows % (2 * SIDE) == 0 and columns % (2 * SIDE) == 0:
                choices += ["squares"] * 3
        choice = r.choice(choices)
        if choice in ("a", "b"):
            use = "ab".index(choice)
            return self.raw_op(5293, self.matrix(kind, use, (rows, columns)), value), matrix
        if choice == "transpose":
            type = self.matrix(kind, 1, (columns, rows))
            return self.raw_op(5390, type, value), [list(line) for line in zip(*matrix)]
        if choice == "each":
            changed = [[wrap(v + (3 * i + j) % 7, kind) for j, v in enumerate(line)] for i, line in enumerate(matrix)]
            return self.raw_op(5369, self.matrix(kind, 2), value, self.place_function(kind)), changed
        if choice == "nothing":
            return value, matrix
        return self.reduce(choice, kind, value, matrix)

    def reduce(self, choice, kind, value, matrix):
        rows, columns = self.shapes[2]

        def add(numbers):
            numbers = list(numbers)
            # Of floats the largest that may be on the way, if that is not exact.
            most = sum(abs(v) for v in numbers)
            return most if is_float(kind) and most > LIMITS.get(kind, 2**24) else wrap(sum(numbers), kind)
        other = [SIDE * self.rng.randint(1, 3) for _ in range(2)]
        if choice == "row":
            result = [[add(line)] * other[0] for line in matrix]
        elif choice == "column":
            result = [[add(line) for line in zip(*matrix)]] * other[0]
        elif choice == "all":
            result = [[add(v for line in matrix for v in line)] * other[1]] * other[0]
        else:
            result = [[add(matrix[i + k // 2][j + k % 2] for k in range(4)) for j in range(0, columns, 2)]
                      for i in range(0, rows, 2)]
        mask = {"row": 1, "column": 2, "all": 3, "squares": 4}[choice]
        type = self.matrix(kind, 2, (len(result), len(result[0])))
        return self.raw_op(5366, type, value, mask, self.sum_function(kind)), result

    def sum_function(self, kind):
        scalar, name = self.scalar(kind), self.name("f")
        type = self.type(f"OpTypeFunction {scalar} {scalar} {scalar}")
        a, b, c = (self.name("v") for _ in range(3))
        self.functions += [f"{name} = OpFunction {scalar} None {type}", f"{a} = OpFunctionParameter {scalar}",
                           f"{b} = OpFunctionParameter {scalar}", f"{self.name('l')} = OpLabel",
                           f"{c} = Op{'F' if is_float(kind) else 'I'}Add {scalar} {a} {b}", f"OpReturnValue {c}",
                           "OpFunctionEnd"]
        return name

    def place_function(self, kind):
        """(row, column, v): v + (3 row + column) % 7"""
        scalar, uint, name = self.scalar(kind), self.scalar("u32"), self.name("f")
        type = self.type(f"OpTypeFunction {scalar} {uint} {uint} {scalar}")
        row, column, v, tripled, place, rest, number, c = (self.name("v") for _ in range(8))
        convert = "OpConvertUToF" if is_float(kind) else "OpBitcast" if kind == "i32" else "OpCopyObject"
        self.functions += [f"{name} = OpFunction {scalar} None {type}", f"{row} = OpFunctionParameter {uint}",
                           f"{column} = OpFunctionParameter {uint}", f"{v} = OpFunctionParameter {scalar}",
                           f"{self.name('l')} = OpLabel", f"{tripled} = OpIMul {uint} {row} {self.uint(3)}",
                           f"{place} = OpIAdd {uint} {tripled} {column}",
                           f"{rest} = OpUMod {uint} {place} {self.uint(7)}", f"{number} = {convert} {scalar} {rest}",
                           f"{c} = Op{'F' if is_float(kind) else 'I'}Add {scalar} {v} {number}",
                           f"OpReturnValue {c}", "OpFunctionEnd"]
        return name

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
        self.scope = self.rng.choice((3, 3, 2))  # subgroups that all compute the same, or workgroup
        self.groups = self.rng.choice((1, 2)) if self.scope == 3 else self.rng.choice((1, 2, 3, 4, 5, 6, 7, 256 // self.size))
        m, n, k = (SIDE * self.rng.choice((1, 1, 1, 2, 2, 3)) for _ in range(3))
        if self.scope == 3 and self.rng.random() < 0.5:
            m = n = k = SIDE
        self.shapes = ((m, k), (k, n), (m, n))
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
                 ";! requires cooperativeMatrixConversions cooperativeMatrixReductions "
                 "cooperativeMatrixPerElementOperations cooperativeMatrixFlexibleDimensions cooperativeMatrixWorkgroupScope",
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
        return ([f"OpCapability {name}" for name in capabilities] + ["OpCapability !6022", "OpCapability !4213", "OpCapability !5118",
                "OpCapability !5430", "OpCapability !5431", "OpCapability !5432", 'OpExtension "SPV_NV_cooperative_matrix2"'] +
                ['OpExtension "SPV_KHR_cooperative_matrix"', '%glsl = OpExtInstImport "GLSL.std.450"',
                 "OpMemoryModel PhysicalStorageBuffer64 Vulkan", 'OpEntryPoint GLCompute %main "main" %index',
                 f"OpExecutionMode %main LocalSize {self.size * self.groups} 1 1"] + self.decorations + self.types +
                [f"%main = OpFunction {void} None {function}", "%entry = OpLabel"] + self.variables + self.body +
                ["OpReturn", "OpFunctionEnd"] + self.functions)


def text_of(seed):
    """The first of several tries whose sums are exact."""
    for number in range(100):
        text = Shader(seed * 1000 + number).text()
        if text:
            return text
    raise AssertionError("no shader")
