//===- PipelineCache.h - VkPipelineCache ----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The object and its header. Nothing is kept in it yet: data of an application is accepted when
/// its header names this device, and dropped.
#pragma once

#include "icd_glue/Object.h"

namespace icd {

class PipelineCache : public Object {
public:
  using Handle = VkPipelineCache;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_CACHE;
  PipelineCache() : Object(type) {}
};

} // namespace icd
