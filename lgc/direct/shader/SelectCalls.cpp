//===- SelectCalls.cpp - calls, barriers and fences -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace lgc::direct {

namespace {

struct IntegerCallRow {
  Intrinsic::ID intrinsic;
  Opcode scalar, vector;
  unsigned sources;
};
constexpr IntegerCallRow integerCallRows[] = {
    {Intrinsic::smin, Opcode::SMinI, Opcode::VMinI, 2},
    {Intrinsic::smax, Opcode::SMaxI, Opcode::VMaxI, 2},
    {Intrinsic::umin, Opcode::SMinU, Opcode::VMinU, 2},
    {Intrinsic::umax, Opcode::SMaxU, Opcode::VMaxU, 2},
    {Intrinsic::bitreverse, Opcode::SReverse32, Opcode::VReverse, 1},
};

constexpr uint32_t bits = 32;

} // namespace

bool ShaderSelector::selectIntegerCall(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool isVec = isVector(&call);
  if (call.getType()->getScalarSizeInBits() != bits)
    return refuse(call);
  SmallVector<Words, 3> sources(call.arg_size());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!read(call.getArgOperand(i), sources[i]))
      return false;
  const IntegerCallRow *row =
      find_if(integerCallRows, [&](const IntegerCallRow &r) { return r.intrinsic == id; });
  auto compute = [&](unsigned i) -> Word {
    const Word &word = sources[0][i];
    auto one = [&](Opcode scalarOp, Opcode vectorOp) {
      return isVec ? vector(vectorOp, {word}) : scalar(scalarOp, {word});
    };
    // HW: all ones where there is no bit.
    auto atMostBits = [&](const Word &count) {
      if (cast<ConstantInt>(call.getArgOperand(1))->isOne())
        return count;
      return isVec ? vector(Opcode::VMinU, {Word::constant(bits), count})
                   : scalar(Opcode::SMinU, {count, Word::constant(bits)});
    };
    switch (id) {
    case Intrinsic::abs:
      return isVec
                 ? vector(Opcode::VMaxI, {word, vector(Opcode::VSub32, {Word::constant(0), word})})
                 : scalar(Opcode::SAbs, {word});
    case Intrinsic::ctpop:
      return isVec ? vector(Opcode::VCountOnes, {word, Word::constant(0)})
                   : scalar(Opcode::SCountOnes32, {word});
    case Intrinsic::ctlz:
      return atMostBits(one(Opcode::SLeadingZeros32, Opcode::VLeadingZeros));
    case Intrinsic::cttz:
      return atMostBits(one(Opcode::SFirstOne32, Opcode::VFirstOne));
    default: {
      Words all;
      for (unsigned s = 0; s < row->sources; ++s)
        all.push_back(sources[s][i]);
      return isVec ? vector(row->vector, all) : scalar(row->scalar, all);
    }
    }
  };
  Words result;
  for (unsigned i = 0; i < sources[0].size(); ++i)
    result.push_back(compute(i));
  return define(call, result);
}

bool ShaderSelector::selectBitField(const CallInst &call) {
  Word word, offset, width;
  const bool isSigned = call.getIntrinsicID() == Intrinsic::amdgcn_sbfe;
  if (call.getType()->getScalarSizeInBits() != bits)
    return refuse(call);
  if (!readWord(call.getArgOperand(0), word) || !readWord(call.getArgOperand(1), offset) ||
      !readWord(call.getArgOperand(2), width))
    return false;
  if (isVector(&call))
    return define(
        call, {vector(isSigned ? Opcode::VBitFieldI : Opcode::VBitFieldU, {word, offset, width})});
  // HW: s_bfe has both in one number.
  const Word mask = Word::constant(31), above = Word::constant(16);
  const Word place = integer(Arith::And, {scalarSource(offset)}, mask);
  const Word size = integer(Arith::And, {scalarSource(width)}, mask);
  const Word field = integer(Arith::Or, place, integer(Arith::ShiftLeft, size, above));
  return define(call, {scalar(isSigned ? Opcode::SBitFieldI : Opcode::SBitFieldU, {word, field})});
}

