//===- Record.h - compiled code as bytes that outlive a process -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The one serialisation of what the caches hold: a pipeline cache's data, the cache on disk and
/// pipeline binaries are made of records. Numbers are little-endian:
///
///   u32 magic | u16 version | u8 kind | u8 origin (1 linked, 2 stand-in) | u32 EF_AMDGPU_MACH |
///   u32 VkShaderStageFlags | u32[4] pipeline hash | u32 bytes of the name | u32 number of warnings
///   | u32 bytes of the warnings | u32 bytes of the ELF | u32 bytes of it that are stored | name |
///   warnings, each with a u32 of its bytes in front | ELF, packed (CodePacking.h) if fewer bytes
///   are stored
///
/// Nothing of a record is believed: it may come from an application's file, be damaged, or be made
/// by somebody who wants harm. It has no checksum: who keeps records has one around them, or names
/// them by their content (contentHash()). The ELF is unpacked and checked when it is needed, which
/// takes longer than all of the rest.
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

enum class RecordKind : uint8_t {
  Code, ///< a complete code object
  Part, ///< a part or glue of pipelines
};

/// How code came about.
struct CodeOrigin {
  bool isLinked = false;  ///< of parts; complete code objects only
  bool isStandIn = false; ///< until better code comes (code/StandIn.h)
};

/// What is in a record besides the code. Texts belong to somebody else.
struct RecordHead {
  RecordKind kind = RecordKind::Code;
  uint32_t stages = 0;             ///< VkShaderStageFlags; 0 for parts
  llpc::Hash128 pipelineHash = {}; ///< 0 for parts
  CodeOrigin origin;
  llvm::StringRef name; ///< of the program, for messages; empty for parts
  std::vector<std::string> warnings;
};

struct Record {
  RecordHead head;
  uint32_t elfBytes = 0;
  llvm::ArrayRef<uint8_t> stored; ///< of the ELF; belongs to somebody else
};

std::vector<uint8_t> encodeRecord(const RecordHead &head, llvm::ArrayRef<uint8_t> elf,
                                  const pal::abi::GpuTarget &target);

/// Checks everything but the ELF: the lengths, and that nothing is left over. The result refers to
/// \p bytes. Errors: InvalidInput, with what is wrong.
llvm::Expected<Record> decodeRecord(llvm::ArrayRef<uint8_t> bytes, RecordKind kind,
                                    const pal::abi::GpuTarget &target);

/// The code, which is an ELF for \p target. Errors: InvalidInput, with what is wrong.
llvm::Expected<std::vector<uint8_t>> unpackElf(uint32_t elfBytes, llvm::ArrayRef<uint8_t> stored,
                                               const pal::abi::GpuTarget &target);

/// Names a record: XXH3-128 of its bytes.
llpc::Hash128 contentHash(llvm::ArrayRef<uint8_t> record);

/// Bytes that say which other key has the record (ShaderCache::alias).
std::vector<uint8_t> encodeAlias(const CacheKey &key);
/// None for anything that encodeAlias() would not write.
std::optional<CacheKey> decodeAlias(llvm::ArrayRef<uint8_t> bytes);

} // namespace icd
