# SPDX-License-Identifier: MIT
"""Pipelines that kiln-pcc must compile, each for something of its own."""
import json
import struct

import template as t

def subgroup_size(size, suffix=""):
    return t.structure("PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO" + suffix,
                       requiredSubgroupSize=size)


def robustness(buffers, images="DEVICE_DEFAULT"):
    behavior = "VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_" + buffers
    return t.structure("PIPELINE_ROBUSTNESS_CREATE_INFO_EXT", storageBuffers=behavior + "_EXT",
                       uniformBuffers=behavior + "_EXT", vertexInputs=behavior + "_EXT",
                       images=f"VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_{images}_EXT")


def offline(identifier):
    return t.structure("PIPELINE_OFFLINE_CREATE_INFO", pipelineIdentifier=list(identifier),
                       matchControl="VK_PIPELINE_MATCH_CONTROL_APPLICATION_UUID_EXACT_MATCH",
                       poolEntrySize="0")


def legacy_features(*structures):
    """As old CTS releases wrote them: the real features are at the end of a chain."""
    return {**t.structure("DEVICE_OBJECT_RESERVATION_CREATE_INFO"),
            "pNext": t.chain(t.structure("FAULT_CALLBACK_INFO", faultCount=0), *structures),
            "features": {"robustBufferAccess": "VK_FALSE", "shaderInt64": "VK_FALSE"}}


def with_samplers(pipeline, kind, samplers, conversions=()):
    state = kind + "PipelineState"
    names = [{name: value} for name, value in samplers.items()]
    pipeline = t.change(pipeline, f"/{state}/ImmutableSamplers", names)
    if conversions:
        pipeline = t.change(pipeline, f"/{state}/YcbcrSamplers",
                            [{name: value} for name, value in conversions.items()])
    return pipeline


def yuv_sampler(name="yuv"):
    return t.sampler(next_=t.structure("SAMPLER_YCBCR_CONVERSION_INFO", conversion=name))


def border_sampler(color, **members):
    custom = t.structure("SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT", format="VK_FORMAT_R8G8B8A8_UNORM",
                         customBorderColor=color)
    return t.sampler(next_=custom, borderColor="VK_BORDER_COLOR_FLOAT_CUSTOM_EXT", **members)


def compute_state(pipeline, member, value):
    return t.change(pipeline, "/ComputePipelineState/" + member, value)


def graphics_state(pipeline, member, value):
    return t.change(pipeline, "/GraphicsPipelineState/" + member, value)


def trailing_commas(text):
    """A comma behind the last element of everything."""
    lines = text.split("\n")
    for i in range(len(lines) - 1):
        if lines[i + 1].strip()[:1] in ("]", "}") and lines[i].strip()[-1:] not in ("[", "{"):
            lines[i] += ","
    return "\n".join(lines)


def numbers_as_strings(value):
    if isinstance(value, dict):
        return {k: v if k == "PipelineUUID" else numbers_as_strings(v) for k, v in value.items()}
    if isinstance(value, list):
        return [numbers_as_strings(v) for v in value]
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


SPECIAL = t.specialization([(0, 0, 4), (1, 4, 4), (7, 8, 4), (9, 12, 4), (1234, 0, 4)],
                           struct.pack("<IIfI", 48, 5, 1.25, 1))
BUFFER = [[t.binding(0)]]


