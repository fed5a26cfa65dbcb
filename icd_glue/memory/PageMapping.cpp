//===- PageMapping.cpp - pages at an address ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/PageMapping.h"
#include <sys/mman.h>

namespace icd {

std::unique_ptr<PageMapping> PageMapping::own(void *pages, uint64_t size) {
  return pages == MAP_FAILED ? nullptr : std::unique_ptr<PageMapping>(new PageMapping(pages, size));
}

std::unique_ptr<PageMapping> PageMapping::create(uint64_t size) {
  // Shared, because only such pages can be mapped twice; like malloc's without a check that all of
  // them can be had at once.
  return own(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0),
             size);
}

std::unique_ptr<PageMapping> PageMapping::again(void *pages, uint64_t size, void *place) {
  // Why no file: each allocation would take a descriptor, of which processes have few. An old size
  // of 0 makes mremap leave the old pages where they are.
  return own(place ? mremap(pages, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, place)
                   : mremap(pages, 0, size, MREMAP_MAYMOVE),
             size);
}

std::unique_ptr<PageMapping> PageMapping::ofFile(int file, uint64_t offset, uint64_t size,
                                                 void *place) {
  return own(mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | (place ? MAP_FIXED : 0), file,
                  static_cast<off_t>(offset)),
             size);
}

PageMapping::~PageMapping() {
  if (pages)
    munmap(pages, size);
}

bool PageMapping::leaveReserved() {
  if (mmap(pages, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED)
    return false;
  pages = nullptr;
  return true;
}

} // namespace icd
