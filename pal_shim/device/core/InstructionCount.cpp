//===- InstructionCount.cpp - number of instructions of some code ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/InstructionCount.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Decoder.h"

namespace pal::device {

llvm::Expected<uint64_t> countInstructions(const abi::GpuTarget &target, unsigned waveSize,
                                           llvm::ArrayRef<uint8_t> code) {
  auto decoder = KILN_TRY(Decoder::create(target, waveSize));
  uint64_t count = 0;
  MachineInstr instr;
  for (uint64_t pc = 0; pc < code.size(); pc += instr.sizeBytes, ++count)
    KILN_TRY(decoder->decode(code, pc, instr));
  return count;
}

} // namespace pal::device
