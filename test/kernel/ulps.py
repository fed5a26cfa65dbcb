#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL C's functions of floats on the software device: ulps.py --program kiln-cl --own FOLDER

Each function of FUNCTIONS runs on every family with floats, doubles and halves, on special and random operands; results may be as
many ULPs from the host's libm as OpenCL C allows (7.4 "Relative Error as ULPs"; halves: its extension cl_khr_fp16). What the host
computes of floats and halves is of doubles, of doubles of long doubles. Skipped (77) without clang or libclc's library.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys

from run import FAMILIES, find_translator

SKIPPED = 77
COUNT = 32  # operands of each function, besides the special ones

Kind = collections.namedtuple("Kind", "name bits format code word digits least")
KINDS = (Kind("float", "uint", "<f", "<I", 32, 24, -149), Kind("double", "ulong", "<d", "<Q", 64, 53, -1074),
         Kind("half", "ushort", "<e", "<H", 16, 11, -24))

LIBM = ctypes.CDLL("libm.so.6")
PI = math.pi


class Host:
    """libm's functions in more precision than a kind has."""

    def __init__(self, kind):
        self.suffix, self.type = ("l", ctypes.c_longdouble) if kind.name == "double" else ("", ctypes.c_double)

    def __getattr__(self, name):
        function = getattr(LIBM, name + self.suffix)
        function.restype = self.type

        def call(*values):
            arguments = [self.type(v) if isinstance(v, float) else v for v in values]
            return function(*arguments)
        setattr(self, name, call)
        return call


def half_turns(x):
    """(n, r): x = n + r with |r| <= 0.5, both exact; of what is finite."""
    n = round(x)
    return n, x - n


def sinpi(m, x):
    if not math.isfinite(x):
        return math.nan
    n, r = half_turns(x)
    return m.sin(PI * r) * (-1 if n % 2 else 1)


def cospi(m, x):
    if not math.isfinite(x):
        return math.nan
    n, r = half_turns(x)
    # Near the zeros, at halves, as a sine.
    inside = m.cos(PI * r) if abs(r) <= 0.25 else m.sin(PI * (0.5 - abs(r)))
    return inside * (-1 if n % 2 else 1)


def tanpi(m, x):
    if not math.isfinite(x):
        return math.nan
    c = cospi(m, x)
    return sinpi(m, x) / c if c else math.inf


def pown(m, x, n):
    return m.pow(x, float(n))


def powr(m, x, y):
    if not x >= 0 or math.isnan(y) or (x == 0 and y == 0) or (x == 1 and math.isinf(y)) or (math.isinf(x) and y == 0):
        return math.nan
    return m.pow(abs(x), y)


def rootn(m, x, n):
    if n == 0 or (x < 0 and n % 2 == 0):
        return math.nan
    fraction, exponent = math.frexp(abs(x))
    if not x or not math.isfinite(x):
        root = m.pow(abs(x), math.copysign(1.0, n))
    else:  # 1 / n is not exact, so the power is to be a small one
        whole = math.floor(exponent / abs(n))
        root = m.ldexp(m.pow(math.ldexp(fraction, exponent - whole * abs(n)), 1.0 / n), whole if n > 0 else -whole)
    return math.copysign(root, x) if n % 2 else root


def frexp(m, x):
    exponent = ctypes.c_int()
    fraction = m.frexp(x, ctypes.byref(exponent))
    return (fraction, None, exponent.value if math.isfinite(x) else None)


def modf(_, x):
    if math.isinf(x):
        return (math.copysign(0.0, x), x, None)
    return (*math.modf(x), None) if not math.isnan(x) else (x, x, None)


def fract(m, x):
    if not math.isfinite(x):
        return (math.copysign(0.0, x) if math.isinf(x) else x, x, None)
    # Of a kind: just below 1 is rounded to the largest below.
    return (x - math.floor(x), float(math.floor(x)), None)


def lgamma_r(m, x):
    sign = None if x <= 0 and x == math.floor(x) or math.isnan(x) else -1 if x < 0 and math.floor(x) % 2 else 1
    return (m.lgamma(x), None, sign)


