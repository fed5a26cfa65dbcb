//===- LowerByteShifts.cpp - sign bytes that are put together -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 looks for the bytes that an OR puts together, to make v_perm_b32 of
/// it, and takes bytes that an arithmetic shift fills with the sign for other bytes of its operand.
/// So shifts of which that can come true become logical ones with the sign subtracted. Runs last,
/// since InstCombine would bring the shift back.
///   before: %s = ashr i32 %x, 8
///           %r = or i32 (and %s, 0xff000000), %y
///   after:  %u = xor i32 %x, 0x80000000
///           %l = lshr i32 %u, 8
///           %s = sub i32 %l, 0x800000
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {
namespace {

/// LLVM follows bytes through six operations.
constexpr unsigned maxDepth = 6;

/// Does an OR put bytes of `value` together with others?
bool reachesOr(const Value &value, unsigned depth = 0) {
  for (const User *user : value.users()) {
    auto *inst = dyn_cast<Instruction>(user);
    if (!inst)
      continue;
    if (inst->getOpcode() == Instruction::Or)
      return true;
    const bool movesBytes = inst->getOpcode() == Instruction::And || inst->isShift() ||
                            isa<ZExtInst, SExtInst, TruncInst, BitCastInst>(inst);
    if (movesBytes && depth < maxDepth && reachesOr(*inst, depth + 1))
      return true;
  }
  return false;
}

} // namespace

PreservedAnalyses LowerByteShiftsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *base = nullptr;
    uint64_t count = 0;
    // Fewer bits than a byte leave no byte to the sign alone.
    const bool hasBytes = inst.getType()->isIntegerTy(16) || inst.getType()->isIntegerTy(32) ||
                          inst.getType()->isIntegerTy(64);
    if (!hasBytes || !match(&inst, m_AShr(m_Value(base), m_ConstantInt(count))) || count < 8 ||
        count >= inst.getType()->getIntegerBitWidth() || !reachesOr(inst))
      continue;
    IRBuilder<> b(&inst);
    const APInt sign = APInt::getSignMask(inst.getType()->getIntegerBitWidth());
    Value *shifted = b.CreateLShr(b.CreateXor(base, b.getInt(sign)), count);
    inst.replaceAllUsesWith(b.CreateSub(shifted, b.getInt(sign.lshr(count))));
    inst.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
