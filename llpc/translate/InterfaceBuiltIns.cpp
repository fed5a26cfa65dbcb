//===- InterfaceBuiltIns.cpp - built-in variables of all stages -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// One row per built-in, direction and source. Which stages have it: the Vulkan specification's
/// "Built-In Variables".
#include "llpc/translate/Interface.h"

using namespace llvm;

namespace llpc {

namespace {

using B = spv::BuiltIn;
using Source = BuiltInRow::Source;
using Scalar = BuiltInRow::Scalar;
namespace Slot = lgc::Slot;

constexpr uint16_t bit(lgc::ShaderStage stage) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(stage));
}
constexpr uint16_t task = bit(lgc::ShaderStage::Task), vertex = bit(lgc::ShaderStage::Vertex),
                   control = bit(lgc::ShaderStage::TessControl),
                   evaluation = bit(lgc::ShaderStage::TessEval),
                   geometry = bit(lgc::ShaderStage::Geometry), mesh = bit(lgc::ShaderStage::Mesh),
                   fragment = bit(lgc::ShaderStage::Fragment),
                   compute = bit(lgc::ShaderStage::Compute);
constexpr uint16_t rayGeneration = bit(lgc::ShaderStage::RayGen),
                   intersection = bit(lgc::ShaderStage::Intersect),
                   anyHit = bit(lgc::ShaderStage::AnyHit),
                   closestHit = bit(lgc::ShaderStage::ClosestHit),
                   miss = bit(lgc::ShaderStage::Miss), callable = bit(lgc::ShaderStage::Callable);
constexpr uint16_t hits = anyHit | closestHit, primitives = hits | intersection,
                   rays = primitives | miss, rayStages = rays | rayGeneration | callable;
constexpr uint16_t workgroups = task | mesh | compute;
constexpr uint16_t arrayedInputs = control | evaluation | geometry;
constexpr uint16_t all = workgroups | arrayedInputs | vertex | fragment | rayStages;
constexpr uint16_t positions = vertex | arrayedInputs | mesh;
constexpr uint16_t lastStages = vertex | evaluation | geometry | mesh;

constexpr BuiltInRow input(B spirv, uint16_t stages, lgc::BuiltIn number, Scalar scalar,
                           uint8_t components = 1, uint8_t compact = 0) {
  return {spirv,  false,      stages, Source::Operation, static_cast<uint32_t>(number),
          scalar, components, compact};
}
constexpr BuiltInRow inputSlot(B spirv, uint16_t stages, uint32_t slot, Scalar scalar,
                               uint8_t components = 1, uint8_t compact = 0) {
  return {spirv, false, stages, Source::Slot, slot, scalar, components, compact};
}
constexpr BuiltInRow output(B spirv, uint16_t stages, uint32_t slot, Scalar scalar,
                            uint8_t components = 1, uint8_t compact = 0) {
  return {spirv, true, stages, Source::Slot, slot, scalar, components, compact};
}

constexpr BuiltInRow weights(B spirv, lgc::BaryMode mode, bool linear) {
  return {spirv,         false, fragment, Source::Weights, static_cast<uint32_t>(mode) * 2 + linear,
          Scalar::Float, 2};
}

constexpr BuiltInRow ray(B spirv, uint16_t stages, lgc::RayValue value, Scalar scalar,
                         uint8_t components = 1, uint8_t vectors = 1) {
  return {spirv,  false,      stages, Source::Ray, static_cast<uint32_t>(value),
          scalar, components, 0,      vectors};
}

