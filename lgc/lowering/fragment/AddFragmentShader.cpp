//===- AddFragmentShader.cpp - a fragment shader for pipelines without ----===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline may have no fragment shader (depth only, rasteriser discard), but the driver always
/// programs one: it gets one that does nothing. Not for a module that is only a part of a pipeline:
/// the state says so, or has a fragment stage. Runs before everything that asks for the stages of
/// the module.
///   before: @lgc.shader.VS, stages: vertex
///   after:  @lgc.shader.VS, define void @lgc.shader.FS() { ret void }
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

PreservedAnalyses AddFragmentShaderPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics() || state.part.any() || state.graphics.has(ShaderStage::Fragment) ||
      !findShader(module, planStages(state).lastVertexStage))
    return PreservedAnalyses::all();
  LLVMContext &context = module.getContext();
  Function *shader = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                      GlobalValue::ExternalLinkage,
                                      entryFunctionName(ShaderStage::Fragment), module);
  IRBuilder<>(BasicBlock::Create(context, "", shader)).CreateRetVoid();
  return PreservedAnalyses::none();
}

} // namespace lgc
