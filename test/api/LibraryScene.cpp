//===- LibraryScene.cpp - a picture that many pipelines draw --------------===//
// SPDX-License-Identifier: MIT
#include "LibraryScene.h"
#include <bit>
#include <cstring>

namespace api {
namespace {

const char *const vertexGlsl = R"(#version 460
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 tint;
layout(set = 0, binding = 0) uniform Move { vec4 move; };
layout(set = 0, binding = 1) buffer Writes { uint writes[]; };
layout(push_constant) uniform Push { vec4 scale; };
layout(location = 2) out vec4 color;
layout(location = 0) flat out uint number;
void main() {
  gl_Position = vec4(place * scale.xy + move.xy, 0, 1);
  gl_PointSize = 3;
  color = tint;
  number = gl_VertexIndex;
  writes[gl_VertexIndex] = gl_VertexIndex + 1;
})";

const char *const fragmentGlsl = R"(#version 460
layout(constant_id = 0) const float more = 0.0;
layout(location = 2) in vec4 color;
layout(location = 0) flat in uint number;
layout(set = 1, binding = 3) uniform Shade { vec4 shade; };
layout(push_constant) uniform Push { layout(offset = 16) vec4 add; };
layout(location = 0) out vec4 result;
void main() { result = color * shade + add * float(number & 1) + more; })";

constexpr VkFormat targetFormat = VK_FORMAT_R8G8B8A8_UNORM;
const std::vector<Binding> vertexBindings = {
    {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 0, nullptr, VK_SHADER_STAGE_VERTEX_BIT},
    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, 0, nullptr, VK_SHADER_STAGE_VERTEX_BIT}};
const std::vector<Binding> fragmentBindings = {
    {3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 0, nullptr, VK_SHADER_STAGE_FRAGMENT_BIT}};
constexpr VkShaderStageFlags bothStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

struct Vertex {
  float x, y;
  uint8_t color[4];
};
constexpr Vertex triangles[] = {
    {-1, -1, {255, 0, 0, 128}},    {1, -1, {0, 255, 0, 255}},    {-1, 1, {0, 0, 255, 64}},
    {0.9F, 0, {255, 255, 0, 200}}, {0.9F, 1, {0, 255, 255, 90}}, {0, 0.9F, {255, 0, 255, 255}},
};

/// Structures of one VkGraphicsPipelineCreateInfo. Those of other subsets are not there.
struct CreateInfo : vktest::GraphicsInfo {
  CreateInfo(Gpu &gpu, const LibraryState &state, Subsets own, VkPipelineLayout layout,
             const LibraryOptions &options, const LibraryScene &scene);
  VkPipelineShaderStageCreateInfo &addShader(Gpu &gpu, const std::string &glsl,
                                             VkShaderStageFlagBits stage, const char *name);

private:
  void keepOnly(const LibraryState &state, Subsets own);

