//===- Select.cpp - machine instructions for a block of IR ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/Selector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct::glue {

unsigned Selector::countSgprs(const Function &function) {
  return static_cast<unsigned>(
      count_if(function.args(), [](const Argument &argument) { return argument.hasInRegAttr(); }));
}

// --- Operands

bool Selector::readConstant(const Constant &constant, Parts &parts) {
  if (isa<UndefValue>(constant)) { // and poison
    const Type *type = constant.getType();
    const auto *vector = dyn_cast<FixedVectorType>(type);
    parts.isPair = vector && type->getScalarSizeInBits() == halfBits;
    parts.words.assign(vector ? vector->getNumElements() : 1, Word());
    return !parts.isPair || vector->getNumElements() == 2;
  }
  if (const auto *number = dyn_cast<ConstantInt>(&constant)) {
    if (number->getBitWidth() > 32)
      return false;
    parts.words = {constantWord(static_cast<uint32_t>(number->getZExtValue()))};
    return true;
  }
  if (const auto *number = dyn_cast<ConstantFP>(&constant)) {
    const APInt bits = number->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 32)
      return false;
    parts.words = {constantWord(static_cast<uint32_t>(bits.getZExtValue()))};
    return true;
  }
  if (const auto *cast = dyn_cast<ConstantExpr>(&constant))
    // Two halves as a dword: the builder of IR has no data layout to compute it.
    return cast->getOpcode() == Instruction::BitCast && !cast->getType()->isVectorTy() &&
           readConstant(*cast->getOperand(0), parts) && joinPair(parts) && parts.words.size() == 1;
  const auto *vector = dyn_cast<FixedVectorType>(constant.getType());
  for (unsigned i = 0; vector && i < vector->getNumElements(); ++i) {
    const Constant *element = constant.getAggregateElement(i);
    Parts one;
    if (!element || element->getType()->isVectorTy() || !readConstant(*element, one))
      return false;
    parts.words.append(one.words);
  }
  parts.isPair = vector && vector->getScalarSizeInBits() == halfBits;
  return vector != nullptr;
}

bool Selector::read(const Value *value, Parts &parts) {
  if (const auto *constant = dyn_cast<Constant>(value))
    return readConstant(*constant, parts);
  if (const auto *argument = dyn_cast<Argument>(value)) {
    const unsigned number = argument->getArgNo();
    parts.words = {number < sgprs ? Word{Word::Kind::Sgpr, number} : line.argument(number - sgprs)};
    return true;
  }
  auto found = known.find(value);
  if (found == known.end())
    return false;
  parts = found->second;
  return true;
}

bool Selector::readWord(const Value *value, Word &word) {
  Parts parts;
  if (!read(value, parts) || !joinPair(parts) || parts.words.size() != 1)
    return false;
  word = parts.words.front();
  return true;
}

/// Two values of 16 bits as one dword.
bool Selector::joinPair(Parts &parts) {
  if (!parts.isPair)
    return true;
  Word low = parts.words[0], high = parts.words[1], joined = low;
  const bool isLowKnown = low.isConstant() || low.kind == Word::Kind::Undefined;
  if (isLowKnown && high.isConstant()) {
    joined = constantWord((low.number & 0xFFFF) | high.number << halfBits);
  } else if (low.kind == Word::Kind::Undefined && high.isVgpr()) {
    joined = line.newVgprs();
    if (!emit(Stage::Early, Opcode::VShiftLeft,
              {Operand::result(joined), Operand::source(constantWord(halfBits)),
               Operand::vgpr(high)}))
      return false;
  } else if (high.kind != Word::Kind::Undefined) {
    joined = line.newVgprs();
    if (!toSource(low) || !toSource(high) ||
        !emit(Stage::Early, Opcode::VJoinLow16,
              {Operand::result(joined), Operand::source(high), Operand::source(low)}))
      return false;
  }
  parts.words = {joined};
  parts.isPair = false;
  return true;
}

bool Selector::toVgpr(Word &word) {
  if (word.isVgpr())
    return true;
  const Word from = word;
  if (auto found = copies.find(from.number); from.isSgpr() && found != copies.end()) {
    word = found->second;
    return true;
  }
  word = line.newVgprs();
  if (from.isSgpr())
    copies[from.number] = word;
  if (from.isSgpr() && gfxMajor >= 12)
    // HW(gfx12): see addScalar.
    return emit(Stage::Early, Opcode::SMovM0, {Operand::sgpr(from.number)}) &&
           emit(Stage::Early, Opcode::VMovM0, {Operand::result(word)});
  const uint32_t value = from.kind == Word::Kind::Undefined ? 0 : from.number;
  if (!from.isSgpr() && sourceOfConstant(value) == noSource)
    return emit(Stage::Early, Opcode::VMovLiteral, {Operand::result(word), Operand::number(value)});
  return emit(Stage::Early, Opcode::VMov,
              {Operand::result(word), Operand::source(from.isSgpr() ? from : constantWord(value))});
}

/// A VGPR, or a constant that instructions have.
bool Selector::toSource(Word &word) {
  if (word.kind == Word::Kind::Undefined)
    word = constantWord(0);
  return (word.isConstant() && sourceOfConstant(word.number) != noSource) || toVgpr(word);
}

/// An instruction with one dword as result, in front of the operands.
bool Selector::define(const Value &value, Opcode opcode, ArrayRef<Operand> operands) {
  const Word result = line.newVgprs();
  SmallVector<Operand, maxOperands> all = {Operand::result(result)};
  all.append(operands.begin(), operands.end());
  known[&value] = {{result}};
  return emit(Stage::Early, opcode, all);
}

// --- Everything

