//===- DrawPreparationTest.cpp - code before draws need it ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/pipeline/DrawsForTest.h"
#include <algorithm>

namespace icd {
namespace {

/// State of draws with shader objects, in the order in which it is set.
class ShaderDraws : public DrawsCompileNothing {
protected:
  struct Stages {
    VkShaderEXT vertex = VK_NULL_HANDLE, control = VK_NULL_HANDLE, evaluation = VK_NULL_HANDLE,
                geometry = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  };
  struct State {
    Stages stages;
    uint32_t viewMask = 0;
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkProvokingVertexModeEXT provokingVertex = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
    VkTessellationDomainOrigin origin = VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
    uint32_t stream = 0;
    VkFormat attribute = VK_FORMAT_R32G32B32A32_SFLOAT;
    VkColorComponentFlags mask = 0xF;
    VkBool32 blends = VK_FALSE, alphaToCoverage = VK_FALSE;
  };
  using Setter = void (*)(VkCommandBuffer, const State &);

  static void setRendering(VkCommandBuffer c, const State &state) {
    auto *object = fromHandle<CommandBuffer>(c);
    if (object->rendering())
      CmdEndRendering(c);
    auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = view;
    auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    info.renderArea.extent = {4, 4};
    info.layerCount = 1;
    info.viewMask = state.viewMask;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    CmdBeginRendering(c, &info);
  }
  static void setShaders(VkCommandBuffer c, const State &state) {
    constexpr VkShaderStageFlagBits stages[] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkShaderEXT handles[] = {state.stages.vertex, state.stages.control,
                                   state.stages.evaluation, state.stages.geometry,
                                   state.stages.fragment};
    CmdBindShadersEXT(c, 5, stages, handles);
  }
  static void setInput(VkCommandBuffer c, const State &state) {
    DrawsCompileNothing::setInput(c, state.attribute);
  }
  static constexpr Setter setters[] = {
      setRendering,
      setShaders,
      setInput,
      [](VkCommandBuffer c, const State &s) { CmdSetPrimitiveTopology(c, s.topology); },
      [](VkCommandBuffer c, const State &s) { CmdSetProvokingVertexModeEXT(c, s.provokingVertex); },
      [](VkCommandBuffer c, const State &s) { CmdSetTessellationDomainOriginEXT(c, s.origin); },
      [](VkCommandBuffer c, const State &s) { CmdSetRasterizationStreamEXT(c, s.stream); },
      [](VkCommandBuffer c, const State &) { CmdSetPatchControlPointsEXT(c, 3); },
      [](VkCommandBuffer c, const State &s) { CmdSetColorWriteMaskEXT(c, 0, 1, &s.mask); },
      [](VkCommandBuffer c, const State &s) { CmdSetColorBlendEnableEXT(c, 0, 1, &s.blends); },
      [](VkCommandBuffer c, const State &) {
        const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE,
                                                  VK_BLEND_OP_ADD,           VK_BLEND_FACTOR_ONE,
                                                  VK_BLEND_FACTOR_ONE,       VK_BLEND_OP_ADD};
        CmdSetColorBlendEquationEXT(c, 0, 1, &equation);
      },
      [](VkCommandBuffer c, const State &s) {
        CmdSetAlphaToCoverageEnableEXT(c, s.alphaToCoverage);
      },
      [](VkCommandBuffer c, const State &) {
        const VkViewport viewport = {0, 0, 4, 4, 0, 1};
        CmdSetViewportWithCount(c, 1, &viewport);
      }};

