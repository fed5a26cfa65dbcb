//===- Replayer.h - captured pipelines on a device ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes what captures need, on any device: modules, samplers, layouts and render passes once for
/// each hash and kept, so that a benchmark times creation of pipelines alone and chooses what comes
/// first. One thread at a time.
#pragma once

#include "Capture.h"
#include "Driver.h"
#include <map>

namespace replay {

struct CreatedPipeline {
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkResult result = VK_SUCCESS;
  // Of vkCreate...Pipelines: by the clock, CPU time of this thread, and of the whole process
  // meanwhile, whatever its other threads do.
  double microseconds = 0, cpuMicroseconds = 0, allThreadsMicroseconds = 0;
};

struct CreateOptions {
  VkPipelineCache cache = VK_NULL_HANDLE;
  VkPipelineCreateFlags flags = 0;            ///< more than the capture's
  const PipelineLayoutDesc *layout = nullptr; ///< instead of the capture's
};

/// Of one executable of a pipeline.
struct StageCode {
  VkShaderStageFlags stages = 0;
  uint64_t instructions = 0;
};
/// Empty where the driver has no VK_KHR_pipeline_executable_properties. Drivers want the pipeline
/// to have been created with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
std::vector<StageCode> codeStatistics(const Device &device, VkPipeline pipeline);

/// Create info of a capture, with one device's handles. Pointers lead into it, into the capture and
/// the Replayer.
struct PipelineInfo {
  PipelineInfo() = default;
  PipelineInfo(const PipelineInfo &) = delete;
  PipelineInfo &operator=(const PipelineInfo &) = delete;

  VkResult create(const Device &device, VkPipelineCache cache, VkPipeline *pipeline) const;
  /// The structure itself, for what takes any pipeline's.
  void *structure();
  const void *&next();
  VkPipelineCreateFlags &flags();

  PipelineKind kind = PipelineKind::Graphics;
  // That of the kind is set.
  VkComputePipelineCreateInfo compute = {};
  VkGraphicsPipelineCreateInfo graphics = {};
  VkRayTracingPipelineCreateInfoKHR rays = {};
  std::vector<VkPipelineShaderStageCreateInfo> stages; ///< of all kinds

private:
  friend class Replayer;
  VkPipelineLibraryCreateInfoKHR linked = {};
  std::vector<VkPipeline> libraries;
};

class Replayer {
public:
  explicit Replayer(const Device &device) : device(device) {}
  ~Replayer();
  Replayer(const Replayer &) = delete;
  Replayer &operator=(const Replayer &) = delete;

  /// Why the device cannot have this pipeline, or empty.
  std::string missing(const Capture &capture) const;

  /// Modules that are not there yet; adds the CPU time of vkCreateShaderModule.
  llvm::Error createModules(const Capture &capture, double *microseconds = nullptr);
  /// One without a hash is known by its address: forget() it before it goes away.
  llvm::Expected<VkPipelineLayout> createLayout(const PipelineLayoutDesc &layout);
  void forget(const PipelineLayoutDesc &layout);
  /// One of its own for sets without a hash. Conversions of immutable samplers are in their
  /// structures' chains then.
  llvm::Expected<VkDescriptorSetLayout> createSetLayout(const SetLayoutDesc &set);
  /// Modules, layouts, render pass and libraries of the capture.
  llvm::Error prepare(const Capture &capture, const CreateOptions &options = {});
  /// Errors: whatever cannot be prepared. What creation says stands in the result. The pipeline
  /// belongs to the caller.
  llvm::Expected<CreatedPipeline> create(const Capture &capture, const CreateOptions &options = {});
  /// What create() hands over. Errors: whatever cannot be prepared.
  llvm::Expected<std::unique_ptr<PipelineInfo>> info(const Capture &capture,
                                                     const CreateOptions &options = {});
  VkShaderModule module(const std::string &hash) const { return modules.at(hash); }
  void destroy(VkPipeline pipeline) { device.DestroyPipeline(device.handle, pipeline, nullptr); }
  /// Ends the modules, as programs do that have all their pipelines.
  void destroyModules();

private:
  using LibraryKey = std::pair<PipelineKind, std::string>; ///< with its hash
  struct Library {
    VkPipeline pipeline = VK_NULL_HANDLE;
    std::vector<VkShaderStageFlagBits> stages; ///< with those of its libraries behind
  };

  llvm::Expected<VkSampler> createSampler(const SamplerDesc &sampler);
  llvm::Error createRenderPass(const Capture &capture);
  llvm::Error createLibraries(const Capture &capture);
  llvm::Error createLibrary(const Capture &capture, const std::string &hash);
  std::vector<VkShaderStageFlagBits> rayStagesOf(const Capture &capture) const;
  llvm::Error checkGroups(const Capture &capture) const;
  void fillGraphics(const Capture &capture, PipelineInfo &info) const;
  llvm::Expected<VkPipelineLayout> layoutOf(const Capture &capture, const CreateOptions &options);

  const Device &device;
  std::map<std::string, VkShaderModule> modules;                       ///< by hash
  std::map<std::string, VkDescriptorSetLayout> setLayouts;             ///< by hash
  std::map<std::string, VkPipelineLayout> layouts;                     ///< by hash
  std::map<const PipelineLayoutDesc *, VkPipelineLayout> otherLayouts; ///< without a hash
  std::map<std::string, VkRenderPass> renderPasses;                    ///< by hash, or file name
  std::map<LibraryKey, Library> libraries;
  std::vector<VkSampler> samplers;
  std::vector<VkSamplerYcbcrConversion> conversions;
  std::vector<VkDescriptorSetLayout> otherSetLayouts;
  std::vector<LibraryKey> openLibraries; ///< that are being created
};

} // namespace replay