def remquo(m, x, y):
    quotient = ctypes.c_int()
    result = m.remquo(x, y, ctypes.byref(quotient))
    return (result, None, quotient.value if math.isfinite(x) and y and not math.isnan(y) else None)


def ilogb(_, x):
    return (None, None, math.frexp(x)[1] - 1 if x and math.isfinite(x) else None)


def maxmag(_, x, y):
    if math.isnan(x) or math.isnan(y):
        return y if math.isnan(x) else x
    return x if abs(x) > abs(y) else y if abs(y) > abs(x) else max(x, y)


def fdim(_, x, y):
    return math.nan if math.isnan(x) or math.isnan(y) else max(x - y, 0.0) if x > y else 0.0


def quotient(_, x, y):
    if y:
        return x / y
    return math.nan if not x or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


Function = collections.namedtuple("Function", "code host limits low high only")


def function(code, host, limits, low=-20.0, high=20.0, only=None):
    """limits: ULPs of floats, doubles, halves; None: not this kind. low, high: of random operands. only: operands that count."""
    return Function(code, host, limits, low, high, only)


def unary(name, limits, low=-20.0, high=20.0):
    return function(f"r = {name}(x)", lambda m, x: getattr(m, name)(x), limits, low, high)


def over_pi(name, limits, low, high):
    return function(f"r = {name}pi(x)", lambda m, x: getattr(m, name)(x) / PI, limits, low, high)


