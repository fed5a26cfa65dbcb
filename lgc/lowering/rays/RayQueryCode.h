//===- RayQueryCode.h - RayQuery.c as a module ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lgc {

/// Dwords of the stack of nodes that a query has on a target, by its name.
uint32_t rayStackDwords(llvm::StringRef target);

/// LLVM bitcode of RayQuery.c for AMDGPU.
llvm::StringRef rayQueryCode();

} // namespace lgc
