//===- SelectLanes.cpp - what lanes tell each other -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lanes that are not active have no values but where strict.wwm asks for them: what it depends on,
/// back to set.inactive, is computed for all lanes of the wave ("whole wave"), with EXEC all ones.
///
///   %i = set.inactive(%x, 0)      s_mov saved, exec; s_mov exec, -1; v_cndmask i, 0, x, saved
///   %d = update.dpp(%i, ...)      v_mov_dpp d, i
///   %s = add %d, %i               v_add s, d, i
///   %r = strict.wwm(%s)           s_mov exec, saved; v_mov r, s
///
/// Registers that are written so are written for lanes that wait, too. All that those still need is
/// in registers that are taken at such a place, but for what they bring out of a loop while others
/// go round it again: so these registers are nobody else's in the whole loop (acrossIterations).
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

Intrinsic::ID idOf(const Instruction &inst) {
  const auto *call = dyn_cast<CallInst>(&inst);
  return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

/// What can be computed for all lanes.
bool mayBeWholeWave(const Instruction &inst) {
  switch (idOf(inst)) {
  case Intrinsic::amdgcn_set_inactive:
  case Intrinsic::amdgcn_update_dpp:
  case Intrinsic::amdgcn_mov_dpp:
  case Intrinsic::amdgcn_permlane16:
  case Intrinsic::amdgcn_permlanex16:
  case Intrinsic::amdgcn_permlane64:
  case Intrinsic::amdgcn_ds_swizzle:
  case Intrinsic::amdgcn_ds_bpermute:
  case Intrinsic::amdgcn_lds_param_load:
    return true;
  default:
    break;
  }
  if (const auto *call = dyn_cast<CallInst>(&inst))
    return call->getIntrinsicID() && call->doesNotAccessMemory() && !call->isConvergent();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, ExtractElementInst,
             InsertElementInst, ShuffleVectorInst, ExtractValueInst, FreezeInst>(inst);
}

/// HW: quad_perm, shifts and rotations in rows, mirrors, row_share, row_xmask.
bool isLaneControl(uint64_t control) {
  constexpr uint64_t quads = 0x100, shiftLeft = 0x100, shiftRight = 0x110, rotate = 0x120,
                     mirror = 0x140, halfMirror = 0x141, share = 0x150, end = 0x170;
  return control < quads || (control > shiftLeft && control < shiftRight) ||
         (control > shiftRight && control < rotate) ||
         (control > rotate && control < rotate + 16) || control == mirror ||
         control == halfMirror || (control >= share && control < end);
}

/// Whole quads are part of the whole wave.
bool isStrict(Intrinsic::ID id) {
  return id == Intrinsic::amdgcn_strict_wwm || id == Intrinsic::amdgcn_strict_wqm;
}

uint32_t numberOf(const CallInst &call, unsigned argument) {
  return static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(argument))->getZExtValue());
}

bool isMask(const Value &value) { return value.getType()->getScalarType()->isIntegerTy(1); }

} // namespace

// --- The whole wave

/// Of everything that \p value depends on in the block.
bool ShaderSelector::findWholeWave(const Value *value, const BasicBlock *block,
                                   DenseSet<const Value *> &seen) {
  const auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !seen.insert(inst).second)
    return isa<Constant>(value) || inst || !isVector(value) || refuse("a whole wave's argument");
  const Intrinsic::ID id = idOf(*inst);
  if (!isVector(inst)) {
    // The same for all lanes; but lanes may be read that were computed for this.
    if (inst->getParent() != block || isa<PHINode>(inst) || isStrict(id) ||
        id == Intrinsic::amdgcn_readfirstlane || id == Intrinsic::amdgcn_ballot)
      return true;
  } else {
    if (inst->getParent() != block || !mayBeWholeWave(*inst) || locations.outlivesIterations(*inst))
      return refuse("a whole wave from elsewhere");
    wholeWave.insert(inst);
    if (id == Intrinsic::amdgcn_set_inactive)
      return findWholeWave(inst->getOperand(1), block, seen);
  }
  return all_of(inst->operands(), [&](const Use &use) {
    return !isa<Instruction, Argument>(use.get()) || findWholeWave(use.get(), block, seen);
  });
}

bool ShaderSelector::findWholeWaves() {
  for (const FlowBlock &block : flow.blocks()) {
    if (!block.ir)
      continue;
    DenseSet<const Value *> seen;
    for (const Instruction &inst : *block.ir)
      if (isStrict(idOf(inst)) && needed.count(&inst) &&
          !findWholeWave(inst.getOperand(0), block.ir, seen))
        return false;
  }
  // These would see other lanes.
  for (const Instruction *inst : wholeWave)
    for (const User *user : inst->users())
      if (const Intrinsic::ID id = idOf(*cast<Instruction>(user));
          id == Intrinsic::amdgcn_readfirstlane || id == Intrinsic::amdgcn_ballot)
        return refuse("a whole wave that is asked as one");
  return true;
}

