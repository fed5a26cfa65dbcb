//===- MachineStep.cpp - a pass out of a function -------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/MachineStep.h"
#include "lgc/CompileError.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace lgc {
namespace {

class MachineStepPass : public MachineFunctionPass {
public:
  static char ID;
  MachineStepPass(StringRef name, MachineStep step)
      : MachineFunctionPass(ID), name(name), step(std::move(step)) {}
  bool runOnMachineFunction(MachineFunction &function) override { return step(function); }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return name; }

private:
  StringRef name;
  MachineStep step;
};
char MachineStepPass::ID = 0;

} // namespace

FunctionPass *createMachineStepPass(StringRef name, MachineStep step) {
  return new MachineStepPass(name, std::move(step));
}

unsigned findOpcode(const TargetInstrInfo &info, StringRef name) {
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode)
    if (info.getName(opcode) == name)
      return opcode;
  KILN_CHECK(false, "LLVM has no instruction of this name");
  return 0;
}

} // namespace lgc
