#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random functions of integers and conversions, against SPIRV-LLVM-Translator and the host.

  random_functions.py --program kiln-cl --exec kiln-exec --icd FILE --own FOLDER [--count N] [--seed N]

One body in frames: of a module of kernels, which the translator's `llvm-spirv -r` turns into LLVM IR that clang compiles for the
host; the same module on the software device (kiln-cl); and, where Vulkan has all that it uses, a compute shader (kiln-exec). Each
gives the same 65,536 numbers on every family. What `-r` turns into calls of functions, definition() has for the host. Skipped (77)
without the translator.
"""
import argparse
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys

from run import FAMILIES, find_translator
from ulps import SKIPPED

PAIRS = 65536
WIDTHS = (8, 16, 32, 64)
STEPS = 40

# Integers by the letters of mangled names, and by the names of conversions.
LETTERS = {"c": "sext", "s": "sext", "i": "sext", "l": "sext", "h": "zext", "t": "zext", "j": "zext", "m": "zext"}


def definition(line):
    """LLVM IR of a function that `llvm-spirv -r` leaves to OpenCL's library: a conversion, popcount or get_global_id."""
    match = re.match(r"declare (.*) @_Z(\d+)(\w+)\((.*?)\)", line)
    result, count, rest, operand = match[1], int(match[2]), match[3], match[4]
    name, letter = rest[:count], rest[-1]
    head = f"define {result} @_Z{count}{rest}({operand} %x) {{\n"
    bits = [int(re.search(r"i(\d+)", t)[1]) if "i" in t else 0 for t in (result, operand)]
    suffix = [re.sub(r"<(\d+) x (\w+)>", r"v\1\2", t).replace("float", "f32").replace("double", "f64") for t in (result, operand)]
    if name == "get_global_id":
        return head + f"  ret {result} 0\n}}\n"
    if name == "popcount":
        return head + f"  %r = call {result} @llvm.ctpop.{suffix[0]}({operand} %x)\n  ret {result} %r\n}}\n"
    if "_sat" in name and letter in "fd":
        way = "fptoui" if "_u" in name else "fptosi"
        return head + f"  %r = call {result} @llvm.{way}.sat.{suffix[0]}.{suffix[1]}({operand} %x)\n  ret {result} %r\n}}\n"
    if not name.startswith("convert_") or "_sat" in name or letter not in LETTERS:
        sys.exit(f"FAIL what the host is to do for {line} is not known")
    way = "trunc" if bits[0] < bits[1] else LETTERS[letter]
    return head + f"  %r = {way} {operand} %x to {result}\n  ret {result} %r\n}}\n"


