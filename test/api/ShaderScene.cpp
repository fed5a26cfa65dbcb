//===- ShaderScene.cpp - draws with shader objects ------------------------===//
// SPDX-License-Identifier: MIT
#include "ShaderScene.h"
#include <cstring>

namespace api {
namespace {

const char *const vertexGlsl = R"(#version 460
layout(location = 0) in uint pixel;
layout(location = 1) in uint number;
layout(set = 0, binding = 0) uniform Move { uint shift; };
layout(push_constant) uniform Push { uint add; };
layout(location = 3) flat out uvec2 value;
void main() {
  uint place = pixel + shift;
  gl_Position = vec4((vec2(place % 8, place / 8 + gl_InstanceIndex) + 0.5) / 4.0 - 1.0, 0.5, 1);
  gl_PointSize = 1;
  value = uvec2(number + add, gl_VertexIndex);
})";

const char *const fragmentGlsl = R"(#version 460
layout(constant_id = 0) const uint constant = 0;
layout(location = 3) flat in uvec2 value;
layout(set = 1, binding = 0) uniform Factor { uint factor; };
layout(push_constant) uniform Push { layout(offset = 16) uint add; };
layout(location = 0) out uvec4 color;
void main() { color = uvec4(value.x * factor + add, value.y, constant, 7); })";

constexpr VkFormat targetFormat = VK_FORMAT_R32G32B32A32_UINT;
constexpr VkShaderStageFlags allStages = VK_SHADER_STAGE_ALL_GRAPHICS;
const std::vector<Binding> bindings = {
    {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 0, nullptr, allStages}};

VkShaderStageFlagBits flagOf(const std::string &stage) {
  return stage == "vert"   ? VK_SHADER_STAGE_VERTEX_BIT
         : stage == "tesc" ? VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT
         : stage == "tese" ? VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT
         : stage == "geom" ? VK_SHADER_STAGE_GEOMETRY_BIT
         : stage == "frag" ? VK_SHADER_STAGE_FRAGMENT_BIT
         : stage == "task" ? VK_SHADER_STAGE_TASK_BIT_EXT
         : stage == "mesh" ? VK_SHADER_STAGE_MESH_BIT_EXT
                           : VK_SHADER_STAGE_COMPUTE_BIT;
}

} // namespace

//===--- Shaders ----------------------------------------------------------===//

