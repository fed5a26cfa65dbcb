//===- HullStageTest.cpp - patches to tessellation levels ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Control shaders in assembler that write factors and off-chip data as compiled ones do: through
/// the descriptors of the global table, at the offsets that the hardware gives them.
#include "pal_shim/device/graphics/HullStage.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

/// Triangles of three control points, one output control point, four patches a group. The vertex
/// shader leaves its vertex id and instance in LDS; the control shader of patch p writes the sum of
/// its vertex ids to dword p of the off-chip buffer, and as factors the patch id + 15, 16, 17 and
/// the instance of its first vertex.
TestGraphics program(const std::string &target, bool writesFactors = true) {
  bool isGfx10 = llvm::StringRef(target).starts_with("gfx10");
  bool isGfx12 = llvm::StringRef(target).starts_with("gfx12");
  auto spelled = [&](const char *older, const char *newer) {
    return std::string(isGfx10 ? older : newer);
  };
  // After LDS and scalar loads.
  std::string wait = isGfx12 ? "s_wait_dscnt 0x0\ns_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
  std::string soffset = " v20, s[12:15], s4 offen";
  std::string text = R"(
    s_getpc_b64 s[10:11]
    s_mov_b32 s10, s8
  )" + spelled("s_load_dwordx4", "s_load_b128") +
                     " s[12:15], s[10:11], 0x90\n" + spelled("s_load_dwordx4", "s_load_b128") +
                     " s[16:19], s[10:11], 0xa0\n" + R"(
    s_mov_b32 exec_lo, -1
    v_mbcnt_lo_u32_b32 v10, -1, 0
    s_bfe_u32 s6, s3, 0x80000
    v_cmp_gt_u32 vcc_lo, s6, v10
    s_mov_b32 exec_lo, vcc_lo
    v_lshlrev_b32 v11, 3, v10
  )" + (isGfx12 ? "v_mov_b32 v12, v3\n" : "v_mov_b32 v12, v5\n") +
                     spelled("ds_write_b32", "ds_store_b32") + " v11, v2\n" +
                     spelled("ds_write_b32", "ds_store_b32") + " v11, v12 offset:4\n" + wait + R"(
    s_bfe_u32 s6, s3, 0x80008
    s_mov_b32 exec_lo, -1
    v_cmp_gt_u32 vcc_lo, s6, v10
    s_mov_b32 exec_lo, vcc_lo
    v_and_b32 v13, 0xff, v1
    v_mul_u32_u24 v14, 24, v13
  )" + spelled("ds_read_b32", "ds_load_b32") +
                     " v15, v14\n" + spelled("ds_read_b32", "ds_load_b32") +
                     " v16, v14 offset:8\n" + spelled("ds_read_b32", "ds_load_b32") +
                     " v17, v14 offset:16\n" + spelled("ds_read_b32", "ds_load_b32") +
                     " v18, v14 offset:4\n" + wait + R"(
    v_add3_u32 v15, v15, v16, v17
    v_lshlrev_b32 v19, 2, v13
  )" + spelled("buffer_store_dword", "buffer_store_b32") +
                     " v15, v19, s[16:19], s2 offen\n" + R"(
    v_lshlrev_b32 v20, 4, v13
    v_add_nc_u32 v4, 15, v0
    v_add_nc_u32 v5, 16, v0
    v_add_nc_u32 v6, 17, v0
    v_cvt_f32_u32 v4, v4
    v_cvt_f32_u32 v5, v5
    v_cvt_f32_u32 v6, v6
    v_cvt_f32_u32 v7, v18
  )";
  text += writesFactors
              ? spelled("buffer_store_dwordx4", "buffer_store_b128") + " v[4:7]," + soffset + "\n"
              : spelled("buffer_store_dwordx3", "buffer_store_b96") + " v[4:6]," + soffset + "\n";
  TestGraphics graphics;
  graphics.target = target;
  graphics.stages.push_back({.stage = HardwareStage::Hs,
                             .text = text,
                             .userDataRegMap = {pal::abi::userdata::globalTable},
                             .ldsBytes = 1024});
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::vgtTfParam.str(), key::type.str()}, 1);
  set({key::vgtTfParam.str(), key::topology.str()}, 2);
  set({key::vgtHosMinTessLevel.str()}, 1);
  set({key::vgtHosMaxTessLevel.str()}, 64);
  set({key::vgtLsHsConfig.str(), key::numPatches.str()}, 4);
  set({key::vgtLsHsConfig.str(), key::hsNumInputCp.str()}, 3);
  set({key::vgtLsHsConfig.str(), key::hsNumOutputCp.str()}, 1);
  set({key::lsVgprCompCnt.str()}, isGfx12 ? 1 : 3);
  return graphics;
}

