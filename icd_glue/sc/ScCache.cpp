//===- ScCache.cpp - pipeline caches of Vulkan SC -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sc/ScCache.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include <cstring>
// Why inline: no library to link and no exported symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace icd::sc {
namespace {

uint32_t get32(const uint8_t *at) { return llvm::support::endian::read32le(at); }
uint64_t get64(const uint8_t *at) { return llvm::support::endian::read64le(at); }

Uuid uuidAt(const uint8_t *at) {
  Uuid uuid;
  std::memcpy(uuid.data(), at, uuid.size());
  return uuid;
}

/// Numbers of the standard header by their places.
struct HeaderRow {
  uint32_t place;
  uint32_t value;
  const char *name;
};
constexpr HeaderRow headerRows[] = {
    {0, headerBytes, "headerSize"},
    {4, headerVersion, "headerVersion"},
    {32, validationVersion, "validationVersion"},
    {36, formatVersion, "implementationData"},
};

class Reader {
public:
  explicit Reader(ArrayRef<uint8_t> cache) : cache(cache) {}

  Expected<Header> readHeader() {
    if (cache.size() < headerBytes)
      return fault(0, "the cache has " + Twine(cache.size()) + " bytes, its header has 56");
    const uint8_t *at = cache.data();
    for (const HeaderRow &row : headerRows)
      if (get32(at + row.place) != row.value)
        return fault(row.place, Twine(row.name) + " is " + Twine(get32(at + row.place)) +
                                    ", expected " + Twine(row.value));
    Header header;
    header.vendorId = get32(at + 8);
    header.deviceId = get32(at + 12);
    header.uuid = uuidAt(at + 16);
    header.implementationData = get32(at + 36);
    return header;
  }

  Expected<std::vector<Entry>> readIndex() {
    const uint64_t count = get32(cache.data() + 40), stride = get32(cache.data() + 44);
    const uint64_t offset = get64(cache.data() + 48);
    if (stride < ourIndexStride)
      return fault(44, "pipelineIndexStride is " + Twine(stride) + ", less than " +
                           Twine(ourIndexStride));
    // Both factors have 32 bits: the product cannot overflow.
    if (!isInside(offset, count * stride))
      return fault(48, "the pipeline index reaches beyond the end of the cache");
    std::vector<Entry> entries(count);
    for (uint64_t i = 0; i < count; ++i)
      KILN_TRY(readEntry(offset + i * stride, entries[i]));
    return entries;
  }

private:
  static Error fault(uint64_t place, const Twine &message) {
    return lgc::invalidInput("pipeline cache (byte " + Twine(place) + "): " + message);
  }
  bool isInside(uint64_t offset, uint64_t size) const {
    return offset <= cache.size() && size <= cache.size() - offset;
  }

  Error readEntry(uint64_t place, Entry &entry) {
    const uint8_t *at = cache.data() + place;
    entry.identifier = uuidAt(at);
    entry.memoryBytes = get64(at + 16);
    const uint64_t jsonBytes = get64(at + 24), jsonPlace = get64(at + 32);
    if (!isInside(jsonPlace, jsonBytes))
      return fault(place + 32, "the JSON reaches beyond the end of the cache");
    entry.json = llvm::toStringRef(cache.slice(jsonPlace, jsonBytes));
    KILN_TRY(readStages(place, entry));
    if (entry.json.empty() != entry.modules.empty())
      return fault(place + 24, "JSON and SPIR-V go together, one of them is missing");
    return readCode(place, entry);
  }

  Error readStages(uint64_t place, Entry &entry) {
    const uint8_t *at = cache.data() + place;
    const uint64_t count = get32(at + 40), stride = get32(at + 44), offset = get64(at + 48);
    if (!count)
      return Error::success();
    if (count > maxStages)
      return fault(place + 40,
                   Twine(count) + " stages, no pipeline has more than " + Twine(maxStages));
    if (stride < stageEntryBytes)
      return fault(place + 44, "stageIndexStride is " + Twine(stride) + ", less than 16");
    if (!isInside(offset, count * stride))
      return fault(place + 48, "the stage index reaches beyond the end of the cache");
    for (uint64_t i = 0; i < count; ++i) {
      const uint8_t *stage = cache.data() + offset + i * stride;
      const uint64_t size = get64(stage), code = get64(stage + 8);
      if (!isInside(code, size) || !size || size % 4)
        return fault(offset + i * stride, "no SPIR-V of " + Twine(size) + " bytes there");
      entry.modules.push_back(cache.slice(code, size));
    }
    return Error::success();
  }

