//===- UserDataAddress.cpp - pointers made from user data -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/Ops.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

IRBuilder<> UserDataAddress::entryBuilder() {
  BasicBlock &entry = function.getEntryBlock();
  if (last)
    return IRBuilder<>(&entry, std::next(last->getIterator()));
  return IRBuilder<>(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
}

Value *UserDataAddress::extend(Value *low) {
  IRBuilder<> b = entryBuilder();
  if (!pc) {
    Value *counter = b.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, {});
    pc = b.CreateBitCast(counter, FixedVectorType::get(b.getInt32Ty(), 2));
  }
  // Why vectors: <2 x i32> -> i64 is a plain register pair for instruction selection, while shifts
  // and ors of i64 survive as instructions.
  Value *pair = b.CreateInsertElement(pc, low, b.getInt32(0));
  Value *pointer = b.CreateIntToPtr(b.CreateBitCast(pair, b.getInt64Ty()),
                                    b.getPtrTy(AddrSpace::Constant), "table");
  last = cast<Instruction>(pointer);
  return pointer;
}

Value *UserDataAddress::tablePointer(ArrayRef<uint32_t> hops) {
  KILN_CHECK(!hops.empty(), "a table needs a pointer");
  Value *&cached = tables[std::vector<uint32_t>(hops.begin(), hops.end())];
  if (cached)
    return cached;
  Value *low;
  if (hops.size() == 1) {
    low = rootDwords(hops[0], 1);
  } else {
    Value *outer = tablePointer(hops.drop_back());
    IRBuilder<> b = entryBuilder();
    Value *address = offsetPointer(b, outer, uint64_t(hops.back()) * 4);
    low = last = createInvariantLoad(b, b.getInt32Ty(), address);
  }
  return tables[std::vector<uint32_t>(hops.begin(), hops.end())] = extend(low);
}

Value *UserDataAddress::specialTable(uint32_t special) {
  Value *&cached = specials[special];
  if (cached)
    return cached;
  IRBuilder<> b = entryBuilder();
  CallInst *low =
      createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(), {b.getInt32(special)}, "table.low");
  last = low;
  return cached = extend(low);
}

Value *UserDataAddress::spillTable() {
  if (!spill) {
    IRBuilder<> b = entryBuilder();
    CallInst *call =
        createOp(b, OpId::SpillTableOp, b.getPtrTy(AddrSpace::Constant), {}, "spill.table");
    spill = last = call;
  }
  return spill;
}

Value *UserDataAddress::rootDwords(uint32_t offset, uint32_t count) {
  Value *&cached = roots[{offset, count}];
  if (!cached) {
    IRBuilder<> b = entryBuilder();
    Type *type = b.getInt32Ty();
    if (count > 1)
      type = FixedVectorType::get(type, count);
    CallInst *call = createOp(b, OpId::UserDataOp, type, {b.getInt32(offset)}, "user.data");
    cached = last = call;
  }
  return cached;
}

LoadInst *createInvariantLoad(IRBuilderBase &b, Type *type, Value *pointer, const Twine &name) {
  LoadInst *load = b.CreateAlignedLoad(type, pointer, Align(4), name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

Value *offsetPointer(IRBuilderBase &b, Value *pointer, uint64_t bytes) {
  if (bytes == 0)
    return pointer;
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pointer, bytes);
}

} // namespace lgc
