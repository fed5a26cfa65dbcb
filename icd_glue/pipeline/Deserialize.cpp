//===- Deserialize.cpp - records become objects of the caches --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/Deserialize.h"
#include "icd_glue/code/CodeObject.h"
#include "icd_glue/partial/PartObject.h"

namespace icd {

ShaderCache::Deserialize deserializerFor(const pal::abi::GpuTarget &target) {
  return [&target](const CacheKey &key,
                   std::vector<uint8_t> record) -> llvm::Expected<ShaderCache::Object> {
    if (key.domain == CacheKey::Domain::Part)
      return PartObject::fromRecord(record, target);
    return CodeObject::fromRecord(std::move(record), target);
  };
}

} // namespace icd
