//===- DotProduct.cpp - SPIR-V integer dot products -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpSDot, OpUDot, OpSUDot and their accumulating forms, on integer vectors or on four bytes packed
/// into 32 bits, become lgc.dot.product: which hardware instruction fits is the target's business.
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// A factor as a vector: itself, or the four bytes of a packed word.
Expected<Value *> dotFactor(Translator &t, const Inst &inst, unsigned index, bool isPacked) {
  auto value = KILN_TRY(t.value(inst[index]));
  Type *type = value->getType();
  if (isIntShape(type) && type->isVectorTy())
    return value;
  if (isPacked && type->isIntegerTy(32))
    return t.b.CreateBitCast(value, FixedVectorType::get(t.b.getInt8Ty(), 4));
  return t.invalid(inst, "operand " + Twine(index) + " has type " + typeText(type) +
                             ", expected integer vector" + (isPacked ? " or 32-bit integer" : ""));
}

Error translateDot(Translator &t, const Inst &inst, uint32_t flags) {
  unsigned valueCount = flags & lgc::DotFlags::Saturate ? 3 : 2;
  if (inst.size() < valueCount)
    return t.invalid(inst, Twine(inst.size()) + " operand(s), expected " + Twine(valueCount));
  bool isPacked = inst.size() > valueCount;
  if (isPacked &&
      inst[valueCount] != static_cast<uint32_t>(spv::PackedVectorFormat::PackedVectorFormat4x8Bit))
    return t.unsupportedOp(inst, "packed vector format " + Twine(inst[valueCount]));
  auto a = KILN_TRY(dotFactor(t, inst, 0, isPacked));
  auto b = KILN_TRY(dotFactor(t, inst, 1, isPacked));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (a->getType() != b->getType())
    return t.invalid(inst, "operand 1 has type " + typeText(b->getType()) + ", expected " +
                               typeText(a->getType()));
  if (!isIntShape(type) || type->isVectorTy() ||
      type->getScalarSizeInBits() < a->getType()->getScalarSizeInBits())
    return t.invalid(inst, "result has type " + typeText(type) + ", expected integer of at least " +
                               Twine(a->getType()->getScalarSizeInBits()) + " bits");
  Value *accumulator = t.absent();
  if (valueCount == 3) {
    auto given = KILN_TRY(t.value(inst[2]));
    if (given->getType() != type)
      return t.invalid(inst, "operand 2 has type " + typeText(given->getType()) + ", expected " +
                                 typeText(type));
    accumulator = given;
  }
  return t.setValue(inst, t.op(lgc::OpId::DotProductOp, type, {t.i32(flags), a, b, accumulator}));
}

template <uint32_t Flags> Error translate(Translator &t, const Inst &inst) {
  return translateDot(t, inst, Flags);
}

constexpr uint32_t bothSigned = lgc::DotFlags::SignedA | lgc::DotFlags::SignedB;
constexpr uint32_t saturate = lgc::DotFlags::Saturate;

constexpr OpEntry table[] = {
    instOp(spv::Op::OpSDot, translate<bothSigned>),
    instOp(spv::Op::OpUDot, translate<0>),
    instOp(spv::Op::OpSUDot, translate<lgc::DotFlags::SignedA>),
    instOp(spv::Op::OpSDotAccSat, translate<bothSigned | saturate>),
    instOp(spv::Op::OpUDotAccSat, translate<saturate>),
    instOp(spv::Op::OpSUDotAccSat, translate<lgc::DotFlags::SignedA | saturate>),
};

} // namespace

ArrayRef<OpEntry> dotProductOps() { return table; }

} // namespace llpc
