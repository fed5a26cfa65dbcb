//===- GeometryShaderTest.cpp - waves of geometry shaders ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Geometry shaders in assembler that export what their registers hold, as points. What compiled
/// shaders draw is compared elsewhere (test/exec).
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

constexpr const char *gfx10Families[] = {"gfx1010", "gfx1030"};

/// v[24:27]: primitive id, invocation, first and fourth vertex of the primitive, as floats.
std::string geometryValues(bool isGfx12) {
  std::string text = isGfx12 ? "v_mov_b32 v10, v1\nv_lshrrev_b32 v11, 27, v0\n"
                               "v_and_b32 v12, 0xff, v0\nv_and_b32 v13, 0xff, v2\n"
                             : "v_mov_b32 v10, v2\nv_and_b32 v11, 0x7f, v3\n"
                               "v_and_b32 v12, 0xffff, v0\nv_lshrrev_b32 v13, 16, v1\n";
  for (unsigned i = 0; i < 4; ++i)
    text += "v_cvt_f32_u32 v" + std::to_string(24 + i) + ", v" + std::to_string(10 + i) + "\n";
  return text;
}

struct NggShader {
  std::string target;
  unsigned allocated = 1; ///< vertices and primitives; 0: as many as primitives came
  unsigned exported = 0;  ///< the same
  bool allocates = true;
  unsigned invocations = 1;
  bool invocationPerGroup = false;
  unsigned groupPrimitives = 20, groupVertices = 120, mostVertices = 256;

  TestGraphics program() const;
};

TestGraphics NggShader::program() const {
  bool isGfx12 = llvm::StringRef(target).starts_with("gfx12");
  std::string name = isGfx12 ? "export" : "exp";
  // s6: lanes of the geometry half, of one wave. M0: for vertices and primitives.
  std::string text = threadOfGroup + std::string("s_bfe_u32 s6, s3, 0x80008\n");
  text += allocated ? "s_movk_i32 s0, " + std::to_string(allocated) + "\n" : "s_mov_b32 s0, s6\n";
  text += "s_lshl_b32 s1, s0, 12\ns_or_b32 m0, s0, s1\n";
  if (allocates)
    text += "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n";
  if (exported)
    text += "s_movk_i32 s6, " + std::to_string(exported) + "\n";
  text += geometryValues(isGfx12) + "v_cmp_gt_u32 vcc_lo, s6, v20\ns_mov_b32 exec_lo, vcc_lo\n" +
          name + " prim v21, off, off, off done\n" + name + " pos0 v24, v25, v26, v27 done\n";
  TestGraphics graphics;
  graphics.target = target;
  graphics.stages.push_back({.stage = HardwareStage::Gs, .text = text});
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::vgtShaderStagesEn.str(), key::primgenEn.str()}, 1);
  set({key::vgtShaderStagesEn.str(), key::gsStageEn.str()}, 1);
  set({key::spiVsOutConfig.str(), key::noPcExport.str()}, 1);
  set({key::vgtGsOnchipCntl.str(), key::esVertsPerSubgroup.str()}, groupVertices);
  set({key::vgtGsOnchipCntl.str(), key::gsPrimsPerSubgroup.str()}, groupPrimitives);
  set({key::vgtGsOnchipCntl.str(), key::gsInstPrimsPerSubgrp.str()}, groupPrimitives * invocations);
  set({key::vgtGsInstanceCnt.str(), key::enable.str()}, 1);
  set({key::vgtGsInstanceCnt.str(), key::count.str()}, invocations);
  set({key::vgtGsInstanceCnt.str(), key::enMaxVertOutPerGsInstance.str()}, invocationPerGroup);
  set({key::maxVertsPerSubgroup.str()}, mostVertices);
  set({key::vgtEsgsRingItemsize.str()}, 1);
  set({key::gsVgprCompCnt.str()}, isGfx12 ? 2 : 3);
  return graphics;
}

/// gfx10 with a copy shader, which exports the offset of its vertex as position.
struct LegacyShader {
  std::string target = "gfx1030";
  std::string messages; ///< behind M0, all lanes of the geometry half
  unsigned maxVertices = 4;
  unsigned waveSize = 64;

  TestGraphics program() const;
};

