//===- GlueInputTest.cpp - representatives of formats and state -----------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/GlueInput.h"
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "llpc/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>

using namespace llpc;
using lgc::ExportSignature;
using lgc::FetchSignature;
using lgc::PartKind;
using lgc::TexelFormat;

namespace {

lgc::PartInfo exportGlue(std::vector<ExportSignature::Color> colors) {
  lgc::PartInfo info;
  info.kind = PartKind::ColorExport;
  info.colorExport.emplace();
  info.colorExport->waveSize = 64;
  info.colorExport->colors = std::move(colors);
  return info;
}

constexpr auto floats = ExportSignature::Color::Type::Float;

/// The state of \p info without any replacement.
lgc::GraphicsState rawTargets(const ColorBlendState &blend) {
  lgc::GraphicsState state;
  for (unsigned i = 0; i < maxColorTargets; ++i) {
    const ColorTargetState &from = blend.target[i];
    state.targets[i] = {texelFormatOf(from.format).value_or(TexelFormat()), from.channelWriteMask,
                        from.blendEnable, from.blendSrcAlphaToColor};
  }
  state.cbState = blend;
  return state;
}

class GlueCompiler {
public:
  explicit GlueCompiler(const char *target) : target(target) {}

  /// The code object, or the error.
  std::vector<uint8_t> compile(const lgc::PartInfo &part, const lgc::GraphicsState &graphics) {
    lgc::PipelineState state;
    state.target = target;
    state.graphics = graphics;
    auto result = backend.compileGlue(state, part);
    if (result)
      return result->data;
    const std::string message = lgc::consumeToText(result.takeError()).message;
    return std::vector<uint8_t>(message.begin(), message.end());
  }

  /// Compiles with and without representatives; of equal keys once.
  void check(const lgc::PartInfo &part, const GraphicsPipelineBuildInfo &info) {
    const lgc::GraphicsState input = glueInput(part, info, PartKind::ColorExport, target);
    const Hash128 key = glueHash(part, input, PartKind::ColorExport, target);
    auto [at, isNew] = byKey.try_emplace(key);
    if (isNew)
      at->second = compile(part, input);
    EXPECT_EQ(compile(part, rawTargets(info.cbState)), at->second)
        << target << " " << vkFormatName(info.cbState.target[0].format);
  }

  /// Of formats that can be rendered to; the others have keys of their own, for their errors.
  size_t keys() const {
    return static_cast<size_t>(
        llvm::count_if(byKey, [](const auto &entry) { return entry.second.front() == 0x7F; }));
  }

private:
  const char *target;
  lgc::Backend backend;
  std::map<Hash128, std::vector<uint8_t>> byKey;
};

/// Everything that has a name, in order.
std::vector<uint32_t> allFormats() {
  std::vector<uint32_t> formats;
  for (uint32_t format = 0; format < 130; ++format)
    if (texelFormatOf(format))
      formats.push_back(format);
  return formats;
}

TEST(GlueInput, FormatsThatShareGlueHaveTheSameCode) {
  const std::vector<uint32_t> formats = allFormats();
  EXPECT_GT(formats.size(), 60u);
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100"}) {
    GlueCompiler compiler(target);
    unsigned checked = 0;
    for (uint32_t format : formats) {
      for (unsigned variant = 0; variant < 4; ++variant) {
        GraphicsPipelineBuildInfo info;
        ColorTargetState &color = info.cbState.target[0];
        color.format = format;
        // One of them each, so that all pairs of format and variant come.
        color.blendEnable = variant == 1;
        color.blendSrcAlphaToColor = variant == 2;
        color.channelWriteMask = variant == 3 ? 0x9 : 0xF;
        compiler.check(exportGlue({{0, 0, variant == 0 ? 0x7u : 0xFu, floats, 32}}), info);
        ++checked;
      }
    }
    EXPECT_LT(compiler.keys(), checked / 4) << target;
  }
}

TEST(GlueInput, CoverageAndTwoSources) {
  for (const char *target : {"gfx1010", "gfx1100", "gfx1201"}) {
    GlueCompiler compiler(target);
    for (uint32_t format : {0u, 9u, 37u, 44u, 64u, 91u, 97u, 98u, 100u, 103u, 107u, 109u, 122u}) {
      GraphicsPipelineBuildInfo info;
      info.cbState.target[0].format = format;
      info.cbState.alphaToCoverageEnable = true;
      const lgc::PartInfo one = exportGlue({{0, 0, 0xF, floats, 32}});
      compiler.check(one, info);
      lgc::PartInfo withDepth = one;
      withDepth.colorExport->depth = true;
      compiler.check(withDepth, info);
      const lgc::PartInfo two = exportGlue({{0, 0, 0xF, floats, 32}, {0, 1, 0xF, floats, 32}});
      info.cbState.alphaToCoverageEnable = false;
      compiler.check(two, info);
      info.cbState.dualSourceBlendEnable = true;
      compiler.check(two, info);
      compiler.check(one, info);
    }
  }
}

TEST(GlueInput, IntegersKeepTheirSign) {
  GlueCompiler compiler("gfx1100");
  for (auto type : {ExportSignature::Color::Type::Sint, ExportSignature::Color::Type::Uint})
    for (uint32_t bits : {16u, 32u})
      for (uint32_t format : {13u, 14u, 41u, 42u, 68u, 95u, 96u, 98u, 99u, 107u, 108u}) {
        GraphicsPipelineBuildInfo info;
        info.cbState.target[0].format = format;
        compiler.check(exportGlue({{0, 0, 0xF, type, bits}}), info);
      }
}

TEST(GlueInput, AlignmentOfUnreadAttributesStays) {
  lgc::PartInfo part;
  part.kind = PartKind::VertexFetch;
  part.fetch.emplace();
  part.fetch->inputs = {{1, 0xF, FetchSignature::Input::Type::Float}};
  auto hashOf = [&](const std::vector<VertexAttributeInfo> &attributes) {
    GraphicsPipelineBuildInfo info;
    info.vertexInput.bindings = {{.binding = 0, .stride = 16}};
    info.vertexInput.attributes = attributes;
    return glueHash(part, glueInput(part, info, PartKind::VertexFetch, "gfx1100"),
                    PartKind::VertexFetch, "gfx1100");
  };
  const VertexAttributeInfo bytes = {1, 0, 37, 4}; // R8G8B8A8_UNORM
  const Hash128 alone = hashOf({bytes});
  // Dwords beside it: loads of four bytes at a time. Which dwords, does not matter.
  const Hash128 beside = hashOf({bytes, {2, 0, 100, 8}});
  EXPECT_NE(beside, alone);
  EXPECT_EQ(hashOf({{5, 0, 106, 0}, bytes}), beside);
  // Other bytes say nothing, and neither does another binding.
  EXPECT_EQ(hashOf({bytes, {2, 0, 37, 8}}), alone);
}

} // namespace
