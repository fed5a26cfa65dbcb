//===- Effects.h - what an instruction does to registers and counters -----===//
// SPDX-License-Identifier: MIT
/// \file
/// The software device executes one instruction after the other; hardware does not wait for
/// results by itself. Strict mode (StrictCheck.h) looks at what the code leaves to the hardware:
/// registers that are used before their load has come back, and the hazards of each generation.
/// This is what it has to know of an instruction: registers read and written, counters raised and
/// waited for. RDNA ISA manuals, "Manually inserted wait states" and "Data dependency resolution".
#pragma once

#include "pal_shim/device/core/RawInstr.h"

namespace pal::device {
struct MachineInstr;
}

namespace pal::device::strict {

/// Halves of VGPR n are registers 2n and 2n + 1; slot n of Wave::s is register firstSgpr + n.
inline constexpr unsigned firstSgpr = 2 * 256, sgprSlots = sreg::popsExiting + 8;
inline constexpr unsigned registerCount = firstSgpr + sgprSlots;

struct RegRange {
  uint16_t first = 0, count = 0;
  bool isVgpr() const { return first < firstSgpr; }
};

/// Counters of operations under way, by gfx12's split. Before it, Sample and Bvh are part of Load
/// (vmcnt), Scalar is part of Lds (lgkmcnt).
enum class Counter : uint8_t { Load, Sample, Bvh, Store, Lds, Scalar, Export, Count };

/// Operations of one counter that come back in the order in which they were issued.
namespace kind {
inline constexpr uint8_t vmem = 1, sampler = 2, bvh = 4;         // Load
inline constexpr uint8_t lds = 1, scalar = 2, message = 4;       // Lds, Scalar
inline constexpr uint8_t flat = 8;                               // Load and Lds
inline constexpr uint8_t color = 1, position = 2, parameter = 4; // Export
inline constexpr uint8_t ldsDirect = 8, gds = 16;
} // namespace kind

/// An operation that is under way when the instruction has been issued.
struct Event {
  Counter counter = Counter::Count;
  uint8_t kind = 0;
  bool locksSources = false; ///< reads its VGPRs later; otherwise it writes its destinations later
};

enum class Unit : uint8_t { Other, Salu, Valu, Smem, Vmem, Flat, Lds, LdsDirect, Export };

struct Effects {
  static constexpr uint8_t noWait = 255;

  llvm::SmallVector<RegRange, 6> reads, writes;
  Unit unit = Unit::Other;
  Event events[2];
  /// By Counter: operations that may be left when the instruction executes; noWait: any number.
  std::array<uint8_t, size_t(Counter::Count)> waits;
  /// s_waitcnt_depctr, s_wait_alu: the immediate, where ones wait for nothing.
  uint16_t aluWait = 0xFFFF;
  /// SGPRs that a VALU instruction reads as a mask of lanes: of v_cndmask, carries, v_div_fmas.
  RegRange laneMask;
  uint8_t waitVdst = 15, waitVsrc = 1; ///< LdsDirect: fields of the instruction
  uint8_t nops = 0;                    ///< s_nop: wait states
  int8_t priority = -1;                ///< s_setprio: 0 to 3
  // Flow
  bool isBranch = false, endsFlow = false;
  bool isCall = false; ///< s_swappc_b64: a function returns behind it
  // What single hazards ask for
  bool isTrans = false, isVcmpx = false, isPermlane = false, isVectorNop = false, isSopp = false;
  bool isMatrix = false;            ///< v_wmma_*; A and B are the first two of `reads`
  bool isWideNsa = false;           ///< image instruction of more than three dwords
  bool isBufferWithOffset6 = false; ///< MUBUF or MTBUF with offset & 6
  bool isFloatAtomic = false, setsDenormMode = false, isLdsNop = false, isDealloc = false;
  bool waitsForAll = false; ///< s_waitcnt 0
  bool hasLiteral = false;
  uint32_t pc = 0;

  Effects() { waits.fill(noWait); }
  uint8_t wait(Counter counter) const { return waits[size_t(counter)]; }
  bool isVectorMemory() const { return unit == Unit::Vmem || unit == Unit::Flat; }
  /// v_...: also the pseudo-scalar ones.
  bool isValu() const { return unit == Unit::Valu; }
};

/// \p instr: what \p machine was decoded to.
Effects effectsOf(const MachineInstr &machine, const Instr &instr);

bool contains(const llvm::SmallVectorImpl<RegRange> &ranges, unsigned reg);

/// "v5" for both halves, "s4", "vcc_lo", "exec_lo", "m0".
std::string registerName(unsigned reg);

} // namespace pal::device::strict
