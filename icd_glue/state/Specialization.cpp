//===- Specialization.cpp - VkSpecializationInfo for the compiler ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/Specialization.h"
#include <cstring>

namespace icd {

llvm::SmallVector<llpc::SpecConstant, 8> specializationOf(const VkSpecializationInfo *info) {
  llvm::SmallVector<llpc::SpecConstant, 8> constants;
  for (uint32_t i = 0; info && i < info->mapEntryCount; ++i) {
    const VkSpecializationMapEntry &entry = info->pMapEntries[i];
    llpc::SpecConstant constant;
    if (entry.size > sizeof(constant.value) || entry.offset > info->dataSize ||
        entry.size > info->dataSize - entry.offset)
      continue; // not valid usage; the constant keeps its default
    constant.constantId = entry.constantID;
    constant.size = static_cast<uint32_t>(entry.size);
    std::memcpy(&constant.value, static_cast<const uint8_t *>(info->pData) + entry.offset,
                entry.size);
    constants.push_back(constant);
  }
  return constants;
}

} // namespace icd
