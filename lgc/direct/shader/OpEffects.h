//===- OpEffects.h - registers that an instruction reads and writes -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Of a program whose registers are allocated, what waits and hazards depend on.
#pragma once

#include "lgc/direct/shader/Program.h"
#include <bitset>

namespace lgc::direct {

/// Scalar registers by their numbers as operands, M0 and EXEC as well; SCC and null are none.
inline constexpr unsigned sgprNumbers = 128;
using SgprSet = std::bitset<sgprNumbers>;
using VgprSet = std::bitset<vgprsMax>;

/// Bits of WaitDepctr and WaitAlu12: what is zero is waited for.
namespace alu {
inline constexpr uint16_t nothing = 0xFFFF;
inline constexpr uint16_t scalarResults = 0x0001; ///< sa_sdst
inline constexpr uint16_t vectorVcc = 0x0002;     ///< va_vcc
inline constexpr uint16_t memorySources = 0x001C; ///< vm_vsrc
inline constexpr uint16_t vectorSgprs = 0x0E00;   ///< va_sdst: SGPRs that vector instructions write
inline constexpr uint16_t vectorResults = 0xF000; ///< va_vdst
} // namespace alu

struct OpEffects {
  InstructionClass kind;
  Opcode opcode;
  /// EXEC of vector instructions that compute is left out: nothing of this depends on it.
  SgprSet reads, writes;
  SgprSet masks; ///< of `reads`: masks of lanes, of vector instructions that compute
  VgprSet vectorReads, vectorWrites;
  uint16_t aluWait = alu::nothing; ///< bits as above

  bool isScalar() const { return kind == InstructionClass::Salu; }
  bool isValu() const {
    return kind == InstructionClass::Valu || kind == InstructionClass::ValuReadsVcc ||
           kind == InstructionClass::ValuReadsM0 || isTrans();
  }
  bool isTrans() const { return kind == InstructionClass::Trans; }
  bool isScalarLoad() const { return kind == InstructionClass::ScalarLoad; }
  bool isSample() const { return kind == InstructionClass::Sample; }
  bool isVectorMemory() const {
    return kind == InstructionClass::VectorLoad || kind == InstructionClass::VectorStore ||
           kind == InstructionClass::VectorAtomic || isSample();
  }
  bool isLds() const { return kind == InstructionClass::Lds; }
  bool waitsFor(uint16_t aluBits) const { return !(aluWait & aluBits); }
};

OpEffects effectsOf(const Program &program, const MachineOp &op);

} // namespace lgc::direct
