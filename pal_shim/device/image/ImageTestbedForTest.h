//===- ImageTestbedForTest.h - images and samplers for tests ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/memory/TestbedForTest.h"
#include "pal_shim/srd/LinearLayout.h"
#include "pal_shim/srd/Srd.h"

namespace pal::device::test {

/// T# in s[0:7], S# in s[8:11].
class ImageTestbed : public Testbed {
public:
  using Testbed::Testbed;

  /// Allocates zeroed storage for the image and writes its descriptor. \p slices: of the image,
  /// when the view shows fewer.
  srd::LinearLayout makeImage(srd::ImageSrdInfo info, uint32_t slices = 0) {
    srd::LinearImage linear;
    linear.format = info.format;
    linear.width = info.width;
    linear.height = info.height;
    linear.levels = info.imageLevels;
    linear.samples = info.samples;
    linear.slices = slices ? slices : info.type == srd::ImageType::Dim3D ? info.depth : info.layers;
    srd::LinearLayout layout(linear);
    image = info.address = allocate(layout.totalBytes());
    uint32_t words[8];
    srd::buildImageSrd(*abi::findTarget(target), info, words);
    setWords(0, words);
    return layout;
  }
  void makeSampler(const srd::SamplerSrdInfo &info) {
    uint32_t words[4];
    srd::buildSamplerSrd(*abi::findTarget(target), info, words);
    setWords(8, words);
  }
  /// \p count address registers from v\p first, as this target's assembler wants them.
  std::string list(unsigned first, unsigned count) const {
    if (count == 1)
      return "v" + std::to_string(first);
    if (!isGfx12(target))
      return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
    std::string text = "[";
    // gfx12 names four; the last one is a tuple when there are more.
    for (unsigned i = 0; i < std::min(count, 4u); ++i)
      text += (i ? ", v" : "v") + (i == 3 && count > 4 ? "[" + std::to_string(first + 3) + ":" +
                                                             std::to_string(first + count - 1) + "]"
                                                       : std::to_string(first + i));
    return text + "]";
  }

  GpuAddress image = 0;
};

} // namespace pal::device::test
