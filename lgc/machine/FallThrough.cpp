//===- FallThrough.cpp - functions that fall through to glue --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/FallThrough.h"
#include "lgc/CompileError.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

enum class End : uint8_t { Continues, Program, Falls };

/// How control leaves a block. LLVM's return pseudo instruction makes no code.
End endOf(const MachineBasicBlock &block, const TargetInstrInfo &info) {
  for (const MachineInstr &inst : reverse(block)) {
    if (inst.isMetaInstruction())
      continue;
    StringRef name = info.getName(inst.getOpcode());
    if (name == "SI_RETURN_TO_EPILOG")
      return End::Falls;
    if (name == "S_ENDPGM")
      return End::Program;
    break;
  }
  return block.succ_empty() ? End::Falls : End::Continues;
}

} // namespace

Error checkFallThrough(const MachineFunction &function) {
  // Functions that are called do return.
  if (function.getFunction().getReturnType()->isVoidTy() || function.empty() ||
      function.getFunction().getCallingConv() == CallingConv::AMDGPU_Gfx)
    return Error::success();
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  for (const MachineBasicBlock &block : function)
    if (&block != &function.back() && endOf(block, info) == End::Falls)
      return internalError("'" + function.getName() + "' returns in block " +
                           Twine(block.getNumber()) + ", which is not the last one");
  return Error::success();
}

} // namespace lgc
