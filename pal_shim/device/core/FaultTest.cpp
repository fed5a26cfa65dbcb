//===- FaultTest.cpp - how dispatches go wrong -----------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/DeviceForTest.h"
#include "llvm/ADT/StringExtras.h"
#include <immintrin.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

/// Runs and returns the fault's kind and message.
std::pair<DeviceFault::Kind, std::string> faultOf(DeviceForTest &bed, const TestProgram &program,
                                                  DispatchInfo info = {}) {
  auto loaded = bed.device->loadProgram(program.elf(), "kernel");
  EXPECT_TRUE(bool(loaded));
  uint32_t entries[] = {uint32_t(bed.buffer->address()), uint32_t(bed.buffer->address() >> 32)};
  info.program = loaded->get();
  info.userData = entries;
  std::pair<DeviceFault::Kind, std::string> result;
  llvm::Error rest = llvm::handleErrors(bed.device->dispatch(info), [&](const DeviceFault &fault) {
    result = {fault.getKind(), fault.getMessage()};
  });
  EXPECT_FALSE(bool(rest));
  return result;
}

} // namespace

TEST(Fault, MemoryAccessNamesThePlace) {
  DeviceForTest bed({.threads = 1});
  TestProgram program = programFor("gfx1100", R"(
    v_mov_b32 v20, 0x10000
    v_mov_b32 v21, 0
    v_cmp_eq_u32 vcc_lo, 37, v0
    s_and_b32 exec_lo, exec_lo, vcc_lo
    global_store_dword v20, v21, s[0:1]
  )");
  program.threads = {64, 1, 1};
  program.groupIdX = true;
  auto [kind, message] = faultOf(bed, program, {.base = {4, 5, 6}});
  EXPECT_EQ(kind, DeviceFault::Kind::MemoryAccess);
  std::string end = llvm::utohexstr(bed.buffer->address() + 65536, /*LowerCase=*/true);
  EXPECT_NE(message.find("kernel 'kernel', pc 0x14 'global_store_b32 v20, v21, s[0:1]', workgroup "
                         "(4, 5, 6), wave 1, lane 5: write of 4 bytes"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("0x" + end + " is 0 bytes after the end of 'buffer'"), std::string::npos)
      << message;
}

TEST(Fault, FreedMemory) {
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", "v_mov_b32 v20, 0\nglobal_load_dword v1, v20, "
                                              "s[0:1]\n");
  EXPECT_EQ(bed.run(program), "");
  GpuAddress address = bed.buffer->address();
  bed.buffer.reset();
  EXPECT_EQ(bed.device->translate(address, 4), nullptr);
  bed.buffer = std::move(*bed.device->allocate({.size = 256, .name = "other"}));
  EXPECT_NE(bed.buffer->address(), address);
  auto loaded = bed.device->loadProgram(program.elf(), "kernel");
  ASSERT_TRUE(bool(loaded));
  uint32_t entries[] = {uint32_t(address), uint32_t(address >> 32)};
  std::string message =
      llvm::toString(bed.device->dispatch({.program = loaded->get(), .userData = entries}));
  EXPECT_NE(message.find("read of 4 bytes"), std::string::npos) << message;
}

