//===- GraphicsCommands.cpp - commands of a job that draws -----------------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"

using llvm::Error;
using llvm::Expected;

namespace exec {

Error JobObjects::createQueries() {
  for (const QuerySpec &query : job.graphics->queries) {
    VkQueryPoolCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = query.type;
    info.queryCount = 1;
    info.pipelineStatistics = query.statistics;
    VkQueryPool queryPool = VK_NULL_HANDLE;
    KILN_TRY(check(api.CreateQueryPool(device.handle(), &info, nullptr, &queryPool),
                   "vkCreateQueryPool"));
    queryPools.push_back(queryPool);
  }
  return Error::success();
}

void JobObjects::beginRendering(VkCommandBuffer commands) {
  const GraphicsSpec &spec = *job.graphics;
  auto attachment = [](const AttachmentSpec &from, const AttachmentViews &views) {
    VkRenderingAttachmentInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    info.imageView = views.view;
    info.imageLayout = info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.resolveMode = from.resolves ? from.resolveMode : VK_RESOLVE_MODE_NONE;
    info.resolveImageView = views.resolve;
    info.loadOp = from.load;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.clearValue = from.clear;
    return info;
  };
  VkRenderingAttachmentInfo none = {};
  none.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
  std::vector<VkRenderingAttachmentInfo> colors;
  for (size_t i = 0; i < spec.colors.size(); ++i) {
    colors.resize(std::max<size_t>(colors.size(), spec.colors[i].location + 1), none);
    colors[spec.colors[i].location] = attachment(spec.colors[i], colorViews[i]);
  }
  VkRenderingAttachmentInfo depth = none, stencil = none;
  if (spec.depth)
    depth = attachment(*spec.depth, depthStencilViews);
  if (spec.stencil)
    stencil = attachment(*spec.stencil, depthStencilViews);
  VkRenderingInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
  info.flags = spec.secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0;
  info.renderArea = area;
  info.layerCount = spec.layers;
  info.viewMask = spec.viewMask;
  info.colorAttachmentCount = colors.size();
  info.pColorAttachments = colors.data();
  info.pDepthAttachment = spec.depth ? &depth : nullptr;
  info.pStencilAttachment = spec.stencil ? &stencil : nullptr;
  VkRenderingFragmentShadingRateAttachmentInfoKHR rates = {};
  rates.sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR;
  rates.imageView = ratesView;
  rates.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  rates.shadingRateAttachmentTexelSize = rateTexelSize;
  if (spec.rates)
    info.pNext = &rates;
  api.CmdBeginRendering(commands, &info);
}

void JobObjects::beginPass(VkCommandBuffer commands) {
  const GraphicsSpec &spec = *job.graphics;
  if (spec.pass == PassKind::Dynamic)
    return beginRendering(commands);
  VkRenderPassBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  info.renderPass = renderPass;
  info.framebuffer = framebuffer;
  info.renderArea = area;
  info.clearValueCount = clears.size();
  info.pClearValues = clears.data();
  VkSubpassContents contents =
      spec.secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
  if (spec.pass == PassKind::RenderPass)
    return api.CmdBeginRenderPass(commands, &info, contents);
  VkSubpassBeginInfo begin = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr, contents};
  api.CmdBeginRenderPass2(commands, &info, &begin);
}

void JobObjects::endPass(VkCommandBuffer commands) {
  switch (job.graphics->pass) {
  case PassKind::Dynamic:
    return api.CmdEndRendering(commands);
  case PassKind::RenderPass:
    return api.CmdEndRenderPass(commands);
  case PassKind::RenderPass2:
    VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, nullptr};
    return api.CmdEndRenderPass2(commands, &end);
  }
}

void JobObjects::bindDrawState(VkCommandBuffer commands) {
  const GraphicsSpec &spec = *job.graphics;
  api.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  if (!sets.empty())
    api.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, sets.size(),
                              sets.data(), dynamicOffsets.size(), dynamicOffsets.data());
  if (!push.empty())
    api.CmdPushConstants(commands, layout, shaderStages(), 0, push.size(), push.data());
  if (spec.dynamicState)
    setDynamicState(commands);
  for (const VertexBuffer &buffer : spec.vertexBuffers) {
    VkDeviceSize stride = buffer.stride;
    VkBuffer handle = buffer.isNull ? VkBuffer(VK_NULL_HANDLE) : buffers[buffer.buffer].buffer;
    if (spec.dynamicState)
      api.CmdBindVertexBuffers2(commands, buffer.binding, 1, &handle, &buffer.offset, nullptr,
                                &stride);
    else
      api.CmdBindVertexBuffers(commands, buffer.binding, 1, &handle, &buffer.offset);
  }
  if (spec.indexBuffer)
    api.CmdBindIndexBuffer(commands, buffers[*spec.indexBuffer].buffer, spec.indexOffset,
                           spec.indexType);
  bindFeedback(commands);
}

