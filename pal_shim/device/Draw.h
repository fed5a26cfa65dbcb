//===- Draw.h - draws of a software AMD GPU --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a command processor is told for a draw: the program, where its user data comes from, the
/// state of the fixed function, and the surfaces that pixels go to. What the program itself says in
/// its PAL metadata (hardware stages, export formats, interpolation, when tests happen) is not
/// repeated here: the device reads it there.
///
/// Enumerations have the numbers of the Vulkan ones of like names, so that a driver may cast.
#pragma once

#include "pal_shim/device/Device.h"
#include "pal_shim/srd/LinearLayout.h"
#include "pal_shim/srd/Srd.h"
#include <optional>

namespace pal::device {

//===--- Surfaces ----------------------------------------------------------===//

inline constexpr unsigned maxColorTargets = 8, maxViewports = 16, maxSamples = 16;

/// One level of a plane of an image, as colour, depth or stencil target. \p address 0: no surface;
/// tests pass and writes are lost.
struct Surface {
  GpuAddress address = 0; ///< of slice 0 of the plane, level 0's rules as in `layout`
  formats::Format format = formats::Format::Undefined;
  /// Colour: which channel of memory each of r, g, b, a is (Select::X..W, One and Zero: nowhere).
  srd::Swizzle swizzle = srd::identitySwizzle;
  srd::LinearLayout layout; ///< of the whole plane
  uint32_t level = 0;
  uint32_t baseSlice = 0; ///< slice that layer 0 of the draw goes to
  uint32_t slices = 1;    ///< layers at and beyond this are not written
  uint32_t samples = 1;   ///< 1, 2, 4, 8 or 16
  uint32_t width = 0;     ///< of the level, texels
  uint32_t height = 0;

  bool exists() const { return address != 0; }
};

/// Do the numbers of a surface agree with its layout, so that all its texels lie in the plane?
/// \p what: "depth target", for messages. Error: DeviceFault BadDescriptor.
llvm::Error checkSurface(const Surface &surface, llvm::StringRef what);

struct Rect {
  int32_t x = 0, y = 0;
  uint32_t width = 0, height = 0;
};

//===--- Input assembly ----------------------------------------------------===//

/// VkPrimitiveTopology.
enum class PrimitiveTopology : uint8_t {
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

enum class IndexType : uint8_t { None, U8, U16, U32 };

struct InputAssembly {
  PrimitiveTopology topology = PrimitiveTopology::TriangleList;
  uint32_t patchControlPoints = 0;
  bool primitiveRestart = false; ///< at `restartIndex`
  IndexType indexType = IndexType::None;
  GpuAddress indexBuffer = 0;
  uint64_t indexBytes = 0; ///< indices beyond read as 0 (robustBufferAccess)
  std::optional<uint32_t> restartIndex = std::nullopt; ///< none: all bits of the type set
};

/// The numbers of one draw. Direct: firstVertex and vertexCount count vertices; indexed: indices,
/// and vertexOffset is added to each index by the shader.
struct DrawRange {
  uint32_t firstVertex = 0; ///< first index of an indexed draw
  uint32_t vertexCount = 0;
  int32_t vertexOffset = 0; ///< user data BaseVertex: this for indexed draws, firstVertex otherwise
  uint32_t firstInstance = 0;
  uint32_t instanceCount = 1;
  uint32_t drawIndex = 0;
};

//===--- Shading rates -----------------------------------------------------===//

/// log2 of the size of fragments, in pixels.
struct FragmentSize {
  uint8_t log2Width = 0, log2Height = 0;
  bool operator==(const FragmentSize &) const = default;
};

/// VkFragmentShadingRateCombinerOpKHR. Multiply is strict: 1 x 1 is 1.
enum class RateCombiner : uint8_t { Keep, Replace, Min, Max, Multiply };

/// Vulkan "Fragment Shading Rates". The rates of primitives come from the program, those of tiles
/// from RenderTargets::shadingRate. gfx10.3 and later.
struct ShadingRateState {
  FragmentSize pipeline; ///< up to 4 x 4; what comes out of the combiners is at most 2 x 2
  RateCombiner primitive = RateCombiner::Keep;  ///< of the pipeline's rate and the primitive's
  RateCombiner attachment = RateCombiner::Keep; ///< of what that gives and the tile's
  /// The API wants fragments of one pixel, though the program does not tell (sample shading of a
  /// pixel with one sample, positions of samples that a driver does not combine with rates).
  bool onePixel = false;
};

/// Pixels along each side of what a texel of RenderTargets::shadingRate is the rate of.
inline constexpr uint32_t rateTilePixels = 8;

//===--- Raster ------------------------------------------------------------===//

struct Viewport {
  float x = 0, y = 0, width = 0, height = 0; ///< height may be negative
  float minDepth = 0, maxDepth = 1;
};

/// Relative to the pixel's top left corner, 0 .. 1.
using SamplePositions = std::array<std::array<float, 2>, maxSamples>;

/// VkPolygonMode.
enum class PolygonMode : uint8_t { Fill, Line, Point };
/// VkDepthBiasRepresentationEXT: what the constant of a depth bias is a multiple of. Format: the
/// least difference that the format resolves, for floats at the polygon's depth; Unorm: for floats
/// that at depths from 0.5 to 1.
enum class DepthBiasUnit : uint8_t { Format, Unorm, One };
/// VkLineRasterizationModeEXT; Default is Rectangular (VkPhysicalDeviceLimits::strictLines).
enum class LineMode : uint8_t { Default, Rectangular, Bresenham, RectangularSmooth };

/// Parts of the picture where nothing is drawn, or that alone something is drawn in.
/// PA_SC_CLIPRECT_*: four, and a rule which of them a pixel must be in.
struct DiscardRectangles {
  static constexpr unsigned max = 4;
  bool enable = false;
  bool exclusive = false; ///< nothing is drawn inside any; else nothing is drawn outside all
  uint8_t count = max;    ///< none: everything is drawn
  std::array<Rect, max> rects = {};
};

struct RasterState {
  std::array<Viewport, maxViewports> viewports = {};
  std::array<Rect, maxViewports> scissors = {};
  Rect renderArea;               ///< nothing outside is written
  bool negativeOneToOne = false; ///< clip space z is -w .. w
  bool rasterizerDiscard = false;
  bool depthClipEnable = true;   ///< clip at z = 0 and z = w
  bool depthClampEnable = false; ///< clamp depth to the viewport's range before the test
  /// Instead of the viewport's range: from the first number to the second.
  std::optional<std::array<float, 2>> depthClampRange;
  bool depthZeroToOne = false; ///< behind that, clamp to 0 .. 1
  DiscardRectangles discardRectangles;
  bool cullFront = false, cullBack = false;
  bool frontClockwise = false; ///< VK_FRONT_FACE_CLOCKWISE
  PolygonMode polygonMode = PolygonMode::Fill;
  bool depthBiasEnable = false;
  float depthBiasConstant = 0, depthBiasClamp = 0, depthBiasSlope = 0;
  DepthBiasUnit depthBiasUnit = DepthBiasUnit::Format;
  float lineWidth = 1;
  LineMode lineMode = LineMode::Default;
  bool stippleEnable = false;
  uint32_t stippleFactor = 1; ///< 1..256
  uint16_t stipplePattern = 0xFFFF;
  bool provokingVertexLast = false;
  bool conservativeOverestimate = false;

