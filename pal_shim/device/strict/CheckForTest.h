//===- CheckForTest.h - what strict mode says of assembler text -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/device/strict/StrictCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

namespace pal::device::strict::test {

/// Messages of all problems, separated by newlines; s_endpgm is appended to \p text.
inline std::string problemsOf(llvm::StringRef target, unsigned waveSize, const std::string &text) {
  const std::vector<uint8_t> code = device::test::assemble(target, waveSize, text + "\ns_endpgm\n");
  const abi::GpuTarget *gpu = abi::findTarget(target);
  ProgramData program;
  program.generation = generationOf(*gpu);
  program.launch.waveSize = waveSize;
  auto decoder = llvm::cantFail(Decoder::create(*gpu, waveSize));
  OpIndex ops(program.generation);
  OpcodeCounters counters;
  llvm::cantFail(decodeProgram(*decoder, ops, counters, code, 0, {}, program));
  const StrictProgram strict = llvm::cantFail(readEffects(*decoder, code, program));
  std::vector<std::string> messages;
  for (const StrictProblem &problem : llvm::cantFail(checkAllPaths(strict, program)))
    messages.push_back(problem.message);
  return llvm::join(messages, "\n");
}

/// Code with a problem, and what mends it when it stands in place of "WAIT".
struct Case {
  const char *target;
  unsigned waveSize;
  const char *text;
  const char *wait;    ///< "": none is known, or another case has it
  const char *problem; ///< part of the message
};

inline void expectCase(const Case &test) {
  const std::string text = test.text;
  const std::string place = std::string(test.target) + ": " + text;
  auto with = [&](const std::string &wait) {
    std::string changed = text;
    const size_t at = changed.find("WAIT");
    if (at != std::string::npos)
      changed.replace(at, 4, wait);
    return problemsOf(test.target, test.waveSize, changed);
  };
  EXPECT_NE(with("").find(test.problem), std::string::npos) << place << "\n" << with("");
  if (*test.wait) {
    EXPECT_EQ(with(test.wait), "") << place << " with " << test.wait;
  }
}

} // namespace pal::device::strict::test
