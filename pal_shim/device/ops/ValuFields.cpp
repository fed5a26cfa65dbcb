//===- ValuFields.cpp - bit fields of the VALU encodings -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sources: RDNA, RDNA2, RDNA3, RDNA4 ISA manuals, chapter "Microcode formats". The layouts agree
/// across these generations; what changed is the meaning of 8-bit fields for 16-bit operands.
#include "pal_shim/device/ops/ValuFields.h"
#include "llvm/ADT/StringExtras.h"

namespace pal::device::detail {

namespace {

constexpr unsigned vgprCode = 256;
constexpr unsigned dpp8Code = 233, dpp8FiCode = 234;

/// Minimal length of an encoding in dwords, without literals.
unsigned dwordsNeeded(Encoding encoding) {
  switch (encoding) {
  case Encoding::Vop1:
  case Encoding::Vop2:
  case Encoding::Vopc:
    return 1;
  case Encoding::Vop3Dpp16:
  case Encoding::Vop3Dpp8:
    return 3;
  default:
    return 2;
  }
}

void parseCompact(const RawInstr &raw, ValuFields &f) {
  uint32_t top = raw.bits(25, 7);
  f.base = top == 0x3F ? ValuBase::Vop1 : top == 0x3E ? ValuBase::Vopc : ValuBase::Vop2;
  f.src[0] = raw.bits(0, 9);
  f.src[1] = vgprCode + raw.bits(9, 8);
  f.srcCount = f.base == ValuBase::Vop1 ? 1 : 2;
  f.vdst = raw.bits(17, 8);
}

/// How many of the three source fields a 64-bit encoding uses: its opcode space embeds those of
/// VOPC, VOP2 and VOP1.
unsigned vop3SourceCount(unsigned opcode) {
  return opcode < 0x140 ? 2 : opcode >= 0x180 && opcode < 0x200 ? 1 : 3;
}

void parseVop3(const RawInstr &raw, ValuFields &f) {
  f.base = raw.bits(26, 6) == 0x33 ? ValuBase::Vop3p : ValuBase::Vop3;
  f.literalDword = 2;
  f.vdst = raw.bits(0, 8);
  f.sdst = raw.bits(8, 7);
  f.abs = raw.bits(8, 3);
  f.opSel = raw.bits(11, 4);
  f.clamp = raw.bits(15, 1);
  f.src[0] = raw.bits(32, 9);
  f.src[1] = raw.bits(41, 9);
  f.src[2] = raw.bits(50, 9);
  f.neg = raw.bits(61, 3);
  f.srcCount = 3;
  if (f.base == ValuBase::Vop3p) {
    f.opSel &= 7;
    f.opSelHi = raw.bits(59, 2) | raw.bits(14, 1) << 2;
  } else {
    f.omod = raw.bits(59, 2);
    f.srcCount = vop3SourceCount(raw.bits(16, 10));
  }
}

void parseVopd(const RawInstr &raw, ValuFields &f) {
  f.base = ValuBase::Vopd;
  f.literalDword = 2;
  unsigned low = raw.vopdHalf * 32;
  f.src[0] = raw.bits(low, 9);
  f.src[1] = vgprCode + raw.bits(low + 9, 8);
  f.srcCount = 2;
  unsigned vdstX = raw.bits(56, 8);
  // The two destinations are one even and one odd register.
  f.vdst = raw.vopdHalf == 0 ? vdstX : raw.bits(49, 7) << 1 | (~vdstX & 1);
}

bool isKnownControl(unsigned control) {
  return control < 0x100 || (control > 0x100 && control < 0x110) ||
         (control > 0x110 && control < 0x120) || (control > 0x120 && control < 0x130) ||
         control == 0x140 || control == 0x141 || (control >= 0x150 && control < 0x170);
}

/// The dword of DPP16; \p inVop3: neg and abs are those of VOP3.
bool parseDpp16(uint32_t word, bool inVop3, ValuFields &f, std::string &why) {
  f.src[0] = vgprCode + (word & 0xFF);
  f.dpp.mode = Dpp::Mode::Dpp16;
  f.dpp.control = word >> 8 & 0x1FF;
  f.dpp.fetchInactive = word >> 18 & 1;
  f.dpp.boundCtrl = word >> 19 & 1;
  f.dpp.bankMask = word >> 24 & 15;
  f.dpp.rowMask = word >> 28 & 15;
  if (!inVop3) {
    f.neg = (word >> 20 & 1) | (word >> 22 & 1) << 1;
    f.abs = (word >> 21 & 1) | (word >> 23 & 1) << 1;
  }
  if (isKnownControl(f.dpp.control))
    return true;
  why = "DPP control 0x" + llvm::utohexstr(f.dpp.control);
  return false;
}

bool parseDpp8(uint32_t word, ValuFields &f, std::string &why) {
  if (f.src[0] != dpp8Code && f.src[0] != dpp8FiCode) {
    why = "DPP8 without its source code";
    return false;
  }
  f.dpp.mode = Dpp::Mode::Dpp8;
  f.dpp.fetchInactive = f.src[0] == dpp8FiCode;
  f.dpp.control = word >> 8;
  f.src[0] = vgprCode + (word & 0xFF);
  return true;
}

void parseSdwa(uint32_t word, ValuFields &f) {
  f.sdwa.enabled = true;
  f.src[0] = (word & 0xFF) + (word >> 23 & 1 ? 0 : vgprCode);
  if (word >> 31 & 1)
    f.src[1] -= vgprCode;
  if (f.base == ValuBase::Vopc) {
    f.sdst = word >> 8 & 0x7F;
    f.hasSdst = word >> 15 & 1;
  } else {
    f.sdwa.dstSel = word >> 8 & 7;
    f.sdwa.dstUnused = word >> 11 & 3;
    f.clamp = word >> 13 & 1;
    f.omod = word >> 14 & 3;
  }
  f.sel[0] = word >> 16 & 7;
  f.sel[1] = word >> 24 & 7;
  f.sext = (word >> 19 & 1) | (word >> 27 & 1) << 1;
  f.neg = (word >> 20 & 1) | (word >> 28 & 1) << 1;
  f.abs = (word >> 21 & 1) | (word >> 29 & 1) << 1;
}

} // namespace

bool parseValuFields(const RawInstr &raw, ValuFields &f, std::string &why) {
  if (raw.dwords.size() < dwordsNeeded(raw.encoding)) {
    why = "incomplete encoding";
    return false;
  }
  switch (raw.encoding) {
  case Encoding::Vop1:
  case Encoding::Vop2:
  case Encoding::Vopc:
    parseCompact(raw, f);
    return true;
  case Encoding::Vop3:
  case Encoding::Vop3p:
    parseVop3(raw, f);
    return true;
  case Encoding::Dpp16:
    parseCompact(raw, f);
    return parseDpp16(raw.dwords[1], /*inVop3=*/false, f, why);
  case Encoding::Dpp8:
    parseCompact(raw, f);
    return parseDpp8(raw.dwords[1], f, why);
  case Encoding::Vop3Dpp16:
    parseVop3(raw, f);
    return parseDpp16(raw.dwords[2], /*inVop3=*/true, f, why);
  case Encoding::Vop3Dpp8:
    parseVop3(raw, f);
    return parseDpp8(raw.dwords[2], f, why);
  case Encoding::Sdwa:
    parseCompact(raw, f);
    parseSdwa(raw.dwords[1], f);
    if (f.sel[0] > 6 || f.sel[1] > 6 || f.sdwa.dstSel > 6 || f.sdwa.dstUnused > 2) {
      why = "reserved SDWA selection";
      return false;
    }
    return true;
  case Encoding::Vopd:
    parseVopd(raw, f);
    return true;
  default:
    why = "an encoding that is not for vector operations";
    return false;
  }
}

} // namespace pal::device::detail
