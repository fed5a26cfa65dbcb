//===- PartPrimitivesTest.cpp - one part for all primitives ---------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/PartsForTest.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/Verify.h"

using namespace llpc;
using namespace llpc::test;
using lgc::PartKind;

namespace {

/// `.outprim_type` of a code object; empty: it has none.
std::string primitiveOf(llvm::ArrayRef<uint8_t> code) {
  namespace key = pal::abi::key;
  auto elf = llvm::cantFail(pal::abi::ElfObject::parse(code));
  auto metadata = llvm::cantFail(pal::abi::PipelineMetadata::parse(elf.findMetadataNote()->desc));
  llvm::msgpack::DocNode *registers =
      pal::abi::lookup(metadata.pipelineMap(), key::graphicsRegisters);
  llvm::msgpack::DocNode *type =
      registers ? pal::abi::lookup(registers->getMap(), key::vgtGsOutPrimType) : nullptr;
  return type ? pal::abi::lookup(type->getMap(), key::outprimType)->getString().str() : "";
}

TEST(Parts, OnePartMakesAllPrimitives) {
  GraphicsPipelineBuildInfo info = passOnPipeline();
  constexpr std::pair<lgc::Topology, const char *> topologies[] = {
      {lgc::Topology::PointList, "PointList"},
      {lgc::Topology::LineStrip, "LineStrip"},
      {lgc::Topology::TriangleFan, "TriStrip"}};
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    auto compiler = compilerFor(target);
    auto fragment = digest(compiler->buildPart(info, PartKind::Fragment));
    auto colors = digest(compiler->buildGlue(*fragment, info, PartKind::ColorExport));
    const Hash128 key = llvm::cantFail(compiler->partKey(info, PartKind::PreRasterization));
    for (const auto &[topology, name] : topologies) {
      SCOPED_TRACE(std::string(target) + " " + name);
      GraphicsPipelineBuildInfo other = info;
      other.iaState.topology = topology;
      EXPECT_EQ(llvm::cantFail(compiler->partKey(other, PartKind::PreRasterization)), key);
      auto before = digest(compiler->buildPart(other, PartKind::PreRasterization));
      auto fetch = digest(compiler->buildGlue(*before, other, PartKind::VertexFetch));
      auto linked = lgc::linkParts({.vertexFetch = fetch.get(),
                                    .preRasterization = before.get(),
                                    .fragment = fragment.get(),
                                    .colorExport = colors.get()},
                                   lgc::LinkLayout(info.resourceMapping),
                                   {.outputPrimitive = outputPrimitiveOf(other)});
      ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
      EXPECT_TRUE(pal::abi::verifyCodeObject(*linked, nullptr).empty());
      auto whole = compiler->buildGraphicsPipeline(other);
      ASSERT_TRUE(bool(whole));
      EXPECT_EQ(primitiveOf(*linked), primitiveOf(whole->elf.bytes()));
      if (target != std::string("gfx1010")) // the legacy vertex stage
        EXPECT_EQ(primitiveOf(*linked), name);
    }
    // Culling looks at the vertices of triangles.
    GraphicsPipelineBuildInfo culls = info, points = info;
    culls.nggState.backfaceCulling = points.nggState.backfaceCulling = true;
    points.iaState.topology = lgc::Topology::PointList;
    EXPECT_NE(llvm::cantFail(compiler->partKey(culls, PartKind::PreRasterization)),
              llvm::cantFail(compiler->partKey(points, PartKind::PreRasterization)));
    // Other stages say what they make.
    points.gs.module = info.vs.module;
    EXPECT_EQ(outputPrimitiveOf(points), std::nullopt);
  }
}

} // namespace
