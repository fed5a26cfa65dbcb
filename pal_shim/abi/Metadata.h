//===- Metadata.h - PAL metadata as a structure ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The MsgPack blob of the metadata note as a C++ structure, both ways.
///
/// parse() is strict where PAL fails or, worse, does not notice: major version, types, enumeration
/// strings, array lengths, integer ranges, for every key that Abi.def knows. Unknown keys are
/// kept and ignored at every level, as PAL does. toBlob() writes the typed fields back over the
/// document that was read, so everything else (graphics registers, clients' private keys) survives:
///
///   Expected<PipelineMetadata> md = PipelineMetadata::parse(note->desc);
///   md->userDataLimit = 12;                              // optional: a field without value
///   md->hardwareStage(HardwareStage::Cs)->userDataRegMap = {0x10000000, 4, 5};  // erases its key
///   Expected<std::vector<uint8_t>> elf = replaceMetadata(object, md->toBlob());
///
/// toBlob() is canonical: keys in order, smallest encodings. A blob from LLVM comes out as it was.
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/MsgPack.h"
#include <array>
#include <memory>
#include <vector>

namespace pal::abi {

using Hash128 = std::array<uint64_t, 2>;

/// `.shaders.*`
struct ShaderInfo {
  std::optional<Hash128> apiShaderHash;
  std::vector<HardwareStage> hardwareMapping;
};

/// `.hardware_stages.*`; names and meanings as in Abi.def.
struct HardwareStageInfo {
  std::optional<std::string> entryPointSymbol;
  std::optional<uint32_t> vgprCount, sgprCount, vgprLimit, sgprLimit;
  std::optional<uint32_t> scratchMemorySize, ldsSize;
  std::optional<uint32_t> wavefrontSize, floatMode, userSgprs;
  std::optional<bool> scratchEn, wgpMode, ieeeMode, memOrdered, forwardProgress, trapPresent;
  std::optional<std::vector<uint32_t>> userDataRegMap;
  std::optional<std::vector<uint32_t>> threadgroupDimensions;
};

/// `.compute_registers`
struct ComputeRegisters {
  std::optional<bool> tgidXEn, tgidYEn, tgidZEn, tgSizeEn;
  std::optional<uint32_t> tidigCompCnt;
};

class PipelineMetadata {
public:
  /// An empty document of the version that this project writes.
  PipelineMetadata();
  PipelineMetadata(PipelineMetadata &&) = default;
  PipelineMetadata &operator=(PipelineMetadata &&) = default;

  /// Errors: AbiError with the key's path, such as
  /// "amdpal.pipelines[0].hardware_stages.cs.user_data_reg_map: 33 entries, the limit is 32".
  static llvm::Expected<PipelineMetadata> parse(llvm::ArrayRef<uint8_t> blob);

  /// Writes the typed fields into the document and encodes it.
  std::vector<uint8_t> toBlob();

  uint32_t versionMajor = metadataMajorVersion;
  uint32_t versionMinor = metadataMinorVersion;
  bool isAtLeast(uint32_t major, uint32_t minor) const {
    return versionMajor > major || (versionMajor == major && versionMinor >= minor);
  }

  std::optional<std::string> name, api;
  std::optional<PipelineType> type;
  std::optional<Hash128> internalPipelineHash;
  std::optional<uint64_t> resourceHash;
  std::optional<uint32_t> userDataLimit, spillThreshold;
  std::optional<ComputeRegisters> computeRegisters;
  std::array<std::optional<ShaderInfo>, apiStageCount> shaders;
  std::array<std::optional<HardwareStageInfo>, hardwareStageCount> hardwareStages;

  std::optional<HardwareStageInfo> &hardwareStage(HardwareStage stage) {
    return hardwareStages[unsigned(stage)];
  }
  const std::optional<HardwareStageInfo> &hardwareStage(HardwareStage stage) const {
    return hardwareStages[unsigned(stage)];
  }
  const std::optional<ShaderInfo> &shader(ApiStage stage) const { return shaders[unsigned(stage)]; }

  /// A node of `.graphics_registers`, by its path below it ("[2]" is an array element); empty when
  /// it is not there.
  std::optional<llvm::msgpack::DocNode> graphicsNode(llvm::ArrayRef<llvm::StringRef> path) const;
  /// The node as a number; booleans count as 0 and 1. Empty when missing or of another kind.
  std::optional<uint64_t> graphicsNumber(llvm::ArrayRef<llvm::StringRef> path) const;

  /// The whole document, for keys without a typed field: `.graphics_registers` and so on. What
  /// toBlob() writes from typed fields overrides what is stored here under their keys.
  llvm::msgpack::Document &document() { return *doc; }
  /// The map amdpal.pipelines[0], made if missing.
  llvm::msgpack::MapDocNode pipelineMap();

private:
  std::vector<uint8_t> storage; ///< the document's strings point here
  std::unique_ptr<llvm::msgpack::Document> doc;
};

} // namespace pal::abi
