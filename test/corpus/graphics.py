# SPDX-License-Identifier: MIT
"""The graphics pipelines of the shader corpus, as inputs of amdllpc.

`captured` turns each captured pipeline (pipelines/*/graphics/*.json) with its layout and state into
a .pipe file. `groups` are the stages that MANIFEST.tsv says belong together, and `alone` is each
graphics shader by itself, compiled as a part of a pipeline.
"""
import json
import os

import modules as corpus_modules

SETS = ("captured", "groups", "alone")
# The corpus has no mesh shaders; those of test/exec/pairs stand for them.
MESH_PAIRS = (("cells.mesh", "normal.frag"), ("cells.task", "cells.mesh", "normal.frag"))
STAGE_ORDER = ("task", "vert", "tesc", "tese", "geom", "mesh", "frag")

# VkShaderStageFlagBits -> (prefix of .pipe sections, bit of the visibility mask)
STAGES = {
    "VK_SHADER_STAGE_TASK_BIT_EXT": ("Task", 1 << 0),
    "VK_SHADER_STAGE_VERTEX_BIT": ("Vs", 1 << 1),
    "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT": ("Tcs", 1 << 2),
    "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT": ("Tes", 1 << 3),
    "VK_SHADER_STAGE_GEOMETRY_BIT": ("Gs", 1 << 4),
    "VK_SHADER_STAGE_MESH_BIT_EXT": ("Mesh", 1 << 5),
    "VK_SHADER_STAGE_FRAGMENT_BIT": ("Fs", 1 << 6),
}
# VkDescriptorType -> (node type, dwords of one descriptor)
NODES = {
    "VK_DESCRIPTOR_TYPE_SAMPLER": ("DescriptorSampler", 4),
    "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER": ("DescriptorCombinedTexture", 12),
    "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE": ("DescriptorResource", 8),
    "VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT": ("DescriptorResource", 8),
    "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE": ("DescriptorImage", 8),
    "VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER": ("DescriptorConstTexelBuffer", 4),
    "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER": ("DescriptorTexelBuffer", 4),
    "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER": ("DescriptorConstBuffer", 4),
    "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC": ("DescriptorConstBuffer", 4),
    "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER": ("DescriptorBuffer", 4),
    "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC": ("DescriptorBuffer", 4),
}
# What matters of an immutable sampler here is that it is a constant: repeat, nearest.
SAMPLER_WORDS = (0x00000000, 0x00F00000, 0x00000000, 0x00000000)
ALPHA_FACTORS = ("VK_BLEND_FACTOR_SRC_ALPHA", "VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA",
                 "VK_BLEND_FACTOR_SRC_ALPHA_SATURATE")
DUAL_SOURCE = "SRC1"


def visibility(flags):
    """Visibility mask of VkShaderStageFlags; stages of other pipelines do not count."""
    return sum(STAGES[flag][1] for flag in flags if flag in STAGES)


def shader_sections(pipeline, modules_folder):
    """[VsSpvFile], [VsInfo] and so on."""
    lines = []
    for stage in pipeline["stages"]:
        prefix, _ = STAGES[stage["stage"]]
        lines += [f"[{prefix}SpvFile]",
                  f"fileName = {os.path.join(modules_folder, stage['module'] + '.spv')}", "",
                  f"[{prefix}Info]", f"entryPoint = {stage['name']}"]
        info = stage.get("specializationInfo")
        if info:
            for i, entry in enumerate(info["mapEntries"]):
                for key in ("constantID", "offset", "size"):
                    lines.append(f"specConst.mapEntry[{i}].{key} = {entry[key]}")
            data = bytes.fromhex(info["data"])
            data += bytes(-len(data) % 4)
            words = (int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4))
            lines.append("specConst.uintData = " + ", ".join(str(word) for word in words))
        lines.append("")
    return lines


