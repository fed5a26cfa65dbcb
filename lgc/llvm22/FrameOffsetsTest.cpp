//===- FrameOffsetsTest.cpp - a scalar register for places on the stack ---===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/FrameOffsets.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

unsigned freeScalars(const MachineFunction &function) {
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  unsigned count = 0;
  for (const TargetRegisterClass *all : target.regclasses())
    if (StringRef(target.getRegClassName(all)) == "SGPR_32")
      for (MCPhysReg reg : all->getRegisters())
        count += !function.getRegInfo().isReserved(reg);
  return count;
}

/// Numbers of scalar registers that values may be in: before, between the steps, and after them.
std::vector<unsigned> freeWithStack(const std::string &target, unsigned bytes,
                                    const std::string &attributes = "") {
  std::vector<unsigned> counts;
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() " + attributes +
      " { unreachable }\n...\n---\nname: f\ntracksRegLiveness: true\nstack:\n  - { id: 0, size: " +
      std::to_string(bytes) + ", alignment: 16 }\nbody: |\n  bb.0:\n    S_ENDPGM 0\n";
  withMir(target, text, [&](MachineFunction &function) {
    function.getRegInfo().freezeReservedRegs();
    counts.push_back(freeScalars(function));
    reserveForFrameOffsets(function);
    reserveForFrameOffsets(function); // the second time takes nothing
    counts.push_back(freeScalars(function));
    releaseForFrameOffsets(function);
    counts.push_back(freeScalars(function));
  });
  return counts;
}

TEST(FrameOffsets, OneRegisterLessForLargeStacks) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1201"}) {
    const std::vector<unsigned> large = freeWithStack(target, 8192);
    ASSERT_EQ(large.size(), 3u) << target;
    EXPECT_EQ(large[1], large[0] - 1) << target;
    EXPECT_EQ(large[2], large[0]) << target;
    const std::vector<unsigned> small = freeWithStack(target, 512);
    ASSERT_EQ(small.size(), 3u) << target;
    EXPECT_EQ(small[1], small[0]) << target;
    EXPECT_EQ(small[2], small[0]) << target;
  }
}

TEST(FrameOffsets, LimitsOfTheFunctionComeBack) {
  const std::vector<unsigned> counts = freeWithStack("gfx1100", 8192, "\"amdgpu-num-sgpr\"=\"40\"");
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_LT(counts[0], 40u);
  EXPECT_EQ(counts[1], counts[0] - 1);
  EXPECT_EQ(counts[2], counts[0]);
}

} // namespace
