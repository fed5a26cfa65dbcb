# SPDX-License-Identifier: MIT
"""Random mesh shaders as test files of kiln-exec: text_of(seed).

Workgroups of every size, with and without a task shader and its payload; vertices and primitives in
any order, with values of many types that are indexed by constants or computed; shared memory and
barriers in loops whose ends only memory knows; primitives that are culled. What is drawn must be
what lavapipe draws. Nothing is undefined: every vertex and primitive gets all of its values. Nothing
is a matter of rounding either: integers are made of integers, floats go through fold(), which has no
steps. Not here, because Mesa 25.0's lavapipe does it wrong: attributes of primitives that share vertices, stores
to components of outputs, several launches in branches.
"""
import random

SIZES = ((1, 1, 1), (3, 1, 1), (8, 4, 1), (33, 1, 1), (7, 3, 2), (64, 1, 1), (5, 13, 1), (10, 1, 9),
         (100, 1, 1), (16, 8, 1))
TYPES = ("float", "vec2", "vec3", "vec4", "int", "ivec2", "uint", "uvec3", "mat2")
PAYLOAD_TYPES = ("float", "vec3", "int", "uvec2", "uint")
CORNERS = {"points": ("gl_PrimitivePointIndicesEXT", 1), "lines": ("gl_PrimitiveLineIndicesEXT", 2),
           "triangles": ("gl_PrimitiveTriangleIndicesEXT", 3)}
FOLD = "float fold(float x) { return abs(fract(x) - 0.5) * 2.0; }"
GROUP = "(gl_WorkGroupID.x + 3 * gl_WorkGroupID.y + 5 * gl_WorkGroupID.z)"


def components(of_type):
    """Scalars of a scalar or vector type."""
    return int(of_type[-1]) if of_type[-1].isdigit() else 1


