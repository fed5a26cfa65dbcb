//===- FozArchive.h - Fossilize databases ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The container of Fossilize's databases (`.foz`), format versions 5 and 6; little-endian:
///
///     magic      16 bytes   81 "FOSSILIZEDB" 0 0 0 and the version
///     entries    40 hexadecimal digits: 24 of the kind, 16 of the hash
///                u32 bytes of the payload | u32 1: as it is, 2: zlib | u32 CRC-32 of the payload,
///                or 0 | u32 bytes of what is in it
///                payload
///
/// What is in an entry is JSON; behind that of a module there are a zero and its words, seven bits
/// a byte, the lowest first. Of two entries with one hash the first counts. Databases are appended
/// to by programs that may be ended at any time: what is in front of an entry that is cut off is
/// good.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace replay {

/// Numbers are those of the format.
enum class FozKind : uint32_t {
  ApplicationInfo,
  Sampler,
  SetLayout,
  PipelineLayout,
  Module,
  RenderPass,
  GraphicsPipeline,
  ComputePipeline,
  ApplicationLink,
  RayTracingPipeline,
};

class FozArchive {
public:
  /// Errors: InvalidInput for what is no database of a known version.
  static llvm::Expected<std::unique_ptr<FozArchive>> open(const std::string &path);
  static llvm::Expected<std::unique_ptr<FozArchive>>
  create(std::unique_ptr<llvm::MemoryBuffer> file);

  llvm::StringRef name() const { return file->getBufferIdentifier(); }
  /// Ascending.
  std::vector<uint64_t> hashes(FozKind kind) const;
  /// What is in an entry. Errors: InvalidInput for one that is not there or damaged.
  llvm::Expected<std::string> read(FozKind kind, uint64_t hash) const;
  /// Why what is behind some place was not read; empty: everything was.
  const std::string &cutOff() const { return whyCutOff; }

private:
  struct Entry {
    uint64_t place = 0; ///< of the payload
    uint32_t bytes = 0, format = 0, crc = 0, contentBytes = 0;
  };
  explicit FozArchive(std::unique_ptr<llvm::MemoryBuffer> file) : file(std::move(file)) {}
  llvm::Error readIndex();
  llvm::Error fault(uint64_t place, const llvm::Twine &message) const;

  std::unique_ptr<llvm::MemoryBuffer> file;
  std::map<std::pair<uint32_t, uint64_t>, Entry> entries;
  std::string whyCutOff;
};

/// The words of a module out of what is in its entry; \p hash names it there. Errors: InvalidInput.
llvm::Expected<std::vector<uint32_t>> fozModule(llvm::StringRef content, const std::string &name,
                                                llvm::StringRef hash);

} // namespace replay
