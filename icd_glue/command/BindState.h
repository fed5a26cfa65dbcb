//===- BindState.h - bound pipelines, sets and push constants -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the commands of one command buffer have bound so far, per bind point, and how it becomes
/// root user data for a pipeline. Table pointers and dynamic buffers are taken from a set when it
/// is bound: they cannot change afterwards. The memory that a pointer leads to is read when the
/// shader runs, so update-after-bind needs nothing.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/command/Recording.h"
#include "icd_glue/descriptor/SetWriter.h"
#include "icd_glue/state/UserDataLayout.h"
#include "llvm/ADT/SmallVector.h"

namespace icd {

class PipelineData;

struct BoundSet {
  uint32_t table = 0;                               ///< low half of the address
  llvm::SmallVector<BufferWords, 2> dynamicBuffers; ///< with their offsets applied
};

/// Push descriptors: words that the commands write, copied to device memory before a dispatch.
struct PushSet {
  uint32_t set = 0;
  std::shared_ptr<const SetLayout> layout;
  std::vector<uint32_t> words;
  bool changed = false; ///< since the last upload

  SetMemory memory() { return {layout.get(), words, {}, 0}; }
};

struct BindPointState {
  std::shared_ptr<const PipelineData> pipeline;
  std::array<BoundSet, maxBoundSets> sets;
  PushSet push; ///< `layout` is null when there are none

  void reset() { *this = {}; }
  /// The push set of number \p set, with memory for \p layout.
  PushSet &pushSet(uint32_t set, const std::shared_ptr<const SetLayout> &layout);
};

struct PushConstantState {
  std::array<uint8_t, maxPushConstantBytes> bytes = {};
};

/// Bind points by index; what an unknown number gets is of no use to anyone, but valid memory.
inline constexpr size_t bindPointCount = 4;
inline size_t bindPointIndex(VkPipelineBindPoint bindPoint) {
  switch (bindPoint) {
  case VK_PIPELINE_BIND_POINT_COMPUTE:
    return 0;
  case VK_PIPELINE_BIND_POINT_GRAPHICS:
    return 1;
  case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR:
    return 2;
  default:
    return 3;
  }
}

/// V# with \p offset added to its address; null descriptors stay null.
BufferWords withOffset(BufferWords words, uint32_t offset);

/// Buffers of descriptors that are bound at once (maxDescriptorBufferBindings).
inline constexpr uint32_t maxDescriptorBuffers = 32;

/// Root user data for a pipeline with \p layout. Uploads changed push descriptors.
/// Nothing: the descriptor heap is full.
std::optional<std::vector<uint32_t>> buildUserData(const UserDataLayout &layout,
                                                   BindPointState &state,
                                                   const PushConstantState &constants,
                                                   TableArena &tables);

} // namespace icd
