//===- LowerDerivatives.cpp - lgc.derivative -> differences in a quad -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Four consecutive lanes are a quad: lane 0 is (0, 0), 1 is (1, 0), 2 is (0, 1), 3 is (1, 1). That
/// holds for linear derivative groups as they are; for quad groups lgc-lower-builtins lays out the
/// invocations so. A derivative is the difference of two lanes, read through DPP. Fine ones use the
/// lane's own row or column, coarse ones and those without a preference the first.
/// May run at any time before code generation.
///   before: %d = call float @lgc.derivative__f32_i32_f32(i32 2, float %v)          ; fine d/dx
///   after:  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 245, ...) ; 1 1 3 3
///           %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v, i32 160, ...) ; 0 0 2 2
///           %d = fsub float %b, %a
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// DPP controls quad_perm(lane 0, 1, 2, 3) of the two lanes to subtract.
constexpr uint32_t quadPerm(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return a | b << 2 | c << 4 | d << 6;
}
struct LanePair {
  uint32_t from, to;
};

LanePair lanePair(DerivativeKind kind) {
  switch (kind) {
  case DerivativeKind::DxFine:
    return {quadPerm(0, 0, 2, 2), quadPerm(1, 1, 3, 3)};
  case DerivativeKind::DyFine:
    return {quadPerm(0, 1, 0, 1), quadPerm(2, 3, 2, 3)};
  case DerivativeKind::Dx:
  case DerivativeKind::DxCoarse:
    return {quadPerm(0, 0, 0, 0), quadPerm(1, 1, 1, 1)};
  case DerivativeKind::Dy:
  case DerivativeKind::DyCoarse:
    return {quadPerm(0, 0, 0, 0), quadPerm(2, 2, 2, 2)};
  }
  return {0, 0};
}

/// The value of `scalar` (16 or 32 bits) in another lane of the quad.
Value *readQuad(IRBuilder<> &b, Value *scalar, uint32_t control) {
  Type *type = scalar->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value *raw = b.CreateZExt(b.CreateBitCast(scalar, b.getIntNTy(bits)), b.getInt32Ty());
  raw = b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {b.getInt32Ty()},
                          {PoisonValue::get(b.getInt32Ty()), raw, b.getInt32(control),
                           b.getInt32(0xf), b.getInt32(0xf), b.getTrue()});
  return b.CreateBitCast(b.CreateTrunc(raw, b.getIntNTy(bits)), type);
}

Value *derive(IRBuilder<> &b, Value *scalar, LanePair lanes) {
  Value *to = readQuad(b, scalar, lanes.to);
  return b.CreateFSub(to, readQuad(b, scalar, lanes.from));
}

Value *lowerDerivative(CallInst &call) {
  const uint32_t kind = cast<DerivativeOp>(call).constArg(0);
  Type *scalar = call.getType()->getScalarType();
  if (kind > static_cast<uint32_t>(DerivativeKind::DyCoarse) ||
      (!scalar->isFloatTy() && !scalar->isHalfTy())) {
    reportError(call.getContext(), unsupported("lgc.derivative: kind or type"));
    return PoisonValue::get(call.getType());
  }
  const LanePair lanes = lanePair(static_cast<DerivativeKind>(kind));
  IRBuilder<> b(&call);
  Value *value = call.getArgOperand(1);
  auto *vector = dyn_cast<FixedVectorType>(call.getType());
  if (!vector)
    return derive(b, value, lanes);
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = b.CreateInsertElement(result, derive(b, b.CreateExtractElement(value, i), lanes), i);
  return result;
}

} // namespace

PreservedAnalyses LowerDerivativesPass::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  forEachOp(module, OpId::DerivativeOp, [&](CallInst &call) {
    call.replaceAllUsesWith(lowerDerivative(call));
    call.eraseFromParent();
    changed = true;
  });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
