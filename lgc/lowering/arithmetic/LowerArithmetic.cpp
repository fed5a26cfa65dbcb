//===- LowerArithmetic.cpp - dot products and clocks ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc.dot.product becomes the target's dot instruction where it has one, else multiplications and
/// additions; lgc.shader.clock becomes a counter read. Runs before the optimiser, which simplifies
/// the expansions.
///   before: %d = call i32 @lgc.dot.product(i32 3, <4 x i8> %a, <4 x i8> %b, i32 %acc)
///   after:  %d = call i32 @llvm.amdgcn.sdot4(i32 %a32, i32 %b32, i32 %acc, i1 false)
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/arithmetic/DotSupport.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// Which dot products of bytes and of 16-bit pairs can be used on a target. Source: LLVM's
/// subtarget features dot1, dot2 and dot8. v_dot4_u32_u8 cannot: targetFeatures() has the reason.
struct DotSupport {
  bool signed4x8 = false; ///< v_dot4_i32_i8
  bool mixed4x8 = false;  ///< v_dot4_i32_iu8, for factors of any signs; saturates as signed
  bool pair16 = false;    ///< v_dot2_i32_i16, v_dot2_u32_u16
};

DotSupport dotSupport(const pal::abi::GpuTarget &target) {
  if (target.major >= 11)
    return {false, true, false};
  const bool has = hasGfx10Dots(target);
  return {has, false, has};
}

struct DotOp {
  IRBuilder<> &b;
  bool signedA, signedB, saturate;
  Value *a, *c;       ///< the factors
  Value *accumulator; ///< null when there is none
  IntegerType *type;  ///< of the result
};

/// Factors as one 32-bit word each; missing elements are zero.
Value *packFactor(IRBuilder<> &b, Value *vector) {
  unsigned bits = vector->getType()->getPrimitiveSizeInBits().getFixedValue();
  return b.CreateZExt(b.CreateBitCast(vector, b.getIntNTy(bits)), b.getInt32Ty());
}

/// The sum in 32 bits by one instruction, with the accumulator when `accumulator` is given; null
/// when the target has none for these operands.
Value *dotInstruction(const DotOp &op, const DotSupport &support, Value *accumulator, bool clamp) {
  IRBuilder<> &b = op.b;
  auto *vector = cast<FixedVectorType>(op.a->getType());
  unsigned width = vector->getScalarSizeInBits(), count = vector->getNumElements();
  Value *sum = accumulator ? accumulator : b.getInt32(0);
  bool isByte = width == 8 && count <= 4, isPair = width == 16 && count == 2;
  bool bothSigned = op.signedA && op.signedB, bothUnsigned = !op.signedA && !op.signedB;
  Intrinsic::ID id = Intrinsic::not_intrinsic;
  if (isByte && bothSigned && support.signed4x8)
    id = Intrinsic::amdgcn_sdot4;
  else if (isPair && bothSigned && support.pair16)
    id = Intrinsic::amdgcn_sdot2;
  else if (isPair && bothUnsigned && support.pair16)
    id = Intrinsic::amdgcn_udot2;
  Value *clampFlag = b.getInt1(clamp);
  if (id == Intrinsic::amdgcn_sdot2 || id == Intrinsic::amdgcn_udot2)
    return b.CreateIntrinsic(id, {op.a, op.c, sum, clampFlag});
  if (id != Intrinsic::not_intrinsic)
    return b.CreateIntrinsic(id, {packFactor(b, op.a), packFactor(b, op.c), sum, clampFlag});
  if (isByte && support.mixed4x8 && !(bothUnsigned && clamp))
    return b.CreateIntrinsic(Intrinsic::amdgcn_sudot4,
                             {b.getInt1(op.signedA), packFactor(b, op.a), b.getInt1(op.signedB),
                              packFactor(b, op.c), sum, clampFlag});
  return nullptr;
}