ShaderSource::ShaderSource(Gpu &gpu, const std::string &glsl, const std::string &stage)
    : words(gpu.spirv(glsl, stage)),
      info(vkStruct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT)) {
  info.stage = flagOf(stage);
  if (info.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
    info.nextStage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  else if (info.stage == VK_SHADER_STAGE_TASK_BIT_EXT)
    info.nextStage = VK_SHADER_STAGE_MESH_BIT_EXT;
  else if (info.stage & (allStages | VK_SHADER_STAGE_MESH_BIT_EXT) &
           ~VkShaderStageFlags(VK_SHADER_STAGE_FRAGMENT_BIT))
    info.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
  info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
  info.codeSize = words.size() * 4;
  info.pCode = words.data();
  info.pName = "main";
}

VkShaderCreateInfoEXT ShaderSource::of(const std::vector<uint8_t> &binary) const {
  VkShaderCreateInfoEXT result = info;
  result.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  result.codeSize = binary.size();
  result.pCode = binary.data();
  return result;
}

std::vector<VkShaderEXT> Shaders::create(const std::vector<VkShaderCreateInfoEXT> &infos) {
  std::vector<VkShaderEXT> made(infos.size());
  VK_OK(gpu.vk.CreateShadersEXT(gpu.device, uint32_t(infos.size()), infos.data(), nullptr,
                                made.data()));
  handles.insert(handles.end(), made.begin(), made.end());
  return made;
}

VkShaderEXT Shaders::create(const VkShaderCreateInfoEXT &info) {
  return create(std::vector{info})[0];
}

VkResult Shaders::tryCreate(const VkShaderCreateInfoEXT &info) {
  VkShaderEXT made = VkShaderEXT(uintptr_t(1));
  const VkResult result = gpu.vk.CreateShadersEXT(gpu.device, 1, &info, nullptr, &made);
  EXPECT_EQ(made != VK_NULL_HANDLE, result == VK_SUCCESS);
  gpu.vk.DestroyShaderEXT(gpu.device, made, nullptr);
  return result;
}

std::vector<uint8_t> Shaders::binary(VkShaderEXT shader) {
  size_t size = 0;
  VK_OK(gpu.vk.GetShaderBinaryDataEXT(gpu.device, shader, &size, nullptr));
  EXPECT_GT(size, 0u);
  std::vector<uint8_t> bytes(size + 16, 0xEE);
  VK_OK(gpu.vk.GetShaderBinaryDataEXT(gpu.device, shader, &size, bytes.data()));
  EXPECT_EQ(size, bytes.size() - 16);
  EXPECT_EQ(bytes[size], 0xEE);
  // Too little room: nothing comes.
  std::vector<uint8_t> less(size, 0xEE);
  size_t room = size - 1;
  EXPECT_EQ(gpu.vk.GetShaderBinaryDataEXT(gpu.device, shader, &room, less.data()), VK_INCOMPLETE);
  EXPECT_EQ(less, std::vector<uint8_t>(size, 0xEE));
  bytes.resize(size);
  return bytes;
}

void Shaders::destroy() {
  for (VkShaderEXT handle : handles)
    gpu.vk.DestroyShaderEXT(gpu.device, handle, nullptr);
  handles.clear();
}

//===--- Scene ------------------------------------------------------------===//

ShaderScene::ShaderScene(Gpu &gpu, VkPipelineLayoutCreateFlags layoutFlags)
    : gpu(gpu), shaders(gpu), vertex(gpu, vertexGlsl, "vert"), fragment(gpu, fragmentGlsl, "frag"),
      range{allStages, 0, sizeof(Push)} {
  for (unsigned i = 0; i < 2; ++i) {
    layouts[i] = gpu.setLayout(bindings);
    sets[i] = gpu.set(layouts[i], bindings);
    Buffer buffer = gpu.buffer(16);
    buffer.data[0] = i ? factor : shift;
    gpu.write(sets[i], 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {buffer});
  }
  layout = gpu.pipelineLayout({layouts[0], layouts[1]}, sizeof(Push), allStages, layoutFlags);
  setLayouts(vertex.info);
  setLayouts(fragment.info);
  vertices = gpu.buffer(points.size() * sizeof(Vertex));
  std::memcpy(vertices.data, points.data(), points.size() * sizeof(Vertex));
  target = gpu.target(targetFormat, side, side);
}

void ShaderScene::setLayouts(VkShaderCreateInfoEXT &info) const {
  info.setLayoutCount = 2;
  info.pSetLayouts = layouts.data();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
}

void ShaderScene::setState(VkCommandBuffer c) const {
  const Functions &vk = gpu.vk;
  const VkViewport viewport = {0, 0, side, side, 0, 1};
  const VkRect2D scissor = {{0, 0}, {side, side}};
  vk.CmdSetViewportWithCount(c, 1, &viewport);
  vk.CmdSetScissorWithCount(c, 1, &scissor);
  vk.CmdSetRasterizerDiscardEnable(c, VK_FALSE);
  vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  vk.CmdSetPrimitiveRestartEnable(c, VK_FALSE);
  const VkSampleMask mask = ~0u;
  vk.CmdSetRasterizationSamplesEXT(c, VK_SAMPLE_COUNT_1_BIT);
  vk.CmdSetSampleMaskEXT(c, VK_SAMPLE_COUNT_1_BIT, &mask);
  vk.CmdSetAlphaToCoverageEnableEXT(c, VK_FALSE);
  vk.CmdSetAlphaToOneEnableEXT(c, VK_FALSE);
  vk.CmdSetPolygonModeEXT(c, VK_POLYGON_MODE_FILL);
  vk.CmdSetLineWidth(c, 1);
  vk.CmdSetCullMode(c, VK_CULL_MODE_NONE);
  vk.CmdSetFrontFace(c, VK_FRONT_FACE_COUNTER_CLOCKWISE);
  vk.CmdSetDepthClampEnableEXT(c, VK_FALSE);
  vk.CmdSetDepthBiasEnable(c, VK_FALSE);
  vk.CmdSetDepthTestEnable(c, VK_FALSE);
  vk.CmdSetDepthWriteEnable(c, VK_FALSE);
  vk.CmdSetDepthCompareOp(c, VK_COMPARE_OP_ALWAYS);
  vk.CmdSetDepthBoundsTestEnable(c, VK_FALSE);
  vk.CmdSetStencilTestEnable(c, VK_FALSE);
  vk.CmdSetLogicOpEnableEXT(c, VK_FALSE);
  vk.CmdSetLogicOpEXT(c, VK_LOGIC_OP_COPY);
  const VkBool32 blend = VK_FALSE;
  const VkColorComponentFlags write = 0xF;
  const VkColorBlendEquationEXT equation = {VK_BLEND_FACTOR_ONE,  VK_BLEND_FACTOR_ZERO,
                                            VK_BLEND_OP_ADD,      VK_BLEND_FACTOR_ONE,
                                            VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD};
  for (uint32_t i = 0; i < 2; ++i) {
    vk.CmdSetColorBlendEnableEXT(c, i, 1, &blend);
    vk.CmdSetColorBlendEquationEXT(c, i, 1, &equation);
    vk.CmdSetColorWriteMaskEXT(c, i, 1, &write);
  }
  if (gpu.hasExtension(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME))
    vk.CmdSetProvokingVertexModeEXT(c, VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
  if (gpu.hasExtension(VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME))
    vk.CmdSetDiscardRectangleEnableEXT(c, VK_FALSE);
  if (gpu.hasExtension(VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME))
    vk.CmdSetConservativeRasterizationModeEXT(c, VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
  if (gpu.hasExtension(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME))
    vk.CmdSetSampleLocationsEnableEXT(c, VK_FALSE);
  vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 2, sets.data(), 0,
                           nullptr);
  push(c, {});
  setInput(c);
  const VkDeviceSize offset = 0;
  vk.CmdBindVertexBuffers2(c, 0, 1, &vertices.handle, &offset, nullptr, nullptr);
}

void ShaderScene::setInput(VkCommandBuffer c, VkVertexInputRate rate, uint32_t divisor) const {
  auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
      VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
  binding.stride = sizeof(Vertex);
  binding.inputRate = rate;
  binding.divisor = divisor;
  VkVertexInputAttributeDescription2EXT attributes[2];
  for (uint32_t i = 0; i < 2; ++i) {
    attributes[i] = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    attributes[i].location = i;
    attributes[i].format = VK_FORMAT_R32_UINT;
    attributes[i].offset = 4 * i;
  }
  gpu.vk.CmdSetVertexInputEXT(c, 1, &binding, 2, attributes);
}

void ShaderScene::push(VkCommandBuffer c, const Push &values) const {
  gpu.vk.CmdPushConstants(c, layout, allStages, 0, sizeof(values), &values);
}

void ShaderScene::bind(VkCommandBuffer c, VkShaderEXT vertexShader,
                       VkShaderEXT fragmentShader) const {
  const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
  const VkShaderEXT handles[] = {vertexShader, fragmentShader};
  gpu.vk.CmdBindShadersEXT(c, 2, stages, handles);
  // Stages that some devices have must have been bound to, if only to nothing.
  auto supported =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &supported);
  const VkPhysicalDeviceFeatures &features = supported.features;
  const VkShaderStageFlagBits others[] = {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                          VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                          VK_SHADER_STAGE_GEOMETRY_BIT};
  if (features.tessellationShader)
    gpu.vk.CmdBindShadersEXT(c, 2, others, nullptr);
  if (features.geometryShader)
    gpu.vk.CmdBindShadersEXT(c, 1, others + 2, nullptr);
}

void ShaderScene::clear(const Image &image, const VkClearColorValue &value, uint32_t layers) const {
  gpu.run([&](VkCommandBuffer c) {
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers};
    auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    auto attachment =
        vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    attachment.imageView = image.view;
    attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.clearValue.color = value;
    begin.renderArea = {{0, 0}, {side, side}};
    begin.layerCount = whole.layerCount;
    begin.colorAttachmentCount = 1;
    begin.pColorAttachments = &attachment;
    gpu.vk.CmdBeginRendering(c, &begin);
    gpu.vk.CmdEndRendering(c);
    gpu.barrier(c);
  });
}