TEST(Fault, EndlessLoop) {
  DeviceForTest bed({.instructionLimit = 100'000});
  auto [kind, message] = faultOf(bed, programFor("gfx1100", "loop:\ns_nop 0\ns_branch loop"));
  EXPECT_EQ(kind, DeviceFault::Kind::InstructionLimit);
  EXPECT_NE(message.find("the wave executed 100000 instructions"), std::string::npos) << message;
  // Exactly the limit is no fault: 2 instructions.
  DeviceForTest exact({.instructionLimit = 2});
  EXPECT_EQ(exact.run(programFor("gfx1100", "s_nop 0")), "");
  DeviceForTest below({.instructionLimit = 1});
  EXPECT_NE(below.run(programFor("gfx1100", "s_nop 0")), "");
}

TEST(Fault, EndlessLoopOnAllThreads) {
  DeviceForTest bed({.threads = 3, .instructionLimit = 50'000});
  TestProgram program = programFor("gfx1100", "loop:\ns_branch loop");
  program.threads = {128, 1, 1};
  auto [kind, message] = faultOf(bed, program, {.groups = {1000, 1, 1}});
  EXPECT_EQ(kind, DeviceFault::Kind::InstructionLimit);
  // The device goes on working.
  EXPECT_EQ(bed.run(programFor("gfx1100", "s_nop 0")), "");
}

TEST(Fault, EndlessLoopNamesThePlaceOfItsWave) {
  // Wave 0 loops at 0xc, wave 1 behind it.
  DeviceForTest bed({.threads = 1, .instructionLimit = 20'000});
  TestProgram program = programFor("gfx1100", R"(
    v_cmp_gt_u32 vcc_lo, 32, v0
    s_cbranch_vccz second
    s_nop 0
    first: s_branch first
    second: s_nop 1
    s_branch second
  )");
  program.threads = {64, 1, 1};
  auto [kind, message] = faultOf(bed, program);
  EXPECT_EQ(kind, DeviceFault::Kind::InstructionLimit);
  EXPECT_NE(message.find("pc 0xc 's_branch"), std::string::npos) << message;
  EXPECT_NE(message.find("wave 0"), std::string::npos) << message;
}

TEST(Fault, AbsurdSizesAreBounded) {
  // As many threads as an int can count, and the largest scratch and workgroup.
  DeviceForTest bed({.threads = 0x7FFFFFFF});
  TestProgram program = programFor("gfx1100", "v_mov_b32 v1, 0\nscratch_store_b32 v1, v1, off\n");
  std::string message = bed.run(program, {.groups = {200'000, 1, 1}});
  EXPECT_NE(message.find("is outside the 0 bytes of the lane"), std::string::npos) << message;
  program.threads = {1024, 1, 1};
  program.scratchBytes = 256 * 1024;
  EXPECT_EQ(bed.run(program, {.groups = {3, 1, 1}}), "");
  program.scratchBytes += 4;
  EXPECT_NE(bed.run(program).find(".scratch_memory_size: 262148"), std::string::npos);
}

TEST(Fault, Deadlock) {
  // Only wave 0 signals, both wait.
  DeviceForTest bed({.target = "gfx1200"});
  TestProgram program = programFor("gfx1200", "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccz wait\n"
                                              "s_barrier_signal -1\nwait:\ns_barrier_wait -1\n");
  program.threads = {64, 1, 1};
  auto [kind, message] = faultOf(bed, program);
  EXPECT_EQ(kind, DeviceFault::Kind::Deadlock);
  EXPECT_NE(message.find("waves 0, 1 wait at a barrier that cannot complete: 1 of 2 waves have "
                         "signalled"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("'s_barrier_wait"), std::string::npos) << message;
}

TEST(Fault, WrongLaunches) {
  DeviceForTest bed({}), other({});
  auto loaded = bed.device->loadProgram(programFor("gfx1100", "").elf(), "kernel");
  ASSERT_TRUE(bool(loaded));
  EXPECT_EQ(llvm::toString(bed.device->dispatch({})), "no program");
  std::vector<uint32_t> entries(161);
  EXPECT_EQ(llvm::toString(bed.device->dispatch({.program = loaded->get(), .userData = entries})),
            "161 user-data entries, the limit is 160");
  EXPECT_EQ(llvm::toString(other.device->dispatch({.program = loaded->get()})),
            "program 'kernel' belongs to another device");
  EXPECT_EQ(
      llvm::toString(bed.device->dispatch({.program = loaded->get(), .groups = {~0u, ~0u, ~0u}})),
      "too many workgroups");
  EXPECT_EQ(
      llvm::toString(bed.device->dispatch({.program = loaded->get(), .groups = {0, ~0u, ~0u}})),
      "");
}

TEST(Fault, HostFloatModeIsKept) {
  DeviceForTest bed({.threads = 1});
  TestProgram program = programFor("gfx1100", "v_add_f32 v1, v1, v1\n");
  program.floatMode = 0x0F; // toward zero, denormals flushed
  unsigned before = _mm_getcsr();
  EXPECT_EQ(bed.run(program), "");
  EXPECT_EQ(_mm_getcsr(), before);
}

TEST(Trace, PrintsTextAndWrittenRegisters) {
  std::string log;
  DeviceOptions options;
  options.trace = {.enabled = true, .workgroup = {1, 0, 0}, .wave = 0, .lane = 2};
  options.log = [&](llvm::StringRef line) { log += (line + "\n").str(); };
  DeviceForTest bed(options);
  TestProgram program = programFor("gfx1100", "s_mov_b32 s5, 7\nv_add_nc_u32 v1, s5, v0\n"
                                              "s_cmp_eq_u32 s5, 7\ns_mov_b32 s5, 7");
  program.threads = {64, 1, 1};
  ASSERT_EQ(bed.run(program, {.groups = {2, 1, 1}}), "");
  EXPECT_EQ(log, "0x0: s_mov_b32 s5, 7 | s5=0x7\n"
                 "0x4: v_add_nc_u32_e32 v1, s5, v0 | v1[2]=0x9\n"
                 "0x8: s_cmp_eq_u32 s5, 7 | scc=1\n"
                 "0xc: s_mov_b32 s5, 7 | s5=0x7\n"
                 "0x10: s_endpgm |\n");
}
