//===- FragmentControl.h - how fragment shaders end ------------------------==//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class AllocaInst;
class Function;
class ReturnInst;
} // namespace llvm

namespace lgc {

/// Makes all returns of a function one `ret`, which is the result; null when it never returns. A
/// wave exports once, so what comes last has to stand in one place.
llvm::ReturnInst *uniteReturns(llvm::Function &function);

/// The variable (i1) that says whether the invocation has been demoted, in shaders in which demoted
/// invocations run on as if they lived; null: LLVM knows of all demotions. lgc-lower-subgroup,
/// which asks, makes it a value.
llvm::AllocaInst *demotedVariable(llvm::Function &function);
void promoteDemoted(llvm::Function &function);

} // namespace lgc
