#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opcode-use.py --bin DIR: does some execution test use every instruction that is supported?

The instructions are those of the support table, docs/support.md. The tests are the files of scripts/
(as SPIR-V, with every combination of `foreach` values; all stages of draws) and the tables of
families/. Exceptions are listed here with the reason. The ctest test is `opcode-use`.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# What no script can execute: no code is made of it, or no program can reach it. An instruction that no
# Vulkan extension brings is none of these; scripts execute it all the same (value/arithmetic-fence.spvasm).
EXCEPTIONS = {
    "ExtInstWithForwardRefsKHR": "for debug information only",
    "LifetimeStart": "kernels only",
    "LifetimeStop": "kernels only",
    "Line": "debug information",
    "NoLine": "debug information",
    "AtomicFlagClear": "kernels only",
    "AtomicFlagTestAndSet": "kernels only",
    "GroupAll": "kernels only",
    "GroupAny": "kernels only",
    "GroupBroadcast": "kernels only",
    "ImageSparseSampleProjDrefExplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjDrefImplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjExplicitLod": "reserved; no language has it",
    "ImageSparseSampleProjImplicitLod": "reserved; no language has it",
    "AtomicCompareExchangeWeak": "kernels only",
    "InBoundsPtrAccessChain": "kernels only (test/kernel)",
    "GenericCastToPtr": "kernels only (test/kernel)",
    "GenericCastToPtrExplicit": "kernels only (test/kernel)",
    "GroupAsyncCopy": "kernels only (test/kernel)",
    "GroupWaitEvents": "kernels only (test/kernel)",
    "IsFinite": "kernels only (test/kernel)",
    "IsNormal": "kernels only (test/kernel)",
    "LessOrGreater": "kernels only (test/kernel)",
    "Ordered": "kernels only (test/kernel)",
    "PtrCastToGeneric": "kernels only (test/kernel)",
    "SignBitSet": "kernels only (test/kernel)",
    "Unordered": "kernels only (test/kernel)",
    "SatConvertSToU": "kernels only (test/kernel)",
    "SatConvertUToS": "kernels only (test/kernel)",
    "RayQueryGetIntersectionFrontFaceKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionObjectRayDirectionKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionObjectRayOriginKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionObjectToWorldKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionPrimitiveIndexKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionTriangleVertexPositionsKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetIntersectionWorldToObjectKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetRayFlagsKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetRayTMinKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetWorldRayDirectionKHR": "random_rays.py, which exec-random runs",
    "RayQueryGetWorldRayOriginKHR": "random_rays.py, which exec-random runs",
}
# Extended sets of kernels only (test/kernel).
KERNEL_SETS = ("OpenCL.std",)


def supported(path):
    """{instruction: class} of the table's rows."""
    names = {}
    with open(path, encoding="utf-8") as file:
        table = file.read().partition("<!-- support-table:begin -->")[2].partition("Capabilities (")[0]
    for row in re.findall(r"^\| ([^|]+) \| \d+ \| ([^|]+) \|$", table, re.MULTILINE):
        names.update((name, row[0]) for name in row[1].split())
    return names


def used(program):
    """Instructions of all tests."""
    done = subprocess.run([program, "instructions", os.path.join(HERE, "scripts")], stdout=subprocess.PIPE,
                          text=True, check=True)
    names = set(done.stdout.split())
    for path in glob.glob(os.path.join(HERE, "families", "*.cpp")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names |= set(re.findall(r"\bOp([A-Z]\w+)", text)) | set(re.findall(r'"ext:(\w+)', text))
    return names


def main():
    """See the text at the top."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default=os.path.join(HERE, os.pardir, os.pardir, "docs", "support.md"),
                        help="the document with the support table")
    parser.add_argument("--bin", required=True, help="folder of kiln-exec")
    options = parser.parse_args()
    rows = supported(options.table)
    names = used(os.path.join(options.bin, "kiln-exec"))
    lacking = sorted(name for name in rows if name not in names and name not in EXCEPTIONS and rows[name] not in KERNEL_SETS)
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
