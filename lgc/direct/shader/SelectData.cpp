//===- SelectData.cpp - constant arrays, and clocks -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Internal constants of address space 4 stand behind the code, where a distance from the program
/// counter finds them (Emit.cpp). Their address is computed once, at the beginning.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned constantSpace = 4;
constexpr uint64_t dataMax = 1 << 16; ///< bytes

const GlobalVariable *dataOf(const Value *base) {
  const auto *variable = dyn_cast<GlobalVariable>(base);
  return variable && variable->getAddressSpace() == constantSpace && variable->isConstant() &&
                 variable->hasDefinitiveInitializer()
             ? variable
             : nullptr;
}

/// Writes \p constant at \p bytes. False: it is of a kind that is not known.
bool writeConstant(const Constant &constant, const DataLayout &layout, uint8_t *bytes) {
  if (isa<UndefValue>(constant) || constant.isNullValue())
    return true; // as it is
  Type *type = constant.getType();
  if (isa<ConstantInt>(constant) || isa<ConstantFP>(constant)) {
    if (type->isVectorTy())
      return false;
    const APInt bits = isa<ConstantInt>(constant)
                           ? cast<ConstantInt>(constant).getValue()
                           : cast<ConstantFP>(constant).getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() % 8)
      return false;
    for (unsigned i = 0; i < bits.getBitWidth() / 8; ++i)
      bytes[i] = static_cast<uint8_t>(bits.extractBitsAsZExtValue(8, 8 * i));
    return true;
  }
  auto writeAll = [&](unsigned count, auto placeOf) {
    for (unsigned i = 0; i < count; ++i) {
      const Constant *element = constant.getAggregateElement(i);
      if (!element || !writeConstant(*element, layout, bytes + placeOf(i)))
        return false;
    }
    return true;
  };
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    return writeAll(structure->getNumElements(),
                    [&](unsigned i) { return places->getElementOffset(i).getFixedValue(); });
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t size = layout.getTypeAllocSize(array->getElementType());
    return writeAll(static_cast<unsigned>(array->getNumElements()),
                    [&](unsigned i) { return i * size; });
  }
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || vector->getScalarSizeInBits() % 8)
    return false;
  return writeAll(vector->getNumElements(),
                  [&](unsigned i) { return i * (vector->getScalarSizeInBits() / 8); });
}

} // namespace

/// \p constant's bits as a value of \p type. False: they are not known.
bool ShaderSelector::readBits(const Constant &constant, Type *type, Words &words) const {
  const uint64_t size = layout.getTypeStoreSize(constant.getType());
  const bool isBytes = type->isVectorTy() && type->getScalarSizeInBits() == 8;
  std::vector<uint8_t> bytes(alignTo(size, 4));
  if (constant.getType()->isPtrOrPtrVectorTy() || (!isBytes && !memoryDwords(type)) ||
      !writeConstant(constant, layout, bytes.data()))
    return false;
  for (uint64_t i = 0; i < size; i += isBytes ? 1 : 4)
    words.push_back(Word::constant(isBytes ? bytes[i] : support::endian::read32le(&bytes[i])));
  return true;
}

/// What has not been folded. False: it is not known.
bool ShaderSelector::readExpression(const ConstantExpr &expression, Words &words) {
  const Constant &source = *expression.getOperand(0);
  Type *type = expression.getType();
  const unsigned count = memoryDwords(type);
  Words all;
  switch (expression.getOpcode()) {
  case Instruction::BitCast:
    if (readBits(source, type, words))
      return true;
    [[fallthrough]];
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
    // The same words, where words are what memory has.
    return count && memoryDwords(source.getType()) == count && readConstant(source, words);
  case Instruction::ExtractElement: {
    const auto *index = dyn_cast<ConstantInt>(expression.getOperand(1));
    if (!index || !count || type->getScalarSizeInBits() != 32 * count ||
        !readConstant(source, all) || (index->getZExtValue() + 1) * count > all.size())
      return false;
    const auto *first = all.begin() + index->getZExtValue() * count;
    words.append(first, first + count);
    return true;
  }
  default:
    return false;
  }
}

