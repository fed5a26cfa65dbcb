//===- DisassembleForTest.h - what LLVM reads in machine code -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm-c/Disassembler.h"
#include "llvm-c/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <vector>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace lgc::direct::test {

/// An instruction as text, in one space where there are several; "?" for what is none.
inline std::vector<std::string> disassemble(llvm::ArrayRef<uint32_t> code, const char *processor) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  LLVMDisasmContextRef context = LLVMCreateDisasmCPUFeatures(
      "amdgcn--amdpal", processor, "+wavefrontsize32,-real-true16", nullptr, 0, nullptr, nullptr);
  std::vector<std::string> result;
  auto *at = reinterpret_cast<uint8_t *>(const_cast<uint32_t *>(code.data()));
  for (size_t left = code.size() * 4; left;) {
    char text[256];
    const size_t size = LLVMDisasmInstruction(context, at, left, 0, text, sizeof(text));
    if (!size) {
      result.push_back("?");
      break;
    }
    std::string line;
    for (llvm::StringRef word : llvm::split(llvm::StringRef(text).trim(), ' '))
      if (!word.empty())
        line += (line.empty() ? "" : " ") + word.trim().str();
    result.push_back(line);
    at += size;
    left -= size;
  }
  LLVMDisasmDispose(context);
  return result;
}

} // namespace lgc::direct::test
