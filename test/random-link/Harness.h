//===- Harness.h - compile, link, execute ---------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "RandomPart.h"
#include "lgc/Compile.h"
#include "lgc/Link.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/srd/Srd.h"
#include <map>

namespace randomlink {

using Bytes = std::vector<uint8_t>;

/// Code objects of one target.
class Compiler {
public:
  Compiler(std::string target, lgc::OptLevel level, lgc::Tier tier)
      : target(std::move(target)), level(level), tier(tier) {}
  /// \p state without target and options. What the direct tier refuses is LLVM's.
  llvm::Expected<Bytes> compile(const std::string &text, const lgc::PipelineState &state);
  /// What stands beside \p part.
  llvm::Expected<Bytes> glue(const lgc::Part &part, lgc::PartKind kind, lgc::PipelineState state);

  uint64_t direct = 0;                     ///< modules that the direct tier has made
  std::map<std::string, uint64_t> refused; ///< modules that it has not, by reason

private:
  llvm::Expected<lgc::CompileResult> compileWith(lgc::Tier with, const std::string &text,
                                                 lgc::PipelineState state);

  std::string target;
  lgc::OptLevel level;
  lgc::Tier tier;
  lgc::Backend backend;
};

/// What a program leaves behind.
struct Result {
  std::vector<uint32_t> output;
  std::vector<Bytes> targets; ///< by the module's outputs, rows without padding

  bool operator==(const Result &) const = default;
};
/// What the host computes.
Result expectedResult(const RandomModule &module);

/// A device, and memory for what shaders access.
class Executor {
public:
  static llvm::Expected<std::unique_ptr<Executor>> create(const std::string &target);
  /// A dispatch or a draw, when user data follow `mapping`.
  llvm::Expected<Result> run(const Bytes &elf, const RandomModule &module,
                             const lgc::ResourceMapping &mapping);

private:
  Executor() = default;
  llvm::Error allocate();
  llvm::Expected<std::vector<uint32_t>> makeUserData(const RandomModule &module,
                                                     const lgc::ResourceMapping &mapping);
  void writeNode(const RandomModule &module, const lgc::ResourceNode &node, uint32_t *dwords);
  uint32_t *buffer(const RandomModule &module, uint32_t binding, uint32_t element,
                   uint64_t &address, uint32_t &bytes);
  llvm::Error draw(const pal::device::Program &program, const RandomDraw &random,
                   llvm::ArrayRef<uint32_t> userData, std::vector<Bytes> &targets);

  const pal::abi::GpuTarget *target = nullptr;
  std::unique_ptr<pal::device::SoftwareDevice> device;
  std::unique_ptr<pal::device::Allocation> tables, buffers, vertices, images;
  uint32_t nextBuffer = 0;               ///< dword in `buffers` that is free
  const uint32_t *outputStart = nullptr; ///< of this run
};

} // namespace randomlink
