//===- SceneTest.cpp - draws of a whole device, from indices to pixels -----===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

constexpr uint32_t size = 64; ///< of the picture

/// v10, v11, v12: clip space x, y, z of vertex v9; v13: w.
/// Vertices 0, 1, 2 are a triangle around the picture, at depth 1/2.
constexpr const char *aroundPicture = "v_and_b32 v10, 1, v9\n"
                                      "v_lshrrev_b32 v11, 1, v9\n"
                                      "v_cvt_f32_u32 v10, v10\n"
                                      "v_cvt_f32_u32 v11, v11\n"
                                      "v_mul_f32 v10, 4.0, v10\n"
                                      "v_mul_f32 v11, 4.0, v11\n"
                                      "v_add_f32 v10, -1.0, v10\n"
                                      "v_add_f32 v11, -1.0, v11\n"
                                      "v_mov_b32 v12, 0.5\n"
                                      "v_mov_b32 v13, 1.0\n";
/// Vertex n is at the centre of pixel n modulo 64 * 64, at depth n / 2^14.
constexpr const char *pixelByPixel = "v_and_b32 v10, 63, v9\n"
                                     "v_bfe_u32 v11, v9, 6, 6\n"
                                     "v_cvt_f32_u32 v10, v10\n"
                                     "v_cvt_f32_u32 v11, v11\n"
                                     "v_mul_f32 v10, 0x3d000000, v10\n" // 1 / 32
                                     "v_mul_f32 v11, 0x3d000000, v11\n"
                                     "v_add_f32 v10, 0xbf7c0000, v10\n" // 1 / 64 - 1
                                     "v_add_f32 v11, 0xbf7c0000, v11\n"
                                     "v_cvt_f32_u32 v12, v9\n"
                                     "v_mul_f32 v12, 0x38800000, v12\n" // 2^-14
                                     "v_mov_b32 v13, 1.0\n";

/// Sends the messages and the primitives of a pass-through shader; EXEC is vertices then.
constexpr const char *primitiveExports = "s_bfe_u32 s0, s2, 0x9000c\n"
                                         "s_bfe_u32 s1, s2, 0x90016\n"
                                         "s_lshl_b32 s1, s1, 12\n"
                                         "s_or_b32 m0, s0, s1\n"
                                         "s_bfe_u32 s0, s3, 0x40018\n"
                                         "s_cmp_lg_u32 s0, 0\n"
                                         "s_cbranch_scc1 allocated\n"
                                         "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"
                                         "allocated:\n"
                                         "s_bfe_u32 s0, s3, 0x80008\n"
                                         "v_mbcnt_lo_u32_b32 v20, -1, 0\n"
                                         "s_mov_b32 exec_lo, -1\n"
                                         "v_cmpx_gt_u32 s0, v20\n"
                                         "exp prim v0, off, off, off done\n"
                                         "s_mov_b32 exec_lo, -1\n"
                                         "s_bfe_u32 s0, s3, 0x80000\n"
                                         "v_cmpx_gt_u32 s0, v20\n";

class Scene {
public:
  Scene(const char *target, const char *position) {
    device = llvm::cantFail(SoftwareDevice::create({.target = target, .threads = 2}));
    load(target, position);
    makeTarget();
    RasterState &raster = draw.raster;
    raster.viewports[0] = {0, 0, float(size), float(size), 0, 1};
    raster.renderArea = raster.scissors[0] = {0, 0, size, size};
    raster.samplePositions = standardSamplePositions(1);
    draw.statistics = &statistics;
  }

