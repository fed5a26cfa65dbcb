//===- LowerMatrices.cpp - products of cooperative matrices ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc.matrix.muladd becomes the target's matrix instruction (gfx11 and later). Elsewhere each lane
/// computes its components from its column of B, and from rows of A that it gets from the lanes of
/// its row of 16: A is laid out so that the row of component i is in lane i of each row
/// (MatrixLayout::rotates), which a DPP row_share hands to all of them.
///   before: %d = call <8 x float> @lgc.matrix.muladd(i32 0, <16 x half> %a, <16 x half> %b, %c)
///   gfx11:  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16(%a, %b, %c)
///   gfx103: %r = call i32 @llvm.amdgcn.update.dpp(poison, %a.dword, ROW_SHARE0 + i, ...)
///           %s = call float @llvm.amdgcn.fdot2(%r, %b.dword, %c.i)     ; for each dword, each i
/// Before lgc-lower-arithmetic, which lowers the dot products of integers, and the optimiser.
#include "lgc/CooperativeMatrix.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/SmallFloats.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/arithmetic/DotSupport.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

struct MatrixProduct {
  IRBuilder<> &b;
  const pal::abi::GpuTarget &target;
  uint32_t flags;        ///< MatrixFlags
  Value *a, *c, *sum;    ///< the factors, and what is added
  FixedVectorType *type; ///< of the result

  bool has(uint32_t flag) const { return (flags & flag) != 0; }
  Type *element() const { return type->getElementType(); }
  bool isInteger() const { return element()->isIntegerTy(); }
  Type *factor() const { return cast<FixedVectorType>(a->getType())->getElementType(); }
  bool isBrain() const { return factor()->isIntegerTy(16); }
  bool isFloat8() const { return factor()->isIntegerTy(8) && !isInteger(); }
};

/// A matrix as the dwords that it is in.
Value *asDwords(IRBuilder<> &b, Value *matrix) {
  const uint64_t bits = matrix->getType()->getPrimitiveSizeInBits().getFixedValue();
  Type *type = bits == 32 ? cast<Type>(b.getInt32Ty())
                          : FixedVectorType::get(b.getInt32Ty(), static_cast<unsigned>(bits / 32));
  return b.CreateBitCast(matrix, type);
}

// --- Instructions

/// Halves in registers of their own, which gfx11 wants accumulators to be.
Value *spreadHalves(IRBuilder<> &b, Value *packed) {
  const unsigned count = cast<FixedVectorType>(packed->getType())->getNumElements();
  SmallVector<int, 16> mask(2 * count, PoisonMaskElem);
  for (unsigned i = 0; i < count; ++i)
    mask[2 * i] = static_cast<int>(i);
  return b.CreateShuffleVector(packed, mask);
}
Value *packHalves(IRBuilder<> &b, Value *spread) {
  SmallVector<int, 8> mask;
  for (unsigned i = 0; i < cast<FixedVectorType>(spread->getType())->getNumElements(); i += 2)
    mask.push_back(static_cast<int>(i));
  return b.CreateShuffleVector(spread, mask);
}

/// Of E4M3 and E5M2: its name has which of them A and B are.
Value *float8Instruction(const MatrixProduct &op) {
  constexpr Intrinsic::ID ids[] = {
      Intrinsic::amdgcn_wmma_f32_16x16x16_fp8_fp8, Intrinsic::amdgcn_wmma_f32_16x16x16_bf8_fp8,
      Intrinsic::amdgcn_wmma_f32_16x16x16_fp8_bf8, Intrinsic::amdgcn_wmma_f32_16x16x16_bf8_bf8};
  const unsigned which =
      (op.has(MatrixFlags::E5M2A) ? 1 : 0) + (op.has(MatrixFlags::E5M2B) ? 2 : 0);
  Value *a = asDwords(op.b, op.a);
  return op.b.CreateIntrinsic(ids[which], {op.type, a->getType()},
                              {a, asDwords(op.b, op.c), op.sum});
}