void ShaderScene::render(const std::function<void(VkCommandBuffer)> &record,
                         const std::vector<Image> &colors, VkImageView depth, uint32_t viewMask,
                         VkRenderingFlags flags) const {
  auto attachment =
      vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  std::vector<VkRenderingAttachmentInfo> attachments;
  for (const Image &color : colors) {
    attachments.push_back(attachment);
    attachments.back().imageView = color.view;
  }
  VkRenderingAttachmentInfo depthAttachment = attachment;
  depthAttachment.imageView = depth;
  auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  begin.flags = flags;
  begin.renderArea = {{0, 0}, {side, side}};
  begin.layerCount = 1;
  begin.viewMask = viewMask;
  begin.colorAttachmentCount = uint32_t(attachments.size());
  begin.pColorAttachments = attachments.data();
  begin.pDepthAttachment = depth ? &depthAttachment : nullptr;
  gpu.run([&](VkCommandBuffer c) {
    gpu.barrier(c);
    gpu.vk.CmdBeginRendering(c, &begin);
    record(c);
    gpu.vk.CmdEndRendering(c);
    gpu.barrier(c);
  });
}

void ShaderScene::resolve(const Image &from, const Image &to) const {
  gpu.run([&](VkCommandBuffer c) {
    auto attachment =
        vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    attachment.imageView = from.view;
    attachment.resolveImageView = to.view;
    attachment.imageLayout = attachment.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachment.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    begin.renderArea = {{0, 0}, {side, side}};
    begin.layerCount = 1;
    begin.colorAttachmentCount = 1;
    begin.pColorAttachments = &attachment;
    gpu.barrier(c);
    gpu.vk.CmdBeginRendering(c, &begin);
    gpu.vk.CmdEndRendering(c);
    gpu.barrier(c);
  });
}

