//===- CycleModel.h - how long a wave takes, by a simple model ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// An estimate, to see where time goes; no promise of what some GPU takes. The model:
///
/// - One wave alone, blocks in the order of memory; one instruction a cycle is issued, in order.
/// - A unit that an instruction goes to is busy for its issue cycles, during which the wave's next
///   instruction for it waits: VALU 1 for 32 lanes, 2 for 64; transcendental and 64-bit operations
///   4 times that; LDS a cycle for each 32 lanes and dword; vector memory 4 for each 32 lanes;
///   exports 4; scalar units 1.
/// - A result is there after its latency: Parameters below. ALU results are waited for when they
///   are read (hardware does that itself), loads where the code waits for their counter.
/// - A loop is gone through twice: what an instruction waits is that of the second round. What it
///   waits more in the first one counts once each time that the loop is entered.
/// - Memory is as far away as the parameters say: every load hits the same cache.
///
/// RDNA ISA manuals ("Shader program flow", "Data dependency resolution") for what waits for what;
/// the numbers are parameters because they differ between chips.
#pragma once

#include "tools/report/ControlFlow.h"

namespace report {

/// Cycles until a result is there.
struct CycleParameters {
  unsigned valu = 5;
  unsigned transcendental = 10;
  unsigned salu = 2;
  unsigned scalarLoad = 60;  ///< from the scalar cache
  unsigned vectorLoad = 120; ///< from the vector cache of the WGP
  unsigned sample = 160;
  unsigned lds = 64;
  unsigned store = 80;
  unsigned exported = 20;
  unsigned branch = 8; ///< taken: the next instruction has to be fetched
};

enum class CostUnit : uint8_t { Valu, Trans, Salu, ScalarMemory, VectorMemory, Lds, Export, Count };
/// "VALU" ...
llvm::StringRef costUnitName(CostUnit unit);

struct InstructionCost {
  CostUnit unit = CostUnit::Salu;
  uint16_t busy = 1;      ///< cycles of its unit
  uint16_t stall = 0;     ///< cycles that the wave waits before it
  uint16_t stallOnce = 0; ///< and more when the loop around it is entered
  uint32_t cycles() const { return 1 + uint32_t(stall) + stallOnce; } ///< of a first time
};

/// By instruction.
std::vector<InstructionCost> estimateCycles(const MachineCode &code, const ControlFlow &flow,
                                            const CycleParameters &parameters);

} // namespace report
