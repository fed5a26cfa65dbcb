// SPDX-License-Identifier: MIT
// Glue in front of parts: which signatures it takes, and what becomes of formats.
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "gtest/gtest.h"

using namespace lgc;
using pal::abi::HardwareStage;

namespace {

FetchSignature signatureOf(HardwareStage stage) {
  FetchSignature signature;
  signature.stage = stage;
  signature.waveSize = 64;
  signature.sgprs = 12;
  signature.vgprs = 9;
  signature.baseVertex = 9;
  signature.baseInstance = 10;
  signature.vertexBufferTable = 11;
  signature.vertexId = 5;
  signature.instanceId = 8;
  signature.inputs = {{0, 0xB, FetchSignature::Input::Type::Float},
                      {3, 0xF, FetchSignature::Input::Type::Int}};
  return signature;
}

PipelineState stateOf(const char *target = "gfx1100") {
  PipelineState state;
  state.target = target;
  state.graphics.vertexBindings = {{.binding = 0, .stride = 32}};
  TexelFormat format = {TexelLayout::RGBA8, NumericKind::Unorm};
  state.graphics.vertexAttributes = {{.location = 0, .binding = 0, .offset = 0, .format = format}};
  return state;
}

std::string compile(const FetchSignature &signature, const PipelineState &state,
                    OutputKind kind = OutputKind::Assembly) {
  Backend backend;
  PartInfo info;
  info.kind = PartKind::VertexFetch;
  info.fetch = signature;
  auto result = backend.compileGlue(state, info, kind);
  if (!result)
    return consumeToText(result.takeError()).message;
  return {result->data.begin(), result->data.end()};
}

TEST(VertexFetchGlue, LoadsFallThrough) {
  std::string text = compile(signatureOf(HardwareStage::Gs), stateOf());
  EXPECT_NE(text.find("_amdgpu_gs_main:"), std::string::npos) << text;
  EXPECT_NE(text.find("s_mov_b64 exec, -1"), std::string::npos) << text;
  EXPECT_NE(text.find("tbuffer_load_format_x v11"), std::string::npos) << text;
  EXPECT_EQ(text.find("s_endpgm"), std::string::npos) << text;
  // Location 3 has no attribute: zeros in the four VGPRs behind x, y, w.
  EXPECT_NE(text.find("v_mov_b32_e32 v15, 0"), std::string::npos) << text;
}

TEST(VertexFetchGlue, LegacyStageKeepsExec) {
  std::string text = compile(signatureOf(HardwareStage::Vs), stateOf("gfx1010"));
  EXPECT_NE(text.find("_amdgpu_vs_main:"), std::string::npos) << text;
  EXPECT_EQ(text.find("exec"), std::string::npos) << text;
}

TEST(VertexFetchGlue, SignaturesThatNoPartHas) {
  const std::string error = "glue: impossible signature of vertex inputs";
  auto errorAfter = [&](auto change) {
    FetchSignature signature = signatureOf(HardwareStage::Gs);
    change(signature);
    return compile(signature, stateOf());
  };
  EXPECT_EQ(errorAfter([](auto &s) { s.stage = HardwareStage::Ps; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.waveSize = 16; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.sgprs = maxGlueSgprs + 1; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.vgprs = maxGlueVgprs; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.vertexBufferTable = 12; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.baseVertex = FetchSignature::none; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.vertexId = 9; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.inputs[0].mask = 0; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.inputs[1].mask = 16; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.inputs[1].location = 0; }), error);
  EXPECT_EQ(errorAfter([](auto &s) { s.inputs[1].location = ~0u; }), error);
}

TEST(VertexFetchGlue, FormatsThatBuffersLack) {
  PipelineState state = stateOf();
  state.graphics.vertexAttributes[0].format = {TexelLayout::RGBA8, NumericKind::Srgb};
  EXPECT_NE(compile(signatureOf(HardwareStage::Gs), state).find("vertex attribute at location 0"),
            std::string::npos);
}

TEST(VertexFetchGlue, ObjectCarriesItsSignature) {
  Backend backend;
  PartInfo info;
  info.kind = PartKind::VertexFetch;
  info.fetch = signatureOf(HardwareStage::Gs);
  auto result = backend.compileGlue(stateOf("gfx1201"), info, OutputKind::Object);
  ASSERT_TRUE(bool(result)) << consumeToText(result.takeError()).message;
  auto object = pal::abi::ElfObject::parse(result->data);
  ASSERT_TRUE(bool(object));
  const pal::abi::ElfSection *section = object->findSection(partInfoSection);
  ASSERT_NE(section, nullptr);
  auto decoded = decodePartInfo(section->data);
  ASSERT_TRUE(bool(decoded));
  EXPECT_EQ(*decoded, info);
  auto metadata = pal::abi::PipelineMetadata::parse(object->findMetadataNote()->desc);
  ASSERT_TRUE(bool(metadata));
  const auto &stage = metadata->hardwareStage(HardwareStage::Gs);
  ASSERT_TRUE(stage.has_value());
  EXPECT_EQ(stage->vgprCount, 16u);
  EXPECT_GE(stage->sgprCount.value_or(0), 12u);
  EXPECT_EQ(stage->scratchMemorySize.value_or(0), 0u);
}

} // namespace