def compute_pipelines():
    plain = t.compute("plain.comp.spv", BUFFER)
    yield "plain", t.with_identifier(plain, range(16))
    special = t.compute("special.comp.spv", BUFFER, constants=SPECIAL)
    yield "specialization-array", special
    at = "/ComputePipelineState/ComputePipeline/stage/pSpecializationInfo"
    yield "specialization-base64", t.change(special, at + "/pData", "MAAAAAUAAAAAAKA/AQAAAA==")
    yield "specialization-none", t.change(special, at, {"mapEntryCount": 0, "pMapEntries": [],
                                                        "dataSize": "0", "pData": ""})
    yield "push-constants", t.compute(
        "push.comp.spv", BUFFER, push=[("VK_SHADER_STAGE_COMPUTE_BIT", 0, 36),
                                       ("VK_SHADER_STAGE_VERTEX_BIT", 32, 64)])
    sets = t.compute("sets.comp.spv", [[t.binding(5), t.binding(9)], [], [],
                                       [t.binding(1, "UNIFORM_BUFFER")]])
    yield "one-layout-for-two-sets", compute_state(sets, "PipelineLayout/pSetLayouts",
                                                   ["set0", "set1", "set0", "set3"])
    dynamic = [[t.binding(5, "STORAGE_BUFFER_DYNAMIC")], [], [t.binding(5, "STORAGE_BUFFER_DYNAMIC")],
               [t.binding(1, "UNIFORM_BUFFER_DYNAMIC")]]
    yield "dynamic-buffers", t.compute("sets.comp.spv", dynamic)
    yield "inline-uniform-block", t.compute(
        "inline.comp.spv", [[t.binding(0, "INLINE_UNIFORM_BLOCK", 32), t.binding(1)]],
        extensions=["VK_EXT_inline_uniform_block"])
    images = [[t.binding(0, "COMBINED_IMAGE_SAMPLER", samplers=["7"]),
               t.binding(1, "COMBINED_IMAGE_SAMPLER", 2, samplers=[8, "7"]),
               t.binding(2, "STORAGE_IMAGE")]]
    yield "immutable-samplers", with_samplers(
        t.compute("sample.comp.spv", images), "Compute",
        {"7": t.sampler(), "8": t.sampler(minLod="VK_LOD_CLAMP_NONE", maxLod=1000.0,
                                          magFilter="VK_FILTER_NEAREST")})
    yuv = [[t.binding(0, "COMBINED_IMAGE_SAMPLER", samplers=["s"]), t.binding(1)]]
    yield "ycbcr", with_samplers(t.compute("yuv.comp.spv", yuv), "Compute", {"s": yuv_sampler()},
                                 {"yuv": t.conversion()})
    yield "texel-buffers", t.compute("texel.comp.spv", [[t.binding(0, "UNIFORM_TEXEL_BUFFER"),
                                                         t.binding(1, "STORAGE_TEXEL_BUFFER")]])
    yield "subgroup-size-64", t.compute(
        "subgroup.comp.spv", BUFFER, next_=subgroup_size(64),
        flags="VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT")
    yield "subgroup-size-32-alias", t.compute(
        "subgroup.comp.spv", BUFFER, next_=subgroup_size("32", "_EXT"),
        flags="VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT")
    yield "subgroup-size-varying", t.compute(
        "subgroup.comp.spv", BUFFER,
        flags="VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT")
    yield "robustness-of-stage", t.compute("plain.comp.spv", BUFFER,
                                           next_=robustness("ROBUST_BUFFER_ACCESS_2"))
    yield "robustness-of-device", compute_state(
        plain, "PhysicalDeviceFeatures", t.chain(
            t.features("robustBufferAccess"),
            t.structure("PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT", robustBufferAccess2="VK_TRUE",
                        robustImageAccess2="VK_TRUE", nullDescriptor="VK_TRUE")))
    yield "features-behind-others", compute_state(
        plain, "PhysicalDeviceFeatures", legacy_features(t.features("robustBufferAccess")))
    yield "entry-one-of-two", t.compute("two.spvasm.spv", BUFFER, entry="addOne")
    yield "entry-two-of-two", t.compute("two.spvasm.spv", BUFFER, entry="addTwo")
    flags = t.structure("DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO_EXT", bindingCount=2,
                        pBindingFlags=[0, "VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | "
                                          "VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT_EXT"])
    layout = t.set_layout([t.binding(0), t.binding(3, count=8)], flags,
                          "VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT")
    yield "descriptor-array", t.compute("many.comp.spv", [layout])
    yield "buffer-addresses", t.compute("address.comp.spv",
                                        push=[("VK_SHADER_STAGE_ALL", 0, 8)])
    yield "flags-and-identifier-in-chain", t.change(
        t.change(plain, "/ComputePipelineState/ComputePipeline/pNext", t.chain(
            t.structure("PIPELINE_CREATION_FEEDBACK_CREATE_INFO", pPipelineCreationFeedback=t.NULL,
                        pipelineStageCreationFeedbackCount=0, pPipelineStageCreationFeedbacks=t.NULL),
            offline([200] * 16))),
        "/ComputePipelineState/ComputePipeline/flags",
        "VK_PIPELINE_CREATE_DISPATCH_BASE_BIT|VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT|"
        "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT")
    # As the JSON generation layer writes it: the application's identifier stays in the chain.
    yield "uuid-and-another-in-the-chain", t.change(
        t.with_identifier(plain, range(100, 116)), "/ComputePipelineState/ComputePipeline/pNext", offline([202] * 16))
    # Zeros are no identifier, whichever pipelines they stand in.
    for name, chosen in (("zeros-in-the-chain", plain), ("zeros-in-another-chain", t.compute(
            "push.comp.spv", BUFFER, push=[("VK_SHADER_STAGE_COMPUTE_BIT", 0, 64)]))):
        yield name, t.change(chosen, "/ComputePipelineState/ComputePipeline/pNext", offline([0] * 16))
    yield "numbers-as-strings", numbers_as_strings(
        t.compute("push.comp.spv", BUFFER, push=[("VK_SHADER_STAGE_COMPUTE_BIT", 0, 64)]))
    yield "null-for-all-that-is-empty", null_everywhere()
    yield "file name, with blanks", t.compute("a b/plain copy.spv", BUFFER)


