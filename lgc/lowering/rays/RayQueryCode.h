//===- RayQueryCode.h - RayQuery.c as a module ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lgc {

/// LLVM bitcode of RayQuery.c for AMDGPU.
llvm::StringRef rayQueryCode();

} // namespace lgc
