//===- SelectFlow.cpp - EXEC, jumps, masks and phis -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace lgc::direct {

namespace {
constexpr uint32_t none = ~0u;
}

/// The mask of lanes that wait for a block.
Operand ShaderSelector::maskOf(uint32_t block) {
  Operand &mask = masks[block];
  if (mask.kind != Operand::Kind::None)
    return mask;
  mask = newMask();
  program.units[mask.value].fromStart = flow.blocks()[block].mask == MaskKind::Accumulated;
  return mask;
}

/// The machine block behind a block of Flow that no lane enters.
uint32_t ShaderSelector::skipTarget(uint32_t block) const {
  const uint32_t target = flow.skip(block);
  if (target < flow.blocks().size() && block != lastBlock)
    return entryOf[target];
  // Nobody waits anywhere. HW: the last export of a fragment shader must be made all the same.
  if (isFragment && lastBlock != noBlock && block <= lastBlock)
    return lastExport == noBlock ? entryOf[lastBlock] : lastExport;
  return static_cast<uint32_t>(program.blocks.size() - 1); // only ends the shader
}

/// EXEC is what its last writer left: lanes that fall through, none (after a jump over what no lane
/// enters), or anything (where nobody falls through).
void ShaderSelector::enterBlock(uint32_t index) {
  const FlowBlock &block = flow.blocks()[index];
  ops = &program.blocks[entryOf[index]].ops;
  if (block.mask != MaskKind::None) {
    const Operand mask = maskOf(index);
    if (block.mask == MaskKind::Saved && endsLanes)
      emit(byWave(Opcode::SAnd32, Opcode::SAnd64), {exec(), mask, running});
    else if (block.mask == MaskKind::Saved || !block.hasDirectEntry)
      emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), mask});
    else
      emit(byWave(Opcode::SOr32, Opcode::SOr64), {exec(), exec(), mask});
    if (block.mask == MaskKind::Accumulated && flow.entryLoop(index) != none)
      emit(byWave(Opcode::SMov, Opcode::SMov64), {mask, Operand::constant(0)});
  }
  const bool mayBeEmpty = block.mayBeEmpty || (block.mask == MaskKind::Saved && endsLanes);
  if (mayBeEmpty && (index != lastBlock || lastExport != noBlock))
    emit(Opcode::SBranchExecZero, {Operand::block(skipTarget(index))});
  ops = &program.blocks[bodyOf[index]].ops;
}

/// Behind a block whose lanes are all somewhere else now.
void ShaderSelector::goOn(uint32_t index) {
  const uint32_t target = flow.resume(index);
  if (target >= flow.blocks().size()) {
    if (isFragment && lastBlock != noBlock && index < lastBlock) {
      emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), Operand::constant(0)});
      emit(Opcode::SBranch, {Operand::block(skipTarget(lastBlock))});
    } else {
      emitEnd();
    }
    return;
  }
  const FlowBlock &block = flow.blocks()[target];
  if (block.mask != MaskKind::Saved && block.hasDirectEntry)
    emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), Operand::constant(0)});
  if (target != index + 1)
    jump(target);
}

/// Puts lanes into the mask of a block.
void ShaderSelector::leaveTo(uint32_t target, const Operand &lanes) {
  switch (flow.blocks()[target].mask) {
  case MaskKind::Saved: // it has them
    return;
  case MaskKind::Set:
    emit(byWave(Opcode::SMov, Opcode::SMov64), {maskOf(target), lanes});
    return;
  default:
    emit(byWave(Opcode::SOr32, Opcode::SOr64), {maskOf(target), maskOf(target), lanes});
  }
}

/// The lanes part: those of \p condition go to \p yes, others to \p no.
void ShaderSelector::branchByMask(uint32_t index, const Operand &condition, uint32_t yes,
                                  uint32_t no) {
  const Opcode with = byWave(Opcode::SAnd32, Opcode::SAnd64);
  const Opcode without = byWave(Opcode::SAndNot32, Opcode::SAndNot64);
  auto leave = [&](uint32_t target, Opcode select) {
    const MaskKind kind = flow.blocks()[target].mask;
    if (target == index + 1 || kind == MaskKind::Saved)
      return;
    const Operand lanes = kind == MaskKind::Set ? maskOf(target) : newMask();
    emit(select, {lanes, exec(), condition});
    if (kind != MaskKind::Set)
      leaveTo(target, lanes);
  };
  leave(yes, with);
  leave(no, without);
  if (yes == index + 1)
    emit(with, {exec(), exec(), condition});
  else if (no == index + 1)
    emit(without, {exec(), exec(), condition});
  else
    goOn(index);
}

