//===- Waits.h - waits for the results of loads ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Hardware goes on while loads are under way. Whoever touches the register of one must wait until
/// the counter of its kind says that it is back:
///
///   before                     behind (gfx11)
///   buffer_load_b32 v0, ...    buffer_load_b32 v0, ...
///   buffer_load_b32 v1, ...    buffer_load_b32 v1, ...
///   v_add_f32 v2, v0, v0       s_waitcnt vmcnt(1)
///                              v_add_f32 v2, v0, v0
#pragma once

#include "lgc/direct/shader/Program.h"
#include <array>

namespace lgc::direct {

/// Counters of loads. Before gfx12 Lds and Scalar are one (lgkmcnt). Exports: of what exports have
/// to read yet, and of fragments' inputs from LDS. Samples, Rays: of gfx12, else Vector.
enum class LoadCounter : uint8_t { Vector, Lds, Scalar, Exports, Samples, Rays };
inline constexpr unsigned loadCounters = 6;

/// What a wait lets be under way.
struct LoadWait {
  static constexpr uint8_t any = 63; ///< and more: it does not wait
  std::array<uint8_t, loadCounters> left;

  LoadWait() { left.fill(any); }
  uint8_t &operator[](LoadCounter counter) { return left[static_cast<size_t>(counter)]; }
  uint8_t operator[](LoadCounter counter) const { return left[static_cast<size_t>(counter)]; }
};

/// The operand of WaitCounters on gfx10 and gfx11. Of Lds and Scalar
/// the smaller counts.
uint32_t encodeWaitCounters(unsigned gfxMajor, const LoadWait &wait);
/// What an instruction of class Wait waits for, of loads.
LoadWait loadWaitOf(unsigned gfxMajor, const MachineOp &op);

/// Adds a wait in front of each instruction that touches the register of a load that may be under
/// way. Loads never are at a jump back. Registers must be allocated; waits that are there already
/// are taken into account.
void insertWaits(Program &program);

} // namespace lgc::direct
