//===- ImageResource.cpp - image and sampler descriptors (T#, S#) ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Field positions per generation as tables; a field may have a second, higher part elsewhere.
#include "pal_shim/device/image/ImageResource.h"
#include <algorithm>

namespace pal::device {

namespace {

struct Part {
  uint8_t word = 0, low = 0, count = 0;
};
struct WordField {
  Part low, high;
  uint32_t of(const uint32_t *words) const {
    auto part = [&](Part p) {
      return p.count ? words[p.word] >> p.low & ((1u << p.count) - 1) : 0u;
    };
    return part(low) | part(high) << low.count;
  }
};

struct ImageWords {
  WordField format, minLod, width, height, baseLevel, lastLevel, maxMip, depth, baseArray;
  WordField sliced3d, swizzleMode;
};
constexpr ImageWords gfx10Words = {
    .format = {{1, 20, 9}, {}},
    .minLod = {{1, 8, 12}, {}},
    .width = {{1, 30, 2}, {2, 0, 14}},
    .height = {{2, 14, 16}, {}},
    .baseLevel = {{3, 12, 4}, {}},
    .lastLevel = {{3, 16, 4}, {}},
    .maxMip = {{5, 4, 4}, {}},
    .depth = {{4, 0, 16}, {}},
    .baseArray = {{4, 16, 16}, {}},
    .sliced3d = {{5, 0, 1}, {}},
    .swizzleMode = {{3, 20, 5}, {}},
};
constexpr ImageWords gfx11Words = {
    .format = {{1, 20, 8}, {}},
    .minLod = {{5, 27, 5}, {6, 0, 7}},
    .width = {{1, 30, 2}, {2, 0, 12}},
    .height = {{2, 14, 14}, {}},
    .baseLevel = {{3, 12, 4}, {}},
    .lastLevel = {{3, 16, 4}, {}},
    .maxMip = {{1, 16, 4}, {}},
    .depth = {{4, 0, 14}, {}},
    .baseArray = {{4, 16, 13}, {}},
    .sliced3d = {{5, 0, 1}, {}},
    .swizzleMode = {{3, 20, 5}, {}},
};
constexpr ImageWords gfx12Words = {
    .format = {{1, 17, 8}, {}},
    .minLod = {{5, 26, 6}, {6, 0, 7}},
    .width = {{1, 30, 2}, {2, 0, 14}},
    .height = {{2, 14, 16}, {}},
    .baseLevel = {{1, 25, 5}, {}},
    .lastLevel = {{3, 15, 5}, {}},
    .maxMip = {{1, 12, 5}, {}},
    .depth = {{4, 0, 16}, {}},
    .baseArray = {{4, 16, 14}, {}},
    .sliced3d = {{5, 4, 1}, {}},
    .swizzleMode = {{3, 20, 5}, {}},
};

const ImageWords &wordsOf(Generation generation) {
  return isGfx10(generation) ? gfx10Words : isGfx11(generation) ? gfx11Words : gfx12Words;
}

bool badDescriptor(Wave &wave, const llvm::Twine &message) {
  wave.fault(DeviceFault::Kind::BadDescriptor, message);
  return false;
}

void setLayout(ImageResource &r, const ImageWords &fields, const uint32_t *words) {
  srd::LinearImage image;
  image.format = r.format;
  image.width = r.width;
  image.height = r.is1D() ? 1 : r.height;
  image.samples = r.samples;
  uint32_t depth = fields.depth.of(words), baseArray = fields.baseArray.of(words);
  bool isPlain = r.type == ImageType::D1 || r.type == ImageType::D2 || r.type == ImageType::D2Msaa;
  if (r.isMultisampled()) {
    image.levels = 1;
    r.baseLevel = r.lastLevel = 0;
  } else {
    image.levels = fields.maxMip.of(words) + 1;
  }
  if (r.type == ImageType::D3) {
    r.depth = r.sliceCount = depth + 1;
    if (fields.sliced3d.of(words)) {
      r.isSliced = true;
      r.firstSlice = baseArray;
      r.sliceCount = depth >= baseArray ? depth - baseArray + 1 : 0;
    }
  } else if (!isPlain) {
    r.firstSlice = baseArray;
    r.sliceCount = depth >= baseArray ? depth - baseArray + 1 : 0;
  } else if (depth) {
    // A pitch in elements, less one.
    image.rowPitch = (depth + 1) * r.info->texelBytes;
  }
  image.slices = r.firstSlice + r.sliceCount;
  r.layout = srd::LinearLayout(image);
}

} // namespace

bool ImageResource::contains(const TexelPosition &p) const {
  // The level first: the others shift by it.
  return p.level <= lastLevel && p.level >= firstLevel() && uint32_t(p.x) < levelWidth(p.level) &&
         uint32_t(p.y) < levelHeight(p.level) && uint32_t(p.slice) < levelSlices(p.level) &&
         p.sample < samples;
}

bool decodeImageResource(Wave &wave, const uint32_t *words, bool is128, ImageResource &r) {
  uint32_t padded[8] = {};
  std::copy_n(words, is128 ? 4 : 8, padded);
  if (std::all_of(padded, padded + 8, [](uint32_t word) { return word == 0; }))
    return true;
  const ImageWords &fields = wordsOf(wave.generation);
  unsigned type = padded[3] >> 28;
  if (type < 8)
    return badDescriptor(wave, "T# of type " + llvm::Twine(type));
  if (unsigned mode = fields.swizzleMode.of(padded))
    return badDescriptor(wave, "T# with swizzle mode " + llvm::Twine(mode) +
                                   ": only linear images exist");
  unsigned number = fields.format.of(padded);
  r.format = formats::formatFromNumber(number, isGfx10(wave.generation) ? 10 : 11);
  if (r.format == formats::Format::Undefined)
    return badDescriptor(wave,
                         "T# has format number " + llvm::Twine(number) + ", which does not exist");
  r.isNull = false;
  r.info = &formats::formatInfo(r.format);
  r.type = static_cast<ImageType>(type);
  r.base = (uint64_t(padded[1] & 0xFF) << 32 | padded[0]) << 8;
  r.width = fields.width.of(padded) + 1;
  r.height = fields.height.of(padded) + 1;
  r.baseLevel = fields.baseLevel.of(padded);
  r.lastLevel = fields.lastLevel.of(padded);
  r.minLod = float(fields.minLod.of(padded)) / 256;
  for (unsigned i = 0; i < 4; ++i)
    r.select[i] = padded[3] >> (3 * i) & 7;
  r.borderSwizzle = padded[3] >> 25 & 7;
  if (r.borderSwizzle > 5)
    return badDescriptor(wave, "T# with border colour swizzle " + llvm::Twine(r.borderSwizzle));
  // Multisampled images have the number of samples in place of levels.
  if (r.isMultisampled())
    r.samples = 1u << std::min(r.lastLevel, 4u);
  else if (r.baseLevel > r.lastLevel || r.lastLevel > fields.maxMip.of(padded) ||
           r.lastLevel >= srd::maxLevels)
    return badDescriptor(wave, "T# with levels " + llvm::Twine(r.baseLevel) + " to " +
                                   llvm::Twine(r.lastLevel) + " of " +
                                   llvm::Twine(fields.maxMip.of(padded) + 1));
  setLayout(r, fields, padded);
  if (!r.sliceCount)
    return badDescriptor(wave,
                         "T# whose last slice precedes its first, " + llvm::Twine(r.firstSlice));
  return true;
}

bool decodeSampler(Wave &wave, const uint32_t *words, Sampler &s) {
  auto bits = [&](unsigned word, unsigned low, unsigned count) {
    return words[word] >> low & ((1u << count) - 1);
  };
  for (unsigned i = 0; i < 3; ++i) {
    s.wrap[i] = static_cast<Wrap>(bits(0, 3 * i, 3));
    if (s.wrap[i] == Wrap::ClampHalfBorder || s.wrap[i] == Wrap::MirrorOnceHalfBorder)
      return badDescriptor(wave, "S# that clamps halfway to the border");
  }
  s.compare = uint8_t(bits(0, 12, 3));
  s.unnormalized = bits(0, 15, 1);
  s.truncates = bits(0, 27, 1);
  s.seamlessCube = !bits(0, 28, 1);
  s.reduction = static_cast<Reduction>(bits(0, 29, 2) % 3);
  unsigned lodBits = isGfx12(wave.generation) ? 13 : 12;
  s.minLod = float(bits(1, 0, lodBits)) / 256;
  s.maxLod = float(bits(1, lodBits, lodBits)) / 256;
  s.bias = float(int32_t(words[2] << 18) >> 18) / 256;
  unsigned mag = bits(2, 20, 2), min = bits(2, 22, 2);
  s.magLinear = mag & 1;
  s.minLinear = min & 1;
  s.maxAniso = min & 2 ? 1u << std::min(bits(0, 9, 3), 4u) : 1;
  s.mipFilter = uint8_t(bits(2, 26, 2));
  s.borderType = uint8_t(words[3] >> 30);
  s.borderIndex = uint16_t(isGfx10(wave.generation) ? bits(3, 0, 12) : bits(3, 18, 12));
  if (s.borderType == 3 && !wave.group->borderColors)
    return badDescriptor(wave, "S# with a border colour from the table, but there is none");
  return true;
}

} // namespace pal::device
