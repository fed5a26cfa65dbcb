//===- GraphicsState.h - modes of graphics shaders, fixed-function state --===//
// SPDX-License-Identifier: MIT
/// \file
/// Two kinds of state: what shaders declare (execution modes; filled by the front end from SPIR-V)
/// and what the pipeline says (vertex input, topology, raster, colour targets; filled by the caller
/// of the compiler). Only what changes code or PAL metadata is here: PAL programs viewports, depth
/// and blend state by itself.
#pragma once

#include "lgc/ShaderState.h"
#include "lgc/TexelFormat.h"
#include <vector>

namespace lgc {

//===--- Declared by shaders ----------------------------------------------===//

/// Of the tessellation control and evaluation shaders together: SPIR-V allows each mode in either.
struct TessModes {
  enum class Domain : uint8_t { None, Triangles, Quads, Isolines };
  enum class Spacing : uint8_t { None, Equal, FractionalEven, FractionalOdd };
  enum class Order : uint8_t { None, Cw, Ccw };
  Domain domain = Domain::None;
  Spacing spacing = Spacing::None; ///< None counts as Equal
  Order order = Order::None;       ///< None counts as Ccw
  bool pointMode = false;
  uint32_t outputVertices = 0; ///< control points that the control shader makes of a patch

  bool operator==(const TessModes &) const = default;
};

enum class InputPrimitive : uint8_t {
  Points,
  Lines,
  LinesAdjacency,
  Triangles,
  TrianglesAdjacency
};
enum class OutputTopology : uint8_t { Points, Lines, Triangles }; ///< strips for geometry shaders

struct GeometryModes {
  InputPrimitive input = InputPrimitive::Triangles;
  OutputTopology output = OutputTopology::Triangles;
  uint32_t invocations = 1;
  uint32_t outputVertices = 0; ///< most vertices that one invocation emits

  bool operator==(const GeometryModes &) const = default;
};

struct MeshModes {
  OutputTopology output = OutputTopology::Triangles;
  uint32_t outputVertices = 0;
  uint32_t outputPrimitives = 0;

  bool operator==(const MeshModes &) const = default;
};

struct FragmentModes {
  bool earlyTests = false;        ///< EarlyFragmentTests
  bool earlyAndLateTests = false; ///< EarlyAndLateFragmentTestsAMD
  bool depthReplacing = false;
  enum class Conservative : uint8_t { Any, Greater, Less, Unchanged };
  Conservative depth = Conservative::Any;
  bool stencilReplacing = false; ///< StencilRefReplacingEXT
  bool postDepthCoverage = false;
  /// RequireFullQuadsKHR and QuadDerivativesKHR: no lowering reads them, because helper invocations
  /// fill all quads of fragment shaders, and keep computing what derivatives and votes need.
  bool requireFullQuads = false;
  bool quadDerivatives = false;
  bool pixelCenterInteger = false;
  enum class Interlock : uint8_t {
    None,
    PixelOrdered,
    PixelUnordered,
    SampleOrdered,
    SampleUnordered,
    ShadingRateOrdered,
    ShadingRateUnordered
  };
  Interlock interlock = Interlock::None;

  bool operator==(const FragmentModes &) const = default;
};

/// Buffers that XfbBuffer and XfbStride decorations declare.
struct XfbModes {
  bool enabled = false;                           ///< execution mode Xfb and some xfb.store
  std::array<uint32_t, 4> strides = {0, 0, 0, 0}; ///< bytes a vertex, by buffer
  std::array<uint32_t, 4> streamOfBuffer = {0, 0, 0, 0};

  bool operator==(const XfbModes &) const = default;
};

//===--- Said by the pipeline ---------------------------------------------===//

enum class VertexInputRate : uint8_t { Vertex, Instance };

struct VertexBinding {
  uint32_t binding = 0;
  uint32_t stride = 0; ///< bytes; ignored with dynamicVertexStride
  VertexInputRate inputRate = VertexInputRate::Vertex;
  uint32_t divisor = 1; ///< instances that share one element; 0 = all of them

  bool operator==(const VertexBinding &) const = default;
};

struct VertexAttribute {
  uint32_t location = 0;
  uint32_t binding = 0;
  uint32_t offset = 0; ///< bytes
  TexelFormat format;

