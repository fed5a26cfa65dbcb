//===- PipelineKey.cpp - which code a pipeline needs, cheaply -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/key/PipelineKey.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/key/StageKey.h"
#include "icd_glue/key/StateKey.h"
#include "icd_glue/pipeline/Executable.h"
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/pipeline/ShaderStage.h"

namespace icd {

std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkComputePipelineCreateInfo &info,
                                           const PipelineLayoutData &layout) {
  KeyWriter key("compute-pipeline", 1);
  key.hash(device.globalKey());
  key.hash(layout.hash);
  encode(key, pipelineOptionsOf(device, info.pNext, info.stage,
                                pipelineFlagsOf(info.flags, info.pNext)));
  if (!encodeStage(key, info.stage))
    return std::nullopt;
  return key.finish();
}

/// The stages that run, in the pipeline's order.
static bool encodeStages(KeyWriter &key, llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                         VkShaderStageFlags running) {
  key.u32(running);
  for (const StageName &row : stageNames) {
    if (!(running & row.flag))
      continue;
    for (const VkPipelineShaderStageCreateInfo &stage : stages)
      if (stage.stage == row.flag && !encodeStage(key, stage))
        return false;
  }
  return true;
}

std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkGraphicsPipelineCreateInfo &info,
                                           const GraphicsState &state,
                                           const PipelineLayoutData &layout) {
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.stageCount);
  KeyWriter key("graphics-pipeline", 1);
  key.hash(device.globalKey());
  key.hash(layout.hash);
  encode(key,
         pipelineOptionsOf(device, info.pNext, stages, pipelineFlagsOf(info.flags, info.pNext)));
  if (!encodeStages(key, stages, state.stages))
    return std::nullopt;
  llpc::GraphicsPipelineBuildInfo build;
  setCompilerState(build, state);
  encodeState(key, build);
  return key.finish();
}

} // namespace icd
