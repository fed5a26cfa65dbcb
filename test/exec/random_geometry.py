# SPDX-License-Identifier: MIT
"""Random geometry shaders as test files of kiln-exec: text_of(seed).

Every topology, output primitive and number of invocations; values of many types from vertex to
geometry shader, read with constant and computed indices; vertices and ends of strips in branches
and loops. What is drawn must be what lavapipe draws. Nothing is undefined: outputs have values
before the first vertex, and a strip ends only behind a primitive. Nothing is a matter of rounding
either: numbers with steps are integers, floats go through fold(), which has none, and vertices lie
where no two drivers may choose (PLACE).
"""
import random

TOPOLOGIES = {
    "points": ("points",), "lines": ("lines", "line-strip"),
    "triangles": ("triangles", "triangle-strip", "triangle-fan"),
    "lines_adjacency": ("lines-adj", "line-strip-adj"),
    # Strips with adjacency: lavapipe begins odd triangles with another vertex.
    "triangles_adjacency": ("triangles-adj",)}
VERTICES = {"points": 1, "lines": 2, "triangles": 3, "lines_adjacency": 4, "triangles_adjacency": 6}
INPUT_TYPES = ("float", "vec2", "vec3", "vec4", "int", "ivec2", "uint", "uvec3", "mat2")
OUTPUT_TYPES = ("float", "vec2", "vec3", "vec4")
MAX_DEPTH = 3
FOLD = "float fold(float x) { return abs(fract(x) - 0.5) * 2.0; }"
# Of a vertex, from integers: multiples of 2^-5 and, after the factor and the sum of emit(), of 2^-9,
# all of them exact in single precision. On 48 pixels those are multiples of 12/256 pixels; OFFSET, 6
# of them, keeps everything 2/256 away from centres and edges of pixels, where the edges of points
# of whole sizes would be a matter of taste.
PLACE = "vec4(vec2(n * 37 % 59 - 29, n * 23 % 53 - 26) / 32.0, float(n * 29 % 97) / 128.0, 1)"
OFFSET = "1.0 / 1024.0"


