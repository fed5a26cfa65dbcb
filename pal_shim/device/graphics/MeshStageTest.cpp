//===- MeshStageTest.cpp - workgroups of task and mesh shaders -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Mesh shaders in assembler that export what their registers hold, as points; task shaders that
/// launch them. What compiled shaders draw is compared elsewhere (test/exec).
#include "pal_shim/device/graphics/MeshStage.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "gtest/gtest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

constexpr const char *families[] = {"gfx1030", "gfx1100", "gfx1150", "gfx1201"};

constexpr unsigned waveSize = 32;

/// Thread of the group to v21, number of the wave to s7.
constexpr const char *prologue = R"(
  s_mov_b32 exec_lo, -1
  v_mbcnt_lo_u32_b32 v20, -1, 0
  s_bfe_u32 s7, s3, 0x40018
  s_lshl_b32 s6, s7, 5
  v_add_nc_u32 v21, s6, v20
)";

/// Exports, of vertex and primitive i: position (s16, s17, s18, i), attribute 0 (v0, s19, 0, 0), of
/// the primitive (s20, s21, i, i), layer i mod 8, viewport i mod 16; every third primitive is none.
struct MeshShader {
  std::string target;
  std::array<uint32_t, 3> threads = {5, 3, 3};
  unsigned allocated = 70;   ///< vertices and primitives
  unsigned exported = 70;    ///< likewise
  unsigned primitives = ~0u; ///< exported; as many as vertices
  unsigned space = 80;       ///< likewise: the most
  bool allocates = true;

  bool isGfx10() const { return llvm::StringRef(target).starts_with("gfx10"); }
  bool isGfx12() const { return llvm::StringRef(target).starts_with("gfx12"); }
  unsigned groupThreads() const { return threads[0] * threads[1] * threads[2]; }
  unsigned waves() const {
    return ((isGfx10() ? space : groupThreads()) + waveSize - 1) / waveSize;
  }
  std::string ids() const;
  std::string row(unsigned number) const;
  std::string attributes() const;
  TestGraphics program() const;
};

/// s[16:18]: workgroup id, on gfx10.3 flat, and two numbers of the launch.
std::string MeshShader::ids() const {
  if (!isGfx10())
    return "s_and_b32 s16, s4, 0xffff\ns_lshr_b32 s17, s4, 16\ns_lshr_b32 s18, s5, 16\n";
  // Only the first lane of the first wave has it.
  return R"(
    v_mov_b32 v2, 0
    s_cmp_lg_u32 s7, 0
    s_cbranch_scc1 stored
    v_readfirstlane_b32 s16, v5
    v_mov_b32 v1, s16
    ds_write_b32 v2, v1
  stored:
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v2
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s16, v3
    s_mov_b32 s17, s9
    s_mov_b32 s18, s10
  )";
}

/// Stores of vertex and primitive v22; the V# of the ring is at dword 44 of the global table.
std::string MeshShader::attributes() const {
  std::string text = "v_mov_b32 v28, v0\nv_mov_b32 v29, s19\nv_mov_b32 v30, 0\nv_mov_b32 v31, 0\n"
                     "v_mov_b32 v32, s20\nv_mov_b32 v33, s21\nv_mov_b32 v34, v22\n"
                     "v_mov_b32 v35, v22\n";
  if (isGfx10())
    return text + "exp param0 v28, v29, v30, v31\nexp param1 v32, v33, v34, v35\n";
  return text + "buffer_store_b128 v[28:31], v22, s[24:27], s28 idxen\n"
                "buffer_store_b128 v[32:35], v22, s[24:27], s28 idxen offset:16\n";
}