/// Lanes below this one whose bit is set, and a number more.
bool ShaderSelector::selectLaneCount(const CallInst &call, Opcode opcode) {
  Word mask, sum;
  if (!readWord(call.getArgOperand(0), mask) || !readWord(call.getArgOperand(1), sum))
    return false;
  return define(call, {vector(opcode, {mask, sum})});
}

/// Bits of lanes that are not active are zero.
bool ShaderSelector::selectBallot(const CallInst &call) {
  Word condition;
  if (!readWord(call.getArgOperand(0), condition))
    return false;
  const Word mask = maskOp(Opcode::SAnd32, Opcode::SAnd64, {condition, {exec()}});
  Words words = {{part(mask.operand, 0)}};
  const unsigned count = dwordsOf(call.getType());
  for (unsigned i = 1; i < count; ++i)
    words.push_back(program.isWave64() ? Word{part(mask.operand, i)} : Word::constant(0));
  return define(call, words);
}

bool ShaderSelector::selectGetPc(const CallInst &call) {
  const Operand pair = newSgprs(2);
  emit(Opcode::SGetPc, {pair});
  Words words = wordsOf(pair, 2);
  // HW(gfx12): the address comes without its sign.
  if (program.target->major >= 12)
    words[1] = scalar(Opcode::SSignExtend16, {words[1]});
  return define(call, words);
}

/// HW(gfx12): in registers of the trap handler, y and z as halves of one; which wave of it this is
/// in a field of another.
bool ShaderSelector::selectWorkgroupId(const CallInst &call) {
  constexpr uint32_t ttmp7 = 115, ttmp8 = 116, ttmp9 = 117, low = 0xFFFF, half = 16;
  constexpr uint32_t waveField = 25 | 5 << 16; // s_bfe: first bit, bits
  if (program.target->major < 12)
    return refuse(call);
  const Word pair = {Operand::sgpr(ttmp7)};
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_workgroup_id_x:
    return define(call, {{Operand::sgpr(ttmp9)}});
  case Intrinsic::amdgcn_wave_id:
    return define(
        call, {scalar(Opcode::SBitFieldU, {{Operand::sgpr(ttmp8)}, Word::constant(waveField)})});
  case Intrinsic::amdgcn_workgroup_id_y:
    return define(call, {scalar(Opcode::SAnd32, {pair, Word::constant(low)})});
  default:
    return define(call, {scalar(Opcode::SShiftRight32, {pair, Word::constant(half)})});
  }
}

bool ShaderSelector::selectCarry(const CallInst &call) {
  Words a, b;
  if (!read(call.getArgOperand(0), a) || !read(call.getArgOperand(1), b))
    return false;
  if (a.size() != 1 || call.getArgOperand(0)->getType()->getScalarSizeInBits() != bits)
    return refuse(call);
  const bool isSum = call.getIntrinsicID() == Intrinsic::uadd_with_overflow;
  const Operand result = newVgprs(), carry = newMask();
  vectorInto(isSum ? Opcode::VAddCarryOut : Opcode::VSubBorrowOut, {result, carry}, {a[0], b[0]});
  return define(call, {{result}, {carry}});
}

/// What is in front of the barrier is made visible by fences in the IR.
bool ShaderSelector::selectBarrier() {
  if (program.target->major >= 12) {
    emit(Opcode::SBarrierSignal, {});
    emit(Opcode::SBarrierWait, {});
  } else {
    emit(Opcode::SBarrier, {});
  }
  return true;
}

/// As LLVM's AMDGPUUsage ("Memory Model gfx10-gfx11", "gfx12") has it: waits for everything that is
/// under way, and what other units have written is not read from caches in front of L2. A workgroup
/// that runs on one compute unit has one cache, which does what it is asked for in order.
bool ShaderSelector::selectFence(const FenceInst &fence) {
  SmallVector<StringRef, 8> names;
  fence.getContext().getSyncScopeNames(names);
  StringRef scope = names[fence.getSyncScopeID()];
  scope.consume_back("-one-as");
  if (scope == "wavefront" || scope == "singlethread")
    return true;
  const bool isWorkgroup = scope == "workgroup";
  if (!isWorkgroup && scope != "agent" && !scope.empty())
    return refuse("a fence of another scope");
  bool isLds = true, isMemory = true;
  if (const MMRAMetadata tags = fence.getMetadata(LLVMContext::MD_mmra);
      tags.hasTagWithPrefix("amdgpu-synchronize-as")) {
    isLds = tags.hasTag("amdgpu-synchronize-as", "local");
    isMemory = tags.hasTag("amdgpu-synchronize-as", "global");
  }
  isMemory &= !isWorkgroup || program.wgpMode;
  const bool isAcquire = isAcquireOrStronger(fence.getOrdering());
  if (program.target->major >= 12)
    emitFence12(isLds, isMemory, isAcquire, isWorkgroup, scope.empty(),
                isReleaseOrStronger(fence.getOrdering()));
  else
    emitFence(isLds, isMemory, isAcquire, isWorkgroup);
  return true;
}

