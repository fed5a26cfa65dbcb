//===- Directives.cpp - images and samplers of tests ----------------------===//
// SPDX-License-Identifier: MIT
#include "Directives.h"
#include "Formats.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Expected;
using llvm::StringRef;

namespace exec {

namespace {

constexpr ImageKind imageKinds[] = {
    {"1d", VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D},
    {"1d-array", VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY},
    {"2d", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D},
    {"2d-array", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
    {"3d", VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D},
    {"cube", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE},
    {"cube-array", VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
};

} // namespace

const ImageKind *findImageKind(StringRef name) {
  const auto *kind = llvm::find_if(imageKinds, [&](const ImageKind &k) { return k.name == name; });
  return kind == std::end(imageKinds) ? nullptr : kind;
}

Expected<ImageSpec> parseImage(const Words &words, VkImageViewType &view) {
  const FormatRow *format = findFormat(words.at(1));
  const ImageKind *kind = findImageKind(words.at(2));
  if (!format || !kind)
    return failure("image: unknown format or kind");
  ImageSpec spec;
  spec.type = kind->type;
  spec.format = format->format;
  spec.blockBytes = format->bytes;
  spec.blockWidth = spec.blockHeight = format->block;
  llvm::SmallVector<StringRef, 3> sizes;
  words.at(3).split(sizes, 'x');
  uint32_t *extents[] = {&spec.extent.width, &spec.extent.height, &spec.extent.depth};
  for (size_t i = 0; i < sizes.size() && i < 3; ++i)
    if (sizes[i].getAsInteger(10, *extents[i]))
      return failure("image: '" + words.at(3) + "' is no extent");
  bool isCube =
      kind->view == VK_IMAGE_VIEW_TYPE_CUBE || kind->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  spec.mips = words.number("mips", 1);
  spec.layers = words.number("layers", isCube ? 6 : 1);
  spec.samples = static_cast<VkSampleCountFlagBits>(words.number("samples", 1));
  spec.flags = (isCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0) |
               (words.number("mutable", 0) ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0) |
               (words.number("slices", 0) ? VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT : 0);
  if (format->aspects) {
    spec.allAspects = format->aspects;
    spec.aspect = format->aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                              : VK_IMAGE_ASPECT_STENCIL_BIT;
    if (words.text("aspect") == "stencil" && format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
      spec.aspect = VK_IMAGE_ASPECT_STENCIL_BIT;
      spec.blockBytes = 1;
    }
  }
  view = kind->view;
  return spec;
}

Expected<SamplerSpec> parseSampler(const Words &words) {
  SamplerSpec spec;
  VkSamplerCreateInfo &info = spec.info;
  auto isLinear = [&](StringRef key) { return words.text(key) == "linear"; };
  info.magFilter = info.minFilter = isLinear("filter") ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  info.mipmapMode =
      isLinear("mip") ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  static constexpr StringRef wraps[] = {"repeat", "mirror", "clamp", "border", "mirror-once"};
  for (auto [key, field] : {std::pair(StringRef("wrap"), &info.addressModeU),
                            std::pair(StringRef("wrapv"), &info.addressModeV),
                            std::pair(StringRef("wrapw"), &info.addressModeW)}) {
    StringRef wrap = words.text(key, words.text("wrap", "repeat"));
    const auto *found = llvm::find(wraps, wrap);
    if (found == std::end(wraps))
      return failure("sampler: unknown wrap '" + wrap + "'");
    *field = static_cast<VkSamplerAddressMode>(found - std::begin(wraps));
  }
  static constexpr StringRef compares[] = {"never",   "less", "equal", "le",
                                           "greater", "ne",   "ge",    "always"};
  if (StringRef compare = words.text("compare"); !compare.empty()) {
    const auto *found = llvm::find(compares, compare);
    if (found == std::end(compares))
      return failure("sampler: unknown compare '" + compare + "'");
    info.compareEnable = VK_TRUE;
    info.compareOp = static_cast<VkCompareOp>(found - std::begin(compares));
  }
  info.borderColor = static_cast<VkBorderColor>(words.number("border", 0));
  info.unnormalizedCoordinates = words.number("unnormalized", 0) != 0;
  if (!words.number("seamless", 1))
    info.flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
  double maxLod = 1000, minLod = 0, bias = 0;
  if (words.text("maxlod", "1000").getAsDouble(maxLod) ||
      words.text("minlod", "0").getAsDouble(minLod) || words.text("bias", "0").getAsDouble(bias))
    return failure("sampler: a lod is no number");
  info.maxLod = info.unnormalizedCoordinates ? 0 : static_cast<float>(maxLod);
  info.minLod = static_cast<float>(minLod);
  info.mipLodBias = static_cast<float>(bias);
  info.maxAnisotropy = static_cast<float>(words.number("aniso", 0));
  info.anisotropyEnable = info.maxAnisotropy > 0;
  StringRef reduction = words.text("reduction");
  spec.reduction = reduction == "min"   ? VK_SAMPLER_REDUCTION_MODE_MIN
                   : reduction == "max" ? VK_SAMPLER_REDUCTION_MODE_MAX
                                        : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
  return spec;
}

} // namespace exec
