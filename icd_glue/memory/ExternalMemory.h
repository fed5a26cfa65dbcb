//===- ExternalMemory.h - memory that is shared ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_KHR_external_memory_fd and VK_EXT_external_memory_host: storage of a VkDeviceMemory that
/// other devices and processes map too, or that the application has allocated itself.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/sync/SharedPages.h"
#include <memory>

namespace icd {

/// Where the bytes of an allocation are.
struct MemorySource {
  std::unique_ptr<SharedPages> shared; ///< null: nobody else has them
  void *host = nullptr;                ///< null: where the device puts them
};

/// What the chain of a VkMemoryAllocateInfo asks for. An imported file is not adopted yet.
VkResult findMemorySource(const VkMemoryAllocateInfo &info, MemorySource &source);

/// Of resources and handles of \p type; nothing for types that are not known.
VkExternalMemoryProperties externalMemoryProperties(VkExternalMemoryHandleTypeFlagBits type);

} // namespace icd
