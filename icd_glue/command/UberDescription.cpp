//===- UberDescription.cpp - vertex attributes in memory ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/UberDescription.h"
#include "lgc/UberFetch.h"
#include "llpc/Formats.h"
#include "pal_shim/srd/Srd.h"
#include <algorithm>

namespace icd {
namespace {

using lgc::TexelLayout;
using pal::formats::Format;
using namespace lgc::uberfetch;

/// What the driver knows of a format: one load of all components, and loads of each.
struct AttributeFormat {
  Format whole = Format::Undefined; ///< Undefined: there are none
  Format part = Format::Undefined;  ///< Undefined: one load only
  uint32_t channels = 0, channelBytes = 0, alignment = 4;
  bool mayBePacked = true;
  bool hasRedLast = false;
};

/// The format with these channels; Undefined: there is none.
Format plainFormat(const std::array<uint8_t, 4> &bits, pal::formats::NumberKind kind) {
  for (unsigned i = 1; i < pal::formats::formatCount; ++i) {
    const auto &info = pal::formats::formatInfo(static_cast<Format>(i));
    if (info.encoding == pal::formats::Encoding::Plain && info.bits == bits && info.kind == kind)
      return static_cast<Format>(i);
  }
  return Format::Undefined;
}

AttributeFormat wideFormat(uint32_t channels) {
  return {Format::X32Y32_Uint, Format::X32_Uint, channels, 8, 4, false, false};
}

AttributeFormat attributeFormat(uint32_t vkFormat) {
  const std::optional<lgc::TexelFormat> texel = llpc::texelFormatOf(vkFormat);
  if (!texel)
    return {};
  const auto kind = static_cast<pal::formats::NumberKind>(texel->kind);
  const unsigned channels = lgc::channelCount(texel->layout);
  switch (texel->layout) {
  case TexelLayout::R64:
  case TexelLayout::RG64:
  case TexelLayout::RGB64:
  case TexelLayout::RGBA64:
    return wideFormat(channels);
  case TexelLayout::RGB10A2:
    return {
        plainFormat({10, 10, 10, 2}, kind), Format::Undefined, 0, 0, 4, true, texel->swapRedBlue};
  case TexelLayout::RG11B10:
    return {plainFormat({11, 11, 10, 0}, kind), Format::Undefined, 0, 0, 4};
  default:
    break;
  }
  const unsigned bytes = llpc::vertexElementBytes(vkFormat) / std::max(channels, 1u);
  if (texel->layout > TexelLayout::RGBA32 || !channels || !bytes)
    return {};
  std::array<uint8_t, 4> bits = {};
  std::fill_n(bits.begin(), channels, static_cast<uint8_t>(bytes * 8));
  AttributeFormat format;
  format.part = plainFormat({bits[0], 0, 0, 0}, kind);
  format.mayBePacked = channels != 3 || bytes == 4;
  format.whole = format.mayBePacked ? plainFormat(bits, kind) : format.part;
  format.channels = channels;
  format.channelBytes = bytes;
  format.alignment = std::min(channels * bytes, 4u);
  format.hasRedLast = texel->swapRedBlue;
  return format;
}

/// Word 3 of a V#; components that the format lacks are 0, 0, 0, 1.
uint32_t word3(const pal::abi::GpuTarget &target, Format format, bool hasRedLast, bool isSoftware,
               uint32_t stride) {
  using pal::srd::Select;
  pal::srd::BufferSrdInfo srd;
  srd.address = 256; // of no meaning, but no null descriptor
  srd.sizeBytes = ~0u;
  srd.stride = 16;
  srd.format = format;
  srd.outOfBounds =
      isSoftware || !stride ? pal::srd::OutOfBounds::Raw : pal::srd::OutOfBounds::IndexOnly;
  const auto &bits = pal::formats::formatInfo(format).bits;
  for (unsigned i = 0; i < 4; ++i)
    if (!bits[i])
      srd.swizzle[i] = i == 3 ? Select::One : Select::Zero;
  if (hasRedLast)
    std::swap(srd.swizzle[0], srd.swizzle[2]);
  uint32_t words[4];
  pal::srd::buildBufferSrd(target, srd, words);
  return words[3];
}

} // namespace

std::vector<uint32_t> describeVertexInput(const pal::abi::GpuTarget &target,
                                          const VertexInputState &input, bool isSoftware) {
  std::vector<uint32_t> words((maskBytes + locations * attributeBytes) / 4);
  auto describe = [&](uint32_t location, const uint32_t (&entry)[4]) {
    if (location >= locations)
      return;
    words[location / 32] |= 1u << location % 32;
    std::copy_n(entry, 4, words.begin() + (maskBytes + location * attributeBytes) / 4);
  };
  for (const llpc::VertexAttributeInfo &attribute : input.attributes) {
    const AttributeFormat format = attributeFormat(attribute.format);
    const auto *binding = llvm::find_if(
        input.bindings, [&](const auto &one) { return one.binding == attribute.binding; });
    if (format.whole == Format::Undefined || binding == input.bindings.end())
      continue;
    const bool isAligned =
        binding->stride % format.alignment == 0 && attribute.offset % format.alignment == 0;
    const bool isWhole = format.mayBePacked && (isAligned || format.part == Format::Undefined);
    const bool isInstance = binding->inputRate == lgc::VertexInputRate::Instance;
    const bool isBgra = format.hasRedLast && format.channelBytes == 1;
    const bool hasWholeFormat = isWhole || !format.mayBePacked;
    uint32_t entry[4] = {(attribute.binding & bindingMask) | (isInstance ? perInstance : 0) |
                             (isWhole ? isPacked : 0) | format.channelBytes << sizeShift |
                             ((1u << format.channels) - 1) << componentsShift |
                             (isBgra ? lgc::uberfetch::isBgra : 0),
                         attribute.offset, isInstance ? binding->divisor : 0,
                         word3(target, hasWholeFormat ? format.whole : format.part,
                               isWhole && format.hasRedLast, isSoftware, binding->stride)};
    describe(attribute.location, entry);
    if (format.channelBytes == 8 && format.channels > 2) {
      entry[1] += 16;
      describe(attribute.location + 1, entry);
    }
  }
  return words;
}

void buildVertexEntry(const pal::abi::GpuTarget &target, uint64_t address, uint64_t bytes,
                      uint32_t stride, bool isSoftware, uint32_t *out) {
  if (!address)
    return; // null: reads give 0
  if (isSoftware) {
    out[0] = static_cast<uint32_t>(address);
    out[1] = static_cast<uint32_t>(address >> 32);
    out[2] = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
    out[3] = stride;
    return;
  }
  pal::srd::BufferSrdInfo srd;
  srd.address = address;
  srd.sizeBytes = bytes;
  srd.stride = stride;
  srd.outOfBounds = stride ? pal::srd::OutOfBounds::IndexOnly : pal::srd::OutOfBounds::Raw;
  pal::srd::buildBufferSrd(target, srd, out);
}

} // namespace icd