FUNCTIONS = {f.code.split("=")[-1].strip().split("(")[0]: f for f in (
    unary("acos", (4, 4, 2), -1.0, 1.0), unary("acosh", (4, 4, 2), 1.0, 50.0), over_pi("acos", (5, 5, 2), -1.0, 1.0),
    unary("asin", (4, 4, 2), -1.0, 1.0), unary("asinh", (4, 4, 2)), over_pi("asin", (5, 5, 2), -1.0, 1.0),
    unary("atan", (5, 5, 2)), unary("atanh", (5, 5, 2), -1.0, 1.0), over_pi("atan", (5, 5, 2), -20.0, 20.0),
    function("r = atan2(x, y)", lambda m, x, y: m.atan2(x, y), (6, 6, 2)),
    function("r = atan2pi(x, y)", lambda m, x, y: m.atan2(x, y) / PI, (6, 6, 2)),
    unary("cbrt", (2, 2, 2), -1e4, 1e4), unary("cos", (4, 4, 2), -1e4, 1e4), unary("cosh", (4, 4, 2), -10.0, 10.0),
    function("r = cospi(x)", cospi, (4, 4, 2)), unary("erfc", (16, 16, 4), -4.0, 8.0), unary("erf", (16, 16, 4), -4.0, 4.0),
    unary("exp", (3, 3, 2), -80.0, 80.0), unary("exp2", (3, 3, 2), -140.0, 120.0), unary("exp10", (3, 3, 2), -38.0, 38.0),
    unary("expm1", (3, 3, 2), -5.0, 10.0), function("r = fdim(x, y)", fdim, (0, 0, 0)),
    function("r = fmod(x, y)", lambda m, x, y: m.fmod(x, y), (0, 0, 0), -1e3, 1e3),
    function("r = frexp(x, &q)", frexp, (0, 0, 0)), function("r = modf(x, &s)", modf, (0, 0, 0)),
    function("r = fract(x, &s)", fract, (0, 0, 0)), function("r = hypot(x, y)", lambda m, x, y: m.hypot(x, y), (4, 4, 2)), function("q = ilogb(x)", ilogb, (0, 0, 0)),
    function("r = ldexp(x, n)", lambda m, x, n: m.ldexp(x, n), (0, 0, 0)),
    function("r = lgamma_r(x, &q)", lgamma_r, (64, 64, 64), 3.0, 50.0, lambda x, *_: x >= 3 or math.isnan(x)),
    function("r = lgamma(x)", lambda m, x: m.lgamma(x), (64, 64, 64), 3.0, 50.0, lambda x, *_: x >= 3 or math.isnan(x)),
    unary("log", (3, 3, 2), 1e-4, 1e4), unary("log2", (3, 3, 2), 1e-4, 1e4), unary("log10", (3, 3, 2), 1e-4, 1e4),
    unary("log1p", (2, 2, 2), -0.9, 50.0), unary("logb", (0, 0, 0), -1e4, 1e4), function("r = maxmag(x, y)", maxmag, (0, 0, 0)),
    function("r = nextafter(x, y)", None, (0, 0, 0)),
    function("r = pow(x, y)", lambda m, x, y: m.pow(x, y), (16, 16, 4), -5.0, 5.0),
    function("r = pown(x, n)", pown, (16, 16, 4), -3.0, 3.0), function("r = powr(x, y)", powr, (16, 16, 4), 0.0, 10.0),
    function("r = remainder(x, y)", lambda m, x, y: m.remainder(x, y), (0, 0, 0), -1e3, 1e3),
    function("r = remquo(x, y, &q)", remquo, (0, 0, 0), -50.0, 50.0), function("r = rootn(x, n)", rootn, (16, 16, 4), -5.0, 5.0),
    function("r = rsqrt(x)", lambda m, x: quotient(m, 1.0, m.sqrt(x)), (2, 2, 1), 0.0, 1e4),
    unary("sin", (4, 4, 2), -1e4, 1e4), unary("sinh", (4, 4, 2), -10.0, 10.0), function("r = sinpi(x)", sinpi, (4, 4, 2)),
    function("r = sincos(x, &s)", lambda m, x: (m.sin(x), m.cos(x), None), (4, 4, 2), -100.0, 100.0),
    unary("sqrt", (3, 0, 1), 0.0, 1e4)._replace(host=lambda _, x: math.sqrt(x) if x >= 0 else math.nan), unary("tan", (5, 5, 2), -1e3, 1e3), unary("tanh", (5, 5, 2), -3.0, 3.0),
    function("r = tanpi(x)", tanpi, (6, 6, 2), only=lambda x, *_: abs(x % 1 - 0.5) > 1e-3), unary("tgamma", (16, 128, 4), -5.0, 30.0),  # see docs/opencl.md
    unary("floor", (0, 0, 0)), unary("ceil", (0, 0, 0)), unary("trunc", (0, 0, 0)), unary("rint", (0, 0, 0)), unary("round", (0, 0, 0)),
    function("r = degrees(x)", lambda m, x: x * (180 / PI), (2, 2, 2)), function("r = radians(x)", lambda m, x: x * (PI / 180), (2, 2, 2)),
    function("r = fma(x, y, x)", None, (0, None, None)), function("r = x / y", quotient, (2.5, 0, 1)),
    unary("half_cos", (8192, None, None), -60.0, 60.0)._replace(host=lambda m, x: m.cos(x), only=lambda x: abs(x) < 65536),
    unary("half_exp", (8192, None, None), -10.0, 10.0)._replace(host=lambda m, x: m.exp(x)),
)}


def value_of(kind, bits):
    return struct.unpack(kind.format, struct.pack(kind.code, bits))[0]


def rounded(kind, value):
    """(bits, value): to nearest."""
    try:
        packed = struct.pack(kind.format, value)
    except OverflowError:
        packed = struct.pack(kind.format, math.copysign(math.inf, value))
    return struct.unpack(kind.code, packed)[0], struct.unpack(kind.format, packed)[0]


def next_after(kind, x, y):
    if math.isnan(x) or math.isnan(y) or x == y:
        return y if x == y else math.nan
    bits = rounded(kind, abs(x))[0]
    if x == 0:
        return math.copysign(value_of(kind, 1), y)
    return math.copysign(value_of(kind, bits + (1 if (y > x) == (x > 0) else -1)), x)


def special_of(kind):
    tiny, low = 2.0 ** kind.least, 2.0 ** (kind.least + kind.digits)
    most = value_of(kind, rounded(kind, math.inf)[0] - 1)
    return [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, -2.0, 3.0, math.inf, -math.inf, math.nan, tiny, -tiny, 3 * tiny, low, -low,
            most, -most, 0.75, 1.0 - 2.0 ** -kind.digits, 1.0 + 2.0 ** (1 - kind.digits), 100.25, -7.125]