  static constexpr unsigned maxStages = 4;
  VkPipelineTessellationStateCreateInfo tessellation =
      vkStruct<VkPipelineTessellationStateCreateInfo>(
          VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
  std::vector<uint32_t> words[maxStages];
  const Source source;
  VkShaderModuleCreateInfo modules[maxStages];
  VkShaderModuleIdentifierEXT identifiers[maxStages];
  VkPipelineShaderStageModuleIdentifierCreateInfoEXT byIdentifier[maxStages];
};

VkPipelineShaderStageCreateInfo &CreateInfo::addShader(Gpu &gpu, const std::string &glsl,
                                                       VkShaderStageFlagBits stage,
                                                       const char *name) {
  const size_t i = stages.size();
  words[i] = gpu.spirv(glsl, name);
  modules[i] = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  modules[i].codeSize = words[i].size() * 4;
  modules[i].pCode = words[i].data();
  if (source == Source::Inline)
    return addStage(stage, VK_NULL_HANDLE, &modules[i]);
  if (source != Source::Identifier)
    return addStage(stage, VK_NULL_HANDLE);
  identifiers[i] =
      vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
  gpu.vk.GetShaderModuleCreateInfoIdentifierEXT(gpu.device, &modules[i], &identifiers[i]);
  byIdentifier[i] = vkStruct<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
  byIdentifier[i].identifierSize = identifiers[i].identifierSize;
  byIdentifier[i].pIdentifier = identifiers[i].identifier;
  return addStage(stage, VK_NULL_HANDLE, &byIdentifier[i]);
}

CreateInfo::CreateInfo(Gpu &gpu, const LibraryState &state, Subsets own, VkPipelineLayout layout,
                       const LibraryOptions &options, const LibraryScene &scene)
    : GraphicsInfo(LibraryScene::side), source(options.source) {
  bindings = {{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX}};
  attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, state.colorFormat, 8}};
  assembly.topology = state.topology;
  raster.rasterizerDiscardEnable = state.discard;
  samples.rasterizationSamples = scene.samples;
  rendering.viewMask = scene.viewMask;
  VkPipelineColorBlendAttachmentState &attachment = attachments[0];
  attachment.colorWriteMask = state.writeMask;
  attachment.blendEnable = state.blend;
  attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  attachment.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
  dynamics = state.dynamicStates;
  formats.clear();
  if (own & fragmentOutput)
    formats = {targetFormat};
  if (own & preRasterization)
    addShader(gpu, state.vertexGlsl, VK_SHADER_STAGE_VERTEX_BIT, "vert");
  if ((own & preRasterization) && !state.controlGlsl.empty()) {
    addShader(gpu, state.controlGlsl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc");
    addShader(gpu, state.evaluationGlsl, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese");
    tessellation.patchControlPoints = 3;
    info.pTessellationState = &tessellation;
  }
  if ((own & preRasterization) && !state.geometryGlsl.empty())
    addShader(gpu, state.geometryGlsl, VK_SHADER_STAGE_GEOMETRY_BIT, "geom");
  if ((own & fragmentShader) && !state.discard && !state.fragmentGlsl.empty())
    addShader(gpu, state.fragmentGlsl, VK_SHADER_STAGE_FRAGMENT_BIT, "frag").pSpecializationInfo =
        state.fragmentConstants;
  info.layout = layout;
  done();
  keepOnly(state, own);
}

void CreateInfo::keepOnly(const LibraryState &state, Subsets own) {
  const bool isShaderBehind = (own & fragmentShader) && !state.discard;
  const bool isOutputBehind = (own & fragmentOutput) && !state.discard;
  info.pNext = state.renderPass || own == vertexInput ? nullptr : &rendering;
  info.renderPass = own == vertexInput ? VK_NULL_HANDLE : state.renderPass;
  if (!(own & vertexInput)) {
    info.pVertexInputState = nullptr;
    info.pInputAssemblyState = nullptr;
  }
  if (!(own & preRasterization)) {
    info.pViewportState = nullptr;
    info.pRasterizationState = nullptr;
  }
  if (!isShaderBehind)
    info.pDepthStencilState = nullptr;
  if (!isOutputBehind)
    info.pColorBlendState = nullptr;
  if (!isOutputBehind && !(isShaderBehind && state.renderPass))
    info.pMultisampleState = nullptr;
}

} // namespace

LibraryState tessellatedState() {
  LibraryState state;
  state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  state.controlGlsl = R"(#version 460
layout(vertices = 3) out;
layout(location = 2) in vec4 color[];
layout(location = 0) in uint number[];
layout(location = 2) out vec4 colorOut[];
layout(location = 0) patch out uint numberOut;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  colorOut[gl_InvocationID] = color[gl_InvocationID];
  numberOut = number[0];
  gl_TessLevelOuter = float[](3, 2, 5, 1);
  gl_TessLevelInner = float[](4, 1);
})";
  state.evaluationGlsl = R"(#version 460
layout(triangles, fractional_odd_spacing, cw) in;
layout(location = 2) in vec4 color[];
layout(location = 0) patch in uint number;
layout(location = 2) out vec4 colorOut;
layout(location = 0) flat out uint numberOut;
void main() {
  gl_Position = vec4(0);
  colorOut = vec4(0);
  for (int i = 0; i < 3; ++i) {
    gl_Position += gl_in[i].gl_Position * gl_TessCoord[i];
    colorOut += color[i] * gl_TessCoord[i];
  }
  numberOut = number;
})";
  return state;
}

