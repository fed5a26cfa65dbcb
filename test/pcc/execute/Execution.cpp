//===- Execution.cpp - executes one pipeline ------------------------------===//
// SPDX-License-Identifier: MIT
#include "Execution.h"
#include "icd_glue/sc/ScApi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

namespace execute {
namespace {

constexpr uint32_t targetSide = 64;

std::string hexOf(const uint8_t *data, size_t size) {
  return llvm::toHex(llvm::ArrayRef(data, size), /*LowerCase=*/true);
}

VkClearValue clearValue(const Scene &scene, size_t attachment) {
  VkClearValue value = {};
  if (attachment < scene.clears.size())
    std::memcpy(&value, scene.clears[attachment].data(), sizeof value);
  return value;
}

} // namespace

Result Execution::run(VkPipelineCache cache) {
  info = require(replayer.info(capture));
  createPipeline(cache);
  if (!isCompute())
    createTargets();
  createSets();
  push.resize(64);
  llvm::copy(scene.push, push.begin());
  if (scene.pointee) {
    pointee = filled(scene.pointee->size() * 4, *scene.pointee);
    std::memcpy(reinterpret_cast<uint8_t *>(push.data()) + scene.pointerAt, &pointee.address,
                sizeof pointee.address);
  }
  for (const auto &[binding, words] : scene.vertexBuffers)
    vertexBuffers.emplace_back(binding, filled(words.size() * 4, words));
  gpu.run([&](VkCommandBuffer commands) {
    isCompute() ? dispatch(commands) : draw(commands);
    gpu.barrier(commands);
    for (const auto &[place, image] : images)
      gpu.copy(commands, image, copies[place], /*toImage=*/false);
    for (const Target &target : targets)
      if (target.copy.handle)
        gpu.copy(commands, target.image, target.copy, /*toImage=*/false);
  });
  replayer.destroy(pipeline);
  return read();
}

void Execution::createPipeline(VkPipelineCache cache) {
  icd::sc::OfflineInfo offline;
  if (cache) {
    llvm::copy(file.identifier, offline.pipelineIdentifier);
    offline.poolEntrySize = 1 << 20;
    offline.pNext = info->next();
    info->next() = &offline;
    for (VkPipelineShaderStageCreateInfo &stage : info->stages)
      stage.module = VK_NULL_HANDLE;
    info->compute.stage.module = VK_NULL_HANDLE;
  }
  require(info->create(*gpu.device, cache, &pipeline), file.name.c_str());
}

const VkPipelineRenderingCreateInfo *Execution::rendering() const {
  for (auto *next = static_cast<const VkBaseInStructure *>(capture.graphics.pNext); next;
       next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)
      return reinterpret_cast<const VkPipelineRenderingCreateInfo *>(next);
  return nullptr;
}

void Execution::addTarget(VkFormat format, VkSampleCountFlagBits samples) {
  Target &target = targets.emplace_back();
  if (format == VK_FORMAT_UNDEFINED)
    return;
  const bool isDepth = rowOf(format).planes[0].aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
  VkImageUsageFlags usage =
      isDepth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (!isDepth && samples == VK_SAMPLE_COUNT_1_BIT)
    usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  target.image =
      gpu.image(format, targetSide, usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, layers, samples);
  target.view = gpu.view(target.image);
  if (samples == VK_SAMPLE_COUNT_1_BIT)
    target.copy = gpu.buffer(bytesOf(target.image));
}

void Execution::createTargets() {
  auto countLayers = [&](uint32_t views) {
    layers = views ? 32 - static_cast<uint32_t>(llvm::countl_zero(views)) : 1;
  };
  if (const VkPipelineRenderingCreateInfo *formats = rendering()) {
    countLayers(formats->viewMask);
    for (uint32_t i = 0; i < formats->colorAttachmentCount; ++i)
      addTarget(formats->pColorAttachmentFormats[i], VK_SAMPLE_COUNT_1_BIT);
    addTarget(formats->depthAttachmentFormat, VK_SAMPLE_COUNT_1_BIT);
    return;
  }
  const VkRenderPassCreateInfo2 &pass = *capture.renderPass;
  countLayers(pass.pSubpasses[capture.graphics.subpass].viewMask);
  for (uint32_t i = 0; i < pass.attachmentCount; ++i)
    addTarget(pass.pAttachments[i].format, pass.pAttachments[i].samples);
  createFramebuffer();
}

void Execution::createFramebuffer() {
  std::vector<VkImageView> views;
  for (const Target &target : targets)
    views.push_back(target.view);
  auto frame = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
  frame.renderPass = info->graphics.renderPass;
  frame.attachmentCount = static_cast<uint32_t>(views.size());
  frame.pAttachments = views.data();
  frame.width = frame.height = targetSide;
  frame.layers = 1;
  require(gpu.CreateFramebuffer(gpu.device->handle, &frame, nullptr, &framebuffer),
          "vkCreateFramebuffer");
  gpu.keep([&gpu = gpu, made = framebuffer] {
    gpu.DestroyFramebuffer(gpu.device->handle, made, nullptr);
  });
}

void Execution::bind(VkCommandBuffer commands, VkPipelineBindPoint point) {
  gpu.CmdBindPipeline(commands, point, pipeline);
  if (!sets.empty())
    gpu.CmdBindDescriptorSets(commands, point, layout(), 0, static_cast<uint32_t>(sets.size()),
                              sets.data(), static_cast<uint32_t>(dynamicOffsets.size()),
                              dynamicOffsets.data());
  for (const VkPushConstantRange &range : capture.layout->pushConstants)
    gpu.CmdPushConstants(commands, layout(), range.stageFlags, range.offset, range.size,
                         push.data() + range.offset / 4);
}

void Execution::dispatch(VkCommandBuffer commands) {
  bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE);
  gpu.CmdDispatch(commands, scene.groups[0], scene.groups[1], scene.groups[2]);
}

