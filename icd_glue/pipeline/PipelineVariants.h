//===- PipelineVariants.h - draws with state that is compiled in ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code of the shaders before rasterization depends on the stream that is rasterised, on which
/// vertex provokes, and on the origin of the tessellation domain, and no user data says it. Where
/// that is dynamic state, a pipeline is made for what its create info says (of the latter two: the
/// first vertex, the upper left origin), and has a variant for each other value that makes a
/// difference: streams that its geometry shader emits vertices to; both vertices with a geometry
/// shader, or where a fragment shader reads a PrimitiveId that none has made; both origins with
/// tessellation. With all other streams nothing is rasterised, by any code.
///
/// Vertex input is code as well. A pipeline that has it as dynamic state is made of parts, as
/// pipelines of libraries are, with the code for an input without attributes; the first draw with
/// some input has vertex fetch glue made and linked to the parts.
///
/// What pipelines of parts need for variants, parts as well, is made with the pipeline; others have
/// all code of the variants then.
#pragma once

#include "icd_glue/pipeline/PipelineLibrary.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>

namespace icd {

class Device;
class PipelineData;

/// What is compiled into the shaders before rasterization; as by default where the pipeline has no
/// code for it, or where it is not dynamic.
struct CompiledShaderState {
  uint32_t rasterizationStream = 0;
  bool provokingVertexLast = false, lowerLeftOrigin = false;

  bool operator==(const CompiledShaderState &) const = default;
};

/// The state in question.
struct CompiledState {
  CompiledShaderState shaders = {};
  VertexInputState input = {}; ///< empty where it is not dynamic

  bool operator==(const CompiledState &) const = default;
};

/// Of a draw or a pipeline with \p state and \p input, whose strides are in \p state: what counts
/// for \p pipeline.
CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state,
                              const VertexInputState &input = {});
/// Something in it may differ from draw to draw.
bool hasVariants(const GraphicsState &pipeline);
/// The vertex input may; the stream that is rasterised; anything of the shaders.
bool hasDynamicInput(const GraphicsState &pipeline);
bool hasDynamicStream(const GraphicsState &pipeline);
bool hasDynamicShaderState(const GraphicsState &pipeline);

/// The variants of one pipeline. Threads: any number; no lock is held while anything is compiled.
class PipelineVariants {
public:
  /// Of dynamic vertex inputs there is no end; the oldest are forgotten.
  static constexpr size_t maxVariants = 512;

  /// What draws with other state of the shaders need of \p base, whose state is dynamic. False: a
  /// compile would be needed, and is not allowed. Before any other thread uses this. Errors: those
  /// of a compile.
  llvm::Expected<bool> addShaders(Device &device, const PipelineData &base, bool mayCompile);
  /// Draws with \p stream have code; without, nothing is rasterised.
  bool hasStream(uint32_t stream) const {
    return stream < pal::device::vertexStreams && (streams >> stream & 1);
  }
  /// Code depends on which vertex provokes.
  bool seesProvokingVertex() const { return hasBothVertices; }
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
  /// Shaders before rasterization with another state.
  struct Shaders {
    CompiledShaderState state;
    std::shared_ptr<const ShaderPiece> piece;
  };
  llvm::Expected<bool> addVariant(Device &device, const PipelineData &base,
                                  const CompiledShaderState &state, bool mayCompile);
  /// Null: there are none.
  std::shared_ptr<const ShaderPiece> shadersFor(const PipelineData &base,
                                                const CompiledShaderState &state) const;

  uint32_t streams = 0; ///< bit per stream that there is code for
  bool hasBothVertices = false;
  llvm::SmallVector<Shaders, 1> otherShaders; ///< where variants are linked
  mutable std::mutex mutex;
  llvm::SmallVector<Variant, 1> variants; ///< oldest first
};

} // namespace icd
