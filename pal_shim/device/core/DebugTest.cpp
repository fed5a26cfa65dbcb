//===- DebugTest.cpp - debuggers of waves ----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where waves stop, and what a debugger sees there.
#include "pal_shim/device/Debug.h"
#include "pal_shim/device/core/DeviceForTest.h"

namespace pal::device::test {
namespace {

/// At each s_nop.
class AtNops : public Debugger {
public:
  bool stopsAt(abi::HardwareStage stage, uint32_t, llvm::StringRef mnemonic) override {
    EXPECT_EQ(stage, abi::HardwareStage::Cs);
    return mnemonic == "s_nop";
  }
  bool stopped(const StoppedWave &wave) override {
    waves.push_back(wave.index());
    execs.push_back(wave.exec());
    values.push_back({wave.sgpr(4), wave.vgpr(1, 3), wave.vgpr(1, 63), wave.sgpr(5000)});
    EXPECT_EQ(wave.group(), (std::array<uint32_t, 3>{}));
    EXPECT_EQ(wave.lanes(), 32u);
    EXPECT_TRUE(wave.scratch(0).empty());
    EXPECT_TRUE(wave.scratch(99).empty());
    return waves.size() < stopsMax;
  }
  std::vector<unsigned> waves;
  std::vector<uint64_t> execs;
  std::vector<std::array<uint32_t, 4>> values;
  size_t stopsMax = 100;
};

TestProgram twoWaves() {
  TestProgram program = programFor("gfx1100", R"(
    s_mov_b32 s4, 7
    v_mov_b32 v1, 5
    s_nop 0
    s_mov_b32 exec_lo, 15
    v_mov_b32 v1, 6
    s_nop 0
    s_endpgm)",
                                   32);
  program.threads = {64, 1, 1};
  return program;
}

TEST(Debug, StopsWhereItIsAsked) {
  DeviceForTest bed({.target = "gfx1100", .threads = 1});
  AtNops debugger;
  attachDebugger(*bed.device, &debugger);
  EXPECT_EQ(bed.run(twoWaves()), "");
  EXPECT_EQ(debugger.waves, (std::vector<unsigned>{0, 0, 1, 1}));
  EXPECT_EQ(debugger.execs, (std::vector<uint64_t>{0xFFFFFFFF, 15, 0xFFFFFFFF, 15}));
  EXPECT_EQ(debugger.values[0], (std::array<uint32_t, 4>{7, 5, 0, 0}));
  EXPECT_EQ(debugger.values[1], (std::array<uint32_t, 4>{7, 6, 0, 0}));
  attachDebugger(*bed.device, nullptr);
  EXPECT_EQ(bed.run(twoWaves()), "");
  EXPECT_EQ(debugger.waves.size(), 4u);
}

TEST(Debug, EndsWhatRuns) {
  DeviceForTest bed({.target = "gfx1100", .threads = 1});
  AtNops debugger;
  debugger.stopsMax = 2;
  attachDebugger(*bed.device, &debugger);
  EXPECT_NE(bed.run(twoWaves()).find("the debugger has ended it"), std::string::npos);
  EXPECT_EQ(debugger.waves.size(), 2u);
}

} // namespace
} // namespace pal::device::test
