//===- Fragment.cpp - instructions of fragment shaders --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Ending and demoting invocations, fragment shader interlock,
/// SPV_AMD_shader_explicit_vertex_parameter and GLSL.std.450's interpolateAt* functions, which find
/// the input behind their pointer again and interpolate it elsewhere:
///   before: %p = OpAccessChain %colors %i ; %x = OpExtInst InterpolateAtSample %p %s
///   after:  %w = lgc.barycentric(AtSample, 0, s) ; %x = lgc.input.interpolate(4, 0, i, w)
#include "lgc/VertexOrder.h"
#include "llpc/translate/GlslStd450.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

Error requireFragment(Translator &t, const Inst &inst) {
  if (!t.isStage(lgc::ShaderStage::Fragment))
    return t.invalid(inst, "only allowed in fragment shaders");
  return Error::success();
}

/// OpKill and OpTerminateInvocation.
Error translateEnd(Translator &t, const Inst &inst) {
  KILN_TRY(requireFragment(t, inst));
  t.op(lgc::OpId::KillOp, t.b.getVoidTy(), {});
  t.b.CreateUnreachable();
  return Error::success();
}

Error translateDemote(Translator &t, const Inst &inst) {
  KILN_TRY(requireFragment(t, inst));
  t.op(lgc::OpId::DemoteOp, t.b.getVoidTy(), {});
  return Error::success();
}

Error translateIsHelper(Translator &t, const Inst &inst) {
  KILN_TRY(requireFragment(t, inst));
  return t.setValue(inst, t.op(lgc::OpId::IsHelperOp, t.b.getInt1Ty(), {}));
}

Error translateInterlock(Translator &t, const Inst &inst) {
  KILN_TRY(requireFragment(t, inst));
  if (t.graphics->fragment.interlock == lgc::FragmentModes::Interlock::None)
    return t.invalid(inst, "the entry point has no interlock mode");
  const bool begin = inst.opcode == spv::Op::OpBeginInvocationInterlockEXT;
  t.op(lgc::OpId::InterlockOp, t.b.getVoidTy(), {t.i32(begin)});
  return Error::success();
}

/// An input at other weights than its decorations ask for. Flat inputs are the same everywhere.
HandlerResult interpolateAt(ValueOp &op, lgc::BaryMode mode, Value *argument) {
  Translator &t = op.t;
  KILN_TRY(requireFragment(t, op.inst));
  const Inst *variable = interfaceVariable(t, op.argIds[0]);
  if (!variable || (*variable)[0] != static_cast<uint32_t>(spv::StorageClass::Input))
    return t.invalid(op.inst, "the interpolant is no pointer to an input");
  if (directVariable(t, op.argIds[0]))
    return t.invalid(op.inst, "a PerVertexKHR input has nothing to interpolate");
  auto pointer = KILN_TRY(interfacePointer(t, op.inst, op.argIds[0]));
  const InterfaceCursor &at = pointer.at;
  const bool isBary = at.builtin && isBaryCoord(*at.builtin);
  if (at.builtin && !isBary && at.builtin->source != BuiltInRow::Source::Slot)
    return t.unsupportedOp(op.inst, "interpolating a built-in that no earlier stage wrote");
  auto type = KILN_TRY(t.type(at.typeId));
  if (!type->isFPOrFPVectorTy() || (pointer.dynamicIndex && !type->isVectorTy()))
    return t.invalid(op.inst, "the interpolant is no float scalar or vector");
  Value *value = nullptr;
  if (isBary) {
    value = loadBaryCoord(t, *at.builtin, mode, argument);
    if (!type->isVectorTy())
      value = op.b.CreateExtractElement(value, at.component);
  } else {
    const bool linear = at.decorations.noPerspective;
    Value *weights = t.op(lgc::OpId::BarycentricOp, FixedVectorType::get(op.b.getFloatTy(), 2),
                          {t.i32(static_cast<uint32_t>(mode)), t.i32(linear), argument});
    auto input = KILN_TRY(loadInputLeaf(t, at, type, weights));
    value = input;
  }
  Value *result =
      pointer.dynamicIndex ? op.b.CreateExtractElement(value, pointer.dynamicIndex) : value;
  if (result->getType() != op.type)
    return t.invalid(op.inst, "the result has another type than the interpolant");
  return result;
}