void ShaderSelector::leaveWholeWave() {
  if (!isWholeWave)
    return;
  emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), activeLanes});
  isWholeWave = false;
}

/// In front of an instruction.
bool ShaderSelector::setWave(const Instruction &inst) {
  auto isScalar = [&](const Value *value) {
    if (isVector(value))
      return false;
    const auto found = known.find(value);
    return found == known.end() ||
           none_of(found->second, [&](const Word &word) { return isVgpr(word.operand); });
  };
  auto isValue = [](const Use &use) { return isa<Instruction, Argument>(use.get()); };
  if (!wholeWave.count(&inst)) {
    // Scalar instructions do not care.
    const bool isIndifferent =
        isa<BinaryOperator>(inst) && !isVector(&inst) &&
        all_of(inst.operands(), [&](const Use &use) { return isScalar(use.get()); });
    if (!isIndifferent)
      leaveWholeWave();
    return true;
  }
  for (const Use &use : inst.operands()) {
    const bool isKept = idOf(inst) == Intrinsic::amdgcn_set_inactive && use.getOperandNo() == 0;
    const auto *operand = dyn_cast<Instruction>(use.get());
    if (isValue(use) && !isKept && !isScalar(use.get()) && !(operand && wholeWave.count(operand)))
      return refuse("a whole wave from elsewhere");
  }
  if (isWholeWave)
    return true;
  activeLanes = newMask();
  emit(byWave(Opcode::SMov, Opcode::SMov64), {activeLanes, exec()});
  emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), Operand::constant(~0u)});
  isWholeWave = true;
  return true;
}

bool ShaderSelector::selectSetInactive(const CallInst &call) {
  Words active, others, result;
  if (!isWholeWave || isMask(call))
    return refuse("inactive lanes that nobody asks for");
  if (!read(call.getArgOperand(0), active) || !read(call.getArgOperand(1), others))
    return false;
  for (unsigned i = 0; i < active.size(); ++i)
    result.push_back(choose({activeLanes}, active[i], others[i]));
  return define(call, result);
}

/// The result for the lanes that are active.
bool ShaderSelector::selectStrictWholeWave(const CallInst &call) {
  Words words, result;
  if (isMask(call))
    return refuse(call);
  if (!read(call.getArgOperand(0), words))
    return false;
  for (const Word &word : words) {
    if (!isVgpr(word.operand)) {
      result.push_back(word);
      continue;
    }
    const Operand copy = newVgprs();
    emit(Opcode::VMov, {copy, plain(word).operand});
    result.push_back({copy});
  }
  return define(call, result);
}

// --- Data from other lanes

bool ShaderSelector::selectDpp(const CallInst &call) {
  const bool hasOld = call.getIntrinsicID() == Intrinsic::amdgcn_update_dpp;
  const unsigned first = hasOld ? 1 : 0;
  Words old, words, result;
  if (isMask(call) || !isLaneControl(numberOf(call, first + 1)))
    return refuse(call);
  if (!read(call.getArgOperand(0), old) || !read(call.getArgOperand(first), words))
    return false;
  for (unsigned i = 0; i < words.size(); ++i) {
    const Operand source = toVgpr(words[i]), to = newVgprs();
    const Word kept = hasOld ? plain(old[i]) : Word();
    if (!kept.isUndefined())
      emit(Opcode::VMov, {to, kept.operand});
    emit(Opcode::VMovDpp,
         {to, source, Operand::number(numberOf(call, first + 1)),
          Operand::number(numberOf(call, first + 2)), Operand::number(numberOf(call, first + 3)),
          Operand::number(numberOf(call, first + 4))});
    result.push_back({to});
  }
  return define(call, result);
}

bool ShaderSelector::selectPermuteRows(const CallInst &call) {
  const bool isCrossed = call.getIntrinsicID() == Intrinsic::amdgcn_permlanex16;
  Words old, words, result;
  Operand selects[2];
  if (isMask(call))
    return refuse(call);
  if (!read(call.getArgOperand(0), old) || !read(call.getArgOperand(1), words))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    Word select;
    if (!readWord(call.getArgOperand(2 + i), select))
      return false;
    selects[i] = scalarSource(select);
    if (selects[i].isConstant() && sourceOfConstant(selects[i].value) == noSource)
      selects[i] = toSgpr({selects[i]});
  }
  for (unsigned i = 0; i < words.size(); ++i) {
    const Operand source = toVgpr(words[i]), to = newVgprs();
    const Word kept = plain(old[i]);
    if (!kept.isUndefined())
      emit(Opcode::VMov, {to, kept.operand});
    emit(isCrossed ? Opcode::VPermuteCrossed16 : Opcode::VPermute16,
         {to, source, selects[0], selects[1], Operand::number(numberOf(call, 4)),
          Operand::number(numberOf(call, 5))});
    result.push_back({to});
  }
  return define(call, result);
}

