//===- GeometryStage.h - vertices to positions, attributes, primitives -----===//
// SPDX-License-Identifier: MIT
/// \file
/// The geometry engine: packs the vertices of a draw into groups of waves, starts them with the
/// registers that the hardware fills, and collects what they export. One executor for each way that
/// programs go from vertices to the rasteriser; GeometryStage::create() chooses.
///
///   hardware VS (gfx10)   a wave of vertices at a time; positions and parameters are exported
///   NGG without a GS      subgroups of vertices and primitives; both are exported, attributes go
///                         through the attribute ring in memory from gfx11 on
///   NGG with a GS         the same, but the shader says what leaves
///   legacy GS (gfx10)     subgroups write vertices to a ring in memory and send messages; a copy
///                         shader, a hardware VS, exports the vertices
///   evaluation (gfx10)    subgroups of patches write their levels to a ring in memory; then a
///                         hardware VS exports the vertices that the tessellator makes
///
/// With tessellation, those with a hardware GS get the vertices and primitives of their groups from
/// the tessellator, too.
#pragma once

#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/UserData.h"
#include "pal_shim/device/graphics/GeometryOutput.h"
#include "pal_shim/device/graphics/InputAssembler.h"
#include "pal_shim/device/graphics/StreamOutUnit.h"

namespace pal::device {

/// What the geometry part of one view of a draw works with.
struct GeometrySetup {
  DispatchContext &context;
  const LoadedProgram &program;
  const DrawInfo &draw;
  std::shared_ptr<const RegionTable> memory;
  std::shared_ptr<const Region> tables; ///< of the draw, with the attribute ring
  InputAssembler &input;                ///< of one instance
  const UserDataValues &userData;
  StreamOutUnit *streamOut = nullptr; ///< mesh shaders have none
};

class GeometryStage {
public:
  /// Errors: DeviceFault BadLaunch that names the stage which cannot be executed.
  static llvm::Error check(const LoadedProgram &program, const DrawInfo &draw);
  /// Errors: as check, and BadLaunch for user data that the device does not have.
  static llvm::Expected<std::unique_ptr<GeometryStage>> create(const GeometrySetup &setup);
  virtual ~GeometryStage();

  /// Appends to \p output what becomes of the primitives [first, last), in their order. Primitive i
  /// is number i % n of instance i / n, n being those of the input assembler. Errors: DeviceFault.
  virtual llvm::Error run(uint64_t first, uint64_t last, GeometryOutput &output) = 0;

  /// Invocations so far, and primitives that geometry shaders made.
  uint64_t vertexInvocations = 0, geometryInvocations = 0, geometryPrimitives = 0;
  uint64_t controlPatches = 0, evaluationInvocations = 0; ///< of tessellation
};

/// Bytes of the attribute ring that groups of \p program need; 0: it has none.
uint32_t attributeRingBytes(const LoadedProgram &program);
/// Bytes of the GS-VS ring that the geometry stage of \p program uses; 0: it has none.
uint32_t gsVsRingBytes(const LoadedProgram &program);

/// Makes each executor; errors as GeometryStage::create.
llvm::Expected<std::unique_ptr<GeometryStage>> createLegacyVertexStage(const GeometrySetup &setup);
llvm::Expected<std::unique_ptr<GeometryStage>> createNggVertexStage(const GeometrySetup &setup);
llvm::Expected<std::unique_ptr<GeometryStage>>
createLegacyGeometryStage(const GeometrySetup &setup);
llvm::Expected<std::unique_ptr<GeometryStage>> createNggGeometryStage(const GeometrySetup &setup);
llvm::Expected<std::unique_ptr<GeometryStage>>
createLegacyEvaluationStage(const GeometrySetup &setup);

} // namespace pal::device