/// InterpolateAtVertexAMD: the value at one vertex of the primitive. Shaders that declare the
/// instruction themselves (GL_EXT_spirv_intrinsics) give it the loaded input, not its pointer.
HandlerResult interpolateAtVertex(ValueOp &op) {
  Translator &t = op.t;
  KILN_TRY(requireFragment(t, op.inst));
  const Inst *operand = t.spv.definition(op.argIds[0]);
  const bool loaded = operand && operand->opcode == spv::Op::OpLoad;
  const Id id = loaded ? (*operand)[0] : op.argIds[0];
  const Inst *variable = interfaceVariable(t, id);
  if (!variable || (*variable)[0] != static_cast<uint32_t>(spv::StorageClass::Input) ||
      directVariable(t, id))
    return t.invalid(op.inst, "the interpolant is no pointer to an input");
  auto pointer = KILN_TRY(interfacePointer(t, op.inst, id));
  if (pointer.at.builtin || pointer.dynamicIndex)
    return t.unsupportedOp(op.inst, "a built-in or an unknown component as interpolant");
  const auto *number = dyn_cast<ConstantInt>(op.args[1]);
  if (!number || number->getValue().ugt(2))
    return t.invalid(op.inst, "the vertex number is no constant of 0 to 2");
  auto type = KILN_TRY(t.type(pointer.at.typeId));
  if (type != op.type || type->isAggregateType())
    return t.invalid(op.inst, "the result has another type than the interpolant");
  // Its number is that of the weights, not of the API's vertices.
  pointer.at.vertex = t.i32(static_cast<uint32_t>(number->getZExtValue()) | lgc::hardwareOrderBit);
  return loadInputLeaf(t, pointer.at, type);
}

constexpr ExtEntry explicitVertexTable[] = {
    {1, "InterpolateAtVertexAMD", interpolateAtVertex, Sig::Any, 2},
};

constexpr OpEntry table[] = {
    instOp(spv::Op::OpKill, translateEnd),
    instOp(spv::Op::OpTerminateInvocation, translateEnd),
    instOp(spv::Op::OpDemoteToHelperInvocation, translateDemote),
    instOp(spv::Op::OpIsHelperInvocationEXT, translateIsHelper),
    instOp(spv::Op::OpBeginInvocationInterlockEXT, translateInterlock),
    instOp(spv::Op::OpEndInvocationInterlockEXT, translateInterlock),
};

} // namespace

namespace glsl {

HandlerResult interpolateAtCentroid(ValueOp &op) {
  return interpolateAt(op, lgc::BaryMode::Centroid, op.t.absent());
}

HandlerResult interpolateAtSample(ValueOp &op) {
  if (!op.args[1]->getType()->isIntegerTy(32))
    return op.t.invalid(op.inst, "the sample number is no 32-bit integer");
  return interpolateAt(op, lgc::BaryMode::AtSample, op.args[1]);
}

HandlerResult interpolateAtOffset(ValueOp &op) {
  Value *offset = op.args[1];
  auto *pairOfFloats = FixedVectorType::get(op.b.getFloatTy(), 2);
  if (offset->getType() ==
      FixedVectorType::get(op.b.getHalfTy(), 2)) // SPV_AMD_gpu_shader_half_float
    offset = op.b.CreateFPExt(offset, pairOfFloats);
  if (offset->getType() != pairOfFloats)
    return op.t.invalid(op.inst, "the offset is no vector of two 16-bit or 32-bit floats");
  return interpolateAt(op, lgc::BaryMode::AtOffset, offset);
}

} // namespace glsl

ArrayRef<OpEntry> fragmentOps() { return table; }
ArrayRef<ExtEntry> amdExplicitVertexOps() { return explicitVertexTable; }

} // namespace llpc
