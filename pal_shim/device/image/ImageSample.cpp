//===- ImageSample.cpp - sampling, gathers, LOD queries --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// image_sample*, image_gather4*, image_get_lod: operands of each lane, level of detail, one or two
/// levels, anisotropic taps, dst_sel (Vulkan "Texel Filtering" and "Image Operations").
///
/// Anisotropic filtering takes equally weighted samples along the longer derivative, as the Vulkan
/// specification suggests; hardware places and weights them in its own way.
#include "pal_shim/device/image/ImageData.h"
#include "pal_shim/device/image/ImageLod.h"
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/image/TexelFilter.h"
#include "pal_shim/device/memory/HostFloat.h"
#include <cmath>

namespace pal::device {

namespace {

/// Of a layer: to the nearest, to even, but TRUNC_COORD is for this coordinate too.
float wholeLayer(const Sampler &sampler, float layer) {
  return sampler.truncates ? std::trunc(layer) : std::nearbyint(layer);
}

uint32_t layerIndex(const ImageResource &image, const Sampler &sampler, float layer) {
  float last = image.sliceCount ? float(image.sliceCount - 1) : 0;
  float rounded = wholeLayer(sampler, layer);
  return rounded > 0 ? uint32_t(std::min(rounded, last)) : 0;
}

/// Cube instructions give face + 8 * layer.
uint32_t cubeSlice(const ImageResource &image, const Sampler &sampler, float value) {
  uint32_t code = value > 0 ? uint32_t(std::min(wholeLayer(sampler, value), 65535.0f)) : 0;
  uint32_t layers = std::max(image.sliceCount / 6, 1u);
  return std::min(code / 8, layers - 1) * 6 + std::min(code % 8, 5u);
}

/// Six signed bits of a packed texel offset.
int32_t offsetPart(uint32_t packed, unsigned index) {
  return int32_t(packed << (26 - 8 * index)) >> 26;
}

struct SampleState {
  Wave &wave;
  const Instr &instr;
  const ImageOp &op;
  AddressReader reader;
  ImageResource image;
  Sampler sampler;
  bool unnormalized = false;
  SamplePoint points[maxLanes]; ///< of quads with a lane: disabled ones count for derivatives

