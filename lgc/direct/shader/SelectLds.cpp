//===- SelectLds.cpp - LDS ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// HW: the offsets of LDS instructions have sixteen bits, those of pairs eight, in dwords.
constexpr int64_t offsetsEnd = 1 << 16;
constexpr unsigned pairOffsetsEnd = 256;

struct AtomicRow {
  AtomicRMWInst::BinOp operation;
  Opcode plain, get;
};
constexpr AtomicRow atomicRows[] = {
    {AtomicRMWInst::Add, Opcode::DsAtomicAdd, Opcode::DsAtomicAddGet},
    {AtomicRMWInst::Sub, Opcode::DsAtomicSub, Opcode::DsAtomicSubGet},
    {AtomicRMWInst::Min, Opcode::DsAtomicMinI, Opcode::DsAtomicMinIGet},
    {AtomicRMWInst::UMin, Opcode::DsAtomicMinU, Opcode::DsAtomicMinUGet},
    {AtomicRMWInst::Max, Opcode::DsAtomicMaxI, Opcode::DsAtomicMaxIGet},
    {AtomicRMWInst::UMax, Opcode::DsAtomicMaxU, Opcode::DsAtomicMaxUGet},
    {AtomicRMWInst::And, Opcode::DsAtomicAnd, Opcode::DsAtomicAndGet},
    {AtomicRMWInst::Or, Opcode::DsAtomicOr, Opcode::DsAtomicOrGet},
    {AtomicRMWInst::Xor, Opcode::DsAtomicXor, Opcode::DsAtomicXorGet},
    {AtomicRMWInst::Xchg, Opcode::DsSwapGet, Opcode::DsSwapGet},
};

/// Weaker than what would need waits around the access.
bool isRelaxed(AtomicOrdering ordering) { return !isStrongerThanMonotonic(ordering); }

/// Of the instruction that accesses so many dwords at this alignment: how many at once.
unsigned dwordsAtOnce(unsigned left, uint64_t alignment) {
  if (left >= 4 && alignment >= 16)
    return 4;
  if (left == 3 && alignment >= 16)
    return 3;
  return left >= 2 ? 2 : 1;
}

} // namespace

struct ShaderSelector::LdsAddress {
  Operand base; ///< a VGPR
  uint32_t offset = 0;
};

bool ShaderSelector::readLds(const Value *pointer, LdsAddress &address, unsigned bytes) {
  Words words;
  int64_t offset = 0;
  if (!readAddress(pointer, words, offset))
    return false;
  if (words[0].isConstant()) {
    offset = static_cast<uint32_t>(words[0].operand.value + offset);
    words[0] = Word::constant(0);
  }
  if (offset < 0 || offset + bytes > offsetsEnd) {
    words = addOffset(words, offset);
    offset = 0;
  }
  address.base = toVgpr(words[0]);
  address.offset = static_cast<uint32_t>(offset);
  return true;
}

/// Dwords from \p first on, as many at once as the alignment allows.
void ShaderSelector::accessLds(bool isLoad, const Operand &data, unsigned count,
                               const LdsAddress &address, uint64_t alignment) {
  constexpr Opcode loads[] = {Opcode::DsLoad1, Opcode::DsLoad2, Opcode::DsLoad3, Opcode::DsLoad4};
  constexpr Opcode stores[] = {Opcode::DsStore1, Opcode::DsStore2, Opcode::DsStore3,
                               Opcode::DsStore4};
  for (unsigned done = 0; done < count;) {
    unsigned now =
        dwordsAtOnce(count - done, done % 4 ? std::min<uint64_t>(alignment, 8) : alignment);
    const uint32_t offset = address.offset + 4 * done;
    const bool isPair = now == 2 && (alignment < 8 || done % 2);
    const Operand part0 = part(data, done);
    if (isPair && offset % 4 == 0 && offset / 4 + 1 < pairOffsetsEnd) {
      const Operand first = Operand::number(offset / 4), second = Operand::number(offset / 4 + 1);
      if (isLoad)
        emit(Opcode::DsLoadPair, {part0, address.base, first, second});
      else
        emit(Opcode::DsStorePair, {address.base, part0, part(data, done + 1), first, second});
      done += 2;
      continue;
    }
    if (isPair)
      now = 1;
    if (isLoad)
      emit(loads[now - 1], {part0, address.base, Operand::number(offset)});
    else
      emit(stores[now - 1], {address.base, part0, Operand::number(offset)});
    done += now;
  }
}

