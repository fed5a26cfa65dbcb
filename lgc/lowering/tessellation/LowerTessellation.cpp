//===- LowerTessellation.cpp - tessellation -> HS, off-chip buffer --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes the hardware stage HS of the vertex and the control shader, and turns what the evaluation
/// shader reads into loads, after which it is a shader of vertices like any other for the passes
/// behind. Where the values are: TessLayout.h. Runs after the shaders' own built-ins and barriers
/// are lowered, before the passes that make stages of the last vertex shader.
///   before: define void @lgc.shader.VS() { call lgc.output.store(%v, i32 0, ...) }
///           define void @lgc.shader.TCS() { %x = call lgc.input.load(i32 0, .., %vertex)
///                                           call lgc.output.store(%x, i32 0, .., %invocation) }
///           define void @lgc.shader.TES() { %y = call lgc.input.load(i32 0, .., i32 2) }
///   after:  define void @lgc.hw.HS() {
///             lanes of the vertex half: store %v to LDS; barrier
///             lanes of the control half: %x = load from LDS; buffer.store %x to OffChipLds
///             barrier; invocation 0: levels from LDS to the buffer TessFactor
///           }
///           define void @lgc.shader.TES() { %y = buffer.load from OffChipLds }
///
/// HW: the tessellator takes the factors of a patch as consecutive dwords: outer edges, then inner
/// ones; of isolines the detail (Outer[1]) comes before the density (Outer[0]). From gfx11 on a
/// message may replace the memory when all factors of a group are 0 or 1, which is optional.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/MergedStage.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "lgc/lowering/tessellation/TessOperations.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

/// The dwords of the ring that a patch has, by domain: slot and component of each.
struct FactorSource {
  uint32_t slot;
  uint32_t component;
};
ArrayRef<FactorSource> factorsOf(TessModes::Domain domain) {
  constexpr uint32_t outer = Slot::TessLevelOuter, inner = Slot::TessLevelInner;
  static constexpr FactorSource isolines[] = {{outer, 1}, {outer, 0}};
  static constexpr FactorSource triangles[] = {{outer, 0}, {outer, 1}, {outer, 2}, {inner, 0}};
  static constexpr FactorSource quads[] = {{outer, 0}, {outer, 1}, {outer, 2},
                                           {outer, 3}, {inner, 0}, {inner, 1}};
  switch (domain) {
  case TessModes::Domain::Isolines:
    return isolines;
  case TessModes::Domain::Triangles:
    return triangles;
  default:
    return quads; // also a control shader alone: the evaluation shader knows the domain
  }
}

// --- The merged stage

/// Which components of a slot the control shader stores.
uint32_t storedComponents(Function &control, uint32_t slot) {
  uint32_t mask = 0;
  for (Instruction &inst : instructions(control)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || opIdOf(*call) != OpId::OutputStoreOp)
      continue;
    SlotAccess access(*call);
    auto *vector = dyn_cast<FixedVectorType>(access.value->getType());
    if (access.slot == slot)
      mask |= ((1u << (vector ? vector->getNumElements() : 1)) - 1) << access.component;
  }
  return mask;
}

struct StoredLevels {
  uint32_t outer = 0, inner = 0; ///< bit per component
};