  SampleState(Wave &wave, const Instr &instr)
      : wave(wave), instr(instr), op(imageOp(instr)), reader(wave, instr) {}
  bool decode() {
    if (!decodeImageResource(wave, &wave.s[instr.src[3].reg], instr.mem.r128, image) ||
        !decodeSampler(wave, &wave.s[instr.src[4].reg], sampler))
      return false;
    unnormalized = instr.mem.unorm || sampler.unnormalized;
    if (!image.isMultisampled() || image.isNull) {
      for (unsigned lane = 0; lane < wave.lanes; ++lane)
        if (wave.exec() >> (lane & ~3u) & 0xF)
          points[lane] = readPoint(lane);
      return true;
    }
    wave.fault(DeviceFault::Kind::BadDescriptor, "sampling of a multisampled image");
    return false;
  }
  SamplePoint readPoint(unsigned lane) const;
  Derivatives derivatives(unsigned lane) const;
  LodRequest request(unsigned lane) const;
  /// Else the result is the same whatever the level of detail is.
  bool lodMatters() const {
    const bool hasLevels = sampler.mipFilter != 0 && image.lastLevel != image.baseLevel;
    return hasLevels || sampler.minLinear != sampler.magLinear || sampler.maxAniso > 1;
  }
  LodResult lod(unsigned lane) const {
    return computeLod(image, sampler, unnormalized, derivatives(lane), request(lane));
  }
};

SamplePoint SampleState::readPoint(unsigned lane) const {
  auto coord = [&](unsigned i) { return reader.number(reader.map.coords[i], lane); };
  SamplePoint p;
  p.s = coord(0);
  switch (static_cast<ImageDim>(instr.mem.dim)) {
  case ImageDim::D1:
    break;
  case ImageDim::D1Array:
    p.slice = layerIndex(image, sampler, coord(1));
    break;
  case ImageDim::D3:
    p.t = coord(1), p.r = coord(2);
    break;
  case ImageDim::Cube:
    // The instruction's positions on a face run from 1 to 2.
    p.s -= 1;
    p.t = coord(1) - 1;
    p.slice = cubeSlice(image, sampler, coord(2));
    break;
  case ImageDim::D2Array:
  case ImageDim::D2MsaaArray:
    p.slice = layerIndex(image, sampler, coord(2));
    [[fallthrough]];
  default:
    p.t = coord(1);
  }
  uint32_t packed = reader.bits(reader.map.offset, lane);
  for (unsigned i = 0; i < 3; ++i)
    p.offset[i] = offsetPart(packed, i);
  p.reference = reader.number(reader.map.compare, lane);
  return p;
}

Derivatives SampleState::derivatives(unsigned lane) const {
  Derivatives d;
  if (op.derivatives) {
    unsigned count = derivativeCount(static_cast<ImageDim>(instr.mem.dim));
    for (unsigned i = 0; i < count; ++i) {
      d.dx[i] = reader.number(reader.map.derivatives[i], lane);
      d.dy[i] = reader.number(reader.map.derivatives[count + i], lane);
    }
    return d;
  }
  if (op.lod || op.zero)
    return d;
  return implicitDerivatives(image, points + (lane & ~3u), lane & 3);
}

LodRequest SampleState::request(unsigned lane) const {
  LodRequest r;
  r.hasLod = op.lod || op.zero;
  r.ofView = op.zero && op.kind == ImageKind::Gather;
  if (op.lod)
    r.lod = reader.number(reader.map.last, lane);
  if (op.bias)
    r.bias = reader.number(reader.map.bias, lane);
  if (op.clamp)
    r.minLod = reader.number(reader.map.last, lane);
  return r;
}

/// Blend of two levels. False after a fault.
bool sampleLevels(const SampleState &state, TexelFilter &filter, const SamplePoint &point,
                  const LodResult &lod, unsigned lane, formats::Texel &result) {
  const Sampler &sampler = state.sampler;
  // Unnormalised coordinates have no level of detail: the filters are the same then.
  bool linear = lod.clamped > 0 ? sampler.minLinear : sampler.magLinear;
  float whole = std::floor(lod.levels), fraction = lod.levels - whole;
  uint32_t level = state.image.baseLevel + uint32_t(whole);
  if (!filter.sample(point, level, linear, lane, result))
    return false;
  if (fraction == 0 || state.image.info->isInteger())
    return true;
  formats::Texel next;
  if (!filter.sample(point, level + 1, linear, lane, next))
    return false;
  for (unsigned c = 0; c < 4; ++c) {
    float a = std::bit_cast<float>(result[c]), b = std::bit_cast<float>(next[c]);
    float value = sampler.reduction == Reduction::Blend ? a + (b - a) * fraction
                  : sampler.reduction == Reduction::Min ? std::fmin(a, b)
                                                        : std::fmax(a, b);
    result[c] = std::bit_cast<uint32_t>(value);
  }
  return true;
}

bool sampleLane(const SampleState &state, TexelFilter &filter, unsigned lane,
                formats::Texel &result) {
  const SamplePoint &point = state.points[lane];
  LodResult lod = state.lodMatters() ? state.lod(lane) : LodResult();
  if (lod.taps <= 1)
    return sampleLevels(state, filter, point, lod, lane, result);
  Derivatives d = state.derivatives(lane);
  const float *axis = lod.alongX ? d.dx : d.dy;
  float sum[4] = {};
  for (uint32_t tap = 1; tap <= lod.taps; ++tap) {
    float place = float(tap) / float(lod.taps + 1) - 0.5f;
    SamplePoint moved = point;
    moved.s += axis[0] * place;
    moved.t += axis[1] * place;
    moved.r += axis[2] * place;
    formats::Texel texel;
    if (!sampleLevels(state, filter, moved, lod, lane, texel))
      return false;
    for (unsigned c = 0; c < 4; ++c)
      sum[c] += std::bit_cast<float>(texel[c]);
  }
  for (unsigned c = 0; c < 4; ++c)
    result[c] = std::bit_cast<uint32_t>(sum[c] / float(lod.taps));
  return true;
}

/// One component of four texels; which one is the lowest bit of DMASK.
bool gatherLane(const SampleState &state, TexelFilter &filter, unsigned lane,
                formats::Texel &result) {
  LodResult lod = state.lod(lane);
  uint32_t level = state.image.baseLevel + uint32_t(std::floor(lod.levels + 0.5f));
  formats::Texel texels[4] = {};
  const bool exists = !state.op.zero || state.image.baseLevel >= state.image.firstLevel();
  if (exists && !filter.gather(state.points[lane], level, lane, texels))
    return false;
  unsigned component = unsigned(std::countr_zero(state.instr.mem.dmask | 8u));
  for (unsigned i = 0; i < 4; ++i)
    result[i] = selectTexel(state.image, texels[i])[component];
  return true;
}

} // namespace

void runImageSample(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  SampleState state(wave, instr);
  if (!exec || !state.decode())
    return;
  bool gathers = state.op.kind == ImageKind::Gather;
  // Conversions and weights round to nearest whatever the shader's mode is.
  HostFloatGuard guard;
  TexelFilter filter(wave, state.image, state.sampler, state.op.compare, state.unnormalized);
  formats::Texel results[maxLanes];
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    results[lane] = {};
    if (state.image.isNull)
      continue;
    if (!(gathers ? gatherLane(state, filter, lane, results[lane])
                  : sampleLane(state, filter, lane, results[lane])))
      return;
    if (!gathers)
      results[lane] = selectTexel(state.image, results[lane]);
  }
  bool isInteger = !state.image.isNull && state.image.info->isInteger() && !state.op.compare;
  forEachLane(exec, [&](unsigned lane) {
    if (gathers)
      writeAll(wave, instr, lane, results[lane], isInteger);
    else
      writeMasked(wave, instr, lane, results[lane], isInteger);
  });
}

/// X: the level that would be sampled, from the view's first; Y: before clamping.
void runImageGetLod(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  SampleState state(wave, instr);
  if (!exec || !state.decode())
    return;
  HostFloatGuard guard;
  formats::Texel results[maxLanes];
  forEachLane(exec, [&](unsigned lane) {
    results[lane] = {};
    if (state.image.isNull)
      return;
    LodResult lod = state.lod(lane);
    results[lane][0] = std::bit_cast<uint32_t>(lod.levels);
    results[lane][1] = std::bit_cast<uint32_t>(lod.raw);
  });
  forEachLane(exec, [&](unsigned lane) { writeMasked(wave, instr, lane, results[lane], false); });
}

} // namespace pal::device