/// Vertices and primitives of a row.
std::string MeshShader::row(unsigned number) const {
  std::string exp = isGfx12() ? "export" : "exp", rowEnd = isGfx10() ? "\n" : " row_en\n";
  auto n = [](unsigned value) { return std::to_string(value); };
  auto below = [&](unsigned count) {
    return "s_mov_b32 exec_lo, -1\nv_cmp_gt_u32 vcc_lo, " + n(count) +
           ", v22\ns_mov_b32 exec_lo, vcc_lo\n";
  };
  std::string text = "s_cmp_lg_u32 s7, " + n(number % waves()) + "\ns_cbranch_scc1 skip" +
                     n(number) + "\ns_mov_b32 exec_lo, -1\ns_movk_i32 m0, " + n(number) +
                     "\nv_add_nc_u32 v22, " + n(number * waveSize) + ", v20\n" + below(exported) +
                     attributes();
  text += below(std::min(primitives, exported));
  // i mod 3 by counting: v23 = i - 3 * (i * 0x5556 >> 16)
  text += "v_mul_u32_u24 v23, 0x5556, v22\nv_lshrrev_b32 v23, 16, v23\n"
          "v_mul_u32_u24 v23, 3, v23\nv_sub_nc_u32 v23, v22, v23\nv_cmp_eq_u32 vcc_lo, 2, v23\n"
          "v_cndmask_b32 v23, 0, 1, vcc_lo\nv_lshlrev_b32 v23, 31, v23\nv_or_b32 v23, v23, v22\n";
  text += std::string("v_and_b32 v24, 7, v22\nv_lshlrev_b32 v24, ") + (isGfx10() ? "17" : "0") +
          ", v24\nv_and_b32 v25, 15, v22\nv_lshlrev_b32 v25, 20, v25\nv_or_b32 v24, v24, v25\n";
  text += exp + " prim v23, v24, off, off done" + rowEnd + below(exported);
  text += "v_cvt_f32_u32 v24, s16\nv_cvt_f32_u32 v25, s17\nv_cvt_f32_u32 v26, s18\n"
          "v_cvt_f32_u32 v27, v22\n" +
          exp + " pos0 v24, v25, v26, v27 done" + rowEnd;
  return text + "skip" + n(number) + ":\n";
}

TestGraphics MeshShader::program() const {
  // User data: s8 launch x, y, z, s11 ring index, s12 draw index, s13 global table, s14 an entry.
  std::string text = prologue + ids() +
                     "s_mov_b32 s19, s14\ns_mov_b32 s20, s11\n"
                     "s_mov_b32 s21, s12\n";
  if (!isGfx10())
    text += std::string("s_getpc_b64 s[22:23]\ns_mov_b32 s22, s13\n"
                        "s_load_b128 s[24:27], s[22:23], 0xb0\n") +
            (isGfx12() ? "s_wait_kmcnt 0\n" : "s_waitcnt lgkmcnt(0)\n") +
            "s_and_b32 s25, s25, 0xc000ffff\ns_or_b32 s25, s25, 0x200000\n"
            "s_and_b32 s28, s5, 0x7fff\ns_lshl_b32 s28, s28, 9\n";
  text += "s_cmp_lg_u32 s7, 0\ns_cbranch_scc1 allocated\ns_mov_b32 m0, " +
          std::to_string(allocated | allocated << 12) + "\n";
  text += std::string(allocates ? "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n" : "") + "allocated:\n";
  for (unsigned i = 0; i * waveSize < exported; ++i)
    text += row(i);
  TestGraphics graphics;
  graphics.target = target;
  graphics.stages.push_back({.stage = HardwareStage::Gs,
                             .text = text,
                             .userDataRegMap = {userdata::meshTaskDispatchDims, userdata::notMapped,
                                                userdata::notMapped, userdata::meshTaskRingIndex,
                                                userdata::drawIndex, userdata::globalTable, 0},
                             .ldsBytes = 16});
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  auto field = [&](llvm::StringRef name, llvm::StringRef part, uint64_t value) {
    set({name.str(), part.str()}, value);
  };
  field(key::vgtShaderStagesEn, key::primgenEn, 1);
  field(key::vgtShaderStagesEn, key::gsStageEn, 1);
  field(key::vgtShaderStagesEn, key::gsFastLaunch, isGfx10() || isGfx12() ? 1 : 2);
  field(key::spiVsOutConfig, key::vsExportCount, 0);
  field(key::spiVsOutConfig, key::primExportCount, 1);
  field(key::vgtGsOnchipCntl, key::esVertsPerSubgroup, 1);
  field(key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup, 1);
  field(key::geNggSubgrpCntl, key::primAmpFactor, space);
  set({key::maxVertsPerSubgroup.str()}, space);
  set({key::vgtDrawPrimPayloadEn.str()}, 1);
  field(key::spiShaderGsMeshletDim, key::numThreadX, threads[0] - 1);
  field(key::spiShaderGsMeshletDim, key::numThreadY, threads[1] - 1);
  field(key::spiShaderGsMeshletDim, key::numThreadZ, threads[2] - 1);
  field(key::spiShaderGsMeshletDim, key::threadgroupSize, groupThreads() - 1);
  field(key::spiShaderGsMeshletExpAlloc, key::maxExpVerts, space);
  field(key::spiShaderGsMeshletExpAlloc, key::maxExpPrims, space);
  return graphics;
}