/// Copies the levels of each patch from LDS to the ring.
void writeFactors(IRBuilder<> &b, const PipelineState &state, const TessLayout &layout,
                  GlobalVariable *lds, const StoredLevels &stored) {
  unsigned gfxMajor = pal::abi::findTarget(state.target)->major;
  auto word = [&](HwValue value) {
    return createOp(b, OpId::HwValueOp, b.getInt32Ty(), {b.getInt32(static_cast<uint32_t>(value))});
  };
  // Any invocation may have stored a level.
  if (layout.outputVertices > 1 && (stored.outer || stored.inner))
    createLdsBarrier(b, !layout.outputsInWave);
  Value *ids = word(HwValue::HsRelPatchId);
  Value *first = b.CreateICmpEQ(b.CreateAnd(ids, 31u << 8), b.getInt32(0), "first");
  Instruction *next = beginGuarded(b, first, "factors");
  Value *patch = b.CreateAnd(ids, 255);
  SmallVector<Value *, 6> factors;
  for (const FactorSource &source : factorsOf(state.graphics.tess.domain)) {
    uint32_t mask = source.slot == Slot::TessLevelOuter ? stored.outer : stored.inner;
    if (!(mask >> source.component & 1)) {
      factors.push_back(b.getInt32(0)); // undefined in the API; 0 draws nothing
      continue;
    }
    uint32_t position = layout.patchReadBack.position(source.slot) * 4 + source.component;
    Value *index = b.CreateNUWAdd(b.CreateNUWMul(patch, b.getInt32(layout.patchStride())),
                                  b.getInt32(layout.patchStart() + position));
    factors.push_back(TessLds(b, lds).load(b.getInt32Ty(), index));
  }
  // HW(gfx12): the tessellator reads past the L2 that the shaders share.
  AccessPolicy policy{gfxMajor >= 12 ? CoherenceScope::System : CoherenceScope::Device, false,
                      false};
  Type *v4i32 = FixedVectorType::get(b.getInt32Ty(), 4);
  Value *table = createOp(b, OpId::DriverTableOp, v4i32, {b.getInt32(DriverTable::TessFactor)});
  TessBuffer ring(b, table, word(HwValue::TfBufferBase),
                  cachePolicyBits(gfxMajor, AccessKind::Store, policy));
  Value *offset = b.CreateNUWMul(patch, b.getInt32(static_cast<uint32_t>(factors.size()) * 4));
  for (unsigned at = 0; at < factors.size(); at += 4) {
    auto count = static_cast<unsigned>(std::min<size_t>(factors.size() - at, 4));
    Value *vector = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), count));
    for (unsigned i = 0; i < count; ++i)
      vector = b.CreateInsertElement(vector, factors[at + i], i);
    ring.store(vector, b.CreateNUWAdd(offset, b.getInt32(at * 4)), 0);
  }
  b.SetInsertPoint(next);
}

void mergeHs(Module &module, const PipelineState &state, const TessLayout &layout,
             GlobalVariable *lds, const StoredLevels &stored) {
  Function *vertex = findShader(module, ShaderStage::Vertex);
  Function *control = findShader(module, ShaderStage::TessControl);
  SmallVector<Function *, 2> halves;
  for (Function *half : {vertex, control})
    if (half)
      halves.push_back(half);
  Function *merged = createMergedFunction(module, state, HardwareStage::Hs, halves);
  uint32_t threads = alignTo(layout.threads(), layout.waveSize);
  merged->addFnAttr("amdgpu-flat-work-group-size", (Twine(threads) + "," + Twine(threads)).str());

  IRBuilder<> b(merged->getEntryBlock().getTerminator());
  Value *info =
      createOp(b, OpId::HwValueOp, b.getInt32Ty(),
               {b.getInt32(static_cast<uint32_t>(HwValue::MergedWaveInfo))}, "MergedWaveInfo");
  Value *lane = createLaneId(b, layout.waveSize);
  if (vertex) {
    Instruction *next = beginGuarded(b, createHasThread(b, info, 0, lane), "vertex");
    inlineHalf(b, *vertex);
    b.SetInsertPoint(next);
  }
  if (vertex && control && layout.inputs.size())
    createLdsBarrier(b, !layout.inputsInWave);
  if (control) {
    // Why barriers may stand in here: a wave without a lane in this half ends, and the hardware
    // waits only for waves that have not.
    Instruction *next = beginGuarded(b, createHasThread(b, info, 8, lane), "control");
    inlineHalf(b, *control);
    writeFactors(b, state, layout, lds, stored);
    b.SetInsertPoint(next);
  }
}

