//===- Job.cpp - pipeline and commands of a job ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Job.h"
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;

namespace exec {

Error JobObjects::create() {
  KILN_TRY(createBuffers());
  KILN_TRY(createStructures());
  patchPointers();
  KILN_TRY(createImages());
  KILN_TRY(createSamplers());
  KILN_TRY(createLayouts());
  KILN_TRY(job.graphics ? createGraphicsPipeline()
           : job.rays   ? createRayPipeline()
                        : createPipeline());
  return createSets();
}

Expected<VkShaderModule> JobObjects::createModule(llvm::ArrayRef<uint32_t> spirv) {
  VkShaderModuleCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = spirv.size() * sizeof(uint32_t);
  info.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  KILN_TRY(check(api.CreateShaderModule(device.handle(), &info, nullptr, &module),
                 "vkCreateShaderModule"));
  modules.push_back(module);
  return module;
}

Error JobObjects::createPipeline() {
  VkShaderModule module = KILN_TRY(createModule(job.spirv));
  SpecializationData constants(job.specialization);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  subgroup.requiredSubgroupSize = job.subgroupSize;
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  // Any job may dispatch with a base: it is a flag, not another shader.
  bool withBase = std::any_of(job.dispatches.begin(), job.dispatches.end(), [](const Dispatch &d) {
    return d.base[0] || d.base[1] || d.base[2];
  });
  info.flags = withBase ? VK_PIPELINE_CREATE_DISPATCH_BASE_BIT : 0;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.pNext = job.subgroupSize ? &subgroup : nullptr;
  info.stage.flags =
      job.fullSubgroups ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = job.entry.c_str();
  info.stage.pSpecializationInfo = constants.pointer();
  info.layout = layout;
  info.basePipelineIndex = -1;
  return check(
      api.CreateComputePipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
      "vkCreateComputePipelines");
}

void JobObjects::barrier(VkCommandBuffer commands) {
  VkMemoryBarrier memory = {};
  memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  memory.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  api.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &memory, 0, nullptr, 0, nullptr);
}

void JobObjects::transition(VkCommandBuffer commands, const ImageSpec &spec, VkImage image,
                            VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {spec.allAspects, 0, spec.mips, 0, spec.layers};
  api.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                         &barrier);
}

void JobObjects::recordImageCopies(VkCommandBuffer commands, bool toImage) {
  for (size_t i = 0; i < images.size(); ++i) {
    const ImageSpec &spec = job.images[i];
    if (spec.samples != VK_SAMPLE_COUNT_1_BIT || (toImage && spec.data.empty()))
      continue;
    std::vector<VkBufferImageCopy> regions;
    uint64_t offset = 0;
    for (uint32_t mip = 0; mip < spec.mips; ++mip) {
      VkBufferImageCopy region = {};
      region.bufferOffset = offset;
      region.imageSubresource = {spec.aspect, mip, 0, spec.layers};
      region.imageExtent = {std::max(spec.extent.width >> mip, 1u),
                            std::max(spec.extent.height >> mip, 1u),
                            std::max(spec.extent.depth >> mip, 1u)};
      regions.push_back(region);
      offset += spec.mipBytes(mip);
    }
    VkBuffer buffer = staging[images[i].staging].buffer;
    if (toImage)
      api.CmdCopyBufferToImage(commands, buffer, images[i].image, VK_IMAGE_LAYOUT_GENERAL,
                               regions.size(), regions.data());
    else
      api.CmdCopyImageToBuffer(commands, images[i].image, VK_IMAGE_LAYOUT_GENERAL, buffer,
                               regions.size(), regions.data());
  }
}

void JobObjects::recordDispatches(VkCommandBuffer commands) {
  api.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (!sets.empty())
    api.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, sets.size(),
                              sets.data(), dynamicOffsets.size(), dynamicOffsets.data());
  if (!push.empty())
    api.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push.size(),
                         push.data());
  for (const Dispatch &dispatch : job.dispatches) {
    const uint32_t *base = dispatch.base, *groups = dispatch.groups;
    if (dispatch.indirect)
      api.CmdDispatchIndirect(commands, buffers[dispatch.indirectBuffer].buffer,
                              dispatch.indirectOffset);
    else if (base[0] || base[1] || base[2])
      api.CmdDispatchBase(commands, base[0], base[1], base[2], groups[0], groups[1], groups[2]);
    else
      api.CmdDispatch(commands, groups[0], groups[1], groups[2]);
    barrier(commands);
  }
}

Error JobObjects::run() {
  VkCommandBuffer commands = KILN_TRY(device.begin());
  for (size_t i = 0; i < images.size(); ++i)
    transition(commands, job.images[i], images[i].image, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_IMAGE_LAYOUT_GENERAL);
  for (size_t i = 0; i < images.size(); ++i) {
    const ImageSpec &spec = job.images[i];
    VkImageSubresourceRange range = {spec.allAspects, 0, spec.mips, 0, spec.layers};
    if (spec.clear)
      api.CmdClearColorImage(commands, images[i].image, VK_IMAGE_LAYOUT_GENERAL, &*spec.clear, 1,
                             &range);
  }
  recordImageCopies(commands, /*toImage=*/true);
  barrier(commands);
  recordStructures(commands);
  if (job.rays) {
    recordTraces(commands);
  } else if (!job.graphics) {
    recordDispatches(commands);
  } else if (Error error = recordDraws(commands)) {
    return error;
  }
  recordImageCopies(commands, /*toImage=*/false);
  barrier(commands);
  return device.submit();
}

Expected<JobResult> runJob(Device &device, const Job &job) {
  JobObjects objects(device, job);
  KILN_TRY(objects.create());
  KILN_TRY(objects.run());
  KILN_TRY(objects.checkStructures());
  return objects.read();
}

} // namespace exec
