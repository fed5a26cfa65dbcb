//===- SelectGlobal.cpp - memory at addresses of lanes --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/BufferAddress.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// HW: offsets that are not negative on gfx10; others have more.
constexpr int64_t offsetsEnd = 2048;

struct GlobalRow {
  unsigned bits;
  Opcode load, store;
};
constexpr GlobalRow globalRows[] = {
    {8, Opcode::GlobalLoadU8, Opcode::GlobalStore8},
    {16, Opcode::GlobalLoadU16, Opcode::GlobalStore16},
    {32, Opcode::GlobalLoad1, Opcode::GlobalStore1},
    {64, Opcode::GlobalLoad2, Opcode::GlobalStore2},
    {96, Opcode::GlobalLoad3, Opcode::GlobalStore3},
    {128, Opcode::GlobalLoad4, Opcode::GlobalStore4},
};

/// Without and with a result, of 32 and 64 bits.
struct AtomicRow {
  AtomicRMWInst::BinOp operation;
  Opcode plain, get, plain64, get64;
  bool isFloat = false; ///< of 32 bits only
};
#define INTEGERS(NAME)                                                                             \
  Opcode::GlobalAtomic##NAME, Opcode::GlobalAtomic##NAME##Get, Opcode::GlobalAtomic##NAME##64,     \
      Opcode::GlobalAtomic##NAME##64Get
#define FLOATS(NAME)                                                                               \
  Opcode::GlobalAtomic##NAME, Opcode::GlobalAtomic##NAME##Get, Opcode::GlobalAtomic##NAME,         \
      Opcode::GlobalAtomic##NAME##Get, true
constexpr AtomicRow atomicRows[] = {
    {AtomicRMWInst::Add, INTEGERS(Add)},   {AtomicRMWInst::Sub, INTEGERS(Sub)},
    {AtomicRMWInst::Min, INTEGERS(MinI)},  {AtomicRMWInst::UMin, INTEGERS(MinU)},
    {AtomicRMWInst::Max, INTEGERS(MaxI)},  {AtomicRMWInst::UMax, INTEGERS(MaxU)},
    {AtomicRMWInst::And, INTEGERS(And)},   {AtomicRMWInst::Or, INTEGERS(Or)},
    {AtomicRMWInst::Xor, INTEGERS(Xor)},   {AtomicRMWInst::Xchg, INTEGERS(Swap)},
    {AtomicRMWInst::FAdd, FLOATS(AddF32)}, {AtomicRMWInst::FMin, FLOATS(MinF32)},
    {AtomicRMWInst::FMax, FLOATS(MaxF32)},
};
#undef INTEGERS
#undef FLOATS

bool isRelaxed(AtomicOrdering ordering) { return !isStrongerThanMonotonic(ordering); }

/// Whether memory has what the instruction does with floats, and its denormals do not matter.
bool allowsFloats(const AtomicRMWInst &atomic) {
  return atomic.hasMetadata("amdgpu.no.fine.grained.memory") &&
         atomic.hasMetadata("amdgpu.no.remote.memory") &&
         atomic.hasMetadata("amdgpu.ignore.denormal.mode");
}

template <typename Access> bool isNonTemporal(const Access &access) {
  return access.hasMetadata(LLVMContext::MD_nontemporal);
}

} // namespace

struct ShaderSelector::GlobalAddress {
  Operand base; ///< two VGPRs
  uint32_t offset = 0;
};

ShaderSelector::GlobalAddress ShaderSelector::globalAddress(Words words, int64_t offset,
                                                            unsigned bytes) {
  GlobalAddress address;
  if (offset < 0 || offset + bytes > offsetsEnd) {
    words = addOffset(words, offset);
    offset = 0;
  }
  for (Word &word : words)
    if (word.isUndefined())
      word = Word::constant(0);
  address.base = tuple(words, Bank::Vector);
  address.offset = static_cast<uint32_t>(offset);
  return address;
}

