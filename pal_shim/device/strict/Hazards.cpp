//===- Hazards.cpp - what each generation needs help with -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One row per hazard. The rules are those that LLVM's GCNHazardRecognizer and ACO's
/// aco_insert_NOPs state for each generation (docs/parts.md lists them); where the two differ, the
/// laxer one holds here, so that what is reported is wrong by both; but for EXEC that scalar
/// instructions write without naming it, which LLVM overlooks (lgc/llvm22/ExecWaits.h).
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/device/strict/HazardState.h"

namespace pal::device::strict {

namespace {

/// Fields of s_waitcnt_depctr and s_wait_alu: 0 waits for all of these.
namespace alu {
constexpr unsigned scalarResults = 0x0001; // sa_sdst
constexpr unsigned vectorMasks = 0x0002;   // va_vcc
constexpr unsigned memorySources = 0x001C; // vm_vsrc
constexpr unsigned vectorSgprs = 0x0E00;   // va_sdst
constexpr unsigned vectorResults = 0xF000; // va_vdst
} // namespace alu

bool waitsFor(const Effects &e, unsigned field) { return !(e.aluWait & field); }

template <typename Visit>
void forEach(const llvm::SmallVectorImpl<RegRange> &ranges, bool vgprs, Visit visit) {
  for (const RegRange &range : ranges)
    if (range.isVgpr() == vgprs)
      for (unsigned i = 0; i < range.count; ++i)
        visit(range.first + i - (vgprs ? 0 : firstSgpr));
}
template <typename Visit>
void forEachVgpr(const llvm::SmallVectorImpl<RegRange> &ranges, Visit visit) {
  forEach(ranges, true, visit);
}
template <typename Visit>
void forEachSgpr(const llvm::SmallVectorImpl<RegRange> &ranges, Visit visit) {
  forEach(ranges, false, visit);
}

bool isExec(unsigned slot) { return slot == sreg::execLo || slot == sreg::execHi; }
bool touchesExec(const llvm::SmallVectorImpl<RegRange> &ranges) {
  bool found = false;
  forEachSgpr(ranges, [&](unsigned slot) { found |= isExec(slot); });
  return found;
}

bool isScalarUnit(const Effects &e) { return e.unit == Unit::Salu; }
bool isMemoryOrLds(const Effects &e) { return e.isVectorMemory() || e.unit == Unit::Lds; }
/// What the hardware starts only when all results of vector instructions are there.
bool waitsForVectorResults(const Effects &e) {
  return isMemoryOrLds(e) || e.unit == Unit::Export || waitsFor(e, alu::vectorResults);
}

//===--- gfx10.1 ----------------------------------------------------------===//

std::string vmemToScalarWrite(HazardState &s, const Effects &e) {
  std::string problem;
  if (isScalarUnit(e) || e.unit == Unit::Smem)
    forEachSgpr(e.writes, [&](unsigned slot) {
      if (s.vmemReads.test(slot))
        problem = registerName(firstSgpr + slot) + " is overwritten while a memory instruction "
                                                   "may still read it";
    });
  if (e.isValu() || e.waitsForAll || waitsFor(e, alu::memorySources))
    s.vmemReads.reset();
  if (isMemoryOrLds(e))
    forEachSgpr(e.reads, [&](unsigned slot) { s.vmemReads.set(slot); });
  return problem;
}

std::string smemToVectorWrite(HazardState &s, const Effects &e) {
  std::string problem;
  if (e.isValu())
    forEachSgpr(e.writes, [&](unsigned slot) {
      if (s.smemReads.test(slot))
        problem = registerName(firstSgpr + slot) +
                  " is overwritten by a vector instruction while a scalar load may still read it";
    });
  const bool isWait = e.wait(Counter::Lds) != Effects::noWait ||
                      e.wait(Counter::Store) != Effects::noWait || e.isSopp;
  if (e.wait(Counter::Lds) == 0 || (isScalarUnit(e) && !isWait))
    s.smemReads.reset();
  if (e.unit == Unit::Smem)
    forEachSgpr(e.reads, [&](unsigned slot) { s.smemReads.set(slot); });
  return problem;
}

std::string ldsBranchVmem(HazardState &s, const Effects &e) {
  std::string problem;
  if (e.wait(Counter::Store) == 0)
    s.vmemSeen = s.ldsSeen = s.vmemBranched = s.ldsBranched = false;
  if (e.isBranch) {
    s.vmemBranched |= s.vmemSeen;
    s.ldsBranched |= s.ldsSeen;
  }
  if (!isMemoryOrLds(e))
    return problem;
  const bool isLds = e.unit == Unit::Lds;
  if (isLds && s.vmemBranched)
    problem = "LDS is accessed behind a branch behind vector memory";
  if (!isLds && s.ldsBranched)
    problem = "vector memory is accessed behind a branch behind LDS";
  s.vmemBranched = s.ldsBranched = false;
  s.ldsSeen = isLds;
  s.vmemSeen = !isLds;
  return problem;
}

std::string nsaToVmem(HazardState &s, const Effects &e) {
  const bool isHazard = s.wideNsa && e.isBufferWithOffset6;
  s.wideNsa = e.isWideNsa;
  return isHazard ? "a buffer instruction of this offset directly behind an image instruction with "
                    "many separate addresses"
                  : "";
}

std::string vcmpxExecWar(HazardState &s, const Effects &e) {
  const bool isHazard = s.execRead && e.isVcmpx;
  bool writesSgpr = false;
  forEachSgpr(e.writes, [&](unsigned slot) { writesSgpr |= !isExec(slot); });
  if (waitsFor(e, alu::scalarResults) || (e.isValu() && writesSgpr))
    s.execRead = false;
  if (!e.isValu() && touchesExec(e.reads))
    s.execRead = true;
  return isHazard ? "EXEC is overwritten while another instruction may still read it" : "";
}

//===--- gfx10 and later --------------------------------------------------===//

std::string floatAtomicToDenormMode(HazardState &s, const Effects &e) {
  constexpr Age distance = 3;
  const bool isHazard = e.setsDenormMode && s.floatAtomic < distance;
  const bool waits = llvm::any_of(e.waits, [](uint8_t left) { return left != Effects::noWait; });
  if (s.floatAtomic != never)
    s.floatAtomic = Age(std::min<unsigned>(s.floatAtomic + std::max<unsigned>(e.nops, 1), 250));
  if (e.isValu() || waits)
    s.floatAtomic = never;
  if (e.isFloatAtomic)
    s.floatAtomic = 0;
  return isHazard ? "the denormal mode changes directly behind a float atomic" : "";
}

std::string vcmpxPermlane(HazardState &s, const Effects &e, bool nopHelps) {
  const bool isHazard = s.vcmpx && e.isPermlane;
  if (e.isValu() && (nopHelps || !e.isVectorNop))
    s.vcmpx = e.isVcmpx;
  return isHazard ? "lanes are permuted directly behind a compare that writes EXEC" : "";
}
std::string vcmpxPermlane10(HazardState &s, const Effects &e) { return vcmpxPermlane(s, e, false); }
std::string vcmpxPermlane11(HazardState &s, const Effects &e) { return vcmpxPermlane(s, e, true); }

//===--- gfx11 ------------------------------------------------------------===//

std::string transUse(HazardState &s, const Effects &e) {
  constexpr Age vectorDistance = 5, transDistance = 1;
  std::string problem;
  if (waitsForVectorResults(e))
    s.transWrites = s.transWritesInTrans = {};
  if (!e.isValu())
    return problem;
  forEachVgpr(e.reads, [&](unsigned reg) {
    if (s.transWrites.age[reg] <= vectorDistance && s.transWritesInTrans.age[reg] <= transDistance)
      problem = registerName(reg) + " is read while a transcendental instruction computes it";
  });
  s.transWrites.grow();
  if (e.isTrans)
    s.transWritesInTrans.grow();
  forEachVgpr(e.writes, [&](unsigned reg) {
    s.transWrites.age[reg] = s.transWritesInTrans.age[reg] = e.isTrans ? Age(0) : never;
  });
  return problem;
}

/// \p e, a vector instruction, has been executed.
void noteExecPairs(HazardState &s, const Effects &e) {
  constexpr Age between = 2, behind = 4;
  for (ExecPair &pair : s.execPairs)
    ++pair.age;
  std::erase_if(s.execPairs, [&](const ExecPair &pair) {
    return pair.age > behind || contains(e.writes, pair.older) || contains(e.writes, pair.younger);
  });
  forEachVgpr(e.writes, [&](unsigned younger) {
    for (unsigned older = 0; older < firstSgpr; ++older)
      if (s.writesBeforeExec.age[older] <= between && !contains(e.writes, older))
        s.execPairs.push_back({uint16_t(older), uint16_t(younger), 0});
  });
  s.vectorWrites.grow();
  s.writesBeforeExec.grow();
  forEachVgpr(e.writes, [&](unsigned reg) {
    s.vectorWrites.age[reg] = 0;
    s.writesBeforeExec.age[reg] = never;
  });
}

/// Is \p vgpr what was written last of a source? LLVM looks no further back than that: the other
/// half of a pair may be nothing that matters.
bool isLatestOf(const HazardState &s, const RegRange &source, unsigned vgpr) {
  if (!source.isVgpr() || vgpr < source.first || vgpr >= unsigned(source.first) + source.count)
    return false;
  const auto *first = s.vectorWrites.age.begin() + source.first;
  return *std::min_element(first, first + source.count) == s.vectorWrites.age[vgpr];
}

/// Do two sources of \p e have one of the pair each?
bool readsPair(const HazardState &s, const Effects &e, const ExecPair &pair) {
  for (const RegRange &older : e.reads)
    for (const RegRange &younger : e.reads)
      if ((older.first != younger.first || older.count != younger.count) &&
          isLatestOf(s, older, pair.older) && isLatestOf(s, younger, pair.younger))
        return true;
  return false;
}

/// Results from both sides of a change of EXEC meet in one instruction.
std::string partialForwarding(HazardState &s, const Effects &e) {
  std::string problem;
  if (waitsForVectorResults(e)) {
    s.vectorWrites = s.writesBeforeExec = {};
    s.execPairs.clear();
  }
  if (isScalarUnit(e) && touchesExec(e.writes))
    for (unsigned reg = 0; reg < firstSgpr; ++reg)
      s.writesBeforeExec.age[reg] = s.vectorWrites.age[reg];
  if (!e.isValu())
    return problem;
  for (const ExecPair &pair : s.execPairs)
    if (readsPair(s, e, pair))
      problem = registerName(pair.older) + " and " + registerName(pair.younger) +
                " are read too soon after writes on both sides of a change of EXEC";
  noteExecPairs(s, e);
  return problem;
}

/// A vector instruction that reads an SGPR or a literal ends the hazard of masks read before.
bool endsMaskReads(const Effects &e) {
  bool readsSgpr = e.hasLiteral;
  forEachSgpr(e.reads, [&](unsigned slot) { readsSgpr |= !isExec(slot); });
  return readsSgpr;
}

std::string maskWrite(HazardState &s, const Effects &e) {
  std::string problem;
  // Vector instructions end in order: waiting for any result of theirs waits for their masks.
  for (unsigned field :
       {alu::scalarResults, alu::vectorSgprs, alu::vectorMasks, alu::vectorResults})
    if (waitsFor(e, field))
      s.maskReads.reset();
  if (waitsFor(e, alu::scalarResults))
    s.maskWrites.reset();
  if (isScalarUnit(e) || e.isValu())
    forEachSgpr(e.reads, [&](unsigned slot) {
      if (s.maskWrites.test(slot))
        problem = registerName(firstSgpr + slot) +
                  " is read too soon after a scalar write that followed its use as a mask";
    });
  if (e.isValu()) {
    if (endsMaskReads(e))
      s.maskReads.reset();
    for (unsigned i = 0; i < e.laneMask.count; ++i)
      s.maskReads.set(e.laneMask.first + i - firstSgpr);
  }
  // What a load has overwritten is not read as a mask any more: LLVM looks no further back.
  if (e.unit == Unit::Smem)
    forEachSgpr(e.writes, [&](unsigned slot) { s.maskReads.reset(slot); });
  if (isScalarUnit(e))
    forEachSgpr(e.writes, [&](unsigned slot) {
      if (s.maskReads.test(slot))
        s.maskWrites.set(slot);
    });
  return problem;
}

std::string ldsDirectValu(HazardState &s, const Effects &e) {
  std::string problem;
  if (e.unit == Unit::LdsDirect)
    forEachVgpr(e.writes, [&](unsigned reg) {
      constexpr Age distance = 15;
      const Age used = s.vectorUses.age[reg];
      // Transcendental instructions end in another order than others.
      const unsigned allowed = s.trans <= used ? 0 : used;
      if (used < distance && e.waitVdst > allowed)
        problem = registerName(reg) + " is loaded from LDS while a vector instruction may use it";
    });
  if (waitsForVectorResults(e)) {
    s.vectorUses = {};
    s.trans = never;
  }
  if (!e.isValu())
    return problem;
  s.vectorUses.grow();
  grow(s.trans);
  if (e.isTrans)
    s.trans = 0;
  for (const auto *ranges : {&e.reads, &e.writes})
    forEachVgpr(*ranges, [&](unsigned reg) { s.vectorUses.age[reg] = 0; });
  return problem;
}

std::string ldsDirectVmem(HazardState &s, const Effects &e) {
  std::string problem;
  const bool waits = e.unit == Unit::LdsDirect && e.waitVsrc == 0;
  if (e.isValu() || e.unit == Unit::Export || e.waitsForAll || waits ||
      waitsFor(e, alu::memorySources))
    s.memoryUses.reset();
  if (e.unit == Unit::LdsDirect)
    forEachVgpr(e.writes, [&](unsigned reg) {
      if (s.memoryUses.test(reg))
        problem = registerName(reg) + " is loaded from LDS while a memory instruction may use it";
    });
  if (isMemoryOrLds(e))
    for (const auto *ranges : {&e.reads, &e.writes})
      forEachVgpr(*ranges, [&](unsigned reg) { s.memoryUses.set(reg); });
  return problem;
}

/// One vector instruction has to be between a product and another one of which it is a factor.
std::string matrixFactors(HazardState &s, const Effects &e) {
  std::string problem;
  if (!e.isValu())
    return problem;
  if (e.isMatrix)
    for (unsigned factor = 0; factor < 2 && factor < e.reads.size(); ++factor)
      for (unsigned i = 0; i < e.reads[factor].count; ++i)
        if (e.reads[factor].isVgpr() && s.matrixResult.test(e.reads[factor].first + i))
          problem = registerName(e.reads[factor].first + i) +
                    " is a factor directly behind the matrix product that gives it";
  s.matrixResult.reset();
  if (e.isMatrix)
    forEachVgpr(e.writes, [&](unsigned half) { s.matrixResult.set(half); });
  return problem;
}

std::string deallocNeedsNop(HazardState &s, const Effects &e) {
  const bool isHazard = e.isDealloc && s.lacksNop;
  s.lacksNop = !e.nops;
  return isHazard ? "VGPRs are given back without s_nop before" : "";
}

std::string exportPriority(HazardState &s, const Effects &e) {
  constexpr int8_t needed = 2;
  if (e.priority >= 0)
    s.priority = e.priority;
  return e.unit == Unit::Export && s.priority < needed ? "an export at a priority below 2" : "";
}

//===--- gfx12 ------------------------------------------------------------===//

/// Slots that have this hazard. VCC has a wait of its own.
bool isForwarded(unsigned slot) { return slot < sreg::m0; }
bool isVcc(unsigned slot) { return slot == sreg::vccLo || slot == sreg::vccHi; }

void forgetVectorWrites(HazardState &s, bool vcc) {
  const bool lo = s.writtenByVector.test(sreg::vccLo), hi = s.writtenByVector.test(sreg::vccHi);
  if (!vcc)
    s.writtenByVector.reset();
  s.writtenByVector.set(sreg::vccLo, lo && !vcc);
  s.writtenByVector.set(sreg::vccHi, hi && !vcc);
}

void endReadSgpr(HazardState &s, const Effects &e, unsigned waveSize) {
  if (e.unit == Unit::Smem || e.unit == Unit::Vmem) {
    s.writtenByScalar = {};
    s.writtenByVector.reset();
  }
  if (waitsFor(e, alu::scalarResults))
    s.writtenByScalar = {};
  if (waitsFor(e, alu::vectorSgprs))
    forgetVectorWrites(s, false);
  if (waitsFor(e, alu::vectorMasks))
    forgetVectorWrites(s, true);
  s.ldsNops = e.isLdsNop ? uint8_t(std::min(s.ldsNops + 1, 100)) : uint8_t(0);
  if (s.ldsNops >= waveSize / 8)
    s.scalarsRead.reset();
}

/// Once a vector instruction has read an SGPR, its pair is remembered; writes of those are seen
/// late. A scalar read of any register waits for what vector instructions have written.
std::string readSgpr(HazardState &s, const Effects &e, unsigned waveSize) {
  constexpr Age scalarDistance = 10;
  std::string problem;
  endReadSgpr(s, e, waveSize);
  const bool isScalar = isScalarUnit(e);
  if (!isScalar && !e.isValu())
    return problem;
  forEachSgpr(e.reads, [&](unsigned slot) {
    if (!isForwarded(slot))
      return;
    if (isScalar)
      forgetVectorWrites(s, isVcc(slot));
    if (!s.scalarsRead.test(slot & ~1u)) {
      if (e.isValu())
        s.scalarsRead.set(slot & ~1u);
      return;
    }
    if (s.writtenByScalar.age[slot] < scalarDistance || s.writtenByVector.test(slot))
      problem = registerName(firstSgpr + slot) +
                " is read too soon after a write that followed a vector read";
  });
  if (isScalar && !e.isSopp)
    s.writtenByScalar.grow();
  forEachSgpr(e.writes, [&](unsigned slot) {
    if (!isForwarded(slot) || !s.scalarsRead.test(slot & ~1u))
      return;
    s.writtenByScalar.age[slot] = isScalar ? Age(0) : never;
    s.writtenByVector.set(slot, !isScalar);
  });
  return problem;
}
std::string readSgpr32(HazardState &s, const Effects &e) { return readSgpr(s, e, 32); }
std::string readSgpr64(HazardState &s, const Effects &e) { return readSgpr(s, e, 64); }

//===--- The table --------------------------------------------------------===//

constexpr uint8_t bit(Generation g) { return uint8_t(1u << unsigned(g)); }
constexpr uint8_t gfx101 = bit(Generation::Gfx101), gfx10 = gfx101 | bit(Generation::Gfx103),
                  gfx110 = bit(Generation::Gfx11), gfx115 = bit(Generation::Gfx115),
                  gfx11 = gfx110 | gfx115, gfx12 = bit(Generation::Gfx12);
constexpr uint8_t wave32 = 1, wave64 = 2, anyWave = 3;

struct Row {
  const char *name;
  uint8_t generations, waves;
  std::string (*step)(HazardState &, const Effects &);
};
constexpr Row rows[] = {
    {"VMEMtoScalarWrite", gfx101, anyWave, vmemToScalarWrite},
    {"SMEMtoVectorWrite", gfx101, anyWave, smemToVectorWrite},
    {"LdsBranchVmemWAR", gfx101, anyWave, ldsBranchVmem},
    {"NSAtoVMEM", gfx101, anyWave, nsaToVmem},
    {"VcmpxExecWAR", gfx101, anyWave, vcmpxExecWar},
    {"FPAtomicToDenormMode", gfx10, anyWave, floatAtomicToDenormMode},
    {"VcmpxPermlane", gfx101, anyWave, vcmpxPermlane10},
    {"VcmpxPermlane", gfx11 | gfx12, anyWave, vcmpxPermlane11},
    {"VALUTransUse", gfx110, anyWave, transUse},
    {"VALUPartialForwarding", gfx11, wave64, partialForwarding},
    {"VALUMaskWrite", gfx11, wave64, maskWrite},
    {"LdsDirectVALU", gfx11 | gfx12, anyWave, ldsDirectValu},
    {"LdsDirectVMEM", gfx11 | gfx12, anyWave, ldsDirectVmem},
    {"WMMA", gfx11 | gfx12, anyWave, matrixFactors},
    {"DeallocVGPRs", gfx11, anyWave, deallocNeedsNop},
    {"ExportPriority", gfx115, anyWave, exportPriority},
    {"VALUReadSGPR", gfx12, wave32, readSgpr32},
    {"VALUReadSGPR", gfx12, wave64, readSgpr64},
};

} // namespace

std::string stepHazards(HazardState &state, const Effects &effects, Generation generation,
                        unsigned waveSize) {
  std::string problem;
  for (const Row &row : rows) {
    if (!(row.generations & bit(generation)) || !(row.waves & (waveSize == 64 ? wave64 : wave32)))
      continue;
    std::string found = row.step(state, effects);
    if (problem.empty() && !found.empty())
      problem = "hazard " + std::string(row.name) + ": " + found;
  }
  return problem;
}

} // namespace pal::device::strict
