//===- HullWaveTest.cpp - registers of merged vertex and control waves -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Hardware HS stages in assembler that store what their registers hold. Expected:
/// docs/hw-notes.md, "What graphics waves start with" and "Tessellation".
#include "pal_shim/device/graphics/HullWave.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"
#include "pal_shim/device/graphics/VertexStage.h"
#include <cstring>

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

/// The registers of a program, set as a compiler does.
struct HullForTest {
  std::string target = "gfx1100";
  unsigned waveSize = 32;
  unsigned patches = 8, inputs = 3, outputs = 4;
  uint64_t domain = 1, partitioning = 0, topology = 2, minLevel = 1, maxLevel = 64;

  bool isMajor(const char *prefix) const { return llvm::StringRef(target).starts_with(prefix); }
  TestGraphics program() const;
};

TestGraphics HullForTest::program() const {
  // 32 bytes for each thread of the group, at the address in s[8:9].
  std::string store = isMajor("gfx10") ? "global_store_dwordx4" : "global_store_b128";
  std::string all = waveSize == 64 ? "s_mov_b64 exec, -1\n" : "s_mov_b32 exec_lo, -1\n";
  std::string text = all + "v_mbcnt_lo_u32_b32 v20, -1, 0\n";
  if (waveSize == 64)
    text += "v_mbcnt_hi_u32_b32 v20, -1, v20\n";
  text += "s_bfe_u32 s6, s3, 0x40018\ns_lshl_b32 s0, s6, " +
          std::string(waveSize == 64 ? "6" : "5") +
          "\nv_add_nc_u32 v21, s0, v20\nv_lshlrev_b32 v22, 5, v21\n"
          "v_mov_b32 v12, s2\nv_mov_b32 v13, s3\nv_mov_b32 v14, s4\nv_mov_b32 v15, s5\n";
  text += isMajor("gfx12") ? "v_mov_b32 v11, v3\nv_mov_b32 v10, v21\n"
                           : "v_mov_b32 v11, v5\nv_mov_b32 v10, v3\n";
  text += "v_mov_b32 v8, v0\nv_lshl_or_b32 v8, v1, 16, v8\nv_mov_b32 v9, v2\n";
  text += store + " v22, v[8:11], s[8:9]\n" + store + " v22, v[12:15], s[8:9] offset:16\n";
  TestGraphics graphics;
  graphics.target = target;
  graphics.stages.push_back(
      {.stage = HardwareStage::Hs, .waveSize = waveSize, .text = text, .userDataRegMap = {0, 1}});
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::vgtTfParam.str(), key::type.str()}, domain);
  set({key::vgtTfParam.str(), key::partitioning.str()}, partitioning);
  set({key::vgtTfParam.str(), key::topology.str()}, topology);
  set({key::vgtHosMinTessLevel.str()}, minLevel);
  set({key::vgtHosMaxTessLevel.str()}, maxLevel);
  set({key::vgtLsHsConfig.str(), key::numPatches.str()}, patches);
  set({key::vgtLsHsConfig.str(), key::hsNumInputCp.str()}, inputs);
  set({key::vgtLsHsConfig.str(), key::hsNumOutputCp.str()}, outputs);
  set({key::lsVgprCompCnt.str()}, isMajor("gfx12") ? 1 : 3);
  set({key::hsTgSizeEn.str()}, 1);
  return graphics;
}

/// What a thread stored.
struct Thread {
  uint32_t patch, vertexId, vertexInGroup, instance, offChip, info, factors, waveNumber;
};

