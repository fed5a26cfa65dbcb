//===- ModuleBlock.h - writing and reading ShaderModuleDataEx -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The parts of llpc/ShaderModuleData.h that need no compiler: laying a block out, and checking
/// one. The layout is a function of the counts, so the reader computes every offset itself and only
/// compares.
#pragma once

#include "llpc/ShaderModuleData.h"
#include "llpc/reflect/EntryReflection.h"

namespace llpc {

/// ShaderModuleEntryData::pShaderEntry.
struct ShaderModuleEntry {
  uint64_t traits = 0;     ///< EntryTraits::bits()
  uint32_t nameOffset = 0; ///< in the block
  uint32_t nameSize = 0;   ///< bytes without the 0 behind it
  uint32_t inputCount = 0; ///< of vertex inputs, in the array behind the private data
  uint32_t fsOutInfoCount = 0;
  uint32_t isSpecialized = 0; ///< ResourceUsage::isSpecialized
  uint32_t reserved = 0;
};

/// What a block is made of. Everything that this points to must outlive the call only.
struct ModuleBlockSource {
  struct Entry {
    ShaderStage stage;
    llvm::StringRef name;
    const EntryReflection *reflection; ///< with an error: the entry is not described
  };
  Hash128 hash = {};
  Hash128 cacheHash = {};
  ShaderModuleUsage usage;
  llvm::ArrayRef<uint32_t> words;
  llvm::ArrayRef<Entry> entries;
};

/// Bytes of the block. Errors: LimitExceeded beyond 4 GiB.
llvm::Expected<uint32_t> moduleBlockSize(const ModuleBlockSource &source);
/// Writes the stored form. \p block has moduleBlockSize() bytes.
void writeModuleBlock(const ModuleBlockSource &source, llvm::MutableArrayRef<uint8_t> block);

/// Rebuilds the pointers of a block that writeModuleBlock() has just written.
void relocateWrittenBlock(llvm::MutableArrayRef<uint8_t> block);

/// What reflectEntry() said when the block was written. \p entry is one of data's entries, and
/// described.
EntryReflection reflectionOf(const ShaderModuleDataEx &data, const ShaderModuleEntryData &entry);

/// XXH3-128 of a stored block's bytes but for the checksum itself; low half first. \p block holds a
/// ShaderModuleDataEx at least.
std::array<uint64_t, 2> moduleBlockChecksum(llvm::ArrayRef<uint8_t> block);

} // namespace llpc
