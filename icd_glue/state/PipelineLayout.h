//===- PipelineLayout.h - VkPipelineLayout --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/Striped.h"
#include "icd_glue/state/UserDataLayout.h"
#include "lgc/Link.h"
#include "llpc/Compiler.h"

namespace icd {

/// What pipelines keep of their layout. Immutable.
struct PipelineLayoutData {
  /// Null when the layout needs more user data than there is.
  static std::shared_ptr<const PipelineLayoutData>
  create(std::vector<std::shared_ptr<const SetLayout>> sets, uint32_t pushBytes);
  static std::shared_ptr<const PipelineLayoutData>
  ofHandles(llvm::ArrayRef<VkDescriptorSetLayout> sets,
            llvm::ArrayRef<VkPushConstantRange> pushRanges);
  PipelineLayoutData(std::vector<std::shared_ptr<const SetLayout>> sets, uint32_t pushBytes,
                     UserDataLayout userData);

  const std::vector<std::shared_ptr<const SetLayout>> sets; ///< null: left open
  const uint32_t pushBytes;
  const UserDataLayout userData;
  const lgc::ResourceMapping mapping; ///< the same for the compiler
  const lgc::LinkLayout linkLayout;   ///< the same for linking parts
  const llpc::Hash128 hash;           ///< of `mapping`: what code depends on
};

class PipelineLayout : public Object {
public:
  using Handle = VkPipelineLayout;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  explicit PipelineLayout(std::shared_ptr<const PipelineLayoutData> data)
      : Object(type), data(std::move(data)) {}

  /// The layout of set \p index, or null.
  std::shared_ptr<const SetLayout> setLayout(uint32_t index) const {
    return index < data->sets.size() ? data->sets[index] : nullptr;
  }

  const StripedOwner<const PipelineLayoutData> data;
};

} // namespace icd
