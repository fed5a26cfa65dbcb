//===- PipelineVariants.h - draws with state that is compiled in ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code of geometry shaders depends on the stream that is rasterised, and no register or user data
/// says it. Where it is dynamic state, a pipeline is made for what its create info says, and has a
/// variant for each other stream that its geometry shader emits vertices to, made with it. With all
/// other streams nothing is rasterised, by any code.
///
/// Vertex input is code as well. A pipeline that has it as dynamic state is made of parts, as
/// pipelines of libraries are, with the code for an input without attributes; the first draw with
/// some input has vertex fetch glue made and linked to the parts, of which there are as many as
/// streams.
#pragma once

#include "icd_glue/pipeline/PipelineLibrary.h"
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
/// The vertex input may, or the stream that is rasterised.
bool hasDynamicInput(const GraphicsState &pipeline);
bool hasDynamicStream(const GraphicsState &pipeline);

/// The variants of one pipeline. Threads: any number; no lock is held while anything is compiled.
class PipelineVariants {
public:
  /// Of dynamic vertex inputs there is no end; the oldest are forgotten.
  static constexpr size_t maxVariants = 512;

  /// What draws with other streams need of \p base, which has one. False: a compile would be
  /// needed, and is not allowed. Before any other thread uses this. Errors: those of a compile.
  llvm::Expected<bool> addStreams(Device &device, const PipelineData &base, bool mayCompile);
  /// Draws with \p stream have code; without, nothing is rasterised.
  bool hasStream(uint32_t stream) const {
    return stream < pal::device::vertexStreams && (streams >> stream & 1);
  }
  /// The variant of \p base for \p wanted. Errors: Unsupported if \p base has no SPIR-V, those of a
  /// compile.
  llvm::Expected<std::shared_ptr<const PipelineData>>
  obtain(Device &device, const PipelineData &base, const CompiledState &wanted);
  /// It is there.
  bool has(const CompiledState &wanted) const;

private:
  std::shared_ptr<const PipelineData> find(const CompiledState &wanted) const;

  struct Variant {
    CompiledState state;
    std::shared_ptr<const PipelineData> pipeline;
  };
  llvm::Expected<bool> addStream(Device &device, const PipelineData &base, uint32_t stream,
                                 bool mayCompile);

  uint32_t streams = 0; ///< bit per stream that there is code for
  /// With dynamic vertex input: the shaders before rasterization for another stream.
  std::array<std::shared_ptr<const ShaderPiece>, pal::device::vertexStreams> shadersOfStream;
  mutable std::mutex mutex;
  llvm::SmallVector<Variant, 1> variants; ///< oldest first
};

} // namespace icd
