//===- TessLayout.cpp - where tessellation keeps its data -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/tessellation/TessLayout.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

SlotAccess::SlotAccess(const CallInst &call) {
  unsigned at = 0;
  if (opIdOf(call) == OpId::OutputStoreOp)
    value = call.getArgOperand(at++);
  auto operand = static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(at++))->getZExtValue());
  component = static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(at++))->getZExtValue());
  slot = slotNumber(operand);
  slots = 1;
  Value *elementOperand = call.getArgOperand(at++);
  if (auto *constant = dyn_cast<ConstantInt>(elementOperand)) {
    slot += static_cast<uint32_t>(constant->getZExtValue());
  } else {
    element = elementOperand;
    slots = slotsReached(operand);
  }
  if (!isAbsent(call.getArgOperand(at)))
    vertex = call.getArgOperand(at);
}

bool isPerPatchSlot(uint32_t slot) {
  return (slot >= Slot::Patch && slot < Slot::PatchEnd) || slot == Slot::TessLevelOuter ||
         slot == Slot::TessLevelInner;
}

void SlotSet::add(const SlotAccess &access) {
  for (uint32_t slot = access.slot; slot < access.slot + access.slots && slot < Slot::End; ++slot) {
    auto *at = lower_bound(slots, slot);
    if (at == slots.end() || *at != slot)
      slots.insert(at, slot);
  }
}

bool SlotSet::has(uint32_t slot) const { return binary_search(slots, slot); }

bool SlotSet::hasAny(const SlotAccess &access) const {
  const auto *at = lower_bound(slots, access.slot);
  return at != slots.end() && *at < access.slot + access.slots;
}

unsigned SlotSet::position(uint32_t slot) const {
  const auto *at = lower_bound(slots, slot);
  KILN_CHECK(at != slots.end() && *at == slot, "slot has no place in memory");
  return static_cast<unsigned>(at - slots.begin());
}

