//===- Decoder.h - machine code to RawInstr, by LLVM's disassembler --------===//
// SPDX-License-Identifier: MIT
/// \file
/// The only user of LLVM's MC classes. Names, registers and constants of an instruction come from
/// the disassembler; the encoding ("microcode format") is told from the instruction's own bits, as
/// the RDNA ISA manuals tabulate them, so that no numbering private to LLVM is relied on, except
/// operand types (see DecoderTest).
///
/// One decoder serves one thread at a time.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/core/RawInstr.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace pal::device {

Generation generationOf(const abi::GpuTarget &target);

/// One machine instruction: one operation, or the two of a VOPD pair.
struct MachineInstr {
  RawInstr first, second; ///< refer to `dwords` and `names`
  bool isDual = false;
  bool endsFlow = false;     ///< what follows is not reached from here
  bool isBranch = false;     ///< has a `branchTarget`
  bool isIndirect = false;   ///< s_setpc, s_swappc: may go to any function
  uint64_t branchTarget = 0; ///< byte offset in the code; may lie outside
  unsigned sizeBytes = 0;
  uint32_t dwords[5] = {};
  std::string names[2];
};

class Decoder {
public:
  /// Errors: AbiError Unsupported when this LLVM does not know the target.
  static llvm::Expected<std::unique_ptr<Decoder>> create(const abi::GpuTarget &target,
                                                         unsigned waveSize);
  ~Decoder();

  /// Decodes the instruction at byte offset \p pc of \p code, where \p pc is a multiple of 4.
  /// Errors: AbiError Malformed for bytes that are no instruction of the target.
  llvm::Error decode(llvm::ArrayRef<uint8_t> code, uint64_t pc, MachineInstr &result);

  /// Assembler text of the instruction there, "<invalid>" if it is none.
  std::string text(llvm::ArrayRef<uint8_t> code, uint64_t pc);

private:
  struct Mc;
  explicit Decoder(std::unique_ptr<Mc> mc);
  std::unique_ptr<Mc> mc;
};

/// Encoding of the instruction that starts with \p dwords (two, the second 0 if there is none).
/// RDNA ISA manuals, "Microcode formats".
Encoding classifyEncoding(Generation generation, llvm::ArrayRef<uint32_t> dwords);

} // namespace pal::device
