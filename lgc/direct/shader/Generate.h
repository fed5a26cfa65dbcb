//===- Generate.h - the direct tier ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Machine code for a whole shader without LLVM's code generator. It takes time in proportion to
/// the number of instructions and schedules nothing; what it does not know is left to LLVM, whole
/// (docs/direct-tier.md).
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DILocation;
class DISubprogram;
class Function;
} // namespace llvm

namespace lgc::direct {

/// A literal that linking fills in.
struct CodeSymbol {
  uint32_t dword = 0; ///< of the code
  std::string name;
};

/// Where code begins that was made of a place in the source; of none without one.
struct CodePlace {
  uint32_t dword = 0; ///< of the code
  const llvm::DILocation *place = nullptr;
};

struct ShaderCode {
  llvm::SmallVector<uint32_t, 0> dwords;
  unsigned instructions = 0;
  unsigned sgprs = 0, vgprs = 0; ///< numbers of registers, arguments included; VCC is not one
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; ///< of a lane
  bool wgpMode = true;       ///< waves of a workgroup may run on two compute units
  std::vector<CodeSymbol> symbols;
  // With debug information.
  const llvm::DISubprogram *function = nullptr;
  std::vector<CodePlace> places; ///< ascending
};

/// Code of a shader of one hardware stage, behind all passes of lgc. Nothing: \p refusal says what
/// is not known, in a few words that do not depend on the shader's names or numbers, so that they
/// can be counted. The IR is as it was in any case. \p isVerified: registers are checked
/// (CheckAllocation.h); what is wrong there ends the process.
std::optional<ShaderCode> generateShader(const llvm::Function &entry,
                                         const pal::abi::GpuTarget &target, unsigned waveSize,
                                         std::string &refusal, bool isVerified = false);

} // namespace lgc::direct
