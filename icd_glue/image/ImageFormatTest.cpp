// SPDX-License-Identifier: MIT
// Format features against Vulkan's "Required Format Support" (what belongs to compute and
// transfer), and what the tables of ImageFormats.def say against the names of the formats.
#include "icd_glue/image/Image.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

using pal::formats::Format;
using pal::srd::Select;

constexpr VkFormatFeatureFlags2 sampled =
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |
    VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
constexpr VkFormatFeatureFlags2 linear =
    sampled | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
constexpr VkFormatFeatureFlags2 storage = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT;
constexpr VkFormatFeatureFlags2 atomic = storage | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
constexpr VkFormatFeatureFlags2 texel = VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
constexpr VkFormatFeatureFlags2 storageTexel = texel | VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT;
constexpr VkFormatFeatureFlags2 atomicTexel =
    storageTexel | VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;

struct Required {
  VkFormat format;
  VkFormatFeatureFlags2 image, buffer;
};
constexpr Required required[] = {
    {VK_FORMAT_B4G4R4A4_UNORM_PACK16, linear, 0},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, linear, 0},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, linear, 0},
    {VK_FORMAT_R8_UNORM, linear, texel},
    {VK_FORMAT_R8_SNORM, linear, texel},
    {VK_FORMAT_R8_UINT, sampled, texel},
    {VK_FORMAT_R8_SINT, sampled, texel},
    {VK_FORMAT_R8G8_UNORM, linear, texel},
    {VK_FORMAT_R8G8_SNORM, linear, texel},
    {VK_FORMAT_R8G8_UINT, sampled, texel},
    {VK_FORMAT_R8G8_SINT, sampled, texel},
    {VK_FORMAT_R8G8B8A8_UNORM, linear | storage, storageTexel},
    {VK_FORMAT_R8G8B8A8_SNORM, linear | storage, storageTexel},
    {VK_FORMAT_R8G8B8A8_UINT, sampled | storage, storageTexel},
    {VK_FORMAT_R8G8B8A8_SINT, sampled | storage, storageTexel},
    {VK_FORMAT_R8G8B8A8_SRGB, linear, 0},
    {VK_FORMAT_B8G8R8A8_UNORM, linear, texel},
    {VK_FORMAT_B8G8R8A8_SRGB, linear, 0},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, linear, storageTexel},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, linear, storageTexel},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, sampled, storageTexel},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, sampled, storageTexel},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, linear, 0},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, linear, texel},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, sampled, texel},
    {VK_FORMAT_R16_UINT, sampled, texel},
    {VK_FORMAT_R16_SINT, sampled, texel},
    {VK_FORMAT_R16_SFLOAT, linear, texel},
    {VK_FORMAT_R16G16_UINT, sampled, texel},
    {VK_FORMAT_R16G16_SINT, sampled, texel},
    {VK_FORMAT_R16G16_SFLOAT, linear, texel},
    {VK_FORMAT_R16G16B16A16_UINT, sampled | storage, storageTexel},
    {VK_FORMAT_R16G16B16A16_SINT, sampled | storage, storageTexel},
    {VK_FORMAT_R16G16B16A16_SFLOAT, linear | storage, storageTexel},
    {VK_FORMAT_R32_UINT, sampled | atomic, atomicTexel},
    {VK_FORMAT_R32_SINT, sampled | atomic, atomicTexel},
    {VK_FORMAT_R32_SFLOAT, sampled | atomic, atomicTexel}, // with shaderImageFloat32Atomics
    {VK_FORMAT_R32G32_UINT, sampled | storage, storageTexel},
    {VK_FORMAT_R32G32_SINT, sampled | storage, storageTexel},
    {VK_FORMAT_R32G32_SFLOAT, sampled | storage, storageTexel},
    {VK_FORMAT_R32G32B32A32_UINT, sampled | storage, storageTexel},
    {VK_FORMAT_R32G32B32A32_SINT, sampled | storage, storageTexel},
    {VK_FORMAT_R32G32B32A32_SFLOAT, sampled | storage, storageTexel},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, linear, texel},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, linear, 0},
    {VK_FORMAT_D16_UNORM, sampled, 0},
    {VK_FORMAT_D32_SFLOAT, sampled, 0},
    // textureCompressionBC
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, linear, 0},
    {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, linear, 0},
    {VK_FORMAT_BC2_UNORM_BLOCK, linear, 0},
    {VK_FORMAT_BC3_SRGB_BLOCK, linear, 0},
    {VK_FORMAT_BC4_SNORM_BLOCK, linear, 0},
    {VK_FORMAT_BC5_UNORM_BLOCK, linear, 0},
    {VK_FORMAT_BC6H_UFLOAT_BLOCK, linear, 0},
    {VK_FORMAT_BC7_SRGB_BLOCK, linear, 0},
    // shaderStorageImageExtendedFormats
    {VK_FORMAT_R16G16_SFLOAT, storage, 0},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, storage, 0},
    {VK_FORMAT_R16_SFLOAT, storage, 0},
    {VK_FORMAT_R16G16B16A16_UNORM, storage, 0},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, storage, 0},
    {VK_FORMAT_R16G16_UNORM, storage, 0},
    {VK_FORMAT_R8G8_UNORM, storage, 0},
    {VK_FORMAT_R16_UNORM, storage, 0},
    {VK_FORMAT_R8_UNORM, storage, 0},
    {VK_FORMAT_R16G16B16A16_SNORM, storage, 0},
    {VK_FORMAT_R16G16_SNORM, storage, 0},
    {VK_FORMAT_R8G8_SNORM, storage, 0},
    {VK_FORMAT_R16_SNORM, storage, 0},
    {VK_FORMAT_R8_SNORM, storage, 0},
    {VK_FORMAT_R16G16_SINT, storage, 0},
    {VK_FORMAT_R8G8_SINT, storage, 0},
    {VK_FORMAT_R16_SINT, storage, 0},
    {VK_FORMAT_R8_SINT, storage, 0},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, storage, 0},
    {VK_FORMAT_R16G16_UINT, storage, 0},
    {VK_FORMAT_R8G8_UINT, storage, 0},
    {VK_FORMAT_R16_UINT, storage, 0},
    {VK_FORMAT_R8_UINT, storage, 0},
    // shaderImageInt64Atomics
    {VK_FORMAT_R64_UINT, atomic, atomicTexel & ~texel},
    {VK_FORMAT_R64_SINT, atomic, atomicTexel & ~texel},
};