bool Selector::visitAssembly(const CallInst &call) {
  const StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  if (text == getPcText) {
    const std::optional<uint32_t> pair = line.newSgprs(2);
    if (!pair)
      return false;
    // The low half is nobody's: visitPointer.
    known[&call] = {{Word(), Word{Word::Kind::Sgpr, *pair + 1}}};
    return emit(Stage::Scalar, Opcode::SGetPc, {Operand::sgpr(*pair)});
  }
  if (text == moveText) {
    Word word;
    if (!readWord(call.getArgOperand(0), word) || !word.isSgpr())
      return false;
    known[&call] = {{word}};
    return true;
  }
  Word scalar, vector;
  if (text != addByM0Text || !readWord(call.getArgOperand(0), scalar) ||
      !readWord(call.getArgOperand(1), vector) || !scalar.isSgpr() || !vector.isVgpr())
    return false;
  const Word result = line.newVgprs();
  known[&call] = {{result}};
  return addScalar(result, scalar, vector);
}

bool Selector::visitCall(const CallInst &call) {
  if (call.isInlineAsm())
    return visitAssembly(call);
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_init_exec:
    return cast<ConstantInt>(call.getArgOperand(0))->isMinusOne() &&
           emit(Stage::Scalar, waveSize == 64 ? Opcode::SMovExec64 : Opcode::SMovExec32, {});
  case Intrinsic::usub_sat:
    return visitSubtract(call);
  case Intrinsic::amdgcn_struct_buffer_load:
    return visitBufferLoad(call, /*isTyped=*/false);
  case Intrinsic::amdgcn_struct_tbuffer_load:
    return visitBufferLoad(call, /*isTyped=*/true);
  case Intrinsic::amdgcn_cvt_pkrtz:
    return visitPack(call, Opcode::VPackHalf);
  case Intrinsic::amdgcn_cvt_pknorm_u16:
    return visitPack(call, Opcode::VPackUnorm);
  case Intrinsic::amdgcn_cvt_pknorm_i16:
    return visitPack(call, Opcode::VPackSnorm);
  case Intrinsic::amdgcn_cvt_pk_u16:
    return visitPack(call, Opcode::VPackUint);
  case Intrinsic::amdgcn_cvt_pk_i16:
    return visitPack(call, Opcode::VPackSint);
  case Intrinsic::amdgcn_exp:
  case Intrinsic::amdgcn_exp_compr:
    return visitExport(call);
  default:
    return false;
  }
}

/// The values that were inserted into what is returned.
bool Selector::returnValue(const Value *value) {
  if (const auto *insert = dyn_cast<InsertValueInst>(value)) {
    Word word;
    const unsigned index = insert->getIndices().front();
    if (insert->getNumIndices() != 1 || !returnValue(insert->getAggregateOperand()) ||
        !readWord(insert->getInsertedValueOperand(), word))
      return false;
    if (insert->getInsertedValueOperand()->getType()->isFloatTy()) {
      line.setResult(index - sgprs, word);
      return true;
    }
    return word == Word{Word::Kind::Sgpr, index} && index < sgprs;
  }
  return isa<PoisonValue>(value);
}

bool Selector::visitReturn(const ReturnInst &ret) {
  return !ret.getReturnValue() || returnValue(ret.getReturnValue());
}

bool Selector::visit(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Call:
    return visitCall(cast<CallInst>(inst));
  case Instruction::Add:
    return visitAdd(cast<BinaryOperator>(inst));
  case Instruction::Or:
    return visitOr(cast<BinaryOperator>(inst));
  case Instruction::Mul:
    return visitMultiply(cast<BinaryOperator>(inst));
  case Instruction::LShr:
    return visitShift(cast<BinaryOperator>(inst));
  case Instruction::UDiv:
    return visitDivide(cast<BinaryOperator>(inst));
  case Instruction::ExtractElement:
    return visitExtract(cast<ExtractElementInst>(inst));
  case Instruction::InsertElement:
    return visitInsert(cast<InsertElementInst>(inst));
  case Instruction::GetElementPtr:
    return visitOffset(cast<GetElementPtrInst>(inst));
  case Instruction::Load:
    return visitLoad(cast<LoadInst>(inst));
  case Instruction::Select:
    return visitSelect(cast<SelectInst>(inst));
  case Instruction::ICmp:        // by visitSelect
  case Instruction::InsertValue: // by visitReturn
    return true;
  case Instruction::Ret:
    return visitReturn(cast<ReturnInst>(inst));
  default:
    return isa<CastInst>(inst) && visitCast(cast<CastInst>(inst));
  }
}

/// Nobody has removed what is not used.
void Selector::findNeeded() {
  for (const Instruction &inst : reverse(function.getEntryBlock())) {
    const bool isRoot = inst.isTerminator() || inst.getType()->isVoidTy();
    if (!isRoot && !needed.count(&inst))
      continue;
    needed[&inst] = true;
    for (const Value *operand : inst.operands())
      if (isa<Instruction>(operand))
        needed[operand] = true;
  }
}

std::optional<CodeFacts> Selector::run(SmallVectorImpl<uint32_t> &code) {
  if (!isEncoded(gfxMajor) || function.size() != 1)
    return std::nullopt;
  findNeeded();
  for (const Instruction &inst : function.getEntryBlock())
    if (needed.count(&inst) && !visit(inst))
      return std::nullopt;
  return line.finish(code);
}

std::optional<CodeFacts> select(const Function &function, unsigned gfxMajor, unsigned waveSize,
                                SmallVectorImpl<uint32_t> &code) {
  return Selector(function, gfxMajor, waveSize).run(code);
}

} // namespace lgc::direct::glue
