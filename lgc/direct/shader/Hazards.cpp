//===- Hazards.cpp - what hardware does not wait for by itself ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One row per hazard. What a row remembers is exact in code without loops, or more than there is;
/// at the beginning of a loop it is what came from above and all that the loop's blocks may leave
/// behind, whatever ends it (LoopEffects), so that one walk is enough.
#include "lgc/direct/shader/Hazards.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "lgc/direct/shader/HazardState.h"
#include "lgc/direct/shader/Waits.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// What has to stand in front of an instruction.
struct Mend {
  uint16_t aluWait = alu::nothing;
  bool scalarMove = false; ///< SMovToNull
  bool stores = false;     ///< a wait for stores

  void waitFor(uint16_t aluBits) { aluWait &= static_cast<uint16_t>(~aluBits); }
};

/// An instruction, and what it waits for as far as rows of single generations ask for it.
struct Step : OpEffects {
  bool isBranch = false;
  bool waitsForAll = false;     ///< s_waitcnt 0
  bool waitsForScalars = false; ///< lgkmcnt(0)
  bool waitsForStores = false;
  bool readsDescriptor = false; ///< four SGPRs of a buffer
  bool isCache() const { return kind == InstructionClass::Cache; }
  bool isMemory() const { return isVectorMemory() || isLds(); }
  /// Hardware starts it when all results of vector instructions are there.
  bool waitsForResults() const {
    return isMemory() || kind == InstructionClass::Export || waitsFor(alu::vectorResults);
  }
};

Step stepOf(const Program &program, const MachineOp &op) {
  Step step{effectsOf(program, op)};
  step.isBranch = step.kind == InstructionClass::Branch;
  if (step.isVectorMemory())
    for (const OperandInfo &info : operandInfo(op.opcode))
      step.readsDescriptor |= info.kind == 'S' && info.count == 4;
  if (step.kind != InstructionClass::Wait)
    return step;
  const bool hasNumber = op.count && op.operands[0].kind == Operand::Kind::Number;
  const bool isZero = hasNumber && !op.operands[0].value;
  step.waitsForAll = op.opcode == Opcode::WaitCounters && isZero;
  step.waitsForScalars = loadWaitOf(program.target->major, op)[LoadCounter::Scalar] == 0;
  step.waitsForStores =
      op.opcode == Opcode::WaitStores || (op.opcode == Opcode::WaitStoreCount && isZero);
  return step;
}

//===--- gfx10.1: VMEMtoScalarWrite ---------------------------------------===//
// Vector memory or LDS reads an SGPR, EXEC or M0, and a scalar instruction writes it.

void mendMemoryReads(const HazardState &s, const Step &e, Mend &mend) {
  if ((e.isScalar() || e.isScalarLoad()) && (e.writes & s.memoryReads).any())
    mend.waitFor(alu::memorySources);
}
void stepMemoryReads(HazardState &s, const Step &e) {
  if (e.isValu() || e.waitsForAll || e.waitsFor(alu::memorySources))
    s.memoryReads.reset();
  if (e.isMemory() || e.isCache())
    s.memoryReads |= e.reads;
}
void loopMemoryReads(HazardState &s, const LoopEffects &loop) { s.memoryReads |= loop.memoryReads; }

//===--- gfx10.1: SMEMtoVectorWrite ---------------------------------------===//
// A scalar load reads an SGPR, and a vector instruction writes it.

void mendScalarReads(const HazardState &s, const Step &e, Mend &mend) {
  mend.scalarMove |= e.isValu() && (e.writes & s.scalarReads).any();
}
void stepScalarReads(HazardState &s, const Step &e) {
  if (e.isScalar() || e.waitsForScalars)
    s.scalarReads.reset();
  if (e.isScalarLoad())
    s.scalarReads |= e.reads;
}
void loopScalarReads(HazardState &s, const LoopEffects &loop) { s.scalarReads |= loop.scalarReads; }

//===--- gfx10.1: LdsBranchVmemWAR ----------------------------------------===//
// Vector memory, a branch, LDS; or the reverse. Invalidations of caches are vector memory where
// that is worse: LLVM's rule has them, and nobody says what hardware does.

