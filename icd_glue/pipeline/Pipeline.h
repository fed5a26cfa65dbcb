//===- Pipeline.h - VkPipeline --------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline is its layout, its code, and what may be told about each of its shaders. Command
/// buffers share the data, so it survives the handle.
///
/// A pipeline that was linked of libraries refers to their pieces only. Its state, layout and code
/// are put together when they are first needed.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/assemble/PartSet.h"
#include "icd_glue/code/CodeObject.h"
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/pipeline/RayTracingState.h"
#include "icd_glue/sc/PipelinePools.h"

namespace icd {

/// What graphics pipelines have besides programs.
struct GraphicsPipelineData {
  GraphicsPipelineData() = default;
  explicit GraphicsPipelineData(GraphicsState state);

  GraphicsState state;
  /// Of the table of vertex buffers. By binding, or by location (hasAttributeDescriptors).
  struct VertexEntry {
    uint32_t binding = 0;
    /// Where the last byte of any attribute is in an element, plus 1; 0: no attribute.
    uint32_t elementEnd = 0;
  };
  std::vector<VertexEntry> vertexEntries; ///< to the last one with an attribute
};

class PipelineData {
public:
  /// Library: of graphics pipelines.
  enum class Kind : uint8_t { Compute, Graphics, Library, RayTracing };
  /// Of a pipeline whose code is known or not (a library, and a linked pipeline).
  PipelineData(Kind kind, std::shared_ptr<const PipelineLayoutData> layout)
      : kind(kind), layoutData(std::move(layout)) {}

  const Kind kind;

  // Before the data is shared.
  void setGraphics(std::shared_ptr<const GraphicsPipelineData> graphics) {
    graphicsData = std::move(graphics);
  }
  void setRays(std::shared_ptr<const RayTracingState> state) { rayState = std::move(state); }
  void setCode(std::shared_ptr<const CodeObject> code) { codeObject = std::move(code); }
  /// Nothing remains to be loaded.
  void setProgram(std::shared_ptr<const pal::device::Program> program);
  /// Of a library, and of a pipeline that is linked of \p parts; it may be given its code. Without
  /// parts: of a pipeline with variants, which are made of the pieces.
  void setPieces(LibraryPieces pieces, const PartSet &parts = {});

  /// Not of libraries.
  const PipelineLayoutData &layout() const;
  /// The same for those who keep it.
  const std::shared_ptr<const PipelineLayoutData> &sharedLayout() const;
  /// Null for other kinds.
  const GraphicsPipelineData *graphics() const;
  const RayTracingState *rays() const { return rayState.get(); }
  /// What a shader of a ray tracing pipeline takes of a lane's stack. 0: there is no such shader,
  /// or no code, as of libraries.
  uint32_t stackBytes(uint32_t shaderId) const;
  /// Null: the code of a linked pipeline cannot be made, which the first call reports.
  const CodeObject *code(Device &device) const;
  /// code() for whoever comes before it is needed, which reports nothing and is tried again.
  llvm::Error prepareCode(Device &device) const;
  /// Nothing is left to do for code(), or to fail.
  bool hasCode() const;
  /// The same as code() for those who keep it.
  std::shared_ptr<const CodeObject> sharedCode(Device &device) const {
    return code(device) ? codeObject : nullptr;
  }
  /// The program of the code, loaded at the first call. Null: the device cannot execute it, which
  /// the first call reports.
  std::shared_ptr<const pal::device::Program> program(Device &device) const;
  /// Makes what variants with other state of the shaders need (PipelineVariants.h). Before the data
  /// is shared. False: a compile would be needed, and is not allowed. Errors: those of a compile.
  llvm::Expected<bool> addShaders(Device &device, bool mayCompile) const;
  /// Draws with \p stream have code, or it makes no difference; else nothing is rasterised.
  bool hasStream(uint32_t stream) const {
    return !hasDynamicStream(graphics()->state) || variants.hasStream(stream);
  }
  /// For a draw with \p state and \p input, of which something may be compiled in
  /// (PipelineVariants.h): the variant, or null, which stands for the pipeline itself. Errors:
  /// those of a compile.
  llvm::Expected<std::shared_ptr<const PipelineData>>
  variantFor(Device &device, const DrawState &state, const VertexInputState &input) const;
  /// variantFor() makes nothing.
  bool hasVariantFor(const DrawState &state, const VertexInputState &input) const;
  /// Made at the first call. Of a library: its parts.
  const std::vector<ExecutableInfo> &executables(Device &device) const;
  const LibraryPieces &pieces() const { return libraryPieces; }
  /// Made anew it would have better code (code/StandIn.h).
  bool isOutdated() const;
  /// Linked of the parts of libraries, without a compile of the whole.
  bool isOfParts() const { return parts[lgc::PartKind::PreRasterization]; }

private:
  void prepare() const;
  CompiledState wantedState(const DrawState &state, const VertexInputState &input) const;
  llvm::Error linkCode(Device &device) const;

  LibraryPieces libraryPieces;
  PartSet parts; ///< what a fast link binds; the pieces own it
  // Of a linked pipeline they are made when they are first needed.
  mutable std::once_flag prepareOnce, programOnce, executablesOnce;
  mutable std::mutex codeMutex; ///< of `codeObject` of a linked pipeline, and `hasFailed`
  mutable bool hasFailed = false;
  mutable std::shared_ptr<const PipelineLayoutData> layoutData;
  mutable std::shared_ptr<const GraphicsPipelineData> graphicsData;
  std::shared_ptr<const RayTracingState> rayState;
  mutable std::shared_ptr<const CodeObject> codeObject;
  mutable std::shared_ptr<const pal::device::Program> loadedProgram;
  mutable std::vector<ExecutableInfo> executableList;
  mutable PipelineVariants variants;
};

class Pipeline : public Object {
public:
  using Handle = VkPipeline;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE;
  /// \p hasCapturedData: VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR.
  Pipeline(std::shared_ptr<const PipelineData> data, bool hasCapturedData, sc::PoolEntry poolEntry)
      : Object(type), data(std::move(data)), poolEntry(std::move(poolEntry)),
        hasCapturedData(hasCapturedData) {}

  const std::shared_ptr<const PipelineData> data;
  const sc::PoolEntry poolEntry;
  /// Pipeline binaries may be made of it. Changes only when the application says so.
  bool hasCapturedData;
};

} // namespace icd