TEST(ImageFormat, RequiredFeatures) {
  for (const char *name : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    const pal::abi::GpuTarget &target = *pal::abi::findTarget(name);
    for (const Required &row : required) {
      EXPECT_EQ(row.image & ~imageFeatures(target, row.format), 0u) << name << " " << row.format;
      EXPECT_EQ(row.buffer & ~bufferFeatures(target, row.format), 0u) << name << " " << row.format;
    }
    // samplerYcbcrConversion
    for (VkFormat format :
         {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM})
      EXPECT_EQ((VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
                 VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT |
                 VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT) &
                    ~imageFeatures(target, format),
                0u);
  }
}

TEST(ImageFormat, NothingOfUnknownFormats) {
  const pal::abi::GpuTarget &target = *pal::abi::findTarget("gfx1100");
  for (VkFormat format :
       {VK_FORMAT_UNDEFINED, VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_R64_SFLOAT,
        VK_FORMAT_ASTC_4x4_UNORM_BLOCK, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_MAX_ENUM}) {
    EXPECT_EQ(imageFeatures(target, format), 0u);
    EXPECT_EQ(bufferFeatures(target, format), 0u);
  }
  // Integers are not filtered, sRGB is not stored, scaled integers and 96 bits are for buffers.
  EXPECT_FALSE(imageFeatures(target, VK_FORMAT_R8_UINT) &
               VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
  EXPECT_FALSE(imageFeatures(target, VK_FORMAT_R8G8B8A8_SRGB) & storage);
  EXPECT_FALSE(imageFeatures(target, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) & storage);
  EXPECT_EQ(imageFeatures(target, VK_FORMAT_R8G8B8A8_USCALED), 0u);
  EXPECT_EQ(imageFeatures(target, VK_FORMAT_R32G32B32_SFLOAT), 0u);
  EXPECT_EQ(bufferFeatures(target, VK_FORMAT_R32G32B32_SFLOAT), texel);
  // Nothing samples 64 bits or draws to them.
  EXPECT_FALSE(imageFeatures(target, VK_FORMAT_R64_UINT) &
               (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT));
  EXPECT_FALSE(bufferFeatures(target, VK_FORMAT_R64_SINT) & texel);
}

// Red, green, blue and alpha of packed texels, placed by the bit positions in the format's name.
TEST(ImageFormat, SwizzlesOfPackedFormats) {
  struct Row {
    VkFormat format;
    uint32_t texel;
    std::array<uint32_t, 4> expected; // 1.0 bits where the texel has all ones
  };
  constexpr uint32_t one = 0x3f800000;
  const Row rows[] = {
      {VK_FORMAT_R4G4_UNORM_PACK8, 0xf0, {one, 0, 0, one}},
      {VK_FORMAT_R4G4B4A4_UNORM_PACK16, 0xf00f, {one, 0, 0, one}},
      {VK_FORMAT_B4G4R4A4_UNORM_PACK16, 0x00f0, {one, 0, 0, 0}},
      {VK_FORMAT_A4R4G4B4_UNORM_PACK16, 0x0f00, {one, 0, 0, 0}},
      {VK_FORMAT_A4B4G4R4_UNORM_PACK16, 0xf00f, {one, 0, 0, one}},
      {VK_FORMAT_R5G6B5_UNORM_PACK16, 0xf800, {one, 0, 0, one}},
      {VK_FORMAT_B5G6R5_UNORM_PACK16, 0x07ff, {one, one, 0, one}},
      {VK_FORMAT_R5G5B5A1_UNORM_PACK16, 0xf801, {one, 0, 0, one}},
      {VK_FORMAT_B5G5R5A1_UNORM_PACK16, 0x07c1, {0, one, 0, one}},
      {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 0x83e0, {0, one, 0, one}},
      {VK_FORMAT_B8G8R8A8_UNORM, 0x00ff0000, {one, 0, 0, 0}},
      {VK_FORMAT_A8B8G8R8_UNORM_PACK32, 0x00ff0000, {0, 0, one, 0}},
      {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 0x3ff00000, {one, 0, 0, 0}},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0xc00003ff, {one, 0, 0, one}},
      {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 0x3c0, {one, 0, 0, one}},
      {VK_FORMAT_R8_UNORM, 0xff, {one, 0, 0, one}},
      {VK_FORMAT_D16_UNORM, 0xffff, {one, 0, 0, one}},
      {VK_FORMAT_S8_UINT, 0x12, {0x12, 0, 0, 1}},
  };
  for (const Row &row : rows) {
    const ImageFormat *format = findImageFormat(row.format);
    ASSERT_TRUE(format);
    const PlaneFormat &plane = format->planes[0];
    const bool integer = pal::formats::formatInfo(plane.format).isInteger();
    pal::formats::Texel texel;
    pal::formats::unpack(plane.format, reinterpret_cast<const uint8_t *>(&row.texel), texel);
    texel = applySwizzle(texel, plane.swizzle, integer);
    EXPECT_EQ(texel, row.expected) << row.format;
    uint32_t back = 0;
    pal::formats::pack(plane.format, reverseSwizzle(texel, plane.swizzle),
                       reinterpret_cast<uint8_t *>(&back));
    EXPECT_EQ(back, row.texel) << row.format;
  }
}