void mendBranches(const HazardState &s, const Step &e, Mend &mend) {
  mend.stores |= e.isLds() && (s.memoryBranched & memory::vector);
  mend.stores |= (e.isVectorMemory() || e.isCache()) && (s.memoryBranched & memory::lds);
}
void stepBranches(HazardState &s, const Step &e) {
  if (e.waitsForStores)
    s.memorySeen = s.memoryBranched = 0;
  if (e.isBranch)
    s.memoryBranched |= s.memorySeen;
  if (e.isCache())
    s.memorySeen |= memory::vector;
  if (!e.isMemory())
    return;
  s.memorySeen = e.isLds() ? memory::lds : memory::vector;
  s.memoryBranched = 0;
}
void loopBranches(HazardState &s, const LoopEffects &loop) {
  s.memorySeen |= loop.memorySeen;
  s.memoryBranched |= loop.memorySeen;
}

//===--- gfx11.0: VALUTransUse --------------------------------------------===//
// The result of a transcendental instruction is read up to 5 vector instructions later, with no
// more than one transcendental one between. That others write the register too ends nothing.

constexpr uint8_t transDistance = 5, transBetween = 1;

void mendTrans(const HazardState &s, const Step &e, Mend &mend) {
  if (e.isValu() && any_of(s.transResults, [&](const VectorResult &result) {
        return (result.regs & e.vectorReads).any();
      }))
    mend.waitFor(alu::vectorResults);
}
void stepTrans(HazardState &s, const Step &e) {
  if (e.waitsForResults())
    s.transResults.clear();
  if (!e.isValu())
    return;
  for (VectorResult &result : s.transResults) {
    ++result.age;
    result.others += e.isTrans();
  }
  erase_if(s.transResults, [](const VectorResult &result) {
    return result.age > transDistance || result.others > transBetween;
  });
  if (e.isTrans())
    s.transResults.push_back({e.vectorWrites});
}
void loopTrans(HazardState &s, const LoopEffects &loop) {
  if (loop.transResults.any())
    s.transResults.push_back({loop.transResults});
}

//===--- gfx11, 64 lanes: VALUPartialForwarding ---------------------------===//
// Two results are read of which one was written before, one behind a scalar write of EXEC: up to 2
// vector instructions between the two, and up to 4 behind the second.

constexpr uint8_t olderDistance = 3, youngerDistance = 4, resultsEnd = 7;
static_assert(resultsEnd == olderDistance + youngerDistance);

bool isForwardedApart(const VectorResult &older, const VectorResult &younger,
                      const VgprSet &reads) {
  if (older.others <= younger.others || younger.age > youngerDistance ||
      older.age > younger.age + olderDistance)
    return false;
  const VgprSet olderReads = older.regs & reads, youngerReads = younger.regs & reads;
  return olderReads.any() && youngerReads.any() && (olderReads | youngerReads).count() > 1;
}

void mendForwarding(const HazardState &s, const Step &e, Mend &mend) {
  if (!e.isValu() || e.vectorReads.none())
    return;
  for (const VectorResult &older : s.results)
    for (const VectorResult &younger : s.results)
      if (isForwardedApart(older, younger, e.vectorReads))
        return mend.waitFor(alu::vectorResults);
}
void stepForwarding(HazardState &s, const Step &e) {
  if (e.waitsForResults())
    s.results.clear();
  if (writesExec(e))
    for (VectorResult &result : s.results)
      result.others += result.others < UINT8_MAX;
  if (!e.isValu())
    return;
  for (VectorResult &result : s.results) {
    ++result.age;
    result.regs &= ~e.vectorWrites;
  }
  erase_if(s.results, [](const VectorResult &result) {
    return result.age > resultsEnd || result.regs.none();
  });
  if (e.vectorWrites.any())
    s.results.push_back({e.vectorWrites});
}
void loopForwarding(HazardState &s, const LoopEffects &loop) {
  if (loop.results.none())
    return;
  s.results.push_back({loop.results});
  if (loop.writesExec)
    s.results.push_back({loop.results, 0, 1});
}

//===--- Scalar registers that are written and read again -----------------===//

SgprSet vccSet() { return SgprSet(3) << regVcc; }

