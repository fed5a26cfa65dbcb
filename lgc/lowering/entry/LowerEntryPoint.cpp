//===- LowerEntryPoint.cpp - the entry points of hardware stages ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Replaces `void @lgc.shader.CS()`, `void @lgc.shader.FS()` and `void @lgc.hw.*()` by functions
/// `_amdgpu_XX_main` whose arguments are the registers that driver and hardware fill in: user data,
/// workgroup ids, local ids, vertex ids, barycentrics... Decides which API user-data dwords live in
/// registers and which are loaded from the spill table, and writes the PAL metadata. Runs after the
/// middle end, when it is known which user data the shader really reads, and before every pass that
/// asks for uniformity (to LLVM a call is divergent, an inreg argument is uniform).
///   before: %p = call i32 @lgc.user.data__i32_i32(i32 3)
///           %v = call i32 @lgc.hw.value__i32_i32(i32 VertexId)
///   after:  define amdgpu_gs void @_amdgpu_gs_main(<8 x i32 inreg>, i32 inreg %GlobalTable,
///           i32 inreg %userData3, <5 x i32>, i32 %vertexId)
///
/// What comes where: HardwareInputs.cpp (hardware), StageLayout.cpp (user data). The function is
/// made in EntryBuilder.cpp.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

using pal::abi::HardwareStage;
using NeedsMap = MapVector<Function *, EntryNeeds>;

/// The hardware stage that `function` is the code of; an error for shaders that should have been
/// lowered into one.
Expected<HardwareStage> stageToBuild(const Function &function, const PipelineState &state) {
  std::optional<HardwareStage> stage = hardwareStageOf(function, state);
  if (stage && function.getName() == hardwareFunctionName(*stage))
    return *stage;
  std::optional<ShaderStage> shader = shaderStageOf(function);
  return unsupported(Twine(shader ? shaderStageName(*shader) : "unknown") +
                     " shader has no lowering to a hardware stage");
}

Expected<PipelineLayout> planPipeline(const NeedsMap &needs, const PipelineState &state) {
  PipelineLayout layout;
  for (const auto &[function, functionNeeds] : needs) {
    HardwareStage stage = KILN_TRY(stageToBuild(*function, state));
    KILN_TRY(planStage(stage, functionNeeds, state, layout));
  }
  return layout;
}

/// What glue needs to know of the registers of the first vertex stage.
void noteFetch(Module &module, const PipelineLayout &layout) {
  for (const StageLayout &stage : layout.stages) {
    if (!stage.fetch)
      continue;
    PartInfo info = partInfoOf(module);
    info.fetch = stage.fetch;
    setPartInfo(module, info);
  }
}

/// Erases calls and declarations that have been replaced.
void eraseOps(Module &module) {
  for (OpId id : {OpId::UserDataOp, OpId::SpillTableOp, OpId::BuiltinOp, OpId::HwValueOp,
                  OpId::SpecialUserDataOp, OpId::DriverTableOp, OpId::VertexInputOp})
    forEachOp(module, id, [](CallInst &call) { call.eraseFromParent(); });
}

} // namespace

PreservedAnalyses LowerEntryPointPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  Expected<NeedsMap> needs = collectEntryNeeds(module, state);
  if (!needs) {
    reportError(module.getContext(), needs.takeError());
    return PreservedAnalyses::all();
  }
  if (needs->empty())
    return PreservedAnalyses::all();
  Expected<PipelineLayout> layout = planPipeline(*needs, state);
  if (!layout) {
    reportError(module.getContext(), layout.takeError());
    return PreservedAnalyses::all();
  }
  if (state.part.any())
    if (Error error = notePart(module, state, *layout)) {
      reportError(module.getContext(), std::move(error));
      return PreservedAnalyses::all();
    }
  size_t index = 0;
  for (auto &[function, functionNeeds] : *needs)
    buildEntryPoint(*function, functionNeeds, state, layout->stages[index++]);
  eraseOps(module);
  for (auto &entry : *needs)
    entry.first->eraseFromParent();
  writePalMetadata(module, state, *layout);
  noteFetch(module, *layout);
  return PreservedAnalyses::none();
}

} // namespace lgc
