//===- OutputMergerTestbedForTest.h - surfaces for tests -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/OutputMerger.h"
#include <bit>
#include <cstring>
#include <gtest/gtest.h>

namespace pal::device::test {

inline uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
inline std::array<uint32_t, 4> bitsOf(const Rgba &color) {
  return std::bit_cast<std::array<uint32_t, 4>>(color);
}

/// A draw whose surfaces lie in memory of its own.
class MergerTestbed {
public:
  struct Size {
    uint32_t width = 8, height = 4, slices = 1, samples = 1, levels = 1;
  };

  Surface makeSurface(formats::Format format, Size size) {
    Surface surface;
    surface.format = format;
    surface.layout = srd::LinearLayout({.format = format,
                                        .width = size.width,
                                        .height = size.height,
                                        .slices = size.slices,
                                        .levels = size.levels,
                                        .samples = size.samples});
    surface.slices = size.slices;
    surface.samples = size.samples;
    surface.width = size.width;
    surface.height = size.height;
    auto region = space.allocate({.size = surface.layout.totalBytes(), .name = "target"});
    EXPECT_TRUE(bool(region));
    regions.push_back(*region);
    surface.address = regions.back()->address;
    return surface;
  }
  Surface makeSurface(formats::Format format) { return makeSurface(format, Size()); }
  void makeColor(formats::Format format) { draw.targets.colors[0] = makeSurface(format); }
  void makeColor(formats::Format format, Size size) {
    draw.targets.colors[0] = makeSurface(format, size);
  }

  /// A sample of a surface in memory.
  uint8_t *texel(const Surface &surface, const PixelPlace &place = {}, uint32_t sample = 0) {
    MemoryView memory(space.snapshot());
    return memory.find(surface.address + surface.layout.offset(surface.level, place.x, place.y,
                                                               surface.baseSlice + place.layer,
                                                               sample),
                       formats::formatInfo(surface.format).texelBytes);
  }
  template <typename T> T read(const Surface &surface, PixelPlace place = {}, uint32_t sample = 0) {
    T value;
    std::memcpy(&value, texel(surface, place, sample), sizeof(T));
    return value;
  }
  template <typename T>
  void write(const Surface &surface, T value, PixelPlace place = {}, uint32_t sample = 0) {
    std::memcpy(texel(surface, place, sample), &value, sizeof(T));
  }

  /// "" or the message of the fault; kind in `faultKind`.
  std::string error() {
    MemoryView memory(space.snapshot());
    auto merger = OutputMerger::create(draw, memory);
    if (merger)
      return "";
    std::string message = "no DeviceFault";
    llvm::handleAllErrors(merger.takeError(), [&](const DeviceFault &fault) {
      message = fault.getMessage();
      faultKind = fault.getKind();
    });
    return message;
  }
  OutputMerger merger() {
    MemoryView memory(space.snapshot());
    return llvm::cantFail(OutputMerger::create(draw, memory));
  }

  /// Writes \p color to target 0 at \p place and returns the texel as the format reads.
  Rgba drawColor(const Rgba &color, const Rgba &second = {}, PixelPlace place = {}) {
    PixelColors pixel;
    pixel.written = 1;
    pixel.values[0] = bitsOf(color);
    pixel.second = bitsOf(second);
    merger().writeColors(place, 1, pixel);
    return readColor(place);
  }
  Rgba readColor(PixelPlace place = {}) {
    formats::Texel result;
    formats::unpack(draw.targets.colors[0].format, texel(draw.targets.colors[0], place), result);
    return std::bit_cast<Rgba>(result);
  }
  void setColor(const Rgba &color, PixelPlace place = {}) {
    formats::pack(draw.targets.colors[0].format, bitsOf(color),
                  texel(draw.targets.colors[0], place));
  }
  /// One sample through the tests.
  bool testDepth(float depth, bool front = true, int reference = -1) {
    return merger().testDepthStencil({}, front, 1, &depth, reference);
  }

  DrawInfo draw;
  AddressSpace space;
  DeviceFault::Kind faultKind = DeviceFault::Kind::Deadlock;

private:
  std::vector<std::shared_ptr<const Region>> regions;
};

} // namespace pal::device::test
