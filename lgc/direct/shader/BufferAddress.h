//===- BufferAddress.h - where an instruction finds data in a buffer ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/ShaderSelector.h"

namespace lgc::direct {

/// What an access does besides moving data.
struct MemoryPolicy {
  uint32_t bits = 0; ///< of the instruction
  bool isVolatile = false;
  bool isSystem = false; ///< gfx12: others on the bus must see it
};

/// Operands behind the data.
struct ShaderSelector::BufferAddress {
  /// VGPRs: an offset; an index; an index and an offset. None: no register.
  Operand registers;
  bool hasIndex = false, hasOffset = false;
  Operand descriptor, scalarOffset;
  uint32_t offset = 0;
  MemoryPolicy policy;

  /// Which of the opcodes: offset, neither, index, both.
  unsigned form() const { return hasIndex ? 2 + hasOffset : 1 - hasOffset; }
  /// \p format: of a typed access.
  llvm::SmallVector<Operand, maxOperands> operands(const Operand &data,
                                                   const Operand &format = {}) const {
    llvm::SmallVector<Operand, maxOperands> result = {data};
    if (hasIndex || hasOffset)
      result.push_back(registers);
    result.append({descriptor, scalarOffset});
    if (format.kind != Operand::Kind::None)
      result.push_back(format);
    result.append({Operand::number(offset), Operand::number(policy.bits)});
    return result;
  }
};

} // namespace lgc::direct
