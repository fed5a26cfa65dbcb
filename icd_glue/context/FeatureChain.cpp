//===- FeatureChain.cpp - feature and property structures of pNext chains -===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/FeatureChain.h"
#include <cstddef>
#include <cstring>
#include <iterator>

namespace icd {
namespace {

/// A member of a Vulkan structure and its counterpart in Features or Properties.
struct MemberRow {
  VkStructureType sType;
  uint16_t theirOffset;
  uint16_t ourOffset;
  uint16_t size; ///< bytes of ours
  const char *name;
};

constexpr MemberRow featureRows[] = {
#define KILN_FEATURE_MEMBER(Struct, sType, member, ours)                                           \
  {sType, offsetof(Struct, member), offsetof(Features, ours), sizeof(bool), #member},
#include "icd_glue/context/PhysicalDeviceStructs.inc"
};

constexpr MemberRow propertyRows[] = {
#define KILN_PROPERTY_MEMBER(Struct, sType, member, ours)                                          \
  {sType, offsetof(Struct, member), offsetof(Properties, ours), sizeof(Properties::ours), #member},
#include "icd_glue/context/PhysicalDeviceStructs.inc"
};

struct CoreFeature {
  uint16_t ourOffset;
  const char *name;
};

/// The members of VkPhysicalDeviceFeatures, in its order.
constexpr CoreFeature coreFeatures[] = {
#define KILN_CORE_FEATURE(name) {offsetof(Features, name), #name},
#include "icd_glue/context/PhysicalDeviceStructs.inc"
};
static_assert(sizeof(VkPhysicalDeviceFeatures) == std::size(coreFeatures) * sizeof(VkBool32));

template <typename T> T &memberAt(void *structure, size_t offset) {
  return *reinterpret_cast<T *>(static_cast<char *>(structure) + offset);
}
template <typename T> const T &memberAt(const void *structure, size_t offset) {
  return *reinterpret_cast<const T *>(static_cast<const char *>(structure) + offset);
}

/// Calls \p visit(structure, row) for all rows of all structures of a chain.
template <typename Rows, typename Visit>
void forEachMember(const void *next, const Rows &rows, Visit &&visit) {
  for (auto *link = static_cast<const VkBaseInStructure *>(next); link; link = link->pNext)
    for (const MemberRow &row : rows)
      if (row.sType == link->sType)
        visit(const_cast<void *>(static_cast<const void *>(link)), row);
}

/// What vkCreateDevice asks for, and what of it is not there.
struct Request {
  const Features &supported;
  Features &enabled;
  std::string missing;

  void add(VkBool32 wanted, size_t ourOffset, const char *name) {
    if (!wanted)
      return;
    memberAt<bool>(&enabled, ourOffset) = true;
    if (!memberAt<bool>(&supported, ourOffset))
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }

  void addCore(const VkPhysicalDeviceFeatures &wanted) {
    for (size_t index = 0; index < std::size(coreFeatures); ++index)
      add(memberAt<VkBool32>(&wanted, index * sizeof(VkBool32)), coreFeatures[index].ourOffset,
          coreFeatures[index].name);
  }
};

} // namespace

VkPhysicalDeviceFeatures coreFeaturesOf(const Features &features) {
  VkPhysicalDeviceFeatures core = {};
  for (size_t index = 0; index < std::size(coreFeatures); ++index)
    memberAt<VkBool32>(&core, index * sizeof(VkBool32)) =
        memberAt<bool>(&features, coreFeatures[index].ourOffset);
  return core;
}

void writeFeatureChain(void *next, const Features &features) {
  forEachMember(next, featureRows, [&](void *structure, const MemberRow &row) {
    memberAt<VkBool32>(structure, row.theirOffset) = memberAt<bool>(&features, row.ourOffset);
  });
}

void writePropertyChain(void *next, const Properties &properties) {
  forEachMember(next, propertyRows, [&](void *structure, const MemberRow &row) {
    std::memcpy(&memberAt<char>(structure, row.theirOffset),
                &memberAt<char>(&properties, row.ourOffset), row.size);
  });
}

std::string readEnabledFeatures(const VkDeviceCreateInfo &info, const Features &supported,
                                Features &enabled) {
  Request request = {supported, enabled, {}};
  if (info.pEnabledFeatures)
    request.addCore(*info.pEnabledFeatures);
  for (auto *link = static_cast<const VkBaseInStructure *>(info.pNext); link; link = link->pNext)
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
      request.addCore(reinterpret_cast<const VkPhysicalDeviceFeatures2 *>(link)->features);
  forEachMember(info.pNext, featureRows, [&](void *structure, const MemberRow &row) {
    request.add(memberAt<VkBool32>(structure, row.theirOffset), row.ourOffset, row.name);
  });
  return request.missing;
}

} // namespace icd