TEST(ImageFormat, ViewSwizzlesCompose) {
  const pal::srd::Swizzle bgra = {Select::Z, Select::Y, Select::X, Select::W};
  EXPECT_EQ(composeSwizzle(bgra, {}), bgra);
  EXPECT_EQ(composeSwizzle(bgra, {VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
                                  VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE}),
            (pal::srd::Swizzle{Select::Y, Select::Z, Select::Zero, Select::One}));
  EXPECT_EQ(composeSwizzle(bgra, {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_IDENTITY,
                                  VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_IDENTITY}),
            (pal::srd::Swizzle{Select::W, Select::Y, Select::X, Select::W}));
}

VkResult query(VkFormat format, VkImageType type, VkImageUsageFlags usage, VkImageCreateFlags flags,
               VkImageFormatProperties &out, const void *next = nullptr) {
  VkPhysicalDeviceLimits limits = {};
  limits.maxImageDimension1D = limits.maxImageDimension2D = 16384;
  limits.maxImageDimension3D = 8192;
  limits.maxImageArrayLayers = 2048;
  limits.sampledImageColorSampleCounts = 0xf;
  limits.storageImageSampleCounts = 1;
  limits.framebufferColorSampleCounts = 7;
  limits.framebufferDepthSampleCounts = 3;
  VkPhysicalDeviceImageFormatInfo2 info = {};
  info.pNext = next;
  info.format = format;
  info.type = type;
  info.usage = usage;
  info.flags = flags;
  return imageFormatProperties(limits, *pal::abi::findTarget("gfx1100"), info, out);
}

