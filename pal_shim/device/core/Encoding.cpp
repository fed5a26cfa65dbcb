//===- Encoding.cpp - which microcode format an instruction has ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// RDNA ISA manuals, chapter "Microcode formats": every format has its own pattern in the upper
/// bits of the first dword; DPP and SDWA are told by the number in the src0 field.
#include "pal_shim/device/core/Decoder.h"

namespace pal::device {

namespace {

constexpr uint8_t gen10 = 0x03, gen11 = 0x0C, gen12 = 0x10, all = 0x1F;

struct Pattern {
  uint32_t mask, value;
  Encoding encoding;
  uint8_t generations; ///< bit per Generation
};

/// The `count` upper bits are `value`.
constexpr Pattern top(unsigned count, uint32_t value, Encoding encoding, uint8_t generations) {
  return {~0u << (32 - count), value << (32 - count), encoding, generations};
}

/// In this order: longer patterns before those that they are part of.
constexpr Pattern patterns[] = {
    top(7, 0b0111111, Encoding::Vop1, all),
    top(7, 0b0111110, Encoding::Vopc, all),
    top(1, 0b0, Encoding::Vop2, all),
    top(9, 0b101111101, Encoding::Sop1, all),
    top(9, 0b101111110, Encoding::Sopc, all),
    top(9, 0b101111111, Encoding::Sopp, all),
    top(4, 0b1011, Encoding::Sopk, all),
    top(2, 0b10, Encoding::Sop2, all),
    top(8, 0b11001100, Encoding::Vop3p, all),
    top(8, 0b11001101, Encoding::Vinterp, gen11 | gen12),
    top(8, 0b11001110, Encoding::LdsDir, gen11 | gen12),
    top(6, 0b110010, Encoding::Vopd, gen11 | gen12),
    top(6, 0b110010, Encoding::Vintrp, gen10),
    top(6, 0b110101, Encoding::Vop3, all),
    top(6, 0b110110, Encoding::Ds, all),
    top(6, 0b111101, Encoding::Smem, all),
    top(6, 0b111110, Encoding::Exp, all),
    top(6, 0b110111, Encoding::Flat, gen10 | gen11),
    top(6, 0b111000, Encoding::Mubuf, gen10 | gen11),
    top(6, 0b111010, Encoding::Mtbuf, gen10 | gen11),
    top(6, 0b111100, Encoding::Mimg, gen10 | gen11),
    top(6, 0b111011, Encoding::Flat, gen12),
    top(6, 0b110001, Encoding::Vbuffer, gen12),
    top(6, 0b110100, Encoding::Vimage, gen12),
    top(6, 0b111001, Encoding::Vsample, gen12),
};

/// Numbers in a 9-bit src0 field that announce a further dword.
constexpr uint32_t src0Dpp8 = 233, src0Dpp8Fi = 234, src0Sdwa = 249, src0Dpp16 = 250;

Encoding withDpp(Encoding plain, uint32_t src0, Encoding dpp16, Encoding dpp8) {
  if (src0 == src0Dpp16)
    return dpp16;
  return src0 == src0Dpp8 || src0 == src0Dpp8Fi ? dpp8 : plain;
}

Encoding flatSegment(Generation generation, uint32_t dword) {
  unsigned low = isGfx10(generation) ? 14 : isGfx11(generation) ? 16 : 24;
  constexpr Encoding segments[] = {Encoding::Flat, Encoding::Scratch, Encoding::Global,
                                   Encoding::Count};
  return segments[dword >> low & 3];
}

constexpr llvm::StringLiteral names[] = {
    "sop1",    "sop2",   "sopk",    "sopc",    "sopp", "smem",      "vop1",     "vop2",
    "vopc",    "vop3",   "vop3p",   "dpp16",   "dpp8", "vop3dpp16", "vop3dpp8", "sdwa",
    "vopd",    "vintrp", "vinterp", "ldsdir",  "exp",  "ds",        "mubuf",    "mtbuf",
    "vbuffer", "flat",   "global",  "scratch", "mimg", "vimage",    "vsample",  "other"};
static_assert(std::size(names) == unsigned(Encoding::Count) + 1);

} // namespace

llvm::StringRef encodingName(Encoding encoding) { return names[unsigned(encoding)]; }

Encoding classifyEncoding(Generation generation, llvm::ArrayRef<uint32_t> dwords) {
  Encoding encoding = Encoding::Count;
  for (const Pattern &pattern : patterns)
    if (pattern.generations >> unsigned(generation) & 1 &&
        (dwords[0] & pattern.mask) == pattern.value) {
      encoding = pattern.encoding;
      break;
    }
  switch (encoding) {
  case Encoding::Vop1:
  case Encoding::Vop2:
  case Encoding::Vopc:
    if ((dwords[0] & 0x1FF) == src0Sdwa && isGfx10(generation))
      return Encoding::Sdwa;
    return withDpp(encoding, dwords[0] & 0x1FF, Encoding::Dpp16, Encoding::Dpp8);
  case Encoding::Vop3:
  case Encoding::Vop3p:
    return withDpp(encoding, dwords[1] & 0x1FF, Encoding::Vop3Dpp16, Encoding::Vop3Dpp8);
  case Encoding::Flat:
    return flatSegment(generation, dwords[0]);
  default:
    return encoding;
  }
}

} // namespace pal::device
