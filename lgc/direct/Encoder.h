//===- Encoder.h - machine code without LLVM ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encodes the instructions of Instructions.def. The tables are made from LLVM's assembler when the
/// project is built (generate/encodings.py), so no number of an opcode stands anywhere here.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace lgc::direct {

enum class Opcode : uint8_t {
#define DIRECT_INSTRUCTION(NAME, ...) NAME,
#include "lgc/direct/Instructions.def"
};

/// The most operands that an instruction has.
inline constexpr unsigned maxOperands = 5;

/// Nine bits of a source operand.
inline constexpr uint32_t sourceVgpr = 256, sourceZero = 128, sourceOneFloat = 242;

/// The nine bits of a constant that instructions have by themselves; none: it must be loaded.
/// Integers 0 to 64 and 1.0.
constexpr uint32_t noSource = ~0u;
constexpr uint32_t sourceOfConstant(uint32_t value) {
  if (value <= 64)
    return sourceZero + value;
  return value == 0x3F800000 ? sourceOneFloat : noSource;
}

/// Whether there are tables for the generation.
bool isEncoded(unsigned gfxMajor);

/// Appends an instruction. \p gfxMajor: 10 to 12, which must have it; \p operands: as many as it
/// has, each within the bits of its kind (Instructions.def). Anything else is a mistake of the
/// caller's, and ends the program.
void encode(llvm::SmallVectorImpl<uint32_t> &code, unsigned gfxMajor, Opcode opcode,
            llvm::ArrayRef<uint32_t> operands);

} // namespace lgc::direct
