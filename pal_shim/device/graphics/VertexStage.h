//===- VertexStage.h - what executors of vertex shaders share --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/HullStage.h"
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/graphics/StageRunner.h"
#include "pal_shim/device/graphics/VertexGroup.h"

namespace pal::device {

/// What an executor starts with.
struct StageParts {
  const GraphicsStage &stage; ///< the one that runs vertices
  std::vector<uint32_t> userSgprs;
  std::unique_ptr<HullStage> hull; ///< null without tessellation
};
/// Errors: as HullStage::create, and for user data that the device does not have.
llvm::Expected<StageParts> stagePartsOf(const GeometrySetup &setup, abi::HardwareStage stage);

/// Goes through the primitives, or those that the tessellator makes of patches, and fills groups.
/// Derived classes run one group and hand on what becomes of it.
class VertexStage : public GeometryStage {
public:
  VertexStage(const GeometrySetup &setup, StageParts parts, const VertexGroup::Limits &limits);
  ~VertexStage() override;
  llvm::Error run(uint64_t first, uint64_t last, GeometryOutput &output) override;

protected:
  /// Runs the waves of `group` and appends to \p output what leaves. May count up groupNumber when
  /// these are several groups of hardware.
  virtual llvm::Error runGroup(GeometryOutput &output) = 0;

  /// "kernel 'name', group 3: what".
  llvm::Error fault(const llvm::Twine &what) const;
  /// For debuggers: lane \p lane of wave \p wave of `group`.
  DrawInvocation describe(unsigned wave, unsigned lane) const;
  /// Runs `waves` waves of the stage, whose exports go to `port`.
  llvm::Error launch(unsigned waves, llvm::function_ref<void(Wave &wave, unsigned index)> fill);
  /// Appends a primitive of vertices in `port`, which \p output will have next; they must have
  /// positions. \p index: for messages.
  llvm::Error appendPrimitive(GeometryOutput &output, PrimitiveOutput primitive,
                              llvm::ArrayRef<uint16_t> vertices, size_t index);
  /// Appends what `port` has: after all primitives.
  void appendVertices(GeometryOutput &output);
  /// Counts the invocations of the vertex or evaluation shader in `group`.
  void countVertices();
  /// What the patches of `group` have in common; 0 without tessellation.
  uint32_t offChipBase() const { return hull ? hull->offChipBase() : 0; }
  /// Appends `group`'s primitives as they came, or as they were exported.
  llvm::Error appendGroupPrimitives(GeometryOutput &output, bool wereExported);

  const GeometrySetup setup;
  const VertexRegisters &registers;
  const std::unique_ptr<HullStage> hull;
  StageRunner runner;
  VertexGroup group;
  VertexPort port;
  uint32_t groupNumber = 0;
  /// For debuggers: lanes of a geometry shader that the next launch has.
  llvm::ArrayRef<GeometryLane> geometryLanes;

private:
  /// \p add: to `group`; false when that has no room.
  llvm::Error addPrimitive(GeometryOutput &output, llvm::function_ref<bool()> add);
  llvm::Error runPatches(uint64_t first, uint64_t last, GeometryOutput &output);
  llvm::Error finishGroup(GeometryOutput &output);

  TessellatedPatch patch;
};

/// The limits that the draw and the metadata set for every kind of group.
VertexGroup::Limits commonLimits(const GeometrySetup &setup);

} // namespace pal::device
