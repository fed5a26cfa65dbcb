//===- ImageFormat.cpp - Vulkan formats -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The table of formats and the rules that turn its rows into format features.
#include "icd_glue/image/ImageFormat.h"
#include "icd_glue/NewerVulkan.h"
#include "llpc/Formats.h"
#include <algorithm>
#include <map>

namespace icd {

using pal::formats::Encoding;
using pal::formats::Format;
using pal::formats::FormatInfo;
using pal::formats::formatInfo;
using pal::formats::NumberKind;
using pal::srd::Select;
using pal::srd::Swizzle;

namespace {

constexpr Swizzle redOnly = {Select::X, Select::Zero, Select::Zero, Select::One};
constexpr Swizzle redGreen = {Select::X, Select::Y, Select::Zero, Select::One};

constexpr ImageFormat colorFormat(VkFormat name, Format format, Swizzle swizzle) {
  ImageFormat row;
  row.format = name;
  row.planeCount = 1;
  row.planes[0] = {format, swizzle, VK_IMAGE_ASPECT_COLOR_BIT, 1, 1};
  return row;
}

constexpr ImageFormat depthStencilFormat(VkFormat name, Format depth, Format stencil) {
  ImageFormat row;
  row.format = name;
  if (depth != Format::Undefined)
    row.planes[row.planeCount++] = {depth, redOnly, VK_IMAGE_ASPECT_DEPTH_BIT, 1, 1};
  if (stencil != Format::Undefined)
    row.planes[row.planeCount++] = {stencil, redOnly, VK_IMAGE_ASPECT_STENCIL_BIT, 1, 1};
  return row;
}

constexpr ImageFormat ycbcrFormat(VkFormat name, uint8_t bits, uint8_t xDivisor, uint8_t yDivisor,
                                  Format plane0, Format plane1, Format plane2) {
  ImageFormat row;
  row.format = name;
  row.isYcbcr = true;
  row.ycbcrBits = bits;
  row.planeCount = plane2 == Format::Undefined ? 2 : 3;
  row.planes[0] = {plane0, redOnly, VK_IMAGE_ASPECT_PLANE_0_BIT, 1, 1};
  row.planes[1] = {plane1, row.planeCount == 2 ? redGreen : redOnly, VK_IMAGE_ASPECT_PLANE_1_BIT,
                   xDivisor, yDivisor};
  if (row.planeCount == 3)
    row.planes[2] = {plane2, redOnly, VK_IMAGE_ASPECT_PLANE_2_BIT, xDivisor, yDivisor};
  return row;
}

constexpr ImageFormat rows[] = {
#define KILN_FORMAT(name, format, r, g, b, a)                                                      \
  colorFormat(VK_FORMAT_##name, Format::format, {Select::r, Select::g, Select::b, Select::a}),
#define KILN_DEPTH_STENCIL(name, depth, stencil)                                                   \
  depthStencilFormat(VK_FORMAT_##name, Format::depth, Format::stencil),
#define KILN_YCBCR(name, bits, xDivisor, yDivisor, plane0, plane1, plane2)                         \
  ycbcrFormat(VK_FORMAT_##name, bits, xDivisor, yDivisor, Format::plane0, Format::plane1,          \
              Format::plane2),
#include "icd_glue/image/ImageFormats.def"
};

/// Rows by VkFormat.
const std::map<VkFormat, const ImageFormat *> &rowsByFormat() {
  static const std::map<VkFormat, const ImageFormat *> index = [] {
    std::map<VkFormat, const ImageFormat *> made;
    for (const ImageFormat &row : rows)
      made[row.format] = &row;
    return made;
  }();
  return index;
}

/// Layouts that image and buffer stores can write.
bool isStorageFormat(Format format) {
  const FormatInfo &info = formatInfo(format);
  if (info.encoding != Encoding::Plain || info.kind == NumberKind::Srgb ||
      info.kind == NumberKind::Uscaled || info.kind == NumberKind::Sscaled)
    return false;
  // 96-bit texels and the narrow packed ones have no store.
  const bool packed = info.bits[0] < 8 || info.bits[0] == 24;
  return !packed && info.texelBytes != 12;
}

/// What fragments can be written to: what the colour blocks have a format for, the compiler an
/// export, and the device a conversion.
bool isColorTarget(VkFormat name, Format format) {
  const FormatInfo &info = formatInfo(format);
  // HW(gfx10+): colour blocks have no format of two 4-bit channels.
  return info.encoding == Encoding::Plain && format != Format::X4Y4_Unorm &&
         llpc::texelFormatOf(static_cast<uint32_t>(name)).has_value();
}

/// Floats: shaderImageFloat32Atomics and its like are of no use without the format's feature.
bool isAtomicFormat(Format format) {
  return format == Format::X32_Uint || format == Format::X32_Sint || format == Format::X32_Float;
}

/// One component of 64 bits, which the hardware sees as two of 32 bits: for loads, stores and
/// atomics of storage images and storage texel buffers, and copies.
bool isWideInteger(VkFormat name) {
  return name == VK_FORMAT_R64_UINT || name == VK_FORMAT_R64_SINT;
}

bool isScaled(Format format) {
  const NumberKind kind = formatInfo(format).kind;
  return kind == NumberKind::Uscaled || kind == NumberKind::Sscaled;
}

constexpr VkFormatFeatureFlags2 storageFeatures =
    VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
    VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
constexpr VkFormatFeatureFlags2 transferFeatures =
    VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT |
    VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR |
    VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT;

VkFormatFeatureFlags2 colorFeatures(VkFormat name, Format format) {
  if (isWideInteger(name))
    return storageFeatures | transferFeatures | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
  const FormatInfo &info = formatInfo(format);
  VkFormatFeatureFlags2 features = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | transferFeatures;
  if (!info.isInteger())
    features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  if (!info.isInteger() && info.encoding == Encoding::Plain)
    features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
  features |= VK_FORMAT_FEATURE_2_BLIT_SRC_BIT;
  if (!info.isBlock())
    features |= VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
  if (isStorageFormat(format))
    features |= storageFeatures;
  if (isAtomicFormat(format))
    features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
  if (isColorTarget(name, format)) {
    features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
    if (!info.isInteger())
      features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
  }
  return features;
}

VkFormatFeatureFlags2 depthStencilFeatures(const ImageFormat &row) {
  VkFormatFeatureFlags2 features =
      VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | transferFeatures | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |
      VK_FORMAT_FEATURE_2_BLIT_DST_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (row.aspects() & VK_IMAGE_ASPECT_DEPTH_BIT)
    features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT |
                VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT |
                VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
                VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
  if (row.aspects() & VK_IMAGE_ASPECT_STENCIL_BIT)
    features |= VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
                VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
  return features;
}

constexpr VkFormatFeatureFlags2 ycbcrFeatures =
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
    VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT |
    VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT |
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT |
    transferFeatures;

} // namespace

VkImageAspectFlags ImageFormat::aspects() const {
  VkImageAspectFlags all = isYcbcr ? VK_IMAGE_ASPECT_COLOR_BIT : VK_IMAGE_ASPECT_NONE;
  for (const PlaneFormat &plane : planeList())
    all |= plane.aspect;
  return all;
}

unsigned ImageFormat::planeOf(VkImageAspectFlagBits aspect) const {
  if (isYcbcr && aspect == VK_IMAGE_ASPECT_COLOR_BIT)
    return 0;
  for (unsigned i = 0; i < planeCount; ++i)
    if (planes[i].aspect == aspect)
      return i;
  // Images of one plane may be named by it.
  return planeCount == 1 && aspect == VK_IMAGE_ASPECT_PLANE_0_BIT ? 0 : maxImagePlanes;
}

const ImageFormat *findImageFormat(VkFormat format) {
  const auto found = rowsByFormat().find(format);
  return found == rowsByFormat().end() ? nullptr : found->second;
}

llvm::ArrayRef<ImageFormat> allImageFormats() { return rows; }

VkFormatFeatureFlags2 imageFeatures(const pal::abi::GpuTarget &target, VkFormat format) {
  const ImageFormat *row = findImageFormat(format);
  if (!row)
    return 0;
  for (const PlaneFormat &plane : row->planeList())
    // 96-bit images are left out: hardware has them, in linear tiling alone, without mipmaps.
    if (!pal::srd::supportsImageFormat(target, plane.format) || isScaled(plane.format) ||
        formatInfo(plane.format).texelBytes == 12)
      return 0;
  if (row->isYcbcr)
    return ycbcrFeatures;
  if (row->isDepthStencil())
    return depthStencilFeatures(*row);
  VkFormatFeatureFlags2 features = colorFeatures(format, row->planes[0].format);
  const bool hasShadingRates = target.major > 10 || target.minor >= 3;
  if (format == VK_FORMAT_R8_UINT && hasShadingRates)
    features |= VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
  return features;
}

VkFormatFeatureFlags2 bufferFeatures(const pal::abi::GpuTarget &target, VkFormat format) {
  const ImageFormat *row = findImageFormat(format);
  if (!row || row->isYcbcr || row->isDepthStencil() ||
      !pal::srd::supportsBufferFormat(target, row->planes[0].format))
    return 0;
  VkFormatFeatureFlags2 features =
      isWideInteger(format) ? 0 : VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
  if (isStorageFormat(row->planes[0].format))
    features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT |
                VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
                VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
  if (isAtomicFormat(row->planes[0].format) || isWideInteger(format))
    features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
  return features;
}

bool allowsUsage(VkFormatFeatureFlags2 features, VkImageUsageFlags2KHR usage) {
  constexpr VkFormatFeatureFlags2 color = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
  constexpr VkFormatFeatureFlags2 depth = VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  // One of the features is enough.
  static constexpr struct {
    VkImageUsageFlags usage;
    VkFormatFeatureFlags2 features;
  } table[] = {
      {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT},
      {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT},
      {VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT},
      {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
      {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
      {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, color},
      {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, depth},
      {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, color | depth},
      {VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, color | depth},
      {VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT, color | depth},
      {VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
       VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR},
  };
  for (const auto &entry : table) {
    if ((usage & entry.usage) && !(features & entry.features))
      return false;
    usage &= ~VkImageUsageFlags2KHR(entry.usage);
  }
  return usage == 0; // the rest belongs to extensions that are not there
}

pal::formats::Texel applySwizzle(const pal::formats::Texel &texel, const Swizzle &swizzle,
                                 bool isInteger) {
  pal::formats::Texel out;
  for (unsigned i = 0; i < 4; ++i) {
    if (swizzle[i] >= Select::X)
      out[i] = texel[static_cast<unsigned>(swizzle[i]) - static_cast<unsigned>(Select::X)];
    else
      out[i] = swizzle[i] == Select::Zero ? 0 : isInteger ? 1 : 0x3f800000;
  }
  return out;
}

pal::formats::Texel reverseSwizzle(const pal::formats::Texel &texel, const Swizzle &swizzle) {
  pal::formats::Texel out = {};
  for (unsigned i = 4; i-- > 0;)
    if (swizzle[i] >= Select::X)
      out[static_cast<unsigned>(swizzle[i]) - static_cast<unsigned>(Select::X)] = texel[i];
  return out;
}

Swizzle composeSwizzle(const Swizzle &format, const VkComponentMapping &mapping) {
  const VkComponentSwizzle components[4] = {mapping.r, mapping.g, mapping.b, mapping.a};
  Swizzle out = format;
  for (unsigned i = 0; i < 4; ++i) {
    const VkComponentSwizzle component = components[i];
    if (component == VK_COMPONENT_SWIZZLE_ZERO)
      out[i] = Select::Zero;
    else if (component == VK_COMPONENT_SWIZZLE_ONE)
      out[i] = Select::One;
    else if (component >= VK_COMPONENT_SWIZZLE_R && component <= VK_COMPONENT_SWIZZLE_A)
      out[i] = format[component - VK_COMPONENT_SWIZZLE_R];
  }
  return out;
}

} // namespace icd
