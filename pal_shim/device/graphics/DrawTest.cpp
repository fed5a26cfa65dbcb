//===- DrawTest.cpp - draws from vertices to surfaces ----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"
#include "gtest/gtest.h"
#include <random>

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

constexpr unsigned imageSize = 16;

/// Vertices (-1, -1), (3, -1), (-1, 3): all pixels are inside. The attribute is x and y, then the
/// instance as a float.
constexpr const char *wholeTargetBody = R"(
  v_mov_b32 v22, -1.0
  v_mov_b32 v23, 0x40400000
  v_cmp_eq_u32 vcc_lo, 1, v10
  v_cndmask_b32 v24, v22, v23, vcc_lo
  v_cmp_eq_u32 vcc_lo, 2, v10
  v_cndmask_b32 v25, v22, v23, vcc_lo
  v_mov_b32 v26, 0.5
  v_mov_b32 v27, 1.0
  v_mov_b32 v28, v24
  v_mov_b32 v29, v25
  v_cvt_f32_u32 v30, v11
  v_mov_b32 v31, 1.0
)";

/// Attribute 0, interpolated, and what the first user SGPR (ViewId) is, as a float.
std::string fragmentText(llvm::StringRef target) {
  std::string text;
  if (target.starts_with("gfx10")) {
    for (const char *channel : {"x", "y", "z"}) {
      std::string to = std::string("v") + char('2' + channel[0] - 'x');
      std::string attribute = std::string("attr0.") + channel;
      text += "v_interp_p1_f32 " + to + ", v0, " + attribute + "\nv_interp_p2_f32 " + to +
              ", v1, " + attribute + "\n";
    }
    return text + "v_cvt_f32_u32 v5, s0\nexp mrt0 v2, v3, v4, v5 done vm\n";
  }
  bool isGfx12 = target.starts_with("gfx12");
  for (const char *channel : {"x", "y", "z"}) {
    std::string to = std::string("v") + char('2' + channel[0] - 'x');
    text += std::string(isGfx12 ? "ds" : "lds") + "_param_load v6, attr0." + channel + "\n";
    text +=
        "v_interp_p10_f32 " + to + ", v6, v0, v6\nv_interp_p2_f32 " + to + ", v6, v1, " + to + "\n";
  }
  return text + "v_cvt_f32_u32 v5, s0\n" + (isGfx12 ? "export" : "exp") +
         " mrt0 v2, v3, v4, v5 done\n";
}

TestGraphics wholeTargetProgram(const char *target, bool isNgg) {
  TestGraphics graphics;
  VertexShaderForTest{.target = target, .isNgg = isNgg, .body = wholeTargetBody}.addTo(graphics);
  graphics.stages.push_back({.stage = HardwareStage::Ps,
                             .text = fragmentText(target),
                             .userDataRegMap = {userdata::viewId}});
  auto set = [&](llvm::StringRef name, llvm::StringRef field, uint64_t value) {
    graphics.registers.push_back({{name.str(), field.str()}, value});
  };
  set(key::spiPsInputEna, key::perspCenterEna, 1);
  set(key::spiPsInputAddr, key::perspCenterEna, 1);
  set(key::spiPsInControl, key::numInterps, 1);
  set(key::spiShaderColFormat, key::col0ExportFormat, 9);
  set(key::cbShaderMask, key::output0Enable, 15);
  set(key::dbShaderControl, key::zOrder, 1);
  graphics.registers.push_back({{key::spiPsInputCntl.str(), "[0]", key::offset.str()}, 0});
  return graphics;
}

struct DrawBed {
  explicit DrawBed(const std::string &target, uint64_t instructionLimit = 0) {
    auto made = SoftwareDevice::create({.target = target, .instructionLimit = instructionLimit});
    EXPECT_TRUE(bool(made));
    device = std::move(*made);
    draw.raster.viewports[0] = {0, 0, imageSize, imageSize, 0, 1};
    draw.raster.scissors[0] = {0, 0, imageSize, imageSize};
    draw.raster.renderArea = {0, 0, imageSize, imageSize};
    draw.raster.samplePositions = standardSamplePositions(1);
    draw.range.vertexCount = 3;
    draw.statistics = &counts;
    Surface &surface = draw.targets.colors[0];
    surface.format = pal::formats::Format::X32Y32Z32W32_Float;
    pal::srd::LinearImage image;
    image.format = surface.format;
    image.width = image.height = imageSize;
    surface.layout = pal::srd::LinearLayout(image);
    surface.width = surface.height = imageSize;
    auto allocated =
        device->allocate({.size = surface.layout.totalBytes(), .name = "colour target"});
    EXPECT_TRUE(bool(allocated));
    memory = std::move(*allocated);
    surface.address = memory->address();
  }
  void load(const TestGraphics &graphics) {
    auto loaded = device->loadProgram(graphics.elf(), "test");
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    program = *loaded;
    draw.program = program.get();
  }
  std::string run() {
    llvm::Error error = device->draw(draw);
    return error ? llvm::toString(std::move(error)) : "";
  }
  std::array<float, 4> pixel(unsigned x, unsigned y) {
    std::array<float, 4> value;
    std::memcpy(value.data(), memory->host() + draw.targets.colors[0].layout.offset(0, x, y, 0),
                sizeof value);
    return value;
  }

