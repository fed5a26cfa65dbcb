//===- PartObject.h - a part or glue in the driver's cache ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/code/StandIn.h"
#include "llpc/Parts.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

class Device;

class PartObject final : public CacheObject,
                         public StandIn<PartObject>,
                         public std::enable_shared_from_this<PartObject> {
public:
  /// \p target: what the code is for.
  PartObject(const pal::abi::GpuTarget &target, std::shared_ptr<const lgc::Part> part,
             std::vector<std::string> warnings, double buildMs, bool isStandIn = false);

  /// Of what record() gave. Errors: InvalidInput (cache/Record.h, lgc/Link.h).
  static llvm::Expected<std::shared_ptr<const PartObject>>
  fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target);

  std::vector<uint8_t> record() const override;
  size_t memoryBytes() const override { return sizeof(*this) + part->memoryBytes(); }

  const std::shared_ptr<const lgc::Part> part;
  const std::vector<std::string> warnings; ///< for each pipeline that uses it
  const double buildMs;                    ///< 0: from elsewhere
  const llpc::Hash128 hash;                ///< names its bytes
  /// Of the interface to glue: equal ones take the same glue. Zero: no glue is needed.
  const llpc::Hash128 glueSignature;

  bool needsGlue() const { return glueSignature != llpc::Hash128(); }

private:
  const pal::abi::GpuTarget &target;
};

using PartPointer = std::shared_ptr<const PartObject>;

/// The part of that key, or what \p build makes. Errors: those of \p build.
using BuildPart = llvm::function_ref<llvm::Expected<llpc::PartResult>()>;
/// What \p build makes, whatever there is. A part that has not the key \p key is a stand-in for it.
llvm::Expected<PartPointer> makePart(Device &device, const llpc::Hash128 &key, BuildPart build);
llvm::Expected<PartPointer> obtainPart(Device &device, const llpc::Hash128 &key, BuildPart build,
                                       ShaderCache::Source *source = nullptr);
/// The part of that key if it is ready; else null.
PartPointer findPart(Device &device, const llpc::Hash128 &key);
/// The same, also from the cache on disk.
PartPointer findOrLoadPart(Device &device, const llpc::Hash128 &key);
/// Glue, not what shaders were compiled to.
bool isGlue(lgc::PartKind kind);

} // namespace icd
