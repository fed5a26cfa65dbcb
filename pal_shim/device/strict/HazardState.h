//===- HazardState.h - what hazards remember of the code so far -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Hazards are pairs of instructions between which hardware of some generation does not wait by
/// itself. Each row of the table in Hazards.cpp owns the fields here that it remembers the first
/// one by. Joining two states gives what either may have met.
#pragma once

#include "pal_shim/device/strict/Effects.h"
#include <bitset>
#include <string>
#include <vector>

namespace pal::device::strict {

using SgprSet = std::bitset<sgprSlots>;
using VgprSet = std::bitset<firstSgpr>; ///< of halves

/// Instructions since something happened; never: long ago or not at all.
using Age = uint8_t;
inline constexpr Age never = 255;
inline void grow(Age &age) { age += age < never - 1; }
template <size_t N> struct Ages {
  std::array<Age, N> age;
  Ages() { age.fill(never); }
  void grow() {
    for (Age &each : age)
      each += each < never - 1;
  }
};

/// VGPRs that were written shortly one after the other, with a scalar write of EXEC between.
struct ExecPair {
  uint16_t older = 0, younger = 0;
  Age age = 0; ///< of the younger, in vector instructions
};

struct HazardState {
  // gfx10.1
  SgprSet vmemReads; ///< read by vector memory or LDS instructions that may still read them
  SgprSet smemReads; ///< read by scalar loads
  bool vmemSeen = false, ldsSeen = false;         ///< the last of the two
  bool vmemBranched = false, ldsBranched = false; ///< ... and a branch behind it
  bool wideNsa = false;                           ///< the instruction before
  bool execRead = false;                          ///< by what is no vector instruction
  Age floatAtomic = never;                        ///< wait states since
  // gfx10.1, gfx11+
  bool vcmpx = false;
  // gfx11+: in vector instructions
  Ages<firstSgpr> vectorWrites, vectorUses, transWrites, transWritesInTrans;
  Ages<firstSgpr> writesBeforeExec; ///< of vectorWrites: those that a scalar write of EXEC followed
  std::vector<ExecPair> execPairs;
  Age trans = never;
  VgprSet memoryUses;   ///< read or written by vector memory or LDS
  VgprSet matrixResult; ///< of the vector instruction before, if it multiplies matrices
  SgprSet maskReads, maskWrites;
  bool lacksNop = true; ///< the instruction before is no s_nop
  int8_t priority = 0;
  // gfx12
  SgprSet scalarsRead;             ///< by vector instructions
  SgprSet writtenByVector;         ///< after they were read so
  Ages<sgprSlots> writtenByScalar; ///< scalar instructions since
  uint8_t ldsNops = 0;

  /// Either may have been; true: this has changed.
  bool join(const HazardState &other);
};

/// Executes one instruction. Returns the hazard that it meets, "" if none.
std::string stepHazards(HazardState &state, const Effects &effects, Generation generation,
                        unsigned waveSize);

} // namespace pal::device::strict
