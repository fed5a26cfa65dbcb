//===- MirForTest.h - machine functions from text -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/target/TargetMachine.h"
#include "lgc/target/TargetSession.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

namespace lgc::test {

/// Calls \p use with function "f" of a file in the MIR language; anything that is wrong with the
/// file fails the test.
inline void withMir(const std::string &target, const std::string &mir,
                    llvm::function_ref<void(llvm::MachineFunction &)> use) {
  auto session = TargetSession::create(target, OptLevel::Default);
  ASSERT_TRUE(bool(session));
  llvm::LLVMContext context;
  auto parser = createMIRParser(llvm::MemoryBuffer::getMemBufferCopy(mir), context);
  std::unique_ptr<llvm::Module> module = parser->parseIRModule();
  ASSERT_TRUE(module);
  module->setDataLayout((*session)->machine().createDataLayout());
  llvm::MachineModuleInfo info(&(*session)->machine());
  ASSERT_FALSE(parser->parseMachineFunctions(*module, info));
  use(*info.getMachineFunction(*module->getFunction("f")));
}

} // namespace lgc::test
