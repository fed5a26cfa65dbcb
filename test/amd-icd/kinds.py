# SPDX-License-Identifier: MIT
"""One pipeline of each kind, as captures that kiln-replay reads (docs/replay.md)."""
import json
import os
import subprocess

VERT = """#version 460
layout(location = 0) in vec4 position; layout(location = 1) in vec2 uv; layout(location = 0) out vec2 toFrag;
layout(set = 0, binding = 0) uniform Matrices { mat4 m; };
void main() { gl_Position = m * position; toFrag = uv; }"""
FRAG = """#version 460
layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(push_constant) uniform Push { vec4 tint; };
void main() { color = texture(image, uv) * tint; }"""
SHADERS = {
    "plain.vert": VERT,
    "plain.frag": FRAG,
    "view.vert": VERT.replace("#version 460", "#version 460\n#extension GL_EXT_multiview : require")
                     .replace("m * position", "m * position + vec4(gl_ViewIndex)"),
    "gather.frag": FRAG.replace("texture(image, uv)", "textureGather(image, uv)"),
    "xfb.vert": VERT.replace("layout(location = 0) out", "layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out"),
    "tess.tesc": """#version 460
layout(vertices = 3) out; layout(location = 0) in vec2 uv[]; layout(location = 0) out vec2 to[];
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; to[gl_InvocationID] = uv[gl_InvocationID];
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 4.0; gl_TessLevelInner[0] = 3.0; }""",
    "tess.tese": """#version 460
layout(triangles, ccw) in; layout(location = 0) in vec2 uv[]; layout(location = 0) out vec2 to;
void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
  gl_TessCoord.z * gl_in[2].gl_Position; to = uv[0] * gl_TessCoord.x + uv[1] * gl_TessCoord.y; }""",
    "geom.geom": """#version 460
layout(triangles) in; layout(triangle_strip, max_vertices = 6) out; layout(location = 0) in vec2 uv[]; layout(location = 0) out vec2 to;
void main() { for (int i = 0; i < 6; ++i) { gl_Position = gl_in[i % 3].gl_Position * (i < 3 ? 1.0 : 0.5); to = uv[i % 3]; EmitVertex();
  if (i == 2) EndPrimitive(); } }""",
    "task.task": """#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in; struct Payload { uint base; }; taskPayloadSharedEXT Payload payload;
void main() { payload.base = gl_WorkGroupID.x; EmitMeshTasksEXT(2, 1, 1); }""",
    "mesh.mesh": """#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in; layout(triangles, max_vertices = 64, max_primitives = 64) out; layout(location = 0) out vec2 uv[];
struct Payload { uint base; }; taskPayloadSharedEXT Payload payload;
void main() { SetMeshOutputsEXT(32, 16); uint i = gl_LocalInvocationIndex;
  gl_MeshVerticesEXT[i].gl_Position = vec4((i & 1) * 1.6 - 0.9 + 0.1 * payload.base, i * 0.06 - 0.9, i * 0.01 + 0.1 * payload.base, 1);
  uv[i] = vec2(i) * 0.07;
  if (i < 16) gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2); }""",
    "groups.comp": """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer Data { uint data[]; }; shared uint sums[64];
void main() { sums[gl_LocalInvocationIndex] = 0; barrier();
  uint sum = subgroupAdd(data[gl_GlobalInvocationID.x]); if (subgroupElect()) atomicAdd(sums[gl_WorkGroupID.x & 63], sum); barrier();
  data[gl_GlobalInvocationID.x] += sums[gl_WorkGroupID.x & 63]; }""",
}
STAGES = {"vert": "VERTEX", "tesc": "TESSELLATION_CONTROL", "tese": "TESSELLATION_EVALUATION", "geom": "GEOMETRY",
          "frag": "FRAGMENT", "comp": "COMPUTE", "task": "TASK", "mesh": "MESH"}
ALL = ["VK_SHADER_STAGE_ALL"]
NO_STENCIL = {"compareMask": 0, "compareOp": "VK_COMPARE_OP_ALWAYS", "depthFailOp": "VK_STENCIL_OP_KEEP",
              "failOp": "VK_STENCIL_OP_KEEP", "passOp": "VK_STENCIL_OP_KEEP", "reference": 0, "writeMask": 0}


