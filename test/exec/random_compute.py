# SPDX-License-Identifier: MIT
"""Random compute shaders as test files of kiln-exec: text_of(seed).

Flow that differs from lane to lane or does not: branches, loops of all kinds with break and continue, also out of
several loops, switches with fall-through, functions with several ends, early ends. Values of several types are carried
through loops and used behind them, some of them undefined until an iteration has written them; counters are the same
for all lanes though these leave at different times. Barriers and LDS where flow is uniform; votes, ballots and
broadcasts whose results do not depend on the size of subgroups. What is written must be what lavapipe writes, bit by
bit: values are integers, or floats that are whole numbers. There is no loop over readFirstInvocation: LLVM 15 crashes
when it compiles that for lavapipe.
"""
import random

SIZES = (1, 7, 16, 31, 32, 33, 48, 64, 65, 100, 128)
MAX_DEPTH, MAX_LOOPS = 4, 4
SLOTS = 4


class Shader:
    """One test file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.choice(SIZES)
        self.loops = []  # whether each is the same for all invocations
        self.names = 0
        self.uniform = True  # all invocations of the workgroup come here
        self.in_switch = False
        self.flags = []  # of loops that are left from inside of others
        self.in_main = self.can_leave = self.may_end = True
        self.functions = 0
        self.budget = self.random.choice((15, 40, 80))

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # --- Expressions

    def uniform_number(self):
        choice = self.random.choice
        leaves = ["ua", "ub", "gl_WorkGroupID.x", f"push[{self.random.randrange(4)}]", "uc",
                  f"table[{self.random.randrange(16)}]"]
        if not self.in_main:
            leaves = leaves[2:4]
        left, right = choice(leaves), choice(leaves)
        return choice((left, f"({left} + {right})", f"({left} ^ {right})", f"({left} * 3u)",
                       f"({left} >> 1)", f"min({left}, {right})"))

    def uniform_condition(self):
        forms = [f"({self.uniform_number()} & {self.random.choice((1, 3, 7))}u)"
                 f" {self.random.choice(('==', '!=', '<', '>'))} {self.random.randrange(4)}u"]
        if self.in_main:
            forms += ["uq", "!uq"]
        return self.random.choice(forms)

    def number(self, depth=2):
        leaves = ["a", "b", "c", "i", str(self.random.randrange(9)) + "u", "k"]
        leaves += [f"push[{self.random.randrange(4)}]", f"v.{self.random.choice('xyz')}"]
        leaves += ["ua", "uc"] if self.in_main else []
        leaves += [f"n{j}" for j in range(len(self.loops))]
        if depth == 0 or self.random.random() < 0.3:
            return self.random.choice(leaves)
        left, right = self.number(depth - 1), self.number(depth - 1)
        forms = [f"({left} + {right})", f"({left} - {right})", f"({left} ^ {right})",
                 f"({left} & {right})", f"({left} * 5u + {right})", f"({left} >> 3)",
                 f"({left} % {self.random.randint(2, 9)}u)", f"table[{left} & 15u]",
                 f"({self.condition()} ? {left} : {right})", "uint(f)", f"(q ? {left} : {right})",
                 f"uint(w >> {self.random.randrange(33)})", "uint(h)"]
        if self.in_main:
            if len(self.loops) < 2:
                forms += [f"f{j}({left}, {right})" for j in range(self.functions)]
            forms += [f"v[{left} % 3u]", f"arr[{left} & 3u]"]
        return self.random.choice(forms)

    def condition(self):
        if self.random.random() < 0.4:
            return self.random.choice(("q", "r", "!q", "(q && r)", "(q || r)", "(q != r)", "f > g",
                                       "f == g", "w > 100ul", "h < 5us",
                                       f"({self.uniform_condition()})",
                                       f"(r || {self.uniform_condition()})"))
        compare = self.random.choice(("==", "!=", "<", ">"))
        mask = self.random.choice((1, 3, 7, 15))
        return f"(({self.number(1)} & {mask}u) {compare} {self.random.randrange(4)}u)"

    # --- Statements

    def block(self, depth, indent=1, most=3):
        return [line for _ in range(self.random.randint(1, most))
                for line in self.statement(depth, indent)]

    def statement(self, depth, indent):
        self.budget -= 1
        makers = [self.assign, self.assign, self.remember, self.leave, self.leave, self.store,
                  self.count, self.subgroup, self.end, self.set_flag, self.keep, self.keep]
        if self.uniform and self.in_main:
            makers += [self.exchange, self.assign_uniform, self.assign_uniform]
        if depth > 0 and self.budget > 0:
            makers += [self.branch] * 4 + [self.loop] * 4 + [self.switch] * 2 + [self.waterfall]
        return ["  " * indent + line for line in self.random.choice(makers)(depth)]

    def assign(self, _):
        choice = self.random.choice
        forms = [lambda: f"{choice('abc')} = {self.number()};",
                 lambda: f"{choice('abc')} += {self.number(1)};",
                 lambda: "f = min(f + g, 4096.0);", lambda: f"g = float({self.number(1)} & 255u);",
                 lambda: "f = abs(f - g);", lambda: f"v.{choice('xyz')} = {self.number(1)};",
                 lambda: f"w = w * 3ul + uint64_t({self.number(1)});",
                 lambda: f"w ^= uint64_t({self.number(0)}) << {self.random.randrange(40)};",
                 lambda: f"h = uint16_t({self.number(1)} & 65535u);", lambda: "h += 3us;",
                 lambda: "v = v.zxy;"]
        if self.in_main:
            forms += [lambda: f"v[{self.number(1)} % 3u] = {self.number(1)};",
                      lambda: f"arr[{self.number(1)} & 3u] = {self.number(1)};"]
        return [choice(forms)()]

    def count(self, _):
        return [self.random.choice(("++k;", "k += 2u;", "k = k * 3u + 1u;"))]

    def assign_uniform(self, _):
        choice = self.random.choice
        return [choice((lambda: f"{choice(('ua', 'ub'))} = {self.uniform_number()};",
                        lambda: "++uc;", lambda: f"uq = {self.uniform_condition()};"))()]

    def remember(self, _):
        return [f"{self.random.choice('qr')} = {self.condition()};"]

    def set_flag(self, _):
        if not self.flags or not self.loops or self.loops[-1] or self.in_switch:
            return self.remember(_)
        return [f"if ({self.condition()}) {{ {self.random.choice(self.flags)} = true; break; }}"]

    def store(self, _):
        if not self.in_main:
            return self.assign(_)
        if self.random.random() < 0.3:
            return [f"atomicAdd(total[{self.random.randrange(4)}], {self.number(1)});"]
        return [f"list[i * {SLOTS}u + {self.random.randrange(SLOTS)}u] = {self.number(1)};"]

    def exchange(self, _):
        """Through LDS."""
        return [f"s[gl_LocalInvocationIndex] = {self.number(1)};", "barrier();",
                f"{self.random.choice('abc')} += "
                f"s[(gl_LocalInvocationIndex + {self.random.randrange(1, 9)}u) % {self.size}u];",
                "barrier();"]

    def subgroup(self, _):
        choice = self.random.choice
        c = self.condition()
        return choice((
            [f"{choice('qr')} = subgroupInverseBallot(subgroupBallot({c}));"],
            [f"{{ bool t = {c}; if (subgroupAny(t)) {{ if (t) {choice('abc')} += {self.number(1)}; }} }}"],
            [f"{{ bool t = {c}; if (subgroupAll(t)) a += 3u; else a += t ? 3u : 0u; }}"],
            [f"if (subgroupAllEqual({self.uniform_number()})) b ^= 5u;"],
            [f"c += subgroupBroadcastFirst({self.uniform_number()});"],
        ))

    def waterfall(self, depth):
        """A loop that all lanes leave together."""
        name = self.name("t")
        before, flags = self.uniform, self.flags
        self.uniform = False
        self.flags = []
        loops, self.loops = self.loops, self.loops + [True]
        index = len(loops)
        lines = [f"{{ uint n{index} = 0u; bool {name} = {self.condition()};", f"while (subgroupAny({name})) {{",
                 f"  if ({name}) {{ {name} = n{index} < 3u && {self.condition()}; ++n{index};",
                 *self.block(min(depth - 1, 1), 2), "  }", "} }"]
        self.uniform, self.loops, self.flags = before, loops, flags
        return lines

    def end(self, _):
        if not self.in_main:
            return [f"if ({self.condition()}) return {self.number(1)};"]
        if self.random.random() < 0.7:
            return self.assign(_)
        if self.uniform and self.random.random() < 0.3:
            return [f"if ({self.uniform_condition()}) {{ list[i * {SLOTS}u] = a + k; return; }}"]
        if not self.may_end:
            return self.assign(_)
        return [f"if ({self.condition()}) {{ list[i * {SLOTS}u] = a ^ b ^ k; return; }}"]

    def keep(self, _):
        """What is undefined until somebody has written it."""
        index = self.random.randrange(3)
        if self.random.random() < 0.5:
            return [f"z{index} = {self.number(1)}; y{index} = {self.condition()}; has{index} = true;"]
        return [f"if (has{index}) {{ {self.random.choice('abc')} += z{index}; if (y{index}) k += 3u; }}"]

    def leave(self, _):
        """Break or continue."""
        if not self.loops or not self.can_leave:
            return self.assign(_)
        words = ["continue"] if self.in_switch else ["break", "break", "continue"]
        word = self.random.choice(words)
        if self.loops[-1]:
            return [f"if ({self.uniform_condition()}) {word};"] if self.uniform else self.assign(_)
        extra = self.random.choice(("", f"{self.random.choice('abc')} = {self.number(1)}; ", "q = !q; ",
                                    "k += 7u; "))
        return [f"if ({self.condition()}) {{ {extra}{word}; }}"]

    def branch(self, depth):
        before = self.uniform
        if self.random.random() < 0.35:
            condition = self.uniform_condition()
        else:
            condition = self.condition()
            self.uniform = False
        lines = [f"if ({condition}) {{"] + self.block(depth - 1)
        if self.random.random() < 0.5:
            lines += ["} else {"] + self.block(depth - 1)
        self.uniform = before
        return lines + ["}"]

    def loop(self, depth):
        if len(self.loops) == MAX_LOOPS:
            return self.assign(depth)
        index, before = len(self.loops), self.uniform
        switch, self.in_switch = self.in_switch, False
        leave, self.can_leave = self.can_leave, True
        flags = self.flags
        same = before and self.random.random() < 0.4
        flag = None
        self.flags = flags if not same else []
        if not same and self.random.random() < 0.4:
            flag = self.name("flag")
            self.flags = self.flags + [flag]
        count = self.uniform_number() if self.random.random() < 0.4 or same else self.number(1)
        count = f"(({count}) & {self.random.choice((3, 7))}u)"
        self.loops.append(same)
        self.uniform = same
        name = f"n{index}"
        kind = self.random.randrange(5)
        before_lines = [f"uint {name} = 0u;"] + ([f"bool {flag} = false;"] if flag else [])
        limit = self.random.randint(2, 8)
        condition = self.uniform_condition() if same else self.condition()
        body = self.block(depth - 1, 1, 4)
        if kind == 0:
            lines = [f"for (; {name} < {count}; ++{name}) {{"] + body + ["}"]
        elif kind == 1:
            lines = ["while (true) {", f"  if (++{name} > {limit}u) break;"] + body + ["}"]
        elif kind == 2:
            lines = ["do {", f"  if (++{name} > {limit}u) break;"] + body + [f"}} while ({condition});"]
        elif kind == 3:
            lines = [f"while ({condition}) {{", f"  if ({name}++ == {limit}u) break;"] + body + ["}"]
        else:
            lines = ["while (true) {", f"  if (++{name} > {limit}u) break;"] + body
            lines += [f"  if ({condition}) break;", "}"]
        self.loops.pop()
        self.uniform = before
        self.in_switch = switch
        self.can_leave = leave
        self.flags = flags
        after = []
        if flag:
            more = "q = true;" if self.random.random() < 0.5 else "k += 1u;"
            after = [f"if ({flag}) {{ {more} }}"]
            if self.loops and not self.loops[-1] and not switch and leave and self.random.random() < 0.7:
                after = [f"if ({flag}) {{ {more} break; }}"]
        elif self.random.random() < 0.4:
            after = [f"{self.random.choice('abc')} += {name};"]
        return ["{"] + ["  " + line for line in before_lines + lines + after] + ["}"]

    def switch(self, depth):
        before, switch = self.uniform, self.in_switch
        same = self.random.random() < 0.3
        self.uniform = before and same
        self.in_switch = True
        flags, self.flags = self.flags, []
        wide = self.random.random() < 0.3
        bits = 15 if wide else 3
        number = self.uniform_number() if same else self.number(1)
        lines = [f"switch ({number} & {bits}u) {{"]
        cases = self.random.sample(range(bits + 1), self.random.randint(1, 9 if wide else 3))
        default = self.random.randrange(len(cases) + 2)
        for place, case in enumerate(cases):
            if place == default:
                lines += ["default:"] + self.block(depth - 1)
                if self.random.random() < 0.5:
                    lines += ["  break;"]
            lines.append(f"case {case}u:")
            if self.random.random() < 0.2:
                continue
            lines += self.block(depth - 1, 1, 2)
            if self.random.random() < 0.6:
                lines.append("  break;")
        if default == len(cases):
            lines += ["default:"] + self.block(depth - 1)
        else:
            lines += ["  a += 1u;"]
        self.uniform, self.in_switch, self.flags = before, switch, flags
        return lines + ["}"]

    # --- The file

    def variables(self):
        return [*(f"  uint z{j}; bool y{j}; bool has{j} = false;" for j in range(3)),
                "  uint c = 1u, k = 0u;", "  bool q = a > 30u, r = (b & 1u) == 0u;",
                "  float f = float(a & 63u), g = 3.0;", "  uvec3 v = uvec3(a, b, 7u);",
                "  uint64_t w = uint64_t(a) << 20;", "  uint16_t h = uint16_t(b & 255u);"]

    def function(self, index):
        self.in_main, self.uniform, self.can_leave = False, False, True
        self.budget = 12
        lines = [f"uint f{index}(uint a, uint b) {{", "  uint i = gl_GlobalInvocationID.x;", *self.variables(),
                 *self.block(3, 1, 4),
                 "  return a + b * 3u + c + k + (q ? 8u : 0u) + uint(f) + v.x + uint(w >> 9);", "}"]
        self.in_main, self.uniform = True, True
        return lines

    def text(self):
        integers = self.random.randrange
        self.may_end = True
        budget = self.budget
        functions = []
        wanted = self.random.choice((0, 0, 1, 2))
        for index in range(wanted):
            functions += self.function(index)
        self.functions = wanted
        self.budget = budget
        self.can_leave = True
        # An invocation that has ended comes to no barrier.
        self.may_end = False
        main = self.block(MAX_DEPTH, 1, 5)
        self.may_end = True
        self.uniform = False
        main += self.block(MAX_DEPTH, 1, 4)
        groups = self.random.choice((1, 2, 3))
        count = groups * self.size
        return "\n".join([
            "//! requires shaderInt64 shaderInt16", "//! target vulkan1.2",
            "//! buffer 0.0 u32 : " + " ".join(str(integers(64)) for _ in range(16)),
            f"//! buffer 0.1 u32 : 0*{count * SLOTS}", "//! buffer 0.2 u32 : 0*4",
            f"//! buffer 0.3 u32 : random({integers(1000)},{count * 2})",
            "//! push u32 : " + " ".join(str(integers(9)) for _ in range(4)),
            f"//! dispatch {groups}", "//! compare 0.1 u32", "//! compare 0.2 u32",
            "#version 450", "#extension GL_KHR_shader_subgroup_ballot : require",
            "#extension GL_KHR_shader_subgroup_vote : require",
            "#extension GL_EXT_shader_explicit_arithmetic_types : require",
            f"layout(local_size_x = {self.size}) in;",
            "layout(set = 0, binding = 0) readonly buffer Table { uint table[16]; };",
            "layout(set = 0, binding = 1) buffer List { uint list[]; };",
            "layout(set = 0, binding = 2) buffer Total { uint total[4]; };",
            "layout(set = 0, binding = 3) readonly buffer In { uvec2 data[]; };",
            "layout(push_constant) uniform Push { uvec4 push; };",
            f"shared uint s[{self.size}];", *functions,
            "void main() {", "  uint i = gl_GlobalInvocationID.x;",
            "  uint a = data[i].x, b = data[i].y;",
            "  uint ua = push[0], ub = table[3], uc = 0u; bool uq = push[1] > 3u;",
            "  uint arr[4] = uint[4](a, b, 5u, 9u);", *self.variables(), *main,
            f"  list[i * {SLOTS}u + 1u] ^= a + b * 3u + c * 7u + k * 11u + (q ? 32u : 0u) + (r ? 64u : 0u);",
            f"  list[i * {SLOTS}u + 2u] ^= uint(f) + uint(g) * 5000u + v.x + v.y * 3u + v.z * 5u + uint(h) * 9u;",
            f"  list[i * {SLOTS}u + 3u] ^= uint(w) + uint(w >> 32) * 3u + ua + ub * 3u + uc * 5u"
            " + (uq ? 9u : 0u) + arr[0] + arr[1] * 3u + arr[2] * 5u;",
            "}", ""])


def text_of(seed):
    """The test file of number `seed`."""
    return Shader(seed).text()

