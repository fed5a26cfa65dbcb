//===- Record.h - compiled code as bytes that outlive a process -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The one serialisation of what the caches hold: a pipeline cache's data, the cache on disk and
/// pipeline binaries are made of records. Numbers are little-endian:
///
///   u32 magic | u16 version | u8 kind | u8 linked | u32 EF_AMDGPU_MACH | u32 VkShaderStageFlags |
///   u32[4] pipeline hash | u32 bytes of the name | u32 number of warnings |
///   u32 bytes of the warnings | u32 bytes of the ELF |
///   name | warnings, each with a u32 of its bytes in front | zeros up to a multiple of 8 | ELF
///
/// Nothing of a record is believed: it may come from an application's file, be damaged, or be made
/// by somebody who wants harm. It has no checksum: who keeps records has one around them, or names
/// them by their content (contentHash()).
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

enum class RecordKind : uint8_t {
  Code, ///< a whole code object
  Part, ///< a part or glue of pipelines
};

/// What is in a record. The texts and the ELF belong to somebody else.
struct Record {
  RecordKind kind = RecordKind::Code;
  uint32_t stages = 0;             ///< VkShaderStageFlags; 0 for parts
  llpc::Hash128 pipelineHash = {}; ///< 0 for parts
  bool isLinked = false;           ///< of parts; never of parts themselves
  llvm::StringRef name;            ///< of the program, for messages; empty for parts
  std::vector<std::string> warnings;
  llvm::ArrayRef<uint8_t> elf;
};

std::vector<uint8_t> encodeRecord(const Record &record, const pal::abi::GpuTarget &target);

/// Checks everything: the lengths, that nothing is left over, and that the ELF is one for
/// \p target. The result refers to \p bytes. Errors: InvalidInput, with what is wrong.
llvm::Expected<Record> decodeRecord(llvm::ArrayRef<uint8_t> bytes, RecordKind kind,
                                    const pal::abi::GpuTarget &target);

/// Names a record: XXH3-128 of its bytes.
llpc::Hash128 contentHash(llvm::ArrayRef<uint8_t> record);

/// Bytes that say which other key has the record (ShaderCache::alias).
std::vector<uint8_t> encodeAlias(const CacheKey &key);
/// None for anything that encodeAlias() would not write.
std::optional<CacheKey> decodeAlias(llvm::ArrayRef<uint8_t> bytes);

} // namespace icd
