//===- FuzzPccCache.cpp - fuzz target: pipeline caches of Vulkan SC -------===//
// SPDX-License-Identifier: MIT
/// \file
/// The input is what an application gives as a cache. Whatever it is, reading it returns; what is
/// taken lies inside of the input, can be found by its identifier, and is the same after it was
/// written and read again. Some inputs are caches that were written and then changed at their
/// numbers: random bytes would not get past the header.
#include "icd_glue/sc/CacheWriter.h"
#include "icd_glue/sc/ScCache.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace icd::sc;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-pcc-cache: %s\n", what);
  std::abort();
}

bool isInside(llvm::ArrayRef<uint8_t> part, llvm::ArrayRef<uint8_t> whole) {
  return part.empty() || (part.begin() >= whole.begin() && part.end() <= whole.end());
}

bool isSame(const Entry &a, const Entry &b) {
  return a.identifier == b.identifier && a.memoryBytes == b.memoryBytes && a.json == b.json &&
         a.modules == b.modules && a.elf == b.elf && a.stages == b.stages && a.inputs == b.inputs &&
         a.debugHash == b.debugHash;
}

/// A cache of three pipelines, two with debug information that shares a module.
std::vector<uint8_t> sample(unsigned seed) {
  static const std::vector<uint8_t> bytes(256, 7);
  const llvm::ArrayRef<uint8_t> all(bytes);
  Header header;
  header.vendorId = 0x1002;
  header.deviceId = 0x744C;
  header.uuid = cacheUuid("gfx1100");
  std::vector<Entry> entries(3);
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].identifier[0] = static_cast<uint8_t>(i);
    entries[i].memoryBytes = 4096;
    entries[i].elf = all.take_front(32 + (seed + i) % 128);
    entries[i].stages = 0x20;
    if (i) {
      entries[i].json = "{}";
      entries[i].modules.assign(i, all.take_front(24));
      entries[i].debugHash = i == 1 ? DebugHasher().hashOf(entries[i]) : 0;
    }
  }
  return icd::sc::writeCache(header, entries);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::ArrayRef<uint8_t> input(data, size);
  auto cache = CacheView::create(input);
  if (!cache) {
    require(llvm::StringRef(lgc::consumeToText(cache.takeError()).message)
                .starts_with("pipeline cache"),
            "an error that does not say what it is about");
    return 0;
  }
  for (const Entry &entry : cache->entries()) {
    require(cache->find(entry.identifier) == &entry, "a pipeline cannot be found");
    require(isInside(entry.elf, input) && isInside(llvm::arrayRefFromStringRef(entry.json), input),
            "what is outside of the cache");
    for (llvm::ArrayRef<uint8_t> module : entry.modules)
      require(isInside(module, input) && module.size() % 4 == 0, "no module");
  }
  const std::vector<uint8_t> written = icd::sc::writeCache(cache->header(), cache->entries());
  auto again = CacheView::create(written);
  require(bool(again), "what was written is refused");
  require(again->entries().size() == cache->entries().size(), "pipelines get lost");
  for (size_t i = 0; i < cache->entries().size(); ++i)
    require(isSame(cache->entries()[i], again->entries()[i]), "a pipeline changes");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (size > headerBytes && seed % 4)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::vector<uint8_t> made = sample(seed / 4);
  // A number or two of header, index or stage index.
  for (unsigned i = 0; i < seed / 512 % 3; ++i) {
    const size_t at = seed / (16 << i) % (made.size() / 4) * 4;
    LLVMFuzzerMutate(made.data() + at, 4, 4);
  }
  if (made.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}
