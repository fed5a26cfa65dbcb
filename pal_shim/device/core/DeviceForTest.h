//===- DeviceForTest.h - a device with a buffer, for tests -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "gtest/gtest.h"

namespace pal::device::test {

/// A device and one buffer of 64 KiB, whose address is user data 0 and 1.
class DeviceForTest {
public:
  explicit DeviceForTest(const DeviceOptions &options);

  /// Loads and dispatches; "" or the message of the error.
  std::string run(const TestProgram &program, const DispatchInfo &info = {});
  uint32_t *dwords() { return reinterpret_cast<uint32_t *>(buffer->host()); }

  std::unique_ptr<SoftwareDevice> device;
  std::unique_ptr<Allocation> buffer;
  /// Follow the buffer's address: entries 2, 3, ...
  std::vector<uint32_t> userData;
};

/// A program for \p target with s[0:1] = address of the buffer.
TestProgram programFor(llvm::StringRef target, llvm::StringRef text, unsigned waveSize = 32);

/// "s_barrier", or what it is on gfx12.
std::string barrierText(llvm::StringRef target);

/// Sets \p x, \p y, \p z, names of VGPRs other than v0 to v2, to the local ids.
std::string localIdText(llvm::StringRef target, const char *x, const char *y, const char *z);

} // namespace pal::device::test
