//===- PipelineVariants.h - draws with state that is compiled in ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code of tessellation depends on the number of control points of a patch, code of geometry
/// shaders on the stream that is rasterised, and no register or user data says these to it. Where
/// they are dynamic state, a pipeline is made for what its create info says, or for some value, and
/// a draw that is recorded with another one has a variant compiled.
#pragma once

#include "icd_glue/state/GraphicsState.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>

namespace icd {

class Device;
class PipelineData;

/// The state in question; 0 where the pipeline has no code for it, or where it is not dynamic.
struct CompiledState {
  uint32_t patchControlPoints = 0;
  uint32_t rasterizationStream = 0;

  bool operator==(const CompiledState &) const = default;
};

/// Of a draw or a pipeline with \p state: what counts for \p pipeline.
CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state);
/// Something in it may differ from draw to draw.
bool hasVariants(const GraphicsState &pipeline);

/// The variants of one pipeline. Threads: any number; no lock is held while anything is compiled.
class PipelineVariants {
public:
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
  llvm::SmallVector<Variant, 1> variants; ///< 32 numbers or 4 streams at most
};

} // namespace icd
