//===- LinkedConstants.cpp - constants whose values linking fills in ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Why at the begin of the function: every use is behind it, and constants can be used anywhere.
///
///   before: %a = OpSpecConstant %float 1   (SpecId 3)
///           %b = OpSpecConstantOp %float FNegate %a
///   after:  %r = call i32 @llvm.amdgcn.reloc.constant(metadata !{!"kiln.spec.7.3"})
///           %a = bitcast i32 %r to float
///           %b = fneg float %a
#include "lgc/Part.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace llpc {

namespace {

/// The number that linking gives to \p symbol.
Value *relocatedWord(Translator &t, StringRef symbol) {
  auto *name = MDNode::get(t.context, MDString::get(t.context, symbol));
  return t.b.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, {},
                             {MetadataAsValue::get(t.context, name)});
}

Expected<Value *> relocatedValue(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  const spirv::Decoration *id = t.spv.findDecoration(inst.resultId, spv::Decoration::SpecId);
  KILN_CHECK(id && !id->operands.empty(), "only constants with a number are linked");
  const std::string symbol = lgc::constantSymbol(t.options.stage, id->operands[0]);
  Value *word = relocatedWord(t, symbol);
  if (type->isIntegerTy(1))
    return t.b.CreateICmpNE(word, t.b.getInt32(0));
  const unsigned width = type->getScalarSizeInBits();
  if ((!type->isIntegerTy() && !type->isFloatingPointTy()) || width > 32)
    return t.invalid(inst, "result type is no number of up to 32 bits");
  return t.b.CreateBitCast(t.b.CreateTrunc(word, t.b.getIntNTy(width)), type);
}

/// \p inst as an instruction of a function.
Expected<Value *> computedValue(Translator &t, const Inst &inst, spv::Op opcode,
                                ArrayRef<uint32_t> operands) {
  Inst wrapped = inst;
  wrapped.opcode = opcode;
  wrapped.operands = operands;
  KILN_TRY(translateInst(t, wrapped));
  return t.internals().values[inst.resultId];
}

} // namespace

bool isLinkedConstant(const Translator &t, const Inst &inst) {
  return llvm::binary_search(t.options.linkedConstants, inst.resultId);
}

Expected<Value *> linkedConstant(Translator &t, const Inst &inst) {
  Instruction *begin = t.internals().current.allocaPoint;
  if (!begin) // costs the part, not the application
    return lgc::internalError(spirv::place(inst) + ": a linked constant outside of functions");
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(begin);
  switch (inst.opcode) {
  case spv::Op::OpSpecConstantOp:
    return computedValue(t, inst, static_cast<spv::Op>(inst[0]), inst.operands.drop_front());
  case spv::Op::OpSpecConstantComposite:
    return computedValue(t, inst, spv::Op::OpCompositeConstruct, inst.operands);
  case spv::Op::OpSpecConstantCompositeReplicateEXT: {
    auto count = KILN_TRY(replicatedCount(t, inst));
    const SmallVector<uint32_t, 8> operands(count, inst[0]);
    return computedValue(t, inst, spv::Op::OpCompositeConstruct, operands);
  }
  default:
    return relocatedValue(t, inst);
  }
}

bool isLinkedArray(const Translator &t, const Inst &variable) {
  return llvm::binary_search(t.options.linkedArrays, variable.resultId);
}

Expected<Value *> linkedArray(Translator &t, const Inst &variable) {
  Instruction *begin = t.internals().current.allocaPoint;
  if (!begin)
    return lgc::internalError(spirv::place(variable) + ": workgroup memory outside of functions");
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(begin);
  const auto number = llvm::lower_bound(t.options.linkedArrays, variable.resultId);
  const auto array = static_cast<uint32_t>(number - t.options.linkedArrays.begin());
  return t.b.CreateIntToPtr(relocatedWord(t, lgc::workgroupSymbol(array)),
                            PointerType::get(t.context, lgc::AddrSpace::Local),
                            t.symbolName(variable.resultId));
}

void forgetLinkedConstants(Translator &t) {
  for (Id id : t.options.linkedConstants)
    t.internals().values[id] = nullptr;
}

} // namespace llpc
