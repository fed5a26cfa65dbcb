//===- Execution.h - executes one pipeline --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Gpu.h"
#include "PipelineFile.h"
#include "Scene.h"
#include "tools/replay/Replayer.h"

namespace execute {

/// A pipeline with the resources of a scene. Everything but these is as the pipeline's file has it:
/// layouts, samplers, render pass, state.
class Execution {
public:
  Execution(Gpu &gpu, replay::Replayer &replayer, const pcc::PipelineFile &file, const Scene &scene)
      : gpu(gpu), replayer(replayer), file(file), capture(*file.capture), scene(scene) {}
  ~Execution() {
    if (capture.layout)
      replayer.forget(*capture.layout); // the file goes away
  }
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  /// \p cache: one that kiln-pcc made, out of which the pipeline comes without any shader; null:
  /// the driver compiles it.
  Result run(VkPipelineCache cache);

private:
  // Execution.cpp
  void createPipeline(VkPipelineCache cache);
  void createTargets();
  void addTarget(VkFormat format, VkSampleCountFlagBits samples);
  void createFramebuffer();
  void dispatch(VkCommandBuffer commands);
  void draw(VkCommandBuffer commands);
  void beginPass(VkCommandBuffer commands);
  void beginRendering(VkCommandBuffer commands);
  void setDynamicState(VkCommandBuffer commands);
  void bind(VkCommandBuffer commands, VkPipelineBindPoint point);
  Result read() const;
  /// Vulkan SC has pipelines of two kinds.
  bool isCompute() const { return info->kind == replay::PipelineKind::Compute; }
  VkPipelineLayout layout() const {
    return isCompute() ? info->compute.layout : info->graphics.layout;
  }
  const VkPipelineRenderingCreateInfo *rendering() const;

  // ExecutionSets.cpp
  void createSets();
  VkDescriptorSet createSet(const replay::SetLayoutDesc &desc);
  void write(VkDescriptorSet set, size_t number, const replay::SetLayoutDesc &desc);
  void writeElement(VkWriteDescriptorSet &write, const VkDescriptorSetLayoutBinding &binding,
                    const replay::SamplerDesc *sampler, const std::string &place);
  Buffer filled(VkDeviceSize size, const Words &words);
  Image sampledImage(VkFormat format, const Words &words);
  const Words &wordsFor(const std::string &place) const;

  Gpu &gpu;
  replay::Replayer &replayer;
  const pcc::PipelineFile &file;
  const replay::Capture &capture;
  const Scene &scene;
  std::unique_ptr<replay::PipelineInfo> info;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Words push;
  Buffer pointee;
  std::vector<VkDescriptorSet> sets;
  std::vector<uint32_t> dynamicOffsets;
  std::map<std::string, Buffer> buffers; ///< that shaders may write, by place
  std::map<std::string, Image> images;   ///< likewise
  std::map<std::string, Buffer> copies;  ///< of `images`
  struct Target {
    Image image;
    VkImageView view;
    Buffer copy;
  };
  std::vector<Target> targets; ///< by attachment; without a format: none
  std::vector<std::pair<uint32_t, Buffer>> vertexBuffers;
  uint32_t layers = 1; ///< of targets
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

} // namespace execute
