//===- SelectFragment.cpp - inputs, whole quads, and the end of fragments -===//
// SPDX-License-Identifier: MIT
/// \file
/// Where a shader needs whole quads, it runs with all lanes of every quad that has a fragment, from
/// the beginning to its exports. Lanes without a fragment neither store nor export: `live` has the
/// others. `running` has the lanes that have not been ended, for masks that were saved before.
#include "lgc/direct/shader/ShaderSelector.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned highPriority = 2, lowPriority = 0;
constexpr uint32_t none = ~0u;

/// Samples that compute their level from neighbours, and whatever else looks at these.
bool needsQuads(const CallInst &call) {
  if (!call.getCalledFunction())
    return false;
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_softwqm:
  case Intrinsic::amdgcn_wqm_vote:
  case Intrinsic::amdgcn_lds_param_load:
  case Intrinsic::amdgcn_update_dpp:
  case Intrinsic::amdgcn_mov_dpp:
  case Intrinsic::amdgcn_ds_swizzle:
  case Intrinsic::amdgcn_wqm_demote:
    return true;
  default:
    break;
  }
  const StringRef name = call.getCalledFunction()->getName();
  return name.starts_with("llvm.amdgcn.image.sample") ||
         name.starts_with("llvm.amdgcn.image.gather4") ||
         name.starts_with("llvm.amdgcn.image.getlod");
}

} // namespace

void ShaderSelector::lookAtFragment() {
  isFragment = function.getCallingConv() == CallingConv::AMDGPU_PS;
  if (!isFragment)
    return;
  for (uint32_t i = 0; i < flow.blocks().size(); ++i) {
    const BasicBlock *block = flow.blocks()[i].ir;
    if (!block)
      continue;
    if (isa<ReturnInst>(block->getTerminator()))
      lastBlock = i;
    for (const Instruction &inst : *block) {
      const auto *call = dyn_cast<CallInst>(&inst);
      if (!call || !needed.count(call))
        continue;
      usesQuads |= needsQuads(*call);
      noteExport(*call);
      endsLanes |= call->getIntrinsicID() == Intrinsic::amdgcn_kill ||
                   call->getIntrinsicID() == Intrinsic::amdgcn_wqm_demote;
    }
  }
}

/// What the last export of waves without lanes says, and whether they have something else to do.
void ShaderSelector::noteExport(const CallInst &call) {
  constexpr uint32_t depth = 8, nothing = 9;
  const Intrinsic::ID id = call.getIntrinsicID();
  hasMessage |= id == Intrinsic::amdgcn_s_sendmsg;
  if (id != Intrinsic::amdgcn_exp && id != Intrinsic::amdgcn_exp_compr)
    return;
  const uint64_t target = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  // HW: gfx11 has no export to nothing.
  if (program.target->major < 11)
    exportedLast = nothing;
  else if (target != depth || exportedLast == none)
    exportedLast = target == depth ? depth : 0;
}

/// Waves without lanes go there, and not to the last block: what that reads has not been computed.
void ShaderSelector::addLastExport() {
  if (!isFragment || !endsLanes || lastBlock == noBlock)
    return;
  if (goesOn()) // glue exports
    lastExport = static_cast<uint32_t>(program.blocks.size());
  if (goesOn() || exportedLast == none || hasMessage)
    return;
  lastExport = static_cast<uint32_t>(program.blocks.size());
  program.blocks.push_back({{}, noLoop});
  ops = &program.blocks.back().ops;
  emit(Opcode::ExportLast, {Operand::number(exportedLast), {}, {}, {}, {}});
  emitEnd();
}

