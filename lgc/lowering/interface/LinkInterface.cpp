//===- LinkInterface.cpp - cross-stage optimisation of interfaces ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Matches the outputs of each shader with the inputs of the next one in the module:
///  - outputs that nobody reads are removed, with the code that computes them. Transform feedback
///    has stores of its own; what the rasteriser or the tessellator takes stays.
///  - inputs whose outputs are always the same constant become that constant; inputs that nobody
///    writes become 0.
///  - between the last vertex stage and the fragment shader, what is left is packed into as few
///    slots as possible, numbered from 0: the slots are attribute numbers then. Only components of
///    one mode share a slot (HW: flat shading and 16-bit interpolation belong to the attribute);
///    arrays that somebody indexes stay together. Other stages keep their numbers: LDS and ring
///    layouts leave out what is not used anyway.
/// A module without one of two neighbours is a part of a pipeline: its slots stay as they are.
///   before: VS: output.store(<2 x float> %a, 3, 0), (1.0, 5, 0)   FS: interpolate(3, 1), (5, 0)
///   after:  VS: output.store(float %a.y, 0, 0)                    FS: interpolate(0, 0), 1.0
///
/// Runs behind the first clean-up: memory would hide what is read and what is constant.
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/interface/StageLink.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

struct Pair {
  ShaderStage producer, consumer;
};

/// Neighbours among the stages of the pipeline, in its order.
SmallVector<Pair, 4> neighbours(const PipelineState &state) {
  constexpr ShaderStage order[] = {ShaderStage::Vertex,   ShaderStage::TessControl,
                                   ShaderStage::TessEval, ShaderStage::Geometry,
                                   ShaderStage::Mesh,     ShaderStage::Fragment};
  SmallVector<Pair, 4> pairs;
  std::optional<ShaderStage> previous;
  for (ShaderStage stage : order) {
    if (!state.graphics.has(stage))
      continue;
    if (previous)
      pairs.push_back({*previous, stage});
    previous = stage;
  }
  return pairs;
}

class Linker {
public:
  Linker(Module &module, const PipelineState &state) : module(module), state(state) {}
  Error run();

private:
  Error simplify(Pair pair);

  Module &module;
  const PipelineState &state;
};

Error Linker::simplify(Pair pair) {
  Function *producer = findShader(module, pair.producer);
  Function *consumer = findShader(module, pair.consumer);
  if (!producer || !consumer)
    return Error::success();
  return StageLink(state, pair.producer, *producer, pair.consumer, consumer).simplify();
}

Error Linker::run() {
  SmallVector<Pair, 4> pairs = neighbours(state);
  ShaderStage last = planStages(state).lastVertexStage;
  Function *producer = findShader(module, last);
  // Forward: constants pass through stages.
  for (Pair pair : pairs)
    KILN_TRY(simplify(pair));
  if (producer && !state.part.any() && !state.graphics.has(ShaderStage::Fragment))
    KILN_TRY(StageLink(state, last, *producer, ShaderStage::Fragment, nullptr).simplify());
  // Backward: what is not read needs no inputs.
  for (Pair pair : reverse(pairs))
    KILN_TRY(simplify(pair));
  if (Function *consumer = findShader(module, ShaderStage::Fragment); producer && consumer)
    StageLink(state, last, *producer, ShaderStage::Fragment, consumer).pack();
  return Error::success();
}

} // namespace

PreservedAnalyses LinkInterfacePass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics())
    return PreservedAnalyses::all();
  reportError(module.getContext(), Linker(module, state).run());
  return PreservedAnalyses::none();
}

} // namespace lgc
