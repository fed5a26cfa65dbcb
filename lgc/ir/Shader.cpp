//===- Shader.cpp - module set-up, names of functions ----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Shader.h"
#include "lgc/CompileError.h"
#include "lgc/StateMetadata.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace lgc {

StringRef targetTriple() { return "amdgcn-amd-amdpal"; }

StringRef dataLayoutString() {
  // LLVM 22's AMDGPU layout, as Triple::computeDataLayout() gives it (StateMetadataTest checks
  // that).
  return "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-"
         "p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-"
         "v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
}

void setTarget(Module &module) {
  // Immutable. Copies cost a fifth of parsing them again, which shows in small shaders. They are
  // never destroyed: threads may still compile when the process ends.
  static const auto &triple = *new Triple(targetTriple());
  static const auto &layout = *new DataLayout(dataLayoutString());
  module.setTargetTriple(triple);
  module.setDataLayout(layout);
}

namespace {

constexpr StringLiteral shaderNames[] = {"lgc.shader.TS",  "lgc.shader.VS", "lgc.shader.TCS",
                                         "lgc.shader.TES", "lgc.shader.GS", "lgc.shader.MS",
                                         "lgc.shader.FS",  "lgc.shader.CS"};
static_assert(std::size(shaderNames) == shaderStageCount);
constexpr const char *stageNames[] = {"task",
                                      "vertex",
                                      "tessellation control",
                                      "tessellation evaluation",
                                      "geometry",
                                      "mesh",
                                      "fragment",
                                      "compute",
                                      "ray generation",
                                      "intersection",
                                      "any-hit",
                                      "closest-hit",
                                      "miss",
                                      "callable"};
static_assert(std::size(stageNames) == static_cast<size_t>(ShaderStage::Count));
constexpr StringLiteral rayShaderPrefix = "lgc.shader.rays.";
constexpr StringLiteral rayShaderAttribute = "lgc-ray-shader";
constexpr StringLiteral hardwareNames[] = {"lgc.hw.HS", "lgc.hw.GS", "lgc.hw.VS", "lgc.shader.FS",
                                           "lgc.shader.CS"};
using pal::abi::HardwareStage;
constexpr HardwareStage hardwareStages[] = {HardwareStage::Hs, HardwareStage::Gs, HardwareStage::Vs,
                                            HardwareStage::Ps, HardwareStage::Cs};

Function *findDefinition(Module &module, StringRef name) {
  Function *function = module.getFunction(name);
  return function && !function->isDeclaration() ? function : nullptr;
}

/// Place of an entry function among those of its module: API shaders, then by hardware stage what
/// they are merged to and what the stage starts with. Nothing for names of other functions.
std::optional<unsigned> entryRank(StringRef name) {
  if (!name.starts_with("lgc.") && !name.starts_with("_amdgpu_"))
    return std::nullopt;
  if (const auto *shader = find(shaderNames, name); shader != std::end(shaderNames))
    return shader - std::begin(shaderNames);
  constexpr unsigned otherRanks = shaderStageCount + 2 * std::size(hardwareStages);
  unsigned number = 0;
  if (name.consume_front(rayShaderPrefix) && !name.getAsInteger(10, number) && number < (1u << 20))
    return otherRanks + number;
  for (const auto [index, stage] : enumerate(hardwareStages)) {
    const unsigned rank = shaderStageCount + 2 * index;
    if (name == hardwareNames[index])
      return rank;
    if (name == pal::abi::entryPointSymbol(stage))
      return rank + 1;
  }
  return std::nullopt;
}

} // namespace

const char *shaderStageName(ShaderStage stage) {
  auto index = static_cast<size_t>(stage);
  return index < std::size(stageNames) ? stageNames[index] : "unknown";
}

StringRef entryFunctionName(ShaderStage stage) { return shaderNames[static_cast<size_t>(stage)]; }