ShaderSelector::CallSelector ShaderSelector::stageCallOf(const CallInst &call) {
  struct Row {
    Intrinsic::ID intrinsic;
    CallSelector select;
  };
  static constexpr Row rows[] = {
      {Intrinsic::amdgcn_init_exec, &ShaderSelector::selectAllLanes},
      {Intrinsic::amdgcn_exp, &ShaderSelector::selectExport},
      {Intrinsic::amdgcn_exp_compr, &ShaderSelector::selectExport},
      {Intrinsic::amdgcn_cvt_pknorm_u16, &ShaderSelector::selectPack},
      {Intrinsic::amdgcn_cvt_pknorm_i16, &ShaderSelector::selectPack},
      {Intrinsic::amdgcn_cvt_pk_u16, &ShaderSelector::selectPack},
      {Intrinsic::amdgcn_cvt_pk_i16, &ShaderSelector::selectPack},
      {Intrinsic::amdgcn_s_sendmsg, &ShaderSelector::selectMessage},
      {Intrinsic::amdgcn_s_setreg, &ShaderSelector::selectSetRegister},
      {Intrinsic::amdgcn_s_wait_event_export_ready, &ShaderSelector::selectExportWait},
      {Intrinsic::amdgcn_s_sleep, &ShaderSelector::selectSleep},
      {Intrinsic::amdgcn_ds_add_gs_reg_rtn, &ShaderSelector::selectCounter},
      {Intrinsic::amdgcn_pops_exiting_wave_id, &ShaderSelector::selectExitingWave},
      {Intrinsic::amdgcn_exp_row, &ShaderSelector::selectExportOfRow},
      {Intrinsic::amdgcn_kill, &ShaderSelector::selectKill},
      {Intrinsic::amdgcn_wqm_demote, &ShaderSelector::selectKill},
      {Intrinsic::amdgcn_wqm, &ShaderSelector::selectWholeQuads},
      {Intrinsic::amdgcn_softwqm, &ShaderSelector::selectWholeQuads},
      {Intrinsic::amdgcn_live_mask, &ShaderSelector::selectLive},
      {Intrinsic::amdgcn_ps_live, &ShaderSelector::selectLive},
      {Intrinsic::amdgcn_interp_p1, &ShaderSelector::selectInterpolation},
      {Intrinsic::amdgcn_interp_p2, &ShaderSelector::selectInterpolation},
      {Intrinsic::amdgcn_interp_mov, &ShaderSelector::selectInterpolation},
      {Intrinsic::amdgcn_lds_param_load, &ShaderSelector::selectInterpolation},
      {Intrinsic::amdgcn_interp_inreg_p10, &ShaderSelector::selectInterpolation},
      {Intrinsic::amdgcn_interp_inreg_p2, &ShaderSelector::selectInterpolation},
  };
  const Row *row =
      find_if(rows, [&](const Row &r) { return r.intrinsic == call.getIntrinsicID(); });
  return row == std::end(rows) ? nullptr : row->select;
}

/// Until fragments in front of this one have exported.
bool ShaderSelector::selectExportWait(const CallInst &call) {
  // HW: the bit of what is waited for is the other way round in gfx12.
  emit(Opcode::SWaitEvent, {Operand::number(program.target->major >= 12 ? 2 : 0)});
  return true;
}

/// Adds to a counter of the geometry engine.
bool ShaderSelector::selectCounter(const CallInst &call) {
  const auto *offset = cast<ConstantInt>(call.getArgOperand(1));
  Word value;
  if (!hasInstruction(program.target->major, Opcode::DsAddCounter) ||
      !call.getType()->isIntegerTy(32) || !readWord(call.getArgOperand(0), value))
    return refuse(call);
  const Operand result = newVgprs(2);
  emit(Opcode::DsAddCounter,
       {result, toVgpr(value), Operand::number(static_cast<uint32_t>(offset->getZExtValue()))});
  return define(call, {{part(result, 0)}});
}

bool ShaderSelector::selectSleep(const CallInst &call) {
  const auto *time = cast<ConstantInt>(call.getArgOperand(0));
  emit(Opcode::SSleep, {Operand::number(static_cast<uint32_t>(time->getZExtValue()) & 0x7F)});
  return true;
}

bool ShaderSelector::selectExitingWave(const CallInst &call) {
  constexpr uint32_t exitingWave = 239;
  const Operand result = newSgprs();
  if (program.target->major >= 11)
    return refuse(call);
  emit(Opcode::SMov, {result, Operand::sgpr(exitingWave)});
  return define(call, {{result}});
}

/// Of a stage whose wave has lanes for several shaders.
bool ShaderSelector::selectAllLanes(const CallInst &call) {
  if (!cast<ConstantInt>(call.getArgOperand(0))->isMinusOne())
    return refuse(call);
  emit(byWave(Opcode::SMov, Opcode::SMov64), {exec(), Operand::constant(~0u)});
  return true;
}

/// HW(gfx11.5): exports of waves with low priority can block each other.
bool ShaderSelector::hasPriorities() const {
  const CallingConv::ID kind = function.getCallingConv();
  const bool exports = isFragment
                           ? exportedLast != none
                           : kind != CallingConv::AMDGPU_CS && kind != CallingConv::AMDGPU_HS;
  return program.target->major == 11 && program.target->minor >= 5 && !goesOn() && exports;
}