/// In front of a reader of `scalarWrites` and `vectorWrites`.
void mendWrites(const HazardState &s, const SgprSet &scalarReads, const SgprSet &vectorReads,
                Mend &mend) {
  if ((scalarReads & s.scalarWrites).any())
    mend.waitFor(alu::scalarResults);
  const SgprSet vector = vectorReads & s.vectorWrites;
  if ((vector & vccSet()).any())
    mend.waitFor(alu::vectorVcc);
  if ((vector & ~vccSet()).any())
    mend.waitFor(alu::vectorSgprs);
}

void endWrites(HazardState &s, const Step &e) {
  if (e.waitsFor(alu::scalarResults))
    s.scalarWrites.reset();
  if (e.waitsFor(alu::vectorVcc))
    s.vectorWrites &= ~vccSet();
  if (e.waitsFor(alu::vectorSgprs))
    s.vectorWrites &= vccSet();
}

//===--- gfx11, 64 lanes: VALUMaskWrite -----------------------------------===//
// A vector instruction reads an SGPR as mask, something writes it, something reads it. ACO ends
// this where a vector instruction reads another SGPR; LLVM does not.

void mendMasks(const HazardState &s, const Step &e, Mend &mend) {
  if (e.isScalar() || e.isValu())
    mendWrites(s, e.reads, e.reads, mend);
}
void stepMasks(HazardState &s, const Step &e) {
  endWrites(s, e);
  // Vector instructions end in order.
  if (e.waitsFor(alu::vectorVcc) || e.waitsFor(alu::vectorSgprs) || e.waitsFor(alu::vectorResults))
    s.watched.reset();
  if (e.isValu())
    s.watched |= e.masks & forwardedSgprs();
  if (!e.isScalar() && !e.isValu())
    return;
  const SgprSet written = e.writes & (s.watched | s.scalarWrites | s.vectorWrites);
  (e.isScalar() ? s.scalarWrites : s.vectorWrites) |= written;
  s.watched &= ~written; // the wait behind one write is enough
}
void loopMasks(HazardState &s, const LoopEffects &loop) {
  s.watched |= loop.masks & forwardedSgprs();
  s.scalarWrites |= loop.scalarWrites & s.watched;
  s.vectorWrites |= loop.vectorWrites & s.watched;
}

//===--- gfx12: VALUReadSGPR ----------------------------------------------===//
// Once a vector instruction has read an SGPR, its pair is watched for good; who reads it behind a
// write must wait, but for scalar instructions of what vector instructions write: hardware does.
// ACO has scalar writes end after ten more scalar instructions; LLVM does not.

void mendPairs(const HazardState &s, const Step &e, Mend &mend) {
  if (e.isScalar())
    mendWrites(s, e.reads, {}, mend);
  else if (e.isValu())
    mendWrites(s, e.reads, e.reads, mend);
}
void stepPairs(HazardState &s, const Step &e) {
  endWrites(s, e);
  if (e.isScalarLoad() || e.readsDescriptor) {
    s.scalarWrites.reset();
    s.vectorWrites.reset();
  }
  if (e.isScalar()) {
    const SgprSet read = e.reads & s.watched;
    if ((read & vccSet()).any())
      s.vectorWrites &= ~vccSet();
    if ((read & ~vccSet()).any())
      s.vectorWrites &= vccSet();
    s.scalarWrites |= e.writes & s.watched;
  } else if (e.isValu()) {
    s.watched |= pairsOf(e.reads & forwardedSgprs());
    s.vectorWrites |= e.writes & s.watched;
  }
}
void loopPairs(HazardState &s, const LoopEffects &loop) {
  s.watched |= pairsOf(loop.valuReads & forwardedSgprs());
  s.scalarWrites |= loop.scalarWrites & s.watched;
  s.vectorWrites |= loop.vectorWrites & s.watched;
}

//===--- The table --------------------------------------------------------===//