def resource_section(layout):
    """[ResourceMapping]: a table per set, then push constants."""
    lines, statics, root = ["[ResourceMapping]"], [], 0
    for number, layout_set in enumerate(layout["setLayouts"]):
        node = f"userDataNode[{root}]"
        bindings = [b for b in sorted(layout_set["bindings"], key=lambda b: b["binding"])
                    if b["descriptorCount"]]
        mask = 0
        for binding in bindings:
            mask |= visibility(binding["stageFlags"])
        lines += [f"{node}.visibility = {mask}", f"{node}.type = DescriptorTableVaPtr",
                  f"{node}.offsetInDwords = {root}", f"{node}.sizeInDwords = 1"]
        offset = 0
        for i, binding in enumerate(bindings):
            kind, dwords = NODES[binding["descriptorType"]]
            size = dwords * binding["descriptorCount"]
            for key, value in (("type", kind), ("offsetInDwords", offset), ("sizeInDwords", size),
                               ("set", number), ("binding", binding["binding"])):
                lines.append(f"{node}.next[{i}].{key} = {value}")
            offset += size
            if binding.get("immutableSamplers"):
                statics.append((visibility(binding["stageFlags"]), number, binding))
        root += 1
    end = max((r["offset"] + r["size"] for r in layout["pushConstantRanges"]), default=0)
    if end:
        mask = 0
        for push_range in layout["pushConstantRanges"]:
            mask |= visibility(push_range["stageFlags"])
        node = f"userDataNode[{root}]"
        lines += [f"{node}.visibility = {mask}", f"{node}.type = PushConst",
                  f"{node}.offsetInDwords = {root}", f"{node}.sizeInDwords = {(end + 3) // 4}"]
    for i, (mask, number, binding) in enumerate(statics):
        value = f"descriptorRangeValue[{i}]"
        words = SAMPLER_WORDS * binding["descriptorCount"]
        lines += [f"{value}.visibility = {mask}", f"{value}.type = DescriptorSampler",
                  f"{value}.set = {number}", f"{value}.binding = {binding['binding']}",
                  f"{value}.arraySize = {binding['descriptorCount']}",
                  f"{value}.uintData = " + ", ".join(str(word) for word in words)]
    return lines + [""]


def vertex_section(state):
    """[VertexInputState]"""
    lines = ["[VertexInputState]"]
    for i, binding in enumerate(state["bindings"]):
        for key in ("binding", "stride", "inputRate"):
            lines.append(f"binding[{i}].{key} = {binding[key]}")
    for i, attribute in enumerate(state["attributes"]):
        for key in ("location", "binding", "format", "offset"):
            lines.append(f"attribute[{i}].{key} = {attribute[key]}")
    divisors = [d for extension in state.get("pNext", ()) for d in
                extension.get("vertexBindingDivisors", ())]
    for i, divisor in enumerate(divisors):
        lines += [f"divisor[{i}].{key} = {divisor[key]}" for key in ("binding", "divisor")]
    return lines + [""] if len(lines) > 1 else []


def color_formats(pipeline):
    """VkFormats of the colour attachments, None where unused."""
    if "rendering" in pipeline:
        return pipeline["rendering"]["colorAttachmentFormats"]
    references = pipeline.get("renderPass", {}).get("subpass", {}).get("colorAttachments", [])
    return [reference and reference.get("format") for reference in references]


