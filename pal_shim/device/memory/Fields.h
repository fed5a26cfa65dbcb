//===- Fields.h - bit fields of memory encodings ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where the fields of each memory encoding lie on each generation (RDNA 1 to 4 ISA manuals,
/// chapter "Microcode formats"), as tables; DecodeTest.cpp checks them against LLVM's assembler.
/// The decode functions of all memory operations.
#pragma once

#include "pal_shim/device/core/RawInstr.h"

namespace pal::device {

/// Bits [low, low + count); count 0: the generation does not have the field.
struct BitField {
  uint8_t low = 0, count = 0;
  uint32_t of(const RawInstr &raw) const { return count ? raw.bits(low, count) : 0; }
  int32_t signedOf(const RawInstr &raw) const {
    return count ? int32_t(of(raw) << (32 - count)) >> (32 - count) : 0;
  }
};

/// A scalar operand code: SGPR, M0, NULL (reads 0) or inline constant (as its 32 bits). False for
/// codes that are none of these.
bool decodeScalarSource(const RawInstr &raw, unsigned code, Src &src);
/// SGPR \p code and the \p dwords - 1 following ones, all of which must exist.
bool decodeScalarTuple(const RawInstr &raw, unsigned code, unsigned dwords, uint16_t &reg);
bool isNullRegister(Generation generation, unsigned code);

inline Src vgprSource(unsigned reg) { return {.kind = Src::Kind::Vgpr, .reg = uint16_t(reg)}; }

bool decodeSmem(const RawInstr &raw, Instr &instr, std::string &why);
bool decodeBuffer(const RawInstr &raw, Instr &instr, std::string &why); ///< MUBUF, MTBUF, VBUFFER
bool decodeFlat(const RawInstr &raw, Instr &instr, std::string &why);   ///< FLAT, GLOBAL, SCRATCH
bool decodeDs(const RawInstr &raw, Instr &instr, std::string &why);
/// Of the DS encoding with the GDS bit.
bool decodeCounter(const RawInstr &raw, Instr &instr, std::string &why);
/// Instructions without operands that matter: cache control.
bool decodeNothing(const RawInstr &raw, Instr &instr, std::string &why);
void runNothing(Wave &wave, const Instr &instr);

} // namespace pal::device
