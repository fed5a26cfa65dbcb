//===- Encoder.h - machine code without LLVM ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encodes the instructions of Instructions.def. The tables are made from LLVM's assembler when the
/// project is built (generate/encodings.py), so no number of an opcode stands anywhere here.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <iterator>

namespace lgc::direct {

enum class Opcode : uint16_t {
#define DIRECT_INSTRUCTION(NAME, ...) NAME,
#include "lgc/direct/Instructions.def"
};

/// What executes an instruction, as far as waits and hazards depend on it.
enum class InstructionClass : uint8_t {
  Salu,
  Valu,
  ValuReadsVcc, ///< a vector instruction that reads VCC without naming it
  ValuReadsM0,  ///< a vector instruction that reads M0 without naming it
  Trans,        ///< a transcendental vector instruction
  ScalarLoad,
  Sample,       ///< of an image
  VectorLoad,   ///< from memory, with a result
  VectorAtomic, ///< with a result
  VectorStore,  ///< to memory, without a result; atomics too
  Lds,
  ParameterLoad, ///< of a fragment's input from LDS
  Export,
  Branch,
  Barrier,
  Wait,
  Cache, ///< invalidates or writes back caches
  Hint,  ///< nothing that code depends on
  End,
};

/// One operand in braces of Instructions.def.
struct OperandInfo {
  enum class Role : uint8_t { Read, Written, Both };
  char kind; ///< the letter
  uint8_t count;
  Role role;

  bool isRead() const { return role != Role::Written; }
  bool isWritten() const { return role != Role::Read; }
};

InstructionClass classOf(Opcode opcode);
llvm::ArrayRef<OperandInfo> operandInfo(Opcode opcode);
/// Whether the opcode behind this one is its short form.
bool hasShortForm(Opcode opcode);

/// The most operands that an instruction has.
inline constexpr unsigned maxOperands = 8;

/// Nine bits of a source operand.
inline constexpr uint32_t sourceVgpr = 256, sourceZero = 128, sourceMinusOne = 193,
                          sourceLiteral = 255;

/// The nine bits of a constant that instructions have by themselves; none: it is a literal.
/// Integers -16 to 64, and some floats of 32 bits.
constexpr uint32_t noSource = ~0u;
constexpr uint32_t sourceOfConstant(uint32_t value) {
  // HW: 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1 / (2 pi), from 240 on.
  constexpr uint32_t floats[] = {0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000,
                                 0xC0000000, 0x40800000, 0xC0800000, 0x3E22F983};
  constexpr uint32_t firstFloat = 240, lowest = 0u - 16;
  if (value <= 64)
    return sourceZero + value;
  if (value >= lowest)
    return sourceMinusOne + (~value);
  for (uint32_t i = 0; i < std::size(floats); ++i)
    if (floats[i] == value)
      return firstFloat + i;
  return noSource;
}

/// Whether there are tables for the generation.
bool isEncoded(unsigned gfxMajor);
/// How many operands encode() takes for it, if the generation has it.
unsigned encodedOperands(unsigned gfxMajor, Opcode opcode);
/// Whether the generation has the instruction.
bool hasInstruction(unsigned gfxMajor, Opcode opcode);

/// Appends an instruction. \p gfxMajor: 10 to 12, which must have it; \p operands: as many as it
/// has, each within the bits of its kind (Instructions.def). Anything else is a mistake of the
/// caller's, and ends the program. A literal that a source names must be appended behind it.
void encode(llvm::SmallVectorImpl<uint32_t> &code, unsigned gfxMajor, Opcode opcode,
            llvm::ArrayRef<uint32_t> operands);

} // namespace lgc::direct
