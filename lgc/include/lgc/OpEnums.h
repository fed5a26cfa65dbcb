//===- OpEnums.h - constants that lgc operations take as operands ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Interface.h"
#include <cstdint>

namespace lgc {

enum class DescKind : uint32_t { Image, Sampler, TexelBuffer, AccelerationStructure };

/// What ray.query.get asks for: of a candidate or of the committed intersection, from Origin on of
/// the query.
enum class RayQueryValue : uint32_t {
  Type,            ///< i32, as SPIR-V counts them
  T,               ///< float
  CustomIndex,     ///< i32
  Instance,        ///< i32
  SbtOffset,       ///< i32
  Geometry,        ///< i32
  Primitive,       ///< i32
  Barycentrics,    ///< <2 x float>
  FrontFace,       ///< i1
  ObjectDirection, ///< <3 x float>
  ObjectOrigin,    ///< <3 x float>
  ObjectToWorld,   ///< [4 x <3 x float>]: columns
  WorldToObject,   ///< [4 x <3 x float>]
  Positions,       ///< [3 x <3 x float>]
  CandidateOpaque, ///< i1: a candidate's, whatever is asked for
  Origin,          ///< <3 x float>
  Direction,       ///< <3 x float>
  TMin,            ///< float
  Flags,           ///< i32
  Count
};

/// What ray.value asks for.
enum class RayValue : uint32_t {
  LaunchId,        ///< <3 x i32>
  LaunchSize,      ///< <3 x i32>
  Origin,          ///< <3 x float>
  Direction,       ///< <3 x float>
  ObjectOrigin,    ///< <3 x float>
  ObjectDirection, ///< <3 x float>
  TMin,            ///< float
  TMax,            ///< float
  CustomIndex,     ///< i32
  Instance,        ///< i32
  Primitive,       ///< i32
  Geometry,        ///< i32
  ObjectToWorld,   ///< <3 x float>: column `element`
  WorldToObject,   ///< <3 x float>: column `element`
  HitKind,         ///< i32
  Positions,       ///< <3 x float>: vertex `element`
  Flags,           ///< i32
  CullMask,        ///< i32
  Count
};

/// How an any-hit shader ends, where it does not return.
enum class RayEnd : uint32_t { None, Ignore, Terminate };

/// Bits of the `flags` operand of buffer.ptr and load.desc.
namespace ResourceFlags {
enum : uint32_t {
  NonUniform = 1,   ///< the index may differ between the lanes of a wave (NonUniform decoration)
  UniformBlock = 2, ///< a uniform buffer; otherwise a storage buffer (they may share a binding)
  ReadOnly = 4,     ///< nothing in the shader writes through this handle
  StorageImage = 8, ///< load.desc Image / TexelBuffer: used as a storage image
  PlaneShift = 8,   ///< load.desc Image: bits 9:8, plane of a multi-planar binding (lgc/Ycbcr.h)
  PlaneMask = 3 << PlaneShift,
};
} // namespace ResourceFlags

enum class ImageDim : uint32_t {
  Dim1D,
  Dim2D,
  Dim3D,
  Cube,
  Dim1DArray,
  Dim2DArray,
  CubeArray,
  Dim2DMs,
  Dim2DMsArray,
  Buffer
};

/// Bits of the `flags` operand of image operations.
namespace ImageFlags {
enum : uint32_t {
  Coherent = 1, ///< visible to other workgroups of the device (Coherent, MakeTexel*)
  Volatile = 2,
  NonTemporal = 4,
  Sparse = 8, ///< also return a residency code
};
} // namespace ImageFlags

enum class AtomicKind : uint32_t {
  Exchange,
  CompareExchange,
  Add,
  Sub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  FAdd,
  FMin,
  FMax
};

enum class GroupArith : uint32_t {
  IAdd,
  FAdd,
  IMul,
  FMul,
  SMin,
  UMin,
  FMin,
  SMax,
  UMax,
  FMax,
  And,
  Or,
  Xor
};
enum class GroupScan : uint32_t { Reduce, Inclusive, Exclusive };

enum class ExecScope : uint32_t { Subgroup, Workgroup, Device, QueueFamily };

enum class DerivativeKind : uint32_t { Dx, Dy, DxFine, DyFine, DxCoarse, DyCoarse };

/// Bits of dot.product's first operand.
namespace DotFlags {
enum : uint32_t { SignedA = 1, SignedB = 2, Saturate = 4 };
} // namespace DotFlags

/// Bits of matrix.muladd's first operand. Those of integers have the numbers of SPIR-V's
/// CooperativeMatrixOperands. Bytes with a sum of floats are E4M3 or E5M2 (lgc/SmallFloats.h).
namespace MatrixFlags {
enum : uint32_t {
  SignedA = 1,
  SignedB = 2,
  SignedC = 4,
  SignedResult = 8,
  Saturate = 16,
  Spirv = 31, ///< all of the above
  E5M2A = 32,
  E5M2B = 64,
};
} // namespace MatrixFlags

/// Operand of lgc.builtin. Result shapes in the comments.
enum class BuiltIn : uint32_t {
  WorkgroupId,               ///< <3 x i32>
  NumWorkgroups,             ///< <3 x i32>
  LocalInvocationId,         ///< <3 x i32>
  LocalInvocationIndex,      ///< i32
  GlobalInvocationId,        ///< <3 x i32>
  SubgroupId,                ///< i32
  NumSubgroups,              ///< i32
  SubgroupSize,              ///< i32
  SubgroupLocalInvocationId, ///< i32
  SubgroupEqMask,            ///< <4 x i32>, likewise the next four
  SubgroupGeMask,
  SubgroupGtMask,
  SubgroupLeMask,
  SubgroupLtMask,
  DeviceIndex, ///< i32
  // Made by lgc-lower-builtins for lgc-lower-entry-point only:
  HwLocalId, ///< <3 x i32>: the id as the hardware counts lanes
  // Graphics stages. What one stage hands to the next (Position, PrimitiveId, Layer, ...) is not
  // here but a slot (Interface.h).
  VertexIndex,      ///< i32
  InstanceIndex,    ///< i32
  BaseVertex,       ///< i32
  BaseInstance,     ///< i32
  DrawIndex,        ///< i32; task and mesh shaders too
  ViewIndex,        ///< i32
  PatchVertices,    ///< i32, PatchVerticesIn
  TessCoord,        ///< <3 x float>
  InvocationId,     ///< i32, tessellation control and geometry
  InputPrimitiveId, ///< i32: PrimitiveId as input of TCS, TES and GS
  FragCoord,        ///< <4 x float>
  PointCoord,       ///< <2 x float>
  FrontFacing,      ///< i1
  SampleId,         ///< i32
  SamplePosition,   ///< <2 x float>
  SampleMaskIn,     ///< i32
  HelperInvocation, ///< i1 at the start of the shader; lgc.is.helper changes with demote
  BaryCoord,        ///< <3 x float>
  BaryCoordNoPersp, ///< <3 x float>
  FragShadingRate,  ///< i32, ShadingRateKHR
  FullyCovered,     ///< i1
  Count
};

} // namespace lgc
