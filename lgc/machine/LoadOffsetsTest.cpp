//===- LoadOffsetsTest.cpp - places folded into scalar loads --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/LoadOffsets.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCSymbol.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

using Lines = std::vector<std::string>;

/// What is left of the body, without IMPLICIT_DEF: name, registers, numbers, symbol of each.
Lines foldedBody(const std::string &target, StringRef body) {
  const std::string text = ("--- |\n"
                            "  @kiln.table.0.1 = external addrspace(1) global i32\n"
                            "  @other = external addrspace(1) global i32\n"
                            "  define amdgpu_cs void @f() { ret void }\n"
                            "...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n" +
                            body)
                               .str();
  Lines lines;
  withMir(target, text, [&](MachineFunction &function) {
    foldLoadOffsets(function);
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block) {
        if (inst.isImplicitDef())
          continue;
        std::string line = function.getSubtarget().getInstrInfo()->getName(inst.getOpcode()).str();
        for (const MachineOperand &operand : inst.explicit_operands()) {
          if (operand.isReg() && operand.getReg().isVirtual())
            line += " %" + std::to_string(operand.getReg().virtRegIndex());
          else if (operand.isImm())
            line += " " + std::to_string(operand.getImm());
          else if (operand.isGlobal())
            line += " @" + operand.getGlobal()->getName().str();
        }
        if (const MCSymbol *symbol = inst.getPreInstrSymbol())
          line += " <" + symbol->getName().str() + ">";
        lines.push_back(line);
      }
  });
  return lines;
}

constexpr const char *targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1201"};

TEST(LoadOffsets, EveryLoadOfAPlaceTakesIt) {
  for (const char *target : targets)
    EXPECT_EQ(foldedBody(target, R"(  bb.0:
    %0:sreg_64_xexec = IMPLICIT_DEF
    %1:sreg_32 = S_MOV_B32 target-flags(amdgpu-abs32-lo) @kiln.table.0.1
    %2:sgpr_256 = S_LOAD_DWORDX8_SGPR_IMM %0, %1, 0, 0
    S_BRANCH %bb.1
  bb.1:
    %3:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %1, 32, 0
    %4:sreg_32_xm0_xexec = S_LOAD_DWORD_SGPR_IMM %0, %1, 4, 0
)"),
              (Lines{"S_LOAD_DWORDX8_IMM %2 %0 0 0 <kiln.table.0.1>", "S_BRANCH",
                     "S_LOAD_DWORDX4_IMM %3 %0 32 0 <kiln.table.0.1>",
                     "S_LOAD_DWORD_IMM %4 %0 4 0 <kiln.table.0.1>"}))
        << target;
}

TEST(LoadOffsets, OthersKeepTheLiteral) {
  EXPECT_EQ(foldedBody("gfx1100", R"(  bb.0:
    %0:sreg_64_xexec = IMPLICIT_DEF
    %1:sgpr_128 = IMPLICIT_DEF
    %2:sreg_32 = S_MOV_B32 target-flags(amdgpu-abs32-lo) @kiln.table.0.1
    %3:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %2, 16, 0
    %4:sreg_32_xm0_xexec = S_BUFFER_LOAD_DWORD_SGPR_IMM %1, %2, 0, 0
    %5:sreg_32 = S_MOV_B32 target-flags(amdgpu-abs32-lo) @other
    %6:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %5, 16, 0
)"),
            (Lines{"S_MOV_B32 %2 @kiln.table.0.1", "S_LOAD_DWORDX4_IMM %3 %0 16 0 <kiln.table.0.1>",
                   "S_BUFFER_LOAD_DWORD_SGPR_IMM %4 %1 %2 0 0", "S_MOV_B32 %5 @other",
                   "S_LOAD_DWORDX4_SGPR_IMM %6 %0 %5 16 0"}));
}

TEST(LoadOffsets, SumsLeaveTheOtherHalf) {
  EXPECT_EQ(foldedBody("gfx1100", R"(  bb.0:
    %0:sreg_64_xexec = IMPLICIT_DEF
    %1:sreg_32 = IMPLICIT_DEF
    %2:sreg_32 = S_ADD_I32 %1, target-flags(amdgpu-abs32-lo) @kiln.table.0.1, implicit-def dead $scc
    %3:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %2, 16, 0
    %4:sreg_32 = S_ADD_U32 target-flags(amdgpu-abs32-lo) @kiln.table.0.1, %1, implicit-def $scc
    %5:sreg_32 = S_ADDC_U32 %1, 0, implicit-def $scc, implicit $scc
    %6:sgpr_128 = S_LOAD_DWORDX4_SGPR_IMM %0, %4, 0, 0
)"),
            (Lines{"S_LOAD_DWORDX4_SGPR_IMM %3 %0 %1 16 0 <kiln.table.0.1>",
                   "S_ADD_U32 %4 @kiln.table.0.1 %1", "S_ADDC_U32 %5 %1 0",
                   "S_LOAD_DWORDX4_SGPR_IMM %6 %0 %4 0 0"}));
}

} // namespace
