//===- TessOperations.cpp - operations of tessellation shaders ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/tessellation/TessOperations.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/MergedStage.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

/// Mask of ids that are much smaller. Lets LLVM multiply 24 bits, a quarter of the time, and costs
/// nothing itself.
constexpr uint32_t uint24 = 0xFFFFFF;
/// CompositeData of the driver (docs/hw-notes.md#tessellation): control points of a patch.
constexpr unsigned compositePointsBit = 11, compositePointsBits = 6;

TessOperations::TessOperations(Function &function, const PipelineState &state,
                               const TessLayout &layout, GlobalVariable *lds)
    : function(function), state(state), layout(layout), lds(lds),
      gfxMajor(pal::abi::findTarget(state.target)->major), b(function.getContext()) {
  b.SetInsertPoint(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
}

Value *TessOperations::hwValue(HwValue value, Type *type) {
  return createOp(b, OpId::HwValueOp, type, {b.getInt32(static_cast<uint32_t>(value))},
                  hwValueName(value));
}

void TessOperations::lowerOps(OpId id, Lower lower) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst); call && opIdOf(*call) == id)
      calls.push_back(call);
  for (CallInst *call : calls) {
    b.SetInsertPoint(call);
    if (Value *value = (this->*lower)(*call))
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

/// The vertex operand of an access to an array of vertices; 0 and an error when it is missing.
Value *TessOperations::checkVertex(const SlotAccess &access, CallInst &call) {
  if (access.vertex)
    return access.vertex;
  reportError(call.getContext(), internalError("slot " + Twine(access.slot) + " of a " +
                                               shaderStageName(*shaderStageOf(function)) +
                                               " shader is accessed without a vertex"));
  return b.getInt32(0);
}

/// Number of a vertex of this patch in the group, with `vertices` per patch.
Value *TessOperations::recordOf(Value *vertices, Value *vertex) {
  return b.CreateAdd(b.CreateNUWMul(relPatch, vertices), vertex);
}

Value *TessOperations::inputVertices() {
  if (layout.inputVertices)
    return b.getInt32(layout.inputVertices);
  Value *composite = createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(),
                              {b.getInt32(pal::abi::userdata::compositeData)}, "composite");
  composite = b.CreateLShr(composite, compositePointsBit);
  return b.CreateAnd(composite, (1u << compositePointsBits) - 1, "patchVertices");
}

Value *TessOperations::outputVertices() { return b.getInt32(layout.outputVertices); }

// --- Vertex shader: the LS half

void TessOperations::lowerVertex() {
  if (layout.inputs.size() && gfxMajor >= 12) {
    // HW(gfx12): the relative vertex id no longer comes in a register.
    Value *wave = b.CreateAnd(hwWord(HwValue::WaveIdInGroup), 31);
    Value *firstOfWave = b.CreateNUWMul(wave, b.getInt32(layout.waveSize));
    vertexInGroup = b.CreateNUWAdd(firstOfWave, createLaneId(b, layout.waveSize));
  } else if (layout.inputs.size()) {
    vertexInGroup = b.CreateAnd(hwWord(HwValue::RelVertexId), uint24);
  }
  lowerOps(OpId::OutputStoreOp, &TessOperations::storeVertexOutput);
}

Value *TessOperations::storeVertexOutput(CallInst &call) {
  SlotAccess access(call);
  if (layout.inputs.hasAny(access))
    TessLds(b, lds).store(access.value, createLdsIndex(b, layout.inputs, access, 0,
                                                       layout.inputStride(), vertexInGroup));
  return nullptr;
}

// --- Control shader: the HS half

void TessOperations::makeOffChip(HwValue relativePatch) {
  relPatch = hwWord(relativePatch);
  if (relativePatch == HwValue::HsRelPatchId) {
    invocation = b.CreateAnd(b.CreateLShr(relPatch, 8), 31, "invocation");
    relPatch = b.CreateAnd(relPatch, 255, "relPatch");
  } else {
    relPatch = b.CreateAnd(relPatch, uint24, "relPatch");
  }
  Type *v4i32 = FixedVectorType::get(b.getInt32Ty(), 4);
  AccessKind kind = invocation ? AccessKind::Store : AccessKind::Load;
  // Evaluation shaders run anywhere on the device.
  AccessPolicy policy{CoherenceScope::Device, false, false};
  Value *ring =
      createOp(b, OpId::DriverTableOp, v4i32, {b.getInt32(DriverTable::OffChipLds)}, "offChip");
  offChip.emplace(b, ring, hwWord(HwValue::OffChipLdsBase),
                  cachePolicyBits(gfxMajor, kind, policy));
}

void TessOperations::lowerControl() {
  makeOffChip(HwValue::HsRelPatchId);
  lowerBuiltins();
  lowerBarriers();
  lowerOps(OpId::InputLoadOp, &TessOperations::loadControlInput);
  lowerOps(OpId::OutputLoadOp, &TessOperations::loadControlOutput);
  lowerOps(OpId::OutputStoreOp, &TessOperations::storeControlOutput);
}

/// A barrier is of the invocations of one patch. Its memory semantics are those of LDS whatever
/// SPIR-V says: GLSL's barrier() orders outputs without naming their memory.
void TessOperations::lowerBarriers() {
  SmallVector<CallInst *, 4> barriers;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst))
      if (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier ||
          (opIdOf(*call) == OpId::ControlBarrierOp &&
           cast<ControlBarrierOp>(call)->constArg(0) ==
               static_cast<uint32_t>(ExecScope::Workgroup)))
        barriers.push_back(call);
  for (CallInst *barrier : barriers) {
    b.SetInsertPoint(barrier);
    createLdsBarrier(b, !layout.outputsInWave);
    barrier->eraseFromParent();
  }
}

