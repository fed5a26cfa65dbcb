//===- StageKeys.h - what a code generator adds to metadata ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <variant>

namespace lgc::direct {

using KeyValue = std::variant<bool, uint64_t, llvm::StringRef>;

/// Keys of a hardware stage in alphabetical order; the metadata have none of them.
struct StageKeys {
  pal::abi::HardwareStage stage;
  llvm::SmallVector<std::pair<llvm::StringRef, KeyValue>, 16> keys;
};

/// MessagePack metadata with more keys, in the order in which LLVM's documents are written.
/// Nothing: \p metadata are no such text, or lack a stage. All but the stages' maps is copied as it
/// is, because a document of it takes as long as all other phases take for a small shader.
std::optional<std::string> addStageKeys(llvm::StringRef metadata, llvm::ArrayRef<StageKeys> stages);

} // namespace lgc::direct
