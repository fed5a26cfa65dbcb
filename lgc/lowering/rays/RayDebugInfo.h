//===- RayDebugInfo.h - source locations around the code of rays ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/Module.h"

namespace lgc {

/// Where a shader has debug information, every function gets some, and every call a location: line
/// 0 of its own. Else what of a shader is inlined to a function without would have no lines, and
/// the verifier would refuse calls of shaders.
void coverWithDebugInfo(llvm::Module &module);

} // namespace lgc