void ShaderSelector::beginStage() {
  if (hasPriorities())
    emit(Opcode::SSetPrio, {Operand::number(highPriority)});
  if (usesQuads || endsLanes) {
    live = newMask();
    program.units[live.value].fromStart = true;
    emit(byWave(Opcode::SMov, Opcode::SMov64), {live, exec()});
  }
  if (usesQuads)
    emit(byWave(Opcode::SWholeQuads32, Opcode::SWholeQuads64), {exec(), exec()});
  if (endsLanes) {
    running = newMask();
    program.units[running.value].fromStart = true;
    emit(byWave(Opcode::SMov, Opcode::SMov64), {running, exec()});
  }
}

/// What comes behind all blocks: the end of the program, or, of a part, of all that glue knows
/// nothing of (docs/parts.md#hazards): loads whose results nobody has read, and hazards.
void ShaderSelector::addEnd() {
  program.blocks.push_back({{}, noLoop});
  ops = &program.blocks.back().ops;
  if (!goesOn())
    return emit(Opcode::SEndPgm, {});
  constexpr unsigned gfx12ScalarReads = 4; // DsNops for each 32 lanes that have passed
  const auto &[major, minor] = std::pair(program.target->major, program.target->minor);
  if (major >= 12) {
    for (Opcode wait : {Opcode::WaitLoads12, Opcode::WaitSamples12, Opcode::WaitRays12,
                        Opcode::WaitLds12, Opcode::WaitScalars12, Opcode::WaitExports12})
      emit(wait, {Operand::number(0)});
    for (unsigned i = 0; i < gfx12ScalarReads * program.waveSize / 32; ++i)
      emit(Opcode::DsNop, {});
    return;
  }
  emit(Opcode::WaitCounters, {Operand::number(0)});
  if (major == 10 && minor < 3)
    emit(Opcode::WaitStores, {});
  if (major == 11 || minor < 3)
    emit(Opcode::WaitDepctr,
         {Operand::number(major == 11 ? partBoundaryResultWait : partBoundaryOperandWait)});
}

/// Colours of a fragment part go on in VGPRs from 0 on, of the lanes with a fragment.
bool ShaderSelector::selectResults(const ReturnInst &ret) {
  auto *result = ret.getReturnValue();
  Words words;
  auto add = [&](Value *value) {
    Word word;
    if (!value || dwordsOf(value->getType()) != 1)
      return refuse(ret);
    if (!isa<UndefValue>(value) && !readWord(value, word))
      return false;
    words.push_back(plain(word));
    return true;
  };
  if (const auto *type = dyn_cast<StructType>(result->getType())) {
    for (unsigned i = 0; i < type->getNumElements(); ++i)
      if (!add(FindInsertedValue(result, {i})))
        return false;
  } else if (!add(result)) {
    return false;
  }
  if (words.empty())
    return true;
  if (!program.data.empty())
    return refuse("constants in front of glue");
  const Operand row = tuple(words, Bank::Vector);
  // Loads of it would stand among the moves, and could be allocated what these have written.
  program.units[row.value].isPinned = true;
  if (live.kind != Operand::Kind::None)
    emit(byWave(Opcode::SAnd32, Opcode::SAnd64), {exec(), exec(), live});
  for (unsigned i = 0; i < words.size(); ++i)
    if (!words[i].isUndefined())
      emit(Opcode::VMov, {Operand::vgpr(i), part(row, i)});
  program.vgprs = std::max(program.vgprs, static_cast<unsigned>(words.size()));
  return true;
}

void ShaderSelector::emitEnd() {
  if (goesOn()) {
    emit(Opcode::SBranch, {Operand::block(static_cast<uint32_t>(program.blocks.size() - 1))});
    return;
  }
  if (hasPriorities()) {
    emit(Opcode::SSetPrio, {Operand::number(lowPriority)});
    emit(Opcode::SNop, {Operand::number(0)});
    emit(Opcode::SNop, {Operand::number(0)});
  }
  emit(Opcode::SEndPgm, {});
}

