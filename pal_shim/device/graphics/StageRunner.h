//===- StageRunner.h - hardware stages that run waves ----------------------===//
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

/// For debuggers: the invocation of the vertex shader number \p number of those in \p vertices.
DrawInvocation describeVertex(const GeometrySetup &setup,
                              llvm::ArrayRef<VertexGroup::Vertex> vertices, size_t number);

/// v0 .. of a lane of a hardware VS.
using VertexLane = std::array<uint32_t, 4>;

/// Registers of a hardware VS: \p vertices[l] is v0 .. of lane l, as `.vs_vgpr_comp_cnt` loads
/// them; \p systemSgprs stand behind user data, before the scratch offset.
void fillVertexWave(Wave &wave, const StageRunner &runner, const abi::PipelineMetadata &metadata,
                    llvm::ArrayRef<VertexLane> vertices, llvm::ArrayRef<uint32_t> systemSgprs = {});

/// A hardware VS behind other geometry stages (gfx10): evaluation and copy shaders.
class LastVertexStage {
public:
  LastVertexStage(const GeometrySetup &setup, std::vector<uint32_t> userSgprs, bool isEvaluation);

  /// Runs as many waves as it takes and appends what they export: a vertex for each lane, in their
  /// order. Errors: DeviceFault; a vertex without position is one.
  llvm::Error run(llvm::ArrayRef<VertexLane> vertices, llvm::ArrayRef<uint32_t> systemSgprs,
                  GeometryOutput &output);
  /// The same with the stream-out of hardware, where \p vertices are those of whole primitives of
  /// \p stream, none of them shared; \p systemSgprs come behind the words of stream-out. Null
  /// \p output: the stream is not rasterised, and nothing exported.
  llvm::Error runStreamOut(unsigned stream, unsigned verticesPerPrimitive,
                           llvm::ArrayRef<VertexLane> vertices,
                           llvm::ArrayRef<uint32_t> systemSgprs, GeometryOutput *output);

private:
  /// \p output: null when the vertices are for stream-out alone.
  llvm::Error runWave(llvm::ArrayRef<VertexLane> vertices, llvm::ArrayRef<uint32_t> systemSgprs,
                      GeometryOutput *output);

  const GeometrySetup &setup;
  StageRunner runner;
  VertexPort port;
  const bool isEvaluation;
  uint32_t waveNumber = 0;
};

} // namespace pal::device