struct HullBed : GeometryBed {
  explicit HullBed(const TestGraphics &graphics) : GeometryBed(graphics, /*poison=*/true) {
    draw.input = {.topology = PrimitiveTopology::PatchList, .patchControlPoints = 3};
    draw.range = {.vertexCount = 15, .instanceCount = 2};
    values = drawUserData(*program, draw, 0);
    tables = makeTables(context->target, values);
  }
  llvm::Expected<std::unique_ptr<HullStage>> create() {
    MemoryView view(context->memory.snapshot());
    input = llvm::cantFail(InputAssembler::create(draw.input, draw.range, false, view));
    return HullStage::create(
        {dispatches, *program, draw, context->memory.snapshot(), tables, input, values});
  }
  uint32_t offChip(uint32_t offset) const {
    uint32_t value = 0;
    memcpy(&value, tables->host + (offChipRingAddress(values) - tables->address) + offset, 4);
    return value;
  }

  UserDataValues values;
  std::shared_ptr<const Region> tables;
  InputAssembler input;
};

TEST(HullStage, RunsGroupsOfPatches) {
  for (const char *target : allFamilies) {
    SCOPED_TRACE(target);
    HullBed bed(program(target));
    auto stage = llvm::cantFail(bed.create());
    EXPECT_EQ(stage->mode.domain, TessellationDomain::Triangles);
    // Five patches in each of two instances, four in a group.
    uint64_t done = 0;
    for (unsigned group = 0; group < 3; ++group) {
      auto next = stage->run(done, 10);
      ASSERT_TRUE(bool(next)) << llvm::toString(next.takeError());
      ASSERT_EQ(*next, std::min<uint64_t>(done + 4, 10));
      ASSERT_EQ(stage->patches().size(), *next - done);
      for (uint32_t i = 0; i < stage->patches().size(); ++i) {
        const HullStage::Patch &patch = stage->patches()[i];
        auto number = uint32_t(done) + i, id = number % 5;
        EXPECT_EQ(patch.id, id);
        EXPECT_EQ(patch.levels.outer[0], float(id + 15));
        EXPECT_EQ(patch.levels.outer[2], float(id + 17));
        EXPECT_EQ(patch.levels.inner[0], float(number / 5)); // the instance
        EXPECT_EQ(bed.offChip(stage->offChipBase() + 4 * i), 9 * id + 3);
      }
      EXPECT_EQ(stage->offChipBase(), group % 2 * offChipBytes);
      done = *next;
    }
    EXPECT_EQ(stage->vertexInvocations, 30u);
    EXPECT_EQ(stage->controlPatches, 10u);
  }
}

/// A program that leaves the number of control points to draws runs with any.
TEST(HullStage, DrawsSayHowManyControlPoints) {
  TestGraphics graphics = program("gfx1100");
  llvm::erase_if(graphics.registers, [](const auto &entry) {
    return entry.path == std::vector{key::vgtLsHsConfig.str(), key::hsNumInputCp.str()};
  });
  for (unsigned points : {1u, 3u, 5u}) {
    HullBed bed(graphics);
    bed.draw.input.patchControlPoints = points;
    bed.draw.range = {.vertexCount = 15, .instanceCount = 1};
    auto stage = llvm::cantFail(bed.create());
    auto next = stage->run(0, 15 / points);
    ASSERT_TRUE(bool(next)) << llvm::toString(next.takeError());
    EXPECT_EQ(*next, std::min(15 / points, 4u));
    EXPECT_EQ(stage->vertexInvocations, *next * points);
  }
}

TEST(HullStage, Faults) {
  HullBed bed(program("gfx1100", /*writesFactors=*/false));
  auto stage = llvm::cantFail(bed.create());
  auto next = stage->run(0, 2);
  ASSERT_FALSE(bool(next));
  std::string message = llvm::toString(next.takeError());
  EXPECT_NE(message.find("group 0: patch 0 has no tessellation factors"), std::string::npos)
      << message;

  HullBed wrong(program("gfx1100"));
  wrong.draw.input.patchControlPoints = 5;
  auto refused = wrong.create();
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "program 'test': primitives have 5 vertices, its patches have 3");
}

/// With an evaluation shader that exports u, v, the patch id and what the control shader left.
TestGraphics evaluated(const std::string &target) {
  TestGraphics graphics = program(target);
  graphics.stages.push_back({.stage = HardwareStage::Vs,
                             .text = R"(
    s_getpc_b64 s[10:11]
    s_mov_b32 s10, s0
    s_load_dwordx4 s[12:15], s[10:11], 0xa0
    v_lshlrev_b32 v2, 2, v2
    s_waitcnt lgkmcnt(0)
    buffer_load_dword v4, v2, s[12:15], s2 offen
    v_cvt_f32_u32 v3, v3
    s_waitcnt vmcnt(0)
    v_cvt_f32_u32 v4, v4
    exp pos0 v0, v1, v3, v4 done
  )",
                             .userDataRegMap = {pal::abi::userdata::globalTable}});
  graphics.registers.push_back({{key::vsVgprCompCnt.str()}, 3});
  graphics.registers.push_back({{key::spiVsOutConfig.str(), key::noPcExport.str()}, 1});
  return graphics;
}

