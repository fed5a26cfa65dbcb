//===- Features.cpp - device features of a Vulkan SC pipeline -------------===//
// SPDX-License-Identifier: MIT
#include "Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

constexpr unsigned maxChain = 512;

/// Where a feature may stand: in structures whose sType begins so.
struct FeatureRow {
  const char *name;
  StringRef types[2];
};
constexpr FeatureRow featureRows[] = {
    {"nullDescriptor", {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES"}},
    {"robustBufferAccess", {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2"}},
    {"robustBufferAccess2", {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES"}},
    {"robustImageAccess",
     {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES",
      "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES"}},
    {"robustImageAccess2", {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES"}},
};

bool mayStandIn(const FeatureRow &row, StringRef type) {
  return llvm::any_of(row.types,
                      [&](StringRef known) { return !known.empty() && type.starts_with(known); });
}

} // namespace

Expected<std::vector<std::string>> readFeatures(const ScDecoder &decoder, const Json &state,
                                                const Place &place) {
  std::vector<std::string> features;
  const Json *at = replay::member(state, "PhysicalDeviceFeatures");
  const Place here(place, "PhysicalDeviceFeatures");
  for (unsigned i = 0; at && !isNull(*at) && i < maxChain; ++i, at = replay::member(*at, "pNext")) {
    if (!at->is_object())
      return decoder.text.error(here, "no structure, or a chain with something else in it");
    const Json *type = replay::member(*at, "sType");
    const auto *typeName = type ? type->get_ptr<const std::string *>() : nullptr;
    if (!typeName)
      return decoder.text.error(here, "a structure without an sType");
    const Json *inner = replay::member(*at, "features");
    const Json &members = inner && inner->is_object() ? *inner : *at;
    for (const FeatureRow &row : featureRows) {
      const Json *value = mayStandIn(row, *typeName) ? replay::member(members, row.name) : nullptr;
      if (!value)
        continue;
      Expected<bool> isEnabled = decoder.boolean(*value, here);
      if (!isEnabled)
        return isEnabled.takeError();
      if (*isEnabled && !llvm::is_contained(features, row.name))
        features.push_back(row.name);
    }
  }
  llvm::sort(features);
  return features;
}

} // namespace pcc
