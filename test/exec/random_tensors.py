# SPDX-License-Identifier: MIT
"""Random loads and stores of cooperative matrices by tensor layouts and views, as test files of kiln-exec: text_of(seed).

A matrix comes from a buffer, and goes to one, once by a random layout (dimensions, strides, blocks, slice, clamp mode),
perhaps with a view (permutation, dimensions, strides, clip region) or a function that decodes blocks, and once in plain
rows. Where each component is, is computed here as SPV_NV_cooperative_matrix2 says.
"""
import random
from random_matrices import Shader
from random_matrix_text import SIDE, TYPES, Memory, wrap

UNDEFINED, CONSTANT, EDGE, REPEAT, MIRROR = range(5)
KINDS = ("f16", "f32", "i32", "i8")
NO_CLIP = (0, 0xFFFFFFFF, 0, 0xFFFFFFFF)


def factors(rng, number, count):
    """`count` numbers whose product it is."""
    result = [1] * count
    divisor = 2
    while number > 1:
        while number % divisor == 0:
            result[rng.randrange(count)] *= divisor
            number //= divisor
        divisor += 1
    return result


class Layout:
    def __init__(self, rng, shape, is_store, decodes):
        self.dims = rng.randint(1, 5)
        self.mode = UNDEFINED if decodes else rng.randint(UNDEFINED, MIRROR)
        self.block = [rng.choice((1, 2, 4)) if decodes else 1 for _ in range(self.dims)]
        self.span = factors(rng, shape[0] * shape[1], self.dims)
        low = 0 if self.mode == UNDEFINED else -2
        self.offset = [rng.randint(low, 3) for _ in range(self.dims)]
        if self.mode == UNDEFINED:
            self.size = [o + s + rng.randint(0, 2) for o, s in zip(self.offset, self.span)]
        else:
            self.size = [max(2, o + s - rng.randint(0, 3)) for o, s in zip(self.offset, self.span)]
        self.stride, self.has_stride = self.packed(), rng.random() < 0.4
        if self.has_stride:
            step = rng.randint(1, 2)
            for i in reversed(range(self.dims)):
                self.stride[i] = step
                step = step * self.blocks(i) + rng.randint(0, 3)
        self.clamp_value = rng.randint(1, 60) if rng.random() < 0.7 else 0
        self.is_store = is_store

    def blocks(self, dim):
        return -(-self.size[dim] // self.block[dim])

    def packed(self):
        result, step = [0] * self.dims, 1
        for i in reversed(range(self.dims)):
            result[i] = step
            step *= self.blocks(i)
        return result

    def elements(self):
        return sum((self.blocks(i) - 1) * self.stride[i] for i in range(self.dims)) + 1

    def place(self, index):
        """Index of the element, block and place in it; None: outside."""
        c = [0] * self.dims
        for i in reversed(range(self.dims)):
            c[i] = index % self.span[i] + self.offset[i]
            index //= self.span[i]
        mode = CONSTANT if self.is_store and self.mode != UNDEFINED else self.mode
        for i, size in enumerate(self.size):
            if 0 <= c[i] < size:
                continue
            assert mode != UNDEFINED
            if mode == CONSTANT:
                return None
            if mode == EDGE:
                c[i] = min(max(c[i], 0), size - 1)
            elif mode == REPEAT:
                c[i] %= size
            else:
                c[i] %= 2 * size - 2
                c[i] = 2 * size - 2 - c[i] if c[i] >= size else c[i]
        block = [v // b for v, b in zip(c, self.block)]
        return sum(v * s for v, s in zip(block, self.stride)), block, [v % b for v, b in zip(c, self.block)]


class View:
    def __init__(self, rng, shape, layout):
        self.has_dimensions = rng.random() < 0.6
        self.dims = rng.randint(1, 5) if self.has_dimensions else layout.dims
        self.permutation = rng.sample(range(self.dims), self.dims)
        self.size = factors(rng, shape[0] * shape[1], self.dims) if self.has_dimensions else layout.span
        self.stride = [1] * self.dims
        for i in reversed(range(self.dims - 1)):
            self.stride[i] = self.stride[i + 1] * self.size[i + 1]
        self.has_stride = self.has_dimensions and rng.random() < 0.3
        if self.has_stride:  # one dimension is said again and again
            self.stride[rng.randrange(self.dims)] = 0
        self.clip = NO_CLIP
        if rng.random() < 0.5:
            self.clip = (rng.randint(0, 5), rng.randint(4, shape[0]), rng.randint(0, 5), rng.randint(4, shape[1]))

    def index(self, row, column, columns):
        """In the span; None: not in the clip region."""
        first_row, rows, first_column, width = self.clip
        if not (first_row <= row < first_row + rows and first_column <= column < first_column + width):
            return None
        index = (row - first_row) * min(columns, width) + column - first_column
        c = [0] * self.dims
        for dim in reversed(self.permutation):
            c[dim] = index % self.size[dim]
            index //= self.size[dim]
        return sum(v * s for v, s in zip(c, self.stride))


class Plain(Memory):
    """Rows without gaps."""

    def __init__(self, kind, binding, shape):
        self.kind, self.binding, self.shape = kind, binding, shape
        self.row_major, self.storage, self.pointee = True, "buffer", 1
        self.stride, self.offset, self.count = shape[1], 0, shape[0] * shape[1]


class Raw:
    """A buffer that is no matrix, in what directives() and pointer() take."""

    def __init__(self, kind, binding, values, storage):
        self.kind, self.binding, self.values, self.storage = kind, binding, values, storage
        self.pointee, self.offset, self.count = 1, 0, len(values)

    def content(self, values, rest):
        return values


class TensorShader(Shader):
    def number(self, value):
        """A constant, or what memory has."""
        value &= 0xFFFFFFFF
        if self.constant_numbers or len(self.words) > 200:
            return self.uint(value)
        self.words.append(value)
        return self.load_uint(len(self.words) - 1)

    def change(self, opcode, type, value, operands):
        return self.raw_op(opcode, type, value, *[self.number(v) for v in operands])

    def layout(self, layout):
        type = self.raw_type(5370, self.uint(layout.dims), self.uint(layout.mode))
        value = self.raw_op(5372, type)
        if layout.block != [1] * layout.dims:
            value = self.change(5384, type, value, layout.block)
        value = self.change(5373, type, value, layout.size)
        if layout.has_stride:
            value = self.change(5374, type, value, layout.stride)
        first = [self.rng.randint(0, 2) for _ in layout.offset]  # a slice of a slice
        value = self.change(5375, type, value, [v for pair in zip(first, layout.size) for v in pair])
        rest = [o - f for o, f in zip(layout.offset, first)]
        value = self.change(5375, type, value, [v for pair in zip(rest, layout.span) for v in pair])
        if layout.clamp_value:
            value = self.change(5376, type, value, [layout.clamp_value])
        if self.rng.random() < 0.5:
            value = self.through_memory(False, type, value)
        return value

    def view(self, view):
        boolean = self.type("OpTypeBool")
        truth = self.type(f"OpConstant{'True' if view.has_dimensions else 'False'} {boolean}")
        type = self.raw_type(5371, self.uint(view.dims), truth, *[self.uint(v) for v in view.permutation])
        value = self.raw_op(5377, type)
        if view.has_dimensions:
            value = self.change(5378, type, value, view.size)
        if view.has_stride:
            value = self.change(5379, type, value, view.stride)
        if view.clip != NO_CLIP:
            value = self.change(5382, type, value, view.clip)
        return value

    def decoder(self, kind, dims):
        """(block, coordinates): its second number + 3 * coordinate of the block + place in it"""
        scalar, uint = self.scalar(kind), self.scalar("u32")
        pair = self.type(f"OpTypeArray {scalar} {self.uint(2)}")
        size = TYPES[kind][1]
        self.decorations.append(f"OpDecorate {pair} ArrayStride {size}")
        _, pointer = self.block(pair, "PhysicalStorageBuffer")
        element = self.type(f"OpTypePointer PhysicalStorageBuffer {scalar}")
        coordinates = self.type(f"OpTypeArray {uint} {self.uint(dims)}")
        type = self.type(f"OpTypeFunction {scalar} {pointer} {coordinates} {coordinates}")
        name = self.name("f")
        block, where, inside, place, loaded, first, tripled, last, sum, number, result = (self.name("v") for _ in range(11))
        convert = {"f": "OpConvertUToF", "i": "OpUConvert"}[kind[0]] if kind != "i32" else "OpBitcast"
        self.decorations.append(f"OpDecorate {block} Restrict")
        self.functions += [
            f"{name} = OpFunction {scalar} None {type}", f"{block} = OpFunctionParameter {pointer}",
            f"{where} = OpFunctionParameter {coordinates}", f"{inside} = OpFunctionParameter {coordinates}",
            f"{self.name('l')} = OpLabel", f"{place} = OpAccessChain {element} {block} {self.uint(0)} {self.uint(1)}",
            f"{loaded} = OpLoad {scalar} {place} Aligned {size}", f"{first} = OpCompositeExtract {uint} {where} 0",
            f"{tripled} = OpIMul {uint} {first} {self.uint(3)}",
            f"{last} = OpCompositeExtract {uint} {inside} {dims - 1}", f"{sum} = OpIAdd {uint} {tripled} {last}",
            f"{number} = {convert} {scalar} {sum}",
            f"{result} = Op{'F' if kind[0] == 'f' else 'I'}Add {scalar} {loaded} {number}", f"OpReturnValue {result}",
            "OpFunctionEnd"]
        return name

    def product(self):
        r = self.rng
        kind, use = r.choice(KINDS), r.randint(0, 2)
        shape = tuple(SIDE * r.choice((1, 1, 2, 3)) for _ in range(2))
        self.shapes = (shape,) * 3
        self.constant_numbers = r.random() < 0.5
        self.words = [1] * 8
        is_store = r.random() < 0.4
        decodes = not is_store and r.random() < 0.4
        layout = Layout(r, shape, is_store, decodes)
        view = View(r, shape, layout) if r.random() < 0.6 else None
        if layout.elements() > 20000:
            return None
        self.matrix(kind, use, shape)
        places = self.places(shape, layout, view)
        if places is None:
            return None
        if is_store:
            return self.stored(kind, use, shape, layout, view, places)
        return self.loaded(kind, use, shape, layout, view, places, decodes)

    def places(self, shape, layout, view):
        """By row and column: None where the view clips, else a list of what Layout.place() gives."""
        result, span = [], 1
        for size in layout.span:
            span *= size
        for row in range(shape[0]):
            line = []
            for column in range(shape[1]):
                index = view.index(row, column, shape[1]) if view else row * shape[1] + column
                if index is not None and index >= span:
                    return None
                line.append(None if index is None else [layout.place(index)])
            result.append(line)
        return result

    def random_number(self, kind):
        return self.rng.randint(-60, 60)

    def address_words(self, view_id, function):
        """Memory and tensor addressing operands."""
        words = [0, (1 if view_id else 0) | (2 if function else 0)]
        return words + [id for id in (view_id, function) if id]

    def clamped(self, kind, value):
        """A component with the bits of `value`, as kiln-exec has it: none but whole numbers, and small ones at that."""
        return 0 if kind[0] == "f" else value

    def loaded(self, kind, use, shape, layout, view, places, decodes):
        if kind[0] == "f" and layout.mode == CONSTANT:
            layout.clamp_value = 0
        unit = 2 if decodes else 1
        values = [self.random_number(kind) for _ in range(layout.elements() * unit)]
        source = Raw(kind, 0, values, "buffer")
        object = Plain(kind, 1, shape)
        rest = [[self.random_number(kind) for _ in range(shape[1])] for _ in range(shape[0])]
        old = self.load(object, use)
        pointer = self.pointer(source)
        layout_id, view_id = self.layout(layout), self.view(view) if view else None
        function = self.decoder(kind, layout.dims) if decodes else None
        result = self.raw_op(5367, self.matrix(kind, use, shape), pointer, old, layout_id,
                             *self.address_words(view_id, function))
        total = []
        for row, line in enumerate(places):
            total.append([])
            for column, place in enumerate(line):
                if place is None:
                    total[-1].append(rest[row][column])
                elif place[0] is None:
                    total[-1].append(self.clamped(kind, layout.clamp_value))
                elif decodes:
                    index, block, inside = place[0]
                    total[-1].append(values[2 * index + 1] + 3 * block[0] + inside[-1])
                else:
                    total[-1].append(values[place[0][0]])
        if kind == "i8":
            total = [[wrap(v, kind) for v in line] for line in total]
        out = Plain(kind, 3, shape)
        self.store(out, result)
        return [(source, values), (object, object.content(rest, 0))], out, total

    def stored(self, kind, use, shape, layout, view, places):
        values = [[self.random_number(kind) for _ in range(shape[1])] for _ in range(shape[0])]
        content = [7] * layout.elements()
        taken = set()
        for row, line in enumerate(places):
            for column, place in enumerate(line):
                if place is None or place[0] is None:
                    continue
                if place[0][0] in taken:
                    return None
                taken.add(place[0][0])
                content[place[0][0]] = values[row][column]
        source, target = Plain(kind, 0, shape), Raw(kind, 3, content, "buffer")
        value = self.load(source, use)
        pointer = self.pointer(target)
        layout_id, view_id = self.layout(layout), self.view(view) if view else None
        self.raw(5368, pointer, value, layout_id, *self.address_words(view_id, None))
        return [(source, source.content(values, 0))], target, content

    def directives(self, inputs, out, total):
        lines = super().directives(inputs, out, total)
        lines[1] += " cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads"
        return lines

    def module(self):
        lines = super().module()
        extra = [f"OpCapability !{number}" for number in (5433, 5434, 5439)] + ['OpExtension "SPV_NV_tensor_addressing"']
        first = next(i for i, line in enumerate(lines) if line.startswith("OpExtension"))
        return lines[:first] + extra[:3] + extra[3:] + lines[first:]


def text_of(seed):
    """The first of several tries whose components have places of their own."""
    for number in range(100):
        text = TensorShader(seed * 1000 + number).text()
        if text:
            return text
    raise AssertionError("no shader")
