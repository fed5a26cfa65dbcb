//===- KernelAccess.cpp - OpenCL.std: vectors in memory -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// vload and vstore, which need no more alignment than a component has, and those that convert to
/// and from halves in memory ("OpenCL Extended Instruction Set", Vector Data Load and Store).
///   before: %v = OpExtInst %float4 vloadn %offset %p 4
///   after:  %v = load <4 x float>, (%p + 16 * %offset), align 4
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include <spirv/unified1/OpenCL.std.h>

using namespace llvm;

namespace llpc {
namespace {

using namespace OpenCLLIB;

struct AccessRow {
  uint32_t number;
  bool isStore;
  bool hasHalves;   ///< in memory
  bool isAligned;   ///< vloada, vstorea: vectors of halves aligned as such, of 3 as of 4
  bool hasCount;    ///< loads: the number of components is the last operand, a literal
  bool hasRounding; ///< the rounding mode is the last operand, a literal
};

constexpr AccessRow rows[] = {
    {Vloadn, false, false, false, true, false},
    {Vstoren, true, false, false, false, false},
    {Vload_half, false, true, false, false, false},
    {Vload_halfn, false, true, false, true, false},
    {Vstore_half, true, true, false, false, false},
    {Vstore_half_r, true, true, false, false, true},
    {Vstore_halfn, true, true, false, false, false},
    {Vstore_halfn_r, true, true, false, false, true},
    {Vloada_halfn, false, true, true, true, false},
    {Vstorea_halfn, true, true, true, false, false},
    {Vstorea_halfn_r, true, true, true, false, true},
};

/// Operands behind the set and the number of the instruction.
struct Operands {
  Value *data = nullptr; ///< of a store
  Value *offset = nullptr, *pointer = nullptr;
  spv::FPRoundingMode rounding = spv::FPRoundingMode::RTE;
};

Expected<Operands> readOperands(Translator &t, const Inst &inst, const AccessRow &row) {
  const size_t first = 2 + row.isStore;
  if (inst.size() != first + 2 + row.hasCount + row.hasRounding)
    return t.invalid(inst, "wrong number of operands");
  Operands operands;
  if (row.isStore)
    operands.data = KILN_TRY(t.value(inst[2]));
  operands.offset = KILN_TRY(t.value(inst[first]));
  operands.pointer = KILN_TRY(t.value(inst[first + 1]));
  if (!operands.offset->getType()->isIntegerTy() || !operands.pointer->getType()->isPointerTy())
    return t.invalid(inst, "offset and pointer are an integer and a pointer");
  if (row.hasRounding)
    operands.rounding = static_cast<spv::FPRoundingMode>(inst[first + 2]);
  return operands;
}

/// Where the access begins.
Value *placeOf(Translator &t, const Operands &operands, uint64_t stride) {
  const unsigned space = operands.pointer->getType()->getPointerAddressSpace();
  Type *index = t.module->getDataLayout().getIndexType(t.context, space);
  Value *offset =
      t.b.CreateMul(t.b.CreateZExtOrTrunc(operands.offset, index), ConstantInt::get(index, stride));
  return t.b.CreateGEP(t.b.getInt8Ty(), operands.pointer, offset);
}

/// Halves from floats, in the rounding mode.
Value *toHalves(Translator &t, const Inst &inst, Value *value, Type *halves,
                spv::FPRoundingMode rounding) {
  if (rounding == spv::FPRoundingMode::RTE)
    return t.b.CreateFPTrunc(value, halves);
  ValueOp op{t, inst, t.b, halves, {}, {}};
  return truncateDirected(op, value, halves, rounding);
}

Error translateAccess(Translator &t, const Inst &inst, const AccessRow &row) {
  const Operands operands = KILN_TRY(readOperands(t, inst, row));
  Type *type = operands.data ? operands.data->getType() : KILN_TRY(t.type(inst.typeId));
  if (row.hasHalves ? !isFloatShape(type) || type->getScalarType()->isHalfTy()
                    : !type->isVectorTy() || (!isIntShape(type) && !isFloatShape(type)))
    return t.invalid(inst, "the value is of another type");
  const unsigned count = elementCount(type);
  if (row.hasCount && inst.operands.back() != count)
    return t.invalid(inst, "the result has another number of components than the operand says");
  Type *memory = row.hasHalves ? withShapeOf(t.b.getHalfTy(), type) : type;
  const uint64_t component = memory->getScalarSizeInBits() / 8;
  const uint64_t stride = component * (row.isAligned ? PowerOf2Ceil(count) : count);
  const Align align(row.isAligned ? stride : component);
  Value *place = placeOf(t, operands, stride);
  if (row.isStore) {
    Value *value =
        row.hasHalves ? toHalves(t, inst, operands.data, memory, operands.rounding) : operands.data;
    t.b.CreateAlignedStore(value, place, align);
    return Error::success();
  }
  Value *value = t.b.CreateAlignedLoad(memory, place, align);
  return t.setValue(inst, row.hasHalves ? t.b.CreateFPExt(value, type) : value);
}

} // namespace

Expected<bool> translateKernelAccess(Translator &t, const Inst &inst) {
  if (inst[1] == Prefetch)
    return true;
  const AccessRow *row = find_if(rows, [&](const AccessRow &row) { return row.number == inst[1]; });
  if (row == std::end(rows))
    return false;
  KILN_TRY(translateAccess(t, inst, *row));
  return true;
}

} // namespace llpc
