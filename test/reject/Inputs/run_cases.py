#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_cases.py CASES FOLDER MEMORY: modules that must be refused, with the exact message.

CASES holds sections:
    --- name
    assembly text; $G are declarations shared by most cases, $F...$E a main function around a body
    => message
Each text is assembled (which checks nothing but the grammar), compiled without the validator in
2 GB of address space, and must give exactly the message, exit code 1, 3 or 4, and nothing else.
"""
import os
import re
import resource
import subprocess
import sys

DECLARATIONS = """
OpCapability Shader
OpCapability Int64
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%uint2 = OpTypeVector %uint 2
%float2 = OpTypeVector %float 2
%float3 = OpTypeVector %float 3
%mat2 = OpTypeMatrix %float2 2
%block = OpTypeStruct %uint %mat2
%blockPointer = OpTypePointer StorageBuffer %block
%uintPointer = OpTypePointer StorageBuffer %uint
%mat2Pointer = OpTypePointer StorageBuffer %mat2
%local = OpTypePointer Function %uint
%buffer = OpVariable %blockPointer StorageBuffer
%true = OpConstantTrue %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%f1 = OpConstant %float 1
%v2 = OpConstantComposite %float2 %f1 %f1
"""
BEGIN = "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
END = "OpReturn\nOpFunctionEnd\n"


def cases_of(path):
    """(name, text, message) of each section."""
    with open(path, encoding="utf-8") as file:
        sections = re.split(r"^--- ", file.read(), flags=re.M)[1:]
    for section in sections:
        head, message = section.split("\n=> ")
        name, text = head.split("\n", 1)
        text = text.replace("$G", DECLARATIONS).replace("$F", BEGIN).replace("$E", END)
        yield name, text, message.strip()


def limit_memory():
    """For the child process: bytes of address space, from the command line."""
    if sys.argv[3] != "unlimited":
        resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[3]), int(sys.argv[3])))


def run(name, text, folder):
    """The error message of a case, or what went wrong."""
    source, module = os.path.join(folder, name + ".spvasm"), os.path.join(folder, name + ".spv")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["spirv-as", "--target-env", "spv1.3", "--preserve-numeric-ids", source, "-o", module], check=True)
    done = subprocess.run(["amdllpc", "-validate-spirv=0", module], capture_output=True, text=True,
                          check=False, timeout=600, preexec_fn=limit_memory)
    lines = done.stderr.splitlines()
    prefix = f"amdllpc: {module}: "
    if done.returncode not in (1, 3, 4) or len(lines) != 1 or not lines[0].startswith(prefix):
        return f"exit code {done.returncode}, output: {done.stdout}{done.stderr}"
    return lines[0][len(prefix):]


def main():
    path, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    failures = 0
    for name, text, message in cases_of(path):
        found = run(name, text, folder)
        if found != message:
            failures += 1
            print(f"{name}\n  expected: {message}\n  found:    {found}")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
