//===- MeshStage.h - workgroups to positions, attributes, primitives -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/AttributeRing.h"
#include "pal_shim/device/graphics/MeshScratch.h"
#include "pal_shim/device/graphics/TaskStage.h"
#include "pal_shim/device/graphics/VertexPort.h"
#include "pal_shim/device/graphics/VertexStage.h"

namespace pal::device {

struct MeshGroup;

/// The geometry part of a program with a mesh shader: runs its workgroups, or those of the task
/// shader in front of it and then what each of them launches, and collects what they export.
class MeshStage {
public:
  using Sink = llvm::function_ref<llvm::Error(const GeometryOutput &output)>;

  /// Errors: DeviceFault BadLaunch for registers that no such program has.
  static llvm::Error check(const LoadedProgram &program);
  /// Errors: DeviceFault BadLaunch for user data that the device does not have.
  static llvm::Expected<std::unique_ptr<MeshStage>> create(const GeometrySetup &setup);

  /// Runs all of one view of the draw; \p sink gets what leaves, in its order, in parts. Errors:
  /// DeviceFault, and those of \p sink.
  llvm::Error run(Sink sink);

  /// When all has run. HW(gfx10.3): what the shaders have counted.
  uint64_t taskInvocations = 0, meshInvocations = 0, meshPrimitives = 0;

private:
  MeshStage(const GeometrySetup &setup, std::unique_ptr<TaskStage> tasks);
  llvm::Error fault(const llvm::Twine &what) const;
  void takeCounts();
  llvm::Error runTasks(Sink sink);
  llvm::Error runLaunch(const std::array<uint32_t, 3> &groups, Sink sink);
  llvm::Error runGroup(const MeshGroup &group);
  llvm::Error checkAllocation();
  llvm::Error appendPrimitives();
  llvm::Error appendPrimitive(size_t index);
  llvm::Error flush(Sink sink);

  const GeometrySetup setup;
  const GraphicsProgram &program;
  StageRunner runner;
  VertexPort port;
  AttributeRing ring;
  MeshScratch scratch;
  std::unique_ptr<TaskStage> tasks; ///< null: no task shader
  UserDataValues values;
  GeometryOutput output;
  uint32_t groupNumber = 0;
};

} // namespace pal::device
