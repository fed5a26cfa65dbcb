//===- RayShaderIds.h - by what records name ray tracing shaders ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// A record of a shader binding table names shaders by 32-bit ids (lgc/RayLaunch.h). A shader's id
/// is a hash of what it is, so that libraries, what is linked of them, and the same program another
/// time have the same handles. Where two shaders of a device have the same hash, the later one gets
/// another id.
#pragma once

#include "llpc/Hasher.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <mutex>

namespace icd {

/// Any number of threads.
class RayShaderIds {
public:
  /// The id of the shader that \p key names; never 0.
  uint32_t idOf(const llpc::Hash128 &key);
  /// Gives shaders the ids that they had when their handles were captured. False, and nothing has
  /// changed: one has another id here, or another shader has one of these.
  bool claim(llvm::ArrayRef<std::pair<llpc::Hash128, uint32_t>> wanted);

private:
  std::mutex mutex;
  std::map<llpc::Hash128, uint32_t> ids;
  std::map<uint32_t, llpc::Hash128> owners;
};

} // namespace icd
