//===- Instr.h - a pre-decoded instruction ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the decoder makes of one machine instruction, once, when a program is loaded. Executing is
/// then `instr.run(wave, instr)`: no field of the encoding is looked at again.
///
/// Names, registers and constants come from LLVM's disassembler, modifiers from the encoding's bits
/// (RDNA ISA manuals, chapter "Microcode formats"); see RawInstr.h.
#pragma once

#include <cstdint>

namespace pal::device {

struct Wave;
struct Instr;
struct OpEntry;

/// Executes one instruction. Reports trouble with Wave::fault().
using Handler = void (*)(Wave &wave, const Instr &instr);

/// Scalar registers as slots of Wave::s. The decoder translates each generation's numbering: M0 and
/// NULL trade places between gfx10 and gfx11.
namespace sreg {
inline constexpr unsigned vccLo = 106, vccHi = 107;
inline constexpr unsigned ttmp0 = 108; ///< .. ttmp15 = 123
inline constexpr unsigned m0 = 124;
inline constexpr unsigned execLo = 126, execHi = 127;
inline constexpr unsigned count = 128;
/// SRC_POPS_EXITING_WAVE_ID (gfx10): kept up to date by the fragment stage, for waves that watch.
inline constexpr unsigned popsExiting = count + 8;
} // namespace sreg

/// A source operand.
struct Src {
  enum class Kind : uint8_t {
    None,
    Vgpr,  ///< `reg`, and the following ones when wider than 32 bits
    Sgpr,  ///< `reg` is a slot of Wave::s
    Imm,   ///< `imm`: bit pattern of the operand's type, 64 bits wide where the operand is
    Scc,   ///< 0 or 1
    VccZ,  ///< 0 or 1
    ExecZ, ///< 0 or 1
  };
  Kind kind = Kind::None;
  /// VOP modifiers. For packed operands: neg/abs of the low half, negHi of the high half.
  bool neg = false, abs = false, negHi = false;
  bool sext = false; ///< SDWA
  /// 16-bit operand in the high half of the register (true16 or op_sel). For packed operands:
  /// which half feeds the low (hi) and the high (hiForHigh) result; hiForHigh is normally true.
  bool hi = false, hiForHigh = true;
  uint8_t sdwaSel = 6; ///< 0-3 byte, 4-5 word, 6 dword
  uint16_t reg = 0;
  uint64_t imm = 0;
};

/// A destination operand.
struct Dst {
  enum class Kind : uint8_t { None, Vgpr, Sgpr, Null };
  Kind kind = Kind::None;
  bool hi = false; ///< 16-bit result goes to the high half; the other half is kept
  uint16_t reg = 0;
};

/// How lanes of source 0 of a VALU instruction are exchanged before use.
struct Dpp {
  enum class Mode : uint8_t { None, Dpp16, Dpp8 };
  Mode mode = Mode::None;
  bool boundCtrl = false, fetchInactive = false;
  uint8_t rowMask = 0xF, bankMask = 0xF;
  uint32_t control = 0; ///< dpp_ctrl (9 bits), or eight 3-bit selectors of DPP8
};

/// SDWA: sub-dword selection (gfx10 only); source parts are in Src.
struct Sdwa {
  bool enabled = false;
  uint8_t dstSel = 6;    ///< 0-3 byte, 4-5 word, 6 dword
  uint8_t dstUnused = 0; ///< 0 pad with zeros, 1 sign-extend, 2 preserve
};

/// Fields of memory and image instructions; which of them mean something depends on the encoding.
struct MemFields {
  int32_t offset = 0;  ///< instruction offset, sign-extended where the encoding says so
  int32_t offset1 = 0; ///< second offset of two-address DS operations, in units of the element
  bool offen = false, idxen = false;
  bool returnsValue = false; ///< atomics: the value before goes to the destination
  bool tfe = false, lwe = false, d16 = false;
  bool gds = false, swz = false;
  // Images
  bool unorm = false, a16 = false, g16 = false, r128 = false;
  uint8_t dmask = 0;
  uint8_t dim = 0;    ///< 0 1D, 1 2D, 2 3D, 3 cube, 4 1D array, 5 2D array, 6 2D msaa, 7 msaa array
  uint8_t format = 0; ///< MTBUF
  uint8_t addrCount = 0;
  uint8_t addr[16] = {}; ///< VGPR of each image address dword, NSA or contiguous
};

struct Instr {
  Handler run = nullptr;
  /// For VALU operations, the row function that `run` applies; see ops/LaneOps.h.
  const void *kernel = nullptr;
  const OpEntry *op = nullptr;
  Src src[5];
  /// dst[0] is the result; dst[1] a second one (carry mask, ...).
  Dst dst[2];
  uint8_t omod = 0; ///< 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;
  Dpp dpp;
  Sdwa sdwa;
  MemFields mem;
  /// SOPK/SOPP immediate, wait counts, DS swizzle pattern, message, hardware register, ...
  int32_t simm = 0;
  /// Branches: index of the target in Program's instructions.
  uint32_t target = 0;
  /// VOPD: index in Program's second halves of the instruction that executes at the same time;
  /// both read their sources before either writes. ~0u: none.
  uint32_t dual = ~0u;
  uint32_t pc = 0;      ///< byte offset from the start of the code
  uint32_t counter = 0; ///< slot of the execution count of (mnemonic, variant)
  uint8_t sizeBytes = 0;
  uint8_t variant = 0; ///< an Encoding, see RawInstr.h
};

} // namespace pal::device
