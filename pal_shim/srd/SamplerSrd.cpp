//===- SamplerSrd.cpp - S# ------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sampler descriptors. gfx12 widens the level-of-detail fields by a bit and moves the border
/// colour index; gfx10 keeps that index in the low bits.
#include "pal_shim/srd/Bits.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace pal::srd {

namespace {

uint32_t unsignedFixed8(float value, unsigned bits) {
  const float top = static_cast<float>((1u << bits) - 1);
  return value > 0 ? static_cast<uint32_t>(std::min(value * 256.0f, top)) : 0;
}

uint32_t signedFixed8(float value, unsigned bits) {
  const float top = static_cast<float>(1 << (bits - 1));
  if (value != value)
    return 0;
  const float scaled = std::clamp(std::floor(value * 256.0f), -top, top - 1);
  return static_cast<uint32_t>(static_cast<int32_t>(scaled)) & ((1u << bits) - 1);
}

} // namespace

void buildSamplerSrd(const abi::GpuTarget &target, const SamplerSrdInfo &info, uint32_t out[4]) {
  const uint32_t ratio = std::clamp(info.maxAniso, 1u, 16u);
  const uint32_t log2Ratio = 31 - static_cast<uint32_t>(llvm::countl_zero(ratio));
  const uint32_t anisotropic = ratio > 1 ? 2 : 0;
  Fields<4> fields;
  for (unsigned i = 0; i < 3; ++i)
    fields.set(3 * i, 3, static_cast<uint32_t>(info.address[i]));
  fields.set(9, 3, log2Ratio);
  fields.set(12, 3, static_cast<uint32_t>(info.compare));
  fields.set(15, 1, info.unnormalized);
  fields.set(27, 1, info.truncateCoords);
  fields.set(28, 1, !info.seamlessCube);
  fields.set(29, 2, static_cast<uint32_t>(info.reduction));

  const unsigned lodBits = target.major >= 12 ? 13 : 12;
  fields.set(32, lodBits, unsignedFixed8(info.minLod, lodBits));
  fields.set(32 + lodBits, lodBits, unsignedFixed8(info.maxLod, lodBits));
  // HW: the texture unit's blend between levels gets cheaper with the ratio; 6 is PAL's base.
  fields.set(target.major >= 12 ? 94 : 56, 4, log2Ratio + 6);

  fields.set(64, 14, signedFixed8(info.lodBias, 14));
  fields.set(84, 2, static_cast<uint32_t>(info.magFilter) | anisotropic);
  fields.set(86, 2, static_cast<uint32_t>(info.minFilter) | anisotropic);
  fields.set(90, 2, static_cast<uint32_t>(info.mipFilter));
  fields.set(93, 1, 1); // aniso_override
  fields.set(target.major >= 11 ? 96 + 18 : 96, 12, info.borderColorIndex);
  fields.set(126, 2, static_cast<uint32_t>(info.borderColor));
  fields.copyTo(out);
}

} // namespace pal::srd
