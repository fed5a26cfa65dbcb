//===- Resources.h - Vulkan objects of one job ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Creates and destroys what a Job describes, one file per kind of object: buffers and images
/// (Resources.cpp), descriptors (Descriptors.cpp), pipeline and commands (Job.cpp).
#pragma once

#include "Job.h"

namespace exec {

struct BufferObject {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void *mapped = nullptr;
  uint64_t size = 0;
  VkDeviceAddress address = 0;
};

struct ImageObject {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint32_t staging = 0; ///< index among the staging buffers
};

/// Everything of one job; the destructor destroys it.
class JobObjects {
public:
  JobObjects(Device &device, const Job &job)
      : device(device), api(device.api()), job(job), push(job.push) {}
  ~JobObjects();
  JobObjects(const JobObjects &) = delete;
  JobObjects &operator=(const JobObjects &) = delete;

  llvm::Error create();
  llvm::Error run();
  JobResult read() const;

private:
  // Resources.cpp
  llvm::Error createBuffers();
  llvm::Error createImages();
  llvm::Error createImage(const ImageSpec &spec, ImageObject &object);
  llvm::Error createSamplers();
  llvm::Expected<BufferObject> createBuffer(uint64_t size, VkBufferUsageFlags usage);
  void patchPointers();
  /// Buffer size that the job asked for is the size of the object: robustness is exact.
  void destroy(BufferObject &buffer);

  // Descriptors.cpp
  struct SetBinding {
    uint32_t binding;
    VkDescriptorType type;
    uint32_t count;
    std::vector<VkSampler> immutable;
  };
  llvm::Error createLayouts();
  llvm::Error createSetLayout(uint32_t set);
  llvm::Error createSets();
  llvm::Error writeDescriptor(const Binding &binding);
  llvm::Expected<VkBufferView> createTexelView(const Binding &binding);
  llvm::Expected<VkImageView> createImageView(const Binding &binding);

  // Job.cpp
  llvm::Error createPipeline();
  void recordImageCopies(VkCommandBuffer commands, bool toImage);
  void transition(VkCommandBuffer commands, const ImageSpec &spec, VkImage image,
                  VkImageLayout from, VkImageLayout to);
  void barrier(VkCommandBuffer commands);

  Device &device;
  const DeviceApi &api;
  const Job &job;
  Bytes push; ///< with addresses
  std::vector<BufferObject> buffers, staging;
  std::vector<ImageObject> images;
  std::vector<VkSampler> samplers;
  std::vector<VkBufferView> bufferViews;
  std::vector<VkImageView> imageViews;
  std::vector<std::vector<SetBinding>> setBindings;
  std::vector<VkDescriptorSetLayout> setLayouts;
  std::vector<VkDescriptorSet> sets;
  std::vector<uint32_t> dynamicOffsets;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

/// Is it VK_DESCRIPTOR_TYPE_{UNIFORM,STORAGE}_BUFFER[_DYNAMIC]?
bool isBufferType(VkDescriptorType type);
bool isDynamicType(VkDescriptorType type);
bool isTexelType(VkDescriptorType type);

} // namespace exec
