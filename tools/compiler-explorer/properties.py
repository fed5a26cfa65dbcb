#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes Compiler Explorer's configuration for kiln-explorer: properties.py glsl|spirv [PATH of kiln-explorer]

The text belongs into etc/config/glsl.local.properties or spirv.local.properties of a Compiler Explorer. The compilers
that it has for the language stay: its own list is in LANGUAGE.defaults.properties, and has to be repeated here.
"""
import os
import sys

# A GPU of each family, and what others have: one compiler each, as users choose them from a list.
TARGETS = (("gfx1010", "RDNA 1, RX 5700"), ("gfx1030", "RDNA 2, RX 6800"), ("gfx1100", "RDNA 3, RX 7900"),
           ("gfx1150", "RDNA 3.5, Radeon 890M"), ("gfx1201", "RDNA 4, RX 9070"))
OTHERS = {"glsl": ("&glslang",), "spirv": ("&spirv-opt", "&spirv-val", "&spirv-cross", "&spirv-reflect")}


def properties(language, program):
    """The lines of the file."""
    names = [f"kiln{language}{target}" for target, _ in TARGETS]
    group = "kiln" + language
    lines = [f"compilers={':'.join((*OTHERS[language], '&' + group))}",
             f"group.{group}.compilers={':'.join(names)}",
             f"group.{group}.groupName=Kiln (AMD GPUs)",
             # Empty: it is called as a C compiler is. Assembly comes out, not SPIR-V.
             f"group.{group}.compilerType=",
             f"group.{group}.instructionSet=",
             f"group.{group}.supportsBinary=false",
             f"group.{group}.supportsExecute=false",
             f"group.{group}.supportsAsmDocs=false"]
    for name, (target, title) in zip(names, TARGETS):
        lines += [f"compiler.{name}.exe={program}", f"compiler.{name}.name=Kiln {target} ({title})",
                  f"compiler.{name}.options=--gfxip={target}"]
    return lines


def main(arguments):
    if not arguments or arguments[0] not in OTHERS:
        sys.exit("usage: properties.py glsl|spirv [PATH of kiln-explorer]")
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), "kiln-explorer")
    print("\n".join(properties(arguments[0], arguments[1] if len(arguments) > 1 else beside)))


if __name__ == "__main__":
    main(sys.argv[1:])