TEST(ImageFormat, ImageLimits) {
  VkImageFormatProperties out;
  const VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
  ASSERT_EQ(query(rgba8, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT, 0, out), VK_SUCCESS);
  EXPECT_EQ(out.maxExtent.width, 16384u);
  EXPECT_EQ(out.maxMipLevels, 15u);
  EXPECT_EQ(out.maxArrayLayers, 2048u);
  EXPECT_EQ(out.sampleCounts, 0xfu);
  ASSERT_EQ(query(rgba8, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_STORAGE_BIT, 0, out), VK_SUCCESS);
  EXPECT_EQ(out.sampleCounts, 1u);
  ASSERT_EQ(query(rgba8, VK_IMAGE_TYPE_3D, VK_IMAGE_USAGE_SAMPLED_BIT, 0, out), VK_SUCCESS);
  EXPECT_EQ(out.maxExtent.depth, 8192u);
  EXPECT_EQ(out.maxMipLevels, 14u);
  EXPECT_EQ(out.maxArrayLayers, 1u);
  ASSERT_EQ(query(rgba8, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT,
                  VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, out),
            VK_SUCCESS);
  EXPECT_EQ(out.sampleCounts, 1u);
  const VkResult no = VK_ERROR_FORMAT_NOT_SUPPORTED;
  EXPECT_EQ(query(rgba8, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 0, out),
            no);
  EXPECT_EQ(query(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_TYPE_2D,
                  VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, 0, out),
            no);
  ASSERT_EQ(query(rgba8, VK_IMAGE_TYPE_2D,
                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                      VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
                  0, out),
            VK_SUCCESS);
  EXPECT_EQ(out.sampleCounts, 7u);
  ASSERT_EQ(query(VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_2D,
                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                  0, out),
            VK_SUCCESS);
  EXPECT_EQ(out.sampleCounts, 3u);
  EXPECT_EQ(query(VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_STORAGE_BIT, 0, out),
            no);
  EXPECT_EQ(query(VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_STORAGE_BIT,
                  VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, out),
            VK_SUCCESS);
  EXPECT_EQ(query(rgba8, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT,
                  VK_IMAGE_CREATE_SPARSE_BINDING_BIT, out),
            no);
  EXPECT_EQ(query(rgba8, VK_IMAGE_TYPE_3D, VK_IMAGE_USAGE_SAMPLED_BIT,
                  VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, out),
            no);
  EXPECT_EQ(query(VK_FORMAT_UNDEFINED, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT, 0, out), no);
}

/// Vulkan specification, VkImageFormatProperties::sampleCounts: 1 alone for what is no attachment.
TEST(ImageFormat, SeveralSamplesAreForAttachments) {
  VkImageFormatProperties out;
  const pal::abi::GpuTarget &target = *pal::abi::findTarget("gfx1100");
  for (const ImageFormat &row : allImageFormats()) {
    const VkFormatFeatureFlags2 features = imageFeatures(target, row.format);
    const bool isAttachment = features & (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                          VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT);
    for (VkImageCreateFlags flags :
         {VkImageCreateFlags(0), VkImageCreateFlags(VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
                                                    VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)}) {
      if (query(row.format, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, flags, out))
        continue;
      EXPECT_EQ(out.sampleCounts != VK_SAMPLE_COUNT_1_BIT, isAttachment) << row.format;
    }
  }
  for (VkFormat format : {VK_FORMAT_BC5_SNORM_BLOCK, VK_FORMAT_R12X4_UNORM_PACK16}) {
    ASSERT_EQ(query(format, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT, 0, out), VK_SUCCESS);
    EXPECT_EQ(out.sampleCounts, VK_SAMPLE_COUNT_1_BIT) << format;
  }
}

