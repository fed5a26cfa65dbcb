//===- FragmentControl.h - how fragment shaders end ------------------------==//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class Function;
class ReturnInst;
} // namespace llvm

namespace lgc {

/// Makes all returns of a function one `ret`, which is the result; null when it never returns. A
/// wave exports once, so what comes last has to stand in one place.
llvm::ReturnInst *uniteReturns(llvm::Function &function);

} // namespace lgc
