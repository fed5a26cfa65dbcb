//===- Harness.h - pipelines of GLSL on the software device ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What options do to results: a test compiles GLSL through llpc::Compiler, executes it for every
/// family and by both tiers, and compares with what a formula says. The storage buffer of set 0,
/// binding 0 is a 64-bit address in the first two root dwords, so that no descriptor is needed:
///   info.cs.options.disableFMA = true;
///   EXPECT_EQ(run(text, info, {1, 2, 3}), ...);
#pragma once

#include "lgc/CompileError.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/device/Draw.h"
#include "tools/frontend/Glsl.h"
#include <bit>
#include <cstring>
#include <gtest/gtest.h>

namespace options {

using Words = std::vector<uint32_t>;

inline uint32_t bitsOf(float number) { return std::bit_cast<uint32_t>(number); }

/// Target, and the tier that makes the code.
using Parameters = std::tuple<const char *, lgc::Tier>;

class OptionsTest : public testing::TestWithParam<Parameters> {
protected:
  OptionsTest() : target(std::get<0>(GetParam())), tier(std::get<1>(GetParam())) {
    compiler = llvm::cantFail(llpc::Compiler::create({.target = target}));
    device = llvm::cantFail(pal::device::SoftwareDevice::create(
        {.target = target, .threads = 1, .poison = true, .strict = true}));
  }

  llpc::ShaderModule module(const std::string &text, const char *stage) {
    auto spirv = frontend::compileGlsl("#version 460\n" + text, stage);
    if (!spirv) {
      ADD_FAILURE() << llvm::toString(spirv.takeError());
      return {};
    }
    auto built = llpc::Compiler::buildShaderModule(*spirv);
    if (!built) {
      ADD_FAILURE() << llvm::toString(built.takeError());
      return {};
    }
    return *built;
  }

  /// The root layout of all shaders, and the tier.
  void setCommon(llpc::PipelineBuildInfo &info) const {
    lgc::ResourceNode buffer;
    buffer.type = lgc::ResourceNodeType::DescriptorBufferCompact;
    buffer.sizeInDwords = 2;
    info.resourceMapping.roots.insert(info.resourceMapping.roots.begin(), buffer);
    info.options.tier = tier;
  }

  std::shared_ptr<const pal::device::Program> load(const llpc::PipelineResult &result) {
    EXPECT_EQ(result.directRefusal, "");
    EXPECT_EQ(result.isDirect, tier == lgc::Tier::Direct);
    return llvm::cantFail(device->loadProgram(result.elf.bytes(), "test"));
  }
  std::shared_ptr<const pal::device::Program> build(llpc::ComputePipelineBuildInfo &info) {
    setCommon(info);
    auto result = compiler->buildComputePipeline(info);
    if (!result) {
      ADD_FAILURE() << lgc::consumeToText(result.takeError()).message;
      return nullptr;
    }
    elf.assign(result->elf.bytes().begin(), result->elf.bytes().end());
    return load(*result);
  }
  std::shared_ptr<const pal::device::Program> build(llpc::GraphicsPipelineBuildInfo &info) {
    setCommon(info);
    auto result = compiler->buildGraphicsPipeline(info);
    if (!result) {
      ADD_FAILURE() << lgc::consumeToText(result.takeError()).message;
      return nullptr;
    }
    elf.assign(result->elf.bytes().begin(), result->elf.bytes().end());
    return load(*result);
  }

  std::unique_ptr<pal::device::Allocation>
  allocate(const Words &words, pal::device::Heap heap = pal::device::Heap::General) {
    auto memory = llvm::cantFail(
        device->allocate({.size = words.size() * 4, .heap = heap, .name = "buffer"}));
    std::memcpy(memory->host(), words.data(), words.size() * 4);
    return memory;
  }
  static Words wordsOf(const pal::device::Allocation &memory) {
    Words words(memory.size() / 4);
    std::memcpy(words.data(), memory.host(), words.size() * 4);
    return words;
  }
  static Words addressOf(const pal::device::Allocation &memory) {
    return {uint32_t(memory.address()), uint32_t(memory.address() >> 32)};
  }

  /// `.wgp_mode` of a stage of the last build.
  std::optional<bool> wgpModeOf(pal::abi::HardwareStage stage) const {
    const auto object = llvm::cantFail(pal::abi::ElfObject::parse(elf));
    const auto metadata =
        llvm::cantFail(pal::abi::PipelineMetadata::parse(object.findMetadataNote()->desc));
    const auto &found = metadata.hardwareStage(stage);
    return found ? found->wgpMode : std::nullopt;
  }

  /// What one workgroup makes of \p buffer.
  Words run(const std::string &text, llpc::ComputePipelineBuildInfo info, const Words &buffer) {
    info.cs.module = module(text, "comp");
    const auto program = build(info);
    if (!program)
      return {};
    const auto memory = allocate(buffer);
    const Words root = addressOf(*memory);
    if (llvm::Error fault = device->dispatch({.program = program.get(), .userData = root}))
      ADD_FAILURE() << llvm::toString(std::move(fault));
    return wordsOf(*memory);
  }

  const std::string target;
  const lgc::Tier tier;
  std::unique_ptr<llpc::Compiler> compiler;
  std::unique_ptr<pal::device::SoftwareDevice> device;
  std::vector<uint8_t> elf; ///< of the last build
};

inline auto allParameters() {
  return testing::Combine(testing::Values("gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"),
                          testing::Values(lgc::Tier::Llvm, lgc::Tier::Direct));
}
inline std::string nameOf(const testing::TestParamInfo<Parameters> &info) {
  return std::string(std::get<0>(info.param)) +
         (std::get<1>(info.param) == lgc::Tier::Direct ? "Direct" : "Llvm");
}

} // namespace options