/// VK_IMAGE_CREATE_EXTENDED_USAGE_BIT: what a view of some compatible format can do.
TEST(ImageFormat, ExtendedUsage) {
  constexpr VkImageCreateFlags extended =
      VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  constexpr VkImageCreateFlags asTexels =
      extended | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
  constexpr VkResult no = VK_ERROR_FORMAT_NOT_SUPPORTED;
  constexpr struct {
    VkFormat format;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags;
    VkResult expected;
  } cases[] = {
      // A view as R8_UINT.
      {VK_FORMAT_R4G4_UNORM_PACK8, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
       extended, VK_SUCCESS},
      {VK_FORMAT_R4G4_UNORM_PACK8, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, 0, no},
      {VK_FORMAT_R4G4_UNORM_PACK8, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, extended, VK_SUCCESS},
      // No format of 16 bits is an attachment of rates.
      {VK_FORMAT_R8G8_UNORM, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, extended, no},
      {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VK_IMAGE_USAGE_STORAGE_BIT, extended, VK_SUCCESS},
      // 64 bits in one component or two.
      {VK_FORMAT_R64_UINT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0, no},
      {VK_FORMAT_R64_UINT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, extended, VK_SUCCESS},
      // Blocks: only with texels of that size.
      {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_USAGE_STORAGE_BIT, extended, no},
      {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_USAGE_STORAGE_BIT, asTexels, VK_SUCCESS},
      // Planes have formats of their own.
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_USAGE_STORAGE_BIT, extended, VK_SUCCESS},
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_USAGE_STORAGE_BIT, 0, no},
      // Views of depth have the image's format, and others never show depth.
      {VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_STORAGE_BIT, extended, no},
      {VK_FORMAT_R32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, extended, no},
  };
  VkImageFormatProperties out;
  for (const auto &entry : cases)
    EXPECT_EQ(query(entry.format, VK_IMAGE_TYPE_2D, entry.usage, entry.flags, out), entry.expected)
        << entry.format << " " << entry.usage << " " << entry.flags;
}