Value *floatInstruction(const MatrixProduct &op) {
  IRBuilder<> &b = op.b;
  Type *factor = op.a->getType();
  if (op.isBrain())
    return b.CreateIntrinsic(Intrinsic::amdgcn_wmma_f32_16x16x16_bf16, {op.type, factor},
                             {op.a, op.c, op.sum});
  if (op.element()->isFloatTy())
    return b.CreateIntrinsic(Intrinsic::amdgcn_wmma_f32_16x16x16_f16, {op.type, factor},
                             {op.a, op.c, op.sum});
  const bool spreads = op.target.major == 11;
  Value *sum = spreads ? spreadHalves(b, op.sum) : op.sum;
  Value *result = b.CreateIntrinsic(Intrinsic::amdgcn_wmma_f16_16x16x16_f16,
                                    {sum->getType(), factor}, {op.a, op.c, sum, b.getInt1(false)});
  return spreads ? packHalves(b, result) : result;
}

Value *integerInstruction(const MatrixProduct &op) {
  IRBuilder<> &b = op.b;
  Value *a = asDwords(b, op.a);
  Value *c = asDwords(b, op.c);
  return b.CreateIntrinsic(Intrinsic::amdgcn_wmma_i32_16x16x16_iu8, {op.type, a->getType()},
                           {b.getInt1(op.has(MatrixFlags::SignedA)), a,
                            b.getInt1(op.has(MatrixFlags::SignedB)), c, op.sum,
                            b.getInt1(op.has(MatrixFlags::Saturate))});
}

// --- Without them

/// What lane \p index of each 16 lanes has.
Value *shareInRow(IRBuilder<> &b, Value *dword, unsigned index) {
  constexpr unsigned rowShare = 0x150; // DPP16 control
  return b.CreateIntrinsic(b.getInt32Ty(), Intrinsic::amdgcn_update_dpp,
                           {PoisonValue::get(b.getInt32Ty()), dword, b.getInt32(rowShare + index),
                            b.getInt32(0xF), b.getInt32(0xF), b.getInt1(true)});
}

/// \p sum + the products of two pairs of bfloat16.
Value *addBrainFloats(const MatrixProduct &op, Value *a, Value *c, Value *sum) {
  IRBuilder<> &b = op.b;
  const auto part = [&](Value *dword, bool isHigh) {
    Value *bits = isHigh ? b.CreateAnd(dword, 0xFFFF0000) : b.CreateShl(dword, 16);
    return b.CreateBitCast(bits, b.getFloatTy());
  };
  for (bool isHigh : {false, true})
    sum =
        b.CreateIntrinsic(b.getFloatTy(), Intrinsic::fma, {part(a, isHigh), part(c, isHigh), sum});
  return sum;
}

/// \p sum + the products of two pairs of halves or bfloat16.
Value *addHalves(const MatrixProduct &op, Value *a, Value *c, Value *sum) {
  if (op.isBrain())
    return addBrainFloats(op, a, c, sum);
  IRBuilder<> &b = op.b;
  Type *pair = FixedVectorType::get(b.getHalfTy(), 2);
  a = b.CreateBitCast(a, pair);
  c = b.CreateBitCast(c, pair);
  if (hasGfx10Dots(op.target))
    return b.CreateIntrinsic(Intrinsic::amdgcn_fdot2, {a, c, sum, b.getInt1(false)});
  for (unsigned i = 0; i < 2; ++i) {
    Value *x = b.CreateFPExt(b.CreateExtractElement(a, i), b.getFloatTy());
    Value *y = b.CreateFPExt(b.CreateExtractElement(c, i), b.getFloatTy());
    sum = b.CreateIntrinsic(b.getFloatTy(), Intrinsic::fma, {x, y, sum});
  }
  return sum;
}

/// \p sum (null: nothing) + the products of four pairs of bytes.
Value *addBytes(const MatrixProduct &op, Value *a, Value *c, Value *sum) {
  IRBuilder<> &b = op.b;
  Type *bytes = FixedVectorType::get(b.getInt8Ty(), 4);
  const uint32_t flags = (op.has(MatrixFlags::SignedA) ? DotFlags::SignedA : 0) |
                         (op.has(MatrixFlags::SignedB) ? DotFlags::SignedB : 0);
  a = b.CreateBitCast(a, bytes);
  c = b.CreateBitCast(c, bytes);
  return createOp(b, OpId::DotProductOp, b.getInt32Ty(),
                  {b.getInt32(flags), a, c, sum ? sum : absent(b.getContext())});
}

