//===- PipelineVariants.cpp - draws with state that is compiled in --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

bool variesPatches(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
}

bool variesStream(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_GEOMETRY_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
}

llvm::Expected<std::shared_ptr<const PipelineData>>
compileVariant(Device &device, const PipelineData &base, const CompiledState &wanted) {
  const LibraryPieces &pieces = base.pieces();
  GraphicsState state = base.graphics()->state;
  if (!pieces.preRasterization || !pieces.canCompile())
    return lgc::unsupported("a draw with other dynamic patch control points or another dynamic "
                            "rasterization stream than the pipeline has code for: " +
                            llvm::Twine(wanted.patchControlPoints) + ", stream " +
                            llvm::Twine(wanted.rasterizationStream) +
                            "; the pipeline was created without SPIR-V");
  if (variesPatches(state))
    state.fixed.patchControlPoints = wanted.patchControlPoints;
  if (variesStream(state))
    state.fixed.rasterizationStream = wanted.rasterizationStream;
  const llpc::GraphicsPipelineBuildInfo build =
      monolithicBuildInfo(pieces, state, base.layout(),
                          monolithicOptions(pieces, pipelineOptionsOf(device, nullptr, {}, 0)));
  auto code = codeOf({.device = device,
                      .places = {{}, nullptr, state.stages},
                      .layout = base.sharedLayout(),
                      .name = programNameOf(build)},
                     build);
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, base.sharedLayout());
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(std::move(state)));
  return finishData(std::move(data), std::move(code));
}

} // namespace

CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state) {
  CompiledState compiled;
  if (variesPatches(pipeline))
    compiled.patchControlPoints = state.patchControlPoints;
  if (variesStream(pipeline))
    compiled.rasterizationStream = state.rasterizationStream;
  return compiled;
}

bool hasVariants(const GraphicsState &pipeline) {
  return variesPatches(pipeline) || variesStream(pipeline);
}

llvm::Expected<std::shared_ptr<const PipelineData>>
PipelineVariants::obtain(Device &device, const PipelineData &base, const CompiledState &wanted) {
  auto find = [&]() -> std::shared_ptr<const PipelineData> {
    auto *found =
        llvm::find_if(variants, [&](const Variant &variant) { return variant.state == wanted; });
    return found == variants.end() ? nullptr : found->pipeline;
  };
  {
    std::lock_guard lock(mutex);
    if (auto pipeline = find())
      return pipeline;
  }
  auto made = KILN_TRY(compileVariant(device, base, wanted));
  std::lock_guard lock(mutex);
  // Another thread may have been faster.
  if (auto pipeline = find())
    return pipeline;
  variants.push_back({wanted, made});
  return made;
}

} // namespace icd
