//===- Encoder.cpp - machine code without LLVM ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/Encoder.h"
#include "lgc/CompileError.h"

using namespace llvm;

namespace lgc::direct {
namespace {

constexpr InstructionClass classes[] = {
#define DIRECT_INSTRUCTION(NAME, CLASS, ...) InstructionClass::CLASS,
#include "lgc/direct/Instructions.def"
};
constexpr unsigned instructionCount = std::size(classes);
constexpr unsigned maxDwords = 3, dwordBits = 32;

/// Bits of an operand that stand in a row in the code, too; in one dword.
struct BitRun {
  uint8_t bit;   ///< of the operand, the first one
  uint8_t place; ///< of that bit in the code
  uint8_t count;
};

struct OperandBits {
  uint16_t firstRun;
  uint8_t runs;
  uint8_t low, end; ///< all others must be zero
};

struct Encoding {
  uint8_t dwords; ///< 0: the generation has none
  uint8_t operands;
  uint16_t firstOperand;
  uint32_t bits[maxDwords]; ///< with all operands 0
};

struct OperandRange {
  uint16_t first;
  uint8_t count;
};

#include "lgc/direct/Encodings.inc"

constexpr bool shortForms[] = {
#define DIRECT_PAIR(NAME, CLASS) true, false,
#define DIRECT_INSTRUCTION(NAME, ...) false,
#include "lgc/direct/Instructions.def"
};
static_assert(std::size(shortForms) == instructionCount);

constexpr unsigned firstMajor = 10;

const Encoding &encodingOf(unsigned gfxMajor, Opcode opcode) {
  return encodings[gfxMajor - firstMajor][static_cast<unsigned>(opcode)];
}

} // namespace

InstructionClass classOf(Opcode opcode) { return classes[static_cast<unsigned>(opcode)]; }

ArrayRef<OperandInfo> operandInfo(Opcode opcode) {
  const OperandRange &range = operandRanges[static_cast<unsigned>(opcode)];
  return ArrayRef(operandInfos).slice(range.first, range.count);
}

bool hasShortForm(Opcode opcode) { return shortForms[static_cast<unsigned>(opcode)]; }

bool isEncoded(unsigned gfxMajor) { return gfxMajor - firstMajor < std::size(encodings); }

bool hasInstruction(unsigned gfxMajor, Opcode opcode) {
  return isEncoded(gfxMajor) && encodingOf(gfxMajor, opcode).dwords;
}

unsigned encodedOperands(unsigned gfxMajor, Opcode opcode) {
  return encodingOf(gfxMajor, opcode).operands;
}

void encode(SmallVectorImpl<uint32_t> &code, unsigned gfxMajor, Opcode opcode,
            ArrayRef<uint32_t> operands) {
  KILN_CHECK(isEncoded(gfxMajor), "direct: a generation without a table");
  const Encoding &encoding = encodingOf(gfxMajor, opcode);
  KILN_CHECK(encoding.dwords && encoding.operands == operands.size(),
             "direct: an instruction that the generation lacks, or other operands");
  uint32_t dwords[maxDwords];
  std::copy(std::begin(encoding.bits), std::end(encoding.bits), dwords);
  for (unsigned i = 0; i < operands.size(); ++i) {
    const OperandBits &bits = operandBits[encoding.firstOperand + i];
    const uint64_t value = operands[i];
    KILN_CHECK(value >> bits.end == 0 && (value & ((1u << bits.low) - 1)) == 0,
               "direct: an operand has no room or alignment");
    for (const BitRun &run : ArrayRef(bitRuns).slice(bits.firstRun, bits.runs)) {
      const uint32_t part =
          static_cast<uint32_t>(value >> run.bit & ((uint64_t(1) << run.count) - 1));
      dwords[run.place / dwordBits] ^= part << run.place % dwordBits;
    }
  }
  code.append(dwords, dwords + encoding.dwords);
}

} // namespace lgc::direct
