//===- FragmentPacking.cpp - which quads share a wave ----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentPacking.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Pixels along a side of an area: a multiple of the largest quad, which is aligned to its size.
constexpr int32_t areaSize = 32;
constexpr size_t areaPixels = size_t(areaSize) * areaSize;

/// The pixels, as numbers in their area, of fragments with an invocation that may write.
template <typename Visit> void forEachPixel(const FragmentQuad &quad, Visit &&visit) {
  for (unsigned lane = 0; lane < 4; ++lane)
    for (unsigned pixel = 0; quad.samples[lane] && pixel < quad.pixels(); ++pixel)
      visit(size_t(quad.pixelY(lane, pixel) & (areaSize - 1)) * areaSize +
            size_t(quad.pixelX(lane, pixel) & (areaSize - 1)));
}

/// Distributes the quads of one area.
class AreaWaves {
public:
  explicit AreaWaves(size_t perWave) : perWave(perWave), next(areaPixels, 0) {}

  void add(uint32_t quad, const FragmentQuad &value) {
    uint32_t wave = firstOpen;
    forEachPixel(value, [&](size_t pixel) { wave = std::max(wave, next[pixel]); });
    while (wave < waves.size() && waves[wave].size() == perWave)
      ++wave;
    if (wave == waves.size())
      waves.emplace_back().reserve(perWave);
    waves[wave].push_back(quad);
    forEachPixel(value, [&](size_t pixel) { next[pixel] = wave + 1; });
    while (firstOpen < waves.size() && waves[firstOpen].size() == perWave)
      ++firstOpen;
  }

  std::vector<std::vector<uint32_t>> waves; ///< numbers of quads

private:
  size_t perWave;
  std::vector<uint32_t> next; ///< of each pixel: the first wave that may have it
  uint32_t firstOpen = 0;     ///< all waves before are full
};

} // namespace

void FragmentPacking::pack(std::vector<FragmentQuad> &quads, ArrayRef<RasterPrimitive> primitives,
                           size_t perWave, bool isOrdered) {
  firstQuads.clear();
  areaRuns.clear();
  if (isOrdered) {
    packOrdered(quads, primitives, perWave);
  } else {
    for (size_t first = 0; first < quads.size(); first += perWave)
      firstQuads.push_back(first);
    areaRuns.push_back({0, firstQuads.size()});
  }
  firstQuads.push_back(quads.size());
}

void FragmentPacking::packOrdered(std::vector<FragmentQuad> &quads,
                                  ArrayRef<RasterPrimitive> primitives, size_t perWave) {
  SmallMapVector<std::tuple<uint32_t, uint32_t, uint32_t>, AreaWaves, 4> areas;
  for (uint32_t i = 0; i < quads.size(); ++i) {
    const FragmentQuad &quad = quads[i];
    const std::tuple key(uint32_t(quad.x) / areaSize, uint32_t(quad.y) / areaSize,
                         uint32_t(primitives[quad.primitive].layer));
    areas.try_emplace(key, perWave).first->second.add(i, quad);
  }
  std::vector<FragmentQuad> packed;
  packed.reserve(quads.size());
  for (const auto &[key, area] : areas) {
    areaRuns.push_back({firstQuads.size(), area.waves.size()});
    for (const std::vector<uint32_t> &wave : area.waves) {
      firstQuads.push_back(packed.size());
      for (uint32_t number : wave)
        packed.push_back(quads[number]);
    }
  }
  quads = std::move(packed);
}

std::vector<uint32_t> overlapsOf(ArrayRef<ArrayRef<FragmentQuad>> waves) {
  std::array<uint32_t, areaPixels> owners = {};
  std::vector<uint32_t> overlapped;
  for (ArrayRef<FragmentQuad> wave : waves) {
    uint32_t older = 0;
    for (const FragmentQuad &quad : wave)
      forEachPixel(quad, [&](size_t pixel) { older |= owners[pixel]; });
    for (const FragmentQuad &quad : wave)
      forEachPixel(quad, [&](size_t pixel) { owners[pixel] |= 1u << overlapped.size(); });
    overlapped.push_back(older);
  }
  return overlapped;
}

} // namespace pal::device
