//===- BuildInfo.cpp - what the compiler is told, of any pipeline ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/BuildInfo.h"
#include "icd_glue/code/Executable.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "lgc/CompileError.h"

namespace icd {
namespace {

template <typename... Functions> struct Overloads : Functions... {
  using Functions::operator()...;
};

/// What any pipeline is compiled to, without what only one kind has.
template <typename Result> llvm::Expected<llpc::PipelineResult> common(Result result) {
  if (!result)
    return result.takeError();
  return static_cast<llpc::PipelineResult &&>(*result);
}

/// \p info as it is, or for the direct tier.
template <typename Info, typename Use> auto asWanted(const Info &info, bool isDirect, Use use) {
  if (!isDirect)
    return use(info);
  Info changed = info;
  changed.options.tier = lgc::Tier::Direct;
  return use(changed);
}

llvm::Error noParts() { return lgc::unsupported("parts of ray tracing pipelines"); }

} // namespace

const llpc::PipelineBuildInfo &BuildInfo::common() const {
  return std::visit([](const auto *i) -> const llpc::PipelineBuildInfo & { return *i; }, info);
}

llpc::PipelineHashes BuildInfo::hashes(const llpc::Compiler &compiler) const {
  return std::visit(
      Overloads{[&](const ComputeInfo *i) { return compiler.hashComputePipeline(*i); },
                [&](const GraphicsInfo *i) { return compiler.hashGraphicsPipeline(*i); },
                [&](const RaysInfo *i) { return compiler.hashRayTracingPipeline(*i); }},
      info);
}

llvm::Expected<llpc::PipelineResult> BuildInfo::compile(const llpc::Compiler &compiler,
                                                        bool isDirect) const {
  return std::visit(Overloads{[&](const ComputeInfo *i) {
                                return asWanted(*i, isDirect, [&](const ComputeInfo &it) {
                                  return icd::common(compiler.buildComputePipeline(it));
                                });
                              },
                              [&](const GraphicsInfo *i) {
                                return asWanted(*i, isDirect, [&](const GraphicsInfo &it) {
                                  return icd::common(compiler.buildGraphicsPipeline(it));
                                });
                              },
                              [&](const RaysInfo *i) {
                                return asWanted(*i, isDirect, [&](const RaysInfo &it) {
                                  return icd::common(compiler.buildRayTracingPipeline(it));
                                });
                              }},
                    info);
}

llvm::Expected<llpc::PipeDump> BuildInfo::dump(const llpc::PipelineHashes &hashes) const {
  return std::visit([&](const auto *i) { return llpc::dumpPipeline(*i, hashes); }, info);
}

VkShaderStageFlags BuildInfo::stages() const {
  if (isCompute())
    return VK_SHADER_STAGE_COMPUTE_BIT;
  VkShaderStageFlags stages = 0;
  if (auto *rays = std::get_if<const RaysInfo *>(&info)) {
    for (const llpc::RayTracingShaderInfo &shader : (*rays)->shaders)
      stages |= flagOf(shader.entryStage);
    return stages;
  }
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    if (graphics().shader(stage).module)
      stages |= flagOf(stage);
  }
  return stages;
}

std::string BuildInfo::programName() const {
  return std::visit(Overloads{[](const ComputeInfo *i) { return i->cs.entryTarget; },
                              [](const GraphicsInfo *i) { return programNameOf(*i); },
                              [](const RaysInfo *) { return std::string("rays"); }},
                    info);
}

llvm::ArrayRef<lgc::PartKind> BuildInfo::partKinds() const {
  static constexpr lgc::PartKind compute[] = {lgc::PartKind::Compute};
  static constexpr lgc::PartKind drawing[] = {lgc::PartKind::PreRasterization,
                                              lgc::PartKind::Fragment};
  if (isRays())
    return {};
  if (isCompute())
    return compute;
  const llvm::ArrayRef<lgc::PartKind> both = drawing;
  return graphics().rsState.rasterizerDiscardEnable ? both.take_front() : both;
}

std::vector<const llpc::PipelineShaderInfo *> BuildInfo::shaders(lgc::PartKind kind) const {
  if (auto *compute = std::get_if<const ComputeInfo *>(&info))
    return {&(*compute)->cs};
  std::vector<const llpc::PipelineShaderInfo *> shaders;
  if (!isGraphics())
    return shaders;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    const bool isFragment = stage == llpc::ShaderStage::Fragment;
    if (graphics().shader(stage).module && isFragment == (kind == lgc::PartKind::Fragment))
      shaders.push_back(&graphics().shader(stage));
  }
  return shaders;
}

llvm::Expected<llpc::Hash128> BuildInfo::partKey(const llpc::Compiler &compiler, lgc::PartKind kind,
                                                 llpc::SpecializedAt at) const {
  using Key = llvm::Expected<llpc::Hash128>;
  return std::visit(Overloads{[&](const ComputeInfo *i) { return compiler.partKey(*i, at); },
                              [&](const GraphicsInfo *i) { return compiler.partKey(*i, kind, at); },
                              [](const RaysInfo *) -> Key { return noParts(); }},
                    info);
}

llvm::Expected<llpc::PartResult> BuildInfo::buildPart(const llpc::Compiler &compiler,
                                                      lgc::PartKind kind,
                                                      llpc::SpecializedAt at) const {
  using Result = llvm::Expected<llpc::PartResult>;
  return std::visit(
      Overloads{[&](const ComputeInfo *i) { return compiler.buildPart(*i, at); },
                [&](const GraphicsInfo *i) { return compiler.buildPart(*i, kind, at); },
                [](const RaysInfo *) -> Result { return noParts(); }},
      info);
}

OwnBuildInfo::OwnBuildInfo(const BuildInfo &original) {
  std::visit([&](const auto *i) { info = *i; }, original.info);
}

BuildInfo OwnBuildInfo::get() const {
  return std::visit([](const auto &i) { return BuildInfo(i); }, info);
}

} // namespace icd