/// In front of \p graphics: a task shader whose workgroup x launches x, 2, 1 groups. \p ready: code
/// that makes of the ring index in s16 the byte in v4.
void addTask(TestGraphics &graphics, const std::string &ready) {
  llvm::StringRef target = graphics.target;
  bool isGfx12 = target.starts_with("gfx12"), isGfx10 = target.starts_with("gfx10");
  std::string id = isGfx12 ? "ttmp9" : "s6"; // behind the user data, 6 registers
  std::string wait = isGfx12 ? "s_wait_kmcnt 0\n" : "s_waitcnt lgkmcnt(0)\n";
  std::string load = isGfx10 ? "s_load_dwordx4" : "s_load_b128";
  std::string store = isGfx10 ? "buffer_store_dwordx3" : "buffer_store_b96";
  std::string byte = isGfx10 ? "buffer_store_byte" : "buffer_store_b8";
  std::string off = isGfx12 ? "null" : "0";
  std::string text = "s_mov_b32 s20, s0\ns_mov_b32 s17, " + id +
                     "\ns_add_u32 s16, s1, s17\ns_getpc_b64 s[22:23]\ns_mov_b32 s22, s20\n" + load +
                     " s[24:27], s[22:23], 0xe0\n" + wait +
                     "s_and_b32 s18, s16, 3\ns_lshl_b32 s18, s18, 4\n"
                     "v_mov_b32 v1, s17\nv_mov_b32 v2, 2\nv_mov_b32 v3, 1\n" +
                     store + " v[1:3], off, s[24:27], s18\n" + ready + byte +
                     " v4, off, s[24:27], s18 offset:12\n";
  graphics.stages.push_back(
      {.stage = HardwareStage::Cs,
       .text = text,
       .userDataRegMap = {userdata::globalTable, userdata::meshTaskRingIndex, userdata::drawIndex,
                          userdata::meshTaskDispatchDims, userdata::notMapped, userdata::notMapped},
       .threads = {7, 1, 1}});
}

constexpr const char *readyInPasses = "s_lshr_b32 s19, s16, 2\ns_and_b32 s19, s19, 1\n"
                                      "v_mov_b32 v4, s19\n";

/// Runs the workgroups of a draw of one API entry, 0xABCD. `output` has the latest part.
struct MeshBed : GeometryBed {
  explicit MeshBed(const TestGraphics &graphics, bool poison = true)
      : GeometryBed(graphics, poison) {
    draw.range.drawIndex = 77;
  }
  std::string run() {
    if (llvm::Error error = MeshStage::check(*program))
      return llvm::toString(std::move(error));
    UserDataValues values = drawUserData(*program, draw, 0);
    auto tables = makeTables(context->target, values);
    InputAssembler input;
    GeometrySetup setup{dispatches, *program, draw,  context->memory.snapshot(),
                        tables,     input,    values};
    auto stage = MeshStage::create(setup);
    if (!stage)
      return llvm::toString(stage.takeError());
    auto sink = [&](const GeometryOutput &part) {
      output = part;
      return llvm::Error::success();
    };
    if (llvm::Error error = (*stage)->run(sink))
      return llvm::toString(std::move(error));
    taskInvocations = (*stage)->taskInvocations;
    meshInvocations = (*stage)->meshInvocations;
    meshPrimitives = (*stage)->meshPrimitives;
    return "";
  }