void ShaderSelector::emitFence(bool isLds, bool isMemory, bool isAcquire, bool isWorkgroup) {
  if (isLds)
    emit(Opcode::WaitScalarLoads, {});
  if (!isMemory)
    return;
  emit(Opcode::WaitVectorLoads, {});
  emit(Opcode::WaitStores, {});
  if (!isAcquire)
    return;
  if (!isWorkgroup)
    emit(Opcode::CacheInvalidateL1, {});
  emit(Opcode::CacheInvalidateL0, {});
}

void ShaderSelector::emitFence12(bool isLds, bool isMemory, bool isAcquire, bool isWorkgroup,
                                 bool isSystem, bool isRelease) {
  const Operand zero = Operand::number(0);
  if (isLds)
    emit(Opcode::WaitLds12, {zero});
  if (!isMemory)
    return;
  if (isRelease && isSystem)
    emit(Opcode::GlobalWritebackSystem, {});
  emit(Opcode::WaitLoads12, {zero});
  emit(Opcode::WaitStores12, {zero});
  if (isAcquire)
    emit(isWorkgroup ? Opcode::GlobalInvalidateSe
         : isSystem  ? Opcode::GlobalInvalidateSystem
                     : Opcode::GlobalInvalidateDevice,
         {});
}

bool ShaderSelector::selectCall(const CallInst &call) {
  if (call.isInlineAsm())
    return refuse("inline assembly");
  for (const CallSelector select :
       {stageCallOf(call), laneCallOf(call), integerCallOf(call), floatCallOf(call)})
    if (select)
      return (this->*select)(call);
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::amdgcn_image_bvh_intersect_ray)
    return selectRayTest(call);
  if (id == Intrinsic::amdgcn_image_bvh8_intersect_ray)
    return selectWideRayTest(call);
  if (call.getCalledFunction() &&
      call.getCalledFunction()->getName().starts_with("llvm.amdgcn.image."))
    return selectImage(call);
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::amdgcn_wave_barrier: // nothing moves past anything here
  case Intrinsic::amdgcn_sched_barrier:
    return true;
  case Intrinsic::expect:
  case Intrinsic::arithmetic_fence: {
    Words words;
    return read(call.getArgOperand(0), words) && define(call, words);
  }
  case Intrinsic::amdgcn_s_barrier:
    return selectBarrier();
  case Intrinsic::amdgcn_s_getpc:
    return selectGetPc(call);
  case Intrinsic::amdgcn_reloc_constant:
    return selectRelocation(call);
  case Intrinsic::memcpy:
  case Intrinsic::memset:
    return selectBlockOfMemory(cast<MemIntrinsic>(call));
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
    return selectClock(call);
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::amdgcn_wave_id:
    return selectWorkgroupId(call);
  case Intrinsic::amdgcn_ballot:
    return selectBallot(call);
  case Intrinsic::amdgcn_mbcnt_lo:
    return selectLaneCount(call, Opcode::VMaskCountLow);
  case Intrinsic::amdgcn_mbcnt_hi:
    return selectLaneCount(call, Opcode::VMaskCountHigh);
  case Intrinsic::amdgcn_s_buffer_load:
    return selectScalarBufferLoad(call);
  default:
    if (selectBuffer(call) || (refusal.empty() && selectBufferAtomic(call)))
      return true;
    return refusal.empty() && selectFloatCall(call);
  }
}

} // namespace lgc::direct