def operands(rng, f, kind):
    """Triples (x, y, n)."""
    special = special_of(kind)
    if "y" in f.code.split("=")[1]:
        triples = [(x, y, 0) for x in special for y in special[:13]]
    elif "n)" in f.code:
        triples = [(x, 0.0, n) for x in special for n in (0, 1, -1, 2, 3, -3, 8)]
    else:
        triples = [(x, 0.0, 0) for x in special]
    while len(triples) % 16 or len(triples) < len(special) + COUNT:
        spread = rng.choice((1.0, 1.0, 0.1, 0.001))
        x, y = (rounded(kind, rng.uniform(f.low, f.high) * spread if f.low <= 0 else rng.uniform(f.low, f.high))[1] for _ in range(2))
        triples.append((x, y, rng.choice((-7, -2, 2, 3, 5, 10))))
    return triples


def expected(f, kind, host, triple):
    x, y, n = triple
    code = f.code.split("=")[1]
    values = [x] + ([y] if " y" in code else []) + ([n] if "n)" in code else [])
    if f.only and not f.only(*values):
        return (None, None, None)
    if "nextafter" in code:
        result = next_after(kind, x, y)
    elif "fma" in code:  # a double holds the product of floats; the sum is rounded once more
        product = x * y
        result = product + x if abs(product) < 1e-30 or abs(x) < 1e-30 or not math.isfinite(product + x) else None
    else:
        result = f.host(host, *values)
    if "fract" in code and rounded(kind, result[0])[1] == 1:
        result = (1 - 2.0 ** -kind.digits, *result[1:])
    return result if isinstance(result, tuple) else (result, None, None)


def ulps(kind, bits, want):
    """How far the result is off; 0 when it is right, infinite when it is another kind of number."""
    got = value_of(kind, bits)
    if math.isnan(want) or math.isnan(got):
        return 0 if math.isnan(want) == math.isnan(got) else math.inf
    nearest = rounded(kind, want)[1]
    if got == nearest:
        return 0
    most = value_of(kind, rounded(kind, math.inf)[0] - 1)
    if math.isinf(got) and not math.isinf(want):
        got = math.copysign(most * (1 + 2.0 ** -kind.digits), got) if kind.name != "double" else math.copysign(most, got)
    if math.isinf(got) or (math.isinf(want)):
        return math.inf
    exponent = math.frexp(want)[1] if want else -5000
    return abs(got - want) / 2.0 ** max(exponent - kind.digits, kind.least)


def program_text():
    text = "// Written by ulps.py\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    for kind_number, kind in enumerate(KINDS):
        for name, f in FUNCTIONS.items():
            if f.limits[kind_number] is None:
                continue
            text += (f"kernel void {kernel_of(name)}_{kind.name}(global const {kind.bits} *a, global const {kind.bits} *b, "
                     f"global const int *c, global {kind.bits} *v, global {kind.bits} *w, global int *z) {{\n"
                     f"  size_t i = get_global_id(0);\n  {kind.name} x = as_{kind.name}(a[i]), y = as_{kind.name}(b[i]), r = 0, s = 0;\n"
                     f"  int n = c[i], q = 0;\n  {f.code};\n  v[i] = as_{kind.bits}(r); w[i] = as_{kind.bits}(s); z[i] = q;\n}}\n")
    return text


def kernel_of(name):
    return "k_" + re.sub(r"\W", "_", name)


