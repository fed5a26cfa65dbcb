//===- PipelineCache.h - VkPipelineCache ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/sc/OfflineCache.h"

namespace icd {

class PipelineCache : public Object {
public:
  using Handle = VkPipelineCache;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_CACHE;
  explicit PipelineCache(std::shared_ptr<CacheContent> content,
                         std::unique_ptr<sc::OfflineCache> offline = nullptr)
      : Object(type), content(std::move(content)), offline(std::move(offline)) {}

  /// Shared with compiles in the background that may end later than the cache lives.
  const std::shared_ptr<CacheContent> content;
  /// If it is not null, the cache is this alone, and `content` is empty and stays so.
  const std::unique_ptr<sc::OfflineCache> offline;
};

} // namespace icd
