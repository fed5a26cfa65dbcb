//===- ExternalMemory.h - memory that is shared ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_KHR_external_memory_fd, VK_EXT_external_memory_dma_buf and VK_EXT_external_memory_host:
/// storage of a VkDeviceMemory that other devices and processes map too, or that the application
/// has allocated itself.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/Udmabuf.h"
#include "icd_glue/memory/PageMapping.h"
#include "icd_glue/sync/SharedPages.h"
#include <memory>

namespace icd {

/// Where the bytes of an allocation are.
struct MemorySource {
  std::shared_ptr<SharedPages> shared; ///< null: nobody else has them
  std::shared_ptr<PageMapping> pages;  ///< null: nobody places mappings of them
  void *host = nullptr;                ///< null: where the device puts them
  bool isImported = false;

  bool canBeMappedAgain() const { return shared || pages; }
  std::shared_ptr<void> owner() const {
    return shared ? std::shared_ptr<void>(shared) : std::shared_ptr<void>(pages);
  }
};

/// What the chain of a VkMemoryAllocateInfo asks for. An imported file is not adopted yet.
/// \p mapsViews: what is not the application's own can be mapped again.
VkResult findMemorySource(const VkMemoryAllocateInfo &info, bool mapsViews, const Udmabuf &udmabuf,
                          MemorySource &source);

/// Of resources and handles of \p type; nothing for types that are not known.
VkExternalMemoryProperties externalMemoryProperties(const Udmabuf &udmabuf,
                                                    VkExternalMemoryHandleTypeFlagBits type);

} // namespace icd
