//===- ShaderModuleData.h - what a shader module uses, as one block -------===//
// SPDX-License-Identifier: MIT
/// \file
/// A driver wants to know what a shader module uses before any pipeline exists: to guess a pipeline
/// layout, and to compile ahead. buildShaderModuleData() finds that out without compiling, and
/// returns one flat block of the caller's memory that holds everything, the SPIR-V included:
///
///     ShaderModuleBuildInfo info{.pfnOutputAlloc = alloc, .shaderBin = {words, bytes}};
///     ShaderModuleBuildOut out = *buildShaderModuleData(info);
///     for (const ShaderModuleEntryData &entry : entriesOf(*out.dataEx())) ...
///
/// The block may be copied to a cache and come back at another address, in another process:
///
///     storeShaderModuleData(*out.dataEx(), bytesOfCache);           // pointers become 0
///     auto data = relocateShaderModuleData(bytesFromCache);         // checked, pointers rebuilt
///     ShaderModule module = *Compiler::loadShaderModule(**data);
///
/// The stored form is a function of the SPIR-V and the options alone: same bytes in every run. It
/// is for this machine's byte order and this version of the format only, and says so itself.
#pragma once

#include "llpc/Compiler.h"

namespace llpc {

enum class BinaryType : uint32_t { Unknown, Spirv };

struct BinaryData {
  size_t codeSize = 0;         ///< bytes
  const void *pCode = nullptr; ///< need not be aligned as input; 8-byte aligned in a block
};

/// One used descriptor binding.
struct ResourceNodeData {
  lgc::ResourceNodeType type = lgc::ResourceNodeType::Unknown;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t arraySize = 1; ///< product of all array dimensions; runtimeArray when unknown
  static constexpr uint32_t runtimeArray = ~0u;

  bool operator==(const ResourceNodeData &) const = default;
};

enum class BasicType : uint32_t {
  Unknown,
  Float,
  Double,
  Int,
  Uint,
  Int64,
  Uint64,
  Float16,
  Int16,
  Uint16,
  Int8,
  Uint8,
  Count
};

/// One location of a fragment shader's outputs.
struct FsOutInfo {
  uint32_t location = 0;
  uint32_t index = 0; ///< 1: second source of dual-source blending
  BasicType basicType = BasicType::Unknown;
  uint32_t componentCount = 0; ///< up to and including the highest that is declared, 1..4

  bool operator==(const FsOutInfo &) const = default;
};

/// One entry point. Arrays and strings lie in the block.
struct ShaderModuleEntryData {
  ShaderStage stage = ShaderStage::Count;
  const char *pEntryName = nullptr;
  const void *pShaderEntry = nullptr; ///< the compiler's own
  uint32_t resNodeDataCount = 0;
  const ResourceNodeData *pResNodeDatas = nullptr; ///< by set and binding, each once
  uint32_t pushConstSize = 0;                      ///< bytes
  /// 0: what it uses could not be found out, and nothing is said of it (no resources, outputs or
  /// push constants). ShaderModule::reflection() of the loaded block has the reason.
  uint32_t isDescribed = 1;
};

/// What every block begins with.
struct ShaderModuleData {
  uint32_t hash[4] = {}; ///< XXH3-128 of the SPIR-V words as given
  BinaryType binType = BinaryType::Unknown;
  BinaryData binCode;         ///< in host byte order
  uint32_t cacheHash[4] = {}; ///< the same of the words without debug instructions
  ShaderModuleUsage usage;
};

/// The block. What follows the structure, without gaps other than for alignment: the remaining
/// entryDatas, private data of the entries, resource nodes of all entries, outputs of all fragment
/// entries, names, the SPIR-V. Offsets are bytes from the structure's begin.
struct ShaderModuleDataEx {
  ShaderModuleData common;
  uint32_t codeOffset = 0;      ///< of binCode
  uint32_t entryOffset = 0;     ///< of the private data of entries
  uint32_t resNodeOffset = 0;   ///< of the resource nodes
  uint32_t fsOutInfoOffset = 0; ///< of the fragment outputs