def null_everywhere():
    pipeline = t.compute("plain.comp.spv", BUFFER)
    del pipeline["EnabledExtensions"]
    state = pipeline["ComputePipelineState"]
    state.update(YcbcrSamplers=t.NULL, ImmutableSamplers="", PhysicalDeviceFeatures=t.NULL)
    state["ComputePipeline"].update(flags=t.NULL, layout="VK_NULL_HANDLE", basePipelineHandle=0,
                                    basePipelineIndex="-1")
    state["PipelineLayout"].update(flags="", pPushConstantRanges=[])
    state["DescriptorSetLayouts"][0]["set0"]["pBindings"][0].update(pImmutableSamplers=[])
    return pipeline


FRAME = {"VERTEX": "plain.vert.spv", "FRAGMENT": "plain.frag.spv"}


def multiview_pass(is_second):
    if is_second:
        return {"pass2": t.render_pass2([t.attachment(is_second=True)],
                                        [t.subpass(view_mask=3)], masks=[3])}
    views = t.structure("RENDER_PASS_MULTIVIEW_CREATE_INFO", subpassCount=1, pViewMasks=[5],
                        dependencyCount=0, pViewOffsets=t.NULL, correlationMaskCount=1,
                        pCorrelationMasks=[5])
    return {"pass_": t.render_pass([t.attachment()], [t.subpass()], next_=views)}


def input_attachment_pass(is_second):
    attachment = t.attachment(is_second=is_second)
    subpasses = [t.subpass(view_mask=0 if is_second else None),
                 t.subpass(("VK_ATTACHMENT_UNUSED", 1), inputs=(0,), view_mask=0 if is_second else None)]
    make = t.render_pass2 if is_second else t.render_pass
    return {"pass2" if is_second else "pass_": make([attachment, attachment], subpasses)}


def dynamic_rendering(views=0, second="VK_FORMAT_UNDEFINED"):
    return t.structure("PIPELINE_RENDERING_CREATE_INFO_KHR", viewMask=views, colorAttachmentCount=2,
                       pColorAttachmentFormats=["VK_FORMAT_R32G32B32A32_SFLOAT", second],
                       depthAttachmentFormat="VK_FORMAT_D32_SFLOAT",
                       stencilAttachmentFormat="VK_FORMAT_UNDEFINED")


