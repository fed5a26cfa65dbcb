//===- GlobalUses.h - which shader a variable belongs to ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"

namespace lgc {

/// Does an instruction of `function` use the variable, directly or in a constant expression?
inline bool isUsedIn(const llvm::GlobalVariable &variable, const llvm::Function &function) {
  llvm::SmallVector<const llvm::User *, 8> worklist(variable.users());
  while (!worklist.empty()) {
    const llvm::User *user = worklist.pop_back_val();
    const auto *inst = llvm::dyn_cast<llvm::Instruction>(user);
    if (inst && inst->getFunction() == &function)
      return true;
    if (!inst)
      worklist.append(user->user_begin(), user->user_end());
  }
  return false;
}

} // namespace lgc
