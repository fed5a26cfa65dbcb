//===- Encoder.cpp - machine code without LLVM ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/Encoder.h"
#include "lgc/CompileError.h"

using namespace llvm;

namespace lgc::direct {
namespace {

constexpr Opcode opcodes[] = {
#define DIRECT_INSTRUCTION(NAME, ...) Opcode::NAME,
#include "lgc/direct/Instructions.def"
};
constexpr unsigned instructionCount = std::size(opcodes);
constexpr unsigned maxDwords = 3, dwordBits = 32;

/// Bits `low` to `end` - 1 of an operand have their places in the code one behind the other.
struct OperandBits {
  uint16_t firstPlace;
  uint8_t low, end;
};

struct Encoding {
  uint8_t dwords; ///< 0: the generation has none
  uint8_t operands;
  uint16_t firstOperand;
  uint32_t bits[maxDwords]; ///< with all operands 0
};

#include "lgc/direct/Encodings.inc"

constexpr unsigned firstMajor = 10;

} // namespace

bool isEncoded(unsigned gfxMajor) { return gfxMajor - firstMajor < std::size(encodings); }

void encode(SmallVectorImpl<uint32_t> &code, unsigned gfxMajor, Opcode opcode,
            ArrayRef<uint32_t> operands) {
  KILN_CHECK(isEncoded(gfxMajor), "direct: a generation without a table");
  const Encoding &encoding = encodings[gfxMajor - firstMajor][static_cast<unsigned>(opcode)];
  KILN_CHECK(encoding.dwords && encoding.operands == operands.size(),
             "direct: an instruction that the generation lacks, or other operands");
  uint32_t dwords[maxDwords];
  std::copy(std::begin(encoding.bits), std::end(encoding.bits), dwords);
  for (unsigned i = 0; i < operands.size(); ++i) {
    const OperandBits &bits = operandBits[encoding.firstOperand + i];
    const uint64_t value = operands[i];
    KILN_CHECK(value >> bits.end == 0 && (value & ((1u << bits.low) - 1)) == 0,
               "direct: an operand has no room or alignment");
    for (unsigned bit = bits.low; bit < bits.end; ++bit) {
      const unsigned place = places[bits.firstPlace + bit - bits.low];
      dwords[place / dwordBits] ^= uint32_t(value >> bit & 1) << place % dwordBits;
    }
  }
  code.append(dwords, dwords + encoding.dwords);
}

} // namespace lgc::direct
