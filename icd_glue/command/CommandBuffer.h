//===- CommandBuffer.h - VkCommandPool and VkCommandBuffer ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Recording. State (pipelines, sets, push constants) is tracked here while commands are recorded,
/// and resolved when a dispatch is: an operation needs no state but its own.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/command/BindState.h"
#include "icd_glue/command/DrawBindings.h"
#include "icd_glue/command/Recording.h"

namespace icd {

class CommandBuffer;
class Device;
struct RenderSequence;

class CommandPool : public Object {
public:
  using Handle = VkCommandPool;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_COMMAND_POOL;
  CommandPool(Device &device, const VkCommandPoolCreateInfo &info,
              const VkAllocationCallbacks *allocator);
  ~CommandPool();

  Device &device() { return owner; }
  /// Null: out of host memory.
  CommandBuffer *allocate(VkCommandBufferLevel level);
  void free(CommandBuffer *commandBuffer);
  void reset(VkCommandPoolResetFlags flags);
  void trim() { chunks->trim(); }
  const std::shared_ptr<TableChunks> &tableChunks() const { return chunks; }

private:
  Device &owner;
  const VkAllocationCallbacks callbacks; ///< also for the command buffers
  std::shared_ptr<TableChunks> chunks;
  std::vector<CommandBuffer *> commandBuffers;
};

class CommandBuffer : public Object {
public:
  using Handle = VkCommandBuffer;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_COMMAND_BUFFER;
  CommandBuffer(CommandPool &pool, VkCommandBufferLevel level);

  Device &device() { return pool.device(); }
  VkCommandBufferLevel level() const { return bufferLevel; }

  VkResult begin(const VkCommandBufferBeginInfo &info);
  VkResult end();
  void reset();

  /// Appends an operation. \p name is the command's; it must be a literal.
  void record(const char *name, llvm::unique_function<llvm::Error(Execution &) const> run);
  /// The same of something that conditional rendering leaves out.
  void recordConditional(const char *name,
                         llvm::unique_function<llvm::Error(Execution &) const> run) {
    record(name, std::move(run));
    recording->operations.back().isConditional = true;
  }
  /// Makes vkEndCommandBuffer return \p result; the first error stays.
  void setError(VkResult result) {
    if (error == VK_SUCCESS)
      error = result;
  }

  /// The state of a bind point.
  BindPointState &state(VkPipelineBindPoint bindPoint);
  PushConstantState &pushConstants() { return constants; }
  DrawBindings &drawBindings() { return draws; }
  /// VK_EXT_descriptor_buffer: addresses of what is bound, by number.
  std::array<pal::device::GpuAddress, maxDescriptorBuffers> &descriptorBuffers() {
    return boundDescriptorBuffers;
  }
  /// vkCmdSetRayTracingPipelineStackSizeKHR.
  uint32_t rayStackBytes() const { return rayStack; }
  void setRayStackBytes(uint32_t bytes) { rayStack = bytes; }
  TableArena &tables() { return recording->tables; }
  /// What has been recorded; shared with whoever executes it.
  std::shared_ptr<const Recording> recorded() const { return recording; }
  /// Appends what \p other has recorded. False, and nothing is done: it is still being recorded, or
  /// there would be more levels than maxNesting or operations than maxOperations.
  bool execute(const CommandBuffer &other);

  /// The render pass instance that this command buffer has begun and not ended, or null.
  const std::shared_ptr<const RenderSequence> &rendering() const { return renderSequence; }
  /// Which subpass it is in.
  size_t phase() const { return renderPhase; }
  void setRendering(std::shared_ptr<const RenderSequence> sequence) {
    renderSequence = std::move(sequence);
    renderPhase = 0;
  }
  void nextPhase() { ++renderPhase; }

  void beginLabel(const char *name);
  void endLabel();

private:
  friend class CommandPool;
  CommandPool &pool;
  const VkCommandBufferLevel bufferLevel;
  std::shared_ptr<Recording> recording;
  std::array<BindPointState, bindPointCount> bindPoints;
  PushConstantState constants;
  std::array<pal::device::GpuAddress, maxDescriptorBuffers> boundDescriptorBuffers = {};
  uint32_t rayStack = 0;
  DrawBindings draws;
  std::vector<std::shared_ptr<const std::string>> labels;
  std::shared_ptr<const RenderSequence> renderSequence;
  size_t renderPhase = 0;
  bool isRecording = false;
  VkResult error = VK_SUCCESS;
};

} // namespace icd
