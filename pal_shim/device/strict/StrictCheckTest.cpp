//===- StrictCheckTest.cpp - strict mode of the device --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/DeviceForTest.h"

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr char early[] = "v_mov_b32 v20, 0\nglobal_load_b32 v21, v20, s[0:1]\nv_mov_b32 v22, v21\n";

TEST(Strict, RefusesPrograms) {
  DeviceForTest lax({.threads = 1}), strict({.threads = 1, .strict = true});
  EXPECT_EQ(lax.run(programFor("gfx1100", early)), "");
  EXPECT_NE(
      strict.run(programFor("gfx1100", early))
          .find("pc 0xc 'v_mov_b32_e32 v22, v21': v21 is read while it may still be loaded by "
                "the instruction at pc 0x4 (vmcnt/loadcnt)"),
      std::string::npos)
      << strict.run(programFor("gfx1100", early));
  EXPECT_EQ(strict.run(programFor("gfx1100", "v_mov_b32 v20, 0\nglobal_load_b32 v21, v20, s[0:1]\n"
                                             "s_waitcnt vmcnt(0)\nv_mov_b32 v22, v21\n")),
            "");
}

/// What is under way goes with a wave through jumps that cannot be followed before.
TEST(Strict, FollowsWaves) {
  TestProgram program = programFor("gfx1100", R"(
    v_mov_b32 v20, 0
    s_getpc_b64 s[4:5]
    s_add_u32 s4, s4, 24
    global_load_b32 v21, v20, s[0:1]
    s_addc_u32 s5, s5, 0
    s_setpc_b64 s[4:5]
    s_endpgm
    v_mov_b32 v22, v21
  )");
  program.functions = {{"behind", 32}};
  DeviceForTest bed({.threads = 1, .strict = true});
  const std::string message = bed.run(program);
  EXPECT_NE(message.find("'v_mov_b32_e32 v22, v21', workgroup (0, 0, 0), wave 0: v21 is read while "
                         "it may still be loaded"),
            std::string::npos)
      << message;
}

/// A call that the program is allowed to rely on, of a function that does not wait.
TEST(Strict, FollowsCalls) {
  auto run = [](const std::string &wait) {
    TestProgram program = programFor("gfx1100", R"(
      v_mov_b32 v20, 0
      s_getpc_b64 s[4:5]
      s_add_u32 s4, s4, 28
      s_addc_u32 s5, s5, 0
      global_load_b32 v21, v20, s[0:1]
      s_swappc_b64 s[6:7], s[4:5]
      v_mov_b32 v22, v21
      s_endpgm
      )" + wait + R"(
      s_setpc_b64 s[6:7]
    )");
    program.functions = {{"function", 36}};
    return DeviceForTest({.threads = 1, .strict = true}).run(program);
  };
  EXPECT_EQ(run("s_waitcnt vmcnt(0)"), "");
  const std::string message = run("s_nop 0");
  EXPECT_NE(message.find("'v_mov_b32_e32 v22, v21', workgroup (0, 0, 0), wave 0: v21 is read"),
            std::string::npos)
      << message;
}

} // namespace