/// SCC says where all lanes go.
void ShaderSelector::branchByScc(uint32_t index, uint32_t yes, uint32_t no) {
  const bool isNextFirst = yes == index + 1;
  if (isNextFirst)
    std::swap(yes, no);
  emit(isNextFirst ? Opcode::SBranchScc0 : Opcode::SBranchScc1, {Operand::block(entryOf[yes])});
  if (no != index + 1)
    jump(no);
}

bool ShaderSelector::endWithBranch(uint32_t index, const BranchInst &branch) {
  const FlowBlock &block = flow.blocks()[index];
  const Value *condition = branch.getCondition();
  // On edges stand blocks of their own, in the order of the IR's successors.
  const uint32_t yes = block.successors[0], no = block.successors[1];
  const bool isDirect = block.kinds[0] == EdgeKind::Direct && block.kinds[1] == EdgeKind::Direct;
  const auto *compare = dyn_cast<ICmpInst>(condition);
  Word mask;
  if (compare && isFolded(*compare)) {
    beginPlace(compare);
    if (!emitScalarCompare(*compare, 0))
      return false;
    beginPlace(&branch);
    if (!isDirect)
      mask = maskOfScc();
  } else {
    if (!readWord(condition, mask))
      return false;
    KILN_CHECK(!isDirect || !isVector(condition), "direct: lanes part where they must not");
    if (isDirect && laneMask(mask).isConstant())
      mask = maskOp(Opcode::SMov, Opcode::SMov64, {mask});
    if (isDirect)
      emit(byWave(Opcode::SCmpLgU, Opcode::SCmpLgU64), {laneMask(mask), Operand::constant(0)});
  }
  if (isDirect)
    branchByScc(index, yes, no);
  else
    branchByMask(index, laneMask(mask), yes, no);
  return true;
}

/// Which lanes go to each successor but the first one, the default.
bool ShaderSelector::readLanesOfSwitch(const SwitchInst &choice, Words &lanes) {
  Word number;
  const unsigned bits = choice.getCondition()->getType()->getIntegerBitWidth();
  if (bits != 8 && bits != 16 && bits != 32)
    return refuse(choice);
  if (!readWord(choice.getCondition(), number))
    return false;
  // What is above means nothing.
  if (const Word mask = Word::constant((1u << bits % 32) - 1); bits < 32)
    number = isVgpr(number.operand) ? vector(Opcode::VAnd, {mask, number})
                                    : scalar(Opcode::SAnd32, {number, mask});
  SmallVector<const BasicBlock *, 4> targets;
  for (const BasicBlock *target : llvm::successors(&choice))
    if (!is_contained(targets, target))
      targets.push_back(target);
  lanes.assign(targets.size(), Word());
  for (const auto &option : choice.cases()) {
    const auto place =
        static_cast<size_t>(find(targets, option.getCaseSuccessor()) - targets.begin());
    if (!place)
      continue;
    const Word value = Word::constant(static_cast<uint32_t>(option.getCaseValue()->getZExtValue()));
    Word equal;
    if (isVgpr(number.operand)) {
      equal = vector(Opcode::VCmpEqU, {value, number});
    } else {
      emit(Opcode::SCmpEqU, {toSgpr(number), value.operand});
      equal = maskOfScc();
    }
    lanes[place] = lanes[place].isUndefined()
                       ? equal
                       : maskOp(Opcode::SOr32, Opcode::SOr64, {lanes[place], equal});
  }
  return true;
}

bool ShaderSelector::endWithSwitch(uint32_t index, const SwitchInst &choice) {
  const FlowBlock &block = flow.blocks()[index];
  Words lanes;
  if (!readLanesOfSwitch(choice, lanes))
    return false;
  if (block.kinds.front() == EdgeKind::Direct) {
    for (unsigned i = 1; i < lanes.size(); ++i) {
      emit(byWave(Opcode::SCmpLgU, Opcode::SCmpLgU64), {laneMask(lanes[i]), Operand::constant(0)});
      emit(Opcode::SBranchScc1, {Operand::block(entryOf[block.successors[i]])});
    }
    jump(block.successors[0]);
    return true;
  }
  // The default gets who is left.
  Word others = maskOp(Opcode::SMov, Opcode::SMov64, {{exec()}});
  for (unsigned i = 1; i < lanes.size(); ++i) {
    lanes[i] = maskOp(Opcode::SAnd32, Opcode::SAnd64, {lanes[i], {exec()}});
    others = maskOp(Opcode::SAndNot32, Opcode::SAndNot64, {others, lanes[i]});
  }
  lanes[0] = others;
  bool isNextEntered = false;
  for (unsigned i = 0; i < lanes.size(); ++i) {
    if (block.successors[i] != index + 1) {
      leaveTo(block.successors[i], laneMask(lanes[i]));
      continue;
    }
    isNextEntered = true;
    lanes[0] = lanes[i];
  }
  if (isNextEntered)
    emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), laneMask(lanes[0])});
  else
    goOn(index);
  return true;
}