  std::unique_ptr<SoftwareDevice> device;
  std::unique_ptr<Allocation> memory;
  std::shared_ptr<const Program> program;
  DrawStatistics counts;
  DrawInfo draw;
};

} // namespace

TEST(Draw, InterpolatesOverAllPixels) {
  struct {
    const char *target;
    bool isNgg;
  } cases[] = {{"gfx1010", false}, {"gfx1030", false}, {"gfx1030", true},
               {"gfx1100", true},  {"gfx1150", true},  {"gfx1201", true}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.target);
    DrawBed bed(c.target);
    bed.load(wholeTargetProgram(c.target, c.isNgg));
    bed.draw.range.instanceCount = 2;
    bed.draw.viewMask = 1u << 3;
    ASSERT_EQ(bed.run(), "");
    for (unsigned y = 0; y < imageSize; ++y)
      for (unsigned x = 0; x < imageSize; ++x) {
        std::array<float, 4> value = bed.pixel(x, y);
        // Normalised device coordinates of the pixel's centre.
        EXPECT_NEAR(value[0], (float(x) + 0.5f) / imageSize * 2 - 1, 1e-5f);
        EXPECT_NEAR(value[1], (float(y) + 0.5f) / imageSize * 2 - 1, 1e-5f);
        EXPECT_NEAR(value[2], 1.0f, 1e-6f); // the last instance
        EXPECT_EQ(value[3], 3.0f);          // the view
      }
    EXPECT_EQ(bed.counts.inputVertices, 6u);
    EXPECT_EQ(bed.counts.inputPrimitives, 2u);
    EXPECT_EQ(bed.counts.vertexInvocations, 6u);
    EXPECT_EQ(bed.counts.clippingInvocations, 2u);
    EXPECT_EQ(bed.counts.fragmentInvocations, 2u * imageSize * imageSize);
    EXPECT_EQ(bed.counts.samplesPassed, 2u * imageSize * imageSize);
  }
}

TEST(Draw, DiscardRunsVerticesOnly) {
  DrawBed bed("gfx1100");
  bed.load(wholeTargetProgram("gfx1100", true));
  bed.draw.raster.rasterizerDiscard = true;
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.vertexInvocations, 3u);
  EXPECT_EQ(bed.counts.clippingInvocations, 0u);
  EXPECT_EQ(bed.counts.fragmentInvocations, 0u);
  EXPECT_EQ(bed.pixel(3, 3)[3], 0.0f);
}

TEST(Draw, NothingToDraw) {
  DrawBed bed("gfx1030");
  bed.load(wholeTargetProgram("gfx1030", true));
  bed.draw.range.vertexCount = 2;
  EXPECT_EQ(bed.run(), "");
  bed.draw.range.vertexCount = 3;
  bed.draw.range.instanceCount = 0;
  EXPECT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.vertexInvocations, 0u);
  EXPECT_EQ(bed.counts.inputPrimitives, 0u);
}