class Shader:
    """One test file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        choice = self.random.choice
        self.primitive = choice(tuple(TOPOLOGIES))
        self.vertices = VERTICES[self.primitive]
        self.topology = choice(TOPOLOGIES[self.primitive])
        self.output = choice(("points", "line_strip", "triangle_strip", "triangle_strip"))
        self.invocations = choice((1, 1, 1, 2, 3, 7))
        # Mesa 25.0's lavapipe writes beyond its memory when there are more strips than primitives.
        self.strip = {"points": 1, "line_strip": 2, "triangle_strip": 3}[self.output]
        self.most = max(choice((1, 2, 3, 4, 6, 9, 16, 30, 60)), self.strip)
        # (location, type, array size or 0)
        self.inputs, location = [], 0
        for _ in range(self.random.randint(1, 5)):
            of_type, size = choice(INPUT_TYPES), choice((0, 0, 0, 2, 3))
            self.inputs.append((location, of_type, size))
            location += (2 if of_type == "mat2" else 1) * (size or 1)
        self.outputs = [(choice(OUTPUT_TYPES), choice(("", "flat ", "noperspective ")))
                        for _ in range(self.random.randint(1, 4))]
        self.lines = []

    def say(self, *lines):
        """Appends lines."""
        self.lines += lines

    def directives(self):
        """Targets, indices, state and the draw."""
        count = self.random.choice((6, 12, 30, 60))
        is_indexed, restarts = self.random.random() < 0.4, self.topology.endswith(("strip", "fan"))
        self.say("//! requires geometryShader" + " largePoints" * (self.output == "points"),
                 "//! image target r32g32b32a32_sfloat 2d 48x48",
                 "//! color 0 target clear=0.1,0.1,0.1,1")
        if is_indexed:
            indices = [65535 if restarts and self.random.random() < 0.08
                       else self.random.randrange(count) for _ in range(count)]
            self.say("//! buffer indices none u16 : " + " ".join(map(str, indices)),
                     "//! index indices u16")
        last = " provoking=last" if self.random.random() < 0.25 else ""
        self.say(f"//! state topology={self.topology}{last}"
                 + (" restart=1" if is_indexed and restarts else ""),
                 f"//! draw {count} instances={self.random.choice((1, 1, 2, 3))}"
                 f" indexed={int(is_indexed)}",
                 "//! compare target f32 ~rel=2e-3 ~abs=2e-3 ~outliers=60")

    def declarations(self, direction, is_array):
        """Interface between vertex and geometry shader."""
        for number, (location, of_type, size) in enumerate(self.inputs):
            flat = "flat " if of_type[0] in "iu" else ""
            self.say(f"layout(location = {location}) {flat}{direction} {of_type} v{number}"
                     + "[]" * is_array + (f"[{size}]" if size else "") + ";")

    def vertex_shader(self):
        """[vert]"""
        self.say("[vert]", "#version 450")
        self.declarations("out", False)
        self.say(FOLD, "void main() {", "int n = gl_VertexIndex + 7 * gl_InstanceIndex;",
                 f"gl_Position = {PLACE};", "gl_PointSize = 1;")
        for number, (_, of_type, size) in enumerate(self.inputs):
            for element in range(size or 1):
                if of_type[0] in "iu":
                    value = f"n * {int(self.random.uniform(1, 9))} / 8 + {element}"
                else:
                    value = f"fold(float(n) * {self.random.uniform(0.1, 0.9):.2f} + {element}.0)"
                index = f"[{element}]" if size else ""
                self.say(f"v{number}{index} = {of_type}({value});")
        self.say("}")

    def index(self, size):
        """A number below size."""
        constant = self.random.randrange(size)
        return self.random.choice((str(constant), f"count % {size}", f"gl_PrimitiveIDIn % {size}",
                                   f"(gl_InvocationID + {constant}) % {size}"))

    def scalar(self):
        """A float that something is."""
        kind = self.random.randrange(8)
        if kind < 4:
            return (f"({self.random.uniform(-1, 1):.3f})", "float(gl_InvocationID)",
                    "float(gl_PrimitiveIDIn % 5)", "float(count % 4)")[kind]
        vertex = self.index(self.vertices)
        if kind == 4:
            return f"gl_in[{vertex}].gl_Position.{self.random.choice('xyz')}"
        number = self.random.randrange(len(self.inputs))
        _, of_type, size = self.inputs[number]
        value = f"v{number}[{vertex}]" + (f"[{self.index(size)}]" if size else "")
        if of_type == "mat2":
            value += f"[{self.random.randrange(2)}].{self.random.choice('xy')}"
        elif of_type[-1].isdigit():
            value += "." + "xyzw"[self.random.randrange(int(of_type[-1]))]
        return f"float({value} % {'7u' if of_type[0] == 'u' else '7'})" if of_type[0] in "iu" else value

    def expression(self, depth):
        """A float."""
        if depth == 0 or self.random.random() < 0.3:
            return self.scalar()
        form = self.random.choice(("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})"))
        return form.format(self.expression(depth - 1), self.expression(depth - 1))

    def condition(self):
        """What branches ask."""
        step = self.random.randint(2, 4)
        return self.random.choice((f"gl_PrimitiveIDIn % {step} == {self.random.randrange(step)}",
                                   "gl_InvocationID % 2 == 0", "count % 3 != 1",
                                   f"count < {self.random.randint(1, self.most)}"))

    def emit(self):
        """A vertex, if there may be one more; some outputs keep their values."""
        self.say(f"if (count < {self.most}) {{")
        for number, (of_type, _) in enumerate(self.outputs):
            if self.random.random() < 0.7:
                size = 1 if of_type == "float" else int(of_type[-1])
                values = ", ".join(f"fold({self.expression(2)})" for _ in range(size))
                self.say(f"o{number} = {of_type}({values});")
        place = f"gl_in[{self.index(self.vertices)}].gl_Position.xy"
        # Points stay inside the viewport: outside, lavapipe draws those that reach into it.
        scale = int(self.random.uniform(5, 12 if self.output == "points" else 17)) / 16
        self.say(f"gl_Position = vec4({place} * {scale} + vec2(count * 7 % 11 - 5, count * 5 % 13 - 6) "
                 f"/ 32.0 + {OFFSET}, 0.5, 1);")
        if self.output == "points":
            self.say(f"gl_PointSize = {self.random.randint(1, 4)};")
        self.say("EmitVertex();", "++count;", "++inStrip;", "}")

    def block(self, depth):
        """Vertices, ends of strips, branches and loops."""
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if depth == 0 or kind < 0.45:
                self.emit()
            elif kind < 0.6:
                self.say(f"if (inStrip >= {self.strip}) {{", "EndPrimitive();", "inStrip = 0;", "}")
            elif kind < 0.8:
                self.say(f"if ({self.condition()}) {{")
                self.block(depth - 1)
                if self.random.random() < 0.4:
                    self.say("} else {")
                    self.block(depth - 1)
                self.say("}")
            else:
                self.say(f"for (int k{depth} = 0; k{depth} < {self.random.randint(2, 5)}; ++k{depth}) {{")
                self.block(depth - 1)
                if self.random.random() < 0.2:
                    self.say(f"if ({self.condition()})", "break;")
                self.say("}")

    def geometry_shader(self):
        """[geom]"""
        self.say("[geom]", "#version 450",
                 f"layout({self.primitive}, invocations = {self.invocations}) in;",
                 f"layout({self.output}, max_vertices = {self.most}) out;")
        self.declarations("in", True)
        for number, (of_type, kind) in enumerate(self.outputs):
            self.say(f"layout(location = {number}) {kind}out {of_type} o{number};")
        self.say(FOLD, "void main() {", "int count = 0, inStrip = 0;")
        self.say(*(f"o{number} = {of_type}(0.5);" for number, (of_type, _) in enumerate(self.outputs)))
        self.block(MAX_DEPTH)
        # Mesa 25.0's lavapipe may crash when nothing at all comes out.
        self.say("if (count == 0 && gl_PrimitiveIDIn == 0) {")
        for _ in range(self.strip):
            self.emit()
        self.say("}", "}")

    def fragment_shader(self):
        """[frag]"""
        swizzles = {"float": "vec4(o{})", "vec2": "o{}.xyxy", "vec3": "o{}.xyzx", "vec4": "o{}"}
        self.say("[frag]", "#version 450")
        for number, (of_type, kind) in enumerate(self.outputs):
            self.say(f"layout(location = {number}) {kind}in {of_type} o{number};")
        sums = " + ".join(swizzles[of_type].format(number)
                          for number, (of_type, _) in enumerate(self.outputs))
        self.say("layout(location = 0) out vec4 color;", f"void main() {{ color = {sums}; }}")


def text_of(seed):
    """The test file number `seed`."""
    shader = Shader(seed)
    shader.directives()
    shader.vertex_shader()
    shader.geometry_shader()
    shader.fragment_shader()
    return "\n".join(shader.lines) + "\n"