struct Row {
  unsigned major, firstMinor, endMinor;
  bool wave64Only;
  void (*mend)(const HazardState &, const Step &, Mend &); ///< what is needed in front
  void (*step)(HazardState &, const Step &);               ///< the instruction has been executed
  void (*loop)(HazardState &, const LoopEffects &);        ///< at the beginning of a loop
};
constexpr unsigned anyMinor = ~0u;
constexpr Row rows[] = {
    {10, 0, 3, false, mendMemoryReads, stepMemoryReads, loopMemoryReads},
    {10, 0, 3, false, mendScalarReads, stepScalarReads, loopScalarReads},
    {10, 0, 3, false, mendBranches, stepBranches, loopBranches},
    {11, 0, 5, false, mendTrans, stepTrans, loopTrans},
    {11, 0, anyMinor, true, mendForwarding, stepForwarding, loopForwarding},
    {11, 0, anyMinor, true, mendMasks, stepMasks, loopMasks},
    {12, 0, anyMinor, false, mendPairs, stepPairs, loopPairs},
};

class HazardMender {
public:
  using State = HazardState;

  explicit HazardMender(const Program &program);
  bool hasRows() const { return !active.empty(); }
  void begin(uint32_t block, State &state);
  void step(const MachineOp &op, bool jumpsBack, State &state, std::vector<MachineOp> &ops);

private:
  void findLoops();
  void execute(const Step &step, State &state);
  void emit(const Mend &mend, State &state, std::vector<MachineOp> &ops);

  const Program &program;
  SmallVector<const Row *, 4> active;
  /// By block: the last one of the loop that it begins; noBlock: none.
  std::vector<uint32_t> loopEnds;
  std::vector<LoopEffects> blockEffects; ///< by block; empty when there are no loops
};

HazardMender::HazardMender(const Program &program) : program(program) {
  const pal::abi::GpuTarget &target = *program.target;
  for (const Row &row : rows)
    if (target.major == row.major && target.minor >= row.firstMinor &&
        target.minor < row.endMinor && (program.isWave64() || !row.wave64Only))
      active.push_back(&row);
  if (hasRows())
    findLoops();
}

void HazardMender::findLoops() {
  const auto blocks = static_cast<uint32_t>(program.blocks.size());
  loopEnds.assign(blocks, noBlock);
  bool hasLoops = false;
  for (uint32_t block = 0; block < blocks; ++block)
    for (const MachineOp &op : program.blocks[block].ops)
      if (const uint32_t target = targetOf(op); target <= block) {
        loopEnds[target] = block;
        hasLoops = true;
      }
  if (!hasLoops)
    return;
  // Jumps back from behind a loop into it would make it longer.
  for (uint32_t block = blocks; block-- > 0;)
    if (loopEnds[block] != noBlock)
      for (uint32_t inner = block + 1; inner <= loopEnds[block]; ++inner)
        if (loopEnds[inner] != noBlock)
          loopEnds[block] = std::max(loopEnds[block], loopEnds[inner]);
  blockEffects.resize(blocks);
  for (uint32_t block = 0; block < blocks; ++block)
    for (const MachineOp &op : program.blocks[block].ops)
      blockEffects[block].add(effectsOf(program, op));
}

void HazardMender::begin(uint32_t block, State &state) {
  if (loopEnds[block] == noBlock)
    return;
  LoopEffects loop;
  for (uint32_t each = block; each <= loopEnds[block]; ++each)
    loop.add(blockEffects[each]);
  for (const Row *row : active)
    row->loop(state, loop);
}

void HazardMender::execute(const Step &step, State &state) {
  for (const Row *row : active)
    row->step(state, step);
}

void HazardMender::emit(const Mend &mend, State &state, std::vector<MachineOp> &ops) {
  auto add = [&](const MachineOp &op) {
    execute(stepOf(program, op), state);
    ops.push_back(op);
  };
  if (mend.stores)
    add({Opcode::WaitStores, {}});
  if (mend.scalarMove)
    add({Opcode::SMovToNull, {}});
  if (mend.aluWait != alu::nothing)
    add({program.target->major >= 12 ? Opcode::WaitAlu12 : Opcode::WaitDepctr,
         Operand::number(mend.aluWait)});
}

void HazardMender::step(const MachineOp &op, bool, State &state, std::vector<MachineOp> &ops) {
  const Step step = stepOf(program, op);
  Mend mend;
  for (const Row *row : active)
    row->mend(state, step, mend);
  emit(mend, state, ops);
  execute(step, state);
}

} // namespace

void mendHazards(Program &program) {
  HazardMender mender(program);
  if (mender.hasRows())
    walkForward(program, mender);
}

} // namespace lgc::direct