  /// "" or the fault's message.
  std::string run() { return llvm::toString(device->draw(draw)); }
  /// i, j, depth of the fragment; depth 0: none.
  std::array<float, 4> at(uint32_t x, uint32_t y) const {
    std::array<float, 4> color;
    const Surface &surface = draw.targets.colors[0];
    std::memcpy(&color, memory->host() + surface.layout.offset(0, x, y, 0, 0), sizeof(color));
    return color;
  }
  void setIndices(std::vector<uint16_t> indices) {
    indexMemory = llvm::cantFail(device->allocate({.size = indices.size() * 2}));
    std::memcpy(indexMemory->host(), indices.data(), indices.size() * 2);
    draw.input.indexType = IndexType::U16;
    draw.input.indexBuffer = indexMemory->address();
    draw.input.indexBytes = indices.size() * 2;
    draw.range.vertexCount = uint32_t(indices.size());
  }

  std::unique_ptr<SoftwareDevice> device;
  DrawInfo draw;
  DrawStatistics statistics;

private:
  void load(llvm::StringRef target, std::string position) {
    bool isGfx10 = target.starts_with("gfx10"), isGfx12 = target.starts_with("gfx12");
    std::string vertexId = isGfx10 ? "v0" : isGfx12 ? "v3" : "v5";
    std::string text = isGfx10 ? "" : primitiveExports;
    text += "v_mov_b32 v9, " + vertexId + "\n" + position + "exp pos0 v10, v11, v12, v13 done\n";
    std::string fragment =
        isGfx10 ? "exp mrt0 v0, v1, v2, v2 done vm\n" : "exp mrt0 v0, v1, v2, v2 done\n";
    for (std::string *code : {&text, &fragment})
      for (size_t at = 0; isGfx12 && (at = code->find("exp ", at)) != std::string::npos; at += 7)
        code->replace(at, 4, "export ");
    TestGraphics graphics;
    graphics.target = target.str();
    graphics.stages = {{.stage = isGfx10 ? HardwareStage::Vs : HardwareStage::Gs, .text = text},
                       {.stage = HardwareStage::Ps, .text = fragment}};
    graphics.registers = {{{key::spiPsInputEna.str(), key::perspCenterEna.str()}, 1},
                          {{key::spiPsInputAddr.str(), key::perspCenterEna.str()}, 1},
                          {{key::spiPsInputEna.str(), key::posZFloatEna.str()}, 1},
                          {{key::spiPsInputAddr.str(), key::posZFloatEna.str()}, 1},
                          {{key::spiShaderColFormat.str(), key::col0ExportFormat.str()}, 9},
                          {{key::cbShaderMask.str(), key::output0Enable.str()}, 15},
                          {{key::dbShaderControl.str(), key::zOrder.str()}, 1}};
    if (!isGfx10) {
      // Several waves and groups.
      for (const char *field : {key::primgenEn.data(), key::primgenPassthruEn.data()})
        graphics.registers.push_back({{key::vgtShaderStagesEn.str(), field}, 1});
      for (const char *limit : {key::esVertsPerSubgroup.data(), key::gsPrimsPerSubgroup.data()})
        graphics.registers.push_back({{key::vgtGsOnchipCntl.str(), limit}, 120});
    }
    auto loaded = device->loadProgram(graphics.elf(), "scene");
    if (!loaded)
      FAIL() << llvm::toString(loaded.takeError());
    program = *loaded;
    draw.program = program.get();
  }
  void makeTarget() {
    Surface &surface = draw.targets.colors[0];
    surface.format = pal::formats::Format::X32Y32Z32W32_Float;
    surface.layout =
        pal::srd::LinearLayout({.format = surface.format, .width = size, .height = size});
    surface.width = surface.height = size;
    memory = llvm::cantFail(device->allocate({.size = surface.layout.totalBytes()}));
    surface.address = memory->address();
  }

  std::shared_ptr<const Program> program;
  std::unique_ptr<Allocation> memory, indexMemory;
};

constexpr const char *targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};

} // namespace