bool ShaderSelector::readGlobal(const Value *pointer, unsigned bytes, GlobalAddress &address) {
  Words words;
  int64_t offset = 0;
  if (!readAddress(pointer, words, offset))
    return false;
  if (words.size() != 2)
    return refuse("a pointer of another kind");
  address = globalAddress(words, offset, bytes);
  return true;
}

void ShaderSelector::loadGlobal(const Operand &data, uint64_t bits, const Words &pointer,
                                int64_t offset, uint32_t policy) {
  const GlobalAddress address = globalAddress(pointer, offset, static_cast<unsigned>(bits / 8));
  for (uint64_t done = 0; done < bits;) {
    const uint64_t now = bitsAtOnce(bits - done, 128);
    const GlobalRow *row = find_if(globalRows, [&](const GlobalRow &r) { return r.bits == now; });
    emit(row->load, {part(data, static_cast<unsigned>(done / 32)), address.base,
                     Operand::number(address.offset + static_cast<uint32_t>(done / 8)),
                     Operand::number(policy)});
    done += now;
  }
}

/// What LLVM makes of the memory model (CachePolicy.h).
bool ShaderSelector::globalPolicy(MemoryAccess access, bool isAtomic, SyncScope::ID scope,
                                  bool isVolatile, bool isStreamed, MemoryPolicy &policy) {
  constexpr AccessKind kinds[] = {AccessKind::Load, AccessKind::Store, AccessKind::ReadModifyWrite};
  AccessPolicy wanted;
  if (isAtomic)
    wanted.scope = coherenceScope(function.getContext(), scope);
  wanted.nonTemporal = isStreamed;
  wanted.isVolatile = isVolatile;
  const unsigned major = program.target->major;
  return readPolicy(cachePolicyBits(major, kinds[static_cast<unsigned>(access)], wanted), access,
                    policy) ||
         refuse("a cache policy");
}

bool ShaderSelector::selectGlobalLoad(const LoadInst &load) {
  const unsigned count = memoryDwords(load.getType());
  const uint64_t bits = layout.getTypeSizeInBits(load.getType()).getFixedValue();
  Words pointer;
  int64_t offset = 0;
  MemoryPolicy policy;
  if (!count || count > 32 || load.getAlign().value() * 8 < std::min<uint64_t>(bits, 32) ||
      !isRelaxed(load.getOrdering()))
    return refuse("a global load at another alignment or order");
  if (!globalPolicy(MemoryAccess::Load, load.isAtomic(), load.getSyncScopeID(), load.isVolatile(),
                    isNonTemporal(load), policy) ||
      !readAddress(load.getPointerOperand(), pointer, offset))
    return false;
  const Operand result = newVgprs(count);
  loadGlobal(result, bits, pointer, offset, policy.bits);
  endAccess(MemoryAccess::Load, policy);
  Words words = wordsOf(result, count);
  // All lanes have the same.
  if (!isVector(&load))
    for (Word &word : words)
      word = {toSgpr(word)};
  return define(load, words);
}

bool ShaderSelector::selectGlobalStore(const StoreInst &store) {
  Type *type = store.getValueOperand()->getType();
  const unsigned count = memoryDwords(type);
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  GlobalAddress address;
  MemoryPolicy policy;
  Words words;
  if (!count || count > 32 || store.getAlign().value() * 8 < std::min<uint64_t>(bits, 32) ||
      !isRelaxed(store.getOrdering()))
    return refuse("a global store at another alignment or order");
  if (!globalPolicy(MemoryAccess::Store, store.isAtomic(), store.getSyncScopeID(),
                    store.isVolatile(), isNonTemporal(store), policy) ||
      !read(store.getValueOperand(), words) ||
      !readGlobal(store.getPointerOperand(), static_cast<unsigned>(bits / 8), address))
    return false;
  const Operand data = tuple(words, Bank::Vector);
  beginStore(policy);
  for (uint64_t done = 0; done < bits;) {
    const uint64_t now = bitsAtOnce(bits - done, 128);
    const GlobalRow *row = find_if(globalRows, [&](const GlobalRow &r) { return r.bits == now; });
    emit(row->store, {address.base, part(data, static_cast<unsigned>(done / 32)),
                      Operand::number(address.offset + static_cast<uint32_t>(done / 8)),
                      Operand::number(policy.bits)});
    done += now;
  }
  endAccess(MemoryAccess::Store, policy);
  return true;
}