  uint32_t samples = 1;
  /// Invocations a pixel where the program shades by sample (DB_EQAA.PS_ITER_SAMPLES); number i
  /// shades the samples i, i + shaderSamples, ... 0: one for each sample.
  uint32_t shaderSamples = 0;
  uint32_t sampleMask = 0xFFFF;
  SamplePositions samplePositions = {}; ///< set by standardSamplePositions() or the API
  bool alphaToCoverage = false, alphaToOne = false;
  ShadingRateState shadingRate;
};

/// The standard positions (Vulkan "Standard sample locations") of 1, 2, 4, 8 or 16 samples.
SamplePositions standardSamplePositions(uint32_t samples);

//===--- Depth, stencil, colour -------------------------------------------===//

/// VkCompareOp.
enum class CompareOp : uint8_t {
  Never,
  Less,
  Equal,
  LessOrEqual,
  Greater,
  NotEqual,
  GreaterOrEqual,
  Always
};
/// VkStencilOp.
enum class StencilOp : uint8_t {
  Keep,
  Zero,
  Replace,
  IncrementClamp,
  DecrementClamp,
  Invert,
  IncrementWrap,
  DecrementWrap
};

struct StencilFace {
  StencilOp fail = StencilOp::Keep, pass = StencilOp::Keep, depthFail = StencilOp::Keep;
  CompareOp compare = CompareOp::Always;
  uint8_t compareMask = 0xFF, writeMask = 0xFF, reference = 0;
};

struct DepthStencilState {
  bool depthTest = false, depthWrite = false;
  CompareOp depthCompare = CompareOp::Always;
  bool depthBounds = false;
  float minDepthBounds = 0, maxDepthBounds = 1;
  bool stencilTest = false;
  StencilFace front, back;
};

/// VkBlendFactor.
enum class BlendFactor : uint8_t {
  Zero,
  One,
  SrcColor,
  OneMinusSrcColor,
  DstColor,
  OneMinusDstColor,
  SrcAlpha,
  OneMinusSrcAlpha,
  DstAlpha,
  OneMinusDstAlpha,
  ConstantColor,
  OneMinusConstantColor,
  ConstantAlpha,
  OneMinusConstantAlpha,
  SrcAlphaSaturate,
  Src1Color,
  OneMinusSrc1Color,
  Src1Alpha,
  OneMinusSrc1Alpha
};
/// VkBlendOp (the core five).
enum class BlendOp : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
/// VkLogicOp.
enum class LogicOp : uint8_t {
  Clear,
  And,
  AndReverse,
  Copy,
  AndInverted,
  NoOp,
  Xor,
  Or,
  Nor,
  Equivalent,
  Invert,
  OrReverse,
  CopyInverted,
  OrInverted,
  Nand,
  Set
};

struct ColorTargetState {
  uint8_t writeMask = 0xF; ///< bits r, g, b, a
  bool blendEnable = false;
  BlendFactor srcColor = BlendFactor::One, dstColor = BlendFactor::Zero;
  BlendOp colorOp = BlendOp::Add;
  BlendFactor srcAlpha = BlendFactor::One, dstAlpha = BlendFactor::Zero;
  BlendOp alphaOp = BlendOp::Add;

