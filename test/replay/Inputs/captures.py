#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""captures.py FOLDER: captures as programs leave them, some of them broken; docs/replay.md.

good/      libraries, a library of libraries, a fast link, an optimised link and the same again
dynamic/   rasterizationSamples is 0 where that is dynamic state
broken/    a missing module, missing libraries, libraries that contain themselves, and no JSON, between
           pipelines that are sound
features/  application.json is no JSON
rays/      a ray tracing pipeline, libraries of them, and a pipeline that is linked of these
norays/    ray tracing pipelines that have faults, between one that is sound
app.foz    a database of Fossilize: a graphics pipeline, a compute pipeline, and another one whose module
           is not there; the ray tracing pipelines of rays/, and one with a stage that there is not
"""
import json
import os
import struct
import subprocess
import sys
import zlib

VERTEX = """#version 450
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 colour;
void main() { gl_Position = place; colour = place.wzyx; }"""
FRAGMENT = """#version 450
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 target;
void main() { target = colour; }"""
COMPUTE = """#version 450
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = 1; }"""
RAYS = "#version 460\n#extension GL_EXT_ray_tracing : require\n"
RAYGEN = RAYS + """layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
layout(location = 0) rayPayloadEXT uint payload;
void main() {
  traceRayEXT(top, 0, 0xff, 0, 0, 0, vec3(gl_LaunchIDEXT), 0.0, vec3(0, 0, 1), 9.0, 0);
  data[gl_LaunchIDEXT.x] = payload;
}"""
MISS = RAYS + """layout(location = 0) rayPayloadInEXT uint payload;
void main() { payload = 7; }"""
CLOSEST = RAYS + """layout(location = 0) rayPayloadInEXT uint payload;
void main() { payload = gl_PrimitiveID; }"""
MODULES = {"a1": ("vert", VERTEX), "a2": ("frag", FRAGMENT), "a3": ("comp", COMPUTE), "b1": ("rgen", RAYGEN),
           "b2": ("rmiss", MISS), "b3": ("rchit", CLOSEST)}

LAYOUT = {"hash": "10", "flags": [], "pushConstantRanges": [], "setLayouts": []}
BUFFERS = {"hash": "11", "flags": [], "pushConstantRanges": [], "setLayouts": [
    {"hash": "12", "flags": [], "bindings": [
        {"binding": 0, "descriptorCount": 1, "descriptorType": "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER",
         "stageFlags": ["VK_SHADER_STAGE_COMPUTE_BIT"]}]}]}
STRUCTURE = {"hash": "13", "flags": [], "pushConstantRanges": [], "setLayouts": [
    {"hash": "14", "flags": [], "bindings": [
        {"binding": number, "descriptorCount": 1, "descriptorType": f"VK_DESCRIPTOR_TYPE_{kind}",
         "stageFlags": ["VK_SHADER_STAGE_RAYGEN_BIT_KHR"]}
        for number, kind in enumerate(("ACCELERATION_STRUCTURE_KHR", "STORAGE_BUFFER"))]}]}
RENDERING = {"viewMask": 0, "colorAttachmentFormats": ["VK_FORMAT_R8G8B8A8_UNORM"],
             "depthAttachmentFormat": "VK_FORMAT_UNDEFINED",
             "stencilAttachmentFormat": "VK_FORMAT_UNDEFINED"}
VERTEX_INPUT = {
    "vertexInputState": {
        "flags": [],
        "bindings": [{"binding": 0, "stride": 16, "inputRate": "VK_VERTEX_INPUT_RATE_VERTEX"}],
        "attributes": [{"location": 0, "binding": 0, "format": "VK_FORMAT_R32G32B32A32_SFLOAT",
                        "offset": 0}]},
    "inputAssemblyState": {"flags": [], "topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST",
                           "primitiveRestartEnable": False}}
PRE_RASTERIZATION = {
    "viewportState": {"flags": [], "viewportCount": 1, "scissorCount": 1},
    "rasterizationState": {
        "flags": [], "depthClampEnable": False, "rasterizerDiscardEnable": False,
        "polygonMode": "VK_POLYGON_MODE_FILL", "cullMode": [],
        "frontFace": "VK_FRONT_FACE_COUNTER_CLOCKWISE", "depthBiasEnable": False,
        "depthBiasConstantFactor": 0, "depthBiasClamp": 0, "depthBiasSlopeFactor": 0, "lineWidth": 1},
    "dynamicState": {"flags": [],
                     "dynamicState": ["VK_DYNAMIC_STATE_VIEWPORT", "VK_DYNAMIC_STATE_SCISSOR"]}}
MULTISAMPLE = {"flags": [], "rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT",
               "sampleShadingEnable": False, "minSampleShading": 0, "alphaToCoverageEnable": False,
               "alphaToOneEnable": False}
OUTPUT = {
    "multisampleState": MULTISAMPLE,
    "colorBlendState": {
        "flags": [], "logicOpEnable": False, "logicOp": "VK_LOGIC_OP_COPY",
        "blendConstants": [0, 0, 0, 0],
        "attachments": [{
            "blendEnable": False, "colorWriteMask": ["VK_COLOR_COMPONENT_R_BIT"],
            "srcColorBlendFactor": "VK_BLEND_FACTOR_ONE",
            "dstColorBlendFactor": "VK_BLEND_FACTOR_ONE", "colorBlendOp": "VK_BLEND_OP_ADD",
            "srcAlphaBlendFactor": "VK_BLEND_FACTOR_ONE",
            "dstAlphaBlendFactor": "VK_BLEND_FACTOR_ONE", "alphaBlendOp": "VK_BLEND_OP_ADD"}]}}


def stage(name, module):
    return {"stage": f"VK_SHADER_STAGE_{name}_BIT", "name": "main", "module": module, "flags": []}


def compute(module="a3"):
    return {"kind": "compute", "stages": [stage("COMPUTE", module)], "layout": BUFFERS}


def group(kind, **shaders):
    unused = dict.fromkeys(("generalShader", "closestHitShader", "anyHitShader", "intersectionShader"), 0xffffffff)
    return {"type": f"VK_RAY_TRACING_SHADER_GROUP_TYPE_{kind}_KHR", **unused, **shaders}


GENERAL = [group("GENERAL", generalShader=0), group("GENERAL", generalShader=1)]
HIT = group("TRIANGLES_HIT_GROUP", closestHitShader=0)
RAYGEN_STAGE, MISS_STAGE, HIT_STAGE = (("RAYGEN", "b1"), ("MISS", "b2"), ("CLOSEST_HIT", "b3"))


def rays(stages, groups, flags=0, libraries=(), **members):
    """0x800: a library."""
    return {"kind": "raytracing", "flags": [], "flagsValue": flags, "layout": STRUCTURE,
            "maxPipelineRayRecursionDepth": 1, "groups": groups,
            "stages": [{"stage": f"VK_SHADER_STAGE_{name}_BIT" + "_KHR" * (name != "VERTEX"), "name": "main",
                        "module": module, "flags": []}
                       for name, module in stages],
            "libraries": [{"hash": name} for name in libraries],
            "libraryInterface": {"maxPipelineRayPayloadSize": 4, "maxPipelineRayHitAttributeSize": 8}, **members}


def library(parts, **members):
    return {"kind": "graphics", "flags": [], "flagsValue": 0x800, "stages": [], "layout": LAYOUT,
            "rendering": RENDERING,
            "libraryParts": [f"VK_GRAPHICS_PIPELINE_LIBRARY_{part}_BIT_EXT" for part in parts],
            **members}


def linked(*libraries, flags=0):
    """0x800: a library; 0x400: optimised."""
    return {"kind": "graphics", "flags": [], "flagsValue": flags, "stages": [], "layout": LAYOUT,
            "libraries": [{"hash": name} for name in libraries]}


def monolithic(**members):
    return {"kind": "graphics", "flags": [], "layout": LAYOUT, "rendering": RENDERING,
            "stages": [stage("VERTEX", "a1"), stage("FRAGMENT", "a2")],
            **VERTEX_INPUT, **PRE_RASTERIZATION, **OUTPUT, **members}


RETAIN = 0x800 | 0x800000
GOOD = {
    "01": library(["VERTEX_INPUT_INTERFACE"], **VERTEX_INPUT),
    "02": library(["PRE_RASTERIZATION_SHADERS"], **PRE_RASTERIZATION) |
    {"stages": [stage("VERTEX", "a1")], "flagsValue": RETAIN},
    "03": library(["FRAGMENT_SHADER"], multisampleState=MULTISAMPLE) |
    {"stages": [stage("FRAGMENT", "a2")], "flagsValue": RETAIN},
    "04": library(["FRAGMENT_OUTPUT_INTERFACE"], **OUTPUT),
    "05": linked("01", "02", flags=RETAIN),
    "06": linked("05", "03", flags=RETAIN),
    "07": linked("06", "04"),
    "08": linked("06", "04", flags=0x400),
    "09": linked("06", "04", flags=0x400),
}
ALL_STAGES = [RAYGEN_STAGE, MISS_STAGE, HIT_STAGE]
LINKED = {
    "12": rays([HIT_STAGE], [HIT], flags=0x800),
    "13": rays([MISS_STAGE], [], flags=0x800, libraries=["12"]),  # a library of a library; no group of its stage
    "14": rays([RAYGEN_STAGE], [GENERAL[0], group("GENERAL", generalShader=1)], libraries=["13"]),
}
GOOD_RAYS = {
    "11": rays(ALL_STAGES, GENERAL + [HIT | {"closestHitShader": 2}]),
    **LINKED,
    "15": rays([RAYGEN_STAGE, MISS_STAGE], GENERAL, dynamicState={
        "flags": [], "dynamicState": ["VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR"]}),
}
BROKEN_RAYS = {
    "01": rays(ALL_STAGES, [HIT]),  # a ray generation shader that is to be hit
    "02": rays(ALL_STAGES, [group("GENERAL", generalShader=4000000000)]),
    "03": rays(ALL_STAGES, [group("GENERAL")]),
    "04": rays(ALL_STAGES, [group("TRIANGLES_HIT_GROUP", intersectionShader=2)]),
    "05": rays([RAYGEN_STAGE], GENERAL[:1] + [HIT | {"closestHitShader": 7}], libraries=["12"]),
    "06": rays([RAYGEN_STAGE], GENERAL[:1], libraries=["06"], flags=0x800),
    "07": rays([RAYGEN_STAGE], GENERAL[:1], libraries=["08"], flags=0x800),
    "08": rays([RAYGEN_STAGE], GENERAL[:1], libraries=["07"], flags=0x800),
    "09": rays([("RAYGEN", "b9")], GENERAL[:1]),
    "10": rays([RAYGEN_STAGE], GENERAL[:1], libraries=["17"]),
    "11": rays([RAYGEN_STAGE], GENERAL[:1], libraries=["99"]),
    "12": LINKED["12"],
    "13": rays([("RAYGEN", "b1"), ("VERTEX", "a1")], []),
    "14": rays([RAYGEN_STAGE], GENERAL[:1], libraryInfo={"libraryCount": 7}),
    "15": rays([RAYGEN_STAGE], GENERAL[:1], pNext=[
        {"sType": "VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR", "libraryCount": 7}]),
    "16": rays([RAYGEN_STAGE], GENERAL[:1], groupCount=77),
    "17": rays([RAYGEN_STAGE, MISS_STAGE], GENERAL),
}
DYNAMIC = {"01": monolithic(
    multisampleState=MULTISAMPLE | {"rasterizationSamples": 0},
    dynamicState={"flags": [], "dynamicState": [
        "VK_DYNAMIC_STATE_VIEWPORT", "VK_DYNAMIC_STATE_SCISSOR",
        "VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT"]})}
BROKEN = {
    "01": monolithic(),
    "02": compute(module="a4"),
    "03": linked("99"),
    "04": linked("04"),
    "05": linked("06"),
    "06": linked("05", flags=0x800),
    "07": "{\"kind\": \"graphics\", ",
    "08": compute(),
}


def write(folder, captures, modules):
    for sub in ("graphics", "compute", "raytracing", "modules"):
        os.makedirs(os.path.join(folder, sub))
    for name, capture in captures.items():
        kind = "graphics" if isinstance(capture, str) else capture["kind"]
        with open(os.path.join(folder, kind, name + ".json"), "w", encoding="utf-8") as file:
            file.write(capture if isinstance(capture, str) else
                       json.dumps({"hash": name, **capture}, indent=1))
    for name, words in modules.items():
        with open(os.path.join(folder, "modules", name + ".spv"), "wb") as file:
            file.write(words)


def varint(words):
    """Seven bits a byte, the lowest first."""
    data = bytearray()
    for (word,) in struct.iter_unpack("<I", words):
        while word >= 0x80:
            data.append(word & 0x7F | 0x80)
            word >>= 7
        data.append(word)
    return bytes(data)


def foz_entries(modules):
    """(kind, hash, content) of each entry."""
    def entry(kind, name, number, value):
        return kind, number, json.dumps({"version": 6, name: {f"{number:016x}": value}}).encode()

    def handle(number):
        return f"{number:016x}"
    base = {"flags": 0, "basePipelineHandle": handle(0), "basePipelineIndex": -1}
    yield entry(2, "setLayouts", 0x12, {"flags": 0, "bindings": [
        {"descriptorType": 7, "descriptorCount": 1, "stageFlags": 32, "binding": 0}]})
    yield entry(2, "setLayouts", 0x14, {"flags": 0, "bindings": [
        {"descriptorType": kind, "descriptorCount": 1, "stageFlags": 0x100, "binding": binding}
        for binding, kind in enumerate((1000150000, 7))]})
    yield entry(3, "pipelineLayouts", 0x13,
                {"flags": 0, "pushConstantRanges": [], "setLayouts": [handle(0x14)]})
    yield entry(3, "pipelineLayouts", 0x10, {"flags": 0, "pushConstantRanges": [], "setLayouts": []})
    yield entry(3, "pipelineLayouts", 0x11, {"flags": 0, "pushConstantRanges": [], "setLayouts": [handle(0x12)]})
    for name, words in modules.items():
        code = varint(words)
        number = int(name, 16)
        head = {"varintOffset": 0, "varintSize": len(code), "codeSize": len(words), "flags": 0}
        yield 4, number, entry(4, "shaderModules", number, head)[2] + b"\0" + code
    yield entry(5, "renderPasses2", 0x13, {
        "flags": 0, "attachments": [{
            "flags": 0, "format": 37, "finalLayout": 2, "initialLayout": 0, "loadOp": 1, "storeOp": 0,
            "samples": 1, "stencilLoadOp": 2, "stencilStoreOp": 1}],
        "subpasses": [{"flags": 0, "pipelineBindPoint": 0, "viewMask": 0,
                       "colorAttachments": [{"attachment": 0, "layout": 2, "aspectMask": 0}]}]})
    yield entry(6, "graphicsPipelines", 1, {
        **base, "layout": handle(0x10), "renderPass": handle(0x13), "subpass": 0,
        "dynamicState": {"flags": 0, "dynamicState": [0, 1]},
        "vertexInputState": {
            "flags": 0, "attributes": [{"location": 0, "binding": 0, "offset": 0, "format": 109}],
            "bindings": [{"binding": 0, "stride": 16, "inputRate": 0}]},
        "inputAssemblyState": {"flags": 0, "topology": 3, "primitiveRestartEnable": 0},
        "viewportState": {"flags": 0, "viewportCount": 1, "scissorCount": 1},
        "rasterizationState": {
            "flags": 0, "depthBiasConstantFactor": 0.0, "depthBiasSlopeFactor": 0.0, "depthBiasClamp": 0.0,
            "depthBiasEnable": 0, "depthClampEnable": 0, "polygonMode": 0, "rasterizerDiscardEnable": 0,
            "frontFace": 0, "lineWidth": 1.0, "cullMode": 0},
        "multisampleState": {"flags": 0, "rasterizationSamples": 1, "sampleShadingEnable": 0,
                             "minSampleShading": 0.0, "alphaToOneEnable": 0, "alphaToCoverageEnable": 0},
        "colorBlendState": {
            "flags": 0, "logicOp": 3, "logicOpEnable": 0, "blendConstants": [0.0] * 4,
            "attachments": [{
                "dstAlphaBlendFactor": 0, "srcAlphaBlendFactor": 0, "dstColorBlendFactor": 0,
                "srcColorBlendFactor": 0, "colorWriteMask": 15, "alphaBlendOp": 0, "colorBlendOp": 0,
                "blendEnable": 0}]},
        "stages": [{"flags": 0, "name": "main", "module": handle(0xA1), "stage": 1},
                   {"flags": 0, "name": "main", "module": handle(0xA2), "stage": 16}]})
    for number, module in ((2, 0xA3), (3, 0xA4)):
        yield entry(7, "computePipelines", number, {
            **base, "layout": handle(0x11),
            "stage": {"flags": 0, "name": "main", "module": handle(module), "stage": 32}})


def foz_rays():
    """The ray tracing pipelines of rays/, and one that is broken, as the format has them."""
    stages = {"RAYGEN": 0x100, "CLOSEST_HIT": 0x400, "MISS": 0x800}
    types = ("GENERAL", "TRIANGLES_HIT_GROUP", "PROCEDURAL_HIT_GROUP")
    for name, capture in {**GOOD_RAYS, "ff": BROKEN_RAYS["02"]}.items():
        value = {
            "flags": capture["flagsValue"], "layout": f"{0x13:016x}", "basePipelineHandle": f"{0:016x}",
            "basePipelineIndex": 0, "maxPipelineRayRecursionDepth": 1, "libraryInterface": capture["libraryInterface"],
            "stages": [{"flags": 0, "name": "main", "module": f"{int(stage['module'], 16):016x}",
                        "stage": stages[stage["stage"][16:-8]]} for stage in capture["stages"]],
            "groups": [one | {"type": types.index(one["type"][33:-4])} for one in capture["groups"]]}
        if capture["libraries"]:
            value["libraryInfo"] = {"libraries": [f"{int(one['hash'], 16):016x}" for one in capture["libraries"]]}
        if "dynamicState" in capture:
            value["dynamicState"] = {"flags": 0, "dynamicState": [1000347000]}
        number = int(name, 16)
        yield 9, number, json.dumps({"version": 6, "raytracingPipelines": {f"{number:016x}": value}}).encode()


def write_foz(path, modules):
    with open(path, "wb") as file:
        file.write(b"\x81FOSSILIZEDB\0\0\0\6")
        for kind, number, content in [*foz_entries(modules), *foz_rays()]:
            payload = zlib.compress(content)
            file.write(f"{kind:024x}{number:016x}".encode())
            file.write(struct.pack("<4I", len(payload), 2, zlib.crc32(payload), len(content)))
            file.write(payload)


def main():
    root = sys.argv[1]
    os.makedirs(root)
    modules = {}
    for name, (kind, text) in MODULES.items():
        path = os.path.join(root, name)
        subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.2", "--stdin", "-S", kind, "-o", path], input=text,
                       text=True, check=True, stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            modules[name] = file.read()
    write(os.path.join(root, "good"), GOOD, modules)
    write(os.path.join(root, "dynamic"), DYNAMIC, modules)
    write(os.path.join(root, "broken"), BROKEN, modules)
    write(os.path.join(root, "rays"), GOOD_RAYS, modules)
    write(os.path.join(root, "norays"), BROKEN_RAYS, modules)
    write(os.path.join(root, "features"), {"01": monolithic()}, modules)
    write_foz(os.path.join(root, "app.foz"), modules)
    with open(os.path.join(root, "features", "application.json"), "w", encoding="utf-8") as file:
        file.write("[")


if __name__ == "__main__":
    main()
