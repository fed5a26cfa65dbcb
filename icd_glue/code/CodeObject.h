//===- CodeObject.h - a pipeline's code -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A complete code object in the driver's cache. Pipelines that need the same code share it, and
/// the program that the device makes of it as long as any of them lives. A record is unpacked, and
/// the device decodes code, when it is first needed: both take longer than linking.
#pragma once

#include "icd_glue/cache/Record.h"
#include "icd_glue/code/Executable.h"
#include "icd_glue/code/Replacement.h"
#include "icd_glue/code/StandIn.h"
#include "pal_shim/device/Device.h"

namespace icd {

class Device;

class CodeObject final : public CacheObject, public StandIn<CodeObject> {
public:
  /// What is known besides the bytes.
  struct Description {
    std::string name; ///< of the program, for messages
    VkShaderStageFlags stages = 0;
    llpc::Hash128 pipelineHash = {};
    bool isLinked = false;                  ///< of parts, by whatever pipeline
    std::vector<std::string> warnings = {}; ///< for each pipeline that uses it
    /// Of code whose bytes are elsewhere.
    std::vector<ExecutableInfo> executables = {};
    bool hasTexts = false;  ///< which are not kept for longer
    bool isStandIn = false; ///< until better code comes
    /// Of code that is not made for this driver's layout; in no cache.
    std::shared_ptr<const Replacement> replacement = nullptr;
  };
  /// \p target: what the code is for.
  CodeObject(const pal::abi::GpuTarget &target, llpc::PipelineBinary binary,
             Description description)
      : StandIn(description.isStandIn), target(target), binary(std::move(binary)),
        description(std::move(description)) {}
  /// Whose bytes stay elsewhere: \p program is all there is, and record() must not be called.
  CodeObject(const pal::abi::GpuTarget &target, std::shared_ptr<const pal::device::Program> program,
             Description description)
      : StandIn(description.isStandIn), target(target), resident(std::move(program)),
        description(std::move(description)) {}

  /// Of what record() gave; the object keeps the bytes. Errors: InvalidInput (cache/Record.h),
  /// also of load(), later.
  static llvm::Expected<std::shared_ptr<const CodeObject>>
  fromRecord(std::vector<uint8_t> record, const pal::abi::GpuTarget &target);

  /// Without what describes its executables, which is in the code object too.
  std::vector<uint8_t> record() const override;
  /// Not what was linked until better code comes: linking it again is as quick.
  bool isKeptBelow() const override;
  bool isKeptInData() const override;
  size_t memoryBytes() const override;
  /// Unpacks a record's code now, for those who must refuse what is forged: finding code in a cache
  /// and binaries of pipelines are too fast for that, and then load() says it. Errors: InvalidInput
  /// (cache/Record.h).
  llvm::Error unpack() const;
  /// Empty if unpack() fails.
  llvm::ArrayRef<uint8_t> elf() const;
  const std::vector<std::string> &warnings() const { return description.warnings; }
  /// Not compiled monolithically.
  bool isLinked() const { return description.isLinked; }
  VkShaderStageFlags stages() const { return description.stages; }
  /// Null: it is made for the driver's layout.
  const std::shared_ptr<const Replacement> &replacement() const { return description.replacement; }

  /// Uses the code. Errors: what SoftwareDevice::loadProgram says.
  llvm::Expected<std::shared_ptr<const pal::device::Program>>
  load(pal::device::SoftwareDevice &gpu) const;
  std::vector<ExecutableInfo> executables() const;

private:
  class OfRecord {
    OfRecord() = default;
    friend class CodeObject;
  };

public:
  /// fromRecord() alone can call it; public, so that one allocation has the object and its count.
  CodeObject(OfRecord, const pal::abi::GpuTarget &target, std::vector<uint8_t> record,
             const Record &content);

private:
  const pal::abi::GpuTarget &target;
  const llpc::PipelineBinary binary; ///< of a build or link
  const std::vector<uint8_t> kept;   ///< or a record
  const uint32_t elfBytes = 0;       ///< of the record
  const llvm::ArrayRef<uint8_t> stored;
  const std::shared_ptr<const pal::device::Program> resident; ///< or none of them
  const Description description;
  mutable std::once_flag unpacking;
  mutable std::vector<uint8_t> unpacked;
  mutable std::optional<lgc::ErrorText> whyNot; ///< `unpacked` is empty
  mutable std::mutex loading;
  mutable std::weak_ptr<const pal::device::Program> loaded;
};

} // namespace icd
