//===- IrText.cpp - modules as text for people ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/IrText.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lgc {

std::string moduleText(const Module &module) {
  std::string text;
  raw_string_ostream(text) << module;
  return text;
}

void nameValues(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      if (!block.hasName())
        block.setName("b");
      for (Instruction &inst : block)
        if (!inst.hasName() && !inst.getType()->isVoidTy())
          inst.setName("v");
    }
}

} // namespace lgc