/// Runs a group of \p patches patches; patch p has id 100 + p, control point c of the group the
/// vertex id 1000 + c and instance 7.
std::vector<Thread> run(const HullForTest &hull, unsigned patches) {
  GeometryBed bed(hull.program(), /*poison=*/true);
  const HullRegisters &registers = bed.program->graphics->hull;
  llvm::cantFail(modeOf(registers).takeError());
  auto region = llvm::cantFail(
      bed.context->memory.allocate({.size = maxHullThreads * sizeof(Thread), .name = "registers"}));
  bed.entries = {uint32_t(region->address), uint32_t(region->address >> 32)};
  bed.draw.userData = bed.entries;
  UserDataValues values = drawUserData(*bed.program, bed.draw, 0);
  auto tables = makeTables(bed.context->target, values);
  InputAssembler input;
  GeometrySetup setup{bed.dispatches, *bed.program, bed.draw, bed.context->memory.snapshot(),
                      tables,         input,        values};
  const GraphicsStage &stage = *bed.program->graphics->stage(HardwareStage::Hs);
  StageRunner runner(setup, stage, llvm::cantFail(resolveUserData(stage.data, values)));
  std::vector<VertexGroup::Vertex> vertices;
  for (unsigned c = 0; c < patches * hull.inputs; ++c)
    vertices.push_back({.id = 1000 + c, .instance = 7, .primitiveId = 100 + c / hull.inputs});
  HullGroup group{registers, vertices, runner.userSgprs, /*offChipBase=*/0x8000,
                  /*factorBase=*/0x120};
  StageLaunch launch;
  launch.waves = group.waves(hull.waveSize);
  auto fill = [&](Wave &wave, unsigned index) { group.fill(wave, index); };
  launch.fill = fill;
  llvm::cantFail(runner.launch(launch));
  std::vector<Thread> threads(launch.waves * hull.waveSize);
  memcpy(threads.data(), region->host, threads.size() * sizeof(Thread));
  return threads;
}

void expectThreads(const HullForTest &hull, unsigned patches) {
  SCOPED_TRACE(hull.target + " wave" + std::to_string(hull.waveSize));
  std::vector<Thread> threads = run(hull, patches);
  unsigned most = std::max(hull.inputs, hull.outputs) * patches;
  ASSERT_EQ(threads.size(), (most + hull.waveSize - 1) / hull.waveSize * hull.waveSize);
  for (unsigned t = 0; t < threads.size(); ++t) {
    const Thread &thread = threads[t];
    unsigned wave = t / hull.waveSize, first = wave * hull.waveSize;
    auto own = [&](unsigned count) {
      return count <= first ? 0 : std::min(count - first, hull.waveSize);
    };
    ASSERT_EQ(thread.offChip, 0x8000u);
    ASSERT_EQ(thread.factors, 0x120u);
    ASSERT_EQ(thread.info,
              own(patches * hull.inputs) | own(patches * hull.outputs) << 8 | wave << 24);
    ASSERT_EQ(thread.waveNumber, hull.isMajor("gfx10") ? 0 : wave);
    if (t < patches * hull.outputs) {
      uint32_t patch = t / hull.outputs, point = t % hull.outputs;
      ASSERT_EQ(thread.patch, (100 + patch) | patch << 16 | point << 24) << t;
    }
    if (t < patches * hull.inputs) {
      ASSERT_EQ(thread.vertexId, 1000 + t);
      ASSERT_EQ(thread.vertexInGroup, t);
      ASSERT_EQ(thread.instance, 7u);
    }
  }
}

TEST(HullWave, Registers) {
  for (const char *target : allFamilies) {
    // Patches straddle waves; either side may have more control points.
    expectThreads({.target = target, .inputs = 3, .outputs = 4}, 8);
    expectThreads({.target = target, .patches = 64, .inputs = 4, .outputs = 1}, 17);
    expectThreads({.target = target, .patches = 8, .inputs = 1, .outputs = 32}, 8);
    expectThreads({.target = target, .waveSize = 64, .patches = 8, .inputs = 32, .outputs = 3}, 5);
    expectThreads({.target = target}, 1);
  }
}

