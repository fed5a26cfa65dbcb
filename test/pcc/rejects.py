# SPDX-License-Identifier: MIT
"""Pipelines that must be refused, and with what words. Most have one error; several() has many."""
import json
import struct

import template as t
import pipelines as p

COMPUTE = t.with_identifier(t.compute("plain.comp.spv", p.BUFFER), range(1, 17))
GRAPHICS = t.with_identifier(t.graphics(p.FRAME), range(2, 18))
CS, GS = "/ComputePipelineState", "/GraphicsPipelineState"
CP, GP = CS + "/ComputePipeline", GS + "/GraphicsPipeline"
DSL = CS + "/DescriptorSetLayouts/0/set0"


def with_set(bindings, **members):
    return t.change(COMPUTE, DSL, {**t.set_layout(bindings), **members})


def structural():
    """What is wrong with a file or its members."""
    yield "empty", ""
    yield "no-json", "{ \"ComputePipelineState\": { \"PipelineLayout\": {} \"x\": 1 } }"
    yield "cut-off", json.dumps(COMPUTE, indent=1)[:700]
    yield "array", "[1, 2]"
    yield "too-deep", '{"a":' * 5000 + "1" + "}" * 5000
    yield "nul-at-the-end", json.dumps(COMPUTE, indent=1) + "\0{"
    twice = json.dumps(t.with_identifier(COMPUTE, range(5, 21)), indent=1)
    yield "member-twice", twice.replace('"flags": 0,', '"flags": 0, "flags" : 0,', 2)
    spelled = json.dumps(t.with_identifier(COMPUTE, range(6, 22)), indent=1)
    yield "member-twice-spelled-otherwise", spelled.replace('"pName": "main"', '"pName": "main", "p\\u004eame": "main"')
    yield "no-state", {"PipelineUUID": list(range(3, 19))}
    yield "two-states", {**COMPUTE, **GRAPHICS}
    yield "state-is-null", {"ComputePipelineState": None}
    yield "no-layout", t.change(COMPUTE, CS + "/PipelineLayout", remove=True)
    yield "no-pipeline", t.change(COMPUTE, CP, remove=True)
    yield "no-shader-files", t.change(COMPUTE, CS + "/ShaderFileNames", remove=True)
    yield "no-render-pass", t.change(GRAPHICS, GS + "/Renderpass", remove=True)
    yield "two-render-passes", t.change(GRAPHICS, GS + "/Renderpass2", {})
    yield "unknown-member", t.change(COMPUTE, CP + "/flagz", 0)
    yield "extra-of-root", {**COMPUTE, "PipelineUuid": [1]}
    yield "extra-of-state", t.change(COMPUTE, CS + "/ImmutableSampler", [])
    yield "extra-of-state-2", t.change(COMPUTE, CS + "/PhysicalDeviceFeature", {})
    yield "extra-of-features", t.change(
        COMPUTE, CS + "/PhysicalDeviceFeatures/features/robustBufferAcces", "VK_TRUE")
    yield "feature-of-another-structure", t.change(
        COMPUTE, CS + "/PhysicalDeviceFeatures/features/robustBufferAccess2", "VK_TRUE")
    yield "extra-of-files", t.change(COMPUTE, CS + "/ShaderFileNames/0/file", "plain.comp.spv")
    yield "unknown-structure", t.change(COMPUTE, CP + "/pNext", t.structure("MICROMAP_BUILD_INFO_EXT"))
    yield "wrong-structure-type", t.change(COMPUTE, CP + "/sType", "VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO")
    yield "uuid-too-short", {**COMPUTE, "PipelineUUID": list(range(15))}
    yield "uuid-no-byte", {**COMPUTE, "PipelineUUID": [256] + [0] * 15}
    yield "uuid-and-no-byte-in-the-chain", t.change(COMPUTE, CP + "/pNext", p.offline([256] * 16))
    yield "two-files-for-a-stage", t.change(COMPUTE, CS + "/ShaderFileNames", [
        {"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "filename": name} for name in ("plain.comp.spv", "push.comp.spv")])
    yield "extensions-no-array", {**COMPUTE, "EnabledExtensions": [1]}


def rays():
    """Vulkan SC has no ray tracing; whoever brings it reads so."""
    yield "rays-state", {"RayTracingPipelineState": COMPUTE["ComputePipelineState"]}
    yield "rays-stage", t.change(COMPUTE, CP + "/stage/stage", "VK_SHADER_STAGE_RAYGEN_BIT_KHR")
    yield "rays-graphics-stage", t.change(GRAPHICS, GP + "/pStages/1/stage", "VK_SHADER_STAGE_MISS_BIT_KHR")
    yield "rays-file", t.change(COMPUTE, CS + "/ShaderFileNames/0/stage", "VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR")
    yield "rays-descriptor", with_set([t.binding(0), t.binding(1, "ACCELERATION_STRUCTURE_KHR")])
    yield "rays-query", t.with_identifier(t.compute("query.comp.spv", p.BUFFER), range(9, 25))


def values():
    """What is wrong with a number or name."""
    yield "enum-unknown", t.change(GRAPHICS, GP + "/pRasterizationState/polygonMode", "VK_POLYGON_MODE_WIRE")
    yield "enum-number", t.change(GRAPHICS, GP + "/pRasterizationState/polygonMode", 77)
    yield "enum-number-as-text", t.change(GRAPHICS, GP + "/pRasterizationState/frontFace", "-1")
    yield "flag-number", t.change(COMPUTE, CP + "/flags", 1 << 31)
    yield "flag-number-without-bits", t.change(GRAPHICS, GP + "/pVertexInputState/flags", "1")
    yield "flag-unknown", t.change(COMPUTE, CP + "/flags", "VK_PIPELINE_CREATE_DISPATCH_BASE_BIT | FAST")
    yield "bool-unknown", t.change(GRAPHICS, GP + "/pRasterizationState/depthClampEnable", "maybe")
    yield "number-too-large", t.change(GRAPHICS, GP + "/subpass", 1 << 32)
    yield "number-no-number", t.change(GRAPHICS, GP + "/subpass", [0])
    yield "number-of-16-bits-too-large", t.change(GRAPHICS, GP + "/pRasterizationState/pNext", t.structure(
        "PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT", stippledLineEnable="VK_FALSE",
        lineRasterizationMode="VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT", lineStippleFactor=1,
        lineStipplePattern=1 << 16))
    yield "count-too-small", t.change(GRAPHICS, GP + "/stageCount", 1)
    yield "count-beside-null", t.change(GRAPHICS, GP + "/pStages", t.NULL)
    yield "bytes-no-base64", t.change(
        COMPUTE, CP + "/stage/pSpecializationInfo",
        {**t.specialization([(0, 0, 4)], b"\0" * 4), "pData": "A-!?"})
    yield "library", t.change(GRAPHICS, GP + "/flags", "VK_PIPELINE_CREATE_LIBRARY_BIT_KHR")
    yield "library-of-wide-flags", t.change(COMPUTE, CP + "/pNext", t.structure(
        "PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR", flags="VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR"))
    yield "name-with-nul", t.change(COMPUTE, CP + "/stage/pName", "ma\0in")


def objects():
    """Names of objects, layouts, files."""
    yield "set-layout-unknown", t.change(COMPUTE, CS + "/PipelineLayout/pSetLayouts", ["other"])
    yield "set-layout-twice", t.change(COMPUTE, CS + "/DescriptorSetLayouts",
                                       [{"a": t.set_layout([])}, {"a": t.set_layout([])}])
    yield "set-count-wrong", t.change(COMPUTE, CS + "/PipelineLayout/setLayoutCount", 2)
    yield "binding-twice", with_set([t.binding(0), t.binding(0)])
    yield "descriptors-too-many", with_set([t.binding(0, count=1 << 30)])
    images = t.binding(0, "COMBINED_IMAGE_SAMPLER", samplers=["none"])
    yield "sampler-unknown", with_set([images])
    yield "sampler-count-wrong", with_set([{**images, "descriptorCount": 2}])
    yuv = t.change(with_set([{**images, "pImmutableSamplers": ["s"]}]), CS + "/ImmutableSamplers",
                   [{"s": p.yuv_sampler("gone")}])
    yield "conversion-unknown", yuv
    undefined = t.conversion("VK_FORMAT_UNDEFINED")
    yield "conversion-undefined", t.change(t.change(
        yuv, CS + "/ImmutableSamplers", [{"s": p.yuv_sampler("c")}]), CS + "/YcbcrSamplers", [{"c": undefined}])
    for name in ("G8B8G8R8_422_UNORM", "R8G8B8A8_UNORM"):
        yield "conversion-of-" + name.lower().replace("_", "-"), t.change(t.change(
            yuv, CS + "/ImmutableSamplers", [{"s": p.yuv_sampler("c")}]),
            CS + "/YcbcrSamplers", [{"c": t.conversion("VK_FORMAT_" + name)}])
    for name, color in (("contradiction", {"float32": [1.0, 0, 0, 0], "uint32": [1, 0, 0, 0]}),
                        ("empty", {}), ("length", {"int32": [1, 2, 3]}),
                        ("that-is-missing", None)):
        yield "border-color-" + name, t.change(
            with_set([{**images, "pImmutableSamplers": ["s"]}]), CS + "/ImmutableSamplers",
            [{"s": {**p.border_sampler(color, addressModeV="VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER"),
                    **({} if color is not None else {"pNext": t.NULL})}}])
    yield "conversion-that-repeats", t.change(t.change(yuv, CS + "/ImmutableSamplers", [
        {"s": {**p.yuv_sampler("c"), "addressModeV": "VK_SAMPLER_ADDRESS_MODE_REPEAT"}}]),
        CS + "/YcbcrSamplers", [{"c": t.conversion()}])
    yield "push-constants-too-large", t.compute(
        "plain.comp.spv", p.BUFFER, push=[("VK_SHADER_STAGE_ALL", 252, 8)])
    for name, ranges in (("empty", [("VK_SHADER_STAGE_ALL", 16, 0)]), ("at-the-end", [("VK_SHADER_STAGE_ALL", 256, 0)]),
                         ("without-stages", [(0, 0, 4)]),
                         ("twice-for-a-stage", [("VK_SHADER_STAGE_ALL", 0, 8), ("VK_SHADER_STAGE_COMPUTE_BIT", 8, 4)])):
        yield "push-constants-" + name, t.compute("plain.comp.spv", p.BUFFER, push=ranges)
    yield "push-constants-of-another-stage", t.compute("push.comp.spv", p.BUFFER, push=[
        ("VK_SHADER_STAGE_COMPUTE_BIT", 0, 32), ("VK_SHADER_STAGE_VERTEX_BIT", 0, 64)])
    yield "push-constants-before-the-range", t.graphics(
        {"VERTEX": "push.vert.spv", "FRAGMENT": "plain.frag.spv"}, push=[("VK_SHADER_STAGE_VERTEX_BIT", 76, 4)])
    for name, end, count in (("short-of-the-last-byte", 184, None), ("of-specialized-length", 60, 4)):
        yield "push-constants-" + name, t.graphics(
            {**p.FRAME, "VERTEX": "lengths.vert.spv" if count else "ends.vert.spv"},
            push=[("VK_SHADER_STAGE_VERTEX_BIT", 0, end)],
            pVertexInputState=t.vertex_input([(0, 16, "VERTEX")], [(i, 0, "R32G32B32A32_SFLOAT", 0) for i in range(3)]),
            constants={"VERTEX": t.specialization([(0, 0, 4)], struct.pack("<i", count))} if count else None)
    yield "binding-without-stages", t.compute("plain.comp.spv", [[t.binding(0, stages=0)]])
    yield "binding-of-another-stage", t.graphics(
        {"VERTEX": "store.vert.spv", "FRAGMENT": "plain.frag.spv"},
        [[t.binding(0, stages="VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT")]])
    yield "shader-file-missing", t.change(COMPUTE, CS + "/ShaderFileNames/0/filename", "gone.spv")
    yield "shader-file-no-spirv", t.change(COMPUTE, CS + "/ShaderFileNames/0/filename", "text.spv")
    yield "shader-file-odd", t.change(COMPUTE, CS + "/ShaderFileNames/0/filename", "odd.spv")
    yield "shader-file-of-another-stage", t.change(
        COMPUTE, CS + "/ShaderFileNames/0/stage", "VK_SHADER_STAGE_FRAGMENT_BIT")
    yield "shader-damaged", t.change(COMPUTE, CS + "/ShaderFileNames/0/filename", "damaged.spv")
    yield "entry-point-unknown", t.change(COMPUTE, CP + "/stage/pName", "other")
    yield "shaders-exchanged", t.graphics({"VERTEX": "plain.frag.spv", "FRAGMENT": "plain.vert.spv"})
    yield "resource-without-binding", with_set([t.binding(1)])


def states():
    """State that does not fit together."""
    yield "specialization-too-far", t.change(
        COMPUTE, CP + "/stage/pSpecializationInfo", t.specialization([(0, 4, 4)], b"\0" * 4))
    yield "compute-stage-is-vertex", t.change(COMPUTE, CP + "/stage/stage", "VK_SHADER_STAGE_VERTEX_BIT")
    yield "no-vertex-shader", t.graphics({"FRAGMENT": "plain.frag.spv"})
    yield "two-fragment-shaders", t.change(GRAPHICS, GP + "/pStages/0", t.stage("FRAGMENT"))
    yield "half-a-tessellation", t.graphics({**p.FRAME, "TESSELLATION_CONTROL": "patch.tesc.spv"})
    yield "no-control-points", t.graphics(
        {**p.FRAME, "TESSELLATION_CONTROL": "patch.tesc.spv", "TESSELLATION_EVALUATION": "patch.tese.spv"})
    yield "dynamic-stream", t.graphics({**p.FRAME, "GEOMETRY": "twice.geom.spv"},
                                       pDynamicState=t.dynamic("RASTERIZATION_STREAM_EXT"))
    provoking = t.dynamic("PROVOKING_VERTEX_MODE_EXT")
    yield "dynamic-provoking-vertex", t.graphics({**p.FRAME, "GEOMETRY": "twice.geom.spv"}, pDynamicState=provoking)
    yield "dynamic-provoking-vertex-of-a-number", t.graphics(
        {**p.FRAME, "FRAGMENT": "number.frag.spv"}, pDynamicState=provoking)
    yield "dynamic-domain-origin", t.graphics(
        {**p.FRAME, "TESSELLATION_CONTROL": "patch.tesc.spv", "TESSELLATION_EVALUATION": "patch.tese.spv"},
        pDynamicState=t.dynamic("TESSELLATION_DOMAIN_ORIGIN_EXT", "PATCH_CONTROL_POINTS_EXT"))
    yield "no-class-of-dynamic-topology", t.graphics(
        p.FRAME, pDynamicState=t.dynamic("PRIMITIVE_TOPOLOGY", "PRIMITIVE_RESTART_ENABLE"), pInputAssemblyState=t.NULL)
    yield "dynamic-vertex-input", t.graphics(p.FRAME, pDynamicState=t.dynamic("VERTEX_INPUT_EXT"))
    yield "subpass-beyond", t.change(GRAPHICS, GP + "/subpass", 1)
    yield "attachment-beyond", t.graphics(p.FRAME, pass_=t.render_pass([t.attachment()], [t.subpass((1,))]))
    yield "samples-three", t.change(GRAPHICS, GP + "/pMultisampleState/rasterizationSamples", 3)
    yield "advanced-blending", t.graphics(p.FRAME, pColorBlendState=t.color_blend([
        {**t.blend(on=True), "colorBlendOp": "VK_BLEND_OP_MULTIPLY_EXT"}]))
    yield "attribute-without-binding", t.graphics(
        p.FRAME, pVertexInputState=t.vertex_input([], [(0, 0, "R32_SFLOAT", 0)]))
    yield "location-twice", t.graphics(p.FRAME, pVertexInputState=t.vertex_input(
        [(0, 8, "VERTEX")], [(0, 0, "R32_SFLOAT", 0), (0, 0, "R32_SFLOAT", 4)]))
    yield "attribute-missing", t.graphics({**p.FRAME, "VERTEX": "inputs.vert.spv"}, pVertexInputState=t.vertex_input(
        [(0, 16, "VERTEX")], [(0, 0, "R32G32B32_SFLOAT", 0), (4, 0, "R16G16_UINT", 12)]))
    yield "attribute-of-other-numbers", t.graphics(
        {**p.FRAME, "VERTEX": "inputs.vert.spv"}, pVertexInputState=t.vertex_input([(0, 16, "VERTEX")], [
            (0, 0, "R16G16B16A16_UINT", 0), (3, 0, "R8G8B8A8_SINT", 0), (4, 0, "R16G16_UNORM", 12)]))
    yield "attribute-of-other-widths", t.graphics(
        {**p.FRAME, "VERTEX": "doubles.vert.spv"}, pVertexInputState=t.vertex_input(
            [(0, 24, "VERTEX")], [(0, 0, "R32G32_SFLOAT", 0), (1, 0, "R64G64_SFLOAT", 8)]))
    depth = t.render_pass([t.attachment(), t.attachment("D32_SFLOAT")], [t.subpass(depth=1)])
    for name in ("VertexInput", "InputAssembly", "Viewport", "Multisample", "DepthStencil", "ColorBlend"):
        yield f"no-{name.lower()}-state", t.graphics(p.FRAME, **{"pass_": depth, "pDepthStencilState": t.depth_stencil(),
                                                                 f"p{name}State": t.NULL})
    for samples in (0, 16, 64):
        yield f"samples-{samples}", t.change(GRAPHICS, GP + "/pMultisampleState/rasterizationSamples", samples)
        yield f"samples-{samples}-of-an-attachment", t.change(GRAPHICS, GS + "/Renderpass/pAttachments/0/samples", samples)
    yield "samples-that-differ", t.graphics(p.FRAME, pass_=t.render_pass([t.attachment(samples=4)], [t.subpass()]))
    yield "samples-two-bits", t.change(GRAPHICS, GP + "/pMultisampleState/rasterizationSamples",
                                       "VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT")
    yield "one-blending-for-two-targets", t.graphics(p.FRAME, pass_=t.render_pass(
        [t.attachment(), t.attachment()], [t.subpass((0, 1))]))
    yield "no-rasterization-state", t.change(GRAPHICS, GP + "/pRasterizationState", t.NULL)
    yield "nine-targets", t.graphics(p.FRAME, pass_=t.render_pass([t.attachment()], [t.subpass((0,) * 9)]))
    yield "views-of-other-subpasses", t.graphics(p.FRAME, pass_=t.render_pass(
        [t.attachment()], [t.subpass()], next_=t.structure(
            "RENDER_PASS_MULTIVIEW_CREATE_INFO", subpassCount=2, pViewMasks=[1, 1])))
    yield "subgroup-size-48", t.compute("subgroup.comp.spv", p.BUFFER, next_=p.subgroup_size(48))


def several():
    """What does not depend on one another is all found."""
    bad = t.change(COMPUTE, CS + "/DescriptorSetLayouts", [
        {"twice": {**t.set_layout([t.binding(0), {**t.binding(0), "descriptorType": "CUBE"}]), "more": 1}},
        {"a": 1, "b": 2}])
    bad = t.change(bad, CS + "/PipelineLayout/pSetLayouts", ["twice", "twice"])
    bad = t.change(bad, CS + "/PipelineLayout/pPushConstantRanges", {})
    bad = t.change(bad, CS + "/PhysicalDeviceFeatures/features", {"robustBufferAccess": "perhaps"})
    bad = t.change(bad, CP + "/flags", "FAST | SLOW")
    bad = t.change(bad, CP, {**bad["ComputePipelineState"]["ComputePipeline"], "a~b/c: d": 1})
    bad = t.change(bad, CP + "/stage/pNext", t.chain(
        t.structure("NOTHING"), p.subgroup_size("many"), t.structure("SAMPLER_CREATE_INFO")))
    bad = t.change(bad, CP + "/stage/pSpecializationInfo", {
        "mapEntryCount": 3, "pMapEntries": [{"constantID": 0, "offset": 0}], "dataSize": 4, "pData": "?"})
    bad = t.change(bad, CS + "/ShaderFileNames/0/filename", "gone.spv")
    yield "several-of-a-compute-pipeline", {**bad, "EnabledExtensions": 7}
    bad = t.change(GRAPHICS, GP + "/pRasterizationState", t.NULL)
    bad = t.change(bad, GP + "/pVertexInputState", t.vertex_input(
        [(0, 8, "VERTEX"), (0, 4, "VERTEX")], [(0, 0, "R32_SFLOAT", 0), (40, 1, "R32_SFLOAT", 4)]))
    bad = t.change(bad, GS + "/Renderpass/pAttachments/0/samples", 64)
    bad = t.change(bad, GP + "/pStages/0/stage", "VK_SHADER_STAGE_COMPUTE_BIT")
    yield "several-of-a-graphics-pipeline", bad


def all_rejects():
    """(file name, text) of each. Identifiers differ, or else that would be one error more."""
    every = [each for group in (structural, rays, values, objects, states, several) for each in group()]
    for name, content in every:
        if isinstance(content, dict) and content.get("PipelineUUID") in (
                COMPUTE["PipelineUUID"], GRAPHICS["PipelineUUID"]):
            content = {**content, "PipelineUUID": list(name.encode().ljust(16, b"\0")[:16])}
        yield name + ".json", content if isinstance(content, str) else json.dumps(content, indent=1)


def damaged_files(plain):
    """(file name, bytes) that stand for shaders; plain: bytes of a good one."""
    yield "text.spv", b"#version 450\nvoid main() {}\n"
    yield "odd.spv", plain[:-1]
    yield "damaged.spv", plain[:200] + bytes(b ^ 0x5A for b in plain[200:240]) + plain[240:]
