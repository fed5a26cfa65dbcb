//===- PartObject.h - a part or glue in the driver's cache ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "llpc/Parts.h"

namespace icd {

class Device;

class PartObject final : public CacheObject {
public:
  PartObject(std::shared_ptr<const lgc::Part> part, std::vector<std::string> warnings,
             double buildMs)
      : part(std::move(part)), warnings(std::move(warnings)), buildMs(buildMs) {}

  llvm::ArrayRef<uint8_t> elf() const override { return part->elf(); }
  size_t memoryBytes() const override { return sizeof(*this) + part->memoryBytes(); }

  const std::shared_ptr<const lgc::Part> part;
  const std::vector<std::string> warnings; ///< for each pipeline that uses it
  const double buildMs;                    ///< 0: from elsewhere
};

/// The part of that key, or what \p build makes. Errors: those of \p build.
using BuildPart = llvm::function_ref<llvm::Expected<llpc::PartResult>()>;
llvm::Expected<std::shared_ptr<const PartObject>> obtainPart(Device &device,
                                                             const llpc::Hash128 &key,
                                                             BuildPart build,
                                                             ShaderCache::Source *source = nullptr);
/// The part of that key if it is ready.
std::shared_ptr<const PartObject> findPart(Device &device, const llpc::Hash128 &key);

} // namespace icd
