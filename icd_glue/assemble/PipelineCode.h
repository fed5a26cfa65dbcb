//===- PipelineCode.h - how a pipeline comes by its code ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// In this order: the application's VkPipelineCache has it under the pipeline key, the driver's
/// cache has (findCode() ends here, and needs no SPIR-V); the driver's cache has it under the
/// compiler's key; its parts are there or about to be (partial/PartialPipeline.h), and are linked
/// in microseconds (PartLookup.h); a monolithic compile. What comes of it goes to all caches that
/// did not have it.
#pragma once

#include "icd_glue/assemble/BuildInfo.h"
#include "icd_glue/code/CodeObject.h"
#include "icd_glue/state/PipelineLayout.h"

namespace icd {

class CacheContent;

/// By which name code may be found before the compiler has been asked, and where besides the
/// driver's own cache.
struct CodePlaces {
  std::optional<llpc::Hash128> key; ///< pipeline key (pipeline/PipelineKey.h)
  /// Of the application's VkPipelineCache; may be null.
  const std::shared_ptr<CacheContent> *application = nullptr;
  VkShaderStageFlags stages = 0; ///< code with others is not what it is called
  bool mustBeMonolithic = false; ///< code that was linked of parts will not do
  bool mustBeFinal = false;      ///< nor will stand-ins
  bool isLookedInto = false;     ///< nor will stand-ins of the direct tier

  bool takesDirect() const { return !mustBeFinal && !isLookedInto; }
  bool isFit(const CodeObject &code) const {
    return code.stages() == stages && !(mustBeMonolithic && code.isLinked()) &&
           !(code.isStandIn() && (code.isLinked() ? mustBeFinal : !takesDirect()));
  }
};

struct FoundCode {
  std::shared_ptr<const CodeObject> code; ///< null: not found
  bool isFromApplication = false;         ///< the application's cache had it
};

/// Finds code without a compile. Reports the compiler's warnings.
FoundCode findCode(Device &device, const CodePlaces &places);

struct CodeRequest {
  Device &device;
  CodePlaces places;
  std::shared_ptr<const PipelineLayoutData> layout;
  std::string name; ///< of the program, for messages
  /// VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT is not set.
  bool mayCompile = true;
};

/// With its improvement, if it is a stand-in (code/StandIn.h): for whoever uses it, not for caches.
/// Null: a compile would be needed, and is not allowed. The device reads the code when a draw or
/// dispatch needs it: for hardware that is a copy, for the software device a fifth of a compile.
using PipelineCode = std::shared_ptr<const CodeObject>;

/// The code of a pipeline that findCode() does not find; \p build has the resource mapping of the
/// request's layout. Reports the compiler's warnings. Errors: those of the monolithic compile.
llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const BuildInfo &build);

/// What findCode() has found may be a stand-in that nobody else uses, of another process perhaps:
/// its first use has it compiled again as long as the result is held. Of other code that.
PipelineCode improvedWhenUsed(const CodeRequest &request, const BuildInfo &build,
                              PipelineCode code);

/// Has the driver's cache have what \p build will need: its parts and glue, or else its monolithic
/// code. Errors are forgotten.
void compileAhead(Device &device, const BuildInfo &build);

/// Compiles whatever caches have, and puts nothing there: the same bytes every time.
llvm::Expected<std::shared_ptr<const CodeObject>>
compileAlone(Device &device, const llpc::ComputePipelineBuildInfo &build, std::string name);

} // namespace icd