  bool operator==(const ColorTargetState &) const = default;
};

struct BlendState {
  std::array<ColorTargetState, maxColorTargets> targets = {};
  std::array<float, 4> constants = {0, 0, 0, 0};
  bool logicOpEnable = false;
  LogicOp logicOp = LogicOp::Copy;
};

struct RenderTargets {
  std::array<Surface, maxColorTargets> colors;
  Surface depth, stencil;
  /// Shaders may read depth or stencil, as it was before their own fragment: tests stand behind
  /// them, unless they ask for early ones.
  bool depthIsRead = false;
  /// X8_Uint: log2 of the height in bits 1:0, of the width in bits 3:2. A slice serves all layers;
  /// several, each its own. Where there is no texel the rate is one pixel.
  Surface shadingRate;
};

//===--- Transform feedback -----------------------------------------------===//

inline constexpr unsigned streamOutBuffers = 4, vertexStreams = 4;

/// Buffers that vertices are captured to, and how far they are filled. Draws go on where the ones
/// before have ended.
struct StreamOut {
  struct Buffer {
    GpuAddress address = 0; ///< 0: none
    uint64_t bytes = 0;
    uint32_t start = 0;   ///< dwords: where capturing has begun
    uint32_t written = 0; ///< dwords from there on
  };
  std::array<Buffer, streamOutBuffers> buffers;
};

//===--- Queries -----------------------------------------------------------===//

/// VkQueryPipelineStatisticFlagBits, in their order, then what other queries count.
struct DrawStatistics {
  uint64_t inputVertices = 0, inputPrimitives = 0, vertexInvocations = 0;
  uint64_t geometryInvocations = 0, geometryPrimitives = 0;
  uint64_t clippingInvocations = 0, clippingPrimitives = 0, fragmentInvocations = 0;
  uint64_t tessControlPatches = 0, tessEvaluationInvocations = 0, computeInvocations = 0;
  uint64_t taskInvocations = 0, meshInvocations = 0;
  uint64_t meshPrimitives = 0; ///< without those that the mesh shader culls
  uint64_t samplesPassed = 0;
  /// By vertex stream: primitives that were counted, captured or not; those of them that would be
  /// captured had the buffers room, and that were.
  std::array<uint64_t, vertexStreams> primitivesGenerated = {};
  std::array<uint64_t, vertexStreams> primitivesNeeded = {}, primitivesWritten = {};
};

//===--- The draw ----------------------------------------------------------===//

struct DrawInfo {
  const Program *program = nullptr;
  /// API user-data entries by dword index; see DispatchInfo.
  llvm::ArrayRef<uint32_t> userData = {};
  /// V# of each vertex buffer by slot (the slot is the binding); 0: no table. In
  /// Heap::DescriptorTables.
  GpuAddress vertexBufferTable = 0;
  GpuAddress borderColors = 0;
  InputAssembly input;
  DrawRange range;
  /// Workgroups of the task shader, without one of the mesh shader, of programs that have these;
  /// `input` and all of `range` but the draw's index mean nothing then.
  std::array<uint32_t, 3> groups = {1, 1, 1};
  /// Bit per view: the draw runs once for each, with user data ViewId; 0: once, no multiview. The
  /// layer of a view is in the positions that the shader exports.
  uint32_t viewMask = 0;
  /// Transform feedback; null: it is not active.
  StreamOut *streamOut = nullptr;
  RasterState raster;
  DepthStencilState depthStencil;
  BlendState blend;
  RenderTargets targets;
  /// User data CompositeData and SampleInfo: values of dynamic state, as the compiler documents.
  uint32_t compositeData = 0, sampleInfo = 0;
  /// Added to as the draw goes on; null: nobody counts.
  DrawStatistics *statistics = nullptr;
};

} // namespace pal::device
