//===- LayoutReader.h - layouts and samplers of Vulkan SC pipelines -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"
#include "tools/replay/Capture.h"

namespace pcc {

/// Elements of an array of one-member objects, {"NAME": VALUE}, by name.
class NamedObjects {
public:
  struct Item {
    std::string name;
    const Json *value;
    size_t index;
  };
  /// Errors: no such array, or two objects of one name. A missing member is an empty array.
  static llvm::Expected<NamedObjects> read(const replay::JsonText &text, const Json &state,
                                           const Place &place, llvm::StringRef member);
  const Item *find(llvm::StringRef name) const;

private:
  std::vector<Item> items;
};

/// Reads `YcbcrSamplers`, `ImmutableSamplers`, `DescriptorSetLayouts` and `PipelineLayout` of a
/// pipeline's state, following the names. Errors: InvalidInput; LimitExceeded for more than any
/// device has.
llvm::Expected<std::unique_ptr<replay::PipelineLayoutDesc>>
readPipelineLayout(ScDecoder &decoder, const Json &state, const Place &place);

} // namespace pcc
