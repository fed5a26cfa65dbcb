//===- LowerVertexBuiltins.cpp - built-in inputs of vertex shaders --------===//
// SPDX-License-Identifier: MIT
/// \file
/// VertexIndex, InstanceIndex, BaseVertex, BaseInstance and DrawIndex of vertex shaders, and
/// ViewIndex of every stage but task shaders. Runs before lgc-lower-vertex-fetch, which makes the
/// same values, and before vertex shaders merge with others.
///   before: %i = call i32 @lgc.builtin__i32_i32(i32 VertexIndex)
///   after:  %v = call i32 @lgc.hw.value__i32_i32(i32 VertexId)
///           %b = call i32 @lgc.special.user.data__i32_i32(i32 BaseVertex)
///           %i = add i32 %v, %b
/// HW: the ids in registers start at 0 for direct draws, and at what the index buffer holds for
/// indexed ones; the driver passes first vertex (or vertex offset) and first instance as user data.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "pal_shim/abi/AbiNames.h"

using namespace llvm;

namespace lgc {

Value *createHwValue(IRBuilder<> &b, HwValue value, const Twine &name) {
  return createOp(b, OpId::HwValueOp, b.getInt32Ty(), {b.getInt32(static_cast<uint32_t>(value))},
                  name);
}

Value *createSpecialUserData(IRBuilder<> &b, uint32_t special, const Twine &name) {
  return createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(), {b.getInt32(special)}, name);
}

Value *createVertexIndex(IRBuilder<> &b) {
  Value *id = createHwValue(b, HwValue::VertexId, "vertex.id");
  Value *base = createSpecialUserData(b, pal::abi::userdata::baseVertex, "base.vertex");
  return b.CreateAdd(id, base, "vertex.index");
}

Value *createInstanceIndex(IRBuilder<> &b, uint32_t divisor) {
  Value *base = createSpecialUserData(b, pal::abi::userdata::baseInstance, "base.instance");
  if (divisor == 0)
    return base;
  return createInstanceIndex(b, createHwValue(b, HwValue::InstanceId, "instance.id"), base,
                             divisor);
}

Value *createInstanceIndex(IRBuilder<> &b, Value *id, Value *base, uint32_t divisor) {
  if (divisor == 0)
    return base;
  // Code generation turns a division by a constant into a multiplication.
  Value *element = divisor == 1 ? id : b.CreateUDiv(id, b.getInt32(divisor));
  return b.CreateAdd(element, base, "instance.index");
}

/// Null: no built-in of this pass.
static Value *makeBuiltin(IRBuilder<> &b, BuiltIn builtin, bool isVertexShader) {
  if (builtin == BuiltIn::ViewIndex)
    return createSpecialUserData(b, pal::abi::userdata::viewId, "view");
  if (!isVertexShader)
    return nullptr;
  switch (builtin) {
  case BuiltIn::VertexIndex:
    return createVertexIndex(b);
  case BuiltIn::InstanceIndex:
    return createInstanceIndex(b, 1);
  case BuiltIn::BaseVertex:
    return createSpecialUserData(b, pal::abi::userdata::baseVertex, "base.vertex");
  case BuiltIn::BaseInstance:
    return createSpecialUserData(b, pal::abi::userdata::baseInstance, "base.instance");
  case BuiltIn::DrawIndex:
    return createSpecialUserData(b, pal::abi::userdata::drawIndex, "draw");
  default:
    return nullptr;
  }
}

PreservedAnalyses LowerVertexBuiltinsPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics() || !hasOp(module, OpId::BuiltinOp))
    return PreservedAnalyses::all();
  forEachOp(module, OpId::BuiltinOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    std::optional<ShaderStage> stage = shaderStageOf(*call.getFunction());
    // The driver tells compute stages no view; lgc-lower-mesh knows where theirs is.
    if (stage == ShaderStage::Task)
      return;
    auto builtin = static_cast<BuiltIn>(cast<BuiltinOp>(call).constArg(0));
    // Without multiview there is one view, number 0, and no user data.
    Value *value = builtin == BuiltIn::ViewIndex && !state.graphics.iaState.enableMultiView
                       ? b.getInt32(0)
                       : makeBuiltin(b, builtin, stage == ShaderStage::Vertex);
    if (!value)
      return;
    if (value->getType() != call.getType()) {
      reportError(
          module.getContext(),
          internalError("lgc.builtin " + Twine(static_cast<uint32_t>(builtin)) + ": wrong type"));
      value = PoisonValue::get(call.getType());
    }
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  });
  return PreservedAnalyses::none();
}

} // namespace lgc