  Error readCode(uint64_t place, Entry &entry) {
    const uint8_t *at = cache.data() + place + indexEntryBytes;
    const uint64_t offset = get64(at), size = get64(at + 8);
    if (!isInside(offset, size) || !size)
      return fault(place + indexEntryBytes, "no code of " + Twine(size) + " bytes there");
    codeBytes += size;
    if (codeBytes > cache.size()) // or else a small file could keep us busy for hours
      return fault(offset, "code of pipelines overlaps");
    entry.elf = cache.slice(offset, size);
    entry.hash = get64(at + 16);
    entry.stages = get32(at + 24);
    entry.debugHash = get32(at + 28);
    std::memcpy(entry.inputs.data(), at + 32, entry.inputs.size());
    return Error::success();
  }

  static constexpr uint64_t maxStages = 16;
  ArrayRef<uint8_t> cache;
  uint64_t codeBytes = 0; ///< so far
};

} // namespace

uint64_t hashOf(const Entry &entry) {
  std::array<uint8_t, 44> fields;
  llvm::copy(entry.identifier, fields.begin());
  llvm::support::endian::write64le(&fields[16], entry.memoryBytes);
  llvm::support::endian::write32le(&fields[24], entry.stages);
  llvm::copy(entry.inputs, fields.begin() + 28);
  return XXH3_64bits_withSeed(entry.elf.data(), entry.elf.size(),
                              XXH3_64bits(fields.data(), fields.size()));
}

uint32_t DebugHasher::hashOf(const Entry &entry) {
  if (entry.json.empty())
    return 0;
  std::vector<uint8_t> numbers(8);
  llvm::support::endian::write64le(numbers.data(), entry.json.size());
  uint32_t crc = llvm::crc32(llvm::crc32(numbers), llvm::arrayRefFromStringRef(entry.json));
  for (ArrayRef<uint8_t> module : entry.modules) {
    auto [at, isNew] = known.try_emplace({module.data(), module.size()}, 0);
    if (isNew)
      at->second = llvm::crc32(module);
    numbers.resize(12);
    llvm::support::endian::write64le(numbers.data(), module.size());
    llvm::support::endian::write32le(numbers.data() + 8, at->second);
    crc = llvm::crc32(crc, numbers);
  }
  return crc ? crc : 1;
}

Uuid cacheUuid(llvm::StringRef target) {
  const std::string text = "Kiln Vulkan SC " + std::to_string(formatVersion) + " " + target.str();
  XXH128_canonical_t canonical; // the same on every host
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  return uuidAt(canonical.digest);
}

Expected<CacheView> CacheView::create(ArrayRef<uint8_t> cache) {
  Reader reader(cache);
  CacheView view;
  Header header = KILN_TRY(reader.readHeader());
  view.cacheHeader = header;
  view.list = KILN_TRY(reader.readIndex());
  view.byIdentifier.resize(view.list.size());
  for (uint32_t i = 0; i < view.list.size(); ++i)
    view.byIdentifier[i] = i;
  auto identifier = [&](uint32_t i) -> const Uuid & { return view.list[i].identifier; };
  llvm::sort(view.byIdentifier,
             [&](uint32_t a, uint32_t b) { return identifier(a) < identifier(b); });
  for (size_t i = 1; i < view.byIdentifier.size(); ++i)
    if (identifier(view.byIdentifier[i]) == identifier(view.byIdentifier[i - 1]))
      return lgc::invalidInput("pipeline cache: two pipelines have the identifier " +
                               uuidText(identifier(view.byIdentifier[i])));
  for (const Entry &entry : view.list)
    if (hashOf(entry) != entry.hash)
      return lgc::invalidInput("pipeline cache: pipeline " + uuidText(entry.identifier) +
                               " is damaged");
  return view;
}

const Entry *CacheView::find(const Uuid &identifier) const {
  auto at = llvm::lower_bound(byIdentifier, identifier, [&](uint32_t number, const Uuid &wanted) {
    return list[number].identifier < wanted;
  });
  return at != byIdentifier.end() && list[*at].identifier == identifier ? &list[*at] : nullptr;
}

std::string uuidText(const Uuid &identifier) {
  std::string text = llvm::toHex(identifier, /*LowerCase=*/true);
  for (size_t dash : {20, 16, 12, 8})
    text.insert(dash, "-");
  return text;
}

} // namespace icd::sc
