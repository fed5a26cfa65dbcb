//===- VerifyRules.h - the tables behind verifyCodeObject -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to Verify*.cpp. A new rule is a function and a row in its table.
#pragma once

#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Verify.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pal::abi {

/// What a rule reports through: report("message").
using Report = llvm::function_ref<void(const llvm::Twine &)>;

struct ElfContext {
  const ElfObject &elf;
  const GpuTarget *expected; ///< may be null
};
struct ElfRule {
  llvm::StringLiteral id;
  llvm::StringLiteral description;
  void (*check)(const ElfContext &, Report);
};

struct MetadataContext {
  const ElfObject &elf;
  const PipelineMetadata &md;
  const GpuTarget *target; ///< of the ELF; null when its machine number is unknown
  bool isCompute() const { return md.type == PipelineType::Cs; }
};
struct MetadataRule {
  llvm::StringLiteral id;
  llvm::StringLiteral description;
  void (*check)(const MetadataContext &, Report);
};

struct StageContext {
  const MetadataContext &pipeline;
  HardwareStage id;
  const HardwareStageInfo &stage;
  bool isCompute() const { return id == HardwareStage::Cs; }
  /// The map, empty when missing.
  llvm::ArrayRef<uint32_t> userDataMap() const {
    return stage.userDataRegMap ? llvm::ArrayRef<uint32_t>(*stage.userDataRegMap)
                                : llvm::ArrayRef<uint32_t>();
  }
};
struct StageRule {
  llvm::StringLiteral id;
  llvm::StringLiteral description;
  void (*check)(const StageContext &, Report);
};

llvm::ArrayRef<ElfRule> elfRules();
llvm::ArrayRef<MetadataRule> metadataRules();
llvm::ArrayRef<MetadataRule> graphicsRules();
llvm::ArrayRef<StageRule> stageRules();
llvm::ArrayRef<StageRule> userDataRules();

} // namespace pal::abi
