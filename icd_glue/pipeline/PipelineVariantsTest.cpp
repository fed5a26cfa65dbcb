//===- PipelineVariantsTest.cpp - what draws may compile: nothing ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/DrawsForTest.h"
#include "icd_glue/shader/DrawVariants.h"

using namespace icd;

namespace {

using Dynamics = std::vector<VkDynamicState>;

/// Pipelines with and without parts, and with dynamic vertex input besides \p dynamics, which
/// make(dynamics) creates; then draws(hasInput).
class InEveryWay : public DrawsCompileNothing {
protected:
  template <typename Make, typename Draws>
  void check(const Dynamics &dynamics, Make make, Draws draws) {
    for (const char *parts : partSettings)
      for (bool hasInput : {false, true}) {
        SCOPED_TRACE(std::string(parts) + (hasInput ? " with vertex input" : ""));
        begin({{"KILN_PARTS", parts}});
        Dynamics all = dynamics;
        if (hasInput)
          all.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
        make(all);
        if (parts == std::string("on"))
          partial().waitIdle();
        draws(hasInput);
        finish();
      }
  }
  const PipelineData &patches(const Dynamics &dynamics) {
    return pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText},
                     {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, controlText},
                     {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, evaluationText}},
                    dynamics, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
  }
  const PipelineData &points(const Dynamics &dynamics, const char *geometry) {
    return pipeline(
        {{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, geometry}},
        dynamics, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  }
};

TEST_F(InEveryWay, WithControlPoints) {
  check(
      {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT},
      [&](const Dynamics &dynamics) { patches(dynamics); },
      [&](bool hasInput) {
        for (uint32_t points : {1, 3, 4, 7, 32})
          draw([&](VkCommandBuffer c) { CmdSetPatchControlPointsEXT(c, points); },
               hasInput && points == 1);
      });
}

TEST_F(InEveryWay, WithStreams) {
  check(
      {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT},
      [&](const Dynamics &dynamics) {
        const PipelineData &data = points(dynamics, geometryText);
        // With streams that get no vertices any code draws nothing.
        for (uint32_t stream = 0; stream < 4; ++stream)
          EXPECT_EQ(data.hasStream(stream), stream % 2 == 0);
      },
      [&](bool hasInput) {
        for (uint32_t stream : {0, 1, 2, 3, 2, 0})
          draw([&](VkCommandBuffer c) { CmdSetRasterizationStreamEXT(c, stream); },
               hasInput && stream % 2 == 0);
      });
}

TEST_F(InEveryWay, WithProvokingVertices) {
  using Mode = VkProvokingVertexModeEXT;
  check(
      {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT},
      [&](const Dynamics &dynamics) { points(dynamics, stripText); },
      [&](bool hasInput) {
        for (int mode : {0, 1, 0, 1})
          draw([&](VkCommandBuffer c) { CmdSetProvokingVertexModeEXT(c, static_cast<Mode>(mode)); },
               hasInput);
      });
}

TEST_F(InEveryWay, WithDomainOrigins) {
  using Origin = VkTessellationDomainOrigin;
  check(
      {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT, VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT},
      [&](const Dynamics &dynamics) { patches(dynamics); },
      [&](bool hasInput) {
        for (int origin : {0, 1, 0, 1})
          draw(
              [&](VkCommandBuffer c) {
                CmdSetPatchControlPointsEXT(c, 4);
                CmdSetTessellationDomainOriginEXT(c, static_cast<Origin>(origin));
              },
              hasInput);
      });
}

/// Only code that depends on the vertex is made for both.
TEST_F(DrawsCompileNothing, OneProvokingVertexWillDo) {
  begin({{"KILN_PARTS", "off"}});
  const std::vector<VkDynamicState> dynamics = {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT};
  pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}}, dynamics,
           VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  EXPECT_EQ(counters().compiled, 1u);
  pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, geometryText}},
           dynamics, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_EQ(counters().compiled, 2u); // it makes points
  pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, stripText}},
           dynamics, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_EQ(counters().compiled, 4u);
  finish();
}

/// What other streams need is asked for when the pipeline is created.
TEST_F(DrawsCompileNothing, StreamsAreCompiledWithThePipeline) {
  begin({{"KILN_PARTS", "off"}});
  pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, geometryText}},
           {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  EXPECT_EQ(counters().compiled, 2u);
  pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, geometryText}},
           {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}, VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
           VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
  EXPECT_EQ(counters().compiled, 2u); // the cache has both
  finish();
}

/// Shader objects of stages that are compiled together, and points, are ready before the first
/// draw.
TEST_F(DrawsCompileNothing, WithShaderObjects) {
  begin({{"KILN_PARTS", "on"}});
  auto object = [&](VkShaderStageFlagBits stage, const char *name, const std::string &text) {
    return fromHandle<ShaderObject>(shaderObject(stage, name, text))->data;
  };
  const auto vertex =
      object(VK_SHADER_STAGE_VERTEX_BIT, "vert", std::string(inputText) + vertexText);
  const auto points =
      object(VK_SHADER_STAGE_VERTEX_BIT, "vert",
             std::string(inputText) + "void main() { gl_Position = position; gl_PointSize = 2; }");
  const auto control = object(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc", controlText);
  const auto evaluation =
      object(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese", evaluationText);
  const auto geometry = object(VK_SHADER_STAGE_GEOMETRY_BIT, "geom", geometryText);
  const auto fragment = object(VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentText);
  partial().waitIdle();
  const uint64_t parts = counters().partsBuilt;
  VertexInputState input;
  input.bindings.push_back({0, 16, lgc::VertexInputRate::Vertex, 1});
  input.attributes.push_back({0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  DrawState state;
  state.strides[0] = 16;
  TargetFormats formats;
  formats.colors[0] = VK_FORMAT_R8G8B8A8_UNORM;
  auto draw = [&](const DrawShaders &shaders, pal::device::PrimitiveTopology topology) {
    state.topology = topology;
    auto drawn =
        this->object().drawVariants().obtain(this->object(), shaders, input, state, formats);
    ASSERT_TRUE(bool(drawn));
    EXPECT_NE((*drawn)->program(this->object()), nullptr);
    EXPECT_EQ(counters().partsBuilt, parts);
    EXPECT_EQ(counters().compiled, 0u);
  };
  using pal::device::PrimitiveTopology;
  draw({.vertex = vertex, .fragment = fragment}, PrimitiveTopology::TriangleStrip);
  draw({.vertex = points, .fragment = fragment}, PrimitiveTopology::PointList);
  draw({.vertex = vertex, .geometry = geometry, .fragment = fragment},
       PrimitiveTopology::PointList);
  for (uint32_t number : {3, 4}) {
    state.patchControlPoints = number;
    draw({.vertex = vertex, .control = control, .evaluation = evaluation, .fragment = fragment},
         PrimitiveTopology::PatchList);
  }
  finish();
}

} // namespace
