//===- DualPairs.h - operations that are issued together ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// gfx11 and later issue two vector operations as one instruction (VOPD) in waves of 32 lanes, if
/// their registers lie in different banks. LLVM's gcn-create-vopd joins neighbours only; to bring
/// partners together LLVM schedules each block once more behind register allocation, which is a
/// tenth of the time of a compile and finds a few. This looks a few instructions ahead from each
/// operation for one that may be its partner and may move up to it.
///
///   before: v_mul v0, v2, v5;  v_add v2, v3, v3;  v_mul v1, v4, v7
///   after:  v_mul v0, v2, v5;  v_mul v1, v4, v7;  v_add v2, v3, v3     ; v_dual_mul :: v_dual_mul
#pragma once

#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// What LLVM knows by names only, found once.
struct DualTable {
  enum Role : uint8_t { First = 1, Second = 2 }; ///< places of a pair that an operation may have
  llvm::DenseMap<unsigned, uint8_t> roles;       ///< by opcode
  std::vector<int16_t> vectorNumbers;            ///< by register; -1: not one VGPR
};

/// Moves partners together. In front of gcn-create-vopd, which checks each pair itself. True when
/// something was moved.
bool gatherDuals(llvm::MachineFunction &function, DualTable &table);

} // namespace lgc