void JobObjects::waitForDraws(VkCommandBuffer commands) {
  VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, writingAccesses,
                            VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
  api.CmdPipelineBarrier(commands, writingStages, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                         VK_DEPENDENCY_BY_REGION_BIT |
                             (job.graphics->viewMask ? VK_DEPENDENCY_VIEW_LOCAL_BIT : 0),
                         1, &memory, 0, nullptr, 0, nullptr);
}

void JobObjects::drawMeshes(VkCommandBuffer commands, const DrawCall &draw) {
  if (!draw.indirect)
    return api.CmdDrawMeshTasksEXT(commands, draw.groups[0], draw.groups[1], draw.groups[2]);
  VkBuffer arguments = buffers[draw.buffer].buffer;
  if (!draw.count)
    return api.CmdDrawMeshTasksIndirectEXT(commands, arguments, draw.offset, draw.drawCount,
                                           draw.stride);
  api.CmdDrawMeshTasksIndirectCountEXT(commands, arguments, draw.offset,
                                       buffers[draw.countBuffer].buffer, draw.countOffset,
                                       draw.drawCount, draw.stride);
}

void JobObjects::drawMulti(VkCommandBuffer commands, const DrawCall &draw) {
  const uint32_t count = draw.multi.size();
  if (draw.indexed)
    return api.CmdDrawMultiIndexedEXT(commands, count, draw.multi.data(), draw.instances,
                                      draw.firstInstance, sizeof(draw.multi[0]),
                                      draw.sharesVertexOffset ? &draw.vertexOffset : nullptr);
  // The stride may be larger than what is read.
  struct Spaced {
    VkMultiDrawInfoEXT draw;
    std::array<uint32_t, 3> other;
  };
  std::vector<Spaced> draws;
  for (const VkMultiDrawIndexedInfoEXT &one : draw.multi)
    draws.push_back({{one.firstIndex, one.indexCount}, {~0u, ~0u, ~0u}});
  api.CmdDrawMultiEXT(commands, count, &draws.front().draw, draw.instances, draw.firstInstance,
                      sizeof(Spaced));
}

void JobObjects::bindFeedback(VkCommandBuffer commands) {
  for (const FeedbackBuffer &feedback : job.graphics->feedback)
    api.CmdBindTransformFeedbackBuffersEXT(commands, feedback.binding, 1,
                                           &buffers[feedback.buffer].buffer, &feedback.offset,
                                           &feedback.size);
}

void JobObjects::toggleFeedback(VkCommandBuffer commands, bool usesCounters) {
  constexpr uint32_t count = 4;
  const GraphicsSpec &spec = *job.graphics;
  std::array<VkBuffer, count> handles = {};
  std::array<VkDeviceSize, count> offsets = {};
  for (const FeedbackBuffer &feedback : spec.feedback)
    if (feedback.binding < count && spec.feedbackCounters && usesCounters) {
      handles[feedback.binding] = buffers[*spec.feedbackCounters].buffer;
      offsets[feedback.binding] = spec.feedbackCountersOffset + 4 * feedback.binding;
    }
  feedbackActive = !feedbackActive;
  // Without barriers, which a render pass would have to know of: drivers of software go in order.
  (feedbackActive ? api.CmdBeginTransformFeedbackEXT : api.CmdEndTransformFeedbackEXT)(
      commands, 0, count, handles.data(), offsets.data());
}

void JobObjects::drawAll(VkCommandBuffer commands) {
  bool usesCounters = job.graphics->loadsFeedbackCounters;
  for (const DrawCall &draw : job.graphics->draws) {
    if (!job.graphics->feedback.empty() && draw.paused == feedbackActive) {
      toggleFeedback(commands, feedbackActive || usesCounters);
      usesCounters = true;
    }
    if (!job.graphics->inputs.empty() && &draw != &job.graphics->draws.front())
      waitForDraws(commands);
    if (job.graphics->hasDynamicPatches())
      api.CmdSetPatchControlPointsEXT(commands,
                                      draw.patch.value_or(job.graphics->patchControlPoints));
    if (job.graphics->hasDynamicStream())
      api.CmdSetRasterizationStreamEXT(commands,
                                       draw.stream.value_or(job.graphics->rasterizationStream));
    VkBuffer arguments = buffers.empty() ? VK_NULL_HANDLE : buffers[draw.buffer].buffer;
    VkBuffer count = buffers.empty() ? VK_NULL_HANDLE : buffers[draw.countBuffer].buffer;
    if (draw.isMesh)
      drawMeshes(commands, draw);
    else if (!draw.multi.empty())
      drawMulti(commands, draw);
    else if (draw.byteCount)
      api.CmdDrawIndirectByteCountEXT(commands, draw.instances, draw.firstInstance, arguments,
                                      draw.offset, draw.countStart, draw.stride);
    else if (!draw.indirect && !draw.indexed)
      api.CmdDraw(commands, draw.vertices, draw.instances, draw.first, draw.firstInstance);
    else if (!draw.indirect)
      api.CmdDrawIndexed(commands, draw.vertices, draw.instances, draw.first, draw.vertexOffset,
                         draw.firstInstance);
    else if (draw.count)
      (draw.indexed ? api.CmdDrawIndexedIndirectCount : api.CmdDrawIndirectCount)(
          commands, arguments, draw.offset, count, draw.countOffset, draw.drawCount, draw.stride);
    else
      (draw.indexed ? api.CmdDrawIndexedIndirect : api.CmdDrawIndirect)(
          commands, arguments, draw.offset, draw.drawCount, draw.stride);
  }
  if (feedbackActive)
    toggleFeedback(commands, true);
}

