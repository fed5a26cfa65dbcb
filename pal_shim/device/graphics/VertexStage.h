//===- VertexStage.h - what executors of vertex shaders share --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/device/graphics/VertexGroup.h"
#include "pal_shim/device/graphics/VertexPort.h"

namespace pal::device {

/// A hardware stage made ready to run groups of waves.
class StageRunner {
public:
  StageRunner(const GeometrySetup &setup, const GraphicsStage &stage,
              std::vector<uint32_t> userSgprs);
  ~StageRunner();
  StageRunner(const StageRunner &) = delete;
  StageRunner &operator=(const StageRunner &) = delete;

  /// Error: the DeviceFault of a wave.
  llvm::Error launch(const StageLaunch &launch);

  const GraphicsStage &stage;
  const std::vector<uint32_t> userSgprs;

private:
  const GeometrySetup &setup;
  MemoryView memory;
  std::unique_ptr<GroupRunner> runner;
};

/// Goes through the primitives and fills groups. Derived classes run one group and hand on what
/// becomes of it.
class VertexStage : public GeometryStage {
public:
  VertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
              const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs);
  ~VertexStage() override;
  llvm::Error run(uint64_t first, uint64_t last, GeometryOutput &output) override;

protected:
  /// Runs the waves of `group` and appends to \p output what leaves. May count up groupNumber when
  /// these are several groups of hardware.
  virtual llvm::Error runGroup(GeometryOutput &output) = 0;

  /// "kernel 'name', group 3: what".
  llvm::Error fault(const llvm::Twine &what) const;
  /// Runs `waves` waves of the stage, whose exports go to `port`.
  llvm::Error launch(unsigned waves, llvm::function_ref<void(Wave &wave, unsigned index)> fill);
  /// Appends a primitive of vertices in `port`, which \p output will have next; they must have
  /// positions. \p index: for messages.
  llvm::Error appendPrimitive(GeometryOutput &output, PrimitiveOutput primitive,
                              llvm::ArrayRef<uint16_t> vertices, size_t index);
  /// Appends what `port` has: after all primitives.
  void appendVertices(GeometryOutput &output);
  /// Appends `group`'s primitives as they came, or as they were exported.
  llvm::Error appendGroupPrimitives(GeometryOutput &output, bool wereExported);

  const GeometrySetup setup;
  const VertexRegisters &registers;
  StageRunner runner;
  VertexGroup group;
  VertexPort port;
  uint32_t groupNumber = 0;

private:
  llvm::Error finishGroup(GeometryOutput &output);
};

/// The limits that the draw and the metadata set for every kind of group.
VertexGroup::Limits commonLimits(const GeometrySetup &setup);

/// Registers of a hardware VS: \p vertices[l] is v0 .. of lane l, as `.vs_vgpr_comp_cnt` loads
/// them.
void fillVertexWave(Wave &wave, const StageRunner &runner, const abi::PipelineMetadata &metadata,
                    llvm::ArrayRef<std::array<uint32_t, 4>> vertices);

} // namespace pal::device