bool ShaderSelector::endBlock(uint32_t index) {
  const FlowBlock &block = flow.blocks()[index];
  for (uint32_t i : savedAtEnd[index])
    emit(byWave(Opcode::SMov, Opcode::SMov64), {maskOf(i), exec()});
  if (block.successors.empty()) {
    const auto *ret = block.ir ? dyn_cast<ReturnInst>(block.ir->getTerminator()) : nullptr;
    if (!ret || !goesOn()) {
      goOn(index);
      return true;
    }
    if (!selectResults(*ret))
      return false;
    // Not where lanes wait behind it: those of blocks that end nowhere, which nobody enters.
    emitEnd();
    return true;
  }
  if (block.successors.size() > 1) {
    const Instruction &end = *block.ir->getTerminator();
    if (const auto *branch = dyn_cast<BranchInst>(&end))
      return endWithBranch(index, *branch);
    const auto *choice = dyn_cast<SwitchInst>(&end);
    return choice ? endWithSwitch(index, *choice) : refuse(end);
  }
  const uint32_t next = block.successors.front();
  if (next <= index) {
    emit(Opcode::SBranch, {Operand::block(bodyOf[next])});
  } else if (block.kinds.front() == EdgeKind::Masked) {
    leaveTo(next, exec());
    goOn(index);
  } else if (next != index + 1) {
    jump(next);
  }
  return true;
}

// --- Phis

/// Masks keep the bits of lanes that are not active, where those may have come before.
void ShaderSelector::move(const Move &move) {
  if (!move.isMask) {
    if (isVgpr(move.to))
      emit(Opcode::VMov, {move.to, move.from.operand});
    else
      emit(Opcode::SMov, {move.to, scalarSource(move.from)});
    return;
  }
  if (!move.isMerged) {
    emit(byWave(Opcode::SMov, Opcode::SMov64), {move.to, laneMask(move.from)});
    return;
  }
  mergeMask(move.to, laneMask(move.from));
}

/// The bits of active lanes are replaced.
void ShaderSelector::mergeMask(const Operand &to, const Operand &from) {
  const Opcode with = byWave(Opcode::SAnd32, Opcode::SAnd64);
  const Opcode either = byWave(Opcode::SOr32, Opcode::SOr64);
  emit(byWave(Opcode::SAndNot32, Opcode::SAndNot64), {to, to, exec()});
  const Operand lanes = newMask();
  emit(with, {lanes, from, exec()});
  emit(either, {to, to, lanes});
}

/// As if all at once.
void ShaderSelector::moveAll(SmallVectorImpl<Move> &moves) {
  llvm::erase_if(moves, [](const Move &m) { return m.from.operand == m.to; });
  while (!moves.empty()) {
    auto isRead = [&](const Operand &operand) {
      return any_of(moves, [&](const Move &m) { return m.from.operand == operand; });
    };
    auto *next = find_if(moves, [&](const Move &m) { return !isRead(m.to); });
    if (next != moves.end()) {
      move(*next);
      moves.erase(next);
      continue;
    }
    // A ring: what the first one would overwrite is read from a copy.
    const Operand old = moves.front().to;
    Move copy = moves.front();
    copy.to = copy.isMask ? newMask() : isVgpr(old) ? newVgprs() : newSgprs();
    copy.from = {old};
    copy.isMerged = false;
    move(copy);
    for (Move &other : moves)
      if (other.from.operand == old)
        other.from.operand = copy.to;
  }
}

bool ShaderSelector::copyPhis(const BasicBlock *from, const BasicBlock *to) {
  beginPlace(from->getTerminator());
  SmallVector<Move, 8> moves;
  const bool isHeader = flow.blocks()[flow.blockOf(to)].isHeader;
  for (const PHINode &phi : to->phis()) {
    if (!needed.count(&phi))
      continue;
    Words target, source;
    if (!dwordsOf(phi.getType()))
      return refuse(phi);
    if (!read(&phi, target) || !read(phi.getIncomingValueForBlock(from), source))
      return false;
    const bool isMask = phi.getType()->getScalarType()->isIntegerTy(1);
    for (unsigned i = 0; i < target.size(); ++i)
      if (source[i].isUndefined())
        program.units[target[i].operand.value].fromLastIteration |= isHeader;
      else
        moves.push_back({target[i].operand, source[i], isMask, isMask && isVector(&phi)});
  }
  for (Move &move : moves)
    if (!move.isMask)
      move.from = plain(move.from);
  moveAll(moves);
  return true;
}

} // namespace lgc::direct
