//===- RunForTest.h - a single wave for tests of operations ----------------===//
// SPDX-License-Identifier: MIT
/// \file
///     WaveForTest w("gfx1100", 32, "s_add_u32 s0, s1, s2");
///     w->s[1] = 5; w->s[2] = 6;
///     EXPECT_TRUE(w.run());
///     EXPECT_EQ(w->s[0], 11u);
#pragma once

#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/device/core/Wave.h"

namespace pal::device::test {

/// Decoded code and one wave of a workgroup of its own, all lanes live, registers 0.
class WaveForTest {
public:
  /// The test binary ends with a message when \p text cannot be assembled; decoding errors are
  /// reported by error(). s_endpgm is appended.
  WaveForTest(llvm::StringRef target, unsigned waveSize, llvm::StringRef text);

  /// Why the code cannot be decoded; empty if it can.
  const std::string &error() const { return decodeError; }
  /// Runs from the start to s_endpgm. False if the code cannot be decoded, the wave faults, waits
  /// at a barrier, or executes more than a million instructions.
  bool run();
  /// Of the last run; empty if there was none.
  std::string faultMessage() const { return group.fault ? group.fault->message : ""; }

  Wave *operator->() { return wave.get(); }
  Wave &operator*() { return *wave; }

  DeviceOptions options;
  RegionTable regions; ///< memory that the wave sees; to be filled before run()
  Group group;
  ProgramData program;
  OpcodeCounters counters;

private:
  std::unique_ptr<Wave> wave;
  std::string decodeError;
};

} // namespace pal::device::test