VkQueryControlFlags JobObjects::occlusionFlags() const {
  return device.hasFeature("occlusionQueryPrecise") ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
}

Expected<VkCommandBuffer> JobObjects::recordSecondary() {
  const GraphicsSpec &spec = *job.graphics;
  VkCommandBuffer commands = KILN_TRY(device.secondary());
  const std::vector<VkFormat> formats = colorFormats();
  VkCommandBufferInheritanceRenderingInfo rendering = {};
  rendering.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO;
  rendering.viewMask = spec.viewMask;
  rendering.colorAttachmentCount = formats.size();
  rendering.pColorAttachmentFormats = formats.data();
  rendering.depthAttachmentFormat = spec.depth ? formatOf(*spec.depth) : VK_FORMAT_UNDEFINED;
  rendering.stencilAttachmentFormat = spec.stencil ? formatOf(*spec.stencil) : VK_FORMAT_UNDEFINED;
  rendering.rasterizationSamples = sampleCount();
  VkCommandBufferInheritanceInfo inheritance = {};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  inheritance.pNext = renderPass ? nullptr : &rendering;
  for (const QuerySpec &query : spec.queries) { // they are active around it
    inheritance.pipelineStatistics |= query.statistics;
    if (query.type == VK_QUERY_TYPE_OCCLUSION) {
      inheritance.occlusionQueryEnable = VK_TRUE;
      inheritance.queryFlags = occlusionFlags();
    }
  }
  inheritance.renderPass = renderPass; // without the framebuffer: a driver must not need it
  VkCommandBufferBeginInfo begin = {};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  begin.pInheritanceInfo = &inheritance;
  KILN_TRY(check(api.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer"));
  bindDrawState(commands);
  drawAll(commands);
  KILN_TRY(check(api.EndCommandBuffer(commands), "vkEndCommandBuffer"));
  return commands;
}

void JobObjects::beginQueries(VkCommandBuffer commands) {
  const GraphicsSpec &spec = *job.graphics;
  for (size_t i = 0; i < queryPools.size(); ++i)
    if (spec.queries[i].hasStream())
      api.CmdBeginQueryIndexedEXT(commands, queryPools[i], 0, 0, spec.queries[i].stream);
    else
      api.CmdBeginQuery(commands, queryPools[i], 0,
                        spec.queries[i].type == VK_QUERY_TYPE_OCCLUSION ? occlusionFlags() : 0);
}

void JobObjects::endQueries(VkCommandBuffer commands) {
  for (size_t i = 0; i < queryPools.size(); ++i)
    if (job.graphics->queries[i].hasStream())
      api.CmdEndQueryIndexedEXT(commands, queryPools[i], 0, job.graphics->queries[i].stream);
    else
      api.CmdEndQuery(commands, queryPools[i], 0);
}

Error JobObjects::recordDraws(VkCommandBuffer commands) {
  const GraphicsSpec &spec = *job.graphics;
  KILN_TRY(createQueries());
  for (VkQueryPool queryPool : queryPools)
    api.CmdResetQueryPool(commands, queryPool, 0, 1);
  // Secondary command buffers inherit them from around the pass: inside only they record.
  if (spec.secondary)
    beginQueries(commands);
  beginPass(commands);
  if (spec.secondary) {
    VkCommandBuffer secondary = KILN_TRY(recordSecondary());
    api.CmdExecuteCommands(commands, 1, &secondary);
  } else {
    beginQueries(commands);
    bindDrawState(commands);
    drawAll(commands);
    endQueries(commands);
  }
  endPass(commands);
  if (spec.secondary)
    endQueries(commands);
  barrier(commands);
  for (size_t i = 0; i < queryPools.size(); ++i) {
    const QuerySpec &query = spec.queries[i];
    VkDeviceSize bytes = query.type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT
                             ? 16
                             : 8 * std::max(llvm::popcount(query.statistics), 1);
    api.CmdCopyQueryPoolResults(commands, queryPools[i], 0, 1, buffers[query.buffer].buffer,
                                query.offset, bytes,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  }
  barrier(commands);
  return Error::success();
}

} // namespace exec
