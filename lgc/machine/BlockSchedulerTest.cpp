//===- BlockSchedulerTest.cpp - an order that hides latency ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/BlockScheduler.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// The registers that instructions define, in the new order; "-" for none, ";" between blocks.
std::string orderOf(StringRef body, bool isScheduled = true) {
  std::string order;
  const std::string text = ("---\nname: f\ntracksRegLiveness: true\nbody: |\n" + body).str();
  withMir("gfx1100", text, [&](MachineFunction &function) {
    EXPECT_EQ(scheduleBlocks(function), isScheduled);
    for (const MachineBasicBlock &block : function) {
      order += order.empty() ? "" : "; ";
      for (const MachineInstr &inst : block) {
        const bool hasResult = inst.getNumExplicitDefs() && inst.getOperand(0).getReg().isVirtual();
        order += hasResult ? std::to_string(inst.getOperand(0).getReg().virtRegIndex()) : "-";
        order += &inst == &block.back() ? "" : " ";
      }
    }
  });
  return order;
}

constexpr StringLiteral load = ":vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: "
                               "(load (s32), addrspace 1)\n";

std::string loadTo(unsigned reg) { return "    %" + std::to_string(reg) + load.str(); }

std::string addTo(unsigned reg, unsigned a, unsigned b) {
  return "    %" + std::to_string(reg) + ":vgpr_32 = V_ADD_U32_e32 %" + std::to_string(a) + ", %" +
         std::to_string(b) + ", implicit $exec\n";
}

const std::string begin = "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n";
const std::string store =
    "    GLOBAL_STORE_DWORD %0, %2, 0, 0, implicit $exec :: (store (s32), addrspace 1)\n";

TEST(BlockScheduler, LoadsStandTogether) {
  EXPECT_EQ(orderOf(begin + loadTo(1) + addTo(2, 1, 1) + loadTo(3) + addTo(4, 3, 3)), "0 1 3 2 4");
}

TEST(BlockScheduler, LoadsStayBehindStores) {
  EXPECT_EQ(orderOf(begin + loadTo(1) + addTo(2, 1, 1) + store + loadTo(3) + addTo(4, 3, 3)),
            "0 1 2 - 3 4");
}

TEST(BlockScheduler, InvariantLoadsPassStores) {
  std::string late = loadTo(3);
  late.replace(late.find("(load"), 5, "(dereferenceable invariant load");
  EXPECT_EQ(orderOf(begin + loadTo(1) + addTo(2, 1, 1) + store + late + addTo(4, 3, 3)),
            "0 1 3 2 4 -");
}

TEST(BlockScheduler, DependentInstructionsComeApart) {
  // 2 - 3 - 4 is a chain, 5 and 6 are ready.
  EXPECT_EQ(orderOf(begin + "    %1:vgpr_32 = IMPLICIT_DEF\n" + addTo(2, 1, 1) + addTo(3, 2, 2) +
                    addTo(4, 3, 3) + addTo(5, 1, 1) + addTo(6, 1, 1)),
            "0 1 2 5 6 3 4");
}

TEST(BlockScheduler, UsesOfLoadsComeLate) {
  // 3 reads the load. A chain of sums does not, each of which waits some instructions for the one
  // before: several of them come first.
  std::string body = begin + "    %1:vgpr_32 = IMPLICIT_DEF\n" + loadTo(2) + addTo(3, 2, 2);
  for (unsigned i = 4; i < 14; ++i)
    body += addTo(i, i == 4 ? 1 : i - 1, 1);
  const std::string order = orderOf(body);
  EXPECT_GT(order.find(" 3 "), order.find(" 7 ")) << order;
}

TEST(BlockScheduler, LoadsWaitForRegisters) {
  // The results of forty loads, all issued before the first is read, would take forty registers.
  std::string body = begin + "    %1:vgpr_32 = IMPLICIT_DEF\n";
  for (unsigned i = 0; i < 40; ++i)
    body += loadTo(100 + i);
  for (unsigned i = 0; i < 40; ++i)
    body += addTo(200 + i, i ? 199 + i : 1, 100 + i);
  const std::string order = orderOf(body);
  unsigned live = 0, highest = 0;
  SmallVector<StringRef, 0> items;
  StringRef(order).split(items, ' ');
  // MIR numbers registers as they come: 2 to 41 are loads, sums follow.
  for (unsigned i = 1; i < items.size(); ++i) {
    unsigned reg = 0;
    ASSERT_FALSE(items[i].getAsInteger(10, reg));
    live += reg == 1 ? 0 : reg < 42 ? 1 : -1;
    highest = std::max(highest, live);
  }
  EXPECT_EQ(items.size(), 82u);
  EXPECT_LE(highest, 36u) << order;
}

TEST(BlockScheduler, PhysicalRegistersKeepTheirOrder) {
  // The carry of the first sum belongs to the second, whatever loads need.
  EXPECT_EQ(orderOf("  bb.0:\n"
                    "    %0:sreg_32 = IMPLICIT_DEF\n"
                    "    %1:sreg_32 = S_ADD_U32 %0, %0, implicit-def $scc\n"
                    "    %2:sreg_32 = S_ADDC_U32 %0, %0, implicit-def $scc, implicit $scc\n"
                    "    %3:sreg_32 = S_ADD_U32 %0, %0, implicit-def $scc\n"
                    "    %4:sreg_32 = S_ADDC_U32 %0, %0, implicit-def $scc, implicit $scc\n"),
            "0 1 2 3 4");
}

TEST(BlockScheduler, NothingCrossesAChangeOfTheMask) {
  EXPECT_EQ(orderOf(begin + loadTo(1) + addTo(2, 1, 1) + "    $exec = S_MOV_B64 -1\n" + loadTo(3) +
                    addTo(4, 3, 3)),
            "0 1 2 - 3 4");
}

TEST(BlockScheduler, BlocksStayApart) {
  EXPECT_EQ(orderOf(begin + loadTo(1) + addTo(2, 1, 1) + loadTo(3) + "  bb.1:\n" + loadTo(4) +
                    addTo(5, 4, 4) + loadTo(6) + addTo(7, 6, 3)),
            "0 1 3 2; 4 6 5 7");
}

TEST(BlockScheduler, LargeRegionsAreLeftAlone) {
  std::string body = begin + loadTo(1) + addTo(2, 1, 1);
  for (unsigned i = 3; i < scheduledRegionMax + 3; ++i)
    body += addTo(i, i - 1, i - 1);
  std::string order = orderOf(body, /*isScheduled=*/false);
  EXPECT_TRUE(StringRef(order).starts_with("0 1 2 3 4 5 "));
}

} // namespace