def state_section(pipeline):
    """[GraphicsPipelineState]. Written by hand: what has no line here has its default."""
    lines = ["[GraphicsPipelineState]",
             f"topology = {pipeline['inputAssemblyState']['topology']}"]
    if "tessellationState" in pipeline:
        lines.append(f"patchControlPoints = {pipeline['tessellationState']['patchControlPoints']}")
    raster = pipeline["rasterizationState"]
    lines.append(f"rasterizerDiscardEnable = {int(raster['rasterizerDiscardEnable'])}")
    samples = pipeline.get("multisampleState")
    if samples:
        count = samples["rasterizationSamples"].split("_")[3]
        lines += [f"numSamples = {count}",
                  f"perSampleShading = {int(samples['sampleShadingEnable'])}",
                  f"alphaToCoverageEnable = {int(samples['alphaToCoverageEnable'])}"]
    attachments = pipeline.get("colorBlendState", {}).get("attachments", [])
    dual = any(DUAL_SOURCE in str(attachment.get(key)) for attachment in attachments
               for key in ("srcColorBlendFactor", "dstColorBlendFactor"))
    lines.append(f"dualSourceBlendEnable = {int(dual)}")
    for i, vk_format in enumerate(color_formats(pipeline)):
        attachment = attachments[i] if i < len(attachments) else None
        if not vk_format or vk_format == "VK_FORMAT_UNDEFINED" or not attachment:
            continue
        mask = sum(1 << "RGBA".index(name.split("_")[3]) for name in attachment["colorWriteMask"])
        alpha = (attachment["srcColorBlendFactor"] in ALPHA_FACTORS
                 or attachment["dstColorBlendFactor"] in ALPHA_FACTORS)
        lines += [f"colorBuffer[{i}].format = {vk_format}",
                  f"colorBuffer[{i}].channelWriteMask = {mask}",
                  f"colorBuffer[{i}].blendEnable = {int(attachment['blendEnable'])}",
                  f"colorBuffer[{i}].blendSrcAlphaToColor = {int(alpha)}"]
    return lines + [""]


def pipe_text(pipeline, modules_folder):
    """A whole .pipe file."""
    lines = ["[Version]", "version = 76", ""]
    lines += shader_sections(pipeline, modules_folder)
    lines += resource_section(pipeline["layout"])
    lines += vertex_section(pipeline["vertexInputState"])
    lines += state_section(pipeline)
    return "\n".join(lines)


def captured(corpus, cache):
    """[(name, (file,))]: a .pipe file per captured graphics pipeline, in the cache folder."""
    os.makedirs(cache, exist_ok=True)
    jobs = []
    top = os.path.join(corpus, "pipelines")
    for program in sorted(os.listdir(top)):
        folder = os.path.join(top, program, "graphics")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                pipeline = json.load(file)
            path = os.path.join(cache, f"{program}.{os.path.splitext(name)[0]}.pipe")
            text = pipe_text(pipeline, os.path.join(top, program, "modules"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            jobs.append((f"pipelines/{program}/{name}", (path,)))
    return jobs


def shaders(corpus, cache):
    """{name: (row, file)} of the graphics shaders of the manifest, made into SPIR-V."""
    os.makedirs(cache, exist_ok=True)
    found = {}
    for row in corpus_modules.manifest_rows(corpus, STAGE_ORDER):
        path = os.path.join(cache, row["name"].replace("/", ".") + ".spv")
        error = corpus_modules.build(os.path.join(corpus, row["name"]), row["compile"], path)
        if error:
            raise RuntimeError(error)
        found[row["name"]] = (row, f"{path},{row['entry']}")
    return found


def alone(corpus, cache):
    """[(name, (file,))]: every graphics shader by itself."""
    return [(name, (file,)) for name, (_, file) in shaders(corpus, cache).items()]


def groups(corpus, cache):
    """[(name, files)]: the stages of each pipeline of the manifest that has several."""
    by_group = {}
    for row, file in shaders(corpus, cache).values():
        for group in row["pipelines"].split():
            if group != "-":
                by_group.setdefault(group.strip(","), []).append((row["stage"], file))
    jobs = []
    for group, stages in by_group.items():
        stages.sort(key=lambda stage: STAGE_ORDER.index(stage[0]))
        jobs.append((group, tuple(file for _, file in stages)))
    return jobs


def load(corpus, cache, which):
    """Jobs of one of SETS, in a fixed order."""
    return {"captured": captured, "groups": groups, "alone": alone}[which](corpus, cache)
