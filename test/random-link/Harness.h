//===- Harness.h - compile, link, execute ---------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "RandomPart.h"
#include "lgc/Compile.h"
#include "lgc/Link.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/srd/Srd.h"

namespace randomlink {

using Bytes = std::vector<uint8_t>;

/// Code objects of one module for one target, by layout.
class Compiler {
public:
  Compiler(std::string target, lgc::OptLevel level) : target(std::move(target)), level(level) {}
  llvm::Expected<Bytes> compile(const std::string &text, const lgc::ResourceMapping &mapping,
                                bool relocatable);

private:
  std::string target;
  lgc::OptLevel level;
  lgc::Backend backend;
};

/// A device, and memory for what shaders access.
class Executor {
public:
  static llvm::Expected<std::unique_ptr<Executor>> create(const std::string &target);
  /// What the code object stores when its user data follow `mapping`.
  llvm::Expected<std::vector<uint32_t>> run(const Bytes &elf, const RandomModule &module,
                                            const lgc::ResourceMapping &mapping);

private:
  Executor() = default;
  void writeNode(const RandomModule &module, const lgc::ResourceNode &node, uint32_t *dwords);
  uint32_t *buffer(const RandomModule &module, uint32_t binding, uint32_t element,
                   uint64_t &address, uint32_t &bytes);

  const pal::abi::GpuTarget *target = nullptr;
  std::unique_ptr<pal::device::SoftwareDevice> device;
  std::unique_ptr<pal::device::Allocation> tables, buffers;
  uint32_t nextBuffer = 0;               ///< dword in `buffers` that is free
  const uint32_t *outputStart = nullptr; ///< of this run
};

} // namespace randomlink
