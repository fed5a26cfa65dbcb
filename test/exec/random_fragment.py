# SPDX-License-Identifier: MIT
"""Random fragment shaders as test files of kiln-exec: text_of(seed).

Flow that differs from pixel to pixel: branches, loops that count in integers and in floats, with
break and continue, switches, functions with several ends; in all of it invocations end by discard
(OpKill or OpTerminateInvocation), demote or return, and write to buffers. Or they don't end, and
derivatives are taken where all invocations of a quad come, some of which are helpers. Conditions
are made where they are used, or long before. What is drawn and written must be what lavapipe draws
and writes, bit by bit: values are whole numbers, and nothing is undefined. lavapipe leaves loops when
only helpers are in them; so loops of shaders with derivatives end for all at the same time.
"""
import random

ENDS = (("discard",), ("discard",), ("demote",), ("discard", "demote"))
MAX_DEPTH, MAX_LOOPS = 3, 3
SIZE = 32
# Of a right-angled triangle at the corner: all pixels; edges that pass no pixel's centre.
EXTENTS = (4, 45.5 / 16, 30.5 / 16, 11.5 / 16)


class Shader:
    """One test file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ends = self.random.choice(ENDS)
        self.quads = self.random.random() < 0.4  # derivatives instead of ends
        self.whole = True  # whole quads come here
        self.loops = 0
        self.in_main = True

    # --- Expressions

    def number(self, depth=2):
        """An int of any size that fits."""
        leaves = ["a", "b", "n", "p.x", "p.y", f"push[{self.random.randrange(4)}]",
                  str(self.random.randint(-3, 8))] + [f"i{i}" for i in range(self.loops)]
        if depth == 0 or self.random.random() < 0.3:
            return self.random.choice(leaves)
        left, right = self.number(depth - 1), self.number(depth - 1)
        forms = [f"({left} + {right})", f"({left} - {right})", f"({left} ^ {right})",
                 f"({left} & {right})", f"(({left} & 255) * ({right} & 15))", f"({left} >> 2)",
                 f"(({left} & 1023) % {self.random.randint(2, 9)})", f"table[{left} & 15]",
                 f"({self.condition()} ? {left} : {right})"]
        if self.in_main:
            forms.append(f"folded({left}, {right})")
        return self.random.choice(forms)

    def condition(self):
        """One that was made before in a third of the cases, then the same for all pixels or not."""
        forms = ["early", "late", "!early", "uniform_one", "(early && late)", "(late || uniform_one)",
                 f"(push[{self.random.randrange(4)}] > {self.random.randrange(6)})"]
        if self.random.random() < 0.45:
            return self.random.choice(forms)
        compare = self.random.choice(("==", "!=", "<", ">"))
        mask = self.random.choice((1, 3, 7, 15))
        return f"(({self.number(1)} & {mask}) {compare} {self.random.randrange(4)})"

    # --- Statements

    def block(self, depth, indent):
        """Lines of some statements."""
        return [line for _ in range(self.random.randint(1, 3))
                for line in self.statement(depth, indent)]

    def statement(self, depth, indent):
        """Lines of one."""
        space = "  " * indent
        makers = [self.assign, self.assign, self.remember, self.end, self.store]
        if self.quads:
            makers += [self.derivative, self.derivative]
        if depth > 0:
            makers += [self.branch, self.branch, self.branch, self.loop, self.loop, self.switch]
        return [space + line for line in self.random.choice(makers)(depth)]

    def assign(self, _):
        return [f"{self.random.choice('abn')} = {self.number()};"]

    def remember(self, _):
        return [f"{self.random.choice(('early', 'late'))} = {self.condition()};"]

    def store(self, _):
        """Each pixel has elements of its own; sums do not depend on the order."""
        if not self.in_main:
            return self.assign(_)
        if self.random.random() < 0.5:
            return [f"atomicAdd(count[{self.random.randrange(4)}], uint({self.number(1)}) & 255u);"]
        return [f"list[(p.y * {SIZE} + p.x) * 4 + {self.random.randrange(4)}] = {self.number(1)};"]

    def derivative(self, _):
        if not (self.in_main and self.quads and self.whole):
            return self.assign(_)
        return [f"{self.random.choice('abn')} += int(dFd{self.random.choice('xy')}Fine"
                f"(float({self.number(1)} & 255)));"]

    def end(self, _):
        if self.quads:
            return self.store(_)
        if not self.in_main:
            return [f"if ({self.condition()}) return {self.number(1)};"]
        chance = self.random.random()
        if chance < 0.1:
            return [f"if ({self.condition()}) {{ color = vec4(a & 65535, 1, 2, 3); return; }}"]
        condition = self.condition()
        if self.random.random() < 0.6:  # else whole quads and waves are soon gone
            condition += f" && (p.x ^ p.y) % {self.random.choice((3, 5))} == {self.random.randrange(3)}"
        before = [f"n += {condition} ? 5 : 2;"] if chance > 0.6 else []
        return before + [f"if ({condition}) {self.random.choice(self.ends)};"]

    def branch(self, depth):
        condition, before = self.condition(), self.whole
        if self.quads and self.random.random() < 0.5:  # the same for all of a quad
            condition = (f"((p.x >> 1) * {self.random.randrange(3)} + (p.y >> 1)"
                         f" & {self.random.choice((1, 3, 7))}) {self.random.choice(('==', '<', '>'))}"
                         f" {self.random.randrange(4)}")
        else:
            self.whole = False
        lines = [f"if ({condition}) {{"] + self.block(depth - 1, 1)
        if self.random.random() < 0.5:
            lines += ["} else {"] + self.block(depth - 1, 1)
        self.whole = before
        return lines + ["}"]

    def loop(self, depth):
        if self.loops == MAX_LOOPS:
            return self.assign(depth)
        name, count, before = f"i{self.loops}", self.number(1), self.whole
        if self.quads:
            count = f"push[{self.random.randrange(4)}]"
        self.whole = False
        if self.random.random() < 0.3:  # counts in a vector register, though it is the same for all
            steps = f"float f = 0.0; f < float(push[{self.random.randrange(4)}] & 3); f += 1.0"
            lines = [f"int {name} = 3;", f"for ({steps}) {{"]
        else:
            lines = [f"for (int {name} = 0; {name} < ({count} & 7); ++{name}) {{"]
        self.loops += 1
        lines += self.block(depth - 1, 1)
        if self.random.random() < 0.5:
            leave = "continue" if self.quads else self.random.choice(("break", "continue"))
            lines.append(f"  if ({self.condition()}) {leave};")
            lines += self.block(0, 1)
        self.loops -= 1
        self.whole = before
        return ["{"] + lines + ["}", "}"]

    def switch(self, depth):
        before, self.whole = self.whole, False
        lines = [f"switch ({self.number(1)} & 3) {{"]
        for case in self.random.sample(range(4), self.random.randint(1, 3)):
            lines += [f"case {case}:"] + self.block(depth - 1, 1)
            if self.random.random() < 0.7:
                lines.append("  break;")
        self.whole = before
        return lines + ["default: n += 1;", "}"]

    # --- The file

    def text(self):
        choice, integers = self.random.choice, self.random.randrange
        self.in_main = False
        function = ["int folded(int a, int b) {", "  ivec2 p = ivec2(gl_FragCoord.xy);",
                    "  int n = 1;", "  bool early = a > 3, late = b == 2, uniform_one = push[1] > 3;",
                    *self.block(2, 1), "  return a + b * 3 + n;", "}"]
        self.in_main = True
        statements = [line for _ in range(self.random.randint(3, 6))
                      for line in self.statement(MAX_DEPTH, 1)]
        return "\n".join([
            f"//! target {choice(('vulkan1.2', 'vulkan1.3'))}",
            "//! requires shaderDemoteToHelperInvocation fragmentStoresAndAtomics",
            f"//! image target r32g32b32a32_sfloat 2d {SIZE}x{SIZE}",
            "//! color 0 target clear=-1,-1,-1,-1",
            "//! buffer 0.0 i32 : " + " ".join(str(integers(16)) for _ in range(16)),
            "//! push i32 : " + " ".join(str(integers(7)) for _ in range(4)),
            f"//! buffer 0.1 i32 : 0*{SIZE * SIZE * 4}", "//! buffer 0.2 u32 : 0*4",
            "//! draw 3", "//! compare target f32", "//! compare 0.1 i32", "//! compare 0.2 u32",
            "[vert]", "#version 450",
            "void main() {",
            "  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);",
            f"  gl_Position = vec4(corner * {choice(EXTENTS)} - 1, 0.5, 1);", "}",
            "[frag]", "#version 450", "#extension GL_EXT_demote_to_helper_invocation : require",
            "layout(set = 0, binding = 0) readonly buffer Table { int table[16]; };",
            "layout(set = 0, binding = 1) buffer List { int list[]; };",
            "layout(set = 0, binding = 2) buffer Count { uint count[4]; };",
            "layout(push_constant) uniform Push { ivec4 push; };",
            "layout(location = 0) out vec4 color;", *function,
            "void main() {", "  ivec2 p = ivec2(gl_FragCoord.xy);", "  int a = p.x, b = p.y, n = 1;",
            "  bool early = p.x > 13, late = p.y == 3, uniform_one = push[0] > 3;",
            "  color = vec4(7);", *statements,
            "  color = vec4(a & 65535, b & 65535, n & 65535, (early ? 1 : 0) + (late ? 2 : 0));", "}", ""])


def text_of(seed):
    """The test file of number `seed`."""
    return Shader(seed).text()
