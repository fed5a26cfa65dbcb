//===- Pipeline.h - VkPipeline --------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline is its layout, its code, and what may be told about each of its shaders. Command
/// buffers share the data, so it survives the handle.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/pipeline/CodeObject.h"
#include "icd_glue/pipeline/GraphicsState.h"
#include "icd_glue/pipeline/PipelineLayout.h"

namespace icd {

/// What graphics pipelines have besides programs.
struct GraphicsPipelineData {
  GraphicsState state;
  uint32_t vertexBindings = 0; ///< the highest binding with an attribute, plus 1
  /// By binding: where the last byte of any attribute is in an element, plus 1; 0: no attribute.
  std::array<uint32_t, maxVertexBindings> elementEnds = {};
};

struct PipelineData {
  std::shared_ptr<const PipelineLayoutData> layout;
  std::shared_ptr<const CodeObject> code;
  std::shared_ptr<const GraphicsPipelineData> graphics; ///< null for other kinds

  /// The program of `code`, loaded at the first call. Null: the device cannot execute it, which the
  /// first call reports.
  std::shared_ptr<const pal::device::Program> program(Device &device) const;
  /// Made at the first call.
  const std::vector<ExecutableInfo> &executables(Device &device) const;
  /// Before the data is shared: nothing remains to be loaded.
  void setProgram(std::shared_ptr<const pal::device::Program> program);

private:
  mutable std::once_flag programOnce, executablesOnce;
  mutable std::shared_ptr<const pal::device::Program> loadedProgram;
  mutable std::vector<ExecutableInfo> executableList;
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