class Shader:
    """One test file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        choice = self.random.choice
        self.primitive = choice(("points", "lines", "triangles", "triangles"))
        self.size = choice(SIZES)
        self.task_size = choice(SIZES) if self.random.random() < 0.5 else None
        self.vertices = choice((3, 4, 9, 24, 33, 64, 100, 128, 200, 256))
        self.primitives = choice((1, 2, 7, 32, 40, 65, 126, 200, 256))
        # (location, type, array size or 0, per primitive?)
        self.outputs, location = [], 0
        self.has_own = self.primitive == "points" and self.vertices >= self.primitives + 2
        for is_primitive in (False, True)[:1 + self.has_own]:
            for _ in range(self.random.randint(0 if is_primitive else 1, 3)):
                of_type, size = choice(TYPES), choice((0, 0, 0, 2, 3))
                self.outputs.append((location, of_type, size, is_primitive))
                location += (2 if of_type == "mat2" else 1) * (size or 1)
        self.payload = [(choice(PAYLOAD_TYPES), choice((0, 0, 4)))
                        for _ in range(self.random.randint(1, 4))]
        self.is_culling = self.random.random() < 0.3
        self.shared = choice((0, 0, 1, 8, 64)) or 1
        self.lines = []

    def say(self, *lines):
        """Appends lines."""
        self.lines += lines

    def directives(self):
        """Targets, memory and the draw."""
        groups = " ".join(str(self.random.randint(1, 3)) for _ in range(3))
        self.say("//! requires meshShader" + " taskShader" * bool(self.task_size)
                 + " largePoints" * (self.primitive == "points"),
                 "//! image target r32g32b32a32_sfloat 2d 48x48",
                 "//! color 0 target clear=0.1,0.1,0.1,1",
                 "//! buffer 0.0 u32 : "
                 + " ".join(str(self.random.randint(0, 5)) for _ in range(16)),
                 "//! state line=bresenham",
                 f"//! mesh {groups}",
                 "//! compare target f32 ~rel=2e-3 ~abs=2e-3 ~outliers=60")

    def scalar(self, index):
        """A float that something is; `index`: text of the vertex or primitive."""
        kind = self.random.randrange(9 if self.task_size else 7)
        if kind < 7:
            return (f"({self.random.uniform(-1, 1):.3f})", f"float({index} % 11)",
                    f"float({GROUP})", "float(gl_NumWorkGroups.x)", f"float({index})",
                    f"float(numbers[({index} + {self.random.randrange(9)}) % 16])",
                    f"float(store[{index} % {self.shared}] % 17)")[kind]
        number = self.random.randrange(len(self.payload))
        of_type, size = self.payload[number]
        text = f"payload.m{number}" + (f"[{index} % {size}]" if size else "")
        if components(of_type) > 1:
            text += "." + "xyz"[self.random.randrange(components(of_type))]
        return f"float({text} % {'7u' if of_type[0] == 'u' else '7'})" if of_type[0] in "iu" else text

    def expression(self, index, depth=2):
        """A float."""
        if depth == 0 or self.random.random() < 0.3:
            return self.scalar(index)
        form = self.random.choice(("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})"))
        return form.format(self.expression(index, depth - 1), self.expression(index, depth - 1))

    def whole(self, index, depth=2):
        """A uint; `index` as for scalar()."""
        if depth == 0 or self.random.random() < 0.3:
            leaves = [f"{self.random.randrange(60)}u", f"{index} % 11u", GROUP, "gl_NumWorkGroups.x",
                      index, f"numbers[({index} + {self.random.randrange(9)}) % 16]",
                      f"store[{index} % {self.shared}] % 17u"]
            if self.task_size:
                leaves += [f"uint(payload.m{number}" + (f"[{index} % {size}]" if size else "")
                           + ".x" * (components(of_type) > 1) + ")"
                           for number, (of_type, size) in enumerate(self.payload)
                           if of_type[0] in "iu"]
            return f"({self.random.choice(leaves)})"
        form = self.random.choice(("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})"))
        return form.format(self.whole(index, depth - 1), self.whole(index, depth - 1))

    def value(self, of_type, index):
        """Of an output."""
        count = 4 if of_type == "mat2" else components(of_type)
        parts = [f"{self.whole(index)} % 50u" if of_type[0] in "iu" else f"fold({self.expression(index)})"
                 for _ in range(count)]
        return f"{of_type}({', '.join(parts)})"

    def declarations(self, direction):
        """Interface between mesh and fragment shader."""
        for number, (location, of_type, size, is_primitive) in enumerate(self.outputs):
            kind = "perprimitiveEXT " if is_primitive else ""
            kind += "flat " if of_type[0] in "iu" else ""
            self.say(f"layout(location = {location}) {kind}{direction} {of_type} o{number}"
                     + "[]" * (direction == "out") + (f"[{size}]" if size else "") + ";")

    def payload_struct(self):
        """The same in both stages."""
        self.say("struct Payload {")
        for number, (of_type, size) in enumerate(self.payload):
            self.say(f"{of_type} m{number}" + (f"[{size}]" if size else "") + ";")
        self.say("};", "taskPayloadSharedEXT Payload payload;")

    def header(self, stage, size):
        """What task and mesh shaders begin with."""
        self.say(f"[{stage}]", "#version 460", "#extension GL_EXT_mesh_shader : require",
                 "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;" % size,
                 "layout(set = 0, binding = 0) readonly buffer Numbers { uint numbers[]; };",
                 f"shared uint store[{self.shared}];", FOLD)
        if self.task_size:
            self.payload_struct()

    def fill_store(self, threads):
        """Shared memory that depends on all invocations."""
        rounds = f"numbers[{GROUP} % 16]" if self.random.random() < 0.5 else str(self.random.randrange(4))
        self.say("uint i = gl_LocalInvocationIndex;",
                 f"for (uint k = i; k < {self.shared}; k += {threads})", f"store[k] = k * 3 + {GROUP};",
                 f"for (uint round = 0; round < {rounds}; ++round) {{", "barrier();",
                 f"atomicAdd(store[(i * {self.random.choice((1, 5, 7))} + round) % {self.shared}], i + round);")
        if self.random.random() < 0.4:
            self.say("barrier();", f"if (store[0] % {self.random.randint(2, 5)} == 0)", "break;",
                     "barrier();")
        self.say("}", "barrier();")

    def task_shader(self):
        """[task]"""
        threads = self.task_size[0] * self.task_size[1] * self.task_size[2]
        self.header("task", self.task_size)
        self.say("void main() {")
        self.fill_store(threads)
        # The payload is what is read here, not what is written.
        whole, self.task_size = self.task_size, None
        for number, (of_type, size) in enumerate(self.payload):
            for element in range(size or 1):
                index = f"[{element}]" if size else ""
                value = self.value(of_type, f"uint({element + number})")
                self.say(f"if (i == {self.random.randrange(threads)})",
                         f"payload.m{number}{index} = {value};")
        self.task_size = whole
        counts = [self.random.choice(("1", "2", f"{GROUP} % 3", "numbers[3] % 3", "store[0] % 4"))
                  for _ in range(3)]
        if self.random.random() < 0.5:
            counts[1:] = ["1", "1"]
        self.say(f"EmitMeshTasksEXT({', '.join(counts)});", "}")

    def store_values(self, index, is_primitive):
        """All outputs of a vertex or primitive, whole or by element."""
        for number, (_, of_type, size, is_own) in enumerate(self.outputs):
            if is_own != is_primitive:
                continue
            for element in range(size or 1):
                place = f"o{number}[{index}]" + (f"[{element}]" if size else "")
                self.say(f"{place} = {self.value(of_type, index)};")
            if size and self.random.random() < 0.5:
                self.say(f"o{number}[{index}][numbers[{index} % 16] % {size}] = "
                         f"{self.value(of_type, index)};")

    def loop(self, name, count, threads):
        """Begins a loop over all below `count`, in some order."""
        self.say(f"for (uint n = {'i' if self.random.random() < 0.6 else f'{threads - 1} - i'}; "
                 f"n < {count}; n += {threads}) {{",
                 f"uint {name} = " + self.random.choice(("n", f"{count} - 1 - n")) + ";")

    def mesh_shader(self):
        """[mesh]"""
        threads = self.size[0] * self.size[1] * self.size[2]
        indices, corners = CORNERS[self.primitive]
        self.header("mesh", self.size)
        self.say(f"layout({self.primitive}, max_vertices = {self.vertices}, max_primitives = "
                 f"{self.primitives}) out;")
        if self.is_culling:
            self.say("perprimitiveEXT out gl_MeshPerPrimitiveEXT { bool gl_CullPrimitiveEXT; } "
                     "gl_MeshPrimitivesEXT[];")
        self.declarations("out")
        self.say("void main() {")
        self.fill_store(threads)
        less = self.random.choice(("0", f"{GROUP} % 3", "numbers[1] % 3"))
        self.say(f"uint vertices = {self.vertices} - {less};",
                 f"uint primitives = {self.primitives} - ({less} > 0 ? {self.primitives // 3} : 0);")
        if self.random.random() < 0.3:
            self.say(f"if ({GROUP} % 5 == 3)", "primitives = 0;")
        self.say("SetMeshOutputsEXT(vertices, primitives);")
        self.loop("v", "vertices", threads)
        sent = "0"
        if self.task_size:
            of_type, size = self.payload[0]
            sent = "payload.m0" + "[0]" * bool(size) + ".x" * (components(of_type) > 1)
        # With these factors no line is as wide as high, by a quarter of a pixel: then rounding would
        # choose the axis that Bresenham's lines, and values along them, go by.
        # fract() of whole numbers times a constant is the same everywhere; a float from the payload
        # moves what comes out of it.
        is_whole = not self.task_size or self.payload[0][0][0] in "iu"
        self.say(f"float place = float(v + 31u * {GROUP} + 17u * uint({sent if is_whole else 0}));",
                 "gl_MeshVerticesEXT[v].gl_Position = vec4(fract(place * 0.37) * 1.8 - 0.9, "
                 "fract(place * 0.61) * 1.74 - 0.87, 0.5, 1);")
        if not is_whole:
            self.say(f"gl_MeshVerticesEXT[v].gl_Position.x += {sent} * 0.09;")
        if self.primitive == "points":
            self.say(f"gl_MeshVerticesEXT[v].gl_PointSize = {self.random.randint(1, 3)};")
        self.store_values("v", False)
        self.say("}")
        self.loop("p", "primitives", threads)
        ways = [f"(p * {self.random.choice((1, 2, 3, 5))} + {k * self.random.choice((1, 2))}) % vertices"
                for k in range(corners)]
        if self.has_own:
            ways = [self.random.choice(("p", "primitives - 1 - p"))]
        self.say(f"{indices}[p] = " + (ways[0] if corners == 1 else f"uvec{corners}({', '.join(ways)})")
                 + ";")
        if self.is_culling:
            self.say("gl_MeshPrimitivesEXT[p].gl_CullPrimitiveEXT = "
                     f"(p + numbers[2]) % {self.random.randint(2, 4)} == 0;")
        self.store_values("p", True)
        self.say("}", "}")

    def fragment_shader(self):
        """[frag]"""
        self.say("[frag]", "#version 460", "#extension GL_EXT_mesh_shader : require")
        self.declarations("in")
        self.say("layout(location = 0) out vec4 color;", "void main() {", "color = vec4(0);")
        for number, (_, of_type, size, _) in enumerate(self.outputs):
            for element in range(size or 1):
                name = f"o{number}" + (f"[{element}]" if size else "")
                if of_type == "mat2":
                    name = f"vec4({name}[0], {name}[1])"
                elif components(of_type) == 1:
                    name = f"vec4(float({name}))"
                else:
                    name = f"vec4({name}.{'xyzw'[:components(of_type)]}{'xxx'[:4 - components(of_type)]})"
                self.say(f"color = color * 0.5 + {name}.{self.random.choice(('xyzw', 'wxyz', 'zwyx'))};")
        self.say("}")


def text_of(seed):
    """The test file number `seed`."""
    shader = Shader(seed)
    shader.directives()
    if shader.task_size:
        shader.task_shader()
    shader.mesh_shader()
    shader.fragment_shader()
    return "\n".join(shader.lines) + "\n"
