//===- ExternalMemory.h - memory that is shared ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_KHR_external_memory_fd and VK_EXT_external_memory_host: storage of a VkDeviceMemory that
/// other devices and processes map too, or that the application has allocated itself.
///
/// A handle of type OPAQUE_FD is an anonymous file whose size is sealed: nobody who has it can make
/// it smaller, and an access beyond its end cannot end this process. Other files are refused.
#pragma once

#include "icd_glue/Object.h"
#include <memory>

namespace icd {

/// Pages of an anonymous file, mapped into this process.
class SharedPages {
public:
  /// Zeros. Null: the system has none.
  static std::unique_ptr<SharedPages> create(VkDeviceSize size);
  /// Of a file that somebody else has made with at least \p size bytes; it stays the caller's until
  /// adopt(). Null: it is no such file.
  static std::unique_ptr<SharedPages> open(int fd, VkDeviceSize size);
  void adopt() { ownsFile = true; }
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;

  void *data() const { return pages; }
  /// Another handle of the file, for the caller. Negative: there is none left.
  int duplicate() const;

private:
  SharedPages(int fd, void *pages, VkDeviceSize size) : fd(fd), pages(pages), size(size) {}
  static std::unique_ptr<SharedPages> map(int fd, VkDeviceSize size);

  const int fd;
  void *const pages;
  const VkDeviceSize size;
  bool ownsFile = false;
};

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