TEST(Scene, ATriangleAroundThePicture) {
  for (const char *target : targets) {
    SCOPED_TRACE(target);
    Scene scene(target, aroundPicture);
    if (HasFatalFailure())
      return;
    scene.draw.range.vertexCount = 3;
    ASSERT_EQ(scene.run(), "");
    for (uint32_t y = 0; y < size; ++y) {
      for (uint32_t x = 0; x < size; ++x) {
        std::array<float, 4> color = scene.at(x, y);
        ASSERT_NEAR(color[0], (float(x) + 0.5f) / (2 * size), 1e-6) << x << ", " << y;
        ASSERT_NEAR(color[1], (float(y) + 0.5f) / (2 * size), 1e-6) << x << ", " << y;
        ASSERT_EQ(color[2], 0.5f) << x << ", " << y;
      }
    }
    EXPECT_EQ(scene.statistics.fragmentInvocations, uint64_t(size) * size);
    EXPECT_EQ(scene.statistics.samplesPassed, uint64_t(size) * size);
    EXPECT_EQ(scene.statistics.clippingPrimitives, 1u);
  }
}

TEST(Scene, IndicesSayWhichVertexIsWhich) {
  for (const char *target : targets) {
    SCOPED_TRACE(target);
    Scene scene(target, aroundPicture);
    if (HasFatalFailure())
      return;
    // An incomplete strip, then the triangle from vertex 2 on: i belongs to vertex 0, j to 1.
    scene.draw.input.topology = PrimitiveTopology::TriangleStrip;
    scene.draw.input.primitiveRestart = true;
    scene.setIndices({0, 1, 0xFFFF, 2, 0, 1});
    scene.draw.raster.scissors[0] = {8, 8, 4, 4};
    ASSERT_EQ(scene.run(), "");
    EXPECT_NEAR(scene.at(9, 10)[0], 1 - 9.5f / (2 * size) - 10.5f / (2 * size), 1e-6);
    EXPECT_NEAR(scene.at(9, 10)[1], 9.5f / (2 * size), 1e-6);
    EXPECT_EQ(scene.at(12, 9)[2], 0);
    EXPECT_EQ(scene.at(9, 7)[2], 0);
    EXPECT_EQ(scene.statistics.fragmentInvocations, 16u);
    // Turned over, it is the other side that is culled.
    scene.draw.raster.cullBack = true;
    scene.draw.raster.scissors[0] = {32, 32, 4, 4};
    ASSERT_EQ(scene.run(), "");
    EXPECT_EQ(scene.at(33, 33)[2], 0);
    scene.draw.raster.frontClockwise = true;
    ASSERT_EQ(scene.run(), "");
    EXPECT_EQ(scene.at(33, 33)[2], 0.5f);
  }
}

TEST(Scene, ManyPrimitivesKeepTheirOrder) {
  for (const char *target : targets) {
    SCOPED_TRACE(target);
    Scene scene(target, pixelByPixel);
    if (HasFatalFailure())
      return;
    // Two and a half rounds over the picture, which are several batches: the last one stays.
    constexpr uint32_t pixels = size * size, count = pixels * 5 / 2;
    scene.draw.input.topology = PrimitiveTopology::PointList;
    scene.draw.range.vertexCount = count;
    ASSERT_EQ(scene.run(), "");
    for (uint32_t n = 0; n < pixels; ++n) {
      uint32_t last = n + (n < pixels / 2 ? 2 : 1) * pixels;
      ASSERT_EQ(scene.at(n % size, n / size)[2], float(last) / 16384) << n;
    }
    EXPECT_EQ(scene.statistics.vertexInvocations, count);
    EXPECT_EQ(scene.statistics.fragmentInvocations, count);
    // Lines of a strip, from pixel to pixel of row 0: the end of the last one is left out.
    scene.draw.input.topology = PrimitiveTopology::LineStrip;
    scene.draw.range.vertexCount = size;
    scene.draw.raster.lineMode = LineMode::Bresenham;
    ASSERT_EQ(scene.run(), "");
    for (uint32_t x = 0; x + 1 < size; ++x)
      ASSERT_EQ(scene.at(x, 0)[2], float(x) / 16384) << x;
    EXPECT_EQ(scene.at(size - 1, 0)[2], float(2 * pixels + size - 1) / 16384);
  }
}
