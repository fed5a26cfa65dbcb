//===- BuildId.cpp - which build of a library is running ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/BuildId.h"
#include <cstdint>
#include <elf.h>
#include <link.h>

namespace icd {
namespace {

struct Search {
  uintptr_t inside; ///< an address in the library that is looked for
  std::string id;
};

/// The build id note of one segment of notes, or nothing.
std::string idOfNotes(const char *notes, size_t size) {
  for (size_t position = 0; position + sizeof(ElfW(Nhdr)) <= size;) {
    auto *header = reinterpret_cast<const ElfW(Nhdr) *>(notes + position);
    const size_t name = position + sizeof(*header);
    const size_t data = name + ((header->n_namesz + 3) & ~size_t(3));
    if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4)
      return std::string(notes + data, header->n_descsz);
    position = data + ((header->n_descsz + 3) & ~size_t(3));
  }
  return {};
}

int visitLibrary(dl_phdr_info *info, size_t, void *argument) {
  auto *search = static_cast<Search *>(argument);
  bool found = false;
  for (unsigned index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[index];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    found |= segment.p_type == PT_LOAD && search->inside >= begin &&
             search->inside < begin + segment.p_memsz;
  }
  if (!found)
    return 0;
  for (unsigned index = 0; index < info->dlpi_phnum && search->id.empty(); ++index) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[index];
    if (segment.p_type == PT_NOTE)
      search->id = idOfNotes(reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr),
                             segment.p_filesz);
  }
  return 1;
}

} // namespace

std::string buildIdAt(const void *address) {
  Search search = {reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(visitLibrary, &search);
  return search.id;
}

std::string buildId() { return buildIdAt(reinterpret_cast<const void *>(&visitLibrary)); }

} // namespace icd
