//===- ColorExportGlueTest.cpp - exports behind a fragment part -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace lgc;

namespace {

using Color = ExportSignature::Color;

constexpr const char *targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};

PipelineState stateFor(const char *target) {
  PipelineState state;
  state.target = target;
  state.graphics.targets[0].format = {TexelLayout::RGBA8, NumericKind::Unorm};
  return state;
}

PartInfo glueFor(ExportSignature signature) {
  PartInfo info;
  info.kind = PartKind::ColorExport;
  info.colorExport = std::move(signature);
  return info;
}

ExportSignature oneColor() {
  ExportSignature signature;
  signature.waveSize = 64;
  signature.colors.push_back({0, 0, 0xF, Color::Type::Float, 32});
  return signature;
}

struct Glue {
  std::string error;
  ErrorKind kind = ErrorKind::Internal;
  CompileResult result;
};

Glue compile(const PipelineState &state, const PartInfo &info,
             OutputKind kind = OutputKind::Object) {
  static Backend backend;
  Glue glue;
  auto result = backend.compileGlue(state, info, kind);
  if (result) {
    glue.result = std::move(*result);
  } else {
    ErrorText text = consumeToText(result.takeError());
    glue.error = text.message;
    glue.kind = text.kind;
  }
  return glue;
}

/// Keys of `.graphics_registers`, and the names of the keys beside it.
std::string keysOf(const CompileResult &result) {
  auto object = llvm::cantFail(pal::abi::ElfObject::parse(result.data));
  const pal::abi::ElfNote *note = object.findMetadataNote();
  auto metadata = llvm::cantFail(pal::abi::PipelineMetadata::parse(note->desc));
  std::string text;
  for (auto &[key, value] : metadata.pipelineMap()) {
    text += key.getString().str() + "\n";
    if (key.getString() == ".graphics_registers")
      for (auto &[inner, unused] : value.getMap())
        text += "  " + inner.getString().str() + "\n";
  }
  return text;
}

TEST(ColorExportGlue, CodeObject) {
  for (const char *target : targets) {
    SCOPED_TRACE(target);
    const PartInfo info = glueFor(oneColor());
    Glue glue = compile(stateFor(target), info);
    ASSERT_EQ(glue.error, "");
    auto object = llvm::cantFail(pal::abi::ElfObject::parse(glue.result.data));
    const pal::abi::ElfSection *section = object.findSection(partInfoSection);
    ASSERT_TRUE(section);
    EXPECT_EQ(llvm::cantFail(decodePartInfo(section->data)), info);
    const pal::abi::ElfSymbol *entry = object.findSymbol("_amdgpu_ps_main");
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->value, 0u);
    EXPECT_EQ(entry->size, glue.result.stats.codeBytes);
    EXPECT_GT(glue.result.stats.instructions, 3u);
    EXPECT_EQ(keysOf(glue.result), ".graphics_registers\n  .cb_shader_mask\n  .db_shader_control\n"
                                   "  .spi_shader_col_format\n  .spi_shader_z_format\n"
                                   ".hardware_stages\n");
  }
}

TEST(ColorExportGlue, Constants) {
  ExportSignature signature = oneColor();
  signature.colors[0] = {0, 0, 0x2, Color::Type::Float, 32, 0x5, 0x8};
  const auto &data =
      compile(stateFor("gfx1100"), glueFor(signature), OutputKind::Assembly).result.data;
  const std::string text(data.begin(), data.end());
  // y is in the only register.
  EXPECT_NE(text.find("v_cvt_pk_rtz_f16_f32_e32 v0, 0, v0"), std::string::npos) << text;
  EXPECT_NE(text.find("exp mrt0"), std::string::npos) << text;
  signature.colors[0] = {0, 0, 0, Color::Type::Uint, 16, 0, 0xF};
  EXPECT_EQ(signature.vgprCount(), 0u);
  PipelineState state = stateFor("gfx1030");
  state.graphics.targets[0].format = {TexelLayout::RGBA8, NumericKind::Uint};
  EXPECT_EQ(compile(state, glueFor(signature)).error, "");
}

TEST(ColorExportGlue, SameBytes) {
  const PartInfo info = glueFor(oneColor());
  const auto first = compile(stateFor("gfx1100"), info).result.data;
  EXPECT_EQ(first, compile(stateFor("gfx1100"), info).result.data);
  // Glue of another backend, which has compiled nothing before.
  Backend other;
  EXPECT_EQ(first, llvm::cantFail(other.compileGlue(stateFor("gfx1100"), info)).data);
}

TEST(ColorExportGlue, Errors) {
  auto expect = [](const PipelineState &state, const PartInfo &info, const char *message) {
    EXPECT_EQ(compile(state, info).error, message);
  };
  const PipelineState state = stateFor("gfx1100");
  const char *impossible = "glue: impossible signature of a colour export";
  PartInfo info = glueFor(oneColor());
  info.colorExport->waveSize = 16;
  expect(state, info, impossible);
  auto expectColors = [&](std::vector<Color> colors) {
    PartInfo changed = glueFor(oneColor());
    changed.colorExport->colors = std::move(colors);
    expect(state, changed, impossible);
  };
  expectColors({{8, 0, 1, Color::Type::Float, 32}});
  expectColors({{0, 2, 1, Color::Type::Float, 32}});
  expectColors({{1, 1, 1, Color::Type::Float, 32}});
  expectColors({{0, 0, 0, Color::Type::Float, 32}});
  expectColors({{0, 0, 16, Color::Type::Float, 32}});
  expectColors({{0, 0, 1, Color::Type::Float, 32, 1, 0}});
  expectColors({{0, 0, 1, Color::Type::Float, 32, 2, 2}});
  expectColors({{0, 0, 1, Color::Type::Float, 32, 0, 32}});
  expectColors({{0, 0, 1, Color::Type::Float, 64}});
  expectColors({{0, 0, 1, Color::Type::Float, 32}, {0, 0, 1, Color::Type::Float, 32}});
  expectColors({{1, 0, 1, Color::Type::Float, 32}, {0, 0, 1, Color::Type::Float, 32}});
  info = glueFor(oneColor());
  info.colorExport.reset();
  expect(state, info, "glue: color export without a signature");
  info.kind = PartKind::Fragment;
  expect(state, info, "glue: fragment without a signature");
  PipelineState bad = state;
  bad.target = "gfx900";
  EXPECT_NE(compile(bad, glueFor(oneColor())).error, "");
  bad = state;
  bad.graphics.targets[0].format = {TexelLayout::RGB8, NumericKind::Unorm};
  Glue glue = compile(bad, glueFor(oneColor()));
  EXPECT_EQ(glue.error, "colour target 0: format RGB8.unorm cannot be rendered to");
  EXPECT_EQ(glue.kind, ErrorKind::Unsupported);
  bad = state;
  bad.graphics.cbState.dualSourceBlendDynamic = true;
  info = glueFor(oneColor());
  info.colorExport->colors.push_back({0, 1, 0xF, Color::Type::Float, 32});
  glue = compile(bad, info);
  EXPECT_EQ(glue.error, "part: two blend sources as a dynamic state");
  EXPECT_EQ(glue.kind, ErrorKind::Unsupported);
}

} // namespace
