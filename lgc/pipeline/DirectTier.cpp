//===- DirectTier.cpp - which modules the direct tier generates -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/DirectTier.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/direct/shader/ShaderObject.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

StringRef directRefusalOf(OutputKind kind, const PipelineState &state) {
  if (state.options.tier != Tier::Direct)
    return "";
  // A listing of LLVM would show other code than what is in the object.
  if (kind == OutputKind::Assembly || state.options.includeDisassembly)
    return "listing";
  if (state.options.debugInfo)
    return "debug information";
  return "";
}

static std::optional<HardwareStage> stageOf(const Function &function) {
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i)
    if (const auto stage = static_cast<HardwareStage>(i);
        function.getName() == pal::abi::entryPointSymbol(stage))
      return stage;
  return std::nullopt;
}

Expected<bool> generateDirectly(Module &module, const PipelineState &state,
                                SmallVectorImpl<char> &object, InstructionCounts &instructions,
                                std::string &refusal, bool isVerified) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that lowering let pass");
  SmallVector<direct::StageCode, 2> stages;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    const std::optional<HardwareStage> stage = stageOf(function);
    if (!stage) {
      refusal = "a function that is called";
      return false;
    }
    std::optional<direct::ShaderCode> code = direct::generateShader(
        function, *target, chooseWaveSize(state, *stage), refusal, isVerified);
    KILN_CHECK(code || !refusal.empty(), "refusals have a reason");
    if (!code)
      return false;
    stages.push_back({*stage, std::move(*code)});
  }
  const std::vector<uint8_t> bytes = KILN_TRY(direct::writeShaderObject(module, stages, *target));
  object.assign(bytes.begin(), bytes.end());
  for (const direct::StageCode &stage : stages)
    instructions[pal::abi::entryPointSymbol(stage.stage).str()] = stage.code.instructions;
  return true;
}

} // namespace lgc
