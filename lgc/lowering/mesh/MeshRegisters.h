//===- MeshRegisters.h - workgroups of mesh shaders as the hardware's -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// Lanes that a mesh shader runs with.
struct MeshThreads {
  uint32_t waveSize = 0;
  uint64_t shader = 0;      ///< invocations of the shader's workgroup
  uint32_t shaderWaves = 0; ///< waves that have some of them
  uint32_t hardware = 0;    ///< the most of invocations, vertices and primitives
  uint32_t waves = 0;       ///< of the hardware's workgroup
};
MeshThreads planMeshThreads(const PipelineState &state, uint32_t waveSize);

/// LimitExceeded when the hardware has no such workgroups.
llvm::Error checkMeshLimits(const PipelineState &state, const MeshThreads &threads);

/// The hardware function with the body of `shader`, which is erased; `lanes`: of its workgroup.
llvm::Function &takeMeshBody(llvm::Function &shader, unsigned lanes);

/// Notes what a mesh shader needs in `.graphics_registers` besides VertexExporter's.
void writeMeshRegisters(llvm::Module &module, const PipelineState &state,
                        const MeshThreads &threads, uint32_t scratchBytes, bool linearTask);

} // namespace lgc