constexpr BuiltInRow table[] = {
    // Workgroups and subgroups
    input(B::WorkgroupId, workgroups, lgc::BuiltIn::WorkgroupId, Scalar::Int, 3),
    input(B::NumWorkgroups, workgroups, lgc::BuiltIn::NumWorkgroups, Scalar::Int, 3),
    input(B::LocalInvocationId, workgroups, lgc::BuiltIn::LocalInvocationId, Scalar::Int, 3),
    input(B::LocalInvocationIndex, workgroups, lgc::BuiltIn::LocalInvocationIndex, Scalar::Int),
    input(B::GlobalInvocationId, workgroups, lgc::BuiltIn::GlobalInvocationId, Scalar::Int, 3),
    {B::WorkgroupSize, false, workgroups, Source::GroupSize, 0, Scalar::Int, 3},
    input(B::SubgroupId, workgroups, lgc::BuiltIn::SubgroupId, Scalar::Int),
    input(B::NumSubgroups, workgroups, lgc::BuiltIn::NumSubgroups, Scalar::Int),
    input(B::SubgroupSize, all, lgc::BuiltIn::SubgroupSize, Scalar::Int),
    input(B::SubgroupLocalInvocationId, all, lgc::BuiltIn::SubgroupLocalInvocationId, Scalar::Int),
    input(B::SubgroupEqMask, all, lgc::BuiltIn::SubgroupEqMask, Scalar::Int, 4),
    input(B::SubgroupGeMask, all, lgc::BuiltIn::SubgroupGeMask, Scalar::Int, 4),
    input(B::SubgroupGtMask, all, lgc::BuiltIn::SubgroupGtMask, Scalar::Int, 4),
    input(B::SubgroupLeMask, all, lgc::BuiltIn::SubgroupLeMask, Scalar::Int, 4),
    input(B::SubgroupLtMask, all, lgc::BuiltIn::SubgroupLtMask, Scalar::Int, 4),
    input(B::DeviceIndex, all, lgc::BuiltIn::DeviceIndex, Scalar::Int),
    // Draws
    input(B::VertexIndex, vertex, lgc::BuiltIn::VertexIndex, Scalar::Int),
    input(B::InstanceIndex, vertex, lgc::BuiltIn::InstanceIndex, Scalar::Int),
    input(B::BaseVertex, vertex, lgc::BuiltIn::BaseVertex, Scalar::Int),
    input(B::BaseInstance, vertex, lgc::BuiltIn::BaseInstance, Scalar::Int),
    input(B::DrawIndex, vertex | task | mesh, lgc::BuiltIn::DrawIndex, Scalar::Int),
    input(B::ViewIndex, vertex | arrayedInputs | task | mesh | fragment, lgc::BuiltIn::ViewIndex,
          Scalar::Int),
    // Vertices, from stage to stage
    inputSlot(B::Position, arrayedInputs, Slot::Position, Scalar::Float, 4),
    output(B::Position, positions, Slot::Position, Scalar::Float, 4),
    inputSlot(B::PointSize, arrayedInputs, Slot::PointSize, Scalar::Float),
    output(B::PointSize, positions, Slot::PointSize, Scalar::Float),
    inputSlot(B::ClipDistance, arrayedInputs | fragment, Slot::ClipDistance, Scalar::Float, 1, 8),
    output(B::ClipDistance, positions, Slot::ClipDistance, Scalar::Float, 1, 8),
    inputSlot(B::CullDistance, arrayedInputs | fragment, Slot::CullDistance, Scalar::Float, 1, 8),
    output(B::CullDistance, positions, Slot::CullDistance, Scalar::Float, 1, 8),
    inputSlot(B::Layer, fragment, Slot::Layer, Scalar::Int),
    output(B::Layer, lastStages, Slot::Layer, Scalar::Int),
    inputSlot(B::ViewportIndex, fragment, Slot::ViewportIndex, Scalar::Int),
    output(B::ViewportIndex, lastStages, Slot::ViewportIndex, Scalar::Int),
    input(B::PrimitiveId, arrayedInputs, lgc::BuiltIn::InputPrimitiveId, Scalar::Int),
    inputSlot(B::PrimitiveId, fragment, Slot::PrimitiveId, Scalar::Int),
    output(B::PrimitiveId, geometry | mesh, Slot::PrimitiveId, Scalar::Int),
    output(B::PrimitiveShadingRateKHR, lastStages, Slot::ShadingRate, Scalar::Int),
    // Tessellation and geometry
    input(B::InvocationId, control | geometry, lgc::BuiltIn::InvocationId, Scalar::Int),
    input(B::PatchVertices, control | evaluation, lgc::BuiltIn::PatchVertices, Scalar::Int),
    input(B::TessCoord, evaluation, lgc::BuiltIn::TessCoord, Scalar::Float, 3),
    output(B::TessLevelOuter, control, Slot::TessLevelOuter, Scalar::Float, 1, 4),
    inputSlot(B::TessLevelOuter, evaluation, Slot::TessLevelOuter, Scalar::Float, 1, 4),
    output(B::TessLevelInner, control, Slot::TessLevelInner, Scalar::Float, 1, 2),
    inputSlot(B::TessLevelInner, evaluation, Slot::TessLevelInner, Scalar::Float, 1, 2),
    // Mesh
    output(B::CullPrimitiveEXT, mesh, Slot::CullPrimitive, Scalar::Bool),
    output(B::PrimitivePointIndicesEXT, mesh, Slot::PrimitiveIndices, Scalar::Int, 1),
    output(B::PrimitiveLineIndicesEXT, mesh, Slot::PrimitiveIndices, Scalar::Int, 2),
    output(B::PrimitiveTriangleIndicesEXT, mesh, Slot::PrimitiveIndices, Scalar::Int, 3),
    // Fragment
    input(B::FragCoord, fragment, lgc::BuiltIn::FragCoord, Scalar::Float, 4),
    input(B::PointCoord, fragment, lgc::BuiltIn::PointCoord, Scalar::Float, 2),
    input(B::FrontFacing, fragment, lgc::BuiltIn::FrontFacing, Scalar::Bool),
    input(B::SampleId, fragment, lgc::BuiltIn::SampleId, Scalar::Int),
    input(B::SamplePosition, fragment, lgc::BuiltIn::SamplePosition, Scalar::Float, 2),
    input(B::SampleMask, fragment, lgc::BuiltIn::SampleMaskIn, Scalar::Int, 1, 1),
    output(B::SampleMask, fragment, Slot::SampleMask, Scalar::Int, 1, 1),
    input(B::HelperInvocation, fragment, lgc::BuiltIn::HelperInvocation, Scalar::Bool),
    input(B::BaryCoordKHR, fragment, lgc::BuiltIn::BaryCoord, Scalar::Float, 3),
    input(B::BaryCoordNoPerspKHR, fragment, lgc::BuiltIn::BaryCoordNoPersp, Scalar::Float, 3),
    weights(B::BaryCoordSmoothAMD, lgc::BaryMode::Center, false),
    weights(B::BaryCoordSmoothCentroidAMD, lgc::BaryMode::Centroid, false),
    weights(B::BaryCoordSmoothSampleAMD, lgc::BaryMode::Sample, false),
    weights(B::BaryCoordNoPerspAMD, lgc::BaryMode::Center, true),
    weights(B::BaryCoordNoPerspCentroidAMD, lgc::BaryMode::Centroid, true),
    weights(B::BaryCoordNoPerspSampleAMD, lgc::BaryMode::Sample, true),
    {B::BaryCoordPullModelAMD, false, fragment, Source::Hardware,
     static_cast<uint32_t>(lgc::HwValue::PerspPullModel), Scalar::Float, 3},
    input(B::ShadingRateKHR, fragment, lgc::BuiltIn::FragShadingRate, Scalar::Int),
    input(B::FullyCoveredEXT, fragment, lgc::BuiltIn::FullyCovered, Scalar::Bool),
    // Rays
    ray(B::LaunchIdKHR, rayStages, lgc::RayValue::LaunchId, Scalar::Int, 3),
    ray(B::LaunchSizeKHR, rayStages, lgc::RayValue::LaunchSize, Scalar::Int, 3),
    ray(B::WorldRayOriginKHR, rays, lgc::RayValue::Origin, Scalar::Float, 3),
    ray(B::WorldRayDirectionKHR, rays, lgc::RayValue::Direction, Scalar::Float, 3),
    ray(B::ObjectRayOriginKHR, primitives, lgc::RayValue::ObjectOrigin, Scalar::Float, 3),
    ray(B::ObjectRayDirectionKHR, primitives, lgc::RayValue::ObjectDirection, Scalar::Float, 3),
    ray(B::RayTminKHR, rays, lgc::RayValue::TMin, Scalar::Float),
    ray(B::RayTmaxKHR, rays, lgc::RayValue::TMax, Scalar::Float),
    ray(B::InstanceCustomIndexKHR, primitives, lgc::RayValue::CustomIndex, Scalar::Int),
    ray(B::InstanceId, primitives, lgc::RayValue::Instance, Scalar::Int),
    ray(B::PrimitiveId, primitives, lgc::RayValue::Primitive, Scalar::Int),
    ray(B::RayGeometryIndexKHR, primitives, lgc::RayValue::Geometry, Scalar::Int),
    ray(B::ObjectToWorldKHR, primitives, lgc::RayValue::ObjectToWorld, Scalar::Float, 3, 4),
    ray(B::WorldToObjectKHR, primitives, lgc::RayValue::WorldToObject, Scalar::Float, 3, 4),
    ray(B::HitKindKHR, hits, lgc::RayValue::HitKind, Scalar::Int),
    ray(B::HitTriangleVertexPositionsKHR, hits, lgc::RayValue::Positions, Scalar::Float, 3, 3),
    ray(B::IncomingRayFlagsKHR, rays, lgc::RayValue::Flags, Scalar::Int),
    ray(B::CullMaskKHR, rays, lgc::RayValue::CullMask, Scalar::Int),
    output(B::FragDepth, fragment, Slot::FragDepth, Scalar::Float),
    output(B::FragStencilRefEXT, fragment, Slot::FragStencilRef, Scalar::Int),
};

} // namespace

const BuiltInRow *findBuiltIn(lgc::ShaderStage stage, bool isOutput, spv::BuiltIn builtin) {
  for (const BuiltInRow &row : table)
    if (row.spirv == builtin && row.isOutput == isOutput && (row.stages & bit(stage)))
      return &row;
  return nullptr;
}

ArrayRef<BuiltInRow> builtInRows() { return table; }

Type *builtInType(Translator &t, const BuiltInRow &row) {
  Type *scalar = row.scalar == Scalar::Int     ? t.b.getInt32Ty()
                 : row.scalar == Scalar::Float ? t.b.getFloatTy()
                                               : static_cast<Type *>(t.b.getInt1Ty());
  return row.components == 1 ? scalar : FixedVectorType::get(scalar, row.components);
}

} // namespace llpc
