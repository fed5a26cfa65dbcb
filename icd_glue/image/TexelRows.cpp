//===- TexelRows.cpp - rows of texels: filling and resolving --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/image/TexelRows.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace icd {

using pal::formats::Format;
using pal::formats::FormatInfo;
using pal::formats::Texel;

void fillRow(uint8_t *row, const uint8_t *element, unsigned elementBytes, uint32_t count) {
  if (count == 0)
    return;
  std::memcpy(row, element, elementBytes);
  const size_t bytes = size_t(count) * elementBytes;
  for (size_t done = elementBytes; done < bytes; done *= 2)
    std::memcpy(row + done, row, std::min(done, bytes - done));
}

namespace {

float floatOf(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// One component of two samples.
uint32_t lesserOrGreater(const FormatInfo &info, bool greater, uint32_t a, uint32_t b) {
  bool less;
  if (info.kind == pal::formats::NumberKind::Uint)
    less = b < a;
  else if (info.kind == pal::formats::NumberKind::Sint)
    less = static_cast<int32_t>(b) < static_cast<int32_t>(a);
  else
    less = floatOf(b) < floatOf(a);
  return less != greater ? b : a;
}

void resolveExtremes(Format format, bool greater, const SampleRow &source, uint32_t count,
                     std::vector<Texel> &texels) {
  const FormatInfo &info = pal::formats::formatInfo(format);
  const pal::formats::UnpackRun unpack = pal::formats::unpackRun(format);
  std::vector<Texel> others(count);
  unpack(source.first, info.texelBytes, count, texels.data());
  for (uint32_t sample = 1; sample < source.samples; ++sample) {
    unpack(source.first + sample * source.stride, info.texelBytes, count, others.data());
    for (uint32_t x = 0; x < count; ++x)
      for (unsigned c = 0; c < 4; ++c)
        texels[x][c] = lesserOrGreater(info, greater, texels[x][c], others[x][c]);
  }
}

void resolveAverage(Format format, const SampleRow &source, uint32_t count,
                    std::vector<Texel> &texels) {
  const FormatInfo &info = pal::formats::formatInfo(format);
  const pal::formats::UnpackRun unpack = pal::formats::unpackRun(format);
  std::vector<std::array<double, 4>> sums(count);
  for (uint32_t sample = 0; sample < source.samples; ++sample) {
    unpack(source.first + sample * source.stride, info.texelBytes, count, texels.data());
    for (uint32_t x = 0; x < count; ++x)
      for (unsigned c = 0; c < 4; ++c)
        sums[x][c] += floatOf(texels[x][c]);
  }
  for (uint32_t x = 0; x < count; ++x)
    for (unsigned c = 0; c < 4; ++c)
      texels[x][c] = llvm::bit_cast<uint32_t>(static_cast<float>(sums[x][c] / source.samples));
}

/// The same bits without a transfer function.
Format withoutTransferFunction(Format format) {
  switch (format) {
  case Format::X8_Srgb:
    return Format::X8_Unorm;
  case Format::X8Y8_Srgb:
    return Format::X8Y8_Unorm;
  case Format::X8Y8Z8W8_Srgb:
    return Format::X8Y8Z8W8_Unorm;
  default: // blocks have no samples
    return format;
  }
}

} // namespace

void resolveRow(Format stored, const ResolveRule &rule, const SampleRow &source, uint32_t count,
                uint8_t *destination) {
  const VkResolveModeFlagBits mode = rule.mode;
  const Format format = rule.encoded ? withoutTransferFunction(stored) : stored;
  const FormatInfo &info = pal::formats::formatInfo(format);
  const bool extreme = mode == VK_RESOLVE_MODE_MIN_BIT || mode == VK_RESOLVE_MODE_MAX_BIT;
  if (source.samples == 1 || mode == VK_RESOLVE_MODE_SAMPLE_ZERO_BIT ||
      (info.isInteger() && !extreme)) {
    std::memcpy(destination, source.first, size_t(count) * info.texelBytes);
    return;
  }
  std::vector<Texel> texels(count);
  if (extreme)
    resolveExtremes(format, mode == VK_RESOLVE_MODE_MAX_BIT, source, count, texels);
  else
    resolveAverage(format, source, count, texels);
  pal::formats::packRun(format)(texels.data(), count, destination, info.texelBytes);
}

} // namespace icd
