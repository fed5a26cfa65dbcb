//===- LowerDivisions.cpp - divisions by float reciprocals ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 divides integers of up to 24 bits in floats and corrects the quotient
/// in one direction only, which is wrong from 23 bits on: 0xfffffe / 3 is 1 too large. And it
/// divides 64-bit numbers that are extended from 32 bits in 32 bits, in which the quotient of the
/// least number and -1 has no place. So divisions of such operands are written out here. Runs last:
/// what is known of the operands' bits decides, as it will in code generation.
///   before: %q = udiv i32 %x, %y               ; both below 2^24
///   after:  %z = the reciprocal of %y, 2^32 / %y at most
///           %e = %z * (-%y)                     ; 2^32 - %z * %y
///           %q = high half of %x * (%z + high half of %z * %e), and up to 2 more
#include "lgc/llvm22/SplitVector.h"
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace lgc {
namespace {

struct Division {
  Value *quotient, *remainder;
};

Value *highProduct(IRBuilder<> &b, Value *x, Value *y) {
  Value *wideX = b.CreateZExt(x, b.getInt64Ty()), *wideY = b.CreateZExt(y, b.getInt64Ty());
  Value *product = b.CreateMul(wideX, wideY);
  return b.CreateTrunc(b.CreateLShr(product, 32), b.getInt32Ty());
}

/// Of unsigned 32-bit numbers: Newton's iteration for 2^32 / y, whose result is never too large,
/// and two corrections.
Division divide(IRBuilder<> &b, Value *x, Value *y) {
  // The largest float below 2^32, less one more step: the product with a reciprocal that is an ulp
  // too large still has 32 bits and is at most 2^32 / y.
  constexpr float scale = 0x1.fffffcp+31f;
  Value *reciprocal =
      b.CreateUnaryIntrinsic(Intrinsic::amdgcn_rcp, b.CreateUIToFP(y, b.getFloatTy()));
  Value *z = b.CreateFPToUI(b.CreateFMul(reciprocal, ConstantFP::get(b.getFloatTy(), scale)),
                            b.getInt32Ty());
  Value *rest = b.CreateMul(b.CreateNeg(y), z);
  z = b.CreateAdd(z, highProduct(b, z, rest));
  Value *q = highProduct(b, x, z);
  Value *r = b.CreateSub(x, b.CreateMul(q, y));
  for (int i = 0; i < 2; ++i) {
    Value *isLess = b.CreateICmpUGE(r, y);
    q = b.CreateSelect(isLess, b.CreateAdd(q, b.getInt32(1)), q);
    r = b.CreateSelect(isLess, b.CreateSub(r, y), r);
  }
  return {q, r};
}

/// `value` with the sign of `sign`, which is 0 or -1.
Value *negateIf(IRBuilder<> &b, Value *value, Value *sign) {
  return b.CreateSub(b.CreateXor(value, sign), sign);
}

class Lowering {
public:
  explicit Lowering(Function &function) : layout(function.getDataLayout()) {}

  bool run(BinaryOperator &inst) {
    if (!inst.isIntDivRem())
      return false;
    if (inst.getType()->isVectorTy()) {
      for (BinaryOperator *part : splitVector(inst))
        run(*part);
      return true;
    }
    auto *type = cast<IntegerType>(inst.getType());
    const Instruction::BinaryOps opcode = inst.getOpcode();
    const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    if ((type->getBitWidth() != 32 && type->getBitWidth() != 64) ||
        !(isSigned ? isWrongSigned(inst) : isWrongUnsigned(inst)))
      return false;
    // Of 32 bits by a constant it is a multiplication.
    const bool isByConstant = isa<Constant>(inst.getOperand(1));
    if (isByConstant && type->getBitWidth() == 32)
      return false;
    IRBuilder<> b(&inst);
    Value *x = b.CreateTrunc(inst.getOperand(0), b.getInt32Ty());
    Value *y = b.CreateTrunc(inst.getOperand(1), b.getInt32Ty());
    const bool isQuotient = opcode == Instruction::SDiv || opcode == Instruction::UDiv;
    Value *result = nullptr;
    if (isSigned) {
      Value *signX = b.CreateAShr(x, 31), *signY = b.CreateAShr(y, 31);
      Value *sizeX = negateIf(b, x, signX), *sizeY = negateIf(b, y, signY);
      Division d = divide(b, sizeX, sizeY);
      Value *size = b.CreateZExt(isQuotient ? d.quotient : d.remainder, type);
      Value *sign = isQuotient ? b.CreateXor(signX, signY) : signX;
      result = negateIf(b, size, b.CreateSExt(sign, type));
    } else {
      Division d = divide(b, x, y);
      result = b.CreateZExt(isQuotient ? d.quotient : d.remainder, type);
    }
    inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
    return true;
  }

private:
  const DataLayout &layout;

  bool isWrongUnsigned(const BinaryOperator &inst) const {
    unsigned bits = 0;
    for (const Value *operand : inst.operands())
      bits = std::max(bits, computeKnownBits(operand, layout).countMaxActiveBits());
    return bits == 23 || bits == 24;
  }

  bool isWrongSigned(const BinaryOperator &inst) const {
    const unsigned width = inst.getType()->getIntegerBitWidth();
    unsigned bits = 0; // with the sign
    for (const Value *operand : inst.operands())
      bits = std::max(bits, width - ComputeNumSignBits(operand, layout) + 1);
    return bits == 24 || (width == 64 && bits == 32);
  }
};

} // namespace

PreservedAnalyses LowerDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  Lowering lowering(function);
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *operation = dyn_cast<BinaryOperator>(&inst))
      changed |= lowering.run(*operation);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
