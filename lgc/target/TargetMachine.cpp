//===- TargetMachine.cpp - LLVM target machines for our targets -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/TargetMachine.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/target/LlvmTables.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

namespace lgc {

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
    std::string message;
    const Target *target = TargetRegistry::lookupTarget(Triple(targetTriple()), message);
    KILN_CHECK(target, "LLVM has no AMDGPU target");
    primeLlvmTables(*target);
  });
}

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(StringRef target,
                                                             CodeGenOptLevel level) {
  initializeTarget();
  if (!pal::abi::findTarget(target))
    return invalidInput("unknown target '" + target + "'");
  Triple triple(targetTriple());
  std::string message;
  const Target *llvmTarget = TargetRegistry::lookupTarget(triple, message);
  if (!llvmTarget)
    return internalError("LLVM has no AMDGPU target: " + message);
  TargetOptions options;
  std::unique_ptr<TargetMachine> machine(llvmTarget->createTargetMachine(
      triple, target, /*Features=*/"", options, Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return internalError("LLVM made no target machine");
  return machine;
}

} // namespace lgc
