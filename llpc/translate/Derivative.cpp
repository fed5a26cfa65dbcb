//===- Derivative.cpp - derivative instructions ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpDPdx and its kin become lgc.derivative; OpFwidth is |d/dx| + |d/dy|. Compute shaders have them
/// with derivative groups (execution modes DerivativeGroupQuadsKHR, DerivativeGroupLinearKHR).
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

Value *derivative(ValueOp &op, lgc::DerivativeKind kind) {
  return op.t.op(lgc::OpId::DerivativeOp, op.type,
                 {op.t.i32(static_cast<uint32_t>(kind)), op.args[0]});
}

Error checkUse(ValueOp &op) {
  using lgc::ShaderStage;
  constexpr ShaderStage stages[] = {ShaderStage::Fragment, ShaderStage::Compute, ShaderStage::Task,
                                    ShaderStage::Mesh};
  if (!is_contained(stages, op.t.options.stage))
    return op.t.invalid(op.inst,
                        "derivatives are for fragment, compute, task and mesh shaders only");
  if (op.type->getScalarType()->isDoubleTy())
    return op.t.invalid(op.inst, "derivative of 64-bit floats");
  return Error::success();
}

template <lgc::DerivativeKind Kind> HandlerResult translateDerivative(ValueOp &op) {
  KILN_TRY(checkUse(op));
  return derivative(op, Kind);
}

template <lgc::DerivativeKind Dx, lgc::DerivativeKind Dy>
HandlerResult translateWidth(ValueOp &op) {
  KILN_TRY(checkUse(op));
  Value *dx = unaryIntrinsic(op, Intrinsic::fabs, derivative(op, Dx));
  Value *dy = unaryIntrinsic(op, Intrinsic::fabs, derivative(op, Dy));
  return op.b.CreateFAdd(dx, dy);
}

using Kind = lgc::DerivativeKind;
constexpr OpEntry table[] = {
    valueOp(spv::Op::OpDPdx, translateDerivative<Kind::Dx>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpDPdy, translateDerivative<Kind::Dy>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpFwidth, translateWidth<Kind::Dx, Kind::Dy>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpDPdxFine, translateDerivative<Kind::DxFine>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpDPdyFine, translateDerivative<Kind::DyFine>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpFwidthFine, translateWidth<Kind::DxFine, Kind::DyFine>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpDPdxCoarse, translateDerivative<Kind::DxCoarse>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpDPdyCoarse, translateDerivative<Kind::DyCoarse>, Sig::SameFloat, 1),
    valueOp(spv::Op::OpFwidthCoarse, translateWidth<Kind::DxCoarse, Kind::DyCoarse>, Sig::SameFloat,
            1),
};

} // namespace

ArrayRef<OpEntry> derivativeOps() { return table; }

} // namespace llpc