bool hasTessellation(Gpu &gpu) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  return features.features.tessellationShader;
}

LibraryState::LibraryState() : vertexGlsl(api::vertexGlsl), fragmentGlsl(api::fragmentGlsl) {}

VkPipelineLayout LibraryScene::makeLayout(const std::vector<VkDescriptorSetLayout> &setLayouts) {
  return gpu.pipelineLayout(setLayouts, 32, bothStages,
                            VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
}

LibraryScene::LibraryScene(Gpu &gpu) : gpu(gpu) {
  setLayouts[0] = gpu.setLayout(vertexBindings);
  setLayouts[1] = gpu.setLayout(fragmentBindings);
  whole = makeLayout({setLayouts[0], setLayouts[1]});
  vertexOnly = makeLayout({setLayouts[0], VK_NULL_HANDLE});
  fragmentOnly = makeLayout({VK_NULL_HANDLE, setLayouts[1]});
}

void LibraryScene::makeResources() {
  if (target.handle)
    return;
  const auto views = static_cast<uint32_t>(std::popcount(viewMask | 1));
  target = gpu.attachment(targetFormat, VK_IMAGE_ASPECT_COLOR_BIT, side, side,
                          VK_SAMPLE_COUNT_1_BIT, views);
  if (samples != VK_SAMPLE_COUNT_1_BIT)
    multisampled =
        gpu.attachment(targetFormat, VK_IMAGE_ASPECT_COLOR_BIT, side, side, samples, views);
  result = gpu.buffer(VkDeviceSize(views) * side * side * sizeof(uint32_t));
  vertices = gpu.buffer(sizeof(triangles));
  std::memcpy(vertices.data, triangles, sizeof(triangles));
  sets[0] = gpu.set(setLayouts[0], vertexBindings);
  sets[1] = gpu.set(setLayouts[1], fragmentBindings);
  const float numbers[2][4] = {{0.05F, -0.1F, 0, 0}, {0.5F, 0.75F, 1, 0.9F}};
  Buffer move = gpu.buffer(16), shade = gpu.buffer(16);
  writes = gpu.buffer(64);
  std::memcpy(move.data, numbers[0], 16);
  std::memcpy(shade.data, numbers[1], 16);
  gpu.write(sets[0], 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {move});
  gpu.write(sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {writes});
  gpu.write(sets[1], 3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {shade});
}

VkResult LibraryScene::tryCreate(const LibraryState &state, Subsets own,
                                 const LibraryOptions &options, VkPipeline *pipeline) {
  VkResult result = VK_ERROR_UNKNOWN;
  withInfo(state, own, options, [&](const VkGraphicsPipelineCreateInfo &info) {
    result = gpu.vk.CreateGraphicsPipelines(gpu.device, options.cache, 1, &info, nullptr, pipeline);
  });
  return result;
}

void LibraryScene::withInfo(const LibraryState &state, Subsets own, const LibraryOptions &options,
                            const std::function<void(const VkGraphicsPipelineCreateInfo &)> &use) {
  const bool isVertexOnly = (own & preRasterization) && !(own & fragmentShader);
  const bool isFragmentOnly = (own & fragmentShader) && !(own & preRasterization);
  const bool isFull = own == everything || !options.libraries.empty();
  VkPipelineLayout layout = isFull                 ? whole
                            : isVertexOnly         ? vertexOnly
                            : isFragmentOnly       ? fragmentOnly
                            : own & fragmentShader ? whole
                                                   : VK_NULL_HANDLE;
  CreateInfo create(gpu, state, own, options.layout.value_or(layout), options, *this);
  auto libraryInfo = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, create.info.pNext);
  libraryInfo.flags = own;
  if (own && own != everything)
    create.info.pNext = &libraryInfo;
  auto linkInfo = vkStruct<VkPipelineLibraryCreateInfoKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, create.info.pNext);
  linkInfo.libraryCount = static_cast<uint32_t>(options.libraries.size());
  linkInfo.pLibraries = options.libraries.data();
  if (!options.libraries.empty())
    create.info.pNext = &linkInfo;
  auto feedbackInfo = vkStruct<VkPipelineCreationFeedbackCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, create.info.pNext);
  feedbackInfo.pPipelineCreationFeedback = options.feedback;
  if (options.feedback)
    create.info.pNext = &feedbackInfo;
  VkPipelineBinaryInfoKHR binaries = options.binaries;
  binaries.pNext = create.info.pNext;
  if (binaries.binaryCount)
    create.info.pNext = &binaries;
  auto flags2 = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, create.info.pNext);
  flags2.flags = options.flags | options.flags2;
  if (options.flags2)
    create.info.pNext = &flags2;
  create.info.flags = options.flags;
  use(create.info);
}

