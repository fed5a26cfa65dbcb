//===- KeptDescriptor.cpp - descriptors that debuggers can find ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/KeptDescriptor.h"
#include "lgc/Ops.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace lgc {

void keepForDebuggers(CallBase &pointer, Value &descriptor) {
  SmallVector<DbgVariableRecord *, 1> records;
  findDbgValues(&pointer, records);
  for (DbgVariableRecord *record : records) {
    Function &function = *pointer.getFunction();
    IRBuilder<> top(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *copy =
        top.CreateAlloca(descriptor.getType(), AddrSpace::Private, nullptr, "descriptor");
    IRBuilder<>(&pointer).CreateStore(&descriptor, copy, /*isVolatile=*/true);
    DIBuilder(*function.getParent(), /*AllowUnresolved=*/false)
        .insertDeclare(copy, record->getVariable(), record->getExpression(),
                       record->getDebugLoc().get(), std::next(copy->getIterator()));
    record->eraseFromParent();
  }
}

} // namespace lgc
