//===- KeepHalf.cpp - one half of a graphics pipeline stays ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two threads compile a graphics pipeline: when its interfaces are linked, one goes on with the
/// stages before rasterization, the other with the fragment shader, and lgc/Link.h puts the two
/// code objects together. Does nothing unless PartState::half says which one.
///   before: @lgc.shader.VS, @lgc.shader.FS       half: fragment
///   after:  @lgc.shader.FS
///
/// The halves meet by the slots of their outputs and inputs, so built-ins that the fragment shader
/// reads get slots of their own first.
#include "lgc/lowering/interface/KeepHalf.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/interface/AttributeSlots.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace lgc {

void eraseOtherHalf(Module &module, PartState::Half half) {
  const bool keepsFragment = half == PartState::Half::Fragment;
  for (Function *function : entryFunctions(module))
    if ((shaderStageOf(*function) == ShaderStage::Fragment) != keepsFragment)
      function->eraseFromParent();
}

PreservedAnalyses KeepHalfPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (state.part.half == PartState::Half::Both || !state.isGraphics())
    return PreservedAnalyses::all();
  linkBuiltInSlots(module, state);
  eraseOtherHalf(module, state.part.half);
  // Variables of the other half: LDS counts what the module declares.
  GlobalDCEPass().run(module, mam);
  return PreservedAnalyses::none();
}

} // namespace lgc
