//===- RayQueryCode.h - RayQuery.c as a module ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lgc {

/// Dwords of the stack of nodes that a query has on a target, by its name.
uint32_t rayStackDwords(llvm::StringRef target);

/// On variables that are such stacks: nothing is to be gained by looking at what is done to them.
inline constexpr llvm::StringLiteral rayStackMark = "lgc.ray.stack";

/// LLVM bitcode of RayQuery.c for AMDGPU, for either kind of structures.
llvm::StringRef rayQueryCode(bool isWide);

} // namespace lgc
