//===- GeometryStageTest.cpp - waves of vertices and primitives ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"
#include "gtest/gtest.h"

using namespace pal::device;
using namespace pal::device::test;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

/// Position (id, instance, 0, 1); attribute: id, instance, the first API entry, 7.
std::string idBody(bool isNgg) {
  std::string entry = isNgg ? "s9" : "s1";
  return "v_cvt_f32_u32 v24, v10\nv_cvt_f32_u32 v25, v11\nv_mov_b32 v26, 0\nv_mov_b32 v27, 1.0\n"
         "v_mov_b32 v28, v10\nv_mov_b32 v29, v11\nv_mov_b32 v30, " +
         entry + "\nv_mov_b32 v31, 7\n";
}

VertexShaderForTest shaderFor(const char *target, bool isNgg) {
  return {.target = target, .isNgg = isNgg, .body = idBody(isNgg)};
}

TestGraphics programOf(const VertexShaderForTest &shader) {
  TestGraphics graphics;
  shader.addTo(graphics);
  return graphics;
}

/// Both ways where there are two.
struct Way {
  const char *target;
  bool isNgg;
};
constexpr Way allWays[] = {{"gfx1010", false}, {"gfx1010", true}, {"gfx1030", false},
                           {"gfx1030", true},  {"gfx1100", true}, {"gfx1150", true},
                           {"gfx1201", true}};

} // namespace

TEST(GeometryStage, PositionsAndAttributesOfAStrip) {
  for (const Way &way : allWays) {
    SCOPED_TRACE(std::string(way.target) + (way.isNgg ? " NGG" : " legacy"));
    for (bool poison : {false, true}) {
      GeometryBed bed(programOf(shaderFor(way.target, way.isNgg)), poison);
      bed.draw.input.topology = PrimitiveTopology::TriangleStrip;
      bed.draw.range.vertexCount = 150;
      bed.draw.range.instanceCount = 3;
      ASSERT_EQ(bed.run(), "");
      const GeometryOutput &out = bed.output;
      ASSERT_EQ(out.primitives.size(), 148u * 3);
      EXPECT_EQ(out.vertices.size(), bed.invocations);
      EXPECT_GE(bed.invocations, 450u);
      ASSERT_EQ(out.attributes.size(), out.vertices.size());
      for (unsigned i = 0; i < out.primitives.size(); ++i) {
        const PrimitiveOutput &primitive = out.primitives[i];
        unsigned instance = i / 148, first = i % 148;
        // Vulkan, "Triangle Strips": (i, i + 1 + i % 2, i + 2 - i % 2).
        const unsigned expected[] = {first, first + 1 + first % 2, first + 2 - first % 2};
        EXPECT_EQ(primitive.primitiveId, first);
        EXPECT_EQ(primitive.vertexCount, 3);
        EXPECT_EQ(primitive.provoking, 0);
        for (unsigned corner = 0; corner < 3; ++corner) {
          uint32_t vertex = primitive.vertices[corner];
          ASSERT_LT(vertex, out.vertices.size());
          EXPECT_EQ(out.vertices[vertex].position,
                    (std::array<float, 4>{float(expected[corner]), float(instance), 0, 1}));
          EXPECT_EQ(out.attributes[vertex], (Attribute{expected[corner], instance, 0xABCD, 7}));
        }
      }
    }
  }
}

TEST(GeometryStage, MiscVectorAndDistances) {
  for (const char *target : allFamilies) {
    SCOPED_TRACE(target);
    bool isGfx10 = llvm::StringRef(target).starts_with("gfx10");
    std::string name = llvm::StringRef(target).starts_with("gfx12") ? "export" : "exp";
    VertexShaderForTest shader = shaderFor(target, !isGfx10);
    // Size 2.5; rate 5 in bits 5:2, and bits that are none of its; viewport 3, layer 5; distances 1
    // and 2 of the second vector.
    shader.body += "v_mov_b32 v2, 0x40200000\nv_mov_b32 v4, 0xd5\nv_mov_b32 v6, 0x30005\n" + name +
                   " pos1 v2, v4, v6, off\nv_mov_b32 v2, 1.0\nv_mov_b32 v4, 2.0\n" + name +
                   " pos2 v2, v4, off, off\n";
    TestGraphics graphics = programOf(shader);
    for (llvm::StringRef field :
         {key::useVtxPointSize, key::useVtxRenderTargetIndx, key::useVtxViewportIndx,
          key::useVtxVrsRate, key::vsOutMiscVecEna, key::vsOutCcDist0VecEna, key::clipDistEna0})
      graphics.registers.push_back({{key::paClVsOutCntl.str(), field.str()}, 1});
    GeometryBed bed(graphics);
    bed.draw.input.topology = PrimitiveTopology::PointList;
    bed.draw.range.vertexCount = 2;
    ASSERT_EQ(bed.run(), "");
    ASSERT_EQ(bed.output.vertices.size(), 2u);
    const VertexOutput &vertex = bed.output.vertices[1];
    EXPECT_EQ(vertex.pointSize, 2.5f);
    EXPECT_EQ(vertex.shadingRate, 5u);
    EXPECT_EQ(vertex.layer, 5u);
    EXPECT_EQ(vertex.viewport, 3u);
    EXPECT_EQ(vertex.distances[0], 1.0f);
    EXPECT_EQ(vertex.distances[1], 2.0f);
    EXPECT_EQ(bed.output.clipMask, 1);
    EXPECT_EQ(bed.output.primitives[1].vertexCount, 1);
  }
}

