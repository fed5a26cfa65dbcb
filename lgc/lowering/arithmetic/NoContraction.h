//===- NoContraction.h - what may not be contracted, propagated -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace lgc {

/// Of shaders whose options ask for it: "forward", "backward" or both, separated by a comma.
inline constexpr llvm::StringLiteral noContractAttribute = "lgc-propagate-no-contract";

/// For applications that take it for granted that what is computed of an exact value is exact, too
/// (ShaderOptions::forwardPropagateNoContract and backwardPropagateNoContract): additions,
/// subtractions and products without the flag `contract` are the beginning. Forward, additions and
/// subtractions of everything that is computed of them lose the flag; backward, everything that
/// their operands are computed of does. True when something changed.
///   before: %p = fmul float %a, %b
///           %m = fmul contract float %c, %d
///           %s = fadd contract float %m, %p
///   after:  %s = fadd float %m, %p          ; no fma(%c, %d, %p)
bool propagateNoContraction(llvm::Function &function);

} // namespace lgc
