//===- LowerPrivateLoads.cpp - loads that LLVM loses or takes for uniform -===//
// SPDX-License-Identifier: MIT
/// \file
/// amdgpu-promote-alloca of LLVM 22 turns private variables into vectors, and remembers what they
/// are indexed with and what is stored to them. When that is itself loaded from such a variable,
/// the load is deleted by the time it is asked for (llvm-project pull requests 186944, 215686). So
/// there another value stands for it. So it does for bytes and halves: a pair that one is loaded
/// into counts as uniform when the address is, though each lane has its own memory, and scalar code
/// reads that of the first lane. Runs last, since InstCombine would take it away again.
///   before: %i = load i32, ptr addrspace(5) %q
///           %p = getelementptr i32, ptr addrspace(5) %v, i32 %i
///   after:  %i = load i32, ptr addrspace(5) %q
///           %f = freeze i32 %i
///           %p = getelementptr i32, ptr addrspace(5) %v, i32 %f
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace lgc {
namespace {

/// An index into private memory, or what is stored to it?
bool isRemembered(const Use &use) {
  const User *user = use.getUser();
  if (auto *store = dyn_cast<StoreInst>(user))
    return store->getPointerAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS &&
           use.getOperandNo() != StoreInst::getPointerOperandIndex();
  auto *place = dyn_cast<GetElementPtrInst>(user);
  return place && place->getAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS &&
         use.getOperandNo() != GetElementPtrInst::getPointerOperandIndex();
}

} // namespace

PreservedAnalyses LowerPrivateLoadsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (!load || load->getPointerAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS)
      continue;
    const bool isPart = load->getType()->getScalarSizeInBits() <= 16;
    if (!isPart && none_of(load->uses(), isRemembered))
      continue;
    IRBuilder<> b(load->getNextNode());
    Value *held = b.CreateFreeze(load);
    load->replaceUsesWithIf(held, [&](const Use &use) {
      return use.getUser() != held && (isPart || isRemembered(use));
    });
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