Value *component(const MatrixProduct &op, Value *a, Value *c, unsigned index) {
  IRBuilder<> &b = op.b;
  const bool isInteger = op.element()->isIntegerTy(),
             saturates = isInteger && op.has(MatrixFlags::Saturate);
  Value *added = b.CreateExtractElement(op.sum, index);
  if (!isInteger)
    added = b.CreateFPExt(added, b.getFloatTy());
  Value *sum = saturates ? nullptr : added;
  for (unsigned i = 0; i < cast<FixedVectorType>(a->getType())->getNumElements(); ++i) {
    Value *row = shareInRow(b, b.CreateExtractElement(a, i), index);
    Value *column = b.CreateExtractElement(c, i);
    sum = isInteger ? addBytes(op, row, column, sum) : addHalves(op, row, column, sum);
  }
  if (saturates) // once, what all products give
    return b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, sum, added);
  return isInteger ? sum : b.CreateFPTrunc(sum, op.element());
}

/// The factors as halves, which have all values of bytes that are floats.
MatrixProduct withHalves(MatrixProduct op) {
  Type *type = FixedVectorType::get(op.b.getHalfTy(),
                                    cast<FixedVectorType>(op.a->getType())->getNumElements());
  const auto kind = [&](uint32_t flag) {
    return op.has(flag) ? SmallFloat::E5M2 : SmallFloat::E4M3;
  };
  op.a = extendSmallFloat(op.b, kind(MatrixFlags::E5M2A), op.a, type);
  op.c = extendSmallFloat(op.b, kind(MatrixFlags::E5M2B), op.c, type);
  return op;
}

Value *expandProduct(const MatrixProduct &op) {
  Value *a = asDwords(op.b, op.a);
  Value *c = asDwords(op.b, op.c);
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < op.type->getNumElements(); ++i)
    result = op.b.CreateInsertElement(result, component(op, a, c, i), i);
  return result;
}

// --- The pass

/// Null: the types are not those of a matrix product.
Value *lowerProduct(const MatrixProduct &op) {
  auto isVector = [](Value *value, unsigned count, auto isElement) {
    auto *type = dyn_cast<FixedVectorType>(value->getType());
    return type && type->getNumElements() == count && isElement(type->getElementType());
  };
  const uint32_t waveSize = matrixSide * matrixSide / op.type->getNumElements();
  const bool isInteger = op.element()->isIntegerTy(32), isFloat = op.element()->isFloatTy();
  if ((waveSize != 32 && waveSize != 64) || op.sum->getType() != op.type ||
      !(isInteger || isFloat || op.element()->isHalfTy()))
    return nullptr;
  const auto isFactor = [&](Type *type) {
    return (type->isHalfTy() && !isInteger) || (type->isIntegerTy(16) && isFloat) ||
           (type->isIntegerTy(8) && (isInteger || isFloat));
  };
  for (auto [value, use] : {std::pair(op.a, MatrixUse::A), std::pair(op.c, MatrixUse::B)})
    if (!isVector(value, matrixLayout(op.target.major, waveSize, use).components, isFactor))
      return nullptr;
  if (op.a->getType()->getScalarType() != op.c->getType()->getScalarType())
    return nullptr;
  if (op.isFloat8() && op.target.major >= 12)
    return float8Instruction(op);
  const MatrixProduct product = op.isFloat8() ? withHalves(op) : op;
  if (!hasMatrixInstructions(op.target.major))
    return expandProduct(product);
  return isInteger ? integerInstruction(product) : floatInstruction(product);
}

} // namespace

PreservedAnalyses LowerMatricesPass::run(Module &module, ModuleAnalysisManager &mam) {
  if (!hasOp(module, OpId::MatrixMulAddOp))
    return PreservedAnalyses::all();
  const auto &state = mam.getResult<StateAnalysis>(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  forEachOp(module, OpId::MatrixMulAddOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    auto *type = dyn_cast<FixedVectorType>(call.getType());
    Value *result = nullptr;
    if (target && type)
      result =
          lowerProduct({b, *target, cast<MatrixMulAddOp>(call).constArg(0), call.getArgOperand(1),
                        call.getArgOperand(2), call.getArgOperand(3), type});
    if (!result) {
      reportError(module.getContext(),
                  internalError("lgc.matrix.muladd: no matrices of this target"));
      result = PoisonValue::get(call.getType());
    }
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  });
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
