//===- RawInstr.h - an instruction as the decode functions see it ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The border between LLVM's disassembler and the operations: the decoder (Decoder.cpp, the only
/// file that sees MC classes) fills a RawInstr; each operation's decode function turns it into an
/// Instr, or says why it cannot.
#pragma once

#include "pal_shim/device/core/Instr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace pal::device {

enum class Generation : uint8_t { Gfx101, Gfx103, Gfx11, Gfx115, Gfx12 };
inline bool isGfx10(Generation g) { return g <= Generation::Gfx103; }
inline bool isGfx11(Generation g) { return g == Generation::Gfx11 || g == Generation::Gfx115; }
inline bool isGfx12(Generation g) { return g >= Generation::Gfx12; }

/// Encodings ("microcode formats") after normalisation; the variant part of the dispatch key.
enum class Encoding : uint8_t {
  Sop1,
  Sop2,
  Sopk,
  Sopc,
  Sopp,
  Smem,
  Vop1,
  Vop2,
  Vopc,  // 32-bit encodings
  Vop3,  // 64-bit encoding of any VALU operation (e64), incl. VOP3B (sdst)
  Vop3p, // packed
  Dpp16,
  Dpp8, // of VOP1/VOP2/VOPC
  Vop3Dpp16,
  Vop3Dpp8, // of VOP3 and VOP3P (gfx11+)
  Sdwa,     // gfx10
  Vopd,     // gfx11+
  Vintrp,   // gfx10
  Vinterp,  // gfx11+
  LdsDir,
  Exp,
  Ds,
  Mubuf,
  Mtbuf,
  Vbuffer, // Vbuffer: gfx12's single encoding, typed and untyped
  Flat,
  Global,
  Scratch,
  Mimg,
  Vimage,
  Vsample,
  Count ///< also: none of these; no operation has such an encoding
};
/// "sop1", "vop3", "dpp16", ...: the variant's name in opcode counts.
llvm::StringRef encodingName(Encoding encoding);

/// A register or constant operand from LLVM's disassembler. Modifiers and other plain immediates
/// are not listed: take them from RawInstr::dwords.
struct RawOperand {
  enum class Kind : uint8_t { Vgpr, Sgpr, Null, Scc, VccZ, ExecZ, Imm };
  Kind kind = Kind::Imm;
  bool isDef = false;
  bool isTied = false; ///< a source that repeats a destination: DPP's old value, FMAC's addend
  bool isHalf = false; ///< true16: 16 bits of a VGPR
  bool hi = false;     ///< true16: high half of the register
  uint8_t dwords = 1;  ///< of the register tuple, 1 for 16-bit registers and constants
  uint16_t reg = 0;    ///< VGPR number, or slot of Wave::s
  uint64_t imm = 0;    ///< constant as bit pattern of the operand's type
};

struct RawInstr {
  llvm::StringRef mnemonic; ///< of this generation, without _e32/_e64/_dpp/_sdwa: "v_add_f32"
  llvm::StringRef mcName;   ///< LLVM's opcode name: "V_ADD_F32_e32_gfx11"
  Generation generation = Generation::Gfx11;
  unsigned waveSize = 32;
  Encoding encoding = Encoding::Sop1;
  uint64_t pc = 0;                 ///< byte offset in the code
  llvm::ArrayRef<uint32_t> dwords; ///< the whole encoding, literal included
  /// Vopd only: which half (0 X, 1 Y) the entry whose decode function is called stands for. Each
  /// half is an Instr of its own, of the entry found by vopdMnemonic() (ops/LaneOps.h).
  unsigned vopdHalf = 0;
  llvm::SmallVector<RawOperand, 16> operands; ///< explicit register and constant operands, in order
  /// VCC, EXEC and M0 where the operation reads or writes them without an operand.
  llvm::SmallVector<RawOperand, 4> implicits;
  /// Immediates of operand types other than source constants, in MC order (simm16, branch offsets,
  /// modifiers): for encodings where taking them from MC is easier than from bits.
  llvm::SmallVector<int64_t, 12> immediates;

  /// Bits [low, low + count) of the encoding; fields may not cross a dword border.
  uint32_t bits(unsigned low, unsigned count) const {
    return dwords[low / 32] >> (low % 32) & (count == 32 ? ~0u : (1u << count) - 1);
  }
};

/// Fills \p instr (pc, size, op, run and kernel are already set). Returns false after setting
/// \p why, a noun phrase such as "LDS-direct source operand": the program then does not load.
using DecodeFunc = bool (*)(const RawInstr &raw, Instr &instr, std::string &why);

/// One operation: what the assembler calls it on each generation, how it is decoded and executed.
struct OpEntry {
  /// Mnemonics separated by blanks; the first is gfx11's and the name in counts; one that ends in
  /// '_' is none (tables made by macros have such). An older spelling
  /// with another meaning on some generation needs an entry of its own, with `generations`.
  const char *names;
  Handler run;
  DecodeFunc decode;
  const void *kernel = nullptr; ///< VALU: row function
  uint16_t flags = 0;           ///< of the family, e.g. OpFlag
  uint8_t generations = 0x1F;   ///< bit per Generation
  /// VALU integer operations: row function that saturates, for instructions with the clamp bit.
  const void *clampKernel = nullptr;
};

/// Every table of operations; each ops/*.cpp and memory/*.cpp file exports one function, listed in
/// core/OpTables.def.
using OpTableFunc = llvm::ArrayRef<OpEntry> (*)();

} // namespace pal::device