Value *TessOperations::loadControlInput(CallInst &call) {
  SlotAccess access(call);
  Value *record = recordOf(inputVertices(), checkVertex(access, call));
  return TessLds(b, lds).load(
      call.getType(), createLdsIndex(b, layout.inputs, access, 0, layout.inputStride(), record));
}

Value *TessOperations::loadControlOutput(CallInst &call) {
  SlotAccess access(call);
  Value *index = nullptr;
  if (isPerPatchSlot(access.slot))
    index = createLdsIndex(b, layout.patchReadBack, access, layout.patchStart(),
                           layout.patchStride(), relPatch);
  else
    index = createLdsIndex(b, layout.vertexReadBack, access, layout.outputStart(),
                           layout.outputStride(),
                           recordOf(outputVertices(), checkVertex(access, call)));
  return TessLds(b, lds).load(call.getType(), index);
}

/// Lane offset and common offset of an output in the off-chip buffer.
std::pair<Value *, uint32_t> TessOperations::offChipOffset(const SlotAccess &access,
                                                           CallInst &call) {
  bool perPatch = isPerPatchSlot(access.slot);
  const SlotSet &set = perPatch ? layout.patchOutputs : layout.vertexOutputs;
  uint32_t slotBytes = perPatch ? layout.patchSlotBytes() : layout.vertexSlotBytes();
  uint32_t constant =
      set.position(access.slot) * slotBytes + (perPatch ? layout.patchSlotStart() : 0);
  Value *record = perPatch ? relPatch : recordOf(outputVertices(), checkVertex(access, call));
  Value *offset = b.CreateShl(record, 4);
  if (access.element)
    offset = b.CreateAdd(offset, b.CreateMul(access.element, b.getInt32(slotBytes)));
  return {b.CreateNUWAdd(offset, b.getInt32(access.component * 4)), constant};
}

Value *TessOperations::storeControlOutput(CallInst &call) {
  SlotAccess access(call);
  bool perPatch = isPerPatchSlot(access.slot);
  const SlotSet &outputs = perPatch ? layout.patchOutputs : layout.vertexOutputs;
  if (outputs.hasAny(access)) {
    auto [offset, constant] = offChipOffset(access, call);
    offChip->store(access.value, offset, constant);
  }
  const SlotSet &readBack = perPatch ? layout.patchReadBack : layout.vertexReadBack;
  if (readBack.hasAny(access)) {
    Value *record = perPatch ? relPatch : recordOf(outputVertices(), checkVertex(access, call));
    TessLds(b, lds).store(
        access.value,
        createLdsIndex(b, readBack, access, perPatch ? layout.patchStart() : layout.outputStart(),
                       perPatch ? layout.patchStride() : layout.outputStride(), record));
  }
  return nullptr;
}

// --- Evaluation shader

void TessOperations::lowerEvaluation() {
  makeOffChip(HwValue::TessRelPatchId);
  lowerBuiltins();
  lowerOps(OpId::InputLoadOp, &TessOperations::loadEvaluationInput);
}

Value *TessOperations::loadEvaluationInput(CallInst &call) {
  auto [offset, constant] = offChipOffset(SlotAccess(call), call);
  return offChip->load(call.getType(), offset, constant);
}

// --- Built-ins of both

void TessOperations::lowerBuiltins() {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst); call && opIdOf(*call) == OpId::BuiltinOp)
      calls.push_back(call);
  for (CallInst *call : calls) {
    b.SetInsertPoint(call);
    Value *value = builtin(static_cast<BuiltIn>(cast<BuiltinOp>(call)->constArg(0)));
    if (!value)
      continue; // of another pass
    if (value->getType() != call->getType()) {
      reportError(call->getContext(),
                  internalError("lgc.builtin of a tessellation shader has a wrong type"));
      value = PoisonValue::get(call->getType());
    }
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

Value *TessOperations::builtin(BuiltIn which) {
  bool control = invocation != nullptr;
  switch (which) {
  case BuiltIn::InvocationId:
    return invocation;
  case BuiltIn::InputPrimitiveId:
    return hwWord(control ? HwValue::HsPatchId : HwValue::TessPatchId);
  case BuiltIn::PatchVertices:
    return control ? inputVertices() : outputVertices();
  case BuiltIn::TessCoord:
    return control ? nullptr : tessCoord();
  default:
    return nullptr;
  }
}

Value *TessOperations::tessCoord() {
  Type *f32 = b.getFloatTy();
  Value *u = hwValue(HwValue::TessCoordX, f32), *v = hwValue(HwValue::TessCoordY, f32);
  Value *w = ConstantFP::get(f32, 0);
  if (state.graphics.tess.domain == TessModes::Domain::Triangles)
    w = b.CreateFSub(b.CreateFSub(ConstantFP::get(f32, 1), u), v);
  Value *coord = PoisonValue::get(FixedVectorType::get(f32, 3));
  coord = b.CreateInsertElement(coord, u, uint64_t(0));
  coord = b.CreateInsertElement(coord, v, uint64_t(1));
  return b.CreateInsertElement(coord, w, uint64_t(2));
}

} // namespace lgc
