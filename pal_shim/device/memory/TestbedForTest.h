//===- TestbedForTest.h - single instructions on a wave of the test --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Assembles instructions with LLVM, decodes them as the loader does, and executes them on a wave
/// whose registers and memory the test sets and reads.
#pragma once

#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/OpIndex.h"
#include "pal_shim/device/core/Wave.h"
#include <bit>

namespace pal::device::test {

class Testbed {
public:
  explicit Testbed(llvm::StringRef target, unsigned waveSize = 32);

  /// Memory of the device, zero-filled; its address.
  GpuAddress allocate(uint64_t bytes, uint64_t alignment = 256);
  template <class T> T &at(GpuAddress address) {
    return *reinterpret_cast<T *>(view->find(address, sizeof(T)));
  }
  /// Decodes all instructions of \p text; the test fails when one cannot be decoded.
  std::vector<Instr> decode(llvm::StringRef text);
  /// Why the first instruction of \p text cannot be decoded; empty if it can.
  std::string whyNot(llvm::StringRef text);
  /// Executes \p text; returns the message of a fault, or nothing.
  std::string run(llvm::StringRef text);

  uint32_t &v(unsigned reg, unsigned lane) { return wave->v[reg].lane[lane]; }
  float vf(unsigned reg, unsigned lane) { return std::bit_cast<float>(v(reg, lane)); }
  void setF(unsigned reg, unsigned lane, float value) {
    v(reg, lane) = std::bit_cast<uint32_t>(value);
  }
  /// The address in \p reg and \p reg + 1 of a lane.
  void setAddress(unsigned reg, unsigned lane, GpuAddress address) {
    v(reg, lane) = uint32_t(address);
    v(reg + 1, lane) = uint32_t(address >> 32);
  }
  void setS64(unsigned slot, uint64_t value) { wave->setS64(slot, value); }
  void setExec(uint64_t mask) { wave->setMask(sreg::execLo, mask); }
  void setWords(unsigned slot, llvm::ArrayRef<uint32_t> words) {
    std::copy(words.begin(), words.end(), wave->s + slot);
  }

  std::string target;
  unsigned waveSize;
  std::unique_ptr<Wave> wave;
  Group group;
  std::vector<uint8_t> scratch;

private:
  bool decodeAll(llvm::StringRef text, std::vector<Instr> &out, std::string &why);
  AddressSpace space;
  std::vector<std::shared_ptr<const Region>> regions;
  std::unique_ptr<MemoryView> view;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<OpIndex> index;
};

/// One target of each generation.
inline constexpr const char *allTargets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};
inline bool isGfx12(llvm::StringRef target) { return target.starts_with("gfx12"); }
inline bool isGfx10(llvm::StringRef target) { return target.starts_with("gfx10"); }

} // namespace pal::device::test