NV12 = {"flags": [], "magFilter": "VK_FILTER_LINEAR", "minFilter": "VK_FILTER_LINEAR", "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_NEAREST",
        "addressModeU": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE", "addressModeV": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
        "addressModeW": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE", "mipLodBias": 0.0, "anisotropyEnable": False,
        "maxAnisotropy": 1.0, "compareEnable": False, "compareOp": "VK_COMPARE_OP_NEVER", "minLod": 0.0, "maxLod": 0.0,
        "borderColor": "VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK", "unnormalizedCoordinates": False,
        "pNext": [{"sType": "VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO", "conversion": {
            "format": "VK_FORMAT_G8_B8R8_2PLANE_420_UNORM", "ycbcrModel": "VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709",
            "ycbcrRange": "VK_SAMPLER_YCBCR_RANGE_ITU_NARROW",
            "components": {c: "VK_COMPONENT_SWIZZLE_IDENTITY" for c in "rgba"}, "xChromaOffset": "VK_CHROMA_LOCATION_MIDPOINT",
            "yChromaOffset": "VK_CHROMA_LOCATION_MIDPOINT", "chromaFilter": "VK_FILTER_LINEAR",
            "forceExplicitReconstruction": False}}]}


def layout(stages, **immutable):
    buffer = "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER" if stages == ["groups.comp"] else "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"
    bindings = [{"binding": 0, "descriptorCount": 1, "descriptorType": buffer, "stageFlags": ALL},
                {"binding": 1, "descriptorCount": 1, "descriptorType": "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER",
                 "stageFlags": ALL, **immutable}]
    return {"flags": [], "hash": "", "pushConstantRanges": [{"offset": 0, "size": 16, "stageFlags": ALL}],
            "setLayouts": [{"bindings": bindings, "flags": [], "hash": ""}]}


def graphics(shaders, samples=1, views=0, dynamic=(), topology="TRIANGLE_LIST", formats=("R8G8B8A8_UNORM",), **changed):
    """The create info of a pipeline; `changed` replaces whole members."""
    count = f"VK_SAMPLE_COUNT_{samples}_BIT"
    mask = [f"VK_COLOR_COMPONENT_{c}_BIT" for c in "RGBA"]
    attachment = {"alphaBlendOp": "VK_BLEND_OP_ADD", "blendEnable": True, "colorBlendOp": "VK_BLEND_OP_ADD",
                  "colorWriteMask": mask, "dstAlphaBlendFactor": "VK_BLEND_FACTOR_ZERO",
                  "dstColorBlendFactor": "VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA",
                  "srcAlphaBlendFactor": "VK_BLEND_FACTOR_ONE", "srcColorBlendFactor": "VK_BLEND_FACTOR_SRC_ALPHA"}
    isMesh = any(name.endswith(".mesh") for name in shaders)
    capture = {
        "flags": [], "flagsValue": 0, "kind": "graphics", "layout": layout(shaders),
        "colorBlendState": {"attachments": [attachment] * len(formats), "blendConstants": [0.0] * 4, "flags": [],
                            "logicOp": "VK_LOGIC_OP_CLEAR", "logicOpEnable": False},
        "depthStencilState": {"back": NO_STENCIL, "front": NO_STENCIL, "depthBoundsTestEnable": False,
                              "depthCompareOp": "VK_COMPARE_OP_LESS", "depthTestEnable": True, "depthWriteEnable": True,
                              "flags": [], "maxDepthBounds": 1.0, "minDepthBounds": 0.0, "stencilTestEnable": False},
        "dynamicState": {"dynamicState": [f"VK_DYNAMIC_STATE_{name}" for name in ("VIEWPORT", "SCISSOR", *dynamic)],
                         "flags": []},
        "inputAssemblyState": {"flags": [], "primitiveRestartEnable": False,
                               "topology": f"VK_PRIMITIVE_TOPOLOGY_{topology}"},
        "multisampleState": {"alphaToCoverageEnable": False, "alphaToOneEnable": False, "flags": [],
                             "minSampleShading": 0.0, "rasterizationSamples": count, "sampleShadingEnable": False},
        "rasterizationState": {"cullMode": [], "depthBiasClamp": 0.0, "depthBiasConstantFactor": 0.0,
                               "depthBiasEnable": False, "depthBiasSlopeFactor": 0.0, "depthClampEnable": False,
                               "flags": [], "frontFace": "VK_FRONT_FACE_CLOCKWISE", "lineWidth": 1.0,
                               "polygonMode": "VK_POLYGON_MODE_FILL", "rasterizerDiscardEnable": False},
        "rendering": {"colorAttachmentFormats": [f"VK_FORMAT_{f}" for f in formats], "viewMask": views,
                      "depthAttachmentFormat": "VK_FORMAT_D32_SFLOAT", "stencilAttachmentFormat": "VK_FORMAT_UNDEFINED"},
        "vertexInputState": {"attributes": [
            {"binding": 0, "format": "VK_FORMAT_R32G32B32_SFLOAT", "location": 0, "offset": 0},
            {"binding": 1, "format": "VK_FORMAT_R16G16_SNORM", "location": 1, "offset": 4}],
            "bindings": [{"binding": 0, "inputRate": "VK_VERTEX_INPUT_RATE_VERTEX", "stride": 12},
                         {"binding": 1, "inputRate": "VK_VERTEX_INPUT_RATE_INSTANCE", "stride": 8}], "flags": []},
        "viewportState": {"flags": [], "scissorCount": 1, "viewportCount": 1},
    }
    if any(name.endswith(".tesc") for name in shaders):
        capture["tessellationState"] = {"flags": [], "patchControlPoints": 3}
    if isMesh:
        del capture["vertexInputState"], capture["inputAssemblyState"]
    capture.update(changed)
    return {"shaders": shaders, "capture": {key: value for key, value in capture.items() if value is not None}}