def vertex_pipelines():
    divisors = t.structure("PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT",
                           vertexBindingDivisorCount=1,
                           pVertexBindingDivisors=[{"binding": 2, "divisor": 3}])
    inputs = t.vertex_input([(0, 16, "VERTEX"), (2, 12, "INSTANCE")],
                            [(0, 0, "R32G32B32_SFLOAT", 0), (3, 0, "A2B10G10R10_UNORM_PACK32", 12),
                             (4, 2, "R16G16_UINT", 4)], next_=divisors)
    yield "vertex-input", t.graphics({**FRAME, "VERTEX": "inputs.vert.spv"}, pVertexInputState=inputs)
    yield "queries-of-device", graphics_state(t.graphics(FRAME), "PhysicalDeviceFeatures", t.chain(
        t.features(), t.structure("PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT",
                                  primitivesGeneratedQuery="VK_TRUE")))
    yield "tessellation", t.graphics(
        {"VERTEX": "plain.vert.spv", "TESSELLATION_CONTROL": "patch.tesc.spv",
         "TESSELLATION_EVALUATION": "patch.tese.spv", "FRAGMENT": "plain.frag.spv"},
        pInputAssemblyState=t.input_assembly("PATCH_LIST"),
        pTessellationState={**t.structure("PIPELINE_TESSELLATION_STATE_CREATE_INFO"), "flags": 0,
                            "patchControlPoints": 3, "pNext": t.structure(
                                "PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO",
                                domainOrigin="VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT")})
    yield "dynamic-control-points", t.graphics(
        {"VERTEX": "plain.vert.spv", "TESSELLATION_CONTROL": "points.tesc.spv",
         "TESSELLATION_EVALUATION": "patch.tese.spv", "FRAGMENT": "plain.frag.spv"},
        pInputAssemblyState=t.input_assembly("PATCH_LIST"), pDynamicState=t.dynamic("PATCH_CONTROL_POINTS_EXT"),
        pTessellationState=t.NULL)
    yield "geometry", t.graphics({**FRAME, "GEOMETRY": "twice.geom.spv"})
    yield "nothing-is-drawn", t.graphics(
        {"VERTEX": "store.vert.spv"}, BUFFER, pRasterizationState=t.rasterization(
            rasterizerDiscardEnable="VK_TRUE"), pViewportState=t.NULL, pMultisampleState=t.NULL,
        pColorBlendState=t.NULL, pInputAssemblyState=t.input_assembly("POINT_LIST"))
    yield "two-stages-in-a-module", t.graphics(
        {"VERTEX": "both.spvasm.spv", "FRAGMENT": "both.spvasm.spv"},
        entries={"VERTEX": "corner", "FRAGMENT": "paint"})
    yield "push-constants", t.graphics(
        {"VERTEX": "push.vert.spv", "FRAGMENT": "push.frag.spv"},
        push=[("VK_SHADER_STAGE_VERTEX_BIT", 0, 80), ("VK_SHADER_STAGE_FRAGMENT_BIT", 64, 16)])
    # 16 + 2 * 48 + 48 + 28: to the end of what the last element has
    yield "push-constants-to-the-last-byte", t.graphics(
        {**FRAME, "VERTEX": "ends.vert.spv"}, push=[("VK_SHADER_STAGE_VERTEX_BIT", 0, 188)])
    yield "lengths-of-specialization", t.graphics(
        {**FRAME, "VERTEX": "lengths.vert.spv"}, push=[("VK_SHADER_STAGE_VERTEX_BIT", 0, 48)],
        pVertexInputState=t.vertex_input([(0, 16, "VERTEX")], [(i, 0, "R32G32B32A32_SFLOAT", 0) for i in range(3)]),
        constants={"VERTEX": t.specialization([(0, 0, 4)], struct.pack("<i", 3))})
    yield "wide-inputs", t.graphics(
        {**FRAME, "VERTEX": "doubles.vert.spv"}, pVertexInputState=t.vertex_input(
            [(0, 24, "VERTEX")], [(0, 0, "R64G64_SFLOAT", 0), (1, 0, "R32G32_SFLOAT", 16)]))
    yield "specialization", t.graphics(
        {"VERTEX": "special.vert.spv", "FRAGMENT": "special.frag.spv"},
        constants={"VERTEX": t.specialization([(4, 0, 4)], struct.pack("<f", 0.25)),
                   "FRAGMENT": t.specialization([(4, 4, 4)], struct.pack("<ii", -1, 3))})


