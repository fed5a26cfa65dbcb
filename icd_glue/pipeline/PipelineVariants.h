//===- PipelineVariants.h - draws with state that is compiled in ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code of tessellation depends on the number of control points of a patch, code of geometry
/// shaders on the stream that is rasterised, and no register or user data says these to it. Where
/// they are dynamic state, a pipeline is made for what its create info says, or for some value, and
/// a draw that is recorded with another one has a variant compiled.
///
/// Vertex input is code as well. A pipeline that has it as dynamic state is made of parts, as
/// pipelines of libraries are, with the code for an input without attributes; the first draw with
/// some input has vertex fetch glue made and linked to the parts.
#pragma once

#include "icd_glue/state/GraphicsState.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>

namespace icd {

class Device;
class PipelineData;

/// The state in question; 0 or empty where the pipeline has no code for it, or where it is not
/// dynamic.
struct CompiledState {
  uint32_t patchControlPoints = 0;
  uint32_t rasterizationStream = 0;
  VertexInputState input = {};

  bool operator==(const CompiledState &) const = default;
};

/// Of a draw or a pipeline with \p state and \p input, whose strides are in \p state: what counts
/// for \p pipeline.
CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state,
                              const VertexInputState &input = {});
/// Something in it may differ from draw to draw.
bool hasVariants(const GraphicsState &pipeline);
/// The vertex input may, or the number of control points.
bool hasDynamicInput(const GraphicsState &pipeline);
bool hasDynamicPatches(const GraphicsState &pipeline);

/// The variants of one pipeline. Threads: any number; no lock is held while anything is compiled.
class PipelineVariants {
public:
  /// Of dynamic vertex inputs there is no end; the oldest are forgotten.
  static constexpr size_t maxVariants = 512;

  /// One that is there already. Before any other thread uses it.
  void add(const CompiledState &state, std::shared_ptr<const PipelineData> pipeline) {
    variants.push_back({state, std::move(pipeline)});
  }
  /// The variant of \p base for \p wanted. Errors: Unsupported if \p base has no SPIR-V, those of a
  /// compile.
  llvm::Expected<std::shared_ptr<const PipelineData>>
  obtain(Device &device, const PipelineData &base, const CompiledState &wanted);

private:
  struct Variant {
    CompiledState state;
    std::shared_ptr<const PipelineData> pipeline;
  };
  std::mutex mutex;
  llvm::SmallVector<Variant, 1> variants; ///< oldest first
};

} // namespace icd