std::string rayShaderName(unsigned number) { return (rayShaderPrefix + Twine(number)).str(); }

void markRayShader(Function &function, RayShader shader) {
  function.addFnAttr(rayShaderAttribute,
                     (Twine(static_cast<unsigned>(shader.stage)) + "," + Twine(shader.id)).str());
}

std::optional<RayShader> rayShaderOf(const Function &function) {
  const auto [stageText, idText] =
      function.getFnAttribute(rayShaderAttribute).getValueAsString().split(',');
  unsigned stage = 0, id = 0;
  if (stageText.getAsInteger(10, stage) || idText.getAsInteger(10, id) || id == 0 ||
      !isRayStage(static_cast<ShaderStage>(std::min(stage, 255u))))
    return std::nullopt;
  return RayShader{static_cast<ShaderStage>(stage), id};
}

StringRef hardwareFunctionName(HardwareStage stage) {
  return hardwareNames[static_cast<size_t>(stage)];
}

Function *findShader(Module &module, ShaderStage stage) {
  return findDefinition(module, entryFunctionName(stage));
}

SmallVector<Function *, 4> entryFunctions(Module &module) {
  SmallVector<std::pair<unsigned, Function *>, 4> found;
  for (Function &function : module)
    if (!function.isDeclaration())
      if (std::optional<unsigned> rank = entryRank(function.getName()))
        found.push_back({*rank, &function});
  sort(found);
  SmallVector<Function *, 4> entries;
  for (const auto &[rank, function] : found)
    entries.push_back(function);
  return entries;
}

std::optional<ShaderStage> shaderStageOf(const Function &function) {
  const auto *found = find(shaderNames, function.getName());
  if (found == std::end(shaderNames))
    return std::nullopt;
  return static_cast<ShaderStage>(found - std::begin(shaderNames));
}

std::optional<HardwareStage> hardwareStageOf(const Function &function, const PipelineState &state) {
  if (std::optional<ShaderStage> stage = shaderStageOf(function))
    return hardwareStageOf(*stage, planStages(state));
  if (function.getName().starts_with(rayShaderPrefix))
    return HardwareStage::Cs;
  for (HardwareStage stage : hardwareStages)
    if (function.getName() == hardwareFunctionName(stage) ||
        function.getName() == pal::abi::entryPointSymbol(stage))
      return stage;
  return std::nullopt;
}

Error checkModule(Module &module, const PipelineState &state) {
  if (!pal::abi::findTarget(state.target))
    return invalidInput("unknown target '" + state.target + "'");
  bool any = false;
  for (unsigned i = 0; i < shaderStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    const Function *entry = findShader(module, stage);
    if (!entry)
      continue;
    any = true;
    if (!entry->arg_empty() || !entry->getReturnType()->isVoidTy())
      return invalidInput("'" + entryFunctionName(stage) + "' is not a function 'void ()'");
    if (state.isGraphics() ? !state.graphics.has(stage) : stage != ShaderStage::Compute)
      return invalidInput("module has a " + Twine(shaderStageName(stage)) +
                          " shader, the pipeline state has not");
  }
  for (const Function &function : module)
    if (function.getName().starts_with(rayShaderPrefix) && !function.isDeclaration()) {
      any = true;
      if (!function.arg_empty() || !function.getReturnType()->isVoidTy() ||
          !rayShaderOf(function) || state.isGraphics())
        return invalidInput("'" + function.getName() +
                            "' is not a marked function 'void ()' of a ray tracing pipeline");
    }
  if (!any)
    return invalidInput(
        "module has no entry function 'void @" +
        entryFunctionName(state.isGraphics() ? ShaderStage::Vertex : ShaderStage::Compute) + "()'");
  setTarget(module);
  return Error::success();
}

Error prepareModule(Module &module, const PipelineState &state) {
  if (Error error = checkModule(module, state))
    return error;
  writeState(module, state);
  return Error::success();
}

} // namespace lgc