std::vector<uint32_t> ShaderScene::read(const Image &image, uint32_t wordsPerPixel,
                                        uint32_t layer) const {
  Buffer buffer = gpu.buffer(side * side * wordsPerPixel * 4);
  gpu.run([&](VkCommandBuffer c) {
    VkBufferImageCopy region = {};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1};
    region.imageExtent = {side, side, 1};
    gpu.vk.CmdCopyImageToBuffer(c, image.handle, VK_IMAGE_LAYOUT_GENERAL, buffer.handle, 1,
                                &region);
    gpu.barrier(c);
  });
  return {buffer.data, buffer.data + size_t(side) * side * wordsPerPixel};
}

ShaderScene::Picture ShaderScene::draw(const std::function<void(VkCommandBuffer)> &record) {
  VkClearColorValue value;
  std::copy(background.begin(), background.end(), value.uint32);
  clear(target, value);
  render(record, {target});
  const std::vector<uint32_t> words = read(target, 4);
  Picture picture;
  std::memcpy(picture.data(), words.data(), sizeof(picture));
  return picture;
}

ShaderScene::Pixel ShaderScene::pixelOf(const Vertex &vertex, uint32_t index, const Push &push,
                                        uint32_t constant) {
  return {(vertex.number + push.vertexAdd) * factor + push.fragmentAdd, index, constant, 7};
}

ShaderScene::Picture ShaderScene::expected(const std::vector<Vertex> &vertices, const Push &push,
                                           uint32_t constant, uint32_t first) {
  Picture picture;
  picture.fill(background);
  for (uint32_t i = 0; i < vertices.size(); ++i)
    picture.at(vertices[i].pixel + shift) = pixelOf(vertices[i], first + i, push, constant);
  return picture;
}

} // namespace api
