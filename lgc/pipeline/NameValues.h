//===- NameValues.h - which variables of the source values are of ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/Function.h"

namespace lgc {

/// Of optimised code, where variables have no place of their own any more: what computes a value
/// that is stored to a variable of which debug information has a name notes this name,
/// "light.color" for a part, in its location (lgc/DebugNames.h). Nothing but locations changes, so
/// that code is the same.
void nameValues(llvm::Function &function);

} // namespace lgc
