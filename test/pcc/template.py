# SPDX-License-Identifier: MIT
"""JSON of Vulkan SC pipelines, complete as the schema wants it; tests change what they are about.

    compute(shader, sets=[[binding(0)]])   -> a dict for json.dumps
    change(pipeline, "/ComputePipelineState/ComputePipeline/flags", "VK_PIPELINE_CREATE_DISPATCH_BASE_BIT")
"""
import copy

NULL = "NULL"


def structure(name, **members):
    """A structure with an sType. Pointers that are not given are null."""
    return {"sType": "VK_STRUCTURE_TYPE_" + name, "pNext": NULL, **members}


def chain(*structures):
    """Structures one behind the other in pNext."""
    first = NULL
    for each in reversed(structures):
        each = copy.deepcopy(each)
        each["pNext"] = first
        first = each
    return first


def binding(number, kind="STORAGE_BUFFER", count=1, stages="VK_SHADER_STAGE_ALL", samplers=NULL):
    return {"binding": number, "descriptorType": "VK_DESCRIPTOR_TYPE_" + kind,
            "descriptorCount": count, "stageFlags": stages, "pImmutableSamplers": samplers}


def set_layout(bindings, next_=NULL, flags=0):
    return {**structure("DESCRIPTOR_SET_LAYOUT_CREATE_INFO"), "pNext": next_, "flags": flags,
            "bindingCount": len(bindings), "pBindings": copy.deepcopy(bindings) or NULL}


def layouts(sets, push=()):
    """Members of a state: a named layout for each list of bindings (or layout), and the pipeline's."""
    named = [{f"set{i}": each if isinstance(each, dict) else set_layout(each)}
             for i, each in enumerate(sets)]
    ranges = [{"stageFlags": stages, "offset": offset, "size": size} for stages, offset, size in push]
    info = structure("PIPELINE_LAYOUT_CREATE_INFO", flags=0, setLayoutCount=len(sets),
                     pSetLayouts=[f"set{i}" for i in range(len(sets))] or NULL,
                     pushConstantRangeCount=len(ranges), pPushConstantRanges=ranges or NULL)
    return {"DescriptorSetLayouts": named, "PipelineLayout": info}


def specialization(entries, data):
    """entries: (constant, offset, size)"""
    return {"mapEntryCount": len(entries),
            "pMapEntries": [dict(zip(("constantID", "offset", "size"), e)) for e in entries] or NULL,
            "dataSize": len(data), "pData": list(data) or NULL}


def stage(name, entry="main", constants=NULL, next_=NULL, flags=0):
    return {**structure("PIPELINE_SHADER_STAGE_CREATE_INFO"), "pNext": next_, "flags": flags,
            "stage": f"VK_SHADER_STAGE_{name}_BIT", "module": "", "pName": entry,
            "pSpecializationInfo": constants}


def features(*names):
    """Only these core features are on."""
    return structure("PHYSICAL_DEVICE_FEATURES_2",
                     features={name: "VK_TRUE" if name in names else "VK_FALSE"
                               for name in sorted({"robustBufferAccess", "shaderInt64", *names})})


def sampler(next_=NULL, **members):
    return {**structure("SAMPLER_CREATE_INFO"), "pNext": next_, "flags": 0,
            "magFilter": "VK_FILTER_LINEAR", "minFilter": "VK_FILTER_LINEAR",
            "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_NEAREST",
            "addressModeU": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
            "addressModeV": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
            "addressModeW": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE", "mipLodBias": 0.0,
            "anisotropyEnable": "VK_FALSE", "maxAnisotropy": 1.0, "compareEnable": "VK_FALSE",
            "compareOp": "VK_COMPARE_OP_ALWAYS", "minLod": 0.0, "maxLod": 0.0,
            "borderColor": "VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK",
            "unnormalizedCoordinates": "VK_FALSE", **members}


def conversion(format_="VK_FORMAT_G8_B8R8_2PLANE_420_UNORM"):
    swizzle = "VK_COMPONENT_SWIZZLE_IDENTITY"
    return structure("SAMPLER_YCBCR_CONVERSION_CREATE_INFO", format=format_,
                     ycbcrModel="VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709",
                     ycbcrRange="VK_SAMPLER_YCBCR_RANGE_ITU_NARROW",
                     components={c: swizzle for c in "rgba"},
                     xChromaOffset="VK_CHROMA_LOCATION_MIDPOINT",
                     yChromaOffset="VK_CHROMA_LOCATION_MIDPOINT",
                     chromaFilter="VK_FILTER_LINEAR", forceExplicitReconstruction="VK_FALSE")


