//===- Features.cpp - device features of a Vulkan SC pipeline -------------===//
// SPDX-License-Identifier: MIT
#include "Features.h"
#include "Misspelled.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

/// Where a feature may stand: in structures whose sType begins so.
struct FeatureRow {
  const char *name;
  StringRef types[2];
};
constexpr FeatureRow featureRows[] = {
    {"nullDescriptor", {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES"}},
    {"primitivesGeneratedQuery",
     {"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES"}},
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

/// What old writers have in front of the features, and what only Vulkan SC has.
constexpr StringRef otherTypes[] = {
    "VK_STRUCTURE_TYPE_DEVICE_OBJECT_RESERVATION_CREATE_INFO",
    "VK_STRUCTURE_TYPE_FAULT_CALLBACK_INFO",
    "VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_RESERVATION_INFO_KHR",
    "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_SC_1_0_FEATURES",
    "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_SCI_BUF_FEATURES_NV",
    "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SCI_SYNC_2_FEATURES_NV",
    "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SCI_SYNC_FEATURES_NV",
};

/// A structure of features that Vulkan or Vulkan SC has, however old or new its name is, or one of
/// those above.
bool isExpected(StringRef type) {
  if (llvm::is_contained(otherTypes, type))
    return true;
  const replay::Enumeration *types = replay::findEnumeration("VkStructureType");
  if (!type.starts_with("VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_") || !type.contains("_FEATURES") ||
      !types)
    return false;
  const bool isKnown = types->find(type);
  if (!type.consume_back("_KHR"))
    type.consume_back("_EXT");
  return isKnown || types->find(type) || types->find((type + "_KHR").str()) ||
         types->find((type + "_EXT").str());
}

/// Names of features: spelled otherwise, or in a structure that does not have them.
Error checkNames(ScDecoder &decoder, const Json &members, const Place &place, StringRef type) {
  llvm::SmallVector<const char *> names;
  for (const FeatureRow &row : featureRows)
    names.push_back(row.name);
  // What is passed over may have anything.
  const bool isFeatures = isExpected(type) && !llvm::is_contained(otherTypes, type);
  for (auto item = members.begin(); item != members.end(); ++item) {
    const auto *row = llvm::find_if(
        featureRows, [&](const FeatureRow &r) { return StringRef(r.name) == item.key(); });
    std::string fault;
    if (const char *meant = findMisspelled(item.key(), names))
      fault = std::string("is it ") + meant + "?";
    else if (isFeatures && row != std::end(featureRows) && !mayStandIn(*row, type))
      fault = (type + " has no member of this name").str();
    if (!fault.empty())
      KILN_TRY(decoder.goOn(decoder.text.error(Place(place, item.key()), fault)));
  }
  return Error::success();
}

/// One structure of the chain.
Error readStructure(ScDecoder &decoder, const Json &json, const Place &place,
                    std::vector<std::string> &features) {
  const Json *type = replay::member(json, "sType");
  const auto *typeName = type ? type->get_ptr<const std::string *>() : nullptr;
  if (!typeName)
    return decoder.text.error(place, "a structure without an sType");
  if (!isExpected(*typeName))
    decoder.faults.warn(decoder.text.place(Place(place, "sType")),
                        *typeName + " is no structure of features that is known; passed over");
  const Json *inner = replay::member(json, "features");
  const bool isInside = inner && inner->is_object();
  const Json &members = isInside ? *inner : json;
  const Place innerPlace(place, "features");
  KILN_TRY(checkNames(decoder, members, isInside ? innerPlace : place, *typeName));
  for (const FeatureRow &row : featureRows) {
    const Json *value = mayStandIn(row, *typeName) ? replay::member(members, row.name) : nullptr;
    if (!value)
      continue;
    Expected<bool> isEnabled =
        decoder.boolean(*value, Place(isInside ? innerPlace : place, row.name));
    if (!isEnabled) {
      KILN_TRY(decoder.goOn(isEnabled.takeError()));
    } else if (*isEnabled && !llvm::is_contained(features, row.name)) {
      features.push_back(row.name);
    }
  }
  return Error::success();
}

/// Not deeper than the text may be (PipelineFile.cpp).
Error readChain(ScDecoder &decoder, const Json &json, const Place &place,
                std::vector<std::string> &features) {
  if (!json.is_object())
    return decoder.text.error(place, "no structure");
  KILN_TRY(decoder.goOn(readStructure(decoder, json, place, features)));
  const Json *next = replay::member(json, "pNext");
  return next && !isNull(*next) ? readChain(decoder, *next, Place(place, "pNext"), features)
                                : Error::success();
}

} // namespace

Expected<std::vector<std::string>> readFeatures(ScDecoder &decoder, const Json &state,
                                                const Place &place) {
  std::vector<std::string> features;
  const size_t before = decoder.faults.size();
  const Json *json = replay::member(state, "PhysicalDeviceFeatures");
  if (!json || isNull(*json))
    return features;
  KILN_TRY(readChain(decoder, *json, Place(place, "PhysicalDeviceFeatures"), features));
  KILN_TRY(decoder.faults.since(before));
  llvm::sort(features);
  return features;
}

} // namespace pcc