  bool operator==(const VertexAttribute &) const = default;
};

enum class Topology : uint8_t {
  PointList,
  LineList,
  LineStrip,
  TriangleList,
  TriangleStrip,
  TriangleFan,
  LineListAdjacency,
  LineStripAdjacency,
  TriangleListAdjacency,
  TriangleStripAdjacency,
  PatchList
};

struct InputAssemblyState {
  Topology topology = Topology::TriangleList; ///< numbers as VkPrimitiveTopology has them
  bool dynamicTopology = false;    ///< topology is only the class, vertices of a primitive come as
                                   ///< user data (CompositeData)
  uint32_t patchControlPoints = 0; ///< 1..32 with tessellation, 0 where they are dynamic
  bool dynamicPatchControlPoints = false; ///< they come as user data (CompositeData)
  bool disableVertexReuse = false;
  bool switchWinding = false;   ///< of the triangles that tessellation makes (lower left origin)
  bool enableMultiView = false; ///< draws are repeated for each view; ViewId user data selects the
                                ///< layer

  bool operator==(const InputAssemblyState &) const = default;
};

struct ViewportState {
  bool depthClipEnable = true;

  bool operator==(const ViewportState &) const = default;
};

enum class ProvokingVertexMode : uint8_t { First, Last };

struct RasterizerState {
  bool rasterizerDiscardEnable = false;
  bool innerCoverage = false; ///< conservative underestimation (FullyCoveredEXT)
  bool perSampleShading = false;
  uint32_t numSamples = 1;
  uint32_t pixelShaderSamples = 1; ///< samples that one invocation shades at least; 0 counts as 1
  uint32_t samplePatternIdx = 0;   ///< in the driver's table of sample positions
  bool dynamicSampleInfo = false;  ///< numSamples is unknown: SampleInfo or CompositeData has it
  uint32_t rasterStream = 0;
  ProvokingVertexMode provokingVertexMode = ProvokingVertexMode::First;

  bool operator==(const RasterizerState &) const = default;
};

struct ColorTarget {
  TexelFormat format; ///< None: no attachment
  uint32_t writeMask = 0xF;
  bool blendEnable = false;
  bool blendSrcAlphaToColor = false; ///< a colour blend factor is the source's alpha

  bool operator==(const ColorTarget &) const = default;
};

/// What holds for all colour targets.
struct ColorExportState {
  bool alphaToCoverageEnable = false;
  bool dualSourceBlendEnable = false;
  bool dualSourceBlendDynamic = false; ///< whether, comes as user data (CompositeData)

  bool operator==(const ColorExportState &) const = default;
};

/// NGG: vertex processing as a primitive shader. gfx11 and later have nothing else.
struct NggState {
  bool enable = true;       ///< gfx10.3; gfx10.1 always takes the legacy path unless forced
  bool force = false;       ///< gfx10.1 too
  bool enableGsUse = false; ///< gfx10: geometry shaders through NGG too
  bool backfaceCulling = false;
  bool frustumCulling = false;
  bool smallPrimitiveFilter = false;
  bool cullDistanceCulling = false;
  uint32_t primsPerSubgroup = 0; ///< 0 = lgc chooses
  uint32_t vertsPerSubgroup = 0; ///< 0 = lgc chooses

  bool operator==(const NggState &) const = default;
};

struct GraphicsState {
  /// Bit per ShaderStage that the pipeline has. A module may hold fewer (a part of the pipeline).
  uint32_t stageMask = 0;
  /// By ShaderStage, for Task to Fragment.
  std::array<ShaderState, 7> shaders;

  TessModes tess;
  GeometryModes geometry;
  MeshModes mesh;
  FragmentModes fragment;
  XfbModes xfb;

  std::vector<VertexBinding> vertexBindings;
  std::vector<VertexAttribute> vertexAttributes;
  bool dynamicVertexStride = false;  ///< strides come from the descriptors in the table
  bool robustUnboundVertex = false;  ///< a null vertex buffer descriptor reads (0, 0, 0, 1)
  bool unalignedVertexFetch = false; ///< attributes lie anywhere, but for those of 64 bits
  /// Entries of the table of vertex buffers are {address, upper half, bytes, stride}, of which
  /// shaders make descriptors (lgc/lowering/vertex/VertexFetch.h)
  bool useSoftwareVertexBufferDescriptors = false;
  /// Attributes are described in memory, and read there for every draw (UberFetch.h)
  bool enableUberFetchShader = false;

  InputAssemblyState iaState;
  ViewportState vpState;
  RasterizerState rsState;
  ColorExportState cbState;
  std::array<ColorTarget, 8> targets;
  NggState nggState;

  bool has(ShaderStage stage) const { return stageMask >> static_cast<unsigned>(stage) & 1; }
  ShaderState &shader(ShaderStage stage) { return shaders[static_cast<unsigned>(stage)]; }
  const ShaderState &shader(ShaderStage stage) const {
    return shaders[static_cast<unsigned>(stage)];
  }

  bool operator==(const GraphicsState &) const = default;
};

} // namespace lgc
