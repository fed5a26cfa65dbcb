//===- PipelineVariantsTest.cpp - what draws may compile: nothing ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"
#include "icd_glue/shader/DrawVariants.h"

using namespace icd;

namespace {

const char *const inputText = "layout(location = 0) in vec4 position;\n";
const char *const vertexText = "layout(location = 0) out float value;\n"
                               "void main() { gl_Position = position; value = position.x; }";
const char *const controlText =
    "layout(vertices = 3) out;\nlayout(location = 0) in float value[];\n"
    "layout(location = 0) out float last[];\n"
    "void main() { last[gl_InvocationID] = value[gl_PatchVerticesIn - 1];\n"
    "gl_TessLevelOuter = float[](1, 1, 1, 1); gl_TessLevelInner = float[](1, 1); }";
const char *const evaluationText =
    "layout(triangles) in;\nlayout(location = 0) in float last[];\n"
    "void main() { gl_Position = vec4(gl_TessCoord.xy, last[0], 1); }";
/// Emits to streams 0 and 2.
const char *const geometryText =
    "layout(points) in;\nlayout(points, max_vertices = 2) out;\n"
    "layout(location = 0) in float value[];\n"
    "layout(stream = 0, location = 0) out vec4 a;\nlayout(stream = 2, location = 1) out vec4 b;\n"
    "void main() { a = vec4(value[0]); gl_Position = vec4(1); EmitStreamVertex(0);\n"
    "b = vec4(2); EmitStreamVertex(2); }";
const char *const fragmentText = "layout(location = 0) out vec4 color;\n"
                                 "void main() { color = vec4(1); }";

/// A draw for each value of a state that is dynamic, with pipelines that are made in every way.
class DrawsCompileNothing : public Parts {
protected:
  VkShaderModule shader(const char *stage, const std::string &text) {
    modules.push_back(module(spirvOfGlsl("#version 460\n" + text, stage)));
    return modules.back();
  }
  /// The first stages, before a fragment shader.
  const PipelineData &
  pipeline(const std::vector<std::pair<VkShaderStageFlagBits, const char *>> &stages,
           const std::vector<VkDynamicState> &dynamics, VkPrimitiveTopology topology,
           VkPipelineCreateFlags flags = 0) {
    vktest::GraphicsInfo graphics;
    for (const auto &[stage, text] : stages)
      graphics.addStage(
          stage, shader(stage == VK_SHADER_STAGE_VERTEX_BIT                 ? "vert"
                        : stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT ? "tesc"
                        : stage == VK_SHADER_STAGE_GEOMETRY_BIT             ? "geom"
                                                                            : "tese",
                        std::string(stage == VK_SHADER_STAGE_VERTEX_BIT ? inputText : "") + text));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, shader("frag", fragmentText));
    graphics.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
    graphics.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    graphics.dynamics = dynamics;
    graphics.assembly.topology = topology;
    graphics.info.layout = layout({1});
    graphics.info.flags = flags;
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &graphics.done(), nullptr, &made),
              VK_SUCCESS);
    return keep(made);
  }
  /// Records a draw with \p set, which has nothing compiled but glue for a vertex input.
  void draw(llvm::function_ref<void(VkCommandBuffer)> set, bool mayMakeGlue) {
    const uint64_t parts = counters().partsBuilt, whole = counters().compiled,
                   glue = counters().glueBuilt;
    VkCommandBuffer commands = begunCommands();
    CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.back());
    auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    binding.stride = 16;
    binding.divisor = 1;
    auto attribute = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    attribute.format = VK_FORMAT_R8G8B8A8_UNORM;
    CmdSetVertexInputEXT(commands, 1, &binding, 1, &attribute);
    set(commands);
    CmdDraw(commands, 32, 1, 0, 0);
    EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    EXPECT_EQ(counters().compiled, whole);
    EXPECT_EQ(counters().partsBuilt, parts);
    EXPECT_LE(counters().glueBuilt, glue + (mayMakeGlue ? 1 : 0));
  }
  VkCommandBuffer begunCommands() {
    if (!commandPool) {
      auto poolInfo = vkStruct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
      EXPECT_EQ(CreateCommandPool(device, &poolInfo, nullptr, &commandPool), VK_SUCCESS);
    }
    auto info =
        vkStruct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = commandPool;
    info.commandBufferCount = 1;
    VkCommandBuffer made = VK_NULL_HANDLE;
    EXPECT_EQ(AllocateCommandBuffers(device, &info, &made), VK_SUCCESS);
    auto beginInfo =
        vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    EXPECT_EQ(BeginCommandBuffer(made, &beginInfo), VK_SUCCESS);
    return made;
  }
  void finish() {
    DestroyCommandPool(device, std::exchange(commandPool, VK_NULL_HANDLE), nullptr);
    for (VkShaderModule each : std::exchange(modules, {}))
      destroy(each);
    end();
  }

  VkCommandPool commandPool = VK_NULL_HANDLE;
  std::vector<VkShaderModule> modules;
};

