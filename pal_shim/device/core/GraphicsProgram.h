//===- GraphicsProgram.h - what metadata says of a graphics program --------===//
// SPDX-License-Identifier: MIT
/// \file
/// The registers of `.graphics_registers` that the fixed function acts on, decoded once when a
/// program is loaded. Absent keys are 0, as PAL programs them. Meanings: Abi.def, docs/hw-notes.md.
#pragma once

#include "pal_shim/abi/Metadata.h"
#include "pal_shim/device/core/ProgramData.h"
#include <array>
#include <memory>
#include <optional>

namespace pal::device {

/// SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT.
enum class ExportFormat : uint8_t {
  Zero = 0,
  R32 = 1,
  GR32 = 2,
  AR32 = 3,
  Fp16 = 4,
  Unorm16 = 5,
  Snorm16 = 6,
  Uint16 = 7,
  Sint16 = 8,
  Abgr32 = 9
};

/// SPI_PS_INPUT_CNTL_n: where attribute n of the interpolation instructions comes from.
struct AttributeControl {
  uint8_t offset = 0; ///< attribute of the vertex side; bit 5: the default value
  uint8_t defaultValue = 0;
  bool flat = false, rotate = false, isPointCoord = false, isPrimitive = false;
  bool fp16 = false; ///< two halves
  bool attr0Valid = false, attr1Valid = false;
};

/// SPI_INTERP_CONTROL.PNT_SPRITE_OVRD_*: what a component of the point coordinate is.
enum class PointSprite : uint8_t { Zero, One, S, T, None };

/// What the sample coverage register holds (`.aa_coverage_to_shader_select`).
enum class CoverageInput : uint8_t { Covered, InnerCovered, DepthCovered, Raw };

struct FragmentRegisters {
  uint32_t inputEna = 0, inputAddr = 0; ///< SPI_PS_INPUT_ENA, _ADDR
  std::array<AttributeControl, 32> attributes = {};
  unsigned attributeCount = 0;          ///< SPI_PS_IN_CONTROL.NUM_INTERP
  unsigned primitiveAttributeCount = 0; ///< gfx10: NUM_PRIM_INTERP, behind the others
  bool pointSpriteEnable = false;       ///< SPI_INTERP_CONTROL
  std::array<PointSprite, 4> pointSprite = {};
  bool loadProvokingVertex = false; ///< `.ps_load_provoking_vtx`: an SGPR with two bits a quad
  bool loadCollisionWave = false;   ///< PA_SC_SHADER_CONTROL.LOAD_COLLISION_WAVEID (gfx10)
  std::array<ExportFormat, 8> colorFormats = {}; ///< of mrt0.., compacted
  ExportFormat depthFormat = ExportFormat::Zero;
  uint32_t colorMask = 0;   ///< CB_SHADER_MASK: four bits a colour target
  bool dummyExport = false; ///< `.ps_dummy_export`: colours are not written
  // DB_SHADER_CONTROL
  uint8_t zOrder = 0; ///< 0 late, 1 early then late, 2 re-z, 3 early then re-z
  bool killEnable = false, zExport = false, stencilExport = false, maskExport = false;
  bool execOnNoop = false, execOnHierFail = false, depthBeforeShader = false;
  bool alphaToMaskDisable = false;
  uint8_t conservativeZ = 0; ///< 0 any, 1 less, 2 greater
  bool preShaderDepthCoverage = false;
  bool primitiveOrdered = false;
  CoverageInput coverageInput = CoverageInput::Covered;
  // SPI_BARYC_CNTL, PA_SC_MODE_CNTL_1, SPI_PS_IN_CONTROL
  uint8_t posFloatLocation = 0; ///< 0 centre, 1 centroid, 2 sample
  bool posFloatUlc = false;     ///< position at the upper left corner
  bool perSample = false;       ///< PS_ITER_SAMPLE: RasterState::shaderSamples invocations a pixel
};

struct VertexRegisters {
  unsigned attributeCount = 0; ///< parameters that the last geometry stage exports
  unsigned primitiveAttributeCount = 0;
  uint8_t clipMask = 0, cullMask = 0; ///< PA_CL_VS_OUT_CNTL.CLIP_DIST_ENA_n, CULL_DIST_ENA_n
  bool hasPointSize = false, hasLayer = false, hasViewport = false, hasRate = false;
  bool bypassVertexRate = false, bypassPrimitiveRate = false; ///< *_RATE_COMBINER
  bool hasMiscVector = false, hasDistances0 = false, hasDistances1 = false;
  bool isPassthrough = false; ///< NGG
  bool primitiveIdEnable = false;
  bool provokingReuseDisabled = false;
};

/// VGT_SHADER_STAGES_EN and the registers of merged geometry stages.
struct GeometryRegisters {
  bool isGeometryShader = false; ///< gs_stage_en: primitives go through an API geometry shader
  bool isNgg = false;            ///< primgen_en
  unsigned groupVertices = 0, groupPrimitives = 0, groupInstancePrimitives = 0; ///< a subgroup's
  unsigned invocations = 1;                                                     ///< of a primitive
  bool invocationPerGroup = false; ///< every invocation gets a subgroup of its own
  unsigned maxVertices = 0;        ///< that an invocation emits
  unsigned verticesOut = 3;        ///< of a primitive that leaves: 1 point, 2 line, 3 triangle
  uint32_t vertexItemDwords = 0;   ///< VGT_ESGS_RING_ITEMSIZE
  uint32_t ringItemDwords = 0;     ///< VGT_GSVS_RING_ITEMSIZE: all vertices of an invocation
  /// VGT_GSVS_RING_OFFSET: where the vertices of each stream begin among them
  std::array<uint32_t, 4> ringStreamDwords = {};
  std::array<uint32_t, 4> ringVertexDwords = {}; ///< VGT_GS_VERT_ITEMSIZE, by stream
  unsigned lanesPerPrimitive = 1;                ///< NGG: PRIM_AMP_FACTOR
  unsigned maxGroupVerticesOut = 0;              ///< NGG: that a subgroup may allocate
  /// Highest vertex and geometry register that is loaded, in the hardware's counting.
  unsigned vertexInputs = 0, geometryInputs = 0;
};

/// GS_FAST_LAUNCH and the registers of mesh shaders.
struct MeshRegisters {
  unsigned fastLaunch = 0;   ///< 0: no mesh shader; 2: gfx11's name of the mode, 1: of the others
  bool hasPayload = false;   ///< VGT_DRAW_PRIM_PAYLOAD_EN: primitives have a second word
  bool hasWaveId = false;    ///< NGG_WAVE_ID_EN: the group's ordered id is loaded
  uint32_t scratchBytes = 0; ///< of an ordered id
  // gfx11 and later: SPI_SHADER_GS_MESHLET_DIM, _EXP_ALLOC
  std::array<uint64_t, 3> threads = {1, 1, 1};
  uint64_t groupThreads = 1;
  unsigned exportedVertices = 0, exportedPrimitives = 0;
};

/// VGT_STRMOUT_*, SPI_SHADER_PGM_RSRC2_VS.SO_*: transform feedback.
struct StreamOutRegisters {
  std::array<uint32_t, 4> strides = {}; ///< dwords of a vertex in each buffer; 0: not used
  // gfx10, without NGG:
  bool isEnabled = false; ///< the hardware VS has its words
  uint8_t offsetsEnabled = 0;
  std::array<uint8_t, 4> buffersOfStream = {}; ///< bit per buffer
  unsigned rasterStream = 0;
  uint8_t enabledStreams = 0; ///< bits: STREAMOUT_n_EN, whose primitives count
};

/// VGT_TF_PARAM, VGT_HOS_*, VGT_LS_HS_CONFIG as they are; modeOf() (HullWave.h) says what they
/// mean.
struct HullRegisters {
  uint32_t domain = 0, partitioning = 0, topology = 0;
  uint32_t minLevel = 0, maxLevel = 0;
  /// Of a group, and control points of a patch; no input vertices: each draw says how many.
  unsigned patches = 0, inputVertices = 0, outputVertices = 0;
  unsigned vertexInputs = 0;    ///< LS_VGPR_COMP_CNT
  bool loadsWaveNumber = false; ///< gfx11 and later: `.hs_tg_size_en`
};

/// A hardware stage of a graphics program: decoded code and launch state.
struct GraphicsStage {
  ProgramData data;
  abi::HardwareStageInfo info;
};

struct GraphicsProgram {
  std::array<std::unique_ptr<GraphicsStage>, abi::hardwareStageCount> stages;
  VertexRegisters vertex;
  HullRegisters hull;
  StreamOutRegisters streamOut;
  GeometryRegisters geometry;
  MeshRegisters mesh;
  FragmentRegisters fragment;
  /// All of it, for what is asked once.
  abi::PipelineMetadata metadata;

  const GraphicsStage *stage(abi::HardwareStage which) const {
    return stages[unsigned(which)].get();
  }
};

} // namespace pal::device
