//===- ShaderModule.h - what a ShaderModule holds -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "llpc/reflect/EntryReflection.h"
#include "llpc/reflect/LinkedConstants.h"
#include "llpc/spirv/Module.h"
#include <mutex>

namespace llpc {

class KernelLibrary;

struct ShaderModule::Data {
  std::unique_ptr<spirv::Module> module;
  std::shared_ptr<const KernelLibrary> library; ///< of modules that may use it; else null
  Hash128 hash = {};
  Hash128 cacheHash = {};
  ShaderModuleUsage usage;
  std::vector<ShaderEntryName> entries;
  double readMs = 0;

  /// By entry point, in the order of `entries`. Not before someone asks: a module may have a
  /// thousand entry points that share their code.
  struct LazyReflection {
    std::once_flag once;
    EntryReflection value;
  };
  std::unique_ptr<LazyReflection[]> reflections;

  const EntryReflection &reflection(size_t entry) const;

  /// Not before someone specializes the module.
  struct LazySpecDefaults {
    std::once_flag once;
    std::vector<SpecDefault> value;
  };
  mutable LazySpecDefaults lazySpecDefaults;

  llvm::ArrayRef<SpecDefault> specDefaults() const;

  struct LazyLinkedConstants {
    std::once_flag once;
    LinkedConstants value;
  };
  mutable LazyLinkedConstants lazyLinkedConstants;

  const LinkedConstants &linkedConstants() const;
};

/// For the parts of this folder that look inside.
struct ShaderModuleAccess {
  using Data = ShaderModule::Data;
  static ShaderModule make(std::shared_ptr<const ShaderModule::Data> data) {
    ShaderModule module;
    module.data = std::move(data);
    return module;
  }
  /// \p module must not be the default-constructed one.
  static const ShaderModule::Data &data(const ShaderModule &module) { return *module.data; }
};

/// Stage of an execution model; Count for Kernel and unknown ones.
ShaderStage stageOf(spv::ExecutionModel model);
/// The execution model of a stage (EXT models for mesh and task).
spv::ExecutionModel executionModelOf(ShaderStage stage);
/// The entry point of a shader stage; kernels are compute shaders. Null when there is none.
const spirv::EntryPoint *findEntryPoint(const spirv::Module &module, ShaderStage stage,
                                        llvm::StringRef name);
/// What the module's declarations and instructions say.
ShaderModuleUsage collectModuleUsage(const spirv::Module &module);

} // namespace llpc
