//===- TaskRings.cpp - what task shaders hand to mesh shaders -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/mesh/TaskRings.h"
#include "lgc/Ops.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr uint32_t drawDataBytes = 16;

Value *driverTable(IRBuilder<> &b, uint32_t offset, const Twine &name) {
  return createOp(b, OpId::DriverTableOp, FixedVectorType::get(b.getInt32Ty(), 4),
                  {b.getInt32(offset)}, name);
}

/// Byte offset of `entry` in the ring `desc`, whose bytes are `size` times a power of two.
Value *entryOffset(IRBuilder<> &b, Value *entry, Value *desc, uint32_t size) {
  Value *ringBytes = b.CreateExtractElement(desc, 2);
  Value *last = b.CreateSub(ringBytes, b.getInt32(size));
  return b.CreateAnd(b.CreateShl(entry, Log2_32(size)), last);
}

} // namespace

Value *TaskRings::payload(IRBuilder<> &b) {
  Value *desc = driverTable(b, DriverTable::TaskPayloadRing, "payload.ring");
  Value *offset = entryOffset(b, entry, desc, payloadBytes);
  // The address, bits 47:0, moves to the entry. The driver's descriptor has no bounds.
  auto *pair = FixedVectorType::get(b.getInt32Ty(), 2);
  Value *high = b.CreateExtractElement(desc, 1);
  Value *address = b.CreateInsertElement(PoisonValue::get(pair),
                                         b.CreateExtractElement(desc, uint64_t(0)), uint64_t(0));
  address = b.CreateInsertElement(address, high, 1);
  // The ring ends below 2^48, so nothing is carried into the bits above.
  address = b.CreateBitCast(address, b.getInt64Ty());
  address = b.CreateAdd(address, b.CreateZExt(offset, b.getInt64Ty()));
  address = b.CreateBitCast(address, pair);
  for (unsigned i = 0; i < 2; ++i)
    desc = b.CreateInsertElement(desc, b.CreateExtractElement(address, i), i);
  Value *resource = b.CreateIntToPtr(b.CreateBitCast(desc, b.getInt128Ty()), b.getPtrTy(8));
  return b.CreateAddrSpaceCast(resource, b.getPtrTy(AddrSpace::Buffer), "payload");
}

void TaskRings::writeDrawData(IRBuilder<> &b, ArrayRef<Value *> counts) {
  Value *desc = driverTable(b, DriverTable::TaskDrawData, "draw.data.ring");
  Value *offset = entryOffset(b, entry, desc, drawDataBytes);
  // HW: a count of x is what the command processor looks at first.
  Value *least = b.CreateBinaryIntrinsic(Intrinsic::umin, counts[1], counts[2]);
  Value *x = b.CreateSelect(b.CreateICmpEQ(least, b.getInt32(0)), b.getInt32(0), counts[0]);
  auto *type = FixedVectorType::get(b.getInt32Ty(), 3);
  Value *data = b.CreateInsertElement(PoisonValue::get(type), x, uint64_t(0));
  data = b.CreateInsertElement(data, counts[1], 1);
  data = b.CreateInsertElement(data, counts[2], 2);
  // The reader is the command processor.
  AccessPolicy policy{CoherenceScope::System, false, false};
  Value *cache = b.getInt32(cachePolicyBits(gfxMajor, AccessKind::Store, policy));
  b.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {type},
                    {data, desc, b.getInt32(0), offset, cache});
  // Why a fence: nothing else keeps the two stores in order.
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
  Value *passes = b.CreateShl(entry, Log2_32(drawDataBytes));
  passes = b.CreateAnd(passes, b.CreateExtractElement(desc, 2));
  Value *ready = b.CreateZExt(b.CreateICmpNE(passes, b.getInt32(0)), b.getInt8Ty());
  b.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {b.getInt8Ty()},
                    {ready, desc, b.getInt32(12), offset, cache});
}

} // namespace lgc
