# SPDX-License-Identifier: MIT
"""Random outputs of mesh shaders as test files of kiln-exec: text_of(seed).

What random_mesh.py leaves out because lavapipe does it wrong: attributes of primitives that share
vertices, stores to single components, known and computed, and outputs that are read: in half of
the shaders some outputs hold what another vertex or primitive needs, and behind a barrier that one
copies it into an output of its own. Every value is a function of the number of its vertex or
primitive, which is an attribute too, so the fragment shader says whether it is right.
"""
import random

SIZES = ((1, 1, 1), (3, 1, 1), (8, 4, 1), (33, 1, 1), (7, 3, 2), (64, 1, 1), (5, 13, 1), (100, 1, 1),
         (16, 8, 1))
# type -> (scalar, components)
TYPES = {"uint": ("uint", 1), "uvec2": ("uint", 2), "uvec3": ("uint", 3), "uvec4": ("uint", 4),
         "int": ("int", 1), "ivec4": ("int", 4), "float": ("float", 1), "vec2": ("float", 2),
         "vec4": ("float", 4), "float16_t": ("float16_t", 1), "f16vec3": ("float16_t", 3),
         "uint16_t": ("uint16_t", 1), "u16vec2": ("uint16_t", 2), "double": ("double", 1),
         "dvec2": ("double", 2)}
INDICES = {"points": ("gl_PrimitivePointIndicesEXT", 1), "lines": ("gl_PrimitiveLineIndicesEXT", 2),
           "triangles": ("gl_PrimitiveTriangleIndicesEXT", 3)}
HEAD = ("#version 460", "#extension GL_EXT_mesh_shader : require",
        "#extension GL_EXT_shader_explicit_arithmetic_types : require")


def value(of_type, key, number, element, component):
    """A component of element `element` of output `number`, of the vertex or primitive `key`."""
    return (f"{TYPES[of_type][0]}(({key} * {7 + number}u + {component * 3 + number + element * 5}u)"
            " % 97u)")


