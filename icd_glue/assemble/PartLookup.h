//===- PartLookup.h - pipelines of parts ----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Looks for the parts of a pipeline whose monolithic code is not in the cache, and links them.
///
/// A part that is not there is built on the spot in these cases: its module still waits in the
/// queue (the pipeline has overtaken it; when its turn comes the part is there); another part of
/// the pipeline is there; it is glue or the fragment part of a pipeline without fragment shader
/// (small, and shared by many); or KILN_PARTS=sync. Else the pipeline is compiled monolithically:
/// that takes no longer and gives better code.
#pragma once

#include "icd_glue/assemble/BuildInfo.h"
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/partial/PartObject.h"

namespace icd {

/// A part that a pipeline or library needs now: of the cache; of the background, which is waited
/// for when it is about to make it of one of \p shaders; or built here. Null: \p mayCompile is
/// false, and it is in no cache. Errors: those of the build.
llvm::Expected<PartPointer> obtainNeeded(Device &device, const llpc::Hash128 &key,
                                         llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders,
                                         bool mayCompile, BuildPart build,
                                         ShaderCache::Source *source = nullptr);

/// Glue for \p part that is needed now, of the cache or built here; if \p mayCompile is false, only
/// without LLVM, which is no compile. Null: as above. Errors: those of the build.
llvm::Expected<PartPointer> obtainGlue(Device &device, const llpc::Hash128 &key,
                                       const lgc::Part &part,
                                       const llpc::GraphicsPipelineBuildInfo &build,
                                       lgc::PartKind kind, bool mayCompile,
                                       ShaderCache::Source *source = nullptr);

/// Has the driver's cache have all parts and glue of \p build. Errors: those of the builds, and
/// Unsupported for what cannot be linked.
llvm::Error obtainAllParts(Device &device, const BuildInfo &build);

/// The code of \p build out of its parts. Null: a miss, which is counted with its reason.
std::shared_ptr<const CodeObject> linkedCode(const CodeRequest &request, const BuildInfo &build,
                                             const llpc::PipelineHashes &hashes);

} // namespace icd
