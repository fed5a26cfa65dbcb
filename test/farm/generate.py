#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py FILE.foz COUNT: a made-up set of pipelines, as a database of Fossilize.

A few shaders, and COUNT pipelines of them with various constants and states, no two of which are the same. The same COUNT
gives the same file.
"""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

COMPUTE = """#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint FIRST = 1;
layout(constant_id = 1) const uint TURNS = 2;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint value = data[gl_GlobalInvocationID.x];
  for (uint i = 0; i < TURNS; ++i) value = value * FIRST + (value >> 3) + i;
  data[gl_GlobalInvocationID.x] = value;
}"""
VERTEX = """#version 450
layout(location = 0) out vec4 colour;
void main() {
  gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0, 1);
  colour = gl_Position.wzyx;
}"""
FRAGMENT = """#version 450
layout(constant_id = 0) const float SCALE = 1;
layout(constant_id = 1) const uint MODE = 2;
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 target;
void main() {
  target = colour * SCALE;
  if (MODE % 3 == 1) target = sqrt(abs(target));
  if (MODE % 5 == 2) target = target.zyxw + vec4(MODE);
}"""
SHADERS = [(0xC0, "comp", COMPUTE), (0xC1, "vert", VERTEX), (0xC2, "frag", FRAGMENT)]
APPLICATION, SAMPLER, SET_LAYOUT, LAYOUT, MODULE, PASS, GRAPHICS, COMPUTES = range(8)
NONE = "0" * 16


def hash_text(number):
    return f"{number:016x}"


class Database:
    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(b"\x81FOSSILIZEDB\0\0\0\x06")

    def add(self, kind, number, content):
        packed = zlib.compress(content, 1)
        self.file.write(f"{kind:024x}{number:016x}".encode())
        self.file.write(struct.pack("<IIII", len(packed), 2, zlib.crc32(packed), len(content)) + packed)

    def object(self, kind, name, number, value):
        text = json.dumps({"version": 6, name: {hash_text(number): value}}, separators=(",", ":"))
        self.add(kind, number, text.encode())

    def module(self, number, words):
        code = bytearray()
        for word in words:
            while word >= 0x80:
                code.append(word & 0x7F | 0x80)
                word >>= 7
            code.append(word)
        head = {"varintOffset": 0, "varintSize": len(code), "codeSize": len(words) * 4, "flags": 0}
        text = json.dumps({"version": 6, "shaderModules": {hash_text(number): head}})
        self.add(MODULE, number, text.encode() + b"\0" + code)


def words_of(kind, text):
    with tempfile.TemporaryDirectory() as folder:
        source, module = os.path.join(folder, f"a.{kind}"), os.path.join(folder, "a.spv")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(["glslangValidator", "-V", "--quiet", source, "-o", module], check=True,
                       stdout=subprocess.DEVNULL)
        with open(module, "rb") as file:
            data = file.read()
    return struct.unpack(f"<{len(data) // 4}I", data)


def constants(data):
    return {"dataSize": len(data), "data": base64.b64encode(data).decode(),
            "mapEntries": [{"constantID": i, "offset": 4 * i, "size": 4} for i in range(len(data) // 4)]}


def compute(number):
    data = struct.pack("<II", number + 1, number % 7)
    return {"flags": 0, "layout": hash_text(0x53), "basePipelineHandle": NONE, "basePipelineIndex": -1,
            "stage": {"flags": 0, "stage": 32, "module": hash_text(0xC0), "name": "main",
                      "specializationInfo": constants(data)}}


def graphics(number):
    blends = number & 1
    attachment = {"blendEnable": blends, "colorWriteMask": number // 2 % 15 + 1, "srcColorBlendFactor": 6,
                  "dstColorBlendFactor": 7, "colorBlendOp": number // 30 % 5, "srcAlphaBlendFactor": 1,
                  "dstAlphaBlendFactor": 0, "alphaBlendOp": 0}
    fragment = {"flags": 0, "stage": 16, "module": hash_text(0xC2), "name": "main",
                "specializationInfo": constants(struct.pack("<fI", 1 + number / 8, number % 31))}
    return {
        "flags": 0, "layout": hash_text(0x54), "renderPass": NONE, "subpass": 0,
        "basePipelineHandle": NONE, "basePipelineIndex": -1,
        "pNext": [{"sType": 1000044002, "viewMask": 0, "colorAttachmentFormats": [(37, 44, 97, 109)[number % 4]],
                   "depthAttachmentFormat": 0, "stencilAttachmentFormat": 0}],
        "vertexInputState": {"flags": 0, "attributes": [], "bindings": []},
        "inputAssemblyState": {"flags": 0, "topology": 3 + number % 2, "primitiveRestartEnable": 0},
        "viewportState": {"flags": 0, "viewportCount": 1, "scissorCount": 1},
        "rasterizationState": {
            "flags": 0, "depthBiasConstantFactor": 0.0, "depthBiasSlopeFactor": 0.0, "depthBiasClamp": 0.0,
            "depthBiasEnable": 0, "depthClampEnable": 0, "polygonMode": 0, "rasterizerDiscardEnable": 0,
            "frontFace": number // 4 % 2, "lineWidth": 1.0, "cullMode": number % 3},
        "multisampleState": {
            "flags": 0, "rasterizationSamples": 1, "sampleShadingEnable": 0, "minSampleShading": 0.0,
            "alphaToOneEnable": 0, "alphaToCoverageEnable": 0},
        "colorBlendState": {"flags": 0, "logicOp": 3, "logicOpEnable": 0, "blendConstants": [0.0, 0.0, 0.0, 0.0],
                            "attachments": [attachment]},
        "dynamicState": {"flags": 0, "dynamicState": [0, 1]},
        "stages": [{"flags": 0, "stage": 1, "module": hash_text(0xC1), "name": "main"}, fragment]}


def write(path, count):
    database = Database(path)
    for number, kind, text in SHADERS:
        database.module(number, words_of(kind, text))
    database.object(SET_LAYOUT, "setLayouts", 0x52, {"flags": 0, "bindings": [
        {"binding": 0, "descriptorType": 7, "descriptorCount": 1, "stageFlags": 32}]})
    database.object(LAYOUT, "pipelineLayouts", 0x53,
                    {"flags": 0, "pushConstantRanges": [], "setLayouts": [hash_text(0x52)]})
    database.object(LAYOUT, "pipelineLayouts", 0x54, {"flags": 0, "pushConstantRanges": [], "setLayouts": []})
    for number in range(count):
        if number % 3:
            database.object(GRAPHICS, "graphicsPipelines", 0x10000 + number, graphics(number))
        else:
            database.object(COMPUTES, "computePipelines", 0x10000 + number, compute(number))
    database.file.close()


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