def compute(shader, sets=(), push=(), extensions=(), uuid=None, **stage_arguments):
    """A compute pipeline of one shader's file."""
    info = structure("COMPUTE_PIPELINE_CREATE_INFO", flags=0, stage=stage("COMPUTE", **stage_arguments),
                     layout="", basePipelineHandle="", basePipelineIndex=0)
    state = {**layouts(sets, push),
             "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "filename": shader}],
             "PhysicalDeviceFeatures": features(), "ComputePipeline": info}
    return with_identifier({"EnabledExtensions": list(extensions), "ComputePipelineState": state}, uuid)


def with_identifier(pipeline, uuid):
    return pipeline if uuid is None else {**pipeline, "PipelineUUID": list(uuid)}


def attachment(format_="R8G8B8A8_UNORM", samples=1, is_second=False):
    info = {"flags": 0, "format": "VK_FORMAT_" + format_, "samples": f"VK_SAMPLE_COUNT_{samples}_BIT",
            "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR", "storeOp": "VK_ATTACHMENT_STORE_OP_STORE",
            "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_DONT_CARE",
            "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_DONT_CARE",
            "initialLayout": "VK_IMAGE_LAYOUT_UNDEFINED", "finalLayout": "VK_IMAGE_LAYOUT_GENERAL"}
    return {**structure("ATTACHMENT_DESCRIPTION_2"), **info} if is_second else info


def reference(index, is_second=False, aspect="VK_IMAGE_ASPECT_COLOR_BIT"):
    info = {"attachment": index, "layout": "VK_IMAGE_LAYOUT_GENERAL"}
    return structure("ATTACHMENT_REFERENCE_2", **info, aspectMask=aspect) if is_second else info


def subpass(colors=(0,), inputs=(), depth=None, resolves=(), view_mask=None):
    """view_mask: not None makes one of VkRenderPassCreateInfo2."""
    second = view_mask is not None
    info = {"flags": 0, "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS",
            "inputAttachmentCount": len(inputs),
            "pInputAttachments": [reference(i, second) for i in inputs] or NULL,
            "colorAttachmentCount": len(colors),
            "pColorAttachments": [reference(i, second) for i in colors] or NULL,
            "pResolveAttachments": [reference(i, second) for i in resolves] or NULL,
            "pDepthStencilAttachment": NULL if depth is None else reference(depth, second),
            "preserveAttachmentCount": 0, "pPreserveAttachments": NULL}
    return structure("SUBPASS_DESCRIPTION_2", viewMask=view_mask, **info) if second else info


def render_pass(attachments, subpasses, next_=NULL):
    return {**structure("RENDER_PASS_CREATE_INFO"), "pNext": next_, "flags": 0,
            "attachmentCount": len(attachments), "pAttachments": attachments or NULL,
            "subpassCount": len(subpasses), "pSubpasses": subpasses,
            "dependencyCount": 0, "pDependencies": NULL}


def render_pass2(attachments, subpasses, masks=()):
    return {**render_pass(attachments, subpasses),
            "sType": "VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2",
            "correlatedViewMaskCount": len(masks), "pCorrelatedViewMasks": list(masks) or NULL}


def vertex_input(bindings, attributes, next_=NULL):
    """bindings: (binding, stride, "VERTEX"); attributes: (location, binding, format, offset)"""
    return {**structure("PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO"), "pNext": next_, "flags": 0,
            "vertexBindingDescriptionCount": len(bindings),
            "pVertexBindingDescriptions": [
                {"binding": b, "stride": s, "inputRate": "VK_VERTEX_INPUT_RATE_" + r}
                for b, s, r in bindings] or NULL,
            "vertexAttributeDescriptionCount": len(attributes),
            "pVertexAttributeDescriptions": [
                {"location": l, "binding": b, "format": "VK_FORMAT_" + f, "offset": o}
                for l, b, f, o in attributes] or NULL}


def blend(source="ONE", target="ZERO", mask="VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | "
          "VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT", on=False):
    info = {"blendEnable": "VK_TRUE" if on else "VK_FALSE", "colorWriteMask": mask}
    for part in ("Color", "Alpha"):
        info[f"src{part}BlendFactor"] = "VK_BLEND_FACTOR_" + source
        info[f"dst{part}BlendFactor"] = "VK_BLEND_FACTOR_" + target
        info[f"{part.lower()}BlendOp"] = "VK_BLEND_OP_ADD"
    return info


def color_blend(attachments, **members):
    return structure("PIPELINE_COLOR_BLEND_STATE_CREATE_INFO", flags=0,
                     **{"logicOpEnable": "VK_FALSE", "logicOp": "VK_LOGIC_OP_COPY", **members},
                     attachmentCount=len(attachments), pAttachments=attachments or NULL,
                     blendConstants=[0.0, 0.0, 0.0, 0.0])


