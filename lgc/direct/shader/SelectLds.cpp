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

/// Without and with a result; of 32 and 64 bits.
struct AtomicRow {
  AtomicRMWInst::BinOp operation;
  Opcode plain, get, plain64, get64;
};
#define ROW(OPERATION, NARROW, WIDE)                                                               \
  {AtomicRMWInst::OPERATION, Opcode::DsAtomic##NARROW, Opcode::DsAtomic##NARROW##Get,              \
   Opcode::DsAtomic##WIDE, Opcode::DsAtomic##WIDE##Get}
constexpr AtomicRow atomicRows[] = {
    ROW(Add, Add, Add64),
    ROW(Sub, Sub, Sub64),
    ROW(Min, MinI, MinI64),
    ROW(UMin, MinU, MinU64),
    ROW(Max, MaxI, MaxI64),
    ROW(UMax, MaxU, MaxU64),
    ROW(And, And, And64),
    ROW(Or, Or, Or64),
    ROW(Xor, Xor, Xor64),
    {AtomicRMWInst::Xchg, Opcode::DsSwapGet, Opcode::DsSwapGet, Opcode::DsSwap64Get,
     Opcode::DsSwap64Get},
    ROW(FAdd, AddF32, AddF32), // none of 64 bits
    ROW(FMin, MinF32, MinF64),
    ROW(FMax, MaxF32, MaxF64),
};
#undef ROW

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
  const AddressSum sum = addressSum(pointer);
  if (const AddressBase *found = findBase(sum, offsetsEnd - bytes)) {
    address.base = found->base;
    address.offset = sum.constant - found->sum.constant;
    return true;
  }
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
  rememberBase(sum, address.offset, address.base);
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
  const unsigned count = memoryDwords(load.getType());
  if (!isRelaxed(load.getOrdering()) || !count || count > 32 ||
      load.getAlign().value() * 8 < std::min<uint64_t>(bits, 32))
    return refuse("LDS at another alignment or order");
  if (!readLds(load.getPointerOperand(), address, 4 * count))
    return false;
  const Operand result = newVgprs(count);
  const unsigned whole = bits / 32;
  accessLds(true, result, whole, address, load.getAlign().value());
  if (bits % 32)
    emit(bits == 8 ? Opcode::DsLoadU8 : Opcode::DsLoadU16,
         {part(result, whole), address.base, Operand::number(address.offset + 4 * whole)});
  return define(load, wordsOf(result, count));
}

bool ShaderSelector::selectLdsStore(const StoreInst &store) {
  LdsAddress address;
  Words words;
  Type *type = store.getValueOperand()->getType();
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  const unsigned count = memoryDwords(type);
  if (!isRelaxed(store.getOrdering()) || !count || count > 32 ||
      store.getAlign().value() * 8 < std::min<uint64_t>(bits, 32))
    return refuse("LDS at another alignment or order");
  if (!read(store.getValueOperand(), words) ||
      !readLds(store.getPointerOperand(), address, 4 * count))
    return false;
  const Operand data = tuple(words, Bank::Vector);
  const unsigned whole = bits / 32;
  accessLds(false, data, whole, address, store.getAlign().value());
  if (bits % 32)
    emit(bits == 8 ? Opcode::DsStore8 : Opcode::DsStore16,
         {address.base, part(data, whole), Operand::number(address.offset + 4 * whole)});
  return true;
}

bool ShaderSelector::selectLdsAtomic(const AtomicRMWInst &atomic) {
  constexpr unsigned ldsSpace = 3;
  const AtomicRow *row =
      find_if(atomicRows, [&](const AtomicRow &r) { return r.operation == atomic.getOperation(); });
  const Type *type = atomic.getType();
  const bool isFloat = AtomicRMWInst::isFPOperation(atomic.getOperation());
  const bool isWide = type->isIntegerTy(64) || type->isDoubleTy();
  LdsAddress address;
  Words data;
  if (row == std::end(atomicRows) || atomic.getPointerAddressSpace() != ldsSpace ||
      !isRelaxed(atomic.getOrdering()) || (isWide && atomic.getOperation() == AtomicRMWInst::FAdd))
    return refuse("an atomic of another kind");
  if (isFloat ? !type->isFloatTy() && !type->isDoubleTy()
              : !type->isIntegerTy(32) && !type->isIntegerTy(64))
    return refuse("an atomic of another kind");
  const unsigned count = isWide ? 2 : 1;
  if (!read(atomic.getValOperand(), data) ||
      !readLds(atomic.getPointerOperand(), address, 4 * count))
    return false;
  const Operand source = tuple(data, Bank::Vector), offset = Operand::number(address.offset);
  const Opcode plain = isWide ? row->plain64 : row->plain, get = isWide ? row->get64 : row->get;
  if (atomic.use_empty() && plain != get) {
    emit(plain, {address.base, source, offset});
    return true;
  }
  const Operand result = newVgprs(count);
  emit(get, {result, address.base, source, offset});
  return define(atomic, wordsOf(result, count));
}

/// HW: what is compared and what is stored have changed places in gfx11.
bool ShaderSelector::selectLdsExchange(const AtomicCmpXchgInst &exchange) {
  constexpr unsigned ldsSpace = 3;
  const Type *type = exchange.getNewValOperand()->getType();
  const bool isWide = type->isIntegerTy(64);
  LdsAddress address;
  Words compared, stored;
  if (exchange.getPointerAddressSpace() != ldsSpace || (!isWide && !type->isIntegerTy(32)) ||
      !isRelaxed(exchange.getSuccessOrdering()) || !isRelaxed(exchange.getFailureOrdering()))
    return refuse("an atomic of another kind");
  const unsigned count = isWide ? 2 : 1;
  if (!read(exchange.getCompareOperand(), compared) || !read(exchange.getNewValOperand(), stored) ||
      !readLds(exchange.getPointerOperand(), address, 4 * count))
    return false;
  Operand first = tuple(compared, Bank::Vector), second = tuple(stored, Bank::Vector);
  const Operand result = newVgprs(count);
  if (program.target->major >= 11)
    std::swap(first, second);
  emit(isWide ? Opcode::DsCompare64Get : Opcode::DsCompareGet,
       {result, address.base, first, second, Operand::number(address.offset)});
  Words words = wordsOf(result, count);
  words.push_back(equalWords(words, compared));
  return define(exchange, words);
}

} // namespace lgc::direct
