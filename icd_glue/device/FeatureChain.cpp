//===- FeatureChain.cpp - feature and property structures of pNext chains -===//
// SPDX-License-Identifier: MIT
#include "icd_glue/device/FeatureChain.h"
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
  uint16_t size; ///< bytes, in both
};

constexpr MemberRow featureRows[] = {
#define KILN_FEATURE_MEMBER(Struct, sType, member, ours)                                           \
  {sType, offsetof(Struct, member), offsetof(Features, ours), sizeof(bool)},
#include "icd_glue/device/PhysicalDeviceStructs.inc"
};

constexpr MemberRow propertyRows[] = {
#define KILN_PROPERTY_MEMBER(Struct, sType, member, ours)                                          \
  {sType, offsetof(Struct, member), offsetof(Properties, ours), sizeof(Properties::ours)},
#include "icd_glue/device/PhysicalDeviceStructs.inc"
};

/// Offsets in Features of the members of VkPhysicalDeviceFeatures, in its order.
constexpr uint16_t coreFeatureOffsets[] = {
#define KILN_CORE_FEATURE(name) offsetof(Features, name),
#include "icd_glue/device/PhysicalDeviceStructs.inc"
};
static_assert(sizeof(VkPhysicalDeviceFeatures) == std::size(coreFeatureOffsets) * sizeof(VkBool32));

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

/// Whether the feature, if wanted, is supported; notes it as enabled.
bool enable(VkBool32 wanted, size_t ourOffset, const Features &supported, Features &enabled) {
  if (!wanted)
    return true;
  memberAt<bool>(&enabled, ourOffset) = true;
  return memberAt<bool>(&supported, ourOffset);
}

bool enableCore(const VkPhysicalDeviceFeatures &wanted, const Features &supported,
                Features &enabled) {
  bool all = true;
  for (size_t index = 0; index < std::size(coreFeatureOffsets); ++index)
    all &= enable(memberAt<VkBool32>(&wanted, index * sizeof(VkBool32)), coreFeatureOffsets[index],
                  supported, enabled);
  return all;
}

} // namespace

VkPhysicalDeviceFeatures coreFeaturesOf(const Features &features) {
  VkPhysicalDeviceFeatures core = {};
  for (size_t index = 0; index < std::size(coreFeatureOffsets); ++index)
    memberAt<VkBool32>(&core, index * sizeof(VkBool32)) =
        memberAt<bool>(&features, coreFeatureOffsets[index]);
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

VkResult readEnabledFeatures(const VkDeviceCreateInfo &info, const Features &supported,
                             Features &enabled) {
  bool all = true;
  if (info.pEnabledFeatures)
    all &= enableCore(*info.pEnabledFeatures, supported, enabled);
  for (auto *link = static_cast<const VkBaseInStructure *>(info.pNext); link; link = link->pNext)
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
      all &= enableCore(reinterpret_cast<const VkPhysicalDeviceFeatures2 *>(link)->features,
                        supported, enabled);
  forEachMember(info.pNext, featureRows, [&](void *structure, const MemberRow &row) {
    all &=
        enable(memberAt<VkBool32>(structure, row.theirOffset), row.ourOffset, supported, enabled);
  });
  return all ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
}

} // namespace icd
