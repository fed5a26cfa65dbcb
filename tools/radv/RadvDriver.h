//===- RadvDriver.h - Vulkan in the child process -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the compute and the graphics side of the peer's child process share: the device and its
/// functions, made with every feature that the driver reports.
#pragma once

#include "tools/radv/RadvPeer.h"
#include "tools/vulkan/Instance.h"
#include "llvm/Support/MemoryBuffer.h"
#include <vulkan/vulkan.h>

namespace radv {

#define KILN_DEVICE_FUNCTIONS(X)                                                                   \
  X(vkCreateShaderModule)                                                                          \
  X(vkDestroyShaderModule)                                                                         \
  X(vkCreateDescriptorSetLayout)                                                                   \
  X(vkDestroyDescriptorSetLayout)                                                                  \
  X(vkCreatePipelineLayout)                                                                        \
  X(vkDestroyPipelineLayout)                                                                       \
  X(vkCreateComputePipelines)                                                                      \
  X(vkCreateGraphicsPipelines)                                                                     \
  X(vkDestroyPipeline)                                                                             \
  X(vkGetPipelineExecutablePropertiesKHR)                                                          \
  X(vkGetPipelineExecutableStatisticsKHR)

/// A Vulkan structure with its type set and everything else zero.
template <typename T> T vkStruct(VkStructureType type, void *next = nullptr) {
  T result{};
  result.sType = type;
  result.pNext = next;
  return result;
}

class Driver {
public:
  std::string open();
  std::optional<PeerResult> compile(const std::string &file, const std::string &entry,
                                    bool statistics);
  std::optional<GraphicsPeerResult> compileGraphics(const GraphicsJob &job, bool statistics);
  std::string deviceName;

private:
  std::string createDevice();
  bool createLayout(const std::vector<PeerDescriptor> &descriptors, uint32_t pushBytes,
                    VkShaderStageFlags stages, std::vector<VkDescriptorSetLayout> &sets,
                    VkPipelineLayout &layout);
  using Files = std::vector<std::unique_ptr<llvm::MemoryBuffer>>;
  VkResult createModules(const GraphicsJob &job, const Files &files,
                         std::vector<VkPipelineShaderStageCreateInfo> &stages);
  std::vector<GraphicsPeerResult::Stage> readStages(VkPipeline pipeline);
  /// Of the pipeline's executable number `index`.
  PeerStage readStatistics(VkPipeline pipeline, uint32_t index);

  vulkan::Instance *instance = nullptr; ///< as long as the process
  VkDevice device = VK_NULL_HANDLE;
#define X(name) PFN_##name name = nullptr;
  KILN_DEVICE_FUNCTIONS(X)
#undef X
};

} // namespace radv
