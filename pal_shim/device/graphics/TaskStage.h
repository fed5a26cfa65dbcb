//===- TaskStage.h - workgroups of task shaders ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/Launch.h"
#include "pal_shim/device/graphics/GeometryStage.h"

namespace pal::device {

/// Runs workgroups of a task shader, a compute shader which leaves in its entry of two rings the
/// payload for mesh workgroups and how many of them there are (docs/hw-notes.md, "Task and mesh
/// shaders").
class TaskStage {
public:
  /// Errors: DeviceFault BadLaunch for user data that the device does not have.
  static llvm::Expected<std::unique_ptr<TaskStage>> create(const GeometrySetup &setup);
  ~TaskStage();

  /// Runs workgroup \p id, number \p number of the draw, and returns how many mesh workgroups it
  /// launches. Errors: DeviceFault; a workgroup that does not say it is one.
  llvm::Expected<std::array<uint32_t, 3>> run(const std::array<uint32_t, 3> &id, uint32_t number);

  /// What user data of the mesh workgroups says of their task workgroup.
  static uint32_t ringIndex(uint32_t number);
  uint64_t invocationsPerGroup() const { return threadCount(stage.data.launch); }

private:
  TaskStage(const GeometrySetup &setup, std::vector<uint32_t> userSgprs);
  uint8_t *entry(GpuAddress ring, uint32_t number, uint32_t bytes) const;

  const GeometrySetup setup;
  const GraphicsStage &stage;
  MemoryView memory;
  LaunchState state;
  std::unique_ptr<GroupRunner> runner;
};

} // namespace pal::device
