//===- PipelineKey.cpp - which code a pipeline needs, cheaply -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/code/Executable.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "icd_glue/state/ShaderStage.h"
#include "icd_glue/state/StageKey.h"
#include "llpc/StateKey.h"

namespace icd {

std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkComputePipelineCreateInfo &info,
                                           const PipelineLayoutData &layout) {
  llpc::Hasher key("compute-pipeline", 1);
  key.hash(device.globalKey());
  key.hash(layout.hash);
  encode(key, pipelineOptionsOf(device, info.pNext, info.stage,
                                pipelineFlagsOf(info.flags, info.pNext)));
  if (!encodeStage(key, info.stage))
    return std::nullopt;
  return key.finish();
}

/// \p encodeShader(key, flag) encodes the shader of a stage that runs; false: it cannot.
template <typename Encode>
static std::optional<llpc::Hash128>
graphicsKeyOf(Device &device, const GraphicsState &state, const PipelineLayoutData &layout,
              const llpc::PipelineOptions &options, Encode &&encodeShader) {
  llpc::Hasher key("graphics-pipeline", 2);
  key.hash(device.globalKey());
  key.hash(layout.hash);
  encode(key, options);
  key.u32(state.stages);
  llpc::GraphicsPipelineBuildInfo build;
  for (const llpc::StageNames &row : llpc::rasterAndComputeStages()) { // in the pipeline's order
    if (!(state.stages & row.vulkanFlag))
      continue;
    if (!encodeShader(key, row.vulkanFlag))
      return std::nullopt;
    build.stageMask |= stageBit(row.stage);
  }
  setCompilerState(build, state);
  if (state.isComplete()) // a library does not tell which stages there will be
    normalizeState(build, device.target());
  encodeGraphicsState(key, build);
  if (hasDynamicInput(state)) // of which draws make variants
    key.string("dynamic vertex input");
  return key.finish();
}

std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkGraphicsPipelineCreateInfo &info,
                                           const GraphicsState &state,
                                           const PipelineLayoutData &layout) {
  // Libraries without shaders may say anything of stages.
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages,
                                                               state.stages ? info.stageCount : 0);
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const llpc::PipelineOptions options = pipelineOptionsOf(device, info.pNext, stages, flags);
  const bool viewIsDevice = readsDeviceAsView(flags, state);
  return graphicsKeyOf(device, state, layout, options,
                       [&](llpc::Hasher &key, VkShaderStageFlags flag) {
                         for (const VkPipelineShaderStageCreateInfo &stage : stages)
                           if (stage.stage == flag && !encodeStage(key, stage, viewIsDevice))
                             return false;
                         return true;
                       });
}

std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const LibraryPieces &pieces,
                                           const GraphicsState &state,
                                           const PipelineLayoutData &layout,
                                           const llpc::PipelineOptions &options) {
  return graphicsKeyOf(device, state, layout, options,
                       [&](llpc::Hasher &key, VkShaderStageFlags flag) {
                         for (const ShaderPiece *piece :
                              {pieces.preRasterization.get(), pieces.fragmentShader.get()})
                           if (piece)
                             for (const ShaderPiece::StageKey &stage : piece->stageKeys)
                               if (stage.stage == flag) {
                                 key.raw(stage.encoding);
                                 return true;
                               }
                         return false; // a binary without the module's name
                       });
}

} // namespace icd
