//===- ImageSrd.cpp - T# --------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Image descriptors. Fields moved between gfx10, gfx11 and gfx12; one table of positions per
/// generation says where, one function fills them. Bits that PAL sets in every image without
/// telling (performance hints, compression block sizes) come last.
#include "pal_shim/srd/Bits.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

namespace pal::srd {

namespace {

struct Field {
  uint16_t first; ///< bit number in the descriptor
  uint8_t width;
};

struct ImageFields {
  Field format, minLod, width, height, baseLevel, lastLevel, maxMip, depth, baseArray, sliced3d;
};

constexpr uint16_t at(unsigned dword, unsigned bit) {
  return static_cast<uint16_t>(32 * dword + bit);
}

// HW: positions from PAL's register headers. Two fields cross a dword: width, and minLod (gfx11+).
constexpr ImageFields gfx10Fields = {
    .format = {at(1, 20), 9},
    .minLod = {at(1, 8), 12},
    .width = {at(1, 30), 16},
    .height = {at(2, 14), 16},
    .baseLevel = {at(3, 12), 4},
    .lastLevel = {at(3, 16), 4},
    .maxMip = {at(5, 4), 4},
    .depth = {at(4, 0), 16},
    .baseArray = {at(4, 16), 16},
    .sliced3d = {at(5, 0), 1},
};
constexpr ImageFields gfx11Fields = {
    .format = {at(1, 20), 8},
    .minLod = {at(5, 27), 12},
    .width = {at(1, 30), 14},
    .height = {at(2, 14), 14},
    .baseLevel = {at(3, 12), 4},
    .lastLevel = {at(3, 16), 4},
    .maxMip = {at(1, 16), 4},
    .depth = {at(4, 0), 14},
    .baseArray = {at(4, 16), 13},
    .sliced3d = {at(5, 0), 1},
};
constexpr ImageFields gfx12Fields = {
    .format = {at(1, 17), 8},
    .minLod = {at(5, 26), 13},
    .width = {at(1, 30), 16},
    .height = {at(2, 14), 16},
    .baseLevel = {at(1, 25), 5},
    .lastLevel = {at(3, 15), 5},
    .maxMip = {at(1, 12), 5},
    .depth = {at(4, 0), 16},
    .baseArray = {at(4, 16), 14},
    .sliced3d = {at(5, 4), 1},
};

const ImageFields &fieldsOf(const abi::GpuTarget &target) {
  return target.major >= 12 ? gfx12Fields : target.major == 11 ? gfx11Fields : gfx10Fields;
}

bool isMultisampled(ImageType type) {
  return type == ImageType::Dim2DMs || type == ImageType::Dim2DMsArray;
}
bool hasLayers(ImageType type) {
  return type == ImageType::Cube || type == ImageType::Dim1DArray ||
         type == ImageType::Dim2DArray || type == ImageType::Dim2DMsArray;
}

/// The order in which the components of a border colour go to the channels of memory, so that the
/// swizzle brings them back (BC_SWIZZLE).
uint32_t borderSwizzle(const Swizzle &swizzle) {
  enum : uint32_t { XYZW, XWYZ, WZYX, WXYZ, ZYXW, YXWZ };
  if (swizzle[3] == Select::X)
    return swizzle[2] == Select::Y ? WZYX : WXYZ;
  if (swizzle[0] == Select::X)
    return swizzle[1] == Select::Y ? XYZW : XWYZ;
  if (swizzle[1] == Select::X)
    return YXWZ;
  return swizzle[2] == Select::X ? ZYXW : XYZW;
}

uint32_t fixedLod(float lod, unsigned bits) {
  const float top = static_cast<float>((1u << bits) - 1);
  return static_cast<uint32_t>(std::clamp(lod * 256.0f, 0.0f, top));
}

/// The field that holds the depth, the last layer, or a row pitch, by type.
uint32_t depthField(const ImageSrdInfo &info) {
  if (hasLayers(info.type) || info.slicedView3d)
    return info.baseLayer + info.layers - 1;
  if (info.type == ImageType::Dim3D)
    return info.depth - 1;
  return info.rowPitchTexels ? info.rowPitchTexels - 1 : 0;
}

} // namespace

bool supportsImageFormat(const abi::GpuTarget &target, formats::Format format) {
  return formats::imageFormatNumber(format, target.major) != 0;
}

void buildImageSrd(const abi::GpuTarget &target, const ImageSrdInfo &info, uint32_t out[8]) {
  const ImageFields &position = fieldsOf(target);
  Fields<8> fields;
  auto set = [&](Field field, uint64_t value) { fields.set(field.first, field.width, value); };
  fields.set(at(0, 0), 40, info.address >> 8);
  set(position.format, formats::imageFormatNumber(info.format, target.major));
  set(position.minLod, fixedLod(info.minLod, position.minLod.width));
  set(position.width, info.width - 1);
  set(position.height, info.height - 1);
  for (unsigned i = 0; i < 4; ++i)
    fields.set(at(3, 3 * i), 3, static_cast<uint32_t>(info.swizzle[i]));
  if (isMultisampled(info.type)) {
    // Multisampled images have one level; the fields hold the number of samples instead.
    const uint32_t log2Samples = llvm::countr_zero(std::max(info.samples, 1u));
    set(position.lastLevel, log2Samples);
    set(position.maxMip, log2Samples);
  } else {
    set(position.baseLevel, info.baseLevel);
    set(position.lastLevel, info.baseLevel + info.levels - 1);
    set(position.maxMip, info.imageLevels - 1);
  }
  fields.set(at(3, 25), 3, borderSwizzle(info.formatSwizzle));
  fields.set(at(3, 28), 4, static_cast<uint32_t>(info.type));
  set(position.depth, depthField(info));
  if (hasLayers(info.type) || info.slicedView3d)
    set(position.baseArray, info.baseLayer);
  set(position.sliced3d, info.slicedView3d);

  if (target.major == 10)
    fields.set(at(2, 31), 1, 1); // resource level
  fields.set(at(5, 20), 3, 4);   // perf_mod
  if (target.major >= 12) {
    fields.set(at(6, 15), 1, 1); // uncompressed blocks of 256 bytes,
    fields.set(at(6, 17), 2, 2); // compressed ones of 128
  } else {
    fields.set(at(6, 10), 1, 1); // iterate_256
  }
  fields.copyTo(out);
}

} // namespace pal::srd
