//===- PipelineLayout.h - VkPipelineLayout --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/pipeline/UserDataLayout.h"

namespace icd {

/// What pipelines keep of their layout.
struct PipelineLayoutData {
  std::vector<std::shared_ptr<const SetLayout>> sets; ///< null: left open
  uint32_t pushBytes = 0;
  UserDataLayout userData;
  lgc::ResourceMapping mapping;
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

  const std::shared_ptr<const PipelineLayoutData> data;
};

} // namespace icd
