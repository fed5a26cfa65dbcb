//===- AssembleForTest.h - machine code and code objects for tests ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Assembles text with LLVM's AMDGPU assembler, in the process of the test, and wraps it in a PAL
/// code object.
#pragma once

#include "pal_shim/abi/Metadata.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pal::device::test {

/// The machine code; the test binary ends with the assembler's message when the text is wrong.
std::vector<uint8_t> assemble(llvm::StringRef target, unsigned waveSize, llvm::StringRef text);

/// A compute program in assembler.
struct TestProgram {
  std::string target = "gfx1100";
  unsigned waveSize = 32;
  /// The code; s_endpgm is appended.
  std::string text;
  std::vector<uint32_t> threads = {1, 1, 1};
  /// Contents of s0, s1, ...: API user-data indices or pal::abi::userdata values.
  std::vector<uint32_t> userDataRegMap;
  uint32_t spillThreshold = abi::userdata::noSpill;
  uint32_t ldsBytes = 0, scratchBytes = 0;
  uint32_t floatMode = 0xF0;
  bool ieeeMode = false;
  /// SGPRs after the user data: group ids, then the group size word.
  bool groupIdX = false, groupIdY = false, groupIdZ = false, groupSize = false;
  uint32_t localIdComponents = 1;
  /// Symbols besides the entry point, by byte offset in the code.
  std::vector<std::pair<std::string, uint64_t>> functions;

  std::vector<uint8_t> elf() const;
};

/// A graphics program in assembler.
struct TestGraphics {
  struct Stage {
    abi::HardwareStage stage = abi::HardwareStage::Vs;
    unsigned waveSize = 32;
    /// The code; s_endpgm is appended.
    std::string text;
    std::vector<uint32_t> userDataRegMap = {};
    uint32_t ldsBytes = 0, scratchBytes = 0;
    /// Of a task shader's workgroup; before gfx12 its group ids stand behind the user data.
    std::vector<uint32_t> threads = {};
  };
  /// A value of `.graphics_registers`: its path below there, "[2]" for an array element.
  struct Register {
    std::vector<std::string> path;
    uint64_t value = 0;
  };
  std::string target = "gfx1100";
  std::vector<Stage> stages;
  std::vector<Register> registers = {};
  uint32_t spillThreshold = abi::userdata::noSpill;

  std::vector<uint8_t> elf() const;
};

} // namespace pal::device::test
