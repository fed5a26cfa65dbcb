//===- PageMapping.h - pages at an address --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_EXT_map_memory_placed: memory that is mapped at an address which the application chooses is
/// mapped there besides, and the device goes on working where it always does.
#pragma once

#include <cstdint>
#include <memory>

namespace icd {

/// Pages in the address space of this process. Sizes are rounded up to whole ones.
class PageMapping {
public:
  /// Zeros that can be mapped again. Null: the system has none.
  static std::unique_ptr<PageMapping> create(uint64_t size);
  /// Shared pages, which must be mapped at \p pages, once more: at \p place instead of whatever is
  /// there, or, if that is null, where there is room. Null: the system refuses.
  static std::unique_ptr<PageMapping> again(void *pages, uint64_t size, void *place = nullptr);
  /// The same of a file, at an offset of whole pages: pages of dma-bufs cannot be mapped again by
  /// their address.
  static std::unique_ptr<PageMapping> ofFile(int file, uint64_t offset, uint64_t size, void *place);
  ~PageMapping();
  PageMapping(const PageMapping &) = delete;

  void *data() const { return pages; }
  /// Gives the pages away, but leaves their addresses to the application: nobody else gets them.
  /// False: nothing has changed.
  bool leaveReserved();

private:
  PageMapping(void *pages, uint64_t size) : pages(pages), size(size) {}
  static std::unique_ptr<PageMapping> own(void *pages, uint64_t size);

  void *pages; ///< null: reserved
  const uint64_t size;
};

} // namespace icd