void writeRegisters(Module &module, const PipelineState &state, const TessLayout &layout) {
  namespace key = pal::abi::key;
  const TessModes &tess = state.graphics.tess;
  // Floats in the registers; the driver converts.
  setGraphics(module, key::vgtHosMinTessLevel, 1);
  setGraphics(module, key::vgtHosMaxTessLevel, 64);
  setGraphics(module, key::vgtLsHsConfig, key::numPatches, layout.patches);
  if (layout.inputVertices)
    setGraphics(module, key::vgtLsHsConfig, key::hsNumInputCp, layout.inputVertices);
  setGraphics(module, key::vgtLsHsConfig, key::hsNumOutputCp, layout.outputVertices);

  // VGT_TF_PARAM: TYPE isoline, triangle, quad; PARTITIONING integer, pow2, odd, even; TOPOLOGY
  // point, line, triangle clockwise and counter-clockwise; DISTRIBUTION_MODE none, patches, donuts,
  // trapezoids.
  bool isolines = tess.domain == TessModes::Domain::Isolines;
  bool clockwise = (tess.order == TessModes::Order::Cw) != state.graphics.iaState.switchWinding;
  setGraphics(module, key::vgtTfParam, key::type,
              isolines                                      ? 0
              : tess.domain == TessModes::Domain::Triangles ? 1
                                                            : 2);
  setGraphics(module, key::vgtTfParam, key::partitioning,
              tess.spacing == TessModes::Spacing::FractionalOdd    ? 2
              : tess.spacing == TessModes::Spacing::FractionalEven ? 3
                                                                   : 0);
  setGraphics(module, key::vgtTfParam, key::topology,
              tess.pointMode ? 0
              : isolines     ? 1
              : clockwise    ? 2
                             : 3);
  setGraphics(module, key::vgtTfParam, key::distributionMode, 3);
  StagePlan plan = planStages(state);
  if (!plan.ngg && !plan.hasGs) {
    // HW(gfx10): primitive groups of the legacy path, as AMD's compiler has them.
    setGraphics(module, key::vgtGsOnchipCntl, key::esVertsPerSubgroup, 250);
    setGraphics(module, key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup, 126);
    setGraphics(module, key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp, 126);
  }
}

} // namespace

PreservedAnalyses LowerTessellationPass::run(Module &module, ModuleAnalysisManager &mam) {
  const StateAnalysis::Result &result = mam.getResult<StateAnalysis>(module);
  const PipelineState &state = result.state;
  if (!planStages(state).hasTess)
    return PreservedAnalyses::all();
  Function *vertex = findShader(module, ShaderStage::Vertex);
  Function *control = findShader(module, ShaderStage::TessControl);
  Function *evaluation = findShader(module, ShaderStage::TessEval);
  if (!vertex && !control && !evaluation)
    return PreservedAnalyses::all();
  if (!pal::abi::findTarget(state.target)) {
    reportError(module.getContext(), invalidInput("unknown target '" + state.target + "'"));
    return PreservedAnalyses::all();
  }
  Expected<TessLayout> layout = planTessellation(module, state);
  if (!layout) {
    reportError(module.getContext(), layout.takeError());
    return PreservedAnalyses::all();
  }
  if (vertex || control)
    writeRegisters(module, state, *layout);
  GlobalVariable *lds = nullptr;
  if (uint32_t dwords = layout->ldsDwords(); dwords && (vertex || control)) {
    auto *type = ArrayType::get(Type::getInt32Ty(module.getContext()), dwords);
    lds = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                             PoisonValue::get(type), "lgc.lds.HS", nullptr,
                             GlobalValue::NotThreadLocal, AddrSpace::Local);
    lds->setAlignment(Align(16));
  }
  if (vertex)
    TessOperations(*vertex, state, *layout, lds).lowerVertex();
  StoredLevels stored;
  if (control) {
    stored = {storedComponents(*control, Slot::TessLevelOuter),
              storedComponents(*control, Slot::TessLevelInner)};
    TessOperations(*control, state, *layout, lds).lowerControl();
  }
  if (evaluation)
    TessOperations(*evaluation, state, *layout, nullptr).lowerEvaluation();
  if (vertex || control)
    mergeHs(module, state, *layout, lds, stored);
  return PreservedAnalyses::none();
}

} // namespace lgc
