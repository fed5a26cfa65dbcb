//===- RayShaderIds.cpp - by what records name ray tracing shaders --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/RayShaderIds.h"

namespace icd {

uint32_t RayShaderIds::idOf(const llpc::Hash128 &key) {
  std::lock_guard lock(mutex);
  auto [it, isNew] = ids.try_emplace(key, key[0]);
  if (isNew)
    while (it->second == 0 || !owners.try_emplace(it->second, key).second)
      ++it->second;
  return it->second;
}

bool RayShaderIds::claim(llvm::ArrayRef<std::pair<llpc::Hash128, uint32_t>> wanted) {
  std::lock_guard lock(mutex);
  std::map<llpc::Hash128, uint32_t> newIds;
  std::map<uint32_t, llpc::Hash128> newOwners;
  for (const auto &[key, id] : wanted) {
    if (const auto it = ids.find(key); it != ids.end()) {
      if (it->second != id)
        return false;
      continue;
    }
    if (id == 0 || owners.count(id) || newIds.try_emplace(key, id).first->second != id ||
        newOwners.try_emplace(id, key).first->second != key)
      return false;
  }
  ids.merge(newIds);
  owners.merge(newOwners);
  return true;
}

} // namespace icd
