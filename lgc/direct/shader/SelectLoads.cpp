//===- SelectLoads.cpp - scalar loads that lie beside each other -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Scalar loads of a block whose places touch are one instruction, where the first of them stands:
/// two vectors of a uniform block, two descriptors. What they read does not change.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Of one instruction: more would keep too many registers in a row.
constexpr unsigned dwordsMax = 8;
/// Instructions of the block between the first and the last one: registers are in use so long.
constexpr uint32_t distanceMax = 64;
/// HW: bits of the offset that scalar loads have on all generations.
constexpr unsigned offsetBits = 20;

} // namespace

/// A pointer or a descriptor, and a constant offset.
struct ShaderSelector::ScalarLoad {
  const Instruction *inst;
  const Value *base;
  uint32_t baseNumber = 0; ///< in the order of the block
  uint32_t offset = 0, dwords = 0, place = 0;
};

/// False: something else, or at a place that is not known.
bool ShaderSelector::readScalarLoad(const Instruction &inst, ScalarLoad &load) const {
  load.inst = &inst;
  if (const auto *call = dyn_cast<IntrinsicInst>(&inst)) {
    if (call->getIntrinsicID() != Intrinsic::amdgcn_s_buffer_load)
      return false;
    const auto *offset = dyn_cast<ConstantInt>(call->getArgOperand(1));
    const auto *policy = dyn_cast<ConstantInt>(call->getArgOperand(2));
    if (!offset || offset->getValue().uge(1u << offsetBits) || !policy || !policy->isZero() ||
        call->getType()->getScalarSizeInBits() != 32 || isVector(call->getArgOperand(0)))
      return false;
    load.base = call->getArgOperand(0);
    load.offset = static_cast<uint32_t>(offset->getZExtValue());
  } else {
    constexpr unsigned constantSpace = 4;
    const auto *plain = dyn_cast<LoadInst>(&inst);
    if (!plain || plain->getPointerAddressSpace() != constantSpace || !plain->isSimple() ||
        !plain->hasMetadata(LLVMContext::MD_invariant_load) || plain->getAlign() < Align(4) ||
        isVector(plain->getPointerOperand()) || !memoryDwords(plain->getType()) ||
        layout.getTypeSizeInBits(plain->getType()).getFixedValue() % 32 != 0)
      return false;
    APInt offset(layout.getIndexTypeSizeInBits(plain->getPointerOperandType()), 0);
    load.base = plain->getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    if (isa<Constant>(load.base) || offset.uge(1u << offsetBits))
      return false;
    load.offset = static_cast<uint32_t>(offset.getZExtValue());
  }
  load.dwords = dwordsOf(inst.getType());
  return isPowerOf2_32(load.dwords) && load.dwords < dwordsMax;
}

/// From \p first on, as many loads as touch and fill one instruction; fewer than two: none.
size_t ShaderSelector::countTouching(ArrayRef<ScalarLoad> loads, size_t first) {
  size_t count = 0;
  unsigned dwords = 0;
  uint32_t lowest = loads[first].place, highest = lowest;
  for (size_t i = first; i < loads.size() && loads[i].baseNumber == loads[first].baseNumber; ++i) {
    lowest = std::min(lowest, loads[i].place);
    highest = std::max(highest, loads[i].place);
    // Whoever reads a row of registers wants it aligned.
    if (loads[i].offset != loads[first].offset + 4 * dwords || dwords % loads[i].dwords != 0 ||
        highest - lowest > distanceMax)
      break;
    dwords += loads[i].dwords;
    if (dwords > dwordsMax)
      break;
    if (isPowerOf2_32(dwords))
      count = i - first + 1;
  }
  return count;
}

void ShaderSelector::findTouchingLoads(const BasicBlock &block) {
  SmallVector<ScalarLoad, 16> loads;
  DenseMap<const Value *, uint32_t> numbers;
  uint32_t place = 0;
  touchingLoads.clear();
  loadRows.clear();
  for (const Instruction &inst : block) {
    ScalarLoad load;
    ++place;
    if (!needed.count(&inst) || !readScalarLoad(inst, load))
      continue;
    load.place = place;
    load.baseNumber = numbers.try_emplace(load.base, numbers.size()).first->second;
    loads.push_back(load);
  }
  if (loads.size() < 2)
    return;
  llvm::sort(loads, [](const ScalarLoad &a, const ScalarLoad &b) {
    return std::tuple(a.baseNumber, a.offset, a.place) <
           std::tuple(b.baseNumber, b.offset, b.place);
  });
  for (size_t i = 0; i < loads.size();) {
    const size_t count = countTouching(loads, i);
    if (count < 2) {
      ++i;
      continue;
    }
    LoadRow row = {loads[i].base, isa<LoadInst>(loads[i].inst), loads[i].offset, 0, {}};
    for (const size_t end = i + count; i < end; ++i) {
      touchingLoads[loads[i].inst] = {static_cast<unsigned>(loadRows.size()), row.dwords};
      row.dwords += loads[i].dwords;
    }
    loadRows.push_back(row);
  }
}

/// Of an instruction that findTouchingLoads() has found; false without a refusal: another one.
bool ShaderSelector::readTouchingLoad(const Instruction &inst, Words &words) {
  auto found = touchingLoads.find(&inst);
  if (found == touchingLoads.end())
    return false;
  const auto [number, index] = found->second;
  LoadRow &row = loadRows[number];
  if (row.result.kind == Operand::Kind::None) {
    Words base;
    if (!read(row.base, base) ||
        any_of(base, [&](const Word &word) { return isVgpr(word.operand); }))
      return false;
    const Opcode opcode = row.dwords == 2   ? row.isPointer ? Opcode::SLoad2 : Opcode::SBufferLoad2
                          : row.dwords == 4 ? row.isPointer ? Opcode::SLoad4 : Opcode::SBufferLoad4
                          : row.isPointer   ? Opcode::SLoad8
                                            : Opcode::SBufferLoad8;
    const Operand first = tuple(base, Bank::Scalar);
    row.result = newSgprs(row.dwords);
    emit(opcode, {row.result, first, Operand::number(row.offset)});
  }
  words = wordsOf(part(row.result, index), dwordsOf(inst.getType()));
  return true;
}

} // namespace lgc::direct
