//===- PartObject.h - a part or glue in the driver's cache ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "llpc/Parts.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

class Device;

class PartObject final : public CacheObject {
public:
  /// \p target: what the code is for.
  PartObject(const pal::abi::GpuTarget &target, std::shared_ptr<const lgc::Part> part,
             std::vector<std::string> warnings, double buildMs)
      : part(std::move(part)), warnings(std::move(warnings)), buildMs(buildMs), target(target) {}

  /// Of what record() gave. Errors: InvalidInput (cache/Record.h, lgc/Link.h).
  static llvm::Expected<std::shared_ptr<const PartObject>>
  fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target);

  std::vector<uint8_t> record() const override;
  size_t memoryBytes() const override { return sizeof(*this) + part->memoryBytes(); }

  const std::shared_ptr<const lgc::Part> part;
  const std::vector<std::string> warnings; ///< for each pipeline that uses it
  const double buildMs;                    ///< 0: from elsewhere

private:
  const pal::abi::GpuTarget &target;
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