  uint64_t taskInvocations = 0, meshInvocations = 0, meshPrimitives = 0;
};

std::string faultOf(const TestGraphics &graphics) { return MeshBed(graphics).run(); }

} // namespace

TEST(MeshStage, RegistersExportsAndAttributes) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    MeshShader shader{.target = target};
    MeshBed bed(shader.program());
    bed.draw.groups = {2, 3, 2};
    ASSERT_EQ(bed.run(), "");
    const GeometryOutput &output = bed.output;
    ASSERT_EQ(output.vertices.size(), 12u * 70);
    ASSERT_EQ(output.primitives.size(), 12u * 47); // without 2, 5, ..., 68
    ASSERT_EQ(output.attributes.size(), output.vertices.size());
    ASSERT_EQ(output.primitiveAttributes.size(), output.primitives.size());
    EXPECT_EQ(bed.meshInvocations, shader.isGfx10() ? 0u : 12u * 45);
    EXPECT_EQ(bed.meshPrimitives, shader.isGfx10() ? 0u : 12u * 47);
    size_t next = 0;
    for (unsigned group = 0; group < 12; ++group) {
      std::array<float, 3> id = {float(group % 2), float(group / 2 % 3), float(group / 6)};
      if (shader.isGfx10())
        id = {float(group), 3, 2};
      for (unsigned i = 0; i < 70; ++i) {
        SCOPED_TRACE(i);
        const VertexOutput &vertex = output.vertices[group * 70 + i];
        EXPECT_EQ(vertex.position, (std::array<float, 4>{id[0], id[1], id[2], float(i)}));
        const Attribute &attribute = output.attributes[group * 70 + i];
        EXPECT_EQ(attribute[1], 0xABCDu);
        // Rows 0 and 1 are of the waves with these numbers, row 2 of the first again.
        unsigned thread = i % 64;
        if (!shader.isGfx10() && thread < 45) {
          uint32_t local = thread % 5 | thread / 5 % 3 << 10 | thread / 15 << 20;
          EXPECT_EQ(attribute[0], local);
        }
        if (i % 3 == 2)
          continue;
        const PrimitiveOutput &primitive = output.primitives[next];
        EXPECT_EQ(primitive.vertices[0], group * 70 + i);
        EXPECT_EQ(primitive.vertexCount, 1);
        EXPECT_EQ(primitive.layer, i % 8);
        EXPECT_EQ(primitive.viewport, i % 16);
        EXPECT_TRUE(primitive.hasOwnLayer && primitive.hasOwnViewport);
        EXPECT_EQ(output.primitiveAttributes[next], (Attribute{0, 77, i, i}));
        ++next;
      }
    }
  }
}

TEST(MeshStage, TasksLaunchWorkgroups) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    MeshShader shader{.target = target, .allocated = 4, .exported = 4};
    TestGraphics graphics = shader.program();
    addTask(graphics, readyInPasses);
    MeshBed bed(graphics);
    bed.draw.groups = {7, 1, 1};
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.taskInvocations, shader.isGfx10() ? 0u : 7u * 7); // these shaders do not count
    const GeometryOutput &output = bed.output;
    ASSERT_EQ(output.vertices.size(), (1u + 2 + 3 + 4 + 5 + 6) * 2 * 4);
    size_t next = 0, nextPrimitive = 0;
    for (unsigned task = 0; task < 7; ++task) {
      for (unsigned group = 0; group < task * 2; ++group) {
        std::array<float, 3> id = {float(group % task), float(group / task), 0};
        if (shader.isGfx10())
          id = {float(group), 2, 1};
        for (unsigned i = 0; i < 4; ++i)
          EXPECT_EQ(output.vertices[next++].position,
                    (std::array<float, 4>{id[0], id[1], id[2], float(i)}));
        for (unsigned i : {0, 1, 3})
          EXPECT_EQ(output.primitiveAttributes[nextPrimitive++],
                    (Attribute{TaskStage::ringIndex(task), 77, i, i}));
      }
    }
  }
}

