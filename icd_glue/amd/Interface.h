//===- Interface.h - AMD's compiler interface, version 76 -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The one place that includes AMD's headers, which come from the checkout that KILN_AMD_HEADERS
/// names. A driver and this library must agree on every structure: the version is pinned, and the
/// sizes are those of 76.2 (LLPC of 2025-04-29) on 64-bit hosts.
///
/// Contract of the whole interface: input structures are zero-initialised and belong to the caller;
/// results come from the caller's pfnOutputAlloc; every function may be called by any number of
/// threads at once.
#pragma once

#include "llpc.h"
#include "llpc/Compiler.h"

namespace icd::amd {

static_assert(LLPC_CLIENT_INTERFACE_MAJOR_VERSION == 76 && LLPC_INTERFACE_MAJOR_VERSION == 76,
              "this adapter speaks version 76 of AMD's interface only");

template <typename T, size_t expected> constexpr bool sizeIs = sizeof(T) == expected;
static_assert(sizeIs<Vkgc::ShaderModuleData, 120>);
static_assert(sizeIs<Vkgc::PipelineOptions, 104>);
static_assert(sizeIs<Vkgc::PipelineShaderOptions, 192>);
static_assert(sizeIs<Vkgc::PipelineShaderInfo, 224>);
static_assert(sizeIs<Vkgc::NggState, 28>);
static_assert(sizeIs<Vkgc::ResourceMappingNode, 32>);
static_assert(sizeIs<Vkgc::ResourceMappingRootNode, 40>);
static_assert(sizeIs<Vkgc::StaticDescriptorValue, 32>);
static_assert(sizeIs<Vkgc::SamplerYCbCrConversionMetaData, 24>);
static_assert(sizeIs<Vkgc::GraphicsPipelineBuildInfo, 5776>);
static_assert(sizeIs<Vkgc::ComputePipelineBuildInfo, 3984>);
static_assert(sizeIs<Llpc::ShaderModuleBuildInfo, 176>);
static_assert(sizeIs<Llpc::GraphicsPipelineBuildOut, 48>);
static_assert(sizeIs<Llpc::ComputePipelineBuildOut, 24>);

/// Numbers that both interfaces share are converted by casts.
static_assert(unsigned(Vkgc::ResourceMappingNodeType::Count) ==
              unsigned(lgc::ResourceNodeType::Count));
static_assert(unsigned(Vkgc::ResourceMappingNodeType::DescriptorMutable) ==
              unsigned(lgc::ResourceNodeType::DescriptorMutable));
static_assert(unsigned(Vkgc::ShaderStageCount) == unsigned(llpc::ShaderStage::Count));
static_assert(unsigned(Vkgc::ShaderStageFragment) == unsigned(llpc::ShaderStage::Fragment));
static_assert(int(Vkgc::Result::RequireFullPipeline) == int(llpc::Result::RequireFullPipeline));
static_assert(int(Vkgc::Result::ErrorUnknown) == int(llpc::Result::ErrorUnknown));

inline Vkgc::Result resultOf(lgc::ErrorKind kind) {
  return static_cast<Vkgc::Result>(llpc::resultOf(kind));
}
inline llpc::ShaderStage stageOf(Vkgc::ShaderStage stage) {
  return stage < Vkgc::ShaderStageCount ? static_cast<llpc::ShaderStage>(stage)
                                        : llpc::ShaderStage::Count;
}

/// Shaders of a graphics pipeline in the order of the stages.
inline std::array<const Vkgc::PipelineShaderInfo *, llpc::graphicsStageCount>
shadersOf(const Vkgc::GraphicsPipelineBuildInfo &info) {
  return {&info.task, &info.vs, &info.tcs, &info.tes, &info.gs, &info.mesh, &info.fs};
}

} // namespace icd::amd
