//===- RayStack.h - what shaders of ray tracing have on the stack -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/ShaderState.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace lgc {

/// Bytes of a lane. Shaders are inlined into the functions that call them, whose frames these are;
/// 0 where the function itself is inlined.
struct RayStack {
  uint32_t kernel = 0; ///< with the largest of the others
  uint32_t trace = 0, call = 0, report = 0;

  /// What the API counts for a shader of the stage.
  uint64_t ofStage(ShaderStage stage) const;
  /// Vulkan's default pipeline stack size.
  uint64_t total(uint32_t depth) const;
};

/// Out of the metadata of a code object. Errors: InvalidInput when it is none.
llvm::Expected<RayStack> readRayStack(llvm::ArrayRef<uint8_t> elf);

} // namespace lgc
