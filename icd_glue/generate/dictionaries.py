#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dictionaries.py AMDLLPC OUT.cpp SHADER...: what code objects are compressed with.

Compiles shaders for one GPU of each generation and writes the code objects as arrays. The same
compiler and the same shaders give the same bytes.
"""
import os
import subprocess
import sys
import tempfile

FAMILIES = ("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201")
TIERS = ("llvm", "direct")
HEAD = """// Written by generate/dictionaries.py.
#include "icd_glue/cache/CodePacking.h"

namespace icd {

"""
TAIL = """
llvm::ArrayRef<uint8_t> packingDictionary(const pal::abi::GpuTarget &target) {
  if (target.major == 10)
    return target.minor < 3 ? llvm::ArrayRef(gfx1010) : llvm::ArrayRef(gfx1030);
  if (target.major == 11)
    return target.minor < 5 ? llvm::ArrayRef(gfx1100) : llvm::ArrayRef(gfx1150);
  return gfx1201;
}

} // namespace icd
"""


def code_objects(compiler, family, sources, folder):
    """The bytes of all, of both tiers, in order."""
    data = b""
    for tier in TIERS:
        for source in sources:
            result = os.path.join(folder, "result.elf")
            subprocess.run([compiler, "-gfxip=" + family, "-tier=" + tier, source, "-o", result],
                           check=True, stdout=subprocess.DEVNULL)
            with open(result, "rb") as file:
                data += file.read()
    return data


def main():
    compiler, out = sys.argv[1:3]
    text = HEAD
    with tempfile.TemporaryDirectory() as folder:
        for family in FAMILIES:
            data = code_objects(compiler, family, sys.argv[3:], folder)
            rows = [", ".join(str(byte) for byte in data[at:at + 24])
                    for at in range(0, len(data), 24)]
            text += f"static const uint8_t {family}[] = {{\n" + ",\n".join(rows) + "};\n"
    with open(out, "w", encoding="ascii") as file:
        file.write(text + TAIL)


if __name__ == "__main__":
    main()
