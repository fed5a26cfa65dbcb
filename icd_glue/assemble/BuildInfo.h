//===- BuildInfo.h - what the compiler is told, of any pipeline -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The compiler's functions for every kind of pipeline under the same names, so that what all need
/// is written once. Ray tracing pipelines are compiled as wholes.
#pragma once

#include "llpc/Parts.h"
#include "llpc/PipeFile.h"
#include "llpc/RayTracing.h"
#include <variant>

namespace icd {

using ComputeInfo = llpc::ComputePipelineBuildInfo;
using GraphicsInfo = llpc::GraphicsPipelineBuildInfo;
using RaysInfo = llpc::RayTracingPipelineBuildInfo;

/// A build info that somebody else owns.
class BuildInfo {
public:
  BuildInfo(const ComputeInfo &info) : info(&info) {}
  BuildInfo(const GraphicsInfo &info) : info(&info) {}
  BuildInfo(const RaysInfo &info) : info(&info) {}

  bool isCompute() const { return std::holds_alternative<const ComputeInfo *>(info); }
  bool isRays() const { return std::holds_alternative<const RaysInfo *>(info); }
  bool isGraphics() const { return std::holds_alternative<const GraphicsInfo *>(info); }
  const llpc::PipelineBuildInfo &common() const;
  llpc::PipelineHashes hashes(const llpc::Compiler &compiler) const;
  /// The whole pipeline; \p isDirect: by the direct tier, or LLVM if that refuses. Errors: those of
  /// the compiler.
  llvm::Expected<llpc::PipelineResult> compile(const llpc::Compiler &compiler, bool isDirect) const;
  /// As a .pipe file. Errors: those of writing it.
  llvm::Expected<llpc::PipeDump> dump(const llpc::PipelineHashes &hashes) const;

  VkShaderStageFlags stages() const;
  /// For messages.
  std::string programName() const;

  /// The kinds of parts that the pipeline consists of, without glue; none: it has no parts.
  llvm::ArrayRef<lgc::PartKind> partKinds() const;
  /// The shaders that go into a part.
  std::vector<const llpc::PipelineShaderInfo *> shaders(lgc::PartKind kind) const;
  llvm::Expected<llpc::Hash128> partKey(const llpc::Compiler &compiler, lgc::PartKind kind,
                                        llpc::SpecializedAt at) const;
  llvm::Expected<llpc::PartResult> buildPart(const llpc::Compiler &compiler, lgc::PartKind kind,
                                             llpc::SpecializedAt at) const;
  /// Of graphics pipelines.
  const GraphicsInfo &graphics() const { return *std::get<const GraphicsInfo *>(info); }
  /// Of ray tracing pipelines.
  const RaysInfo &rays() const { return *std::get<const RaysInfo *>(info); }

private:
  std::variant<const ComputeInfo *, const GraphicsInfo *, const RaysInfo *> info;
  friend class OwnBuildInfo;
};

/// A copy, for work that outlives the original.
class OwnBuildInfo {
public:
  explicit OwnBuildInfo(const BuildInfo &original);
  BuildInfo get() const;

private:
  std::variant<ComputeInfo, GraphicsInfo, RaysInfo> info;
};

} // namespace icd