def build(folder, translator):
    """The program as SPIR-V; clang alone makes no mistakes that this code would meet."""
    source, code, spirv = (os.path.join(folder, "ulps." + suffix) for suffix in ("cl", "bc", "spv"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(program_text())
    clang = ["clang-22", "-x", "cl", "-cl-std=CL1.2", "-O0", "-Xclang", "-disable-O0-optnone", "--target=spirv64", "-w", "-c", source]
    subprocess.run(clang + (["-emit-llvm", "-o", code] if translator else ["-o", spirv]), check=True)
    if translator:
        subprocess.run([translator, "--spirv-max-version=1.4", code, "-o", spirv], check=True)


def write_sim(folder, name, kind, triples):
    size = len(triples)
    word = kind.word // 8
    columns = [[rounded(kind, t[i])[0] for t in triples] for i in range(2)]
    lines = ["ulps.spv", f"{kernel_of(name)}_{kind.name}", f"{size} 1 1", "16 1 1"]
    lines += [f"<size={size * word} {kind.bits}> " + " ".join(map(str, column)) for column in columns]
    lines.append(f"<size={size * 4} int> " + " ".join(str(t[2]) for t in triples))
    lines += [f"<size={size * word} {kind.bits} fill=0 dump>"] * 2 + [f"<size={size * 4} int fill=0 dump>"]
    path = os.path.join(folder, f"{kernel_of(name)}_{kind.name}.sim")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def check(case, printed, family):
    name, kind_number, triples = case
    kind, f = KINDS[kind_number], FUNCTIONS[name]
    host, limit = Host(kind), f.limits[kind_number]
    # Of doubles the host's result is rounded itself, and so is what is made of it.
    slack = 0.5 if limit == 0 else 1.5 if kind.name == "double" else 0.51
    worst, faults = 0.0, []
    for i, triple in enumerate(triples):
        want = expected(f, kind, host, triple)
        off = max((ulps(kind, printed[k][i], want[k]) for k in range(2) if want[k] is not None), default=0)
        if want[2] is not None and (printed[2][i] if name != "remquo" else abs(printed[2][i]) & 7) != \
                (want[2] if name != "remquo" else abs(want[2]) & 7):
            off = math.inf
        if off > limit + (slack if limit else 0):
            got = tuple(value_of(kind, printed[k][i]) for k in range(2)) + (printed[2][i],)
            faults.append(f"FAIL {name} of {kind.name} {triple} on {family}: {got}, expected {want} ({off:.2f} ULP, {limit} allowed)")
        else:
            worst = max(worst, off)
    return worst, faults


def read_dumps(text):
    """By run of a file: its three arrays."""
    arrays = [[int(line.split("=")[1]) for line in part.splitlines() if "] = " in line] for part in text.split("\nArgument ")[1:]]
    return [arrays[i:i + 3] for i in range(0, len(arrays), 3)]


def run_family(program, family, paths):
    done = subprocess.run([program, f"--target={family}", *paths], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"FAIL {family}: exit code {done.returncode}\n{done.stderr}")
        return None
    return read_dumps(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    parser.add_argument("--only", default="", help="functions whose names match this regular expression")
    parser.add_argument("--worst", action="store_true", help="print how far each function is off")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if not shutil.which("clang-22") or not find_library(program):
        print("skipped: no clang-22, or no library of libclc (./kiln setup)")
        return SKIPPED
    os.makedirs(options.own, exist_ok=True)
    build(options.own, find_translator(program))
    rng = random.Random(1)
    cases = [(name, k, operands(rng, f, KINDS[k])) for name, f in FUNCTIONS.items() for k in range(3)
             if f.limits[k] is not None and re.search(options.only, name)]
    paths = [write_sim(options.own, name, KINDS[k], triples) for name, k, triples in cases]
    worst, faults = collections.defaultdict(float), []
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = pool.map(lambda family: run_family(program, family, paths), FAMILIES)
        for family, dumps in zip(FAMILIES, results):
            if not dumps:
                return 1
            for case, printed in zip(cases, dumps):
                off, wrong = check(case, printed, family)
                key = (case[0], KINDS[case[1]].name)
                worst[key] = max(worst[key], off)
                faults += wrong
    if options.worst:
        for (name, kind), off in worst.items():
            print(f"{name} {kind}: {off:.2f}")
    print("\n".join(faults[:60]))
    print(f"{len(cases)} functions on {len(FAMILIES)} families, {sum(len(c[2]) for c in cases)} operands: {len(faults)} faults")
    return 1 if faults else 0


def find_library(program):
    """libclc's SPIR-V, as kiln-cl finds it."""
    folders = (os.path.join(os.path.dirname(program), "../opencl"), "/usr/lib/clc", "/usr/share/clc")
    return next((path for path in (os.path.join(f, "spirv64-mesa3d-.spv") for f in folders) if os.path.exists(path)), None)


if __name__ == "__main__":
    sys.exit(main())