namespace {

template <typename Visit> void visitAccesses(Function *shader, OpId id, Visit visit) {
  if (!shader)
    return;
  for (Instruction &inst : instructions(*shader))
    if (auto *call = dyn_cast<CallInst>(&inst); call && opIdOf(*call) == id)
      visit(SlotAccess(*call));
}

/// Stores with a dynamic element need all that they may reach to lie together, though only a part
/// of it is read.
void addDynamicStores(Function *shader, SlotSet &vertexSet, SlotSet &patchSet) {
  for (bool changed = true; changed;) {
    changed = false;
    visitAccesses(shader, OpId::OutputStoreOp, [&](const SlotAccess &access) {
      SlotSet &set = isPerPatchSlot(access.slot) ? patchSet : vertexSet;
      unsigned before = set.size();
      if (access.element && set.hasAny(access))
        set.add(access);
      changed |= set.size() != before;
    });
  }
}

void collectSlots(Module &module, TessLayout &layout) {
  Function *vertex = findShader(module, ShaderStage::Vertex);
  Function *control = findShader(module, ShaderStage::TessControl);
  Function *evaluation = findShader(module, ShaderStage::TessEval);
  auto addOutput = [&](const SlotAccess &access) {
    (isPerPatchSlot(access.slot) ? layout.patchOutputs : layout.vertexOutputs).add(access);
  };
  auto addReadBack = [&](const SlotAccess &access) {
    (isPerPatchSlot(access.slot) ? layout.patchReadBack : layout.vertexReadBack).add(access);
  };
  if (control)
    visitAccesses(control, OpId::InputLoadOp, [&](auto access) { layout.inputs.add(access); });
  else
    visitAccesses(vertex, OpId::OutputStoreOp, [&](auto access) { layout.inputs.add(access); });
  visitAccesses(control, OpId::OutputLoadOp, addReadBack);
  // The tessellator's copy of the levels is made at the end, by one invocation of each patch.
  visitAccesses(control, OpId::OutputStoreOp, [&](const SlotAccess &access) {
    if (access.slot == Slot::TessLevelOuter || access.slot == Slot::TessLevelInner)
      addReadBack(access);
  });
  if (evaluation)
    visitAccesses(evaluation, OpId::InputLoadOp, addOutput);
  else
    visitAccesses(control, OpId::OutputStoreOp, addOutput);
  addDynamicStores(vertex, layout.inputs, layout.inputs);
  addDynamicStores(control, layout.vertexReadBack, layout.patchReadBack);
  addDynamicStores(control, layout.vertexOutputs, layout.patchOutputs);
}

/// Is there a barrier that not every invocation passes exactly once? GLSL forbids them. SPIR-V asks
/// only that the invocations of one patch agree, but a wave has several patches.
bool hasConditionalBarrier(Function &control) {
  SmallVector<BasicBlock *, 4> blocks;
  for (Instruction &inst : instructions(control))
    if (auto *call = dyn_cast<CallInst>(&inst))
      if (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier ||
          opIdOf(*call) == OpId::ControlBarrierOp)
        blocks.push_back(call->getParent());
  if (blocks.empty())
    return false;
  DominatorTree dominators(control);
  LoopInfo loops(dominators);
  PostDominatorTree postDominators(control);
  return any_of(blocks, [&](BasicBlock *block) {
    return loops.getLoopFor(block) || !postDominators.dominates(block, &control.getEntryBlock());
  });
}

/// How many patches a threadgroup gets.
Expected<uint32_t> choosePatches(const TessLayout &layout, bool single) {
  TessLayout one = layout;
  one.patches = 1;
  uint32_t ldsPerPatch = one.ldsDwords() * 4;
  uint32_t offChipPerPatch = one.patchSlotStart() + one.patchOutputs.size() * one.patchSlotBytes();
  if (offChipPerPatch > TessLayout::offChipBytes)
    return limitExceeded("outputs of a patch take " + Twine(offChipPerPatch) +
                         " bytes of the off-chip buffer, which has " +
                         Twine(TessLayout::offChipBytes));
  if (ldsPerPatch > pal::abi::maxLdsBytesPerWorkgroup)
    return limitExceeded("a patch takes " + Twine(ldsPerPatch) + " bytes of LDS, which has " +
                         Twine(pal::abi::maxLdsBytesPerWorkgroup));
  if (single)
    return 1;
  uint32_t vertices = std::max(layout.inputVertices, layout.outputVertices);
  // Why 64: more patches a group start later and balance worse.
  uint32_t patches = std::min(TessLayout::maxThreads / vertices, 64u);
  if (offChipPerPatch)
    patches = std::min(patches, TessLayout::offChipBytes / offChipPerPatch);
  // Why half of the LDS: two groups of a WGP overlap.
  for (TessLayout several = layout; patches > 1; --patches) {
    several.patches = patches;
    if (several.ldsDwords() * 4 <= pal::abi::maxLdsBytesPerWorkgroup / 2)
      break;
  }
  // A last wave that is mostly idle costs as much as a full one.
  uint32_t threads = patches * vertices, last = threads % layout.waveSize;
  if (threads > layout.waveSize && last && last * 4 < layout.waveSize * 3)
    patches = std::max((threads - last) / vertices, 1u);
  return patches;
}

Error checkState(Module &module, const PipelineState &state) {
  const GraphicsState &graphics = state.graphics;
  bool control = graphics.has(ShaderStage::TessControl);
  bool evaluation = graphics.has(ShaderStage::TessEval);
  if (control != evaluation)
    return invalidInput(
        Twine("pipeline has a ") +
        shaderStageName(control ? ShaderStage::TessControl : ShaderStage::TessEval) +
        " shader, but no " +
        shaderStageName(control ? ShaderStage::TessEval : ShaderStage::TessControl) + " shader");
  if (!graphics.iaState.dynamicPatchControlPoints &&
      (graphics.iaState.patchControlPoints == 0 ||
       graphics.iaState.patchControlPoints > TessLayout::maxVertices))
    return invalidInput("patchControlPoints is " + Twine(graphics.iaState.patchControlPoints) +
                        ", not 1 to " + Twine(TessLayout::maxVertices));
  // A part of a pipeline may not know what the other shader declares.
  bool whole =
      findShader(module, ShaderStage::TessControl) && findShader(module, ShaderStage::TessEval);
  if (graphics.tess.outputVertices > TessLayout::maxVertices ||
      (whole && graphics.tess.outputVertices == 0))
    return invalidInput("tessellation shaders declare " + Twine(graphics.tess.outputVertices) +
                        " output vertices, not 1 to " + Twine(TessLayout::maxVertices));
  if (whole && graphics.tess.domain == TessModes::Domain::None)
    return invalidInput("tessellation shaders declare no Triangles, Quads or Isolines");
  return Error::success();
}

} // namespace

Expected<TessLayout> planTessellation(Module &module, const PipelineState &state) {
  KILN_TRY(checkState(module, state));
  TessLayout layout;
  const InputAssemblyState &assembly = state.graphics.iaState;
  layout.inputVertices = assembly.dynamicPatchControlPoints ? 0 : assembly.patchControlPoints;
  layout.outputVertices = state.graphics.tess.outputVertices ? state.graphics.tess.outputVertices
                                                             : TessLayout::maxVertices;
  layout.waveSize = chooseWaveSize(state, pal::abi::HardwareStage::Hs);
  // Lane n of the group is invocation n % outputVertices of patch n / outputVertices.
  layout.outputsInWave = layout.waveSize % layout.outputVertices == 0;
  layout.inputsInWave = layout.outputsInWave && layout.inputVertices == layout.outputVertices;
  collectSlots(module, layout);
  Function *control = findShader(module, ShaderStage::TessControl);
  bool single = control && !layout.outputsInWave && hasConditionalBarrier(*control);
  uint32_t patches = KILN_TRY(choosePatches(layout, single));
  layout.patches = patches;
  return layout;
}

} // namespace lgc