TEST(MeshStage, TasksMustAnswer) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    TestGraphics graphics = MeshShader{.target = target}.program();
    addTask(graphics, "v_mov_b32 v4, 1\n");
    MeshBed bed(graphics);
    bed.draw.groups = {7, 1, 1};
    EXPECT_EQ(bed.run(), "kernel 'test', task workgroup 2: its draw data never become ready");
    TestGraphics half = MeshShader{.target = target}.program();
    addTask(half, readyInPasses);
    std::string &text = half.stages.back().text;
    text.replace(text.find("v_mov_b32 v2, 2"), 15, "v_mov_b32 v2, 0");
    MeshBed zero(half);
    zero.draw.groups = {7, 1, 1};
    EXPECT_EQ(zero.run(), "kernel 'test', task workgroup 1: launches 1 x 0 x 1 workgroups");
  }
}

TEST(MeshStage, TasksNeedTheirUserData) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    auto without = [&](HardwareStage which, uint32_t value) {
      TestGraphics graphics = MeshShader{.target = target}.program();
      addTask(graphics, readyInPasses);
      for (auto &stage : graphics.stages)
        if (stage.stage == which)
          std::replace(stage.userDataRegMap.begin(), stage.userDataRegMap.end(), value,
                       userdata::notMapped);
      return faultOf(graphics);
    };
    EXPECT_EQ(without(HardwareStage::Gs, userdata::meshTaskRingIndex),
              "program 'test': a task shader in front, but no register for MeshTaskRingIndex in "
              ".gs");
    EXPECT_EQ(without(HardwareStage::Cs, userdata::meshTaskRingIndex),
              "program 'test': a task shader in front, but no register for MeshTaskRingIndex in "
              ".cs");
    EXPECT_EQ(without(HardwareStage::Cs, userdata::meshTaskDispatchDims),
              "program 'test': a task shader in front, but no register for MeshTaskDispatchDims in "
              ".cs");
  }
}

/// A workgroup stores a dword at \p step x its ordered id in the scratch ring.
static std::string scratchFault(const char *target, const std::string &step) {
  MeshShader shader{.target = target, .allocated = 0, .exported = 0};
  TestGraphics graphics = shader.program();
  bool isGfx12 = llvm::StringRef(target).starts_with("gfx12"), isGfx10 = shader.isGfx10();
  std::string wait = isGfx12 ? "s_wait_kmcnt 0\n" : "s_waitcnt lgkmcnt(0)\n";
  std::string store = isGfx10 ? "global_store_dword" : "global_store_b32";
  std::string load = isGfx10 ? "s_load_dwordx4" : "s_load_b128";
  graphics.stages[0].text +=
      "s_getpc_b64 s[22:23]\ns_mov_b32 s22, s13\n" + load + " s[24:27], s[22:23], 0xf0\n" + wait +
      "s_and_b32 s20, s2, 0xfff\n" + "s_mul_i32 s20, s20, " + step +
      "\nv_mov_b32 v1, s20\nv_mov_b32 v2, 0x1234\n" + store + " v1, v2, s[24:25]\n";
  graphics.registers.push_back({{key::vgtShaderStagesEn.str(), key::nggWaveIdEn.str()}, 1});
  MeshBed bed(graphics);
  // Not part of the registers that a test can write.
  bed.program->graphics->mesh.scratchBytes = 64;
  bed.draw.groups = {6, 1, 1};
  return bed.run();
}

