//===- LowerBitFields.cpp - bit fields of constant place ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 takes llvm.amdgcn.ubfe at offset 0 for its operand when that has as
/// many equal bits at its top, which need not be zero, and does not cut constant widths to the five
/// bits that count. So fields of constant place become shifts, of which code generation makes the
/// same instruction. Runs last, at every level: constants come up late, and InstCombine, which does
/// the same, does not run at all of them.
///   before: %f = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 0, i32 8)
///   after:  %f = and i32 %x, 255
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

Value *lowerField(IntrinsicInst &field, unsigned offset, unsigned width) {
  IRBuilder<> b(&field);
  Value *base = field.getArgOperand(0);
  if (width == 0)
    return b.getInt32(0);
  if (field.getIntrinsicID() == Intrinsic::amdgcn_ubfe)
    return b.CreateAnd(offset ? b.CreateLShr(base, offset) : base,
                       maskTrailingOnes<uint32_t>(width));
  // Bits above the operand's are its sign.
  unsigned above = offset + width < 32 ? 32 - offset - width : 0;
  return b.CreateAShr(above ? b.CreateShl(base, above) : base, above + offset);
}

} // namespace

PreservedAnalyses LowerBitFieldsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *field = dyn_cast<IntrinsicInst>(&inst);
    if (!field || (field->getIntrinsicID() != Intrinsic::amdgcn_ubfe &&
                   field->getIntrinsicID() != Intrinsic::amdgcn_sbfe))
      continue;
    auto *offset = dyn_cast<ConstantInt>(field->getArgOperand(1));
    auto *width = dyn_cast<ConstantInt>(field->getArgOperand(2));
    if (!width || !field->getType()->isIntegerTy(32))
      continue;
    // HW: five bits of each count.
    const unsigned bits = width->getZExtValue() & 31;
    changed = true;
    if (bits != 0 && !offset) {
      field->setArgOperand(2, ConstantInt::get(width->getType(), bits));
      continue;
    }
    field->replaceAllUsesWith(lowerField(*field, offset ? offset->getZExtValue() & 31 : 0, bits));
    field->eraseFromParent();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