TestGraphics LegacyShader::program() const {
  TestGraphics graphics;
  graphics.target = target;
  std::string lanes = waveSize == 64
                          ? "s_mov_b64 exec, -1\nv_mbcnt_lo_u32_b32 v20, -1, 0\n"
                            "v_mbcnt_hi_u32_b32 v20, -1, v20\nv_cmp_gt_u32 vcc, s6, v20\n"
                            "s_mov_b64 exec, vcc\n"
                          : "";
  graphics.stages = {
      {.stage = HardwareStage::Gs,
       .waveSize = waveSize,
       .text = "s_bfe_u32 s6, s3, 0x80008\ns_bfe_u32 m0, s3, 0x80010\n" + lanes + messages},
      {.stage = HardwareStage::Vs,
       .waveSize = 64,
       .text = "v_cvt_f32_u32 v1, v0\nv_mov_b32 v2, 0\nexp pos0 v1, v2, v2, v2 done\n"}};
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::vgtShaderStagesEn.str(), key::gsStageEn.str()}, 1);
  set({key::spiVsOutConfig.str(), key::noPcExport.str()}, 1);
  set({key::vgtGsOnchipCntl.str(), key::esVertsPerSubgroup.str()}, 120);
  set({key::vgtGsOnchipCntl.str(), key::gsPrimsPerSubgroup.str()}, 100);
  set({key::vgtGsOnchipCntl.str(), key::gsInstPrimsPerSubgrp.str()}, 100);
  set({key::vgtGsMaxVertOut.str()}, maxVertices);
  set({key::vgtGsvsRingItemsize.str()}, maxVertices);
  set({key::vgtGsVertItemsize.str(), "[0]"}, 1);
  return graphics;
}

std::string faultOf(const TestGraphics &graphics, uint32_t vertices = 3) {
  GeometryBed bed(graphics);
  bed.draw.input.topology = PrimitiveTopology::PointList;
  bed.draw.range.vertexCount = vertices;
  return bed.run();
}

} // namespace

TEST(GeometryShader, RegistersOfInvocations) {
  for (const char *target : allFamilies) {
    for (bool isPerGroup : {false, true}) {
      SCOPED_TRACE(std::string(target) + (isPerGroup ? ", a group each" : ""));
      NggShader shader{.target = target, .allocated = 0, .invocations = 3};
      shader.invocationPerGroup = isPerGroup;
      shader.groupPrimitives = isPerGroup ? 1 : 8;
      GeometryBed bed(shader.program(), /*poison=*/true);
      bed.draw.input.topology = PrimitiveTopology::TriangleListAdjacency;
      bed.draw.range.vertexCount = 60;
      ASSERT_EQ(bed.run(), "");
      EXPECT_EQ(bed.geometryInvocations, 30u);
      EXPECT_EQ(bed.invocations, isPerGroup ? 180u : 60u);
      ASSERT_EQ(bed.output.primitives.size(), 30u);
      for (unsigned i = 0; i < 30; ++i) {
        EXPECT_EQ(bed.output.primitives[i].vertexCount, 1);
        const VertexOutput &vertex = bed.output.vertices[bed.output.primitives[i].vertices[0]];
        EXPECT_EQ(vertex.position[0], float(i / 3));
        EXPECT_EQ(vertex.position[1], float(i % 3));
        EXPECT_EQ(vertex.position[3], vertex.position[2] + 3);
      }
    }
  }
}

TEST(GeometryShader, WhatLeavesMustBeAllocated) {
  for (const char *target : allFamilies) {
    SCOPED_TRACE(target);
    NggShader silent{.target = target};
    silent.allocates = false;
    EXPECT_EQ(faultOf(silent.program()),
              "kernel 'test', group 0: no wave has allocated export space");
    NggShader beyond{.target = target, .allocated = 2, .exported = 3};
    EXPECT_EQ(faultOf(beyond.program()),
              "kernel 'test', group 0: exports vertex 2, which it did not allocate");
    NggShader missing{.target = target, .allocated = 3, .exported = 2};
    EXPECT_EQ(faultOf(missing.program()), "kernel 'test', group 0: primitive 2 was not exported");
    NggShader tooMany{.target = target, .allocated = 33};
    EXPECT_NE(faultOf(tooMany.program())
                  .find("export space for 33 vertices and 33 primitives, the group has 32 and 32"),
              std::string::npos);
    NggShader many{.target = target, .allocated = 3, .exported = 3, .mostVertices = 2};
    EXPECT_EQ(faultOf(many.program()), "kernel 'test', group 0: 3 vertices leave, the limit is 2");
  }
}