/// VkImageStencilUsageCreateInfo is about stencil alone.
TEST(ImageFormat, StencilUsage) {
  VkImageStencilUsageCreateInfo stencil = {};
  stencil.sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO;
  stencil.stencilUsage = VK_IMAGE_USAGE_STORAGE_BIT;
  VkImageFormatProperties out;
  auto withStencil = [&](VkFormat format) {
    return query(format, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_SAMPLED_BIT, 0, out, &stencil);
  };
  EXPECT_EQ(withStencil(VK_FORMAT_D32_SFLOAT_S8_UINT), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(withStencil(VK_FORMAT_D32_SFLOAT), VK_SUCCESS);
  EXPECT_EQ(withStencil(VK_FORMAT_R8G8B8A8_SRGB), VK_SUCCESS);
}

/// Vulkan specification, "Required Format Support": formats that must be attachments.
TEST(ImageFormat, ShadingRates) {
  constexpr VkImageUsageFlags usage = VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
  constexpr VkFormatFeatureFlags2 feature =
      VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
  VkImageFormatProperties out;
  ASSERT_EQ(query(VK_FORMAT_R8_UINT, VK_IMAGE_TYPE_2D, usage, 0, out), VK_SUCCESS);
  EXPECT_EQ(out.sampleCounts, 1u);
  const VkResult no = VK_ERROR_FORMAT_NOT_SUPPORTED;
  EXPECT_EQ(query(VK_FORMAT_R8_UINT, VK_IMAGE_TYPE_3D, usage, 0, out), no);
  EXPECT_EQ(query(VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, usage, 0, out), no);
  for (const char *name : {"gfx1030", "gfx1100", "gfx1150", "gfx1201"})
    EXPECT_TRUE(imageFeatures(*pal::abi::findTarget(name), VK_FORMAT_R8_UINT) & feature) << name;
  EXPECT_FALSE(imageFeatures(*pal::abi::findTarget("gfx1010"), VK_FORMAT_R8_UINT) & feature);
}

TEST(ImageFormat, MandatoryAttachments) {
  const VkFormat blended[] = {VK_FORMAT_R5G6B5_UNORM_PACK16,
                              VK_FORMAT_A1R5G5B5_UNORM_PACK16,
                              VK_FORMAT_R8_UNORM,
                              VK_FORMAT_R8G8_UNORM,
                              VK_FORMAT_R8G8B8A8_UNORM,
                              VK_FORMAT_R8G8B8A8_SRGB,
                              VK_FORMAT_B8G8R8A8_UNORM,
                              VK_FORMAT_B8G8R8A8_SRGB,
                              VK_FORMAT_A8B8G8R8_UNORM_PACK32,
                              VK_FORMAT_A8B8G8R8_SRGB_PACK32,
                              VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                              VK_FORMAT_R16_SFLOAT,
                              VK_FORMAT_R16G16_SFLOAT,
                              VK_FORMAT_R16G16B16A16_SFLOAT};
  const VkFormat written[] = {
      VK_FORMAT_R8_UINT,
      VK_FORMAT_R8_SINT,
      VK_FORMAT_R8G8_UINT,
      VK_FORMAT_R8G8_SINT,
      VK_FORMAT_R8G8B8A8_UINT,
      VK_FORMAT_R8G8B8A8_SINT,
      VK_FORMAT_A8B8G8R8_UINT_PACK32,
      VK_FORMAT_A8B8G8R8_SINT_PACK32,
      VK_FORMAT_A2B10G10R10_UINT_PACK32,
      VK_FORMAT_R16_UINT,
      VK_FORMAT_R16_SINT,
      VK_FORMAT_R16G16_UINT,
      VK_FORMAT_R16G16_SINT,
      VK_FORMAT_R16G16B16A16_UINT,
      VK_FORMAT_R16G16B16A16_SINT,
      VK_FORMAT_R32_UINT,
      VK_FORMAT_R32_SINT,
      VK_FORMAT_R32_SFLOAT,
      VK_FORMAT_R32G32_UINT,
      VK_FORMAT_R32G32_SINT,
      VK_FORMAT_R32G32_SFLOAT,
      VK_FORMAT_R32G32B32A32_UINT,
      VK_FORMAT_R32G32B32A32_SINT,
      VK_FORMAT_R32G32B32A32_SFLOAT,
  };
  const VkFormatFeatureFlags2 color = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
                              blend = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT,
                              depth = VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  for (const char *name : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    const pal::abi::GpuTarget &target = *pal::abi::findTarget(name);
    for (VkFormat format : blended)
      EXPECT_EQ(imageFeatures(target, format) & (color | blend), color | blend) << format;
    for (VkFormat format : written)
      EXPECT_TRUE(imageFeatures(target, format) & color) << format;
    for (VkFormat format :
         {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT})
      EXPECT_TRUE(imageFeatures(target, format) & depth) << format;
    // Integers do not blend; blocks, shared exponents and two 4-bit channels are no targets.
    EXPECT_FALSE(imageFeatures(target, VK_FORMAT_R8_UINT) & blend);
    for (VkFormat format : {VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,
                            VK_FORMAT_R4G4_UNORM_PACK8, VK_FORMAT_D32_SFLOAT})
      EXPECT_FALSE(imageFeatures(target, format) & color) << format;
  }
}

TEST(ImageFormat, EveryRowIsSound) {
  for (const ImageFormat &row : allImageFormats()) {
    EXPECT_EQ(findImageFormat(row.format), &row);
    EXPECT_GT(row.planeCount, 0);
    for (unsigned i = 0; i < row.planeCount; ++i) {
      EXPECT_NE(row.planes[i].format, Format::Undefined);
      EXPECT_EQ(row.planeOf(row.planes[i].aspect), i);
      // No component reads a channel that is not there.
      const auto &info = pal::formats::formatInfo(row.planes[i].format);
      for (Select select : row.planes[i].swizzle)
        EXPECT_TRUE(select < Select::X || info.bits[static_cast<unsigned>(select) - 4] > 0)
            << row.format;
    }
  }
}

} // namespace
} // namespace icd