TEST(Draw, RefusesWhatCannotBe) {
  DrawBed bed("gfx1100");
  EXPECT_EQ(bed.run(), "no program");
  bed.load(wholeTargetProgram("gfx1100", true));
  DrawInfo good = bed.draw;
  auto after = [&](auto change) {
    bed.draw = good;
    change(bed.draw);
    return bed.run();
  };
  std::vector<uint32_t> entries(161);
  EXPECT_EQ(after([&](DrawInfo &d) { d.userData = entries; }),
            "161 user-data entries, the limit is 160");
  EXPECT_EQ(after([](DrawInfo &d) { d.input.topology = PrimitiveTopology(77); }), "topology 77");
  EXPECT_EQ(after([](DrawInfo &d) { d.raster.samples = 3; }), "3 samples");
  EXPECT_EQ(after([](DrawInfo &d) { d.raster.polygonMode = PolygonMode(3); }), "polygon mode 3");
  EXPECT_EQ(after([](DrawInfo &d) { d.depthStencil.front.compare = CompareOp(8); }),
            "stencil comparison 8");
  EXPECT_EQ(after([](DrawInfo &d) { d.raster.shadingRate.primitive = RateCombiner(5); }),
            "combiner of rates 5");
  EXPECT_EQ(after([](DrawInfo &d) { d.raster.shadingRate.pipeline.log2Height = 3; }),
            "log2 of a fragment's height 3");

  TestProgram compute;
  compute.text = "s_nop 0";
  auto loaded = bed.device->loadProgram(compute.elf(), "compute");
  ASSERT_TRUE(bool(loaded));
  EXPECT_EQ(after([&](DrawInfo &d) { d.program = loaded->get(); }),
            "program 'compute' is a compute program");
  llvm::Error dispatched = bed.device->dispatch({.program = bed.program.get()});
  EXPECT_EQ(llvm::toString(std::move(dispatched)), "program 'test' is a graphics program");
  DrawBed other("gfx1100");
  EXPECT_EQ(after([&](DrawInfo &d) {
              other.load(wholeTargetProgram("gfx1100", true));
              d.program = other.program.get();
            }),
            "program 'test' belongs to another device");
}

TEST(Draw, FaultsEndTheDraw) {
  DrawBed bed("gfx1100");
  TestGraphics graphics = wholeTargetProgram("gfx1100", true);
  graphics.stages[1].text = "s_mov_b64 s[2:3], 0\ns_load_b32 s4, s[2:3], 0x0\n";
  bed.load(graphics);
  std::string message = bed.run();
  EXPECT_NE(message.find("hardware stage .ps, group 0, wave 0: read of 4 bytes"), std::string::npos)
      << message;
  graphics = wholeTargetProgram("gfx1100", true);
  graphics.stages[1].userDataRegMap = {userdata::colorExportAddr};
  bed.load(graphics);
  EXPECT_EQ(bed.run(), "user data register 0: ColorExportAddr is not executed");
}

TEST(Draw, DamagedProgramsAreErrors) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    DrawBed bed(target, 10'000);
    const std::vector<uint8_t> good = wholeTargetProgram(target, true).elf();
    std::mt19937 random(5);
    unsigned loaded = 0, drawn = 0;
    for (unsigned i = 0; i < 400; ++i) {
      std::vector<uint8_t> bad = good;
      for (unsigned changes = random() % 3 + 1; changes; --changes)
        bad[random() % bad.size()] ^= uint8_t(1u << random() % 8);
      auto program = bed.device->loadProgram(bad, "damaged");
      if (!program) {
        EXPECT_NE(llvm::toString(program.takeError()), "");
        continue;
      }
      ++loaded;
      bed.draw.program = program->get();
      drawn += bed.run() == "";
    }
    EXPECT_GT(loaded, 20u);
    EXPECT_GT(drawn, 10u);
    EXPECT_GT(loaded, drawn);
  }
}

TEST(Draw, HostileRegistersAreErrorsOrHarmless) {
  const std::vector<std::string> paths[] = {
      {key::spiVsOutConfig.str(), key::vsExportCount.str()},
      {key::spiVsOutConfig.str(), key::primExportCount.str()},
      {key::vgtGsOnchipCntl.str(), key::esVertsPerSubgroup.str()},
      {key::vgtGsOnchipCntl.str(), key::gsPrimsPerSubgroup.str()},
      {key::vgtEsgsRingItemsize.str()},
      {key::spiPsInControl.str(), key::numInterps.str()},
      {key::spiPsInputCntl.str(), "[0]", key::offset.str()}};
  for (const std::vector<std::string> &path : paths)
    for (uint64_t value : {0ull, 2ull, 31ull, 255ull, 0xFFFFFFFFull}) {
      TestGraphics graphics = wholeTargetProgram("gfx1100", true);
      graphics.registers.push_back({path, value});
      DrawBed bed("gfx1100", 10'000);
      bed.load(graphics);
      std::string message = bed.run();
      if (path.back() == key::esVertsPerSubgroup && value < 3) {
        EXPECT_EQ(message, "subgroups are too small for a primitive");
      }
    }
}
