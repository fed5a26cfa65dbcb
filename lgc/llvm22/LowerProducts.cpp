//===- LowerProducts.cpp - 64-bit products of short numbers ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 takes a product of numbers of 24 bits for one that ignores the bits
/// above, leaves out what masks them, and then, for a 64-bit product that something is added to,
/// selects the multiplication of all 32 bits (llvm-project pull request 198729). So it must not
/// find out that there are only 24. Runs last, since InstCombine knows what the intrinsic does.
///   before: %p = mul i64 (zext (and %x, 0xffffff)), %y
///   after:  %f = call i32 @llvm.amdgcn.ubfe.i32(i32 (and %x, 0xffffff), i32 0, i32 24)
///           %p = mul i64 (zext %f), %y
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

constexpr unsigned shortBits = 24;

class Lowering {
public:
  explicit Lowering(Function &function) : layout(function.getDataLayout()) {}

  bool run(BinaryOperator &inst) {
    if (inst.getOpcode() != Instruction::Mul || !inst.getType()->isIntOrIntVectorTy(64))
      return false;
    if (inst.getType()->isVectorTy()) {
      for (BinaryOperator *part : splitVector(inst))
        run(*part);
      return true;
    }
    const unsigned bits[] = {activeBits(inst.getOperand(0)), activeBits(inst.getOperand(1))};
    // What fits into 32 bits is multiplied as such.
    if (bits[0] > shortBits || bits[1] > shortBits || bits[0] + bits[1] <= 32)
      return false;
    IRBuilder<> b(&inst);
    for (Use &operand : inst.operands())
      if (!isa<Constant>(operand)) {
        Value *low = b.CreateTrunc(operand, b.getInt32Ty());
        low = b.CreateIntrinsic(b.getInt32Ty(), Intrinsic::amdgcn_ubfe,
                                {low, b.getInt32(0), b.getInt32(shortBits)});
        operand.set(b.CreateZExt(low, inst.getType()));
      }
    return true;
  }

private:
  const DataLayout &layout;

  unsigned activeBits(const Value *value) const {
    return computeKnownBits(value, layout).countMaxActiveBits();
  }
};

} // namespace

PreservedAnalyses LowerProductsPass::run(Function &function, FunctionAnalysisManager &) {
  Lowering lowering(function);
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *operation = dyn_cast<BinaryOperator>(&inst))
      changed |= lowering.run(*operation);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