/// The same as a primitive shader, whose attribute is the patch in its group, the patch id, the
/// first API entry and 7.
TestGraphics evaluatedByPrimitiveShader(const std::string &target) {
  bool isGfx10 = llvm::StringRef(target).starts_with("gfx10");
  bool isGfx12 = llvm::StringRef(target).starts_with("gfx12");
  // u, v, patch in the group, patch id
  std::string input = isGfx12 ? "3456" : "5678";
  auto v = [&](unsigned i) { return std::string("v") + input[i]; };
  std::string body = "s_getpc_b64 s[10:11]\ns_mov_b32 s10, s8\n";
  body += std::string(isGfx10 ? "s_load_dwordx4" : "s_load_b128") + " s[12:15], s[10:11], 0xa0\n";
  body += isGfx12 ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
  body += "v_lshlrev_b32 v12, 2, " + v(2) + "\n";
  body += std::string(isGfx10 ? "buffer_load_dword" : "buffer_load_b32") +
          " v13, v12, s[12:15], s4 offen\n";
  body += isGfx12 ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n";
  body += "v_mov_b32 v24, " + v(0) + "\nv_mov_b32 v25, " + v(1) + "\n";
  body += "v_cvt_f32_u32 v26, " + v(3) + "\nv_cvt_f32_u32 v27, v13\n";
  body += "v_mov_b32 v28, " + v(2) + "\nv_mov_b32 v29, " + v(3) +
          "\nv_mov_b32 v30, s9\nv_mov_b32 v31, 7\n";
  TestGraphics graphics = program(target);
  VertexShaderForTest{.target = target, .body = body}.addTo(graphics);
  graphics.registers.push_back({{key::esVgprCompCnt.str()}, 3});
  return graphics;
}

/// How evaluation shaders run.
struct Way {
  const char *target;
  bool isNgg;
};
constexpr Way allWays[] = {{"gfx1010", false}, {"gfx1030", false}, {"gfx1010", true},
                           {"gfx1030", true},  {"gfx1100", true},  {"gfx1150", true},
                           {"gfx1201", true}};

TEST(HullStage, EvaluatesPointsOfTheDomain) {
  for (const Way &way : allWays)
    for (bool isLast : {false, true}) {
      SCOPED_TRACE(std::string(way.target) + (way.isNgg ? " NGG" : " legacy"));
      HullBed bed(way.isNgg ? evaluatedByPrimitiveShader(way.target) : evaluated(way.target));
      bed.draw.raster.provokingVertexLast = isLast;
      ASSERT_EQ(bed.run(), "");
      const GeometryOutput &out = bed.output;
      // In the order of patches, instance after instance; more points than a wave has lanes.
      size_t points = 0, primitive = 0;
      for (uint32_t number = 0; number < 10; ++number) {
        uint32_t id = number % 5;
        auto level = [&](uint32_t more) { return float(id + more); };
        TessellatedPatch patch;
        tessellate({}, {.outer = {level(15), level(16), level(17)}, .inner = {float(number / 5)}},
                   patch);
        points += patch.points.size();
        ASSERT_LE(primitive + patch.count(), out.primitives.size());
        for (size_t i = 0; i < patch.count(); ++i) {
          const PrimitiveOutput &made = out.primitives[primitive + i];
          EXPECT_EQ(made.vertexCount, 3);
          EXPECT_EQ(made.primitiveId, id);
          EXPECT_EQ(made.provoking, isLast ? 2 : 0);
          for (unsigned corner = 0; corner < 3; ++corner) {
            ASSERT_LT(made.vertices[corner], out.vertices.size());
            auto [u, v] = patch.points[patch.indices[3 * i + corner]].coordinates();
            EXPECT_EQ(out.vertices[made.vertices[corner]].position,
                      (std::array<float, 4>{u, v, float(id), float(9 * id + 3)}));
            if (way.isNgg) {
              const Attribute &attribute = out.attributes[made.vertices[corner]];
              EXPECT_LT(attribute[0], 4u);
              EXPECT_EQ(attribute[1], id);
              EXPECT_EQ(attribute[2], 0xABCDu);
            }
          }
        }
        primitive += patch.count();
      }
      EXPECT_EQ(primitive, out.primitives.size());
      // Primitive shaders evaluate a point again in the next group.
      EXPECT_GE(out.vertices.size(), points);
      EXPECT_LE(out.vertices.size(), way.isNgg ? points * 2 : points);
      EXPECT_EQ(bed.invocations, 30u);
      EXPECT_EQ(bed.evaluationInvocations, out.vertices.size());
    }
}

TEST(HullStage, OtherDrawsAreRefused) {
  HullBed bed(program("gfx1100"));
  EXPECT_EQ(bed.run(), "program 'test': no stage makes vertices");
  for (const TestGraphics &graphics :
       {evaluated("gfx1030"), evaluatedByPrimitiveShader("gfx1100")}) {
    HullBed lists(graphics);
    lists.draw.input.topology = PrimitiveTopology::TriangleList;
    EXPECT_EQ(lists.run(), "program 'test': primitives have 3 vertices, its patches have 3");
  }
}

} // namespace
