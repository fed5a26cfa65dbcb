//===- WorkgroupCollectives.cpp - values of all invocations of a workgroup -===//
// SPDX-License-Identifier: MIT
/// \file
/// Each wave combines the values of its own lanes, and hands the result to the others in LDS.
///   before: %r = OpGroupIAdd %uint %workgroup ExclusiveScan %x
///   after:  own = lgc.subgroup.arith(IAdd, Exclusive, x), all = lgc.subgroup.arith(IAdd, Reduce,
///   x)
///           barrier; lds[SubgroupId] = all; barrier
///           for (i = 0; i < SubgroupId; ++i) before += lds[i]
///           r = before + own
#include "llpc/translate/WorkgroupCollectives.h"
#include "lgc/Shader.h"
#include "llpc/translate/Barrier.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

using lgc::GroupArith;
using lgc::GroupScan;

/// Of the waves; narrow ones, because their size is not known yet.
constexpr unsigned leastWaveSize = 32;

Value *combine(Translator &t, GroupArith arith, Value *a, Value *b) {
  switch (arith) {
  case GroupArith::IAdd:
    return t.b.CreateAdd(a, b);
  case GroupArith::FAdd:
    return t.b.CreateFAdd(a, b);
  case GroupArith::SMin:
    return t.b.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  case GroupArith::UMin:
    return t.b.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
  case GroupArith::SMax:
    return t.b.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  case GroupArith::UMax:
    return t.b.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
  case GroupArith::FMin:
    return t.b.CreateBinaryIntrinsic(Intrinsic::minnum, a, b);
  case GroupArith::FMax:
    return t.b.CreateBinaryIntrinsic(Intrinsic::maxnum, a, b);
  case GroupArith::And:
    return t.b.CreateAnd(a, b);
  case GroupArith::Or:
    return t.b.CreateOr(a, b);
  default:
    return nullptr;
  }
}

/// What a value combined with is the value.
Constant *identity(GroupArith arith, Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (arith) {
  case GroupArith::SMin:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case GroupArith::SMax:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case GroupArith::UMin:
  case GroupArith::And:
    return Constant::getAllOnesValue(type);
  case GroupArith::FMin:
    return ConstantFP::getInfinity(type);
  case GroupArith::FMax:
    return ConstantFP::getInfinity(type, /*Negative=*/true);
  default:
    return Constant::getNullValue(type);
  }
}

/// The place in LDS of each wave: 8 bytes.
Expected<GlobalVariable *> waveValues(Translator &t, const Inst &inst) {
  Translator::State &s = t.internals();
  if (s.collectives)
    return s.collectives;
  const auto &size = t.shader->workgroupSize;
  const uint64_t waves = divideCeil(uint64_t(size[0]) * size[1] * size[2], leastWaveSize);
  auto *type = ArrayType::get(t.b.getInt64Ty(), std::max<uint64_t>(waves, 1));
  s.workgroupBytes += 8 * type->getNumElements();
  if (s.workgroupBytes > limits::maxWorkgroupBytes)
    return lgc::limitExceeded(spirv::place(inst) + ": workgroup memory exceeds " +
                              Twine(limits::maxWorkgroupBytes) + " bytes");
  s.collectives = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                     PoisonValue::get(type), "collectives", nullptr,
                                     GlobalValue::NotThreadLocal, lgc::AddrSpace::Local);
  s.collectives->setAlignment(Align(8));
  return s.collectives;
}

Value *builtIn(Translator &t, lgc::BuiltIn which) {
  return t.op(lgc::OpId::BuiltinOp, t.b.getInt32Ty(), {t.i32(static_cast<uint32_t>(which))});
}

Value *waveArith(Translator &t, GroupArith arith, GroupScan scan, Value *value) {
  t.shader->usesSubgroupOps = true;
  return t.op(
      lgc::OpId::SubgroupArithOp, value->getType(),
      {t.i32(static_cast<uint32_t>(arith)), t.i32(static_cast<uint32_t>(scan)), value, t.i32(0)});
}

} // namespace

Expected<Value *> workgroupArith(Translator &t, const Inst &inst, GroupArith arith, GroupScan scan,
                                 Value *value) {
  Type *type = value->getType();
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return t.unsupportedOp(inst, "collective of the workgroup on " + typeText(type));
  GlobalVariable *memory = KILN_TRY(waveValues(t, inst));
  Value *all = waveArith(t, arith, GroupScan::Reduce, value);
  Value *own = scan == GroupScan::Reduce ? nullptr : waveArith(t, arith, scan, value);
  Value *wave = builtIn(t, lgc::BuiltIn::SubgroupId);
  Value *count = scan == GroupScan::Reduce ? builtIn(t, lgc::BuiltIn::NumSubgroups) : wave;
  auto place = [&](Value *index) {
    return t.b.CreateGEP(memory->getValueType(), memory, {t.i32(0), index});
  };
  MemorySemantics semantics;
  semantics.acquire = semantics.release = semantics.workgroupMemory = true;
  createWorkgroupBarrier(t, semantics); // what others still read of the collective before
  // By all lanes: the same value.
  t.b.CreateAlignedStore(all, place(wave), Align(8));
  createWorkgroupBarrier(t, semantics);
  AllocaInst *before = t.createTemporary(type, "");
  t.b.CreateStore(identity(arith, type), before);
  emitKernelLoop(t, t.b.getInt64(0), t.b.CreateZExt(count, t.b.getInt64Ty()), 1, [&](Value *i) {
    Value *other = t.b.CreateAlignedLoad(type, place(i), Align(8));
    Value *sum = t.b.CreateLoad(type, before);
    t.b.CreateStore(combine(t, arith, sum, other), before);
  });
  Value *result = t.b.CreateLoad(type, before);
  return own ? combine(t, arith, result, own) : result;
}

Expected<Value *> workgroupBroadcast(Translator &t, const Inst &inst, Value *value, Value *index) {
  Type *type = value->getType();
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return t.unsupportedOp(inst, "collective of the workgroup on " + typeText(type));
  Type *bits = t.b.getIntNTy(type->getScalarSizeInBits());
  Value *self = builtIn(t, lgc::BuiltIn::LocalInvocationIndex);
  Value *isIt = t.b.CreateICmpEQ(self, t.b.CreateZExtOrTrunc(index, t.b.getInt32Ty()));
  Value *whole = t.b.CreateBitCast(value, bits);
  Value *part = t.b.CreateSelect(isIt, whole, Constant::getNullValue(bits));
  Value *found = KILN_TRY(workgroupArith(t, inst, GroupArith::Or, GroupScan::Reduce, part));
  return t.b.CreateBitCast(found, type);
}

} // namespace llpc
