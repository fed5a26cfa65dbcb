# SPDX-License-Identifier: MIT
"""Random tessellation shaders as test files of kiln-exec: text_of(seed).

Every domain, spacing and size of patches; values of many types from vertex to control shader,
between its invocations, and to the evaluation shader, also those of the whole patch, read and
written with constant and computed indices, as a whole and in part, in branches and loops, over
barriers. Behind points and lines there may be a random geometry shader. What is drawn must be what
lavapipe draws: places and colours are linear in the domain, and all that is drawn is added up, so
that neither the triangles of a patch nor their order shows. Some triangles are drawn as points:
then the greatest values of what meets in a pixel show where the levels and the spacing put
vertices.
"""
import random

import random_geometry

VARYING_TYPES = ("float", "vec2", "vec3", "vec4", "int", "uvec2", "mat2")
MAX_OUTPUTS = 4


class Shader(random_geometry.Shader):
    """One test file."""

    def __init__(self, seed):
        super().__init__(seed)
        choice = self.random.choice
        self.domain = choice(("triangles", "quads", "isolines"))
        self.spacing = choice(("equal_spacing", "fractional_even_spacing", "fractional_odd_spacing"))
        self.point_mode = self.random.random() < 0.3
        self.size = choice((1, 2, 3, 3, 4, 4, 6, 9, 16, 32))
        self.points = choice((1, 2, 3, 3, 4, 4, 5, 8, 13, 32))
        self.instances = choice((1, 1, 2))
        # Mesa 25.0 counts patches from 0 again behind 1024 vertices.
        self.patches = min(choice((5, 16, 33)), 900 // self.size)
        # A source of its own: the shaders of a seed do not depend on it.
        self.as_points = (self.domain != "isolines" and not self.point_mode
                          and random.Random(seed + 0x7E55).random() < 0.5)
        self.has_geometry = (self.point_mode or self.domain == "isolines") and self.random.random() < 0.5
        self.primitive = "points" if self.point_mode else "lines"
        self.vertices = 1 if self.point_mode else 2
        # (name, location, type, array size or 0)
        self.control_inputs = self.interface("a")
        self.vertex_values = self.interface("b")
        self.patch_values = self.interface("c", sum(self.locations(row) for row in self.vertex_values))
        self.inputs = [(number, "vec4", 0) for number in range(self.random.randint(1, 3))]
        self.names = {}

    @staticmethod
    def locations(row):
        """How many locations a row takes."""
        return (2 if row[2] == "mat2" else 1) * (row[3] or 1)

    def interface(self, prefix, location=0):
        """Random rows of an interface."""
        rows = []
        for number in range(self.random.randint(1, MAX_OUTPUTS)):
            row = (f"{prefix}{number}", location, self.random.choice(VARYING_TYPES),
                   self.random.choice((0, 0, 0, 2, 3)))
            rows.append(row)
            location += self.locations(row)
        return rows

    def declare(self, rows, direction, is_array):
        """Declarations of an interface."""
        for name, location, of_type, size in rows:
            patch = "patch " if rows is self.patch_values else ""
            flat = "flat " if of_type[0] in "iu" and direction == "out" and not (is_array or patch) else ""
            self.say(f"layout(location = {location}) {flat}{patch}{direction} {of_type} {name}"
                     + "[]" * (is_array and not patch) + (f"[{size}]" if size else "") + ";")

    def some(self, count):
        """A number below count."""
        constant = self.random.randrange(count)
        return self.random.choice((str(constant), f"(gl_PrimitiveID + {constant}) % {count}") + self.indices(count))

    def indices(self, count):
        """Further computed numbers below count that the shader of the moment has."""
        return (f"(gl_InvocationID * 3 + {count}) % {count}",) if self.names.get("control") else ()

    def part(self, row, vertex):
        """One component of a value, as a float between -7 and 7."""
        name, _, of_type, size = row
        value = name + vertex + (f"[{self.some(size)}]" if size else "")
        if of_type == "mat2":
            value += f"[{self.some(2)}].{self.random.choice('xy')}"
        elif of_type[-1].isdigit():
            value += "." + "xyzw"[self.random.randrange(int(of_type[-1]))]
        return f"float({value} % {'7u' if of_type[0] == 'u' else '7'})" if of_type[0] in "iu" else value

    def value(self, rows, vertices):
        """A float of some interface; vertices: None for those of the patch, or an index."""
        row = self.random.choice(rows)
        if isinstance(vertices, str):
            return self.part(row, f"[{vertices}]")
        return self.part(row, "" if vertices is None else f"[{self.some(vertices)}]")

    def sum_of(self, *sources):
        """A formula of values: sources are (rows, vertices)."""
        terms = [f"{self.value(*self.random.choice(sources))} * {self.random.uniform(-0.5, 0.5):.3f}"
                 for _ in range(self.random.randint(1, 3))]
        terms.append(self.random.choice(("0.25", "float(gl_PrimitiveID % 5) * 0.1")))
        return " + ".join(terms)

    def assign(self, row, target, formula):
        """Writes all of a value."""
        _, _, of_type, size = row
        for element in range(size or 1):
            # Numbers of few digits never meet a step of fract() or int().
            text = f"({formula()}) * 0.7 + {element}.0137"
            count = {"mat2": 4}.get(of_type, int(of_type[-1]) if of_type[-1].isdigit() else 1)
            values = [f"fract({text})" if of_type[0] not in "iu" else f"abs({text}) * 37.3"] * count
            self.say(f"{target}{f'[{element}]' if size else ''} = {of_type}({', '.join(values)});")

    def converted(self, of_type, text):
        """A scalar of a type's components."""
        kind = {"i": "int", "u": "uint"}.get(of_type[0], "float")
        text = f"({text}) * 0.7 + 0.0137"
        return f"{kind}(abs({text}) * 37.3)" if kind != "float" else f"fract({text})"

    def rework(self, sources):
        """Writes a part of one of the invocation's values again."""
        name, _, of_type, size = self.random.choice(self.vertex_values)
        target = f"{name}[gl_InvocationID]"
        condition = self.random.choice(("", "if (gl_PrimitiveID % 2 == 0) ", "if (gl_InvocationID % 3 == 1) ",
                                        f"if ({self.value(*sources[0])} < 0.4) "))
        if size and self.random.random() < 0.4:
            part = "[k % 2].y" if of_type == "mat2" else ".x" if of_type[-1].isdigit() else ""
            text = self.converted(of_type, self.sum_of(*sources) + " + float(k) * 0.21")
            self.say(f"{condition}for (int k = 0; k < {size}; ++k)", f"{target}[k]{part} = {text};")
            return
        target += f"[{self.some(size)}]" if size else ""
        if of_type == "mat2":
            target += f"[{self.some(2)}].{self.random.choice('xy')}"
        elif of_type[-1].isdigit():
            count = int(of_type[-1])
            target += self.random.choice((f"[{self.some(count)}]", "." + "xyzw"[self.random.randrange(count)]))
        self.say(f"{condition}{target} = {self.converted(of_type, self.sum_of(*sources))};")

    def patch_elements(self, row, sources):
        """Each element by another invocation."""
        name, _, of_type, size = row
        count = 4 if of_type == "mat2" else int(of_type[-1]) if of_type[-1].isdigit() else 1
        values = ", ".join(self.converted(of_type, self.sum_of(*sources)) for _ in range(count))
        self.say(f"if (gl_InvocationID < {size})", f"{name}[gl_InvocationID] = {of_type}({values});")

    def tessellation_directives(self):
        """Targets, indices, state and the draw."""
        count = self.patches * self.size + self.random.randrange(self.size)
        needs = "tessellationShader shaderTessellationAndGeometryPointSize" + " geometryShader" * self.has_geometry
        needs += " fillModeNonSolid" * self.as_points
        clear, operation = (-1000, "max") if self.as_points else (0, "add")
        self.say("//! requires " + needs, "//! image target r32g32b32a32_sfloat 2d 96x96",
                 f"//! color 0 target clear={clear},{clear},{clear},{clear}",
                 f"//! blend 0 one,one,{operation}")
        indexed = self.random.random() < 0.3
        if indexed:
            indices = [self.random.randrange(count) for _ in range(count)]
            self.say("//! buffer indices none u16 : " + " ".join(map(str, indices)), "//! index indices u16")
        self.say(f"//! state topology=patches patch={self.size} polygon={'point' if self.as_points else 'fill'}",
                 f"//! draw {count} instances={self.instances} indexed={int(indexed)}",
                 # Values along short lines are a matter of where exactly they begin.
                 f"//! compare target f32 ~rel=4e-3 ~abs=4e-3 ~outliers={2000 if self.has_geometry else 250}")

    def vertices_of_patches(self):
        """[vert]"""
        self.say("[vert]", "#version 450")
        self.declare(self.control_inputs, "out", False)
        self.say("void main() {", "float i = float(gl_VertexIndex % 97 + 7 * gl_InstanceIndex);",
                 "gl_Position = vec4(fract(i * 0.37), fract(i * 0.61), 0.5, 1);")
        for row in self.control_inputs:
            self.assign(row, row[0], lambda: f"i * {self.random.uniform(0.1, 0.9):.2f}")
        self.say("}")

    def control_shader(self):
        """[tesc]"""
        self.names["control"] = True
        self.say("[tesc]", "#version 450", f"layout(vertices = {self.points}) out;")
        self.declare(self.control_inputs, "in", True)
        self.declare(self.vertex_values, "out", True)
        self.declare(self.patch_values, "out", False)
        self.say("void main() {",
                 f"gl_out[gl_InvocationID].gl_Position = gl_in[{self.some(self.size)}].gl_Position;")
        first = self.control_inputs, self.size
        for row in self.vertex_values:
            self.assign(row, f"{row[0]}[gl_InvocationID]", lambda: self.sum_of(first))
        own = self.vertex_values, "gl_InvocationID"
        for _ in range(self.random.randrange(4)):
            self.rework((first, own))
        sources = [first]
        if self.random.random() < 0.5:
            others = self.vertex_values, self.points
            sources.append(others)
            self.say("barrier();")
            if self.random.random() < 0.5:
                self.say(f"float seen = {self.sum_of(others)};", "barrier();")
                self.rework((([("seen", 0, "float", 0)], None), first, own))
                self.say("barrier();")
        self.write_patch(sources)
        for kind, count in (("Outer", 4), ("Inner", 2)):
            for level in range(count):
                value = (f"{self.random.uniform(0.8, 9):.2f}" if self.random.random() < 0.5 else
                         f"1.0 + 5.0 * abs(fract({self.value(*first)}))")
                # A level that is halfway between two numbers of segments depends on the last bit.
                self.say(f"gl_TessLevel{kind}[{level}] = floor(({value}) * 4.0) * 0.25 + 0.0625;")
        # Mesa 25.0's geometry shaders do not count patches that are left out.
        if self.random.random() < 0.2 and not self.has_geometry:
            self.say("if (gl_PrimitiveID % 7 == 3)", "gl_TessLevelOuter[0] = 0.0;")
        self.say("}")

    def write_patch(self, sources):
        """Values of the patch: written by one invocation, by all or by several."""
        is_shared = self.random.random() < 0.5
        writer = self.random.randrange(self.points)
        for row in self.patch_values:
            self.names["control"] = True
            if row[3] and row[3] <= self.points and self.random.random() < 0.5:
                self.patch_elements(row, sources)
            elif is_shared:
                self.say(f"if (gl_InvocationID == {writer}) {{")
                self.assign(row, row[0], lambda: self.sum_of(*sources))
                self.say("}")
            else:  # all write the same: nothing of the invocation
                self.names["control"] = False
                self.assign(row, row[0], lambda: self.sum_of(*sources))
        self.names["control"] = False

    def evaluation_shader(self):
        """[tese]"""
        order = ", point_mode" if self.point_mode else "" if self.domain == "isolines" else \
            self.random.choice((", cw", ", ccw"))
        self.say("[tese]", "#version 450", f"layout({self.domain}, {self.spacing}{order}) in;")
        self.declare(self.vertex_values, "in", True)
        self.declare(self.patch_values, "in", False)
        for location, of_type, _ in self.inputs:
            self.say(f"layout(location = {location}) out {of_type} v{location};")
        self.say("void main() {", "vec2 cell = vec2(gl_PrimitiveID % 6, gl_PrimitiveID / 6) / 3.0 - 0.9873;",
                 f"cell += gl_in[{self.some(self.points)}].gl_Position.xy * 0.02;",
                 "gl_Position = vec4(cell + gl_TessCoord.xy * 0.2963, 0.5, 1);",
                 f"gl_PointSize = {self.random.randint(1, 3)};")
        sources = [(self.vertex_values, self.points), (self.patch_values, None)]
        if self.random.random() < 0.4:
            self.say("float total = 0.0;", f"for (int i = 0; i < {self.points}; ++i)",
                     f"total += {self.value(self.vertex_values, 'i')} * 0.1;")
            sources.append(([("total", 0, "float", 0)], None))
        for location, _, _ in self.inputs:
            parts = [", ".join(self.sum_of(*sources) for _ in range(4)) for _ in range(2)]
            self.say(f"v{location} = vec4({parts[0]}) + vec4({parts[1]}) * gl_TessCoord.{self.random.choice('xy')};")
        self.say("}")

    def plain_fragment_shader(self):
        """[frag] without a geometry shader."""
        self.outputs = [("vec4", "")] * len(self.inputs)
        self.say("[frag]", "#version 450")
        for location, of_type, _ in self.inputs:
            self.say(f"layout(location = {location}) in {of_type} v{location};")
        terms = " + ".join(f"v{location}" for location, _, _ in self.inputs)
        self.say("layout(location = 0) out vec4 color;", f"void main() {{ color = {terms}; }}")


def text_of(seed):
    """The test file number `seed`."""
    shader = Shader(seed)
    shader.tessellation_directives()
    shader.vertices_of_patches()
    shader.control_shader()
    shader.evaluation_shader()
    if shader.has_geometry:
        shader.geometry_shader()
        shader.fragment_shader()
    else:
        shader.plain_fragment_shader()
    return "\n".join(shader.lines) + "\n"