  static constexpr uint32_t blockMagic = 0x4d534b4c; ///< "LKSM"
  static constexpr uint32_t blockVersion = 2;
  uint32_t magic = blockMagic;
  uint32_t version = blockVersion;
  uint64_t blockSize = 0;    ///< bytes of the whole block
  uint64_t checksum[2] = {}; ///< of all other bytes of the stored form

  struct {
    uint32_t fsOutInfoCount = 0; ///< of all fragment entries, in their order
    const FsOutInfo *pFsOutInfos = nullptr;
    uint32_t entryCount = 0;
    ShaderModuleEntryData entryDatas[1]; ///< entryCount of them
  } extra;
};

/// Entry points of a block, in the order of the module.
llvm::ArrayRef<ShaderModuleEntryData> entriesOf(const ShaderModuleDataEx &data);
inline llvm::ArrayRef<ResourceNodeData> resourcesOf(const ShaderModuleEntryData &entry) {
  return {entry.pResNodeDatas, entry.resNodeDataCount};
}
/// Outputs of one fragment entry of \p data; empty for others.
llvm::ArrayRef<FsOutInfo> fragmentOutputsOf(const ShaderModuleDataEx &data,
                                            const ShaderModuleEntryData &entry);

struct ShaderModuleBuildInfo {
  void *instance = nullptr;                 ///< passed to pfnOutputAlloc
  void *userData = nullptr;                 ///< passed to pfnOutputAlloc
  OutputAllocFunc pfnOutputAlloc = nullptr; ///< must be set; called once, for the whole block
  BinaryData shaderBin;                     ///< SPIR-V
  ShaderModuleOptions options;
};

struct ShaderModuleBuildOut {
  ShaderModuleData *pModuleData = nullptr; ///< begin of the block, which is a ShaderModuleDataEx

  ShaderModuleDataEx *dataEx() const { return reinterpret_cast<ShaderModuleDataEx *>(pModuleData); }
};

/// What drivers program registers by, of one entry point's code.
struct EntryFacts {
  bool writesPointSize = false;
  bool writesShadingRate = false;    ///< PrimitiveShadingRateKHR
  bool hasTransformFeedback = false; ///< execution mode Xfb
};
/// All false when there is no such entry point. Reflection is done at the first call, and kept.
EntryFacts entryFactsOf(const ShaderModule &module, ShaderStage stage, llvm::StringRef entryName);

/// Describes a module: reads and checks the SPIR-V, and looks at what its entry points use.
/// Specialization constants have the module's values (usage.useSpecConstant says that there are
/// some). An entry point with a resource without set or binding, or with an output without
/// location, is not described (isDescribed); the others are. Errors: as
/// Compiler::buildShaderModule(); LimitExceeded for a block beyond 4 GiB or for entry points that
/// share their code too often; InvalidInput without an allocator, Internal when it gives null or
/// memory that is not aligned to 8 bytes.
llvm::Expected<ShaderModuleBuildOut> buildShaderModuleData(const ShaderModuleBuildInfo &info);

/// The same of a module that is built already.
llvm::Expected<ShaderModuleBuildOut> buildShaderModuleData(const ShaderModule &module,
                                                           const ShaderModuleBuildInfo &info);

/// The SPIR-V that \p module was built of, in the host's byte order; empty for none.
llvm::ArrayRef<uint32_t> spirvWordsOf(const ShaderModule &module);

/// Writes the stored form of \p data: pointers are 0. \p into must have data.blockSize bytes.
void storeShaderModuleData(const ShaderModuleDataEx &data, llvm::MutableArrayRef<uint8_t> into);

/// Checks a stored block and rebuilds its pointers in place. \p block must be aligned to 8 bytes.
/// Every field is checked, so that a block of any origin is safe to use afterwards; on an error
/// the bytes are as before. Errors: InvalidInput, naming the field.
llvm::Expected<ShaderModuleDataEx *> relocateShaderModuleData(llvm::MutableArrayRef<uint8_t> block);
/// The same in a copy of \p stored, which need not be aligned. \p into has as many bytes.
llvm::Expected<ShaderModuleDataEx *> relocateShaderModuleData(llvm::ArrayRef<uint8_t> stored,
                                                              llvm::MutableArrayRef<uint8_t> into);

} // namespace llpc
