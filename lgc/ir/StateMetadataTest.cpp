//===- StateMetadataTest.cpp - state round trip and bad metadata ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/StateMetadata.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace lgc;

namespace {

/// A state in which every field differs from its default.
PipelineState fullState() {
  PipelineState s;
  s.target = "gfx1100";
  s.deviceIndex = 3;
  s.options.robustBufferAccess = s.options.robustBufferAccess2 = true;
  s.options.robustImageAccess2 = s.options.nullDescriptor = s.options.scalarBlockLayout = true;
  s.options.primitivesGeneratedQuery = s.options.meshShaderQueries = true;
  s.options.includeIr = s.options.includeDisassembly = s.options.debugInfo = true;
  s.options.optLevel = OptLevel::Quick;
  s.options.pipelineHash[0] = ~0ull;
  s.options.pipelineHash[1] = 0x8000000000000001ull;
  s.part = {true, true, true, PartState::Half::Fragment};
  s.compute.entryName = "main \"quoted\"";
  s.compute.workgroupSize = {8, 4, 2};
  s.compute.waveSize = 32;
  s.compute.subgroupSize = 64;
  s.compute.requireFullSubgroups = s.compute.usesSubgroupOps = true;
  s.compute.derivatives = ComputeShaderState::Derivatives::Quads;
  s.compute.fp16 = {true, true, true, true};
  s.compute.fp32 = {false, false, false, false};
  s.compute.fp64 = {false, true, false, false};
  s.compute.vgprLimit = 64;
  s.compute.sgprLimit = 32;
  s.compute.wavesPerEu = 4;
  s.compute.disableLoopUnroll = true;
  s.compute.shaderHash[0] = 1;
  GraphicsState &g = s.graphics;
  g.stageMask = 0x56;
  for (ShaderState &shader : g.shaders)
    shader.waveSize = 32;
  g.tess = {TessModes::Domain::Quads, TessModes::Spacing::FractionalOdd, TessModes::Order::Cw, true,
            3};
  g.geometry = {InputPrimitive::LinesAdjacency, OutputPrimitive::Lines, 2, 7};
  g.mesh = {OutputPrimitive::Points, 64, 126};
  g.fragment = {true, true, true, FragmentModes::Conservative::Less,      true, true,
                true, true, true, FragmentModes::Interlock::SampleOrdered};
  g.xfb = {true, {4, 8, 0, 16}, {0, 1, 2, 3}};
  g.topology = Topology::PatchList;
  g.patchControlPoints = 4;
  g.dynamicTopology = g.disableVertexReuse = g.switchWinding = g.multiview = true;
  g.provokingVertexLast = g.dynamicVertexStride = g.robustUnboundVertex = true;
  g.rasterizerDiscard = g.innerCoverage = g.perSampleShading = g.dynamicSampleInfo = true;
  g.depthClipEnable = false;
  g.vertexBindings = {{0, 12, false, 1}, {3, 16, true, 0}};
  g.vertexAttributes = {{2, 3, 8, {TexelLayout::RGBA8, NumericKind::Snorm, true, false}}};
  g.numSamples = 4;
  g.pixelShaderSamples = 2;
  g.samplePatternIdx = 1;
  g.rasterStream = 3;
  g.targets[1] = {{TexelLayout::ABGR4, NumericKind::Unorm, false, true}, 7, true, true};
  g.alphaToCoverage = g.dualSourceBlend = g.dualSourceBlendDynamic = true;
  g.ngg = {false, true, true, true, true, true, true, 128, 64};
  ResourceNode table{ResourceNodeType::DescriptorTableVaPtr, 1, 0, 2, 0, 0, {}};
  table.table.push_back({ResourceNodeType::DescriptorBuffer, 4, 8, 2, 1, 16, {}});
  table.table.push_back({ResourceNodeType::DescriptorImage, 8, 12, 2, 0xFFFFFFFF, 0, {}});
  s.mapping.roots = {table, {ResourceNodeType::PushConst, 4, 1, 0, 0, 0, {}}, table};
  s.mapping.staticDescriptors.push_back(
      {ResourceNodeType::DescriptorSampler, 1, 2, 2, {1, 2, 3, 0xFFFFFFFF, 5, 6, 7, 8}});
  return s;
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, llvm::StringRef text) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

std::string readError(llvm::StringRef text) {
  llvm::LLVMContext context;
  auto module = parse(context, text);
  auto state = readState(*module);
  return state ? "no error" : consumeToText(state.takeError()).message;
}

TEST(StateMetadata, RoundTripThroughText) {
  for (const PipelineState &state : {fullState(), PipelineState{}}) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    writeState(module, fullState()); // is replaced
    writeState(module, state);
    std::string text;
    llvm::raw_string_ostream(text) << module;

    llvm::LLVMContext other;
    auto parsed = parse(other, text);
    auto read = readState(*parsed);
    ASSERT_TRUE(static_cast<bool>(read)) << consumeToText(read.takeError()).message;
    EXPECT_EQ(*read, state) << text;
  }
}

TEST(StateMetadata, DefaultsAreNotWritten) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  PipelineState state;
  state.target = "gfx1201";
  writeState(module, state);
  EXPECT_EQ(module.named_metadata_size(), 1u);
}

TEST(StateMetadata, Errors) {
  EXPECT_EQ(readError("!lgc.target = !{!0}\n!0 = !{i32 1}"),
            "metadata !lgc.target: expected one entry with the target's name");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"robust\", i32 1}"),
            "metadata !lgc.options: unknown key 'robust'");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"debugInfo\", i32 2}"),
            "metadata !lgc.options: value of 'debugInfo' has a wrong shape");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"optLevel\", !\"best\"}"),
            "metadata !lgc.options: value of 'optLevel' has a wrong shape");
  EXPECT_EQ(readError("!lgc.compute = !{!0}\n!0 = !{!\"workgroupSize\", i32 1, i32 1}"),
            "metadata !lgc.compute: value of 'workgroupSize' has a wrong shape");
  EXPECT_EQ(readError("!lgc.compute = !{!0, !1}\n!0 = !{!\"waveSize\", i32 64}\n"
                      "!1 = !{!\"waveSize\", i32 32}"),
            "metadata !lgc.compute: key 'waveSize' occurs twice");
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = !{!\"Descriptor\", i32 1}"),
            "metadata !lgc.user.data: unknown resource node type 'Descriptor'");
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = !{!\"PushConst\", i32 1, i32 0, i32 0}"),
            "metadata !lgc.user.data: PushConst: operand 4 is no i32");
  // A table that contains itself ends at the depth limit.
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = distinct !{!\"DescriptorTableVaPtr\", i32 1, "
                      "i32 0, i32 0, i32 0, i32 0, !0}"),
            "metadata !lgc.user.data: DescriptorTableVaPtr: operand 6 is no table entry");
}

TEST(Shader, DataLayoutIsLlvms) {
  EXPECT_EQ(dataLayoutString(), llvm::Triple(targetTriple()).computeDataLayout());
}

} // namespace
