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

/// What needs no look at the shader; empty: nothing.
static StringRef refusalOf(OutputKind kind, const PipelineState &state) {
  if (state.isGraphics())
    return "graphics pipeline";
  if (state.part.any())
    return "part of a pipeline";
  // A listing of LLVM would show other code than what is in the object.
  if (kind == OutputKind::Assembly || state.options.includeDisassembly)
    return "listing";
  if (state.options.debugInfo)
    return "debug information";
  return "";
}

Expected<bool> generateDirectly(Module &module, OutputKind kind, const PipelineState &state,
                                SmallVectorImpl<char> &object, InstructionCounts &instructions,
                                std::string &refusal) {
  if (state.options.tier != Tier::Direct)
    return false;
  refusal = refusalOf(kind, state).str();
  if (!refusal.empty())
    return false;
  const SmallVector<Function *, 4> entries = entryFunctions(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target && entries.size() == 1, "a compute pipeline behind all passes");
  const std::optional<direct::ShaderCode> code = direct::generateShader(
      *entries.front(), *target, chooseWaveSize(state, HardwareStage::Cs), refusal);
  if (!code) {
    KILN_CHECK(!refusal.empty(), "refusals have a reason");
    return false;
  }
  refusal.clear();
  const std::vector<uint8_t> bytes = KILN_TRY(direct::writeShaderObject(module, *code, *target));
  object.assign(bytes.begin(), bytes.end());
  instructions[pal::abi::entryPointSymbol(HardwareStage::Cs).str()] = code->instructions;
  return true;
}

} // namespace lgc
