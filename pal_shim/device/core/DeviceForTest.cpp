//===- DeviceForTest.cpp - a device with a buffer, for tests ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/DeviceForTest.h"

namespace pal::device::test {

DeviceForTest::DeviceForTest(const DeviceOptions &options) {
  auto made = SoftwareDevice::create(options);
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    std::abort();
  }
  device = std::move(*made);
  auto allocated = device->allocate({.size = 65536, .name = "buffer"});
  if (!allocated) {
    ADD_FAILURE() << llvm::toString(allocated.takeError());
    std::abort();
  }
  buffer = std::move(*allocated);
}

std::string DeviceForTest::run(const TestProgram &program, const DispatchInfo &info) {
  auto loaded = device->loadProgram(program.elf(), "kernel");
  if (!loaded)
    return llvm::toString(loaded.takeError());
  std::vector<uint32_t> entries = {uint32_t(buffer->address()), uint32_t(buffer->address() >> 32)};
  entries.insert(entries.end(), userData.begin(), userData.end());
  DispatchInfo complete = info;
  complete.program = loaded->get();
  complete.userData = entries;
  llvm::Error error = device->dispatch(complete);
  return error ? llvm::toString(std::move(error)) : "";
}

TestProgram programFor(llvm::StringRef target, llvm::StringRef text, unsigned waveSize) {
  TestProgram program;
  program.target = target.str();
  program.text = text.str();
  program.waveSize = waveSize;
  program.userDataRegMap = {0, 1};
  return program;
}

std::string barrierText(llvm::StringRef target) {
  return target.starts_with("gfx12") ? "s_barrier_signal -1\ns_barrier_wait -1\n" : "s_barrier\n";
}

std::string localIdText(llvm::StringRef target, const char *x, const char *y, const char *z) {
  auto line = [](const char *op, const char *to, const char *rest) {
    return std::string(op) + " " + to + ", " + rest + "\n";
  };
  if (target.starts_with("gfx10"))
    return line("v_mov_b32", x, "v0") + line("v_mov_b32", y, "v1") + line("v_mov_b32", z, "v2");
  return line("v_and_b32", x, "0x3ff, v0") + line("v_bfe_u32", y, "v0, 10, 10") +
         line("v_bfe_u32", z, "v0, 20, 10");
}

} // namespace pal::device::test