TEST(HullWave, Modes) {
  using enum TessellationOutput;
  const struct {
    uint64_t domain, partitioning, topology;
    TessellationMode mode;
  } cases[] = {
      {0, 0, 1, {TessellationDomain::Isolines, TessellationSpacing::Equal, Lines}},
      {0, 2, 0, {TessellationDomain::Isolines, TessellationSpacing::FractionalOdd, Points}},
      {1,
       3,
       2,
       {TessellationDomain::Triangles, TessellationSpacing::FractionalEven, ClockwiseTriangles}},
      {2, 2, 3, {TessellationDomain::Quads, TessellationSpacing::FractionalOdd, OtherTriangles}},
  };
  for (const auto &c : cases) {
    GeometryBed bed(
        HullForTest{.domain = c.domain, .partitioning = c.partitioning, .topology = c.topology}
            .program());
    auto mode = modeOf(bed.program->graphics->hull);
    ASSERT_TRUE(bool(mode));
    EXPECT_EQ(mode->domain, c.mode.domain);
    EXPECT_EQ(mode->spacing, c.mode.spacing);
    EXPECT_EQ(mode->output, c.mode.output);
  }
}

TEST(HullWave, RefusesWhatIsNoMode) {
  const std::pair<HullForTest, const char *> cases[] = {
      {{.domain = 3}, ".vgt_tf_param.type is 3"},
      {{.partitioning = 1}, ".vgt_tf_param.partitioning is 1"},
      {{.partitioning = 4}, ".vgt_tf_param.partitioning is 4"},
      {{.topology = 4}, ".vgt_tf_param.topology is 4"},
      {{.topology = 1}, ".vgt_tf_param.topology is 1"},
      {{.domain = 0}, ".vgt_tf_param.topology is 2"},
      {{.minLevel = 2}, ".vgt_hos_min_tess_level is 2"},
      {{.maxLevel = 16}, ".vgt_hos_max_tess_level is 16"},
      {{.inputs = 0}, "the number of control points is 0"},
      {{.outputs = 33}, "the number of control points is 33"},
      {{.patches = 0}, ".vgt_ls_hs_config.num_patches is 0"},
      {{.patches = 65}, ".vgt_ls_hs_config.num_patches is 65"},
  };
  for (const auto &[hull, message] : cases) {
    GeometryBed bed(hull.program());
    auto mode = modeOf(bed.program->graphics->hull);
    ASSERT_FALSE(bool(mode)) << message;
    EXPECT_EQ(llvm::toString(mode.takeError()),
              std::string("tessellation: ") + message + ", which is not executed");
  }
}

TEST(HullWave, DrawsMaySayHowManyControlPoints) {
  const HullRegisters fixed = {.patches = 4, .inputVertices = 3, .outputVertices = 1};
  EXPECT_EQ(registersOfDraw(fixed, 5).inputVertices, 3u);
  EXPECT_EQ(registersOfDraw(fixed, 5).patches, 4u);
  // 256 threads; a thread for each control point, on the side that has more.
  const HullRegisters open = {.patches = 64, .outputVertices = 4};
  for (const auto &[points, patches] :
       {std::pair(1u, 64u), {4u, 64u}, {5u, 51u}, {17u, 15u}, {32u, 8u}}) {
    EXPECT_EQ(registersOfDraw(open, points).inputVertices, points);
    EXPECT_EQ(registersOfDraw(open, points).patches, patches);
  }
}

TEST(HullWave, Factors) {
  std::vector<uint32_t> words;
  for (float value : {2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f})
    words.push_back(llvm::bit_cast<uint32_t>(value));
  EXPECT_EQ(factorDwords(TessellationDomain::Isolines), 2u);
  EXPECT_EQ(factorDwords(TessellationDomain::Triangles), 4u);
  EXPECT_EQ(factorDwords(TessellationDomain::Quads), 6u);
  TessellationLevels isolines = levelsOf(TessellationDomain::Isolines, words);
  EXPECT_EQ(isolines.outer[0], 3); // lines
  EXPECT_EQ(isolines.outer[1], 2); // segments
  TessellationLevels triangles = levelsOf(TessellationDomain::Triangles, words);
  EXPECT_EQ(triangles.outer[2], 4);
  EXPECT_EQ(triangles.inner[0], 5);
  TessellationLevels quads = levelsOf(TessellationDomain::Quads, words);
  EXPECT_EQ(quads.outer, (std::array<float, 4>{2, 3, 4, 5}));
  EXPECT_EQ(quads.inner, (std::array<float, 2>{6, 7}));
}

} // namespace
