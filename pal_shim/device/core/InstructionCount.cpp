//===- InstructionCount.cpp - number of instructions of some code ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/InstructionCount.h"
#include "pal_shim/device/core/Decoder.h"

namespace pal::device {

llvm::Expected<uint64_t> countInstructions(const abi::GpuTarget &target, unsigned waveSize,
                                           llvm::ArrayRef<uint8_t> code) {
  auto decoder = Decoder::create(target, waveSize);
  if (!decoder)
    return decoder.takeError();
  uint64_t count = 0;
  MachineInstr instr;
  for (uint64_t pc = 0; pc < code.size(); pc += instr.sizeBytes, ++count)
    if (llvm::Error error = (*decoder)->decode(code, pc, instr))
      return error;
  return count;
}

} // namespace pal::device
