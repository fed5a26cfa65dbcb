//===- UpdateTemplate.h - VkDescriptorUpdateTemplate ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/descriptor/SetWriter.h"

namespace icd {

class UpdateTemplate : public Object {
public:
  using Handle = VkDescriptorUpdateTemplate;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE;
  explicit UpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo &info)
      : Object(type), bindPoint(info.pipelineBindPoint),
        entries(info.pDescriptorUpdateEntries,
                info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {}

  /// Writes what the entries find in the application's \p data.
  void apply(const SetMemory &memory, const void *data, const DescriptorWords &words) const;

  const VkPipelineBindPoint bindPoint; ///< of templates for push descriptors

private:
  const std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

} // namespace icd
