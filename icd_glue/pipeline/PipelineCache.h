//===- PipelineCache.h - VkPipelineCache ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/cache/CacheContent.h"

namespace icd {

class PipelineCache : public Object {
public:
  using Handle = VkPipelineCache;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_CACHE;
  explicit PipelineCache(std::shared_ptr<CacheContent> content)
      : Object(type), content(std::move(content)) {}

  /// Shared with compiles in the background that may end later than the cache lives.
  const std::shared_ptr<CacheContent> content;
};

} // namespace icd