/// Lanes whose condition does not hold are no fragments any more; with quads, those of demotion
/// stay as helpers while their quad has a fragment.
bool ShaderSelector::selectKill(const CallInst &call) {
  const bool isDemotion = call.getIntrinsicID() == Intrinsic::amdgcn_wqm_demote;
  const Opcode with = byWave(Opcode::SAnd32, Opcode::SAnd64);
  const Opcode without = byWave(Opcode::SAndNot32, Opcode::SAndNot64);
  Word condition;
  if (!isFragment)
    return refuse(call);
  if (!readWord(call.getArgOperand(0), condition))
    return false;
  const Operand ended = newMask();
  emit(without, {ended, exec(), laneMask(condition)});
  emit(without, {live, live, ended});
  if (!isDemotion) {
    emit(without, {running, running, ended});
  } else if (usesQuads) {
    const Operand quads = newMask();
    emit(byWave(Opcode::SWholeQuads32, Opcode::SWholeQuads64), {quads, live});
    emit(with, {running, running, quads});
  } else {
    emit(with, {running, running, live});
  }
  emit(with, {exec(), exec(), running});
  if (current != lastBlock || lastExport != noBlock)
    emit(Opcode::SBranchExecZero, {Operand::block(skipTarget(current))});
  return true;
}

/// Everything is computed in whole quads, if anything is.
bool ShaderSelector::selectWholeQuads(const CallInst &call) {
  Words words;
  if (!isFragment)
    return refuse(call);
  return read(call.getArgOperand(0), words) && define(call, words);
}

/// Of lanes with a fragment.
bool ShaderSelector::selectLive(const CallInst &call) {
  if (!isFragment)
    return refuse(call);
  if (live.kind == Operand::Kind::None)
    return define(call, {maskOp(Opcode::SMov, Opcode::SMov64, {{exec()}})});
  return define(call, {maskOp(Opcode::SMov, Opcode::SMov64, {{live}})});
}

// --- Inputs

void ShaderSelector::setPrimitiveMask(const Word &mask) {
  emit(Opcode::SMov, {Operand::sgpr(program.m0()), scalarSource(mask)});
}

/// Operands: (a number,) place, component, attribute, mask of primitives; by instruction.
bool ShaderSelector::selectInterpolation(const CallInst &call) {
  auto number = [&](unsigned index) {
    return Operand::number(
        static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue()));
  };
  const Operand result = newVgprs();
  Word a, b, mask;
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_interp_p1:
    if (!readWord(call.getArgOperand(0), a) || !readWord(call.getArgOperand(3), mask))
      return false;
    setPrimitiveMask(mask);
    emit(Opcode::VInterpFirst, {result, toVgpr(a), number(2), number(1)});
    return define(call, {{result}});
  case Intrinsic::amdgcn_interp_p2:
    if (!readWord(call.getArgOperand(0), a) || !readWord(call.getArgOperand(1), b) ||
        !readWord(call.getArgOperand(4), mask))
      return false;
    setPrimitiveMask(mask);
    // The sum takes the place of the first half.
    emit(Opcode::VMov, {result, toVgpr(a)});
    emit(Opcode::VInterpSecond, {result, toVgpr(b), number(3), number(2)});
    return define(call, {{result}});
  case Intrinsic::amdgcn_interp_mov: {
    constexpr Opcode moves[] = {Opcode::VInterpMove10, Opcode::VInterpMove20, Opcode::VInterpMove0};
    const uint64_t which = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    if (which >= std::size(moves))
      return refuse(call);
    if (!readWord(call.getArgOperand(3), mask))
      return false;
    setPrimitiveMask(mask);
    emit(moves[which], {result, number(2), number(1)});
    return define(call, {{result}});
  }
  case Intrinsic::amdgcn_lds_param_load:
    if (!readWord(call.getArgOperand(2), mask))
      return false;
    setPrimitiveMask(mask);
    // HW(gfx11): memory instructions may not have read the register yet (LdsDirectVMEM); gfx12
    // waits for them by itself.
    if (program.target->major < 12 && (hasMemory || flow.blocks()[current].loop != noLoop))
      emit(Opcode::WaitDepctr, {Operand::number(0xFFE3)});
    emit(Opcode::LoadParameter, {result, number(1), number(0)});
    return define(call, {{result}});
  default:
    return selectInterpolationInRegisters(call, result);
  }
}

bool ShaderSelector::selectInterpolationInRegisters(const CallInst &call, const Operand &result) {
  SmallVector<Operand, 4> operands = {result};
  for (unsigned i = 0; i < 3; ++i) {
    Word word;
    if (!readWord(call.getArgOperand(i), word))
      return false;
    operands.push_back(toVgpr(word));
  }
  emit(call.getIntrinsicID() == Intrinsic::amdgcn_interp_inreg_p10 ? Opcode::VInterp10
                                                                   : Opcode::VInterp2,
       operands);
  return define(call, {{result}});
}

} // namespace lgc::direct