void Execution::beginRendering(VkCommandBuffer commands) {
  std::vector<VkRenderingAttachmentInfo> attachments;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].image.handle)
      gpu.barrier(commands, &targets[i].image);
    auto each = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    each.imageView = targets[i].view;
    each.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    each.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    each.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    each.clearValue = clearValue(scene, i);
    attachments.push_back(each);
  }
  auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  begin.renderArea.extent = {targetSide, targetSide};
  begin.layerCount = 1;
  begin.viewMask = rendering()->viewMask;
  begin.colorAttachmentCount = rendering()->colorAttachmentCount;
  begin.pColorAttachments = attachments.data();
  begin.pDepthAttachment = &attachments.back();
  gpu.CmdBeginRendering(commands, &begin);
}

void Execution::beginPass(VkCommandBuffer commands) {
  std::vector<VkClearValue> clears;
  for (size_t i = 0; i < targets.size(); ++i)
    clears.push_back(clearValue(scene, i));
  auto begin = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  begin.renderPass = info->graphics.renderPass;
  begin.framebuffer = framebuffer;
  begin.renderArea.extent = {targetSide, targetSide};
  begin.clearValueCount = static_cast<uint32_t>(clears.size());
  begin.pClearValues = clears.data();
  gpu.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  for (uint32_t i = 0; i < capture.graphics.subpass; ++i)
    gpu.CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
}

/// What the template of the tests has where it is not dynamic.
void Execution::setDynamicState(VkCommandBuffer commands) {
  const VkPipelineDynamicStateCreateInfo *dynamic = capture.graphics.pDynamicState;
  const VkViewport viewport = {0, 0, targetSide, targetSide, 0, 1};
  const VkRect2D scissor = {{0, 0}, {targetSide, targetSide}};
  for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; ++i)
    switch (dynamic->pDynamicStates[i]) {
    case VK_DYNAMIC_STATE_VIEWPORT:
      gpu.CmdSetViewport(commands, 0, 1, &viewport);
      break;
    case VK_DYNAMIC_STATE_SCISSOR:
      gpu.CmdSetScissor(commands, 0, 1, &scissor);
      break;
    case VK_DYNAMIC_STATE_CULL_MODE:
      gpu.CmdSetCullMode(commands, VK_CULL_MODE_NONE);
      break;
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
      gpu.CmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
      break;
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
      break; // before each draw
    default:
      stop(file.name + ": a dynamic state that this test does not know");
    }
}

void Execution::draw(VkCommandBuffer commands) {
  rendering() ? beginRendering(commands) : beginPass(commands);
  bind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS);
  setDynamicState(commands);
  const VkDeviceSize zero = 0;
  for (const auto &[binding, buffer] : vertexBuffers)
    gpu.CmdBindVertexBuffers(commands, binding, 1, &buffer.handle, &zero);
  for (size_t i = 0; i < scene.draws.size(); ++i) {
    const auto &[vertices, instances, first] = scene.draws[i];
    if (i < scene.patches.size())
      gpu.CmdSetPatchControlPointsEXT(commands, scene.patches[i]);
    gpu.CmdDraw(commands, vertices, instances, first, 0);
  }
  rendering() ? gpu.CmdEndRendering(commands) : gpu.CmdEndRenderPass(commands);
}

Result Execution::read() const {
  Result result;
  for (const auto &[place, buffer] : buffers)
    result.resources[place] = hexOf(buffer.data, buffer.size);
  for (const auto &[place, buffer] : copies)
    result.resources[place] = hexOf(buffer.data, buffer.size);
  for (const Target &target : targets) {
    const Buffer &copy = target.copy;
    const bool hasStencil = target.image.aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    const size_t stencilBytes = hasStencil && copy.handle ? copy.size / 5 : 0;
    result.targets.push_back(hexOf(copy.data, copy.size - stencilBytes));
    result.stencils.push_back(hexOf(copy.data + copy.size - stencilBytes, stencilBytes));
  }
  if (scene.pointee)
    result.pointee = hexOf(pointee.data, pointee.size);
  return result;
}

} // namespace execute
