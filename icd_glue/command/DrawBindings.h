//===- DrawBindings.h - what draws of a command buffer have bound ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vertex and index buffers and the dynamic state that commands have set so far. Like everything
/// bound (BindState.h) a draw resolves it when it is recorded.
#pragma once

#include "icd_glue/shader/DrawVariants.h"
#include "pal_shim/abi/TargetInfo.h"
#include <vector>

namespace icd {

struct GraphicsPipelineData;
class Device;
class TableArena;

struct BoundVertexBuffer {
  pal::device::GpuAddress address = 0; ///< 0: none
  uint64_t size = 0;                   ///< bytes that may be read
};

struct BoundIndexBuffer {
  pal::device::IndexType type = pal::device::IndexType::None;
  pal::device::GpuAddress address = 0;
  uint64_t size = 0;
  std::optional<uint32_t> restartIndex = std::nullopt; ///< none: all bits set
};

/// What code of draws with shader objects depends on, each brought by commands of its own. Which of
/// them a pipeline's code may depend on, preparePipeline() says (DrawPreparation.cpp).
enum class DrawPiece : uint16_t {
  Formats = 1 << 0, ///< of the rendering
  Topology = 1 << 1,
  VertexInput = 1 << 2,
  DomainOrigin = 1 << 3,
  RasterizationStream = 1 << 4,
  ProvokingVertex = 1 << 5,
  AlphaToCoverage = 1 << 6,
  BlendEnable = 1 << 7,
  BlendEquation = 1 << 8,
  WriteMask = 1 << 9,
  Shaders = 1 << 10,
  VertexBuffers = 1 << 11, ///< strides and alignment; not needed
};

struct DrawBindings {
  DrawState dynamic;
  /// With shader objects. When there is a vertex shader there is no pipeline, and the other way
  /// round.
  DrawShaders shaders;
  VertexInputState vertexInput; ///< strides are in `dynamic`
  TargetFormats formats;        ///< of the dynamic rendering that is recorded
  /// Bit by DrawPiece: what has been set since the command buffer was begun, of formats since the
  /// rendering was.
  uint16_t given = 0;
  void forget(DrawPiece piece) { given &= ~static_cast<uint16_t>(piece); }
  /// For the next draw with them; null as soon as any piece changes, until it is prepared.
  std::shared_ptr<const PipelineData> shaderPipeline;
  std::array<BoundVertexBuffer, maxVertexBindings> vertexBuffers;
  BoundIndexBuffer indexBuffer;
  pal::device::StreamOut streamOut; ///< of transform feedback; what is filled is not known here

  /// The last vertex buffer table: draws that want the same one share it.
  std::vector<uint32_t> tableWords;
  pal::device::GpuAddress table = 0;
};

/// VK_EXT_legacy_vertex_attributes: chooses between code for aligned attributes and code for any.
/// The buffers decide, so that draws that keep Vulkan's rules have the same code as without it.
void noteAlignment(const Device &device, DrawBindings &bindings);

/// A V# for each entry of the pipeline's table of vertex buffers; \p buffers and \p strides by
/// binding.
std::vector<uint32_t> vertexBufferWords(const pal::abi::GpuTarget &target,
                                        const GraphicsPipelineData &pipeline,
                                        llvm::ArrayRef<BoundVertexBuffer> buffers,
                                        llvm::ArrayRef<uint32_t> strides);

/// Address of the table of those words; 0 when the pipeline has no vertex bindings. Nothing: the
/// descriptor heap is full.
std::optional<pal::device::GpuAddress> vertexBufferTable(DrawBindings &bindings, TableArena &tables,
                                                         std::vector<uint32_t> words);

} // namespace icd
