//===- VertexStage.h - what executors of vertex shaders share --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/graphics/GeometryStage.h"
#include "pal_shim/device/graphics/VertexGroup.h"
#include "pal_shim/device/graphics/VertexPort.h"

namespace pal::device {

/// Goes through the primitives, fills groups, and hands what they export on. Derived classes run
/// one group.
class VertexStage : public GeometryStage {
public:
  VertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
              const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs);
  ~VertexStage() override;
  llvm::Error run(uint64_t first, uint64_t last, GeometryOutput &output) override;

protected:
  /// Runs the waves of `group`; `port` has begun.
  virtual llvm::Error runGroup() = 0;
  /// Attributes of the group's vertices, in their order.
  virtual llvm::Error appendAttributes(GeometryOutput &output) = 0;
  virtual bool isNgg() const = 0;

  llvm::Error launch(StageLaunch &launch);

  const GeometrySetup setup;
  const GraphicsStage &stage;
  const VertexRegisters &registers;
  const std::vector<uint32_t> userSgprs;
  VertexGroup group;
  VertexPort port;
  uint32_t groupNumber = 0;

private:
  llvm::Error finishGroup(GeometryOutput &output);
  llvm::Error appendPrimitives(GeometryOutput &output);

  MemoryView memory;
  std::unique_ptr<GroupRunner> runner;
};

/// The limits that the draw and the metadata set for every kind of group.
VertexGroup::Limits commonLimits(const GeometrySetup &setup);

} // namespace pal::device