def depth_stencil(**members):
    face = {"failOp": "VK_STENCIL_OP_KEEP", "passOp": "VK_STENCIL_OP_KEEP",
            "depthFailOp": "VK_STENCIL_OP_KEEP", "compareOp": "VK_COMPARE_OP_ALWAYS",
            "compareMask": 255, "writeMask": 255, "reference": 0}
    return structure("PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO",
                     **{"flags": 0, "depthTestEnable": "VK_TRUE", "depthWriteEnable": "VK_TRUE",
                        "depthCompareOp": "VK_COMPARE_OP_LESS", "depthBoundsTestEnable": "VK_FALSE",
                        "stencilTestEnable": "VK_FALSE", "front": face, "back": face,
                        "minDepthBounds": 0.0, "maxDepthBounds": 1.0, **members})


def multisample(samples=1, **members):
    return structure("PIPELINE_MULTISAMPLE_STATE_CREATE_INFO", flags=0,
                     rasterizationSamples=f"VK_SAMPLE_COUNT_{samples}_BIT",
                     **{"sampleShadingEnable": "VK_FALSE", "minSampleShading": 0.0,
                        "pSampleMask": NULL, "alphaToCoverageEnable": "VK_FALSE",
                        "alphaToOneEnable": "VK_FALSE", **members})


def rasterization(next_=NULL, **members):
    return {**structure("PIPELINE_RASTERIZATION_STATE_CREATE_INFO"), "pNext": next_, "flags": 0,
            "depthClampEnable": "VK_FALSE", "rasterizerDiscardEnable": "VK_FALSE",
            "polygonMode": "VK_POLYGON_MODE_FILL", "cullMode": "VK_CULL_MODE_NONE",
            "frontFace": "VK_FRONT_FACE_CLOCKWISE", "depthBiasEnable": "VK_FALSE",
            "depthBiasConstantFactor": 0.0, "depthBiasClamp": 0.0, "depthBiasSlopeFactor": 0.0,
            "lineWidth": 1.0, **members}


def input_assembly(topology="TRIANGLE_LIST"):
    return structure("PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO", flags=0,
                     topology="VK_PRIMITIVE_TOPOLOGY_" + topology, primitiveRestartEnable="VK_FALSE")


def dynamic(*names):
    return structure("PIPELINE_DYNAMIC_STATE_CREATE_INFO", flags=0, dynamicStateCount=len(names),
                     pDynamicStates=["VK_DYNAMIC_STATE_" + name for name in names])


def viewport():
    return structure("PIPELINE_VIEWPORT_STATE_CREATE_INFO", flags=0, viewportCount=1,
                     pViewports=[{"x": 0.0, "y": 0.0, "width": 64.0, "height": 64.0,
                                  "minDepth": 0.0, "maxDepth": 1.0}],
                     scissorCount=1, pScissors=[{"offset": {"x": 0, "y": 0},
                                                 "extent": {"width": 64, "height": 64}}])


def graphics(shaders, sets=(), push=(), extensions=(), uuid=None, next_=NULL, constants=None,
             pass_=None, pass2=None, index=0, entries=None, **states):
    """A graphics pipeline. shaders: {"VERTEX": file, ...}; states: pMultisampleState=... and so on;
    constants, entries: of stages by name."""
    stages = [stage(name, (entries or {}).get(name, "main"), (constants or {}).get(name, NULL))
              for name in shaders]
    info = {**structure("GRAPHICS_PIPELINE_CREATE_INFO"), "pNext": next_, "flags": 0,
            "stageCount": len(stages), "pStages": stages,
            "pVertexInputState": vertex_input([], []), "pInputAssemblyState": input_assembly(),
            "pTessellationState": NULL, "pViewportState": viewport(),
            "pRasterizationState": rasterization(), "pMultisampleState": multisample(),
            "pDepthStencilState": NULL, "pColorBlendState": color_blend([blend()]),
            "pDynamicState": NULL, "layout": "", "renderPass": "", "subpass": index,
            "basePipelineHandle": "", "basePipelineIndex": -1, **states}
    # In another order than pStages: they belong together by their stages.
    names = [{"stage": f"VK_SHADER_STAGE_{name}_BIT", "filename": file}
             for name, file in reversed(shaders.items())]
    state = {**layouts(sets, push), "ShaderFileNames": names, "PhysicalDeviceFeatures": features(),
             "GraphicsPipeline": info}
    if pass2 is not None:
        state["Renderpass2"] = pass2
    else:
        state["Renderpass"] = pass_ or render_pass([attachment()], [subpass()])
    return with_identifier({"EnabledExtensions": list(extensions), "GraphicsPipelineState": state}, uuid)


def change(pipeline, pointer, value=None, remove=False):
    """The pipeline with another value at a place, as a copy."""
    result = copy.deepcopy(pipeline)
    at = result
    *path, last = pointer.strip("/").split("/")
    for name in path:
        at = at[int(name)] if isinstance(at, list) else at[name]
    if isinstance(at, list):
        last = int(last)
    if remove:
        del at[last]
    else:
        at[last] = value
    return result