  Stages plain() {
    Stages stages;
    stages.vertex =
        shaderObject(VK_SHADER_STAGE_VERTEX_BIT, "vert", std::string(inputText) + vertexText);
    stages.fragment = shaderObject(VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentText);
    return stages;
  }
  Stages tessellated() {
    Stages stages = plain();
    stages.control = shaderObject(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc", controlText);
    stages.evaluation =
        shaderObject(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese", evaluationText);
    return stages;
  }
  Stages amplified() {
    Stages stages = plain();
    stages.geometry = shaderObject(VK_SHADER_STAGE_GEOMETRY_BIT, "geom", geometryText);
    return stages;
  }
  /// Draws with each state, all of which is set again in front of each draw.
  void check(const std::vector<State> &states) {
    if (PartialPipeline *background = object().partial()) // which counts as well
      background->waitIdle();
    std::vector<Setter> order(std::begin(setters), std::end(setters));
    // Each command is the last one once.
    for (size_t turn = 0; turn < order.size(); ++turn) {
      VkCommandBuffer commands = begunCommands();
      for (const State &state : states) {
        for (Setter set : order)
          set(commands, state);
        drawReady(commands);
      }
      CmdEndRendering(commands);
      EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
      std::rotate(order.begin(), order.begin() + 1, order.end());
    }
  }
  /// Draws, and again with \p second's value of one state alone, which so is what the second draw's
  /// code comes by.
  void checkEachAlone(const State &first, const State &second) {
    for (Setter changed : setters) {
      VkCommandBuffer commands = begunCommands();
      for (Setter set : setters)
        set(commands, first);
      drawReady(commands);
      changed(commands, second);
      drawReady(commands);
      CmdEndRendering(commands);
      EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    }
  }
  void begin(const char *parts) {
    DrawsCompileNothing::begin({{"KILN_PARTS", parts}});
    makeTarget();
  }
  void makeTarget();
  void finish() {
    DestroyImageView(device, std::exchange(view, VK_NULL_HANDLE), nullptr);
    DestroyImage(device, image, nullptr);
    FreeMemory(device, memory, nullptr);
    DrawsCompileNothing::finish();
  }

  static inline VkImageView view = VK_NULL_HANDLE;
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

void ShaderDraws::makeTarget() {
  auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {4, 4, 1};
  info.mipLevels = 1;
  info.arrayLayers = 2;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  EXPECT_EQ(CreateImage(device, &info, nullptr, &image), VK_SUCCESS);
  VkMemoryRequirements needs = {};
  GetImageMemoryRequirements(device, image, &needs);
  auto allocation = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocation.allocationSize = needs.size;
  EXPECT_EQ(AllocateMemory(device, &allocation, nullptr, &memory), VK_SUCCESS);
  EXPECT_EQ(BindImageMemory(device, image, memory, 0), VK_SUCCESS);
  auto viewInfo = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  viewInfo.image = image;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
  EXPECT_EQ(CreateImageView(device, &viewInfo, nullptr, &view), VK_SUCCESS);
}

TEST_F(ShaderDraws, WithAnyStateInAnyOrder) {
  for (const char *parts : partSettings) {
    SCOPED_TRACE(parts);
    begin(parts);
    const Stages simple = plain();
    State state = {.stages = simple};
    std::vector<State> states = {state};
    auto add = [&](auto change) {
      state = {.stages = simple};
      change();
      states.push_back(state);
    };
    add([&] { state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST; });
    add([&] { state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; });
    add([&] { state.provokingVertex = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT; });
    add([&] { state.viewMask = 3; });
    add([&] { state.attribute = VK_FORMAT_R8G8B8A8_UNORM; });
    add([&] { state.mask = 7; });
    add([&] { state.blends = VK_TRUE; });
    add([&] { state.alphaToCoverage = VK_TRUE; });
    check(states);
    finish();
  }
}

TEST_F(ShaderDraws, WithOneStateChanged) {
  for (const char *parts : partSettings) {
    SCOPED_TRACE(parts);
    begin(parts);
    const State first = {.stages = plain()};
    Stages others = plain();
    others.fragment = shaderObject(VK_SHADER_STAGE_FRAGMENT_BIT, "frag",
                                   "layout(location = 0) out vec4 color;\n"
                                   "void main() { color = gl_FragCoord; }");
    checkEachAlone(first, {.stages = others,
                           .viewMask = 3,
                           .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                           .provokingVertex = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
                           .attribute = VK_FORMAT_R8G8B8A8_SNORM,
                           .mask = 7,
                           .blends = VK_TRUE,
                           .alphaToCoverage = VK_TRUE});
    const State patches = {.stages = tessellated(), .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
    State turned = patches;
    turned.origin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
    checkEachAlone(patches, turned);
    const State points = {.stages = amplified(), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    State streamed = points;
    streamed.stream = 2;
    streamed.provokingVertex = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    checkEachAlone(points, streamed);
    finish();
  }
}

TEST_F(ShaderDraws, WithTessellationAndGeometry) {
  for (const char *parts : partSettings) {
    SCOPED_TRACE(parts);
    begin(parts);
    State patches = {.stages = tessellated(), .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
    State points = {.stages = amplified(), .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    std::vector<State> states = {patches, points};
    patches.origin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
    states.push_back(patches);
    points.stream = 2;
    states.push_back(points);
    points.provokingVertex = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    states.push_back(points);
    check(states);
    finish();
  }
}

/// Pipelines whose parts only linking finds to be incompatible are compiled when they are bound;
/// those with dynamic vertex input by the last of pipeline, input and stride.
TEST_F(ShaderDraws, WithPipelinesInAnyOrder) {
  for (const char *parts : partSettings) {
    SCOPED_TRACE(parts);
    begin(parts);
    pipeline({{VK_SHADER_STAGE_VERTEX_BIT, vertexText}},
             {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE},
             VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    const VkPipeline made = pipelines.back();
    State state;
    for (unsigned turn = 0; turn < 6; ++turn) {
      VkCommandBuffer commands = begunCommands();
      state.attribute = turn % 2 ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_SNORM;
      setRendering(commands, state);
      auto setStride = [&] {
        const VkDeviceSize zero = 0, stride = 8 + 2 * turn;
        const VkBuffer none = VK_NULL_HANDLE;
        CmdBindVertexBuffers2(commands, 0, 1, &none, &zero, nullptr, &stride);
      };
      if (turn < 2)
        CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
      if (turn < 4)
        setInput(commands, state);
      setStride();
      if (turn >= 4)
        setInput(commands, state);
      if (turn >= 2)
        CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
      drawReady(commands);
      CmdEndRendering(commands);
      EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    }
    finish();
  }
}

/// Where state comes that nobody could expect, or is left out, draws make their code themselves.
TEST_F(ShaderDraws, DrawsDoWithoutPreparation) {
  begin("off");
  const State state = {.stages = plain(), .attribute = VK_FORMAT_R8G8B8A8_SNORM};
  VkCommandBuffer commands = begunCommands();
  setRendering(commands, state);
  setShaders(commands, state);
  setInput(commands, state); // and no topology
  const Compiled before = compiled();
  CmdDraw(commands, 3, 1, 0, 0);
  EXPECT_EQ(counters().drawsThatWaited, 1u);
  EXPECT_NE(compiled(), before);
  CmdDraw(commands, 3, 1, 0, 0);
  EXPECT_EQ(counters().drawsThatWaited, 1u);
  CmdEndRendering(commands);
  EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
  finish();
}

} // namespace
} // namespace icd
