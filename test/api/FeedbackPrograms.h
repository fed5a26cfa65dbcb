//===- FeedbackPrograms.h - shaders whose outputs are captured ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace api {

/// What pipelines and shader objects are made of that capture.
struct Program {
  struct Stage {
    VkShaderStageFlagBits stage;
    const char *name;
    std::string glsl;
  };
  std::vector<Stage> stages;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  std::vector<VkDynamicState> dynamics = {};
};

inline const std::string vertexText = R"(
void main() {
  number = gl_VertexIndex * 10 + 1;
  gl_Position = vec4((vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5) / 4.0 - 1.0, 0.5, 1);
  gl_PointSize = 1;
})";

/// Stream 0 has points with numbers, stream 1 two of them, which are captured, one row below.
inline const char *const geometryGlsl = R"(#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in uint number[];
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) out uint captured;
layout(stream = 1) out gl_PerVertex {
  vec4 gl_Position;
  float gl_PointSize;
};
layout(stream = 1, location = 0) flat out uint value;
void main() {
  EmitStreamVertex(0);
  for (uint i = 0; i < 2; ++i) {
    captured = number[0] + 1000 + i;
    value = number[0] + i;
    gl_Position = gl_in[0].gl_Position + vec4(0, 0.25, 0, 0);
    gl_PointSize = 1;
    EmitStreamVertex(1);
  }
})";

inline const char *const fragmentGlsl = R"(#version 460
layout(location = 0) flat in uint value;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(value, 1, 2, 3); })";

inline Program vertexProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nlayout(location = 0, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) "
            "flat out uint number;" +
                vertexText},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}}};
}

/// Its rasterization stream, 1, is dynamic state.
inline Program geometryProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nlayout(location = 0) out uint number;" + vertexText},
           {VK_SHADER_STAGE_GEOMETRY_BIT, "geom", geometryGlsl},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}},
          VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
          {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}};
}

/// Captures control points and number of each patch, twice: a line of one segment.
inline Program patchProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nvoid main() { gl_Position = vec4(2, 2, 2, 1); }"},
           {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc", R"(#version 460
layout(vertices = 1) out;
layout(location = 0) out uint points[];
void main() {
  points[gl_InvocationID] = gl_PatchVerticesIn;
  gl_TessLevelOuter = float[](1, 1, 1, 1);
})"},
           {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese", R"(#version 460
layout(isolines, point_mode) in;
layout(location = 0) in uint points[];
layout(location = 0, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) flat out uint captured;
void main() {
  captured = points[0] * 100 + gl_PrimitiveID;
  gl_Position = vec4(2, 2, 2, 1);
  gl_PointSize = 1;
})"},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}},
          VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
          {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT}};
}

} // namespace api
