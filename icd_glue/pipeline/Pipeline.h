//===- Pipeline.h - VkPipeline --------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline is its layout, one program of the device, and what may be told about each of its
/// shaders. Command buffers share the data, so it survives the handle.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/pipeline/DrawState.h"
#include "icd_glue/pipeline/PipelineLayout.h"
#include "llpc/Compiler.h"
#include "pal_shim/device/Device.h"

namespace icd {

/// What VK_KHR_pipeline_executable_properties reports about one executable.
struct ExecutableInfo {
  std::string name; ///< "compute", "vertex", "vertex, geometry"
  std::string description;
  VkShaderStageFlags stages = 0;
  uint32_t subgroupSize = 0;
  llpc::ShaderStatistics statistics;
  double compileMs = 0;
  /// Texts; empty unless the pipeline was created to capture them.
  std::string disassembly, llvmIr;
};

/// What graphics pipelines have besides programs.
struct GraphicsPipelineData {
  DrawState fixed;
  DynamicStates dynamic;
  uint32_t vertexBindings = 0; ///< the highest binding with an attribute, plus 1
  /// By binding: where the last byte of any attribute is in an element, plus 1; 0: no attribute.
  std::array<uint32_t, maxVertexBindings> elementEnds = {};
};

struct PipelineData {
  VkPipelineBindPoint bindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  std::shared_ptr<const PipelineLayoutData> layout;
  std::shared_ptr<const pal::device::Program> program;
  std::vector<ExecutableInfo> executables;
  std::shared_ptr<const GraphicsPipelineData> graphics; ///< null for other kinds
};

class Pipeline : public Object {
public:
  using Handle = VkPipeline;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE;
  explicit Pipeline(std::shared_ptr<const PipelineData> data)
      : Object(type), data(std::move(data)) {}

  const std::shared_ptr<const PipelineData> data;
};

} // namespace icd