def compute(shaders):
    return {"shaders": shaders, "capture": {"flags": [], "flagsValue": 0, "kind": "compute", "layout": layout(shaders)}}


def multisample(**changed):
    return {**graphics([])["capture"]["multisampleState"], **changed}


VF = ["plain.vert", "plain.frag"]
KINDS = {
    "vertex-fragment": graphics(VF),
    "samples-4": graphics(VF, samples=4, multisampleState=multisample(rasterizationSamples="VK_SAMPLE_COUNT_4_BIT",
                                                                     sampleShadingEnable=True, minSampleShading=1.0)),
    "multiview": graphics(["view.vert", "plain.frag"], views=3),
    "vertex-only": graphics(["plain.vert"], formats=()),
    "tessellation": graphics(["plain.vert", "tess.tesc", "tess.tese", "plain.frag"], topology="PATCH_LIST"),
    "geometry": graphics(["plain.vert", "geom.geom", "plain.frag"]),
    "tessellation-geometry": graphics(["plain.vert", "tess.tesc", "tess.tese", "geom.geom", "plain.frag"],
                                      topology="PATCH_LIST"),
    "transform-feedback": graphics(["xfb.vert", "plain.frag"]),
    "task-mesh": graphics(["task.task", "mesh.mesh", "plain.frag"]),
    "gather": graphics(["plain.vert", "gather.frag"]),
    "ycbcr": graphics(VF, layout=layout(VF, immutableSamplers=[NV12])),
    "dynamic-topology-stride": graphics(VF, dynamic=("PRIMITIVE_TOPOLOGY", "VERTEX_INPUT_BINDING_STRIDE")),
    "dynamic-samples-blend": graphics(VF, dynamic=("RASTERIZATION_SAMPLES_EXT", "COLOR_BLEND_ENABLE_EXT",
                                                   "COLOR_BLEND_EQUATION_EXT", "COLOR_WRITE_MASK_EXT",
                                                   "ALPHA_TO_COVERAGE_ENABLE_EXT")),
    "alpha-to-coverage": graphics(VF, samples=4, formats=("R16G16B16A16_SFLOAT", "R8G8B8A8_UNORM"), multisampleState=multisample(
        rasterizationSamples="VK_SAMPLE_COUNT_4_BIT", alphaToCoverageEnable=True)),
    "dynamic-vertex-input": graphics(VF, dynamic=("VERTEX_INPUT_EXT",), vertexInputState=None),
    "compute-subgroups": compute(["groups.comp"]),
}


def write(folder):
    """Writes all of them below `folder`/kinds. Returns the names, by the hash that stands for each, and the files of modules."""
    program = os.path.join(folder, "kinds")
    for name in ("graphics", "compute", "modules"):
        os.makedirs(os.path.join(program, name), exist_ok=True)
    modules = {}
    for number, (name, text) in enumerate(SHADERS.items()):
        source, modules[name] = os.path.join(folder, name), f"{number + 1:016x}"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        out = os.path.join(program, "modules", modules[name] + ".spv")
        subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.3", "-o", out, source], check=True,
                       stdout=subprocess.DEVNULL)
    names = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        hash64 = f"{number + 0x100:016x}"
        names[hash64] = name
        capture = json.loads(json.dumps(kind["capture"]))
        capture["hash"] = hash64
        capture["layout"]["hash"] = capture["layout"]["setLayouts"][0]["hash"] = hash64
        stages = [{"flags": [], "module": modules[shader], "name": "main",
                   "stage": f"VK_SHADER_STAGE_{STAGES[shader.split('.')[1]]}_BIT" + ("_EXT" if shader[-4:] in ("task", "mesh") else "")}
                  for shader in kind["shaders"]]
        capture["stages"] = stages
        with open(os.path.join(program, capture["kind"], hash64 + ".json"), "w", encoding="utf-8") as file:
            json.dump(capture, file, indent=1)
    return names, {name: os.path.join(program, "modules", number + ".spv") for name, number in modules.items()}