/// Where they come from makes no difference: whole, linked of parts, or made when draws need them.
constexpr const char *partSettings[] = {"off", "sync", "on"};

TEST_F(DrawsCompileNothing, WithControlPoints) {
  for (const char *parts : partSettings)
    for (bool hasInput : {false, true}) {
      SCOPED_TRACE(std::string(parts) + (hasInput ? " with vertex input" : ""));
      begin({{"KILN_PARTS", parts}});
      std::vector<VkDynamicState> dynamics = {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT};
      if (hasInput)
        dynamics.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
      pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText},
                {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, controlText},
                {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, evaluationText}},
               dynamics, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
      if (parts == std::string("on"))
        partial().waitIdle();
      for (uint32_t points : {1, 3, 4, 7, 32})
        draw([&](VkCommandBuffer commands) { CmdSetPatchControlPointsEXT(commands, points); },
             hasInput && points == 1);
      finish();
    }
}

TEST_F(DrawsCompileNothing, WithStreams) {
  for (const char *parts : partSettings)
    for (bool hasInput : {false, true}) {
      SCOPED_TRACE(std::string(parts) + (hasInput ? " with vertex input" : ""));
      begin({{"KILN_PARTS", parts}});
      std::vector<VkDynamicState> dynamics = {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT};
      if (hasInput)
        dynamics.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
      const PipelineData &data = pipeline(
          {{VK_SHADER_STAGE_VERTEX_BIT, vertexText}, {VK_SHADER_STAGE_GEOMETRY_BIT, geometryText}},
          dynamics, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
      if (parts == std::string("on"))
        partial().waitIdle();
      // With streams that get no vertices any code draws nothing.
      for (uint32_t stream = 0; stream < 4; ++stream)
        EXPECT_EQ(data.hasStream(stream), stream % 2 == 0);
      for (uint32_t stream : {0, 1, 2, 3, 2, 0})
        draw([&](VkCommandBuffer commands) { CmdSetRasterizationStreamEXT(commands, stream); },
             hasInput && stream % 2 == 0);
      finish();
    }
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
  std::vector<VkShaderEXT> made;
  std::vector<Spirv> codes;
  auto object = [&](VkShaderStageFlagBits stage, const char *name, const std::string &text) {
    codes.push_back(spirvOfGlsl("#version 460\n" + text, name));
    auto info = vkStruct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT);
    info.stage = stage;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = codes.back().size();
    info.pCode = codes.back().data();
    info.pName = "main";
    made.push_back(VK_NULL_HANDLE);
    EXPECT_EQ(CreateShadersEXT(device, 1, &info, nullptr, &made.back()), VK_SUCCESS);
    return fromHandle<ShaderObject>(made.back())->data;
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
  for (VkShaderEXT shader : made)
    DestroyShaderEXT(device, shader, nullptr);
  end();
}

} // namespace