bool ShaderSelector::selectLdsLoad(const LoadInst &load) {
  LdsAddress address;
  const uint64_t bits = layout.getTypeSizeInBits(load.getType()).getFixedValue();
  const unsigned count = dwordsOf(load.getType());
  if (!isRelaxed(load.getOrdering()) || load.getType()->getScalarType()->isIntegerTy(1) || !count ||
      count > 32 || (bits < 32 ? load.getAlign().value() * 8 < bits : load.getAlign() < Align(4)) ||
      (bits > 16 && bits % 32))
    return refuse("LDS at another alignment or order");
  if (!readLds(load.getPointerOperand(), address, 4 * count))
    return false;
  const Operand result = newVgprs(count);
  if (bits < 32)
    emit(bits == 8 ? Opcode::DsLoadU8 : Opcode::DsLoadU16,
         {result, address.base, Operand::number(address.offset)});
  else
    accessLds(true, result, count, address, load.getAlign().value());
  return define(load, wordsOf(result, count));
}

bool ShaderSelector::selectLdsStore(const StoreInst &store) {
  LdsAddress address;
  Words words;
  const Type *type = store.getValueOperand()->getType();
  const uint64_t bits = layout.getTypeSizeInBits(const_cast<Type *>(type)).getFixedValue();
  const unsigned count = dwordsOf(type);
  if (!isRelaxed(store.getOrdering()) || type->getScalarType()->isIntegerTy(1) || !count ||
      count > 32 ||
      (bits < 32 ? store.getAlign().value() * 8 < bits : store.getAlign() < Align(4)) ||
      (bits > 16 && bits % 32))
    return refuse("LDS at another alignment or order");
  if (!read(store.getValueOperand(), words) ||
      !readLds(store.getPointerOperand(), address, 4 * count))
    return false;
  const Operand data = tuple(words, Bank::Vector);
  if (bits < 32)
    emit(bits == 8 ? Opcode::DsStore8 : Opcode::DsStore16,
         {address.base, data, Operand::number(address.offset)});
  else
    accessLds(false, data, count, address, store.getAlign().value());
  return true;
}

bool ShaderSelector::selectLdsAtomic(const AtomicRMWInst &atomic) {
  constexpr unsigned ldsSpace = 3;
  const AtomicRow *row =
      find_if(atomicRows, [&](const AtomicRow &r) { return r.operation == atomic.getOperation(); });
  LdsAddress address;
  Word data;
  if (row == std::end(atomicRows) || atomic.getPointerAddressSpace() != ldsSpace ||
      !atomic.getType()->isIntegerTy(32) || !isRelaxed(atomic.getOrdering()))
    return refuse("an atomic of another kind");
  if (!readWord(atomic.getValOperand(), data) || !readLds(atomic.getPointerOperand(), address, 4))
    return false;
  const Operand source = toVgpr(data), offset = Operand::number(address.offset);
  if (atomic.use_empty() && row->plain != row->get) {
    emit(row->plain, {address.base, source, offset});
    return true;
  }
  const Operand result = newVgprs();
  emit(row->get, {result, address.base, source, offset});
  return define(atomic, {{result}});
}

/// HW: what is compared and what is stored have changed places in gfx11.
bool ShaderSelector::selectLdsExchange(const AtomicCmpXchgInst &exchange) {
  constexpr unsigned ldsSpace = 3;
  LdsAddress address;
  Word compared, stored;
  if (exchange.getPointerAddressSpace() != ldsSpace ||
      !exchange.getNewValOperand()->getType()->isIntegerTy(32) ||
      !isRelaxed(exchange.getSuccessOrdering()) || !isRelaxed(exchange.getFailureOrdering()))
    return refuse("an atomic of another kind");
  if (!readWord(exchange.getCompareOperand(), compared) ||
      !readWord(exchange.getNewValOperand(), stored) ||
      !readLds(exchange.getPointerOperand(), address, 4))
    return false;
  Operand first = toVgpr(compared), second = toVgpr(stored);
  const Operand result = newVgprs(), wanted = first;
  if (program.target->major >= 11)
    std::swap(first, second);
  emit(Opcode::DsCompareGet,
       {result, address.base, first, second, Operand::number(address.offset)});
  return define(exchange, {{result}, vector(Opcode::VCmpEqU, {{result}, {wanted}})});
}

} // namespace lgc::direct
