//===- CompilerCalls.h - one name for all kinds of pipelines --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The compiler's functions for compute and for graphics pipelines under the same names, so that
/// what both need is written once.
#pragma once

#include "llpc/Parts.h"

namespace icd {

using ComputeInfo = llpc::ComputePipelineBuildInfo;
using GraphicsInfo = llpc::GraphicsPipelineBuildInfo;

inline llpc::PipelineHashes hashesOf(const llpc::Compiler &compiler, const ComputeInfo &info) {
  return compiler.hashComputePipeline(info);
}
inline llpc::PipelineHashes hashesOf(const llpc::Compiler &compiler, const GraphicsInfo &info) {
  return compiler.hashGraphicsPipeline(info);
}

inline auto buildWhole(const llpc::Compiler &compiler, const ComputeInfo &info) {
  return compiler.buildComputePipeline(info);
}
inline auto buildWhole(const llpc::Compiler &compiler, const GraphicsInfo &info) {
  return compiler.buildGraphicsPipeline(info);
}

inline llvm::Expected<llpc::Hash128> partKeyOf(const llpc::Compiler &compiler,
                                               const ComputeInfo &info, lgc::PartKind) {
  return compiler.partKey(info);
}
inline llvm::Expected<llpc::Hash128> partKeyOf(const llpc::Compiler &compiler,
                                               const GraphicsInfo &info, lgc::PartKind kind) {
  return compiler.partKey(info, kind);
}

inline llvm::Expected<llpc::PartResult> buildPartOf(const llpc::Compiler &compiler,
                                                    const ComputeInfo &info, lgc::PartKind) {
  return compiler.buildPart(info);
}
inline llvm::Expected<llpc::PartResult> buildPartOf(const llpc::Compiler &compiler,
                                                    const GraphicsInfo &info, lgc::PartKind kind) {
  return compiler.buildPart(info, kind);
}

/// The kinds of parts that a pipeline consists of, without glue.
inline std::vector<lgc::PartKind> partKindsOf(const ComputeInfo &) {
  return {lgc::PartKind::Compute};
}
inline std::vector<lgc::PartKind> partKindsOf(const GraphicsInfo &info) {
  if (info.rsState.rasterizerDiscardEnable)
    return {lgc::PartKind::PreRasterization};
  return {lgc::PartKind::PreRasterization, lgc::PartKind::Fragment};
}

/// The shaders that go into a part.
inline std::vector<const llpc::PipelineShaderInfo *> shadersOf(const ComputeInfo &info,
                                                               lgc::PartKind) {
  return {&info.cs};
}
inline std::vector<const llpc::PipelineShaderInfo *> shadersOf(const GraphicsInfo &info,
                                                               lgc::PartKind kind) {
  std::vector<const llpc::PipelineShaderInfo *> shaders;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    const bool isFragment = stage == llpc::ShaderStage::Fragment;
    if (info.shader(stage).module && isFragment == (kind == lgc::PartKind::Fragment))
      shaders.push_back(&info.shader(stage));
  }
  return shaders;
}

/// Glue that goes with a part, if the part needs any.
struct GlueNeed {
  lgc::PartKind kind = lgc::PartKind::VertexFetch;
  bool isNeeded = false;
};
inline GlueNeed glueOf(const lgc::PartInfo &part) {
  return part.kind == lgc::PartKind::Fragment
             ? GlueNeed{lgc::PartKind::ColorExport, part.colorExport.has_value()}
             : GlueNeed{lgc::PartKind::VertexFetch, part.fetch.has_value()};
}

} // namespace icd
