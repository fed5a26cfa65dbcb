//===- ScCache.h - pipeline caches of Vulkan SC ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The format of compiled pipelines in Vulkan SC ("Pipeline Cache Header" of its specification),
/// and a reader that uses a cache where it lies. All numbers are little-endian.
///
///     header         56 bytes   ids of the device, place of the index
///     index          an entry per pipeline: identifier, memory size, places of what follows
///     for each pipeline:
///       stage index  16 bytes per stage   \ only with debug information
///       JSON, SPIR-V                      /
///       ELF          ours
///
/// Entries of the index are 56 bytes and what the vendor adds; ours add Entry's last members.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace icd::sc {

using Uuid = std::array<uint8_t, 16>;

inline constexpr uint32_t headerBytes = 56;
inline constexpr uint32_t headerVersion = 1000298001; ///< ..._SAFETY_CRITICAL_ONE
inline constexpr uint32_t validationVersion = 1;
inline constexpr uint32_t indexEntryBytes = 56; ///< without what vendors add
inline constexpr uint32_t stageEntryBytes = 16;
/// `implementationData`: version of what follows the 56 bytes of index entries, and of the ELFs.
inline constexpr uint32_t formatVersion = 2;
inline constexpr uint32_t ourIndexStride = 104;

/// `pipelineCacheUUID` of caches for a target ("gfx1100").
Uuid cacheUuid(llvm::StringRef target);

struct Header {
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  Uuid uuid = {};
  uint32_t implementationData = formatVersion;
};

/// A pipeline. Everything points into the cache.
struct Entry {
  Uuid identifier = {};
  uint64_t memoryBytes = 0;                     ///< that a pipeline takes from its pool
  llvm::StringRef json;                         ///< empty: no debug information
  std::vector<llvm::ArrayRef<uint8_t>> modules; ///< SPIR-V in the order of pStages

  llvm::ArrayRef<uint8_t> elf;
  uint64_t hash = 0;   ///< hashOf() the entry, as the cache has it
  uint32_t stages = 0; ///< VkShaderStageFlags
  /// DebugHasher's, as the cache has it; 0: not known, in older caches.
  uint32_t debugHash = 0;
  std::array<uint8_t, 16> inputs = {}; ///< hash of everything that the ELF was made of
};

/// What finds damage: XXH3-64 of the ELF, seeded with XXH3-64 of identifier, memory size, stages
/// and inputs as they are in the cache. JSON and SPIR-V are not in it: code does not depend on
/// them.
uint64_t hashOf(const Entry &entry);

/// What finds damage of JSON and SPIR-V. Code does not depend on them, so that no driver needs it.
class DebugHasher {
public:
  /// CRC-32, as of zlib, of the JSON behind its size (8 bytes), and of size and CRC-32 of each
  /// module; 1 instead of 0. 0 without debug information.
  uint32_t hashOf(const Entry &entry);

private:
  /// Of modules that were there already: entries may share them.
  std::map<std::pair<const uint8_t *, size_t>, uint32_t> known;
};

class CacheView {
public:
  /// Reads the index of a cache, which must stay where it is. Errors: InvalidInput, with the place,
  /// for everything that is not as the specification says, an unknown `implementationData`, two
  /// pipelines of one identifier, and entries that are not what they were when they were written.
  static llvm::Expected<CacheView> create(llvm::ArrayRef<uint8_t> cache);

  const Header &header() const { return cacheHeader; }
  llvm::ArrayRef<Entry> entries() const { return list; }
  /// Null when there is none.
  const Entry *find(const Uuid &identifier) const;

private:
  Header cacheHeader;
  std::vector<Entry> list;
  std::vector<uint32_t> byIdentifier; ///< numbers of entries, sorted
};

/// "01234567-89ab-cdef-0123-456789abcdef"
std::string uuidText(const Uuid &identifier);

} // namespace icd::sc