/// Sum of the products in the result type.
Value *dotExpansion(const DotOp &op) {
  IRBuilder<> &b = op.b;
  Value *sum = nullptr;
  for (unsigned i = 0; i < cast<FixedVectorType>(op.a->getType())->getNumElements(); ++i) {
    Value *x = b.CreateIntCast(b.CreateExtractElement(op.a, i), op.type, op.signedA);
    Value *y = b.CreateIntCast(b.CreateExtractElement(op.c, i), op.type, op.signedB);
    Value *product = b.CreateMul(x, y);
    sum = sum ? b.CreateAdd(product, sum) : product;
  }
  return sum;
}

Value *lowerDot(const DotOp &op, const DotSupport &support) {
  IRBuilder<> &b = op.b;
  bool isSigned = op.signedA || op.signedB;
  bool isWord = op.type->getBitWidth() == 32;
  if (isWord && op.accumulator)
    if (Value *whole = dotInstruction(op, support, op.accumulator, op.saturate))
      return whole;
  // Byte products fit 32 bits with room to spare, 16-bit pairs only when the result has 32.
  bool fits = isWord || op.a->getType()->getScalarSizeInBits() == 8;
  Value *sum = fits ? dotInstruction(op, support, nullptr, false) : nullptr;
  sum = sum ? b.CreateIntCast(sum, op.type, isSigned) : dotExpansion(op);
  if (!op.accumulator)
    return sum;
  if (!op.saturate)
    return b.CreateAdd(sum, op.accumulator);
  return b.CreateBinaryIntrinsic(isSigned ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, sum,
                                 op.accumulator);
}

Expected<Value *> lowerDotCall(IRBuilder<> &b, CallInst &call, const DotSupport &support) {
  uint32_t flags = cast<DotProductOp>(call).constArg(0);
  Value *a = call.getArgOperand(1), *c = call.getArgOperand(2),
        *accumulator = call.getArgOperand(3);
  auto *type = dyn_cast<IntegerType>(call.getType());
  if (!isa<FixedVectorType>(a->getType()) || a->getType() != c->getType() || !type)
    return internalError("lgc.dot.product: factors must be vectors of one type");
  // An absent accumulator is poison, which one that the shader left undefined may be too: adding
  // nothing is right for both.
  bool hasAccumulator = !isAbsent(accumulator);
  if (hasAccumulator && accumulator->getType() != type)
    return internalError("lgc.dot.product: accumulator and result differ in type");
  DotOp op{b,
           (flags & DotFlags::SignedA) != 0,
           (flags & DotFlags::SignedB) != 0,
           (flags & DotFlags::Saturate) != 0,
           a,
           c,
           hasAccumulator ? accumulator : nullptr,
           type};
  return lowerDot(op, support);
}

Value *lowerClock(IRBuilder<> &b, CallInst &call) {
  // The counter of the device has a constant rate; that of the shader's core counts its cycles.
  auto scope = static_cast<ExecScope>(cast<ShaderClockOp>(call).constArg(0));
  Intrinsic::ID id = scope == ExecScope::Subgroup || scope == ExecScope::Workgroup
                         ? Intrinsic::readcyclecounter
                         : Intrinsic::readsteadycounter;
  return b.CreateIntrinsic(b.getInt64Ty(), id, {});
}

void replace(CallInst &call, Value *value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

PreservedAnalyses preserveControlFlow() {
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace

PreservedAnalyses LowerArithmeticPass::run(Module &module, ModuleAnalysisManager &mam) {
  if (!hasOp(module, OpId::DotProductOp) && !hasOp(module, OpId::ShaderClockOp))
    return PreservedAnalyses::all();
  const auto &state = mam.getResult<StateAnalysis>(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  DotSupport support = target ? dotSupport(*target) : DotSupport();
  forEachOp(module, OpId::DotProductOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    Expected<Value *> result = lowerDotCall(b, call, support);
    if (!result)
      reportError(module.getContext(), result.takeError());
    replace(call, result ? *result : PoisonValue::get(call.getType()));
  });
  forEachOp(module, OpId::ShaderClockOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    replace(call, lowerClock(b, call));
  });
  return preserveControlFlow();
}

} // namespace lgc
