//===- FragmentTestbedForTest.h - fragment shaders on quads of a test ------===//
// SPDX-License-Identifier: MIT
/// \file
///     FragmentTestbed bed("gfx1100", "exp mrt0 v0, v1, v0, v0 done\n");
///     bed.add({.x = 2, .coverage = {1, 1, 1, 1}});
///     EXPECT_EQ(bed.run(), "");
///     EXPECT_EQ(bed.color(2, 0)[0], ...);
#pragma once

#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/graphics/FragmentStage.h"
#include "pal_shim/device/graphics/OutputMergerTestbedForTest.h"

namespace pal::device::test {

/// Bits of SPI_PS_INPUT_ENA.
namespace psinput {
inline constexpr uint32_t perspSample = 1, perspCenter = 2, posX = 1u << 8, posY = 1u << 9;
} // namespace psinput

/// A fragment shader in assembler, one triangle, and a colour target of 8x4 pixels with 32-bit
/// integers, which exports reach as they are. Barycentric coordinates at (x, y) are x / 8 and
/// y / 8, with perspective or without; w is 2, depth 0.5.
class FragmentTestbed : public MergerTestbed {
public:
  /// \p text: s_endpgm is appended; null: no PS stage. "exp" is spelt as the target wants it.
  FragmentTestbed(const char *target, const char *text, unsigned waveSize = 32,
                  unsigned samples = 1, unsigned threads = 1)
      : options{.target = target, .threads = threads},
        dispatches(std::make_unique<DispatchContext>(options)),
        context(std::make_shared<LoadContext>(*abi::findTarget(target))) {
    load(target, text, waveSize);
    draw.raster.samples = samples;
    draw.raster.samplePositions = standardSamplePositions(samples);
    makeColor(formats::Format::X32Y32Z32W32_Uint, {.samples = samples});
    FragmentRegisters &ps = registers();
    ps.inputEna = ps.inputAddr = psinput::perspCenter;
    ps.colorFormats[0] = ExportFormat::Abgr32;
    ps.colorMask = 0xF;
    ps.zOrder = 1;
    ps.coverageInput = CoverageInput::Covered;
    geometry.vertices.resize(3);
    geometry.primitives.resize(1);
    geometry.primitives[0].vertices = {0, 1, 2};
    primitive.vertices = {0, 1, 2};
    primitive.inverseW = {.c = 0.5};
    primitive.perspectiveI = {.dx = 1.0 / 16};
    primitive.perspectiveJ = {.dy = 1.0 / 16};
    primitive.linearI = {.dx = 1.0 / 8};
    primitive.linearJ = {.dy = 1.0 / 8};
    primitive.depth = {.c = 0.5};
  }

  FragmentRegisters &registers() { return program->graphics->fragment; }
  /// Attributes of three vertices: \p count each, x of attribute a of vertex v is value(v, a).
  template <class Value> void setAttributes(unsigned count, Value value) {
    geometry.attributeCount = count;
    geometry.attributes.clear();
    for (unsigned vertex = 0; vertex < geometry.vertices.size(); ++vertex)
      for (unsigned attribute = 0; attribute < count; ++attribute)
        geometry.attributes.push_back({value(vertex, attribute), 0, 0, 0});
    registers().attributeCount = count;
    for (unsigned i = 0; i < count; ++i)
      registers().attributes[i].offset = uint8_t(i);
  }
  void add(const RasterQuad &quad) { quads.push_back({primitive, quad}); }
  void addFull(int x, int y) {
    uint16_t all = uint16_t((1u << draw.raster.samples) - 1);
    add({.x = x, .y = y, .coverage = {all, all, all, all}});
  }
  /// Shades and merges all quads; "" or the message of the fault.
  std::string run() {
    OutputMerger outputs = merger();
    FragmentStage stage(*dispatches, *program, draw, outputs, space.snapshot());
    stage.setGeometry(geometry);
    stage.setUserData(userSgprs, nullptr);
    for (const auto &[raster, quad] : quads)
      stage.add(raster, quad);
    llvm::Error error = stage.flush();
    counts = {};
    stage.addCounts(counts);
    return error ? llvm::toString(std::move(error)) : "";
  }
  std::array<uint32_t, 4> color(uint32_t x, uint32_t y, uint32_t sample = 0, unsigned target = 0) {
    return read<std::array<uint32_t, 4>>(draw.targets.colors[target], {x, y, 0}, sample);
  }
  float colorFloat(uint32_t x, uint32_t y, unsigned channel = 0) {
    return std::bit_cast<float>(color(x, y)[channel]);
  }
  /// Waves that ran, of a shader of \p instructions without branches.
  uint64_t waves(unsigned instructions) const { return dispatches->instructions / instructions; }

  DeviceOptions options;
  std::unique_ptr<DispatchContext> dispatches;
  std::shared_ptr<LoadContext> context;
  std::shared_ptr<const LoadedProgram> program;
  GeometryOutput geometry;
  RasterPrimitive primitive; ///< of the quads that are added next
  std::vector<std::pair<RasterPrimitive, RasterQuad>> quads;
  std::vector<uint32_t> userSgprs;
  DrawStatistics counts;

private:
  void load(const char *target, const char *text, unsigned waveSize) {
    TestGraphics graphics;
    graphics.target = target;
    graphics.stages = {{.stage = abi::HardwareStage::Vs, .text = ""}};
    if (text) {
      std::string spelt = text;
      if (llvm::StringRef(target).starts_with("gfx12"))
        for (size_t at = 0; (at = spelt.find("exp ", at)) != std::string::npos; at += 7)
          spelt.replace(at, 4, "export ");
      graphics.stages.push_back(
          {.stage = abi::HardwareStage::Ps, .waveSize = waveSize, .text = spelt});
    }
    auto loaded = loadElf(context, graphics.elf(), "test");
    if (!loaded) {
      ADD_FAILURE() << target << ": " << llvm::toString(loaded.takeError());
      std::abort();
    }
    program = *loaded;
  }
};

inline constexpr const char *oneOfEachFamily[] = {"gfx1030", "gfx1100", "gfx1201"};
inline constexpr const char *allTargets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};

} // namespace pal::device::test