bool ShaderSelector::selectGlobalAtomic(const AtomicRMWInst &atomic) {
  const AtomicRow *row =
      find_if(atomicRows, [&](const AtomicRow &r) { return r.operation == atomic.getOperation(); });
  const Type *type = atomic.getType();
  const bool isWide = type->isIntegerTy(64) || type->isPointerTy();
  GlobalAddress address;
  MemoryPolicy policy;
  Words words;
  if (row == std::end(atomicRows) || !isRelaxed(atomic.getOrdering()) || type->isPointerTy() ||
      (row->isFloat ? !type->isFloatTy() || !allowsFloats(atomic)
                    : !isWide && !type->isIntegerTy(32)))
    return refuse("an atomic of another kind");
  const bool isUsed = !atomic.use_empty();
  const Opcode opcode = isWide   ? isUsed ? row->get64 : row->plain64
                        : isUsed ? row->get
                                 : row->plain;
  if (!hasInstruction(program.target->major, opcode))
    return refuse("an atomic of another kind");
  const unsigned count = isWide ? 2 : 1;
  if (!globalPolicy(MemoryAccess::Atomic, true, atomic.getSyncScopeID(), atomic.isVolatile(),
                    isNonTemporal(atomic), policy) ||
      !read(atomic.getValOperand(), words) ||
      !readGlobal(atomic.getPointerOperand(), 4 * count, address))
    return false;
  const Operand data = tuple(words, Bank::Vector);
  const Operand offset = Operand::number(address.offset), bits = Operand::number(policy.bits);
  if (!isUsed) {
    emit(opcode, {address.base, data, offset, bits});
    return true;
  }
  const Operand result = newVgprs(count);
  emit(opcode, {result, address.base, data, offset, bits});
  return define(atomic, wordsOf(result, count));
}

/// Of one or two words each.
Word ShaderSelector::equalWords(ArrayRef<Word> a, ArrayRef<Word> b) {
  if (a.size() == 1)
    return vector(Opcode::VCmpEqU, {a[0], b[0]});
  const Operand mask = newMask();
  const Operand first = pairSource(a, Bank::Vector), second = pairSource(b, Bank::Vector);
  emit(Opcode::VCmpEqU64, {mask, first, second});
  return {mask};
}

/// Result: what was there, and whether it was replaced.
bool ShaderSelector::selectGlobalExchange(const AtomicCmpXchgInst &exchange) {
  const Type *type = exchange.getNewValOperand()->getType();
  const bool isWide = type->isIntegerTy(64);
  GlobalAddress address;
  MemoryPolicy policy;
  Words compared, data;
  if ((!isWide && !type->isIntegerTy(32)) || !isRelaxed(exchange.getSuccessOrdering()) ||
      !isRelaxed(exchange.getFailureOrdering()))
    return refuse("an atomic of another kind");
  const unsigned count = isWide ? 2 : 1;
  if (!globalPolicy(MemoryAccess::Atomic, true, exchange.getSyncScopeID(), exchange.isVolatile(),
                    isNonTemporal(exchange), policy) ||
      !read(exchange.getNewValOperand(), data) || !read(exchange.getCompareOperand(), compared) ||
      !readGlobal(exchange.getPointerOperand(), 4 * count, address))
    return false;
  data.append(compared);
  const Operand both = tuple(data, Bank::Vector), result = newVgprs(count);
  emit(isWide ? Opcode::GlobalAtomicCompare64Get : Opcode::GlobalAtomicCompareGet,
       {result, address.base, both, Operand::number(address.offset), Operand::number(policy.bits)});
  Words words = wordsOf(result, count);
  words.push_back(equalWords(words, compared));
  return define(exchange, words);
}

} // namespace lgc::direct
