//===- LowerPushConstants.cpp - push.const -> user data -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Loads of push constants at constant offsets become user data dwords, which live in scalar
/// registers; other accesses go through memory, the spill table or the table that holds the node.
/// Runs after the LLVM optimisations (unrolling makes offsets constant) and before the entry
/// point's arguments are assigned, which counts the user data operations.
///
///   before: %p = call ptr addrspace(4) @lgc.push.const__p4()
///           %q = getelementptr i8, ptr addrspace(4) %p, i64 8
///           %v = load float, ptr addrspace(4) %q
///   after:  %d = call i32 @lgc.user.data__i32_i32(i32 <first dword of the node + 2>)
///           %v = bitcast i32 %d to float
///
/// A constant offset outside the node reads zero (undefined behaviour in Vulkan).
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "lgc/lowering/resources/UserDataAddress.h"

using namespace llvm;

namespace lgc {
namespace {

struct PushConstants {
  ResourceLocation location;
  uint32_t sizeBytes = 0;
  bool relocatable = false; ///< the node's place in the root is not known
  std::map<Function *, UserDataAddress> addresses;
};

/// The `bytes` bytes at `offset` of the root node as one value of `type`.
Value *loadRootBytes(IRBuilder<> &b, PushConstants &push, uint32_t offset, uint32_t bytes,
                     Type *type) {
  UserDataAddress &root =
      push.addresses.try_emplace(b.GetInsertBlock()->getParent(), *b.GetInsertBlock()->getParent())
          .first->second;
  uint32_t first = offset / 4;
  uint32_t last = (offset + bytes - 1) / 4;
  SmallVector<Value *, 8> dwords;
  for (uint32_t i = first; i <= last; ++i)
    dwords.push_back(root.rootDwords(push.location.offsetInDwords + i, 1));
  if (offset % 4 == 0 && bytes % 4 == 0)
    return joinPieces(b, dwords, 32, type);
  // Bytes or halfwords: cut them out of a vector.
  unsigned unit = offset % 2 == 0 && bytes % 2 == 0 ? 2 : 1;
  unsigned perDword = 4 / unit;
  Type *unitType = b.getIntNTy(unit * 8);
  SmallVector<Value *, 16> units;
  for (uint32_t at = offset; at < offset + bytes; at += unit) {
    Value *dword = dwords[at / 4 - first];
    Value *vector = b.CreateBitCast(dword, FixedVectorType::get(unitType, perDword));
    units.push_back(b.CreateExtractElement(vector, uint64_t(at % 4 / unit)));
  }
  return joinPieces(b, units, unit * 8, type);
}

/// Follows GEPs with constant offsets from the push constant pointer and replaces loads.
void lowerConstantLoads(Value &pointer, int64_t offset, PushConstants &push,
                        const DataLayout &layout) {
  SmallVector<std::pair<Instruction *, int64_t>, 16> work;
  auto addUsers = [&](Value &value, int64_t at) {
    for (User *user : value.users())
      if (auto *inst = dyn_cast<Instruction>(user))
        work.push_back({inst, at});
  };
  addUsers(pointer, offset);
  while (!work.empty()) {
    auto [inst, at] = work.pop_back_val();
    if (auto *gep = dyn_cast<GetElementPtrInst>(inst)) {
      APInt delta(64, 0);
      if (gep->accumulateConstantOffset(layout, delta))
        addUsers(*gep, at + delta.getSExtValue());
      continue;
    }
    auto *load = dyn_cast<LoadInst>(inst);
    if (!load || !isBufferType(layout, load->getType()))
      continue;
    uint64_t bytes = layout.getTypeStoreSize(load->getType()).getFixedValue();
    IRBuilder<> b(load);
    Value *value = Constant::getNullValue(load->getType());
    if (at >= 0 && static_cast<uint64_t>(at) + bytes <= push.sizeBytes)
      value = loadRootBytes(b, push, static_cast<uint32_t>(at), static_cast<uint32_t>(bytes),
                            load->getType());
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}

void eraseUnusedGeps(Value &pointer) {
  for (User *user : make_early_inc_range(pointer.users()))
    if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      eraseUnusedGeps(*gep);
      if (gep->use_empty())
        gep->eraseFromParent();
    }
}

void lowerPushConst(CallInst &call, PushConstants &push) {
  const DataLayout &layout = call.getModule()->getDataLayout();
  if (push.location.hops.empty()) {
    lowerConstantLoads(call, 0, push, layout);
    eraseUnusedGeps(call);
  }
  if (!call.use_empty()) {
    UserDataAddress &address =
        push.addresses.try_emplace(call.getFunction(), *call.getFunction()).first->second;
    Value *base = push.location.hops.empty() ? address.spillTable()
                                             : address.tablePointer(push.location.hops);
    IRBuilder<> b(&call);
    uint32_t offset = push.location.offsetInDwords;
    call.replaceAllUsesWith(push.relocatable ? relocatedPointer(b, base, rootSymbol(offset))
                                             : offsetPointer(b, base, uint64_t(offset) * 4));
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerPushConstantsPass::run(Module &module, ModuleAnalysisManager &mam) {
  if (!hasOp(module, OpId::PushConstOp))
    return PreservedAnalyses::all();
  PushConstants push;
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  push.location = findPushConst(state.mapping);
  push.relocatable = state.part.relocatable;
  if (push.relocatable && !push.location.hops.empty())
    reportError(module.getContext(), unsupported("part: push constants behind a pointer in user "
                                                 "data (IndirectUserDataVaPtr)"));
  if (!push.location.node)
    reportError(module.getContext(), invalidInput("the resource mapping has no push constants"));
  else
    push.sizeBytes = push.location.node->sizeInDwords * 4;
  forEachOp(module, OpId::PushConstOp, [&](CallInst &call) {
    if (push.location.node) {
      lowerPushConst(call, push);
    } else {
      call.replaceAllUsesWith(PoisonValue::get(call.getType()));
      call.eraseFromParent();
    }
  });
  return PreservedAnalyses::none();
}

} // namespace lgc