TEST(MeshStage, ScratchIsSteppedByTheTable) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    EXPECT_EQ(scratchFault(target, "s27"), "");
    EXPECT_EQ(scratchFault(target, "64"),
              "kernel 'test', mesh workgroup 0: writes byte 192 of the scratch ring, which is not "
              "its own");
  }
}

TEST(MeshStage, NothingLeaves) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    MeshShader shader{.target = target, .allocated = 0, .exported = 0};
    MeshBed bed(shader.program());
    bed.draw.groups = {3, 1, 1};
    EXPECT_EQ(bed.run(), "");
    EXPECT_TRUE(bed.output.primitives.empty());
    bed.draw.groups = {3, 0, 1};
    EXPECT_EQ(bed.run(), "");
    bed.draw.groups = {3, 65536, 1};
    EXPECT_EQ(bed.run(), "program 'test': 3 x 65536 x 1 mesh workgroups");
    TestGraphics graphics = shader.program();
    addTask(graphics, readyInPasses);
    MeshBed tasks(graphics);
    tasks.draw.groups = {65536, 0, 1};
    EXPECT_EQ(tasks.run(), "");
    tasks.draw.groups = {65536, 1, 1};
    EXPECT_EQ(tasks.run(), "program 'test': 65536 x 1 x 1 task workgroups");
  }
}

TEST(MeshStage, ExportsMustBeAllocated) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    MeshShader silent{.target = target};
    silent.allocates = false;
    EXPECT_EQ(faultOf(silent.program()),
              "kernel 'test', mesh workgroup 0: no wave has allocated export space");
    MeshShader beyond{.target = target, .allocated = 60};
    EXPECT_EQ(faultOf(beyond.program()),
              "kernel 'test', mesh workgroup 0: exports vertex 60, which it did not allocate");
    MeshShader missing{.target = target};
    missing.primitives = 69;
    EXPECT_EQ(faultOf(missing.program()),
              "kernel 'test', mesh workgroup 0: primitive 69 was not exported");
    MeshShader large{.target = target, .space = 60};
    EXPECT_NE(faultOf(large.program()).find("export"), std::string::npos);
  }
}

TEST(MeshStage, RegistersMustFit) {
  for (const char *target : families) {
    SCOPED_TRACE(target);
    auto with = [&](llvm::StringRef name, llvm::StringRef part, uint64_t value) {
      TestGraphics graphics = MeshShader{.target = target}.program();
      std::vector<std::string> path = {name.str(), part.str()};
      for (TestGraphics::Register &reg : graphics.registers)
        if (reg.path == path)
          reg.value = value;
      return faultOf(graphics);
    };
    EXPECT_EQ(with(key::vgtShaderStagesEn, key::primgenEn, 0),
              "program 'test': the registers do not fit the hardware stages");
    EXPECT_EQ(with(key::vgtShaderStagesEn, key::gsFastLaunch, 3),
              "program 'test': fast launch mode 3 on " + std::string(target));
    bool isGfx10 = MeshShader{.target = target}.isGfx10();
    EXPECT_EQ(isGfx10 ? with(key::geNggSubgrpCntl, key::primAmpFactor, 257)
                      : with(key::spiShaderGsMeshletDim, key::threadgroupSize, 256),
              "program 'test': 257 lanes of a mesh workgroup, the limit is 256");
    EXPECT_EQ(isGfx10 ? with(key::vgtGsOnchipCntl, key::esVertsPerSubgroup, 2)
                      : with(key::spiShaderGsMeshletDim, key::numThreadX, 3),
              isGfx10 ? "program 'test': a mesh workgroup is one vertex and one primitive of its "
                        "subgroup"
                      : "program 'test': the mesh workgroup of 45 threads is not that of its "
                        "dimensions");
  }
  TestGraphics old = MeshShader{.target = "gfx1030"}.program();
  old.target = "gfx1010";
  EXPECT_EQ(faultOf(old), "program 'test': there are no mesh shaders on gfx1010");
}
