//===- DrawsForTest.h - draws that must compile nothing -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"

namespace icd {

inline const char *const inputText = "layout(location = 0) in vec4 position;\n";
inline const char *const vertexText = "layout(location = 0) out float value;\n"
                                      "void main() { gl_Position = position; value = position.x; }";
inline const char *const controlText =
    "layout(vertices = 3) out;\nlayout(location = 0) in float value[];\n"
    "layout(location = 0) out float last[];\n"
    "void main() { last[gl_InvocationID] = value[gl_PatchVerticesIn - 1];\n"
    "gl_TessLevelOuter = float[](1, 1, 1, 1); gl_TessLevelInner = float[](1, 1); }";
inline const char *const evaluationText =
    "layout(triangles) in;\nlayout(location = 0) in float last[];\n"
    "void main() { gl_Position = vec4(gl_TessCoord.xy, last[0], 1); }";
/// Emits to streams 0 and 2.
inline const char *const geometryText =
    "layout(points) in;\nlayout(points, max_vertices = 2) out;\n"
    "layout(location = 0) in float value[];\n"
    "layout(stream = 0, location = 0) out vec4 a;\nlayout(stream = 2, location = 1) out vec4 b;\n"
    "void main() { a = vec4(value[0]); gl_Position = vec4(1); EmitStreamVertex(0);\n"
    "b = vec4(2); EmitStreamVertex(2); }";
inline const char *const stripText =
    "layout(points) in;\nlayout(triangle_strip, max_vertices = 4) out;\n"
    "layout(location = 0) in float value[];\nlayout(location = 0) flat out float number;\n"
    "void main() { for (int i = 0; i < 4; ++i) { number = value[0] + i;\n"
    "gl_Position = vec4(i & 1, i >> 1, 0, 1); EmitVertex(); } }";
inline const char *const fragmentText = "layout(location = 0) out vec4 color;\n"
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
  struct Compiled {
    uint64_t parts, glue, whole;
    bool operator==(const Compiled &) const = default;
  };
  Compiled compiled() { return {counters().partsBuilt, counters().glueBuilt, counters().compiled}; }
  /// A draw for which nothing is made.
  void drawReady(VkCommandBuffer commands) {
    const Compiled before = compiled();
    CmdDraw(commands, 32, 1, 0, 0);
    EXPECT_EQ(compiled(), before);
    EXPECT_EQ(counters().drawsThatWaited, 0u);
  }
  /// One attribute of one binding.
  static void setInput(VkCommandBuffer commands, VkFormat format) {
    auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    binding.stride = 16;
    binding.divisor = 1;
    auto attribute = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    attribute.format = format;
    CmdSetVertexInputEXT(commands, 1, &binding, 1, &attribute);
  }
  /// Records a draw with \p set, for which glue for a vertex input is made before.
  void draw(llvm::function_ref<void(VkCommandBuffer)> set, bool mayMakeGlue) {
    const Compiled before = compiled();
    VkCommandBuffer commands = begunCommands();
    CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.back());
    setInput(commands, VK_FORMAT_R8G8B8A8_UNORM);
    set(commands);
    drawReady(commands);
    EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    EXPECT_EQ(counters().compiled, before.whole);
    EXPECT_EQ(counters().partsBuilt, before.parts);
    EXPECT_LE(counters().glueBuilt, before.glue + (mayMakeGlue ? 1 : 0));
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
    for (VkShaderEXT each : std::exchange(shaders, {}))
      DestroyShaderEXT(device, each, nullptr);
    for (VkShaderModule each : std::exchange(modules, {}))
      destroy(each);
    end();
  }

  VkShaderEXT shaderObject(VkShaderStageFlagBits stage, const char *name, const std::string &text) {
    const Spirv code = spirvOfGlsl("#version 460\n" + text, name);
    auto info = vkStruct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT);
    info.stage = stage;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = code.size();
    info.pCode = code.data();
    info.pName = "main";
    shaders.push_back(VK_NULL_HANDLE);
    EXPECT_EQ(CreateShadersEXT(device, 1, &info, nullptr, &shaders.back()), VK_SUCCESS);
    return shaders.back();
  }

  VkCommandPool commandPool = VK_NULL_HANDLE;
  std::vector<VkShaderModule> modules;
  std::vector<VkShaderEXT> shaders;
};

/// Where they come from makes no difference: whole, linked of parts, or made when draws need them.
inline constexpr const char *partSettings[] = {"off", "sync", "on"};

} // namespace icd
