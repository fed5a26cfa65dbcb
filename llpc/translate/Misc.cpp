//===- Misc.cpp - instructions without a class of their own ---------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

Error translateExtInst(Translator &t, const Inst &inst); // Translator.cpp

namespace {

Error translateNothing(Translator &, const Inst &) { return Error::success(); }

/// OpUndef in a function has the same value as at module scope, see constantValue().
Error translateUndef(Translator &t, const Inst &inst) {
  auto value = KILN_TRY(constantValue(t, inst));
  return t.setValue(inst, value);
}

Error translateReadClock(Translator &t, const Inst &inst) {
  auto scope = KILN_TRY(t.readConstant(inst[0]));
  auto type = KILN_TRY(t.type(inst.typeId));
  const auto kind = static_cast<spv::Scope>(scope);
  if (kind != spv::Scope::Subgroup && kind != spv::Scope::Device)
    return t.invalid(inst, "scope must be Subgroup or Device");
  const auto exec =
      kind == spv::Scope::Subgroup ? lgc::ExecScope::Subgroup : lgc::ExecScope::Device;
  Value *clock =
      t.op(lgc::OpId::ShaderClockOp, t.b.getInt64Ty(), {t.i32(static_cast<uint32_t>(exec))});
  if (type == t.b.getInt64Ty())
    return t.setValue(inst, clock);
  if (type != FixedVectorType::get(t.b.getInt32Ty(), 2))
    return t.invalid(inst, "result is neither a 64-bit integer nor two 32-bit integers");
  return t.setValue(inst, t.b.CreateBitCast(clock, type));
}

Expected<Value *> translateExpect(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (type != op.type || op.args[1]->getType() != type || !type->isIntOrIntVectorTy())
    return op.t.invalid(op.inst, "operands and result differ in type");
  if (!type->isIntegerTy())
    return op.args[0];
  return op.b.CreateIntrinsic(Intrinsic::expect, {type}, {op.args[0], op.args[1]});
}

Error translateAssume(Translator &t, const Inst &inst) {
  auto condition = KILN_TRY(t.value(inst[0]));
  if (!condition->getType()->isIntegerTy(1))
    return t.invalid(inst, "condition is not a scalar bool");
  // The hint is dropped: llvm.assume costs compile time in every later pass.
  return Error::success();
}

/// OpArithmeticFenceEXT: the value must not be combined across; a no-op where nothing is
/// reassociated.
Expected<Value *> translateFence(ValueOp &op) { return op.args[0]; }

constexpr OpEntry table[] = {
    instOp(spv::Op::OpNop, translateNothing),
    instOp(spv::Op::OpLine, translateNothing),
    instOp(spv::Op::OpNoLine, translateNothing),
    instOp(spv::Op::OpUndef, translateUndef),
    instOp(spv::Op::OpExtInst, translateExtInst),
    instOp(spv::Op::OpExtInstWithForwardRefsKHR, translateExtInst),
    instOp(spv::Op::OpReadClockKHR, translateReadClock),
    valueOp(spv::Op::OpExpectKHR, translateExpect, Sig::Any, 2),
    instOp(spv::Op::OpAssumeTrueKHR, translateAssume),
    valueOp(spv::Op::OpArithmeticFenceEXT, translateFence, Sig::Any, 1),
};

} // namespace

ArrayRef<OpEntry> miscOps() { return table; }

} // namespace llpc
