//===- SamplerTest.cpp - sampler state -> descriptor ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/image/Sampler.h"
#include "pal_shim/abi/TargetInfo.h"
#include <gtest/gtest.h>

using namespace icd;

namespace {

VkSamplerCreateInfo nearest() {
  VkSamplerCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.maxLod = VK_LOD_CLAMP_NONE;
  return info;
}

/// TRUNC_COORD, bit 27 of dword 0.
bool truncates(const char *target, const VkSamplerCreateInfo &info) {
  return Sampler(*pal::abi::findTarget(target), info, std::nullopt).words[0] >> 27 & 1;
}

/// With a conversion of a format with two planes.
bool convertedTruncates(bool forceExplicit) {
  VkSamplerYcbcrConversionCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO;
  create.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  create.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
  create.forceExplicitReconstruction = forceExplicit;
  SamplerYcbcrConversion conversion(create);
  VkSamplerYcbcrConversionInfo with = {};
  with.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
  with.conversion = toHandle(&conversion);
  VkSamplerCreateInfo info = nearest();
  info.pNext = &with;
  return truncates("gfx1100", info);
}

// As AMD's driver creates them: xgl, Sampler::ConvertSamplerCreateInfo.
TEST(Sampler, TruncatesCoordinatesWhereBothFiltersAreNearest) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    EXPECT_TRUE(truncates(target, nearest())) << target;
    for (auto filter : {&VkSamplerCreateInfo::magFilter, &VkSamplerCreateInfo::minFilter}) {
      VkSamplerCreateInfo info = nearest();
      info.*filter = VK_FILTER_LINEAR;
      EXPECT_FALSE(truncates(target, info)) << target;
    }
    VkSamplerCreateInfo other = nearest();
    other.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    other.anisotropyEnable = VK_TRUE;
    other.maxAnisotropy = 16;
    EXPECT_TRUE(truncates(target, other)) << target << ": neither counts";
    other = nearest();
    other.unnormalizedCoordinates = VK_TRUE;
    EXPECT_TRUE(truncates(target, other)) << target;
  }
}

TEST(Sampler, ComparingOnesDoNotTruncateCoordinates) {
  VkSamplerCreateInfo info = nearest();
  info.compareOp = VK_COMPARE_OP_LESS;
  EXPECT_TRUE(truncates("gfx1100", info)) << "not enabled";
  info.compareEnable = VK_TRUE;
  EXPECT_FALSE(truncates("gfx1100", info));
  info.compareOp = VK_COMPARE_OP_NEVER;
  EXPECT_TRUE(truncates("gfx1100", info));
}

TEST(Sampler, ExplicitReconstructionDoesNotTruncateCoordinates) {
  EXPECT_TRUE(convertedTruncates(false));
  EXPECT_FALSE(convertedTruncates(true));
}

} // namespace