TEST(GeometryShader, EmptyGroupsHangTheFirstOfThem) {
  for (const char *target : allFamilies) {
    SCOPED_TRACE(target);
    NggShader shader{.target = target, .allocated = 1, .exported = 1};
    TestGraphics graphics = shader.program();
    std::string &text = graphics.stages[0].text;
    text = text.substr(0, text.find("s_sendmsg"));
    text += "s_mov_b32 m0, 0\ns_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n";
    EXPECT_EQ(faultOf(graphics),
              std::string(target) == "gfx1010"
                  ? "kernel 'test', group 0: a subgroup that exports nothing hangs"
                  : "");
  }
}

TEST(GeometryShader, MessagesMakeVertices) {
  for (const char *target : gfx10Families) {
    SCOPED_TRACE(target);
    // Two vertices of even lanes, with a cut between, and three of odd ones.
    LegacyShader shader{.target = target, .messages = R"(
      s_mov_b64 s[10:11], exec
      s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
      s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 0)
      s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 0)
      s_mov_b32 s12, 0xaaaaaaaa
      s_mov_b32 s13, s12
      s_and_b64 exec, exec, s[12:13]
      s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
      s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
      )"};
    GeometryBed bed(shader.program(), /*poison=*/true);
    bed.draw.input.topology = PrimitiveTopology::PointList;
    bed.draw.range.vertexCount = 160; // in batches of 80: a group of two waves each
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.geometryInvocations, 160u);
    ASSERT_EQ(bed.output.primitives.size(), 400u);
    // A group's waves begin 4 * 64 dwords after each other, every other group 4 waves later; 16
    // lanes lie side by side, with all their 4 vertices.
    unsigned next = 0;
    for (unsigned primitive = 0; primitive < 160; ++primitive) {
      unsigned group = primitive / 80, lane = primitive % 80;
      unsigned part = group * 4 * 256 + lane / 64 * 256;
      for (unsigned i = 0; i < 2 + lane % 2; ++i, ++next)
        EXPECT_EQ(bed.output.vertices[next].position[0],
                  float(part + lane % 64 / 16 * 64 + i * 16 + lane % 16))
            << next;
    }
  }
}

TEST(GeometryShader, WrongMessagesFault) {
  auto has = [](const LegacyShader &shader, const char *what) {
    std::string fault = faultOf(shader.program(), 70);
    EXPECT_NE(fault.find(what), std::string::npos) << fault;
  };
  std::string emit = "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)\n",
              done = "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n";
  has({.messages = emit}, "wave 0 did not say that it is done");
  has({.messages = done + emit}, "message behind the one that the wave is done");
  has({.messages = emit + emit + done, .maxVertices = 1},
      "vertex 2 of an invocation, the limit is 1");
  has({.messages = "s_add_u32 m0, m0, 7\n" + emit}, "message with the id 7, the wave's is 0");
  has({.messages = "s_mov_b64 exec, -1\n" + emit}, "message of a lane without a primitive");
  has({.messages = "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"}, "message 9, which nobody receives");
  has({.messages = "exp pos0 v0, v0, v0, v0 done\n"},
      "export to target 12, which this stage does not have");
  has({.messages = done, .waveSize = 32},
      "the ring of legacy geometry shaders is for waves of 64 lanes");
  has({.messages = done, .maxVertices = 1u << 20},
      "the ring of the geometry shader has no size that is possible");
}

TEST(GeometryShader, StagesMustFitTheRegisters) {
  TestGraphics graphics = NggShader{.target = "gfx1030"}.program();
  for (TestGraphics::Register &reg : graphics.registers)
    if (reg.path.back() == key::primgenEn.str())
      reg.value = 0;
  EXPECT_EQ(faultOf(graphics), "program 'test': the registers do not fit the hardware stages");
  EXPECT_EQ(faultOf(NggShader{.target = "gfx1100", .invocations = 128}.program()),
            "program 'test': 128 invocations of a geometry shader, the limit is 127");
}