class Body:
    """A function %fN of two 64-bit integers in SPIR-V text.

    What only shaders have (bit fields, extended products, carries) is written as such in their frame, and in that of kernels as
    operations that both have.
    """

    def __init__(self, number, seed, is_shader, in_shader=False):
        self.in_shader = in_shader
        self.random = random.Random(seed)
        self.number, self.is_shader = number, is_shader
        self.lines, self.values, self.names = [], {}, 0
        self.counts = (1, 1, 2, 3, 4) if is_shader else (1, 1, 2, 3, 4, 8, 16)
        self.decorations = []

    def emit(self, kind, text):
        self.names += 1
        name = f"%v{self.number}_{self.names}"
        self.lines.append(f"{name} = {text}")
        if kind:
            self.values.setdefault(kind, []).append(name)
        return name

    def pick(self, kind):
        """A value of this kind: one that is there, a converted one, or one put together."""
        known = self.values.get(kind)
        if known and self.random.random() < 0.9:
            return self.random.choice(known[-6:])
        width, count = kind
        if count > 1:
            parts = [self.pick((width, 1)) for _ in range(count)]
            return self.emit(kind, f"OpCompositeConstruct {type_name(kind)} {' '.join(parts)}")
        others = [k for k in self.values if k[1] == 1 and k != kind and isinstance(k[0], int)]
        if not others or self.random.random() < 0.2:
            return self.constant(width, self.random.choice((0, 1, 2, 3, 5, 127, 128, 255, 2**(width - 1), 2**width - 1,
                                                            self.random.getrandbits(width))))
        other = self.random.choice(others)
        return self.emit(kind, f"{self.random.choice(('OpUConvert', 'OpSConvert'))} {type_name(kind)} {self.pick(other)}")

    def constant(self, width, value):
        return f"%c{width}_{value & (2**width - 1)}"

    def splat(self, kind, value):
        part = self.constant(kind[0], value)
        return part if kind[1] == 1 else self.emit(
            None, f"OpCompositeConstruct {type_name(kind)} {' '.join([part] * kind[1])}")

    # --- Steps

    def binary(self, kind, opcode, left=None, right=None):
        left = left or self.pick(kind)
        return self.emit(kind, f"{opcode} {type_name(kind)} {left} {right or self.pick(kind)}")

    def step_plain(self, kind):
        self.binary(kind, self.random.choice(("OpIAdd", "OpISub", "OpIMul", "OpBitwiseAnd", "OpBitwiseOr", "OpBitwiseXor")))

    def step_unary(self, kind):
        self.emit(kind, f"{self.random.choice(('OpNot', 'OpSNegate'))} {type_name(kind)} {self.pick(kind)}")

    def step_division(self, kind):
        divisor = self.binary(kind, "OpBitwiseOr", right=self.splat(kind, 1))
        opcode = self.random.choice(("OpUDiv", "OpUMod", "OpSDiv", "OpSRem", "OpSMod"))
        dividend = self.pick(kind)
        if opcode.startswith("OpS"):  # the smallest by -1 has no quotient
            dividend = self.emit(kind, f"OpShiftRightArithmetic {type_name(kind)} {dividend} {self.splat(kind, 1)}")
        self.binary(kind, opcode, dividend, divisor)

    def step_shift(self, kind):
        amount = self.binary(kind, "OpBitwiseAnd", right=self.splat(kind, kind[0] - 1))
        self.binary(kind, self.random.choice(("OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic")),
                    self.pick(kind), amount)

    def step_select(self, kind):
        opcode = self.random.choice(("OpIEqual", "OpINotEqual", "OpULessThan", "OpSLessThan", "OpUGreaterThanEqual", "OpSGreaterThan"))
        truth = ("bool", kind[1])
        condition = self.emit(truth, f"{opcode} {type_name(truth)} {self.pick(kind)} {self.pick(kind)}")
        if self.random.random() < 0.3:
            condition = self.emit(truth, f"OpLogicalNot {type_name(truth)} {condition}")
        self.emit(kind, f"OpSelect {type_name(kind)} {condition} {self.pick(kind)} {self.pick(kind)}")

    def step_convert(self, kind):
        width = self.random.choice([w for w in WIDTHS if w != kind[0]])
        self.emit((width, kind[1]), f"{self.random.choice(('OpUConvert', 'OpSConvert'))} {type_name((width, kind[1]))} {self.pick(kind)}")

    def step_bitcast(self, kind):
        bits = kind[0] * kind[1]
        forms = [(w, bits // w) for w in WIDTHS if bits % w == 0 and bits // w in self.counts and (w, bits // w) != kind]
        if 3 != kind[1] and forms:
            made = self.random.choice(forms)
            self.emit(made, f"OpBitcast {type_name(made)} {self.pick(kind)}")

    def step_components(self, kind):
        if kind[1] == 1:
            return self.step_plain(kind)
        number = self.pick((32, 1))
        if kind[1] & (kind[1] - 1):
            index = self.binary((32, 1), "OpUMod", number, self.constant(32, kind[1]))
        else:
            index = self.binary((32, 1), "OpBitwiseAnd", number, self.constant(32, kind[1] - 1))
        scalar = (kind[0], 1)
        if self.random.random() < 0.5:
            return self.emit(scalar, f"OpVectorExtractDynamic {type_name(scalar)} {self.pick(kind)} {index}")
        part = self.pick(scalar)
        return self.emit(kind, f"OpVectorInsertDynamic {type_name(kind)} {self.pick(kind)} {part} {index}")

    def step_shuffle(self, kind):
        if kind[1] == 1:
            return self.step_plain(kind)
        made = (kind[0], self.random.choice([c for c in self.counts if c > 1]))
        order = " ".join(str(self.random.randrange(2 * kind[1])) for _ in range(made[1]))
        return self.emit(made, f"OpVectorShuffle {type_name(made)} {self.pick(kind)} {self.pick(kind)} {order}")

    def step_count(self, kind):
        if kind[0] == 32:
            self.emit(kind, f"OpBitCount {type_name(kind)} {self.pick(kind)}")

    def let(self, kind, opcode, *operands):
        """An operation whose value no other step uses."""
        return self.emit(None, f"{opcode} {type_name(kind)} {' '.join(operands)}")

    def add(self, kind, value):
        self.values.setdefault(kind, []).append(value)

    def pair(self, kind, opcode, left, right):
        """Both members of a result that is a structure."""
        made = self.emit(None, f"{opcode} %pair_{type_name(kind)[1:]} {left} {right}")
        for i in (0, 1):
            self.add(kind, self.let(kind, "OpCompositeExtract", made, str(i)))

    def step_product(self, kind):
        if not self.is_shader:
            return self.step_plain(kind)
        kind = (32, kind[1])
        sign = self.random.choice("US")
        left, right = self.pick(kind), self.pick(kind)
        if self.in_shader:
            return self.pair(kind, f"Op{sign}MulExtended", left, right)
        wide = (64, kind[1])
        product = self.let(wide, "OpIMul", *(self.let(wide, f"Op{sign}Convert", v) for v in (left, right)))
        high = self.let(wide, "OpShiftRightLogical", product, self.splat(wide, 32))
        for part in (product, high):
            self.add(kind, self.let(kind, "OpUConvert", part))

    def step_carry(self, kind):
        if not self.is_shader:
            return self.step_plain(kind)
        kind = (32, kind[1])
        adds = self.random.random() < 0.5
        left, right = self.pick(kind), self.pick(kind)
        if self.in_shader:
            return self.pair(kind, "OpIAddCarry" if adds else "OpISubBorrow", left, right)
        self.add(kind, self.let(kind, "OpIAdd" if adds else "OpISub", left, right))
        result = self.values[kind][-1]
        carries = self.let(("bool", kind[1]), "OpULessThan", *((result, left) if adds else (left, right)))
        self.add(kind, self.let(kind, "OpSelect", carries, self.splat(kind, 1), self.splat(kind, 0)))

    def step_field(self, kind):
        """Of 1 to 16 bits, from one of the lower 16."""
        if not self.is_shader:
            return self.step_plain(kind)
        kind = (32, kind[1])
        way = self.random.choice(("OpBitFieldInsert", "OpBitFieldUExtract", "OpBitFieldSExtract"))
        base, inserted = self.pick(kind), self.pick(kind)
        fifteen = self.constant(32, 15)
        place = self.let((32, 1), "OpBitwiseAnd", self.pick((32, 1)), fifteen)
        count = self.let((32, 1), "OpIAdd", self.let((32, 1), "OpBitwiseAnd", self.pick((32, 1)), fifteen), self.constant(32, 1))
        if self.in_shader:
            return self.add(kind, self.let(kind, way, base, *([inserted] if way.endswith("Insert") else []), place, count))
        if kind[1] > 1:
            place, count = (self.let(kind, "OpCompositeConstruct", *([v] * kind[1])) for v in (place, count))
        if way.endswith("SExtract"):
            above = self.let(kind, "OpISub", self.splat(kind, 32), count)
            up = self.let(kind, "OpShiftLeftLogical", base, self.let(kind, "OpISub", above, place))
            return self.add(kind, self.let(kind, "OpShiftRightArithmetic", up, above))
        one = self.splat(kind, 1)
        mask = self.let(kind, "OpISub", self.let(kind, "OpShiftLeftLogical", one, count), one)
        if way.endswith("UExtract"):
            return self.add(kind, self.let(kind, "OpBitwiseAnd", self.let(kind, "OpShiftRightLogical", base, place), mask))
        there = self.let(kind, "OpNot", self.let(kind, "OpShiftLeftLogical", mask, place))
        bits = self.let(kind, "OpShiftLeftLogical", self.let(kind, "OpBitwiseAnd", inserted, mask), place)
        return self.add(kind, self.let(kind, "OpBitwiseOr", self.let(kind, "OpBitwiseAnd", base, there), bits))

    def step_float(self, kind):
        """To a float and back, saturated; what is in between must round as IEEE 754 says."""
        if self.is_shader or kind[1] > 1:
            return self.step_plain(kind)
        real = self.random.choice(("float", "double"))
        width = self.random.choice(WIDTHS)
        number = self.emit((real, 1), f"{self.random.choice(('OpConvertUToF', 'OpConvertSToF'))} {type_name((real, 1))} {self.pick(kind)}")
        factor = f"%{real}_{self.random.choice(('small', 'large', 'one'))}"
        product = self.emit((real, 1), f"OpFMul {type_name((real, 1))} {number} {factor}")
        made = self.emit((width, 1), f"{self.random.choice(('OpConvertFToU', 'OpConvertFToS'))} {type_name((width, 1))} {product}")
        self.decorations.append(f"OpDecorate {made} SaturatedConversion")
        return made

    def text(self):
        parameters = [f"%a{self.number}", f"%b{self.number}"]
        self.values = {(64, 1): list(parameters)}
        steps = [self.step_plain, self.step_unary, self.step_division, self.step_shift, self.step_select, self.step_convert,
                 self.step_bitcast, self.step_components, self.step_shuffle, self.step_count, self.step_float, self.step_product,
                 self.step_carry, self.step_field]
        for _ in range(STEPS):
            self.random.choice(steps)((self.random.choice(WIDTHS), self.random.choice(self.counts)))
        result = parameters[0]
        for kind in [k for k in self.values if isinstance(k[0], int)]:
            for value in self.values[kind][-2:]:
                for i in range(kind[1]):
                    part = value if kind[1] == 1 else self.emit(None, f"OpCompositeExtract {type_name((kind[0], 1))} {value} {i}")
                    if kind[0] != 64:
                        part = self.emit(None, f"OpUConvert %u64 {part}")
                    result = self.emit(None, f"OpIMul %u64 {result} {self.constant(64, 0x9e3779b97f4a7c15)}")
                    result = self.emit(None, f"OpBitwiseXor %u64 {result} {part}")
        n = self.number
        return "\n".join([f"%f{n} = OpFunction %u64 None %fn2", f"%a{n} = OpFunctionParameter %u64", f"%b{n} = OpFunctionParameter %u64",
                          f"%l{n} = OpLabel", *self.lines, f"OpReturnValue {result}", "OpFunctionEnd", ""])


def type_name(kind):
    first, count = kind
    scalar = f"u{first}" if isinstance(first, int) else first
    return f"%{scalar}" if count == 1 else f"%{scalar}x{count}"


# The pair of number %i, 32 bits wide: small and large numbers of both signs.
INPUTS = """%w = OpUConvert %u64 %i
%w1 = OpIMul %u64 %w %c64_11400714819323198485
%w2 = OpShiftRightLogical %u64 %w1 %c64_29
%w3 = OpBitwiseXor %u64 %w1 %w2
%w4 = OpIMul %u64 %w3 %c64_13787848793156543929
%w5 = OpShiftRightLogical %u64 %w4 %c64_32
%w6 = OpBitwiseXor %u64 %w4 %w5
%n1 = OpBitwiseAnd %u64 %w %c64_63
%x = OpShiftRightArithmetic %u64 %w6 %n1
%w7 = OpIMul %u64 %w6 %c64_13787848793156543929
%n2 = OpShiftRightLogical %u64 %w %c64_6
%n3 = OpBitwiseAnd %u64 %n2 %c64_63
%y = OpShiftRightArithmetic %u64 %w7 %n3"""
INPUT_CONSTANTS = ("c64_11400714819323198485", "c64_29", "c64_13787848793156543929", "c64_32", "c64_63", "c64_6")


def declarations(text, counts):
    """Types and constants that the functions name."""
    lines = ["%void = OpTypeVoid", "%bool = OpTypeBool", *(f"%u{w} = OpTypeInt {w} 0" for w in WIDTHS)]
    if "%float" in text or "%double" in text:
        lines += ["%float = OpTypeFloat 32", "%double = OpTypeFloat 64"]
        for real in ("float", "double"):
            lines += [f"%{real}_{n} = OpConstant %{real} {v}" for n, v in (("small", 0.0078125), ("large", 3.5), ("one", 1))]
    for count in counts:
        if count > 1:
            lines += [f"%{s}x{count} = OpTypeVector %{s} {count}" for s in ("bool", *(f"u{w}" for w in WIDTHS))]
    if "%pair_" in text:
        lines += [f"%pair_{t} = OpTypeStruct %{t} %{t}" for t in ("u32", *(f"u32x{c}" for c in counts))]
    words = set(text.replace("\n", " ").split())
    for word in sorted(w for w in words if w.startswith("%c") and w[2:3].isdigit()):
        width, value = word[2:].split("_")
        lines.append(f"{word} = OpConstant %u{width} {value}")
    return lines + ["%fn2 = OpTypeFunction %u64 %u64 %u64"]


def kernel_module(bodies):
    """All bodies, exported, and a kernel for each."""
    text = "".join(body.text() for body in bodies)
    head = ["OpCapability Addresses", "OpCapability Linkage", "OpCapability Kernel", "OpCapability Vector16", "OpCapability Int64",
            "OpCapability Int16", "OpCapability Int8", "OpCapability Float64", "OpMemoryModel Physical64 OpenCL"]
    head += [f'OpEntryPoint Kernel %k{b.number} "k{b.number}" %gid' for b in bodies]
    head += [f"OpExecutionMode %k{b.number} ContractionOff" for b in bodies]
    head += [f'OpDecorate %f{b.number} LinkageAttributes "f{b.number}" Export' for b in bodies]
    head += ["OpDecorate %gid BuiltIn GlobalInvocationId", "OpDecorate %gid Constant",
             'OpDecorate %gid LinkageAttributes "__spirv_BuiltInGlobalInvocationId" Import']
    head += [line for b in bodies for line in b.decorations]
    tail = ["%in3 = OpTypePointer Input %u64x3", "%gid = OpVariable %in3 Input", "%out = OpTypePointer CrossWorkgroup %u64",
            "%fnk = OpTypeFunction %void %out"]
    for b in bodies:
        inputs = INPUTS.replace("%i\n", "%i0\n")
        for name in ("%w7", "%w6", "%w5", "%w4", "%w3", "%w2", "%w1", "%w", "%n1", "%n2", "%n3", "%x", "%y", "%i0"):
            inputs = " ".join(f"{token}k{b.number}" if token == name else token for token in inputs.replace("\n", " \n ").split(" "))
        n = b.number
        text += "\n".join([f"%k{n} = OpFunction %void None %fnk", f"%p{n} = OpFunctionParameter %out", f"%kl{n} = OpLabel",
                           f"%g{n} = OpLoad %u64x3 %gid Aligned 32", f"%e{n} = OpCompositeExtract %u64 %g{n} 0",
                           f"%i0k{n} = OpUConvert %u32 %e{n}", inputs.replace(" \n ", "\n"),
                           f"%r{n} = OpFunctionCall %u64 %f{n} %xk{n} %yk{n}", f"%q{n} = OpInBoundsPtrAccessChain %out %p{n} %e{n}",
                           f"OpStore %q{n} %r{n} Aligned 8", "OpReturn", "OpFunctionEnd", ""])
    constants = text + " " + " ".join("%" + c for c in INPUT_CONSTANTS)
    return "\n".join(head + declarations(constants + " %float", (2, 3, 4, 8, 16)) + tail) + "\n" + text


def shader_script(body, expected):
    """The same body as a test of kiln-exec."""
    text = body.text()
    head = ["; SPDX-License-Identifier: MIT", ";! requires shaderInt64 shaderInt16 shaderInt8", f";! buffer 0.0 u64 : 0*{PAIRS}",
            f";! dispatch {PAIRS // 64}", ";! expect 0.0 u64 : " + " ".join(map(str, expected)), "OpCapability Shader",
            "OpCapability Int64", "OpCapability Int16", "OpCapability Int8", "OpMemoryModel Logical GLSL450",
            'OpEntryPoint GLCompute %main "main" %gid %out', "OpExecutionMode %main LocalSize 64 1 1",
            "OpDecorate %gid BuiltIn GlobalInvocationId", "OpDecorate %numbers ArrayStride 8", "OpDecorate %Out Block",
            "OpMemberDecorate %Out 0 Offset 0", "OpDecorate %out DescriptorSet 0", "OpDecorate %out Binding 0"]
    constants = text + " %c32_0 " + " ".join("%" + c for c in INPUT_CONSTANTS)
    tail = ["%in3 = OpTypePointer Input %u32x3", "%gid = OpVariable %in3 Input", "%numbers = OpTypeRuntimeArray %u64",
            "%Out = OpTypeStruct %numbers", "%pOut = OpTypePointer StorageBuffer %Out", "%out = OpVariable %pOut StorageBuffer",
            "%pNumber = OpTypePointer StorageBuffer %u64", "%fnm = OpTypeFunction %void", text, "%main = OpFunction %void None %fnm",
            "%ml = OpLabel", "%g = OpLoad %u32x3 %gid", "%i = OpCompositeExtract %u32 %g 0", INPUTS,
            f"%r = OpFunctionCall %u64 %f{body.number} %x %y", "%q = OpAccessChain %pNumber %out %c32_0 %i", "OpStore %q %r", "OpReturn",
            "OpFunctionEnd"]
    return "\n".join(head + declarations(constants, (2, 3, 4)) + tail) + "\n"


def host_source(bodies):
    calls = "\n".join(f"uint64_t f{b.number}(uint64_t, uint64_t);" for b in bodies)
    table = ", ".join(f"f{b.number}" for b in bodies)
    return "#include <stdint.h>\n#include <stdio.h>\n" + calls + f"""
int main(void) {{
  uint64_t (*const functions[])(uint64_t, uint64_t) = {{{table}}};
  for (unsigned f = 0; f < sizeof(functions) / sizeof(*functions); ++f)
    for (uint64_t w = 0; w < {PAIRS}; ++w) {{
      uint64_t a = w * 11400714819323198485u;
      a = (a ^ a >> 29) * 13787848793156543929u;
      a ^= a >> 32;
      uint64_t b = a * 13787848793156543929u;
      uint64_t result = functions[f]((int64_t)a >> (w & 63), (int64_t)b >> (w >> 6 & 63));
      fwrite(&result, 8, 1, stdout);
    }}
}}
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, check=False, **options)
    if done.returncode:
        sys.exit(f"FAIL {' '.join(command)[:300]}: exit code {done.returncode}\n{done.stderr.decode(errors='replace')[:3000]}")
    return done.stdout


def host_numbers(bodies, folder, translator):
    """By body: what the translator's IR gives on the host."""
    path = os.path.join(folder, "functions")
    with open(path + ".spvasm", "w", encoding="utf-8") as file:
        file.write(kernel_module(bodies))
    run("spirv-as", "--target-env", "spv1.4", path + ".spvasm", "-o", path + ".spv")
    run(translator, "-r", path + ".spv", "-o", path + ".bc")
    code = run("llvm-dis-22", path + ".bc", "-o", "-").decode()
    lines = [definition(line) if line.startswith("declare") and "@llvm." not in line else line for line in code.splitlines()
             if not line.startswith(("target triple", "target datalayout"))]
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write("\n".join(lines).replace("spir_func ", "").replace("spir_kernel ", ""))
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(host_source(bodies))
    run("clang-22", "-O1", "-w", "-fno-strict-aliasing", "-ffp-contract=off", path + ".c", path + ".ll", "-o", path + ".host")
    data = memoryview(run(path + ".host")).cast("Q")
    return [data[i * PAIRS:(i + 1) * PAIRS].tolist() for i in range(len(bodies))]


def run_kernels(program, family, folder, bodies, numbers):
    """Bodies whose kernels give something else."""
    paths = []
    for body in bodies:
        paths.append(os.path.join(folder, f"k{body.number}.sim"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(f"functions.spv\nk{body.number}\n{PAIRS} 1 1\n64 1 1\n<size={8 * PAIRS} ulong fill=0 dump>\n")
    text = run(program, f"--target={family}", *paths).decode()
    faults = []
    for body, part, want in zip(bodies, text.split("\nArgument ")[1:], numbers):
        got = [int(line.rpartition("= ")[2]) for line in part.splitlines() if "] = " in line]
        wrong = [i for i in range(PAIRS) if got[i] != want[i]]
        if wrong:
            i = wrong[0]
            faults.append(f"FAIL kernel k{body.number} on {family}: {len(wrong)} of {PAIRS}, first {i}: {got[i]:#x}, not {want[i]:#x}")
    return faults


def run_shaders(program, family, folder, environment):
    done = subprocess.run([program, "scripts", folder], capture_output=True, text=True, check=False,
                          env={**environment, "KILN_DEVICES": family})
    return [f"FAIL shaders on {family}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}"] if done.returncode else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "exec", "icd"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    parser.add_argument("--count", type=int, default=5, help="functions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    translator = find_translator(program)
    if not translator or not shutil.which("clang-22") or not shutil.which("llvm-dis-22"):
        print("skipped: no llvm-spirv-22 (./kiln setup), or no clang-22 or llvm-dis-22")
        return SKIPPED
    shaders = os.path.join(options.own, "shaders")
    shutil.rmtree(shaders, ignore_errors=True)
    os.makedirs(shaders)
    seeds = [options.seed * 1000 + i for i in range(2 * options.count)]
    make = [(i, seed, i >= options.count) for i, seed in enumerate(seeds)]
    bodies = [Body(*m) for m in make]
    numbers = host_numbers(bodies, options.own, translator)
    for m, expected in list(zip(make, numbers))[options.count:]:
        with open(os.path.join(shaders, f"f{m[0]}.spvasm"), "w", encoding="utf-8") as file:
            file.write(shader_script(Body(*m, in_shader=True), expected))
    environment = {**os.environ, "VK_DRIVER_FILES": os.path.abspath(options.icd), "KILN_TIER": "llvm", "KILN_PARTS": "off",
                   "KILN_STRICT": "1", "KILN_POISON": "1", "KILN_CACHE": "off"}

    def run_family(family):
        return (run_kernels(program, family, options.own, bodies, numbers) +
                run_shaders(os.path.abspath(options.exec), family, shaders, environment))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        faults = [fault for found in pool.map(run_family, FAMILIES) for fault in found]
    print("\n".join(faults[:30]))
    print(f"{len(bodies)} functions, {options.count} also as shaders, {PAIRS} pairs, {len(FAMILIES)} families: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
