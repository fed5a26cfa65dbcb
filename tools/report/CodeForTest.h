//===- CodeForTest.h - machine code out of assembler text -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/AssembleForTest.h"
#include "tools/report/ControlFlow.h"
#include "gtest/gtest.h"

namespace report::test {

/// s_endpgm is appended.
inline MachineCode codeOf(llvm::StringRef text, llvm::StringRef target = "gfx1100",
                          unsigned waveSize = 32) {
  const std::vector<uint8_t> bytes =
      pal::device::test::assemble(target, waveSize, (text + "\ns_endpgm\n").str());
  return llvm::cantFail(readMachineCode(*pal::abi::findTarget(target), waveSize, bytes));
}

/// The first instruction of that name.
inline uint32_t find(const MachineCode &code, llvm::StringRef mnemonic, unsigned skip = 0) {
  for (uint32_t i = 0; i < code.code.size(); ++i)
    if (code.code[i].mnemonic == mnemonic && !skip--)
      return i;
  ADD_FAILURE() << "no " << mnemonic.str();
  return 0;
}

} // namespace report::test