VkPipeline LibraryScene::create(const LibraryState &state, Subsets own,
                                const LibraryOptions &options) {
  VkPipeline made = VK_NULL_HANDLE;
  VK_OK(tryCreate(state, own, options, &made));
  gpu.destroyLater(made);
  return made;
}

VkPipeline LibraryScene::link(const std::vector<VkPipeline> &libraries, VkPipelineCreateFlags flags,
                              std::optional<VkPipelineLayout> layout) {
  LibraryOptions options;
  options.flags = flags;
  options.libraries = libraries;
  options.layout = layout;
  return create({}, 0, options);
}

VkRenderPass LibraryScene::makeRenderPass() {
  const VkRenderPass made = gpu.renderPass(targetFormat);
  if (!gpu.canExecute())
    return made;
  makeResources();
  framebuffer = gpu.framebuffer(made, target.view, side, side);
  return made;
}

LibraryScene::Picture LibraryScene::draw(VkPipeline pipeline,
                                         const std::function<void(VkCommandBuffer)> &record,
                                         VkRenderPass renderPass) {
  if (!gpu.canExecute())
    return {};
  makeResources();
  VkClearValue clear = {{{0.25F, 0.5F, 0.125F, 1}}};
  auto drawAll = [&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, whole, 0, 2, sets, 0, nullptr);
    const VkDeviceSize offset = 0;
    gpu.vk.CmdBindVertexBuffers(c, 0, 1, &vertices.handle, &offset);
    const float push[8] = {0.9F, 0.8F, 1, 1, 0.1F, 0, 0.2F, 0};
    gpu.vk.CmdPushConstants(c, whole, bothStages, 0, sizeof(push), push);
    if (record)
      record(c);
    gpu.vk.CmdDraw(c, static_cast<uint32_t>(std::size(triangles)), 1, 0, 0);
  };
  gpu.run([&](VkCommandBuffer c) {
    gpu.barrier(c);
    const VkRect2D area = {{0, 0}, {side, side}};
    if (renderPass) {
      auto begin = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
      begin.renderPass = renderPass;
      begin.framebuffer = framebuffer;
      begin.renderArea = area;
      begin.clearValueCount = 1;
      begin.pClearValues = &clear;
      gpu.vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      drawAll(c);
      gpu.vk.CmdEndRenderPass(c);
    } else {
      auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
      color.imageView = target.view;
      color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      color.clearValue = clear;
      if (multisampled.handle) {
        color.imageView = multisampled.view;
        color.resolveImageView = target.view;
        color.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
        color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
      }
      auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      rendering.renderArea = area;
      rendering.viewMask = viewMask;
      rendering.layerCount = 1;
      rendering.colorAttachmentCount = 1;
      rendering.pColorAttachments = &color;
      gpu.vk.CmdBeginRendering(c, &rendering);
      drawAll(c);
      gpu.vk.CmdEndRendering(c);
    }
    gpu.readBack(c, target, result, side, static_cast<uint32_t>(std::popcount(viewMask | 1)));
  });
  return Picture(result.data, result.data + result.size / sizeof(uint32_t));
}

LibraryScene::Picture LibraryScene::expected(const LibraryState &state,
                                             const std::function<void(VkCommandBuffer)> &record) {
  return draw(create(state, everything), record, state.renderPass);
}

} // namespace api
