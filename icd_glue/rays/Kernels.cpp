//===- Kernels.cpp - what works on acceleration structures ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/Kernels.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "lgc/AccelerationStructure.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

// The words of each kernel, which the build has compiled.
#include "icd_glue/rays/aabbs.spv.h"
#include "icd_glue/rays/bounds.spv.h"
#include "icd_glue/rays/clearVisits.spv.h"
#include "icd_glue/rays/collapse.spv.h"
#include "icd_glue/rays/collapseRest.spv.h"
#include "icd_glue/rays/copy.spv.h"
#include "icd_glue/rays/deserialize.spv.h"
#include "icd_glue/rays/header.spv.h"
#include "icd_glue/rays/init.spv.h"
#include "icd_glue/rays/instances.spv.h"
#include "icd_glue/rays/morton.spv.h"
#include "icd_glue/rays/plocCount.spv.h"
#include "icd_glue/rays/plocMerge.spv.h"
#include "icd_glue/rays/plocNearest.spv.h"
#include "icd_glue/rays/plocRest.spv.h"
#include "icd_glue/rays/plocScan.spv.h"
#include "icd_glue/rays/refit.spv.h"
#include "icd_glue/rays/serialize.spv.h"
#include "icd_glue/rays/sortCount.spv.h"
#include "icd_glue/rays/sortScan.spv.h"
#include "icd_glue/rays/sortScatter.spv.h"
#include "icd_glue/rays/tree.spv.h"
#include "icd_glue/rays/triangles.spv.h"

llvm::ArrayRef<uint32_t> wordsOf(Kernel kernel) {
  static constexpr llvm::ArrayRef<uint32_t> all[] = {
#define KILN_KERNEL(name) name##Spirv,
#include "icd_glue/rays/Kernels.def"
#undef KILN_KERNEL
  };
  return all[size_t(kernel)];
}

/// All kernels have a pipeline layout of push constants only. Null: out of memory.
VkPipelineLayout makeLayout(VkDevice device) {
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(KernelArguments)};
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  return CreatePipelineLayout(device, &info, nullptr, &layout) == VK_SUCCESS ? layout
                                                                             : VK_NULL_HANDLE;
}

/// \p isWide: the constant of kernels/common.glsl.
VkPipeline makePipeline(VkDevice device, VkPipelineLayout layout, llvm::ArrayRef<uint32_t> words,
                        VkBool32 isWide) {
  const VkSpecializationMapEntry entry = {0, 0, sizeof(isWide)};
  const VkSpecializationInfo constants = {1, &entry, sizeof(isWide), &isWide};
  VkShaderModuleCreateInfo module = {};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module.codeSize = words.size() * sizeof(uint32_t);
  module.pCode = words.data();
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.pNext = &module;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  (void)CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  return pipeline;
}

std::shared_ptr<const PipelineData> makeKernel(Device &device, Kernel kernel) {
  VkDevice handle = toHandle(&device);
  VkPipelineLayout layout = makeLayout(handle);
  if (!layout)
    return nullptr;
  const bool isWide = lgc::accel::hasWideStructures(device.target().major);
  VkPipeline pipeline = makePipeline(handle, layout, wordsOf(kernel), isWide);
  std::shared_ptr<const PipelineData> data;
  if (pipeline)
    data = fromHandle<Pipeline>(pipeline)->data;
  DestroyPipeline(handle, pipeline, nullptr);
  DestroyPipelineLayout(handle, layout, nullptr);
  return data;
}

} // namespace

Kernels::Kernels(Device &device) : device(device) {}
Kernels::~Kernels() = default;

std::shared_ptr<const pal::device::Program> Kernels::program(Kernel kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const PipelineData> &pipeline = pipelines[size_t(kernel)];
  if (!pipeline)
    pipeline = makeKernel(device, kernel);
  return pipeline ? pipeline->program(device) : nullptr;
}

} // namespace icd