TEST(GeometryStage, WithoutPassthroughWordsComeApart) {
  // gfx10 and gfx11: 16-bit numbers, the third vertex in v1; the shader puts the word together.
  for (const char *target : {"gfx1030", "gfx1100", "gfx1150"}) {
    SCOPED_TRACE(target);
    VertexShaderForTest shader = shaderFor(target, true);
    shader.isPassthrough = false;
    shader.primitiveCode = "v_and_b32 v6, 0xffff, v0\nv_lshrrev_b32 v7, 16, v0\n"
                           "v_lshl_or_b32 v6, v7, 10, v6\nv_lshl_or_b32 v0, v1, 20, v6\n";
    GeometryBed bed(programOf(shader));
    bed.draw.range.vertexCount = 6;
    ASSERT_EQ(bed.run(), "");
    ASSERT_EQ(bed.output.primitives.size(), 2u);
    EXPECT_EQ(bed.output.vertices[bed.output.primitives[1].vertices[2]].position[0], 5.0f);
  }
}

TEST(GeometryStage, EmptyPrimitivesAreLeftOut) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    SCOPED_TRACE(target);
    VertexShaderForTest shader = shaderFor(target, true);
    // Every second primitive, by its number in the group.
    shader.primitiveCode = "v_and_b32 v6, 1, v21\nv_cmp_eq_u32 vcc_lo, 1, v6\n"
                           "v_bfrev_b32 v7, 1\nv_cndmask_b32 v0, v0, v7, vcc_lo\n";
    GeometryBed bed(programOf(shader));
    bed.draw.range.vertexCount = 30;
    ASSERT_EQ(bed.run(), "");
    // Two batches of five primitives, of which three are left each.
    ASSERT_EQ(bed.output.primitives.size(), 6u);
    EXPECT_EQ(bed.output.primitives[1].primitiveId, 2u);
    EXPECT_EQ(bed.invocations, 30u);
  }
}

TEST(GeometryStage, WrongPrimitiveShadersFault) {
  VertexShaderForTest silent = shaderFor("gfx1030", true);
  silent.allocates = false;
  TestGraphics graphics = programOf(silent);
  graphics.registers.push_back(
      {{key::vgtShaderStagesEn.str(), key::primgenPassthruNoMsg.str()}, 0});
  GeometryBed noMessage(graphics);
  noMessage.draw.range.vertexCount = 3;
  EXPECT_EQ(noMessage.run(), "kernel 'test', group 0: no wave has allocated export space");

  VertexShaderForTest wild = shaderFor("gfx1100", true);
  wild.primitiveCode = "v_mov_b32 v0, 0x1ff\n";
  GeometryBed badVertex(programOf(wild));
  badVertex.draw.range.vertexCount = 3;
  EXPECT_EQ(badVertex.run(),
            "kernel 'test', group 0: primitive 0 has vertex 511, which has no position");

  VertexShaderForTest missing = shaderFor("gfx1100", true);
  missing.primitiveCode = "s_mov_b32 exec_lo, 0\n";
  GeometryBed noPrimitive(programOf(missing));
  noPrimitive.draw.range.vertexCount = 3;
  EXPECT_EQ(noPrimitive.run(), "kernel 'test', group 0: primitive 0 was not exported");

  VertexShaderForTest beyond = shaderFor("gfx1100", true);
  beyond.primitiveCode = "s_mov_b32 exec_lo, -1\n";
  GeometryBed tooMany(programOf(beyond));
  tooMany.draw.range.vertexCount = 3;
  EXPECT_NE(tooMany.run().find("lane 1: export of primitive 1, the group has 1"),
            std::string::npos);
}

TEST(GeometryStage, StagesThatAreNotExecutedAreNamed) {
  struct {
    const char *field;
    uint64_t value;
    const char *message;
  } cases[] = {{".hs_stage_en", 1, "the registers do not fit the hardware stages"}};
  for (const auto &c : cases) {
    TestGraphics graphics = programOf(shaderFor("gfx1100", true));
    graphics.registers.push_back({{key::vgtShaderStagesEn.str(), c.field}, c.value});
    EXPECT_EQ(GeometryBed(graphics).run(), std::string("program 'test': ") + c.message);
  }
  TestGraphics fragmentsOnly;
  fragmentsOnly.stages = {{.stage = pal::abi::HardwareStage::Ps, .text = "s_nop 0"}};
  EXPECT_EQ(GeometryBed(fragmentsOnly).run(), "program 'test': no stage makes vertices");
  GeometryBed patches(programOf(shaderFor("gfx1100", true)));
  patches.draw.input.topology = PrimitiveTopology::PatchList;
  patches.draw.input.patchControlPoints = 3;
  EXPECT_EQ(patches.run(), "program 'test': patches need a tessellation stage");
}
