//===- MachineCode.h - the instructions that a report is about ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Machine code of one hardware stage, decoded by the software device's decoder, with what each
/// instruction does to registers and counters (pal_shim/device/strict). All analyses start here;
/// none of them knows the compiler.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/strict/Effects.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace report {

using pal::device::strict::Effects;
using pal::device::strict::RegRange;

inline constexpr uint32_t nowhere = ~0u;

struct Instruction {
  uint32_t pc = 0;      ///< bytes from the start of the code
  uint8_t size = 0;     ///< bytes
  std::string text;     ///< as the assembler takes it; branches name their label
  std::string mnemonic; ///< without _e32 and its like
  pal::device::Encoding encoding = pal::device::Encoding::Count;
  Effects effects;
  /// Registers and constants in order, those without an operand behind them.
  llvm::SmallVector<pal::device::RawOperand, 6> operands;
  uint32_t target = nowhere; ///< of a branch: index of the instruction that it goes to
  bool isDual = false;       ///< VOPD
  bool isIndirect = false;   ///< jump through registers
  bool usesM0 = false;       ///< registers chosen by M0 (v_movrel)
  bool isBranch() const { return effects.isBranch; }
  bool endsFlow() const { return effects.endsFlow; }
};

struct MachineCode {
  const pal::abi::GpuTarget *target = nullptr;
  pal::device::Generation generation = pal::device::Generation::Gfx11;
  unsigned waveSize = 32;
  std::vector<Instruction> code;

  /// nowhere: no instruction starts there.
  uint32_t indexOf(uint64_t pc) const;
};

/// Decodes \p bytes up to the last instruction that the first one leads to. Errors: AbiError
/// Malformed for bytes that are no instruction and for branches out of the code; Unsupported for a
/// target that LLVM does not know.
llvm::Expected<MachineCode> readMachineCode(const pal::abi::GpuTarget &target, unsigned waveSize,
                                            llvm::ArrayRef<uint8_t> bytes);

} // namespace report
