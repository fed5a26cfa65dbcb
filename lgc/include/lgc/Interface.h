//===- Interface.h - slots of shader inputs and outputs, hardware values --===//
// SPDX-License-Identifier: MIT
/// \file
/// The numbers that the operations of shader interfaces take as operands (Ops.def, "Interfaces
/// between stages"). One slot is one location: up to four components of 32 bits; a 16-bit value
/// takes one component, a 64-bit value is two components (the front end splits it into dwords).
#pragma once

#include <cstdint>

namespace lgc {

/// The `slot` operand. User locations and built-ins share one number space, so that linking treats
/// them alike. What a slot means depends on the stage and on whether it is an input or an output.
/// Front ends write SPIR-V's locations. lgc-link-interface renumbers Generic and Primitive slots
/// between the last vertex stage and the fragment shader when both are in the module: from 0,
/// without gaps but for arrays that are indexed, and with components of several locations in one
/// slot; Generic + n is attribute n then. All other interfaces, and those of parts of a pipeline,
/// keep locations.
namespace Slot {
enum : uint32_t {
  Generic = 0, ///< + location (of vertices; of a fragment shader's colour outputs)
  GenericEnd = 0x80,
  ColorIndex1 = 0x80, ///< + location: fragment output with Index 1 (dual-source blending)
  Primitive = 0x100,  ///< + location: PerPrimitiveEXT
  PrimitiveEnd = 0x180,
  Patch = 0x180, ///< + location: Patch
  PatchEnd = 0x200,
  // Built-ins
  Position = 0x200, ///< 4 x float
  PointSize,        ///< float
  ClipDistance,     ///< 4 x float; [4..7] are in the next slot
  ClipDistance1,
  CullDistance, ///< likewise
  CullDistance1,
  Layer,            ///< i32
  ViewportIndex,    ///< i32
  PrimitiveId,      ///< i32
  ShadingRate,      ///< i32, PrimitiveShadingRateKHR
  TessLevelOuter,   ///< 4 x float
  TessLevelInner,   ///< 2 x float
  CullPrimitive,    ///< i1 as i32, mesh shaders
  PrimitiveIndices, ///< 1..3 x i32, mesh shaders
  FragDepth,        ///< float
  FragStencilRef,   ///< i32
  SampleMask,       ///< i32, fragment output
  End
};
} // namespace Slot

/// The slot operand of an access with an `element` that is no constant also says how many slots
/// the array has, so that passes know what the access may reach: slot | (slots - 1) << 16. An
/// access with a constant element is of one slot, whatever the operand says.
constexpr uint32_t slotOperand(uint32_t slot, uint32_t slots = 1) {
  return slot | (slots - 1) << 16;
}
constexpr uint32_t slotNumber(uint32_t operand) { return operand & 0xFFFF; }
constexpr uint32_t slotsReached(uint32_t operand) { return (operand >> 16) + 1; }

/// How a fragment shader interpolates: the mode operand of lgc.barycentric.
enum class BaryMode : uint32_t {
  Center,
  Centroid,
  Sample,   ///< at the sample that the invocation shades
  AtOffset, ///< argument <2 x float>: pixels from the centre
  AtSample, ///< argument i32: sample number
};

/// Values that the hardware puts into registers before a shader starts; facts in docs/hw-notes.md.
/// SGPRs of merged stages, then of others, then VGPRs.
///   LGC_HW_VALUE(name, type)   type: i32, f32, v2f32, v3f32
#define LGC_HW_VALUES(X)                                                                           \
  /* HS and GS (merged stages) */                                                                  \
  X(MergedWaveInfo, i32)  /* thread counts of the halves */                                        \
  X(MergedGroupInfo, i32) /* NGG: ordered id, vertices, primitives of the subgroup */              \
  X(OffChipLdsBase, i32)                                                                           \
  X(TfBufferBase, i32)   /* HS */                                                                  \
  X(WaveIdInGroup, i32)  /* HS gfx11+ */                                                           \
  X(GsVsOffset, i32)     /* legacy GS */                                                           \
  X(AttribRingBase, i32) /* GS gfx11+, bits 14:0 in units of 512 bytes */                          \
  /* legacy VS */                                                                                  \
  X(StreamOutInfo, i32)                                                                            \
  X(StreamOutWriteIndex, i32)                                                                      \
  X(StreamOutOffset0, i32)                                                                         \
  X(StreamOutOffset1, i32)                                                                         \
  X(StreamOutOffset2, i32)                                                                         \
  X(StreamOutOffset3, i32)                                                                         \
  /* PS */                                                                                         \
  X(PrimMask, i32)                                                                                 \
  X(CollisionWaveId, i32) /* gfx10 fragment interlock */                                           \
  X(ProvokingVtxInfo, i32)                                                                         \
  /* task shader (CS) and mesh (GS): workgroup ids come through lgc.builtin */                     \
  /* VGPRs: vertex half */                                                                         \
  X(VertexId, i32)                                                                                 \
  X(RelVertexId, i32)                                                                              \
  X(InstanceId, i32)                                                                               \
  X(VsPrimitiveId, i32) /* the vertex half's own primitive id */                                   \
  X(TessCoordX, f32)                                                                               \
  X(TessCoordY, f32)                                                                               \
  X(TessRelPatchId, i32)                                                                           \
  X(TessPatchId, i32)                                                                              \
  /* VGPRs: HS half */                                                                             \
  X(HsPatchId, i32)                                                                                \
  X(HsRelPatchId, i32) /* [7:0] relative patch id, [12:8] control point */                         \
  /* VGPRs: GS half */                                                                             \
  X(GsVertexOffsets01, i32) /* gfx10/11; NGG pass-through: primitive word. gfx12: connectivity */  \
  X(GsVertexOffsets23, i32) /* gfx10/11; gfx12: adjacency connectivity (GsVertexOffsets45 too) */  \
  X(GsVertexOffsets45, i32)                                                                        \
  X(GsPrimitiveId, i32)                                                                            \
  X(GsInvocationId, i32) /* gfx10/11; gfx12: GsVertexOffsets01[31:27] */                           \
  /* VGPRs: PS, in the order of SPI_PS_INPUT_ADDR */                                               \
  X(PerspSample, v2f32)                                                                            \
  X(PerspCenter, v2f32)                                                                            \
  X(PerspCentroid, v2f32)                                                                          \
  X(PerspPullModel, v3f32)                                                                         \
  X(LinearSample, v2f32)                                                                           \
  X(LinearCenter, v2f32)                                                                           \
  X(LinearCentroid, v2f32)                                                                         \
  X(LineStipple, f32)                                                                              \
  X(PosX, f32)                                                                                     \
  X(PosY, f32)                                                                                     \
  X(PosZ, f32)                                                                                     \
  X(PosW, f32)                                                                                     \
  X(FrontFace, i32)                                                                                \
  X(Ancillary, i32)                                                                                \
  X(SampleCoverage, i32)                                                                           \
  X(PosFixedPt, i32)

/// Operand of lgc.hw.value.
enum class HwValue : uint32_t {
#define LGC_HW_VALUE(name, type) name,
  LGC_HW_VALUES(LGC_HW_VALUE)
#undef LGC_HW_VALUE
      Count
};
/// "PerspCenter"; empty for numbers out of range.
const char *hwValueName(HwValue value);

/// Dword offsets in PAL's global table, for lgc.driver.table: 4 dwords each.
namespace DriverTable {
enum : uint32_t {
  GsVsWrite0 = 16, ///< + 4 x stream
  GsVsRead = 32,
  TessFactor = 36,
  OffChipLds = 40,
  AttributeRing = 44,
  SamplePositions = 48,
  TaskPayloadRing = 52,
  TaskDrawData = 56,
  MeshScratch = 60,
};
} // namespace DriverTable

} // namespace lgc