/// Constants that instructions name.
bool ShaderSelector::placeData() {
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block) {
      if (!needed.count(&inst))
        continue;
      for (const Use &use : inst.operands()) {
        const auto *constant = dyn_cast<Constant>(use.get());
        if (!constant || !constant->getType()->isPointerTy())
          continue;
        APInt offset(layout.getIndexTypeSizeInBits(constant->getType()), 0);
        const GlobalVariable *variable =
            dataOf(constant->stripAndAccumulateConstantOffsets(layout, offset, true));
        if (!variable || dataPlaces.count(variable))
          continue;
        std::vector<uint8_t> &data = program.data;
        const Align alignment =
            variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType()));
        const uint64_t place = alignTo(data.size(), std::max(alignment, Align(4)));
        const uint64_t end = place + layout.getTypeAllocSize(variable->getValueType());
        if (end > dataMax || alignment > Align(64))
          return refuse("a large constant");
        data.resize(alignTo(end, 4));
        if (!writeConstant(*variable->getInitializer(), layout, data.data() + place))
          return refuse("a constant of another kind");
        dataPlaces[variable] = static_cast<uint32_t>(place);
      }
    }
  return true;
}

/// A number that linking fills in, of a part (PartSymbols.h).
bool ShaderSelector::selectRelocation(const CallInst &call) {
  const auto *value = cast<MetadataAsValue>(call.getArgOperand(0));
  const auto *node = dyn_cast<MDNode>(value->getMetadata());
  const auto *name =
      node && node->getNumOperands() == 1 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  if (!name)
    return refuse(call);
  const Operand result = newSgprs();
  emit(Opcode::SMovLiteral,
       {result, Operand::symbol(static_cast<uint32_t>(program.symbols.size()))});
  program.symbols.push_back(name->getString().str());
  return define(call, {{result}});
}

/// In front of everything.
void ShaderSelector::beginData() {
  if (program.data.empty())
    return;
  const Operand counter = newSgprs(2), base = newSgprs(2);
  program.units[base.value].fromStart = true;
  emit(Opcode::SGetPc, {counter});
  // HW(gfx12): the address comes without its sign. That leaves SCC alone.
  emit(Opcode::SAddLiteral, {part(base, 0), part(counter, 0), Operand::data()});
  if (program.target->major >= 12)
    emit(Opcode::SSignExtend16, {part(counter, 1), part(counter, 1)});
  emit(Opcode::SAddCarry, {part(base, 1), part(counter, 1), Operand::constant(0)});
  dataBase = wordsOf(base, 2);
}

/// False: no address of such a constant.
bool ShaderSelector::readDataAddress(const Constant &pointer, Words &words, int64_t &offset) const {
  if (!pointer.getType()->isPointerTy() || dataBase.empty())
    return false;
  APInt distance(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, distance, true);
  auto found = dataPlaces.find(base);
  if (found == dataPlaces.end())
    return false;
  words = dataBase;
  offset = found->second + distance.getSExtValue();
  return true;
}

/// HW: gfx10 has instructions for it; gfx11 a register, which counts 20 bits; gfx12 two of 32, and
/// what was read while the high one changed is as if the low one had been 0.
bool ShaderSelector::selectClock(const CallInst &call) {
  const unsigned major = program.target->major;
  const bool isDevice = call.getIntrinsicID() == Intrinsic::readsteadycounter;
  const Operand pair = newSgprs(2);
  if (isDevice || major < 11) {
    emit(major >= 11 ? Opcode::SRealTime
         : isDevice  ? Opcode::SMemRealTime
                     : Opcode::SMemTime,
         {pair});
    return define(call, wordsOf(pair, 2));
  }
  if (major == 11) {
    emit(Opcode::SCycles, {part(pair, 0)});
    return define(call, {{part(pair, 0)}, Word::constant(0)});
  }
  const Operand before = newSgprs(), low = newSgprs();
  emit(Opcode::SCyclesHigh, {before});
  emit(Opcode::SCyclesLow, {low});
  emit(Opcode::SCyclesHigh, {part(pair, 1)});
  emit(Opcode::SCmpEqU, {before, part(pair, 1)});
  emit(Opcode::SSelect32, {part(pair, 0), low, Operand::constant(0)});
  return define(call, wordsOf(pair, 2));
}

} // namespace lgc::direct
