//===- KeepHalf.h - one half of a graphics pipeline stays -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lgc {

/// Erases the entry functions of the half that is not \p half. Of a module whose functions are read
/// when they are needed, those are not read.
void eraseOtherHalf(llvm::Module &module, PartState::Half half);

} // namespace lgc
