//===- LowerMesh.cpp - task and mesh shaders -> CS and HW GS --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A task shader becomes a compute shader that writes its payload and the counts of mesh workgroups
/// to ring buffers (TaskShader.cpp, TaskRings.h). A mesh shader becomes a hardware GS in fast
/// launch mode, whose outputs wait in LDS until all lanes export vertices and primitives
/// (MeshShader.cpp, MeshLayout.h). Runs after lgc-lower-builtins and lgc-lower-barriers.
///   before: define void @lgc.shader.MS() { ... lgc.set.mesh.outputs, lgc.output.store ... }
///   after:  define void @lgc.hw.GS()     { ... LDS, GS_ALLOC_REQ, exp prim, exp pos ... }
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/mesh/MeshShader.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

PreservedAnalyses LowerMeshPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *task = findShader(module, ShaderStage::Task);
  Function *mesh = findShader(module, ShaderStage::Mesh);
  if (!task && !mesh)
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  if (!target || (target->major == 10 && target->minor < 3)) {
    reportError(module.getContext(), unsupported("mesh shaders on " + state->target));
    return PreservedAnalyses::all();
  }
  bool linear = task && lowerTaskShader(*task, state.state);
  if (mesh)
    lowerMeshShader(*mesh, state.state, linear);
  return PreservedAnalyses::none();
}

} // namespace lgc