def target_pipelines():
    depth_only = t.render_pass([t.attachment("D32_SFLOAT")], [t.subpass((), depth=0)])
    yield "depth-only", t.graphics({"VERTEX": "plain.vert.spv"}, pass_=depth_only,
                                   pDepthStencilState=t.depth_stencil())
    unused = t.render_pass([t.attachment("D32_SFLOAT")], [t.subpass(("VK_ATTACHMENT_UNUSED",) * 2, depth=0)])
    yield "no-target-is-used", t.graphics(FRAME, pass_=unused, pDepthStencilState=t.depth_stencil())
    yield "no-attachments", t.graphics({"VERTEX": "plain.vert.spv"}, pass_=t.render_pass([], [t.subpass(())]))
    yield "render-pass-2", t.graphics(
        FRAME, pass2=t.render_pass2([t.attachment(is_second=True)], [t.subpass(view_mask=0)]))
    for is_second in (False, True):
        name = "-of-render-pass-" + "12"[is_second]
        yield "multiview" + name, t.graphics({**FRAME, "VERTEX": "views.vert.spv"},
                                             **multiview_pass(is_second))
        yield "input-attachments" + name, t.graphics(
            {**FRAME, "FRAGMENT": "input.frag.spv"}, [[t.binding(0, "INPUT_ATTACHMENT")]], index=1,
            pColorBlendState=t.color_blend([t.blend(mask=0), t.blend()]),
            **input_attachment_pass(is_second))
    yield "dynamic-rendering", t.graphics(
        FRAME, next_=dynamic_rendering(), pColorBlendState=t.color_blend([t.blend()] * 2),
        pDepthStencilState=t.depth_stencil(), extensions=["VK_KHR_dynamic_rendering"])
    samples = t.render_pass([t.attachment(samples=4), t.attachment()], [t.subpass(resolves=(1,))])
    yield "multisampling", t.graphics(
        {**FRAME, "FRAGMENT": "samples.frag.spv"}, pass_=samples, pMultisampleState=t.multisample(
            4, sampleShadingEnable="VK_TRUE", minSampleShading=1.0, pSampleMask=[7],
            alphaToCoverageEnable="VK_TRUE"))
    yield "depth-and-stencil", t.graphics(
        {**FRAME, "FRAGMENT": "depth.frag.spv"},
        pass_=t.render_pass([t.attachment(), {
            **t.attachment("D32_SFLOAT_S8_UINT"), "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR",
            "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_STORE"}], [t.subpass(depth=1)]),
        pDepthStencilState=t.depth_stencil(stencilTestEnable="VK_TRUE"))
    yield "dual-source-blending", t.graphics(
        {**FRAME, "FRAGMENT": "dual.frag.spv"},
        pColorBlendState=t.color_blend([t.blend("SRC1_COLOR", "ONE_MINUS_SRC1_COLOR", on=True)]))
    formats = ("B10G11R11_UFLOAT_PACK32", "R8G8_UINT", "R8G8B8A8_SRGB", "R16G16_SFLOAT")
    yield "many-targets", t.graphics(
        {**FRAME, "FRAGMENT": "targets.frag.spv"},
        pass_=t.render_pass([t.attachment(f) for f in formats], [t.subpass((0, 1, 2, 3))]),
        pColorBlendState=t.color_blend([t.blend(mask="0xf"), t.blend(mask=3), t.blend(mask="0"),
                                        t.blend("SRC_ALPHA", "ONE", on=True)]))
    yield "logic-operation", t.graphics(FRAME, pColorBlendState=t.color_blend(
        [t.blend()], logicOpEnable="VK_TRUE", logicOp="VK_LOGIC_OP_XOR"))


