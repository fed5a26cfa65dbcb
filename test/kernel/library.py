#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the functions of libclc's SPIR-V library: library.py --program amdllpc --own FOLDER [--all] [--tier direct]

For each function a kernel is written that only declares it, takes its operands from memory and stores its result. All must compile
for every family: without --all one overload of each name on each of them, and a few others. Skipped (77) without the library.
"""
import argparse
import concurrent.futures
import os
import re
import struct
import subprocess
import sys

from run import FAMILIES
from ulps import SKIPPED, find_library

BATCH = 60

PROLOGUE = """OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Vector16
OpCapability Float16
OpCapability Float64
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
"""
# Opcodes of SPIR-V.
ENTRY_OPS = {"void": 19, "bool": 20, "int": 21, "float": 22, "vector": 23, "array": 28, "struct": 30, "pointer": 32, "function": 33, "event": 34}
DECORATE, FUNCTION, LINKAGE, EXPORT = 71, 54, 41, 0
STORAGE = {0: "UniformConstant", 4: "Workgroup", 5: "CrossWorkgroup", 7: "Function", 8: "Generic"}


def read_library(path):
    """(types: id -> (name, operands), functions: name -> type id)"""
    with open(path, "rb") as file:
        data = file.read()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    kinds = {opcode: name for name, opcode in ENTRY_OPS.items()}
    types, names, functions = {}, {}, {}
    place = 5
    while place < len(words):
        count, opcode = words[place] >> 16, words[place] & 0xffff
        operands = words[place + 1:place + count]
        if opcode in kinds:
            types[operands[0]] = (kinds[opcode], operands[1:])
        elif opcode == DECORATE and operands[1] == LINKAGE and operands[-1] == EXPORT:
            names[operands[0]] = struct.pack(f"<{len(operands) - 3}I", *operands[2:-1]).split(b"\0")[0].decode()
        elif opcode == FUNCTION and operands[1] in names:
            functions[names[operands[1]]] = operands[3]
        place += count
    return types, functions


class Kernel:
    """The text of a module whose kernel `k` calls a function of this type."""

    def __init__(self, types, name, function_type):
        self.types, self.declared, self.text = types, {}, []
        self.parameters, self.variables, self.body, self.arguments = [], [], [], []
        self.type("void", ())
        self.write(name, types[function_type][1])

    def type(self, name, operands):
        text = f"OpType{name.capitalize()} {' '.join(map(str, operands))}".strip()
        if text not in self.declared:
            self.declared[text] = f"%t{len(self.declared)}"
            self.text.append(f"{self.declared[text]} = {text}")
        return self.declared[text]

    def type_of(self, number):
        """A type of the library."""
        name, operands = self.types[number]
        if name == "vector":
            return self.type(name, (self.type_of(operands[0]), operands[1]))
        if name == "pointer":
            return self.pointer(STORAGE[operands[0]], self.type_of(operands[1]))
        if name == "array":
            return self.type(name, (self.type_of(operands[0]), self.constant(operands[1])))
        if name == "struct":
            return self.type(name, tuple(self.type_of(o) for o in operands))
        return self.type(name, operands)

    def pointer(self, storage, pointee):
        return self.type("pointer", (storage, pointee))

    def align(self, number):
        """Of a type of the library, in bytes, as OpenCL C aligns it."""
        name, operands = self.types[number]
        if name == "vector":
            return self.align(operands[0]) * (4 if operands[1] == 3 else operands[1])
        return operands[0] // 8 if name in ("int", "float") else 1

    def parameter(self, pointer):
        self.parameters.append((f"%p{len(self.parameters)}", pointer))
        return self.parameters[-1][0]

    def argument(self, number, index):
        name, operands = self.types[number]
        made, value = self.type_of(number), f"%a{index}"
        if name == "event":
            self.text.append(f"{value} = OpConstantNull {made}")
        elif name != "pointer":
            place = self.parameter(self.pointer("CrossWorkgroup", made))
            self.body.append(f"{value} = OpLoad {made} {place} Aligned {self.align(number)}")
        elif STORAGE[operands[0]] == "Function":
            self.variables.append(f"{value} = OpVariable {made} Function")
        elif STORAGE[operands[0]] == "Workgroup":
            array = self.type("array", (self.type_of(operands[1]), self.constant(64)))
            self.text.append(f"{value}m = OpVariable {self.pointer('Workgroup', array)} Workgroup")
            self.body.append(f"{value} = OpBitcast {made} {value}m")
        elif STORAGE[operands[0]] == "Generic":
            place = self.parameter(self.pointer("CrossWorkgroup", self.type_of(operands[1])))
            self.body.append(f"{value} = OpPtrCastToGeneric {made} {place}")
        else:
            return self.parameter(made)
        return value

    def constant(self, value):
        word = self.type("int", (32, 0))
        text = f"%c{value} = OpConstant {word} {value}"
        if text not in self.text:
            self.text.append(text)
        return f"%c{value}"

    def write(self, name, signature):
        result, void = self.type_of(signature[0]), self.type("void", ())
        kinds = [self.type_of(s) for s in signature[1:]]
        function = self.type("function", (result, *kinds))
        values = [self.argument(s, i) for i, s in enumerate(signature[1:])]
        self.body.append(f"%r = OpFunctionCall {result} %f {' '.join(values)}")
        if self.types[signature[0]][0] not in ("void", "event", "bool"):
            self.body.append(f"OpStore {self.parameter(self.pointer('CrossWorkgroup', result))} %r Aligned {self.align(signature[0])}")
        kernel = self.type("function", (void, *(p[1] for p in self.parameters)))
        head = [PROLOGUE + 'OpEntryPoint Kernel %k "k"', "OpExecutionMode %k LocalSize 64 1 1",
                f'OpDecorate %f LinkageAttributes "{name}" Import']
        tail = [f"%f = OpFunction {result} None {function}", *(f"%d{i} = OpFunctionParameter {k}" for i, k in enumerate(kinds)),
                "OpFunctionEnd", f"%k = OpFunction {void} None {kernel}", *(f"{n} = OpFunctionParameter {t}" for n, t in self.parameters),
                "%b = OpLabel", *self.variables, *self.body, "OpReturn", "OpFunctionEnd"]
        self.text = "\n".join(head + self.text + tail) + "\n"


def compile_batch(program, tier, paths):
    """Files that do not compile, with the messages."""
    arguments = [program, "-gfxip=" + ",".join(FAMILIES), f"-tier={tier}", "-validate-spirv=0", "-separate"]
    done = subprocess.run([*arguments, *paths], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    if len(paths) == 1:
        return [f"FAIL {os.path.basename(paths[0])}: exit code {done.returncode}\n{done.stderr[:600]}"]
    return [fault for path in paths for fault in compile_batch(program, tier, [path])]


def sample(names):
    """The first overload of each name, and every 40th."""
    seen, chosen = set(), []
    for i, name in enumerate(names):
        match = re.match(r"_Z(\d+)", name)
        base = name[match.end():match.end() + int(match[1])] if match else name
        if base not in seen or i % 40 == 0:
            chosen.append(name)
        seen.add(base)
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--own", required=True, help="a folder for files of the test's own")
    parser.add_argument("--all", action="store_true", help="every function")
    parser.add_argument("--tier", choices=("llvm", "direct"), default="llvm", help="direct: LLVM makes what that tier refuses")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    library = find_library(program)
    if not library:
        print("skipped: no library of libclc (./kiln setup)")
        return SKIPPED
    os.makedirs(options.own, exist_ok=True)
    types, functions = read_library(library)
    names = sorted(functions)
    names = names if options.all else sample(names)
    paths = []
    for name in names:
        paths.append(os.path.join(options.own, f"{name}.spvasm"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(Kernel(types, name, functions[name]).text)
    faults = []
    batches = [paths[i:i + BATCH] for i in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for found in pool.map(lambda batch: compile_batch(program, options.tier, batch), batches):
            faults += found
            print("".join(fault + "\n" for fault in found), end="", flush=True)
    print(f"{len(names)} of {len(functions)} functions for {len(FAMILIES)} families: {len(faults)} faults")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
