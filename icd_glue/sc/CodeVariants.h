//===- CodeVariants.h - code of a pipeline for several states -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a pipeline cache of Vulkan SC has as a pipeline's code: an ELF; or, where the number of
/// control points of a patch is dynamic state, one for each number that can be drawn with, since
/// nothing is compiled later. These are little-endian, each ELF at a multiple of 8:
///
///   u32 magic | u32 number of ELFs | u32 control points, u32 bytes of each, ascending | ELFs
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace icd::sc {

inline constexpr uint32_t maxControlPoints = 32;

struct CodeVariant {
  uint32_t patchControlPoints = 0; ///< 0: whatever there are
  llvm::ArrayRef<uint8_t> elf;
};

/// \p variants: ascending by control points, from 1 to 32.
std::vector<uint8_t> packVariants(llvm::ArrayRef<CodeVariant> variants);

/// What packVariants() gave, or the only one; never none. Whether they are ELFs is not looked at.
/// Errors: InvalidInput.
llvm::Expected<std::vector<CodeVariant>> variantsOf(llvm::ArrayRef<uint8_t> code);

} // namespace icd::sc