def state_pipelines():
    images = [[], [t.binding(2, "COMBINED_IMAGE_SAMPLER", samplers=["only"])]]
    textured = t.graphics({**FRAME, "FRAGMENT": "texture.frag.spv"}, images)
    yield "immutable-sampler", with_samplers(textured, "Graphics", {"only": t.sampler(
        borderColor="VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE", compareEnable=0, anisotropyEnable="false",
        addressModeU="VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER")})
    yield "ycbcr", with_samplers(textured, "Graphics", {"only": yuv_sampler("c")}, {
        "unused": t.conversion("VK_FORMAT_G8B8G8R8_422_UNORM"),
        "c": t.conversion("VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM_KHR")})
    yield "border-color-that-nobody-sees", with_samplers(textured, "Graphics", {
        "only": border_sampler({"int32": [1, -2, 3, 4]})})
    yield "custom-border-color", with_samplers(textured, "Graphics", {"only": border_sampler(
        {"float32": [0.25, 0.5, 0.75, 1.0], "uint32": [0x3E800000, 0x3F000000, 0x3F400000, 0x3F800000]},
        addressModeU="VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER")})
    for name, bits in (("quiet", 0x7FC00000), ("negative", 0xFFFFFFFF), ("signalling", 0x7F800001)):
        yield f"custom-border-color-of-{name}-nan", with_samplers(textured, "Graphics", {"only": border_sampler(
            {"float32": ["NaN"] * 4, "int32": [bits - (bits >> 31 << 32)] * 4, "uint32": [bits] * 4},
            addressModeU="VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER")})
    yield "samples-of-dynamic-state", t.graphics(
        FRAME, pass_=t.render_pass([t.attachment(samples=4)], [t.subpass()]),
        pDynamicState=t.dynamic("RASTERIZATION_SAMPLES_EXT"))
    yield "viewports-of-dynamic-state", t.graphics(
        FRAME, pViewportState=t.structure("PIPELINE_VIEWPORT_STATE_CREATE_INFO", viewportCount=1,
                                          pViewports=[], scissorCount=1, pScissors=t.NULL),
        pDynamicState=t.dynamic("VIEWPORT", "SCISSOR", "CULL_MODE_EXT", "PRIMITIVE_TOPOLOGY"))
    clip = t.structure("PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT", flags=0,
                       depthClipEnable="VK_TRUE")
    yield "rasterization-chain", t.graphics(FRAME, pRasterizationState=t.rasterization(
        clip, depthClampEnable="VK_TRUE", cullMode="VK_CULL_MODE_FRONT_BIT",
        depthBiasEnable=True, depthBiasClamp="NaN"))
    yield "line-stipple", t.graphics(
        FRAME, pInputAssemblyState=t.input_assembly("LINE_LIST"), pRasterizationState=t.rasterization(
            t.structure("PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT", stippledLineEnable="VK_TRUE",
                        lineRasterizationMode="VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT",
                        lineStippleFactor=2, lineStipplePattern=0xFFFF)))
    yield "robustness-of-pipeline", t.graphics(FRAME, next_=t.chain(
        robustness("ROBUST_BUFFER_ACCESS", "ROBUST_IMAGE_ACCESS"), offline([201] * 16)))
    old = graphics_state(
        t.graphics(FRAME, [[t.binding(0, stages="VK_SHADER_STAGE_ALL_GRAPHICS | "
                                      "VK_SHADER_STAGE_TASK_BIT_NV | VK_SHADER_STAGE_RAYGEN_BIT_KHR")]]),
        "PhysicalDeviceFeatures", legacy_features(
            t.structure("PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT",
                        subgroupSizeControl="VK_TRUE"),
            t.structure("PHYSICAL_DEVICE_FEATURES_OF_TOMORROW", robustBufferAccess2="maybe"),
            t.structure("PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR", robustBufferAccess2="VK_TRUE"),
            t.features("robustBufferAccess")))
    yield "old-files", old
    yield "numbers-as-strings", numbers_as_strings(graphics_state(
        t.graphics(FRAME), "Renderpass2", t.NULL))


def graphics_pipelines():
    yield "plain", t.with_identifier(t.graphics(FRAME), [255] * 15 + [0])
    yield from vertex_pipelines()
    yield from target_pipelines()
    yield from state_pipelines()


def legacy_texts():
    """What is not JSON: trailing commas, infinities of jsoncpp."""
    plain = json.dumps(t.compute("plain.comp.spv", BUFFER, entry="main"), indent=3)
    yield "compute-trailing-commas", trailing_commas(plain)
    images = [[], [t.binding(2, "COMBINED_IMAGE_SAMPLER", samplers=["only"])]]
    infinite = with_samplers(t.graphics({**FRAME, "FRAGMENT": "texture.frag.spv"}, images), "Graphics",
                             {"only": t.sampler(minLod="LOW", maxLod="HIGH")})
    text = json.dumps(infinite, indent=1)
    yield "graphics-infinities", trailing_commas(
        text.replace('"LOW"', "-1e+9999").replace('"HIGH"', "1e+9999"))
    yield "graphics-infinities-as-short-as-can-be", text.replace('"LOW"', "-2e308").replace('"HIGH"', "1e309")
    yield "graphics-infinities-of-400-digits", text.replace('"LOW"', "-1e400").replace(
        '"HIGH"', "1" + "0" * 400 + ".0")


def all_texts():
    """(file name, text) of every pipeline."""
    for kind, pipelines in (("compute", compute_pipelines()), ("graphics", graphics_pipelines())):
        for name, pipeline in pipelines:
            yield f"{kind}-{name}.json", json.dumps(pipeline, indent=1) + "\n"
    for name, text in legacy_texts():
        yield name + ".json", text
