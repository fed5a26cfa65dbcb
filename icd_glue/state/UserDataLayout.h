//===- UserDataLayout.h - a pipeline layout as root user data -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Root user data of a pipeline layout, in dwords, at most 160 of them:
///
///   one table pointer per set that has memory, ascending | V#s of dynamic buffers, by set and
///   binding, 4 each | push constants | the view, of pipelines with a task shader and multiview, or
///   the launch, of ray tracing pipelines
///
/// Pointers come first because the lowest entries are the likeliest to get registers. The compiler
/// sees the same as an lgc::ResourceMapping. Nothing here depends on a bind point, and pieces of
/// the layout that pipelines of different kinds share (sets, push range) are kept apart, so that
/// hashing and compatibility can look at them one by one.
#pragma once

#include "icd_glue/context/Limits.h"
#include "icd_glue/descriptor/SetLayout.h"
#include "lgc/Pipeline.h"

namespace icd {

inline constexpr uint32_t maxUserDataDwords = 160;
/// The limits leave two dwords over: for taskViewDword() and launchDword().
static_assert(maxBoundSets + 4 * (maxDynamicUniformBuffers + maxDynamicStorageBuffers) +
                  maxPushConstantBytes / 4 + 2 ==
              maxUserDataDwords);

/// Where the parts of one set are in root user data.
struct SetUserData {
  static constexpr uint32_t none = UINT32_MAX;
  uint32_t tableOffset = none;   ///< of the pointer; none when the set has no memory
  uint32_t dynamicOffset = none; ///< of the first dynamic V#
  uint32_t dynamicCount = 0;

  bool operator==(const SetUserData &) const = default;
};

struct UserDataLayout {
  std::vector<SetUserData> sets;
  uint32_t pushOffset = 0;
  uint32_t pushDwords = 0;
  uint32_t totalDwords = 0;
};

using SetLayouts = llvm::ArrayRef<std::shared_ptr<const SetLayout>>;

/// Places everything. \p setLayouts may have null elements (sets that the layout leaves open).
/// Nothing when more than maxUserDataDwords - 2 are needed.
std::optional<UserDataLayout> buildUserDataLayout(SetLayouts setLayouts, uint32_t pushBytes);

/// Where the view is that a draw with a task shader runs for (lgc/TaskView.h): behind the layout.
inline uint32_t taskViewDword(const UserDataLayout &layout) { return layout.totalDwords; }

/// Where the address of a ray tracing launch is, in two dwords (lgc/RayLaunch.h): behind the
/// layout.
inline uint32_t launchDword(const UserDataLayout &layout) { return layout.totalDwords; }

/// The same layout in the compiler's words.
lgc::ResourceMapping buildResourceMapping(const UserDataLayout &layout, SetLayouts setLayouts);

/// What the compiler calls a binding of that type; Unknown for a type that does not exist.
lgc::ResourceNodeType nodeTypeOf(const SetBinding &binding);

} // namespace icd