bool ShaderSelector::selectPermuteHalves(const CallInst &call) {
  Words words;
  if (isMask(call) || program.target->major < 11)
    return refuse(call);
  if (!read(call.getArgOperand(0), words))
    return false;
  for (Word &word : words) {
    const Operand source = toVgpr(word), to = newVgprs();
    emit(Opcode::VPermute64, {to, source});
    word = {to};
  }
  return define(call, words);
}

bool ShaderSelector::selectSwizzle(const CallInst &call) {
  Word word;
  if (!readWord(call.getArgOperand(0), word))
    return false;
  const Operand source = toVgpr(word), to = newVgprs();
  emit(Opcode::DsSwizzle, {to, source, Operand::number(numberOf(call, 1) & 0xFFFF)});
  return define(call, {{to}});
}

bool ShaderSelector::selectBackPermute(const CallInst &call) {
  Word index, word;
  if (!readWord(call.getArgOperand(0), index) || !readWord(call.getArgOperand(1), word))
    return false;
  const Operand place = toVgpr(index), source = toVgpr(word), to = newVgprs();
  emit(Opcode::DsBackPermute, {to, place, source, Operand::number(0)});
  return define(call, {{to}});
}

/// The bit of one lane, for all of them.
Word ShaderSelector::bitOfLane(const Word &mask, const Word &lane) {
  const Operand lanes = laneMask(mask);
  if (lanes.isConstant())
    return mask;
  Word bit;
  if (program.isWave64()) {
    const Operand shifted = newSgprs(2);
    emit(Opcode::SShiftRight64, {shifted, lanes, scalarSource(lane)});
    bit = {part(shifted, 0)};
  } else {
    bit = scalar(Opcode::SShiftRight32, {mask, lane});
  }
  return compareWords(CmpInst::ICMP_NE, integer(Arith::And, bit, Word::constant(1)),
                      Word::constant(0));
}

bool ShaderSelector::selectReadLane(const CallInst &call) {
  Words words;
  Word lane;
  if (!read(call.getArgOperand(0), words) || !readWord(call.getArgOperand(1), lane))
    return false;
  lane = {scalarSource(lane)};
  if (lane.isConstant())
    lane.operand.value &= program.waveSize - 1;
  for (Word &word : words) {
    if (isMask(call)) {
      word = bitOfLane(word, lane);
    } else if (isVgpr(word.operand)) {
      const Operand source = plain(word).operand, to = newSgprs();
      emit(Opcode::VReadLane, {to, source, lane.operand});
      word = {to};
    }
  }
  return define(call, words);
}

bool ShaderSelector::selectReadFirstLane(const CallInst &call) {
  Words words;
  if (!read(call.getArgOperand(0), words))
    return false;
  for (Word &word : words) {
    if (!isMask(call) || !isVector(call.getArgOperand(0))) {
      word = isMask(call) ? word : Word{scalarSource(word)};
      continue;
    }
    const Operand first = newSgprs();
    emit(byWave(Opcode::SFirstOne32, Opcode::SFirstOne64), {first, exec()});
    word = bitOfLane(word, {first});
  }
  return define(call, words);
}

/// The reverse of ballot.
bool ShaderSelector::selectInverseBallot(const CallInst &call) {
  Words words;
  if (!read(call.getArgOperand(0), words))
    return false;
  if (words.size() != program.maskRegisters())
    return refuse(call);
  return define(call, {{tuple(words, Bank::Scalar)}});
}

ShaderSelector::CallSelector ShaderSelector::laneCallOf(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_set_inactive:
    return &ShaderSelector::selectSetInactive;
  case Intrinsic::amdgcn_strict_wwm:
  case Intrinsic::amdgcn_strict_wqm:
    return &ShaderSelector::selectStrictWholeWave;
  case Intrinsic::amdgcn_update_dpp:
  case Intrinsic::amdgcn_mov_dpp:
    return &ShaderSelector::selectDpp;
  case Intrinsic::amdgcn_permlane16:
  case Intrinsic::amdgcn_permlanex16:
    return &ShaderSelector::selectPermuteRows;
  case Intrinsic::amdgcn_permlane64:
    return &ShaderSelector::selectPermuteHalves;
  case Intrinsic::amdgcn_ds_swizzle:
    return &ShaderSelector::selectSwizzle;
  case Intrinsic::amdgcn_ds_bpermute:
    return &ShaderSelector::selectBackPermute;
  case Intrinsic::amdgcn_readlane:
    return &ShaderSelector::selectReadLane;
  case Intrinsic::amdgcn_readfirstlane:
    return &ShaderSelector::selectReadFirstLane;
  case Intrinsic::amdgcn_inverse_ballot:
    return &ShaderSelector::selectInverseBallot;
  default:
    return nullptr;
  }
}

} // namespace lgc::direct
