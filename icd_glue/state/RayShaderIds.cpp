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

bool RayShaderIds::claim(const llpc::Hash128 &key, uint32_t id) {
  std::lock_guard lock(mutex);
  if (const auto it = ids.find(key); it != ids.end())
    return it->second == id;
  if (id == 0 || !owners.try_emplace(id, key).second)
    return false;
  ids.emplace(key, id);
  return true;
}

} // namespace icd
