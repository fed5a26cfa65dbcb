//===- MeshShader.h - task and mesh shaders as hardware stages ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The two halves of lgc-lower-mesh.
#pragma once

#include "lgc/Pipeline.h"

namespace llvm {
class Function;
}

namespace lgc {

/// Makes lgc.shader.CS of a task shader. True when every launch is along x alone, so that the
/// hardware may number mesh workgroups with one counter.
bool lowerTaskShader(llvm::Function &shader, const PipelineState &state);

/// Makes lgc.hw.GS of a mesh shader and notes its registers. \p linearTask: what lowerTaskShader
/// said of the task shader in front of it, if that is known.
void lowerMeshShader(llvm::Function &shader, const PipelineState &state, bool linearTask);

} // namespace lgc
