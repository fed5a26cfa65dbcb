//===- LayoutReader.h - layouts and samplers of Vulkan SC pipelines -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "tools/replay/Capture.h"

namespace pcc {

/// A format that is converted when it is sampled, and the element of `YcbcrSamplers` that says so.
/// No place in the text: finding one takes as long as the text is.
struct ConvertedFormat {
  VkFormat format;
  size_t index;
  std::string name;
};

struct LayoutWithFormats {
  std::unique_ptr<replay::PipelineLayoutDesc> layout;
  std::vector<ConvertedFormat> conversions; ///< that layouts refer to
};

/// Reads `YcbcrSamplers`, `ImmutableSamplers`, `DescriptorSetLayouts` and `PipelineLayout` of a
/// pipeline's state, following the names. Errors: what is no JSON of these, and numbers that no
/// device has.
llvm::Expected<LayoutWithFormats> readPipelineLayout(ScDecoder &decoder, const Json &state,
                                                     const Place &place);

} // namespace pcc
