//===- BuiltIn.cpp - Kiln's driver inside of this program -----------------===//
// SPDX-License-Identifier: MIT
#include "BuiltIn.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/RayTracingState.h"

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                              const char *name);

namespace replay {

PFN_vkGetInstanceProcAddr builtInDriver() { return vk_icdGetInstanceProcAddr; }

void waitIdle(VkDevice device) {
  if (icd::PartialPipeline *partial = icd::fromHandle<icd::Device>(device)->partial())
    partial->waitIdle();
}

Origins originsOf(VkDevice device) {
  const icd::PartCounters &counters = icd::fromHandle<icd::Device>(device)->counters();
  return {counters.codeHits, counters.linked, counters.linkedReady, counters.compiled,
          counters.misses()};
}

static const icd::PipelineData &dataOf(VkPipeline pipeline) {
  return *icd::fromHandle<icd::Pipeline>(pipeline)->data;
}

/// Has it no code?
static bool isLibrary(const icd::PipelineData &data) {
  return data.kind == icd::PipelineData::Kind::Library ||
         (data.rays() && data.rays()->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR);
}

std::string describeOrigin(VkPipeline pipeline, const Origins &before, const Origins &after) {
  if (isLibrary(dataOf(pipeline)))
    return "library";
  if (after.cached > before.cached)
    return "cached";
  if (after.linkedReady > before.linkedReady)
    return "linked";
  if (after.linked > before.linked)
    return "linked late";
  if (dataOf(pipeline).isOfParts())
    return "linked";
  for (const auto &[reason, count] : after.misses) {
    auto known = before.misses.find(reason);
    if (known == before.misses.end() || known->second < count)
      return "compiled: " + reason;
  }
  return "compiled";
}

std::string countersOf(VkDevice handle) {
  icd::Device &device = *icd::fromHandle<icd::Device>(handle);
  icd::TaskPool::Counters tasks;
  if (device.partial())
    tasks = device.partial()->poolCounters();
  return device.counters().text(device.shaderCache().counters(),
                                device.partial() ? &tasks : nullptr);
}

std::optional<llvm::ArrayRef<uint8_t>> codeOf(VkDevice device, VkPipeline pipeline) {
  const icd::PipelineData &data = dataOf(pipeline);
  if (isLibrary(data))
    return std::nullopt;
  const icd::CodeObject *code = data.code(*icd::fromHandle<icd::Device>(device));
  return code ? code->elf() : llvm::ArrayRef<uint8_t>();
}

} // namespace replay