class Shader:
    """One test file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        choice = self.random.choice
        self.primitive = choice(tuple(INDICES))
        self.size = choice(SIZES)
        self.vertices = choice((3, 4, 9, 33, 64, 100, 200, 256))
        self.primitives = choice((1, 2, 7, 32, 65, 126, 256))
        # (location, type, array size or 0, per primitive?)
        self.outputs, location = [], 2
        for is_primitive in (False, True):
            for _ in range(self.random.randint(1, 4)):
                of_type, size = choice(tuple(TYPES)), choice((0, 0, 2, 3))
                self.outputs.append((location, of_type, size, is_primitive))
                location += size or 1
        self.lines = []
        self.shifts = {}  # output -> how far away the one is that its values are for
        self.copies = {}  # output -> the one that it is copied from
        self.extra = random.Random(f"reads {seed}")
        if seed % 2:
            self.choose_copies(location)

    def choose_copies(self, location):
        """Outputs that are read, and where the values go."""
        for number, (_, of_type, size, is_primitive) in enumerate(self.outputs[:]):
            if location + (size or 1) <= 32 and self.extra.random() < 0.6:
                self.shifts[number] = self.extra.randrange(self.count(is_primitive))
                self.copies[len(self.outputs)] = number
                self.outputs.append((location, of_type, size, is_primitive))
                location += size or 1

    def count(self, is_primitive):
        """Primitives or vertices of a workgroup."""
        return self.primitives if is_primitive else self.vertices

    def key_of(self, number, key):
        """The vertex or primitive that output `number` of `key` holds values of."""
        shift, count = self.shifts.get(number, 0), self.count(self.outputs[number][3])
        return f"(({key} % 256u + {shift}u) % {count}u + {key} / 256u * 256u)" if shift else key

    def say(self, *lines):
        """Appends lines."""
        self.lines += lines

    def directives(self):
        """Target, memory and the draw."""
        self.say("//! requires meshShader storageInputOutput16 shaderFloat16 shaderInt16 shaderFloat64"
                 + " largePoints" * (self.primitive == "points"),
                 "//! image target r8g8b8a8_unorm 2d 32x32", "//! color 0 target",
                 "//! buffer 0.0 u32 : 0 0",
                 "//! buffer 0.1 u32 : 0 1 2 3", "//! mesh 2 2",
                 *["//! skip lavapipe: crashes when a mesh shader reads its outputs"]
                 * bool(self.copies),
                 "// Something is drawn, and nothing is wrong.", "//! expect 0.0 u32 : 1 0")

    def declarations(self, direction):
        """Interface between mesh and fragment shader."""
        many = "[]" * (direction == "out")
        self.say(f"layout(location = 0) flat {direction} uint vertex{many};",
                 f"layout(location = 1) perprimitiveEXT flat {direction} uint primitive{many};")
        for number, (location, of_type, size, is_primitive) in enumerate(self.outputs):
            self.say(f"layout(location = {location}) {'perprimitiveEXT ' * is_primitive}flat "
                     f"{direction} {of_type} o{number}{many}" + (f"[{size}]" if size else "") + ";")

    def store(self, place, of_type, values):
        """Of a whole value, or of its components in some order."""
        way = self.random.randrange(3) if len(values) > 1 else 0
        if way == 0:
            self.say(f"{place} = {of_type}({', '.join(values)});")
            return
        order = list(range(len(values)))
        self.random.shuffle(order)
        for component in order:
            name = "." + "xyzw"[component] if way == 1 else f"[numbers[{component}]]"
            self.say(f"{place}{name} = {values[component]};")

    def stores(self, index, is_primitive):
        """All outputs of a vertex or primitive."""
        for number, (_, of_type, size, is_own) in enumerate(self.outputs):
            if is_own != is_primitive or number in self.copies:
                continue
            for element in range(size or 1):
                values = [value(of_type, self.key_of(number, "key"), number, element, component)
                          for component in range(TYPES[of_type][1])]
                of_array = self.random.choice((f"[{element}]", f"[numbers[{element}]]"))
                self.store(f"o{number}[{index}]" + of_array * bool(size), of_type, values)

    def copy(self, number, index):
        """Stores output `number` of `index`, of what another one has left for it."""
        (_, of_type, size, is_primitive), source = self.outputs[number], self.copies[number]
        choice, count = self.extra.choice, self.count(is_primitive)
        other = f"({index} + {count - self.shifts[source]}u) % {count}u"
        for element in range(size or 1):
            ways = [choice((f"[{element}]", f"[numbers[{element}]]")) * bool(size) for _ in range(2)]
            to, of = f"o{number}[{index}]{ways[0]}", f"o{source}[{other}]{ways[1]}"
            components = TYPES[of_type][1]
            way = self.extra.randrange(4)
            if way == 0 or components == 1:
                self.say(f"{to} = {of};")
            elif way == 1:
                self.say(f"{to} = {of_type}(1);", f"{to} += {of} - {of_type}(1);")
            else:
                for component in self.extra.sample(range(components), components):
                    names = ["." + "xyzw"[component], f"[numbers[{component}]]"]
                    self.say(f"{to}{choice(names)} = {of}{choice(names)};")

    def copy_all(self, threads):
        """Behind the stores: outputs that are read."""
        if not self.copies:
            return
        self.say("barrier();")
        for index, is_primitive in (("p", True), ("v", False)):
            self.say(f"for (uint {index} = i; {index} < {self.count(is_primitive)}; {index} += "
                     f"{threads}) {{")
            for number in self.copies:
                if self.outputs[number][3] == is_primitive:
                    self.copy(number, index)
            self.say("}")

    def mesh_shader(self):
        """[mesh]"""
        threads = self.size[0] * self.size[1] * self.size[2]
        indices, corners = INDICES[self.primitive]
        self.say("[mesh]", *HEAD,
                 "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;" % self.size,
                 f"layout({self.primitive}, max_vertices = {self.vertices}, max_primitives = "
                 f"{self.primitives}) out;",
                 "layout(set = 0, binding = 1) readonly buffer Numbers { uint numbers[]; };")
        self.declarations("out")
        self.say("void main() {", f"SetMeshOutputsEXT({self.vertices}, {self.primitives});",
                 "uint group = gl_WorkGroupID.x + 2 * gl_WorkGroupID.y, i = gl_LocalInvocationIndex;",
                 f"for (uint v = i; v < {self.vertices}; v += {threads}) {{",
                 "uint key = v + 256u * group;", "vertex[v] = key;",
                 "float place = float(v) + 31.0 * float(group);",
                 "gl_MeshVerticesEXT[v].gl_Position = vec4(fract(place * 0.37) * 1.8 - 0.9, "
                 "fract(place * 0.61) * 1.8 - 0.9, 0.5, 1);")
        if self.primitive == "points":
            self.say("gl_MeshVerticesEXT[v].gl_PointSize = 3;")
        self.stores("v", False)
        self.say("}", f"for (uint p = {threads - 1}u - i; p < {self.primitives}; p += {threads}) {{",
                 "uint key = p + 256u * group;", "primitive[p] = key;")
        ways = [f"(p * {self.random.choice((1, 2, 3, 5))} + {k}) % {self.vertices}"
                for k in range(corners)]
        self.say(f"{indices}[p] = " + (ways[0] if corners == 1 else f"uvec{corners}({', '.join(ways)})")
                 + ";")
        self.stores("p", True)
        self.say("}")
        self.copy_all(threads)
        self.say("}")

    def fragment_shader(self):
        """[frag]"""
        self.say("[frag]", *HEAD)
        self.declarations("in")
        self.say("layout(set = 0, binding = 0) buffer Result { uint drawn, wrong; };",
                 "layout(location = 0) out vec4 color;", "void main() {", "bool isRight = true;")
        for number, (_, of_type, size, is_primitive) in enumerate(self.outputs):
            key = self.key_of(number, "primitive" if is_primitive else "vertex")
            for element in range(size or 1):
                for component in range(TYPES[of_type][1]):
                    name = f"o{number}" + f"[{element}]" * bool(size)
                    name += "." + "xyzw"[component] if TYPES[of_type][1] > 1 else ""
                    self.say(f"isRight = isRight && {name} == "
                             + value(of_type, key, self.copies.get(number, number), element,
                                     component) + ";")
        self.say("drawn = 1;", "if (!isRight)", "atomicAdd(wrong, 1);", "color = vec4(1);", "}")


def text_of(seed):
    """The test file number `seed`."""
    shader = Shader(seed)
    shader.directives()
    shader.mesh_shader()
    shader.fragment_shader()
    return "\n".join(shader.lines) + "\n"
