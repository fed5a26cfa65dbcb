//===- Locations.cpp - scalar or vector -----------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Locations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t none = ~0u;
constexpr unsigned constantSpace = 4;

enum class CallKind : uint8_t { Vector, Scalar, AsOperands };

CallKind kindOf(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_readfirstlane:
  case Intrinsic::amdgcn_readlane:
  case Intrinsic::amdgcn_ballot:
  case Intrinsic::amdgcn_s_getpc:
  case Intrinsic::amdgcn_reloc_constant:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::amdgcn_wave_id:
    return CallKind::Scalar;
  case Intrinsic::amdgcn_strict_wwm:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::amdgcn_s_buffer_load:
  case Intrinsic::abs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::bitreverse:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::amdgcn_sffbh:
  case Intrinsic::amdgcn_ubfe:
  case Intrinsic::amdgcn_sbfe:
  case Intrinsic::fabs:
  case Intrinsic::expect:
  case Intrinsic::arithmetic_fence:
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_softwqm:
    return CallKind::AsOperands;
  default:
    return CallKind::Vector;
  }
}

/// Compares that scalar instructions have.
bool isScalarCompare(const CmpInst &compare) {
  const Type *type = compare.getOperand(0)->getType()->getScalarType();
  const unsigned bits = type->getPrimitiveSizeInBits();
  return compare.isIntPredicate() &&
         (bits <= 32 || bits == 64 || compare.isEquality() || type->isPointerTy());
}

} // namespace

bool Locations::mark(const Value *value) {
  const bool isNew = vectors.insert(value).second;
  isChanged |= isNew;
  return isNew;
}

bool Locations::hasVectorOperand(const Instruction &inst) const {
  return any_of(inst.operands(), [&](const Use &use) { return vectors.count(use.get()); });
}

/// Whatever the operands are.
bool Locations::isAlwaysVector(const Instruction &inst) const {
  switch (inst.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return true;
  case Instruction::Load:
    return cast<LoadInst>(inst).getPointerAddressSpace() != constantSpace;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return !isScalarCompare(cast<CmpInst>(inst));
  case Instruction::Call:
    return kindOf(cast<CallInst>(inst)) == CallKind::Vector;
  default:
    return false;
  }
}

bool Locations::outlivesIterations(const Instruction &inst) const {
  const uint32_t innermost = flow.blocks()[flow.blockOf(inst.getParent())].loop;
  auto leaves = [&](uint32_t place) {
    for (uint32_t loop = innermost; loop != none && !flow.isInLoop(place, loop);
         loop = flow.loops()[loop].parent)
      if (flow.loops()[loop].hasMaskedExit)
        return true;
    return false;
  };
  return innermost != none && any_of(inst.uses(), [&](const Use &use) {
           const auto *user = cast<Instruction>(use.getUser());
           if (!flow.isReached(user->getParent()))
             return false;
           const auto *phi = dyn_cast<PHINode>(user);
           return leaves(phi ? flow.copyBlock(phi->getIncomingBlock(use), phi->getParent())
                             : flow.blockOf(user->getParent()));
         });
}

bool Locations::visit(const Instruction &inst, uint32_t block) {
  if (vectors.count(&inst) || inst.getType()->isVoidTy())
    return false;
  if (isa<PHINode>(inst)) {
    // Lanes come with values of their own. A loop's own phis do not join lanes, but for its end.
    const FlowBlock &here = flow.blocks()[block];
    const auto joins = [&](uint32_t i) {
      const FlowBlock &other = flow.blocks()[i];
      return other.mask != MaskKind::None || other.mayBeEmpty;
    };
    bool isJoin = joins(block) && here.predecessors.size() > 1;
    if (here.isHeader) {
      const uint32_t latch = flow.loops()[here.loop].last;
      isJoin = here.predecessors.size() > 2 && joins(block);
      isJoin |= flow.blocks()[latch].predecessors.size() > 1 && joins(latch);
    }
    return (isJoin || hasVectorOperand(inst)) && mark(&inst);
  }
  if (const auto *call = dyn_cast<CallInst>(&inst))
    if (kindOf(*call) == CallKind::Scalar)
      return false;
  return (isAlwaysVector(inst) || hasVectorOperand(inst)) && mark(&inst);
}

bool Locations::sweep() {
  isChanged = false;
  const ArrayRef<FlowBlock> blocks = flow.blocks();
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].ir)
      continue;
    for (const Instruction &inst : *blocks[i].ir) {
      visit(inst, i);
      if (!vectors.count(&inst) && outlivesIterations(inst))
        mark(&inst);
    }
  }
  return isChanged;
}

bool Locations::isDivergentEnd(uint32_t block) const {
  const BasicBlock *ir = flow.blocks()[block].ir;
  return ir && any_of(ir->getTerminator()->operands(),
                      [&](const Use &use) { return vectors.count(use.get()); });
}

Locations::Locations(const Function &function, Flow &flow) : flow(flow) {
  for (const Argument &argument : function.args())
    if (!argument.hasInRegAttr())
      vectors.insert(&argument);
  do
    flow.decide([&](uint32_t block) { return isDivergentEnd(block); });
  while (sweep());
}

} // namespace lgc::direct
