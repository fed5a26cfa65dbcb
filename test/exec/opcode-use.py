#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opcode-use.py --readme FILE: does some execution test use every instruction that is supported?

The instructions are those of the support table in README.md. The tests are the files of scripts/
(compiled by glslangValidator with every `foreach` value, or read as assembly; all stages of draws)
and the tables of families/. Exceptions are listed here with the reason. The ctest test is `opcode-
use`; it is skipped where the tools are missing.
"""
import argparse
import concurrent.futures
import glob
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
# No code is made of them, or no program can reach them.
EXCEPTIONS = {
    "InterpolateAtVertexAMD": "needs VK_AMD_shader_explicit_vertex_parameter, which is not advertised",
    "ArithmeticFenceEXT": "no Vulkan extension brings it",
    "GroupNonUniformQuadAllKHR": "needs VK_KHR_shader_quad_control, which is not advertised",
    "GroupNonUniformQuadAnyKHR": "needs VK_KHR_shader_quad_control, which is not advertised",
    "ExtInstWithForwardRefsKHR": "for debug information only",
    "LifetimeStart": "kernels only",
    "LifetimeStop": "kernels only",
    "Line": "debug information",
    "NoLine": "debug information",
    "Nop": "does nothing",
    "AtomicFlagClear": "kernels only",
    "AtomicFlagTestAndSet": "kernels only",
    "ImageSparseSampleProjDrefExplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjDrefImplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjExplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjImplicitLod": "reserved; no language has it",
    "AtomicCompareExchangeWeak": "kernels only",
    "InBoundsPtrAccessChain": "needs the capability Addresses, which is refused",
}


def supported(readme):
    """{instruction: class} of the table's rows."""
    names = {}
    with open(readme, encoding="utf-8") as file:
        table = file.read().partition("<!-- support-table:begin -->")[2].partition("Capabilities (")[0]
    for row in re.findall(r"^\| ([^|]+) \| \d+ \| ([^|]+) \|$", table, re.MULTILINE):
        names.update((name, row[0]) for name in row[1].split())
    return names


def variants(text):
    """Values of the `foreach` lines whose name the shader itself mentions."""
    lines = text.splitlines()
    shader = "\n".join(line for line in lines if not line.startswith("//!"))
    loops = [line.split()[2:] for line in lines if line.startswith("//! foreach ")]
    columns = [[(loop[0], value) for value in loop[1:]] for loop in loops
               if re.search(rf"\b{loop[0]}\b", shader)]
    return [dict(row) for row in itertools.product(*columns)]


def in_assembly(text):
    """Instructions of assembly."""
    return set(re.findall(r"\bOp(\w+)", text)) | set(re.findall(r"OpExtInst +%\w+ +%\w+ +(\w+)", text))


# What glslang calls instructions that the table has under another name.
OTHER_NAMES = {"DemoteToHelperInvocationEXT": "DemoteToHelperInvocation"}


def in_listing(text):
    """Instructions of what glslangValidator -H prints: [ID:] [TYPE(...)] NAME OPERANDS."""
    names = set()
    for line in text.splitlines():
        found = re.match(r" +(?:\d+(?:\([^)]*\))?: *)?(?:\d+(?:\(.*?\))? +)?([A-Z]\w+)(.*)", line)
        if found:
            names.add(OTHER_NAMES.get(found[1], found[1]))
            names.update(re.findall(r" \d+\((\w+)\)", found[2]) if found[1] == "ExtInst" else [])
    return names


def stages(path, text):
    """[(stage, GLSL or assembly, is it GLSL?)] of a test: one, or the sections of a .draw file."""
    if not path.endswith(".draw"):
        return [("comp", text, True)]
    parts = re.split(r"^\[(\w+)( spvasm)?\]$", text, flags=re.MULTILINE)
    return [(stage, body.lstrip("\n"), not assembly)
            for stage, assembly, body in zip(parts[1::3], parts[2::3], parts[3::3])]


def compiled(path):
    """Instructions of one GLSL file, or of the stages of a draw, in all of its variants."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    target = re.search(r"^//! target (\S+)", text, re.MULTILINE)
    names = set()
    with tempfile.TemporaryDirectory() as folder:
        for variant, (stage, source, is_glsl) in itertools.product(variants(text), stages(path, text)):
            for name, value in variant.items():
                source = source.replace("${" + name + "}", value)
            if not is_glsl:
                names |= in_assembly(source)
                continue
            file = os.path.join(folder, "variant." + stage)
            with open(file, "w", encoding="utf-8") as out:
                out.write(source)
            command = ["glslangValidator", "-V", "-H", "-S", stage, "-o",
                       os.path.join(folder, "out.spv"), "--target-env",
                       target[1] if target else "vulkan1.3", file]
            command += [f"-D{name}={value}" for name, value in variant.items()]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"{path}: {done.stdout}")
            names |= in_listing(done.stdout)
    return names


def used():
    """Instructions of all tests."""
    names = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = [file for kind in ("comp", "draw") for file in
                 glob.glob(os.path.join(HERE, "scripts", "**", "*." + kind), recursive=True)]
        names.update(*pool.map(compiled, sorted(files)))
    for path in glob.glob(os.path.join(HERE, "scripts", "**", "*.spvasm"), recursive=True):
        with open(path, encoding="utf-8") as file:
            names |= in_assembly(file.read())
    for path in glob.glob(os.path.join(HERE, "families", "*.cpp")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names |= set(re.findall(r"\bOp([A-Z]\w+)", text)) | set(re.findall(r'"ext:(\w+)', text))
    return names


def main():
    """See the text at the top."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readme", default=os.path.join(HERE, os.pardir, os.pardir, "README.md"))
    options = parser.parse_args()
    if not shutil.which("glslangValidator"):
        print("skipped: no glslangValidator")
        return SKIPPED
    rows = supported(options.readme)
    names = used()
    lacking = sorted(name for name in rows if name not in names and name not in EXCEPTIONS)
    stale = sorted(name for name in EXCEPTIONS if name in names or name not in rows)
    print(f"{len(rows)} supported instructions: {len(lacking)} without an execution test, "
          f"{len(EXCEPTIONS)} exceptions")
    for name in lacking:
        print(f"  no test uses {name} ({rows[name]})")
    for name in stale:
        print(f"  needless exception: {name}")
    return 1 if lacking or stale else 0


if __name__ == "__main__":
    sys.exit(main())
