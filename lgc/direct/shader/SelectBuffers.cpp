//===- SelectBuffers.cpp - vector access to buffers -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/BufferAddress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// HW: the largest offset that buffer instructions have on all generations.
constexpr uint32_t offsetMax = 4095;

#define FORMS(NAME) {Opcode::NAME, Opcode::NAME##Off, Opcode::NAME##Idx, Opcode::NAME##Both}
/// By BufferAddress::form().
struct BufferRow {
  unsigned bits;
  Opcode load[4], store[4];
};
constexpr BufferRow bufferRows[] = {
    {8, FORMS(BufLoadU8), FORMS(BufStore8)}, {16, FORMS(BufLoadU16), FORMS(BufStore16)},
    {32, FORMS(BufLoad1), FORMS(BufStore1)}, {64, FORMS(BufLoad2), FORMS(BufStore2)},
    {96, FORMS(BufLoad3), FORMS(BufStore3)}, {128, FORMS(BufLoad4), FORMS(BufStore4)},
};
#undef FORMS

/// By dwords; they have an index and no offset in a register.
struct FormatRow {
  Opcode load, store, typedLoad;
};
constexpr FormatRow formatRows[] = {
    {Opcode::BufFormatLoad1Idx, Opcode::BufFormatStore1Idx, Opcode::BufTypedLoad1Idx},
    {Opcode::BufFormatLoad2Idx, Opcode::BufFormatStore2Idx, Opcode::BufTypedLoad2Idx},
    {Opcode::BufFormatLoad3Idx, Opcode::BufFormatStore3Idx, Opcode::BufTypedLoad3Idx},
    {Opcode::BufFormatLoad4Idx, Opcode::BufFormatStore4Idx, Opcode::BufTypedLoad4Idx},
};

struct AccessRow {
  Intrinsic::ID intrinsic;
  MemoryAccess access;
  bool hasIndex, hasFormat, isTyped;
};
constexpr auto load = MemoryAccess::Load, store = MemoryAccess::Store;
constexpr AccessRow accessRows[] = {
    {Intrinsic::amdgcn_raw_ptr_buffer_load, load, false, false, false},
    {Intrinsic::amdgcn_raw_buffer_load, load, false, false, false},
    {Intrinsic::amdgcn_raw_ptr_atomic_buffer_load, load, false, false, false},
    {Intrinsic::amdgcn_struct_ptr_buffer_load, load, true, false, false},
    {Intrinsic::amdgcn_struct_buffer_load, load, true, false, false},
    {Intrinsic::amdgcn_struct_ptr_atomic_buffer_load, load, true, false, false},
    {Intrinsic::amdgcn_struct_ptr_buffer_load_format, load, true, true, false},
    {Intrinsic::amdgcn_struct_buffer_load_format, load, true, true, false},
    {Intrinsic::amdgcn_struct_ptr_tbuffer_load, load, true, true, true},
    {Intrinsic::amdgcn_struct_tbuffer_load, load, true, true, true},
    {Intrinsic::amdgcn_raw_ptr_buffer_store, store, false, false, false},
    {Intrinsic::amdgcn_raw_buffer_store, store, false, false, false},
    {Intrinsic::amdgcn_struct_ptr_buffer_store, store, true, false, false},
    {Intrinsic::amdgcn_struct_buffer_store, store, true, false, false},
    {Intrinsic::amdgcn_struct_ptr_buffer_store_format, store, true, true, false},
    {Intrinsic::amdgcn_struct_buffer_store_format, store, true, true, false},
};

} // namespace

Operand ShaderSelector::noScalarOffset() const {
  return program.target->major >= 12 ? Operand::sgpr(program.null()) : Operand::constant(0);
}

/// False: what instructions of this kind do not have here.
/// HW: gfx12 has a temporal hint (none for atomics) and a scope, others glc, slc and dlc; the first
/// of these tells whether an atomic has a result. What is volatile goes by all caches, as far as
/// the instruction has bits for that; LLVM makes the same of it.
bool ShaderSelector::readPolicy(uint64_t value, MemoryAccess access, MemoryPolicy &policy) const {
  constexpr uint64_t isVolatile = 1u << 31, hints = 7, scopes = 3 << 3, glc = 1, slc = 2, dlc = 4;
  constexpr uint64_t systemScope = 3 << 3;
  const unsigned major = program.target->major;
  const bool isAtomic = access == MemoryAccess::Atomic;
  // Atomics are as they are.
  policy.isVolatile = (value & isVolatile) && !isAtomic;
  // Whether the buffer is swizzled is in its descriptor.
  value &= ~(isVolatile | (major >= 12 ? 1u << 6 : 1u << 3));
  if (policy.isVolatile && major >= 12)
    value |= systemScope;
  else if (policy.isVolatile && access == MemoryAccess::Load)
    value |= glc | dlc;
  else if (policy.isVolatile && major == 11)
    value |= dlc;
  if (major >= 12) {
    policy.bits = static_cast<uint32_t>(isAtomic ? value >> 3 : value);
    policy.isSystem = (value & scopes) == systemScope;
    return !(value & ~(isAtomic ? scopes : scopes | hints));
  }
  policy.bits = static_cast<uint32_t>(isAtomic ? value >> 1 : value);
  return !(value & ~(isAtomic ? slc : hints));
}

/// HW(gfx12): a store that others on the bus see must not overtake what is in front of it.
void ShaderSelector::beginStore(const MemoryPolicy &policy) {
  if (program.target->major < 12 || !policy.isSystem)
    return;
  for (Opcode wait : {Opcode::WaitLoads12, Opcode::WaitSamples12, Opcode::WaitRays12,
                      Opcode::WaitScalars12, Opcode::WaitStores12})
    emit(wait, {Operand::number(0)});
}

/// What is volatile is done before anything else happens.
void ShaderSelector::endAccess(MemoryAccess access, const MemoryPolicy &policy) {
  if (!policy.isVolatile)
    return;
  if (access == MemoryAccess::Load)
    emit(Opcode::WaitVectorLoads, {});
  else if (program.target->major >= 12)
    emit(Opcode::WaitStores12, {Operand::number(0)});
  else
    emit(Opcode::WaitStores, {});
}

/// Of arguments descriptor, (index,) offset, scalar offset, (format,) cache policy, from \p first
/// on.
bool ShaderSelector::readBuffer(const CallInst &call, unsigned first, bool hasIndex,
                                MemoryAccess access, BufferAddress &address) {
  Words descriptor;
  Word index, scalarOffset;
  const auto *policy = dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 1));
  if (!policy || !readPolicy(policy->getZExtValue(), access, address.policy))
    return refuse("a cache policy");
  const unsigned behind = first + 1 + hasIndex;
  if (!read(call.getArgOperand(first), descriptor) ||
      (hasIndex && !readWord(call.getArgOperand(first + 1), index)) ||
      !readOffset(call.getArgOperand(behind), address) ||
      !readWord(call.getArgOperand(behind + 1), scalarOffset))
    return false;
  if (any_of(descriptor, [&](const Word &word) { return isVgpr(word.operand); }))
    return refuse("descriptors that differ");
  address.descriptor = tuple(descriptor, Bank::Scalar);
  const bool isZero =
      scalarOffset.isUndefined() || (scalarOffset.isConstant() && scalarOffset.operand.value == 0);
  address.scalarOffset = isZero ? noScalarOffset() : toSgpr(scalarOffset);
  if (!hasIndex)
    return true;
  address.hasIndex = true;
  if (!address.hasOffset)
    address.registers = toVgpr(index);
  else
    address.registers = tuple({{toVgpr(index)}, {address.registers}}, Bank::Vector);
  return true;
}

/// HW: bounds are checked with this offset, but not with the scalar one.
void ShaderSelector::setOffset(const Word &offset, BufferAddress &address) {
  if (offset.isConstant()) {
    address.offset = offset.operand.value & offsetMax;
    const uint32_t rest = offset.operand.value & ~offsetMax;
    address.hasOffset = rest != 0;
    if (rest)
      address.registers = toVgpr(Word::constant(rest));
    return;
  }
  address.hasOffset = true;
  address.registers = toVgpr(offset);
}

// --- Addresses that differ by constants

AddressSum ShaderSelector::addressSum(const Value *value) const {
  return addressSumOf(value, layout, [&](const Value *variable) -> std::optional<uint32_t> {
    auto found = ldsPlaces.find(variable);
    return found == ldsPlaces.end() ? std::nullopt : std::optional(found->second);
  });
}

/// The same terms, and not more bytes in front than \p farthest. Null: none.
const ShaderSelector::AddressBase *ShaderSelector::findBase(const AddressSum &sum,
                                                            uint32_t farthest) const {
  if (isWholeWave) // others have been computed for active lanes
    return nullptr;
  for (const AddressBase &known : reverse(addressBases))
    if (sum.constant - known.sum.constant <= farthest && sum.terms == known.sum.terms)
      return &known;
  return nullptr;
}

/// \p base: a VGPR that \p offset is added to.
void ShaderSelector::rememberBase(AddressSum sum, uint32_t offset, const Operand &base) {
  constexpr size_t basesMax = 16;
  if (isWholeWave)
    return;
  if (addressBases.size() == basesMax)
    addressBases.erase(addressBases.begin());
  sum.constant -= offset;
  addressBases.push_back({std::move(sum), base});
}

/// Into address.registers. HW: both offsets are added in 32 bits.
bool ShaderSelector::readOffset(const Value *value, BufferAddress &address) {
  Word word;
  if (isa<Constant>(value)) {
    if (!readWord(value, word))
      return false;
    setOffset(word, address);
    return true;
  }
  const AddressSum sum = addressSum(value);
  if (const AddressBase *found = findBase(sum, offsetMax)) {
    address.hasOffset = true;
    address.registers = found->base;
    address.offset = sum.constant - found->sum.constant;
    return true;
  }
  uint32_t offset = 0;
  if (const auto *add = dyn_cast<BinaryOperator>(value)) {
    const auto *disjoint = dyn_cast<PossiblyDisjointInst>(add);
    const auto *number = dyn_cast<ConstantInt>(add->getOperand(1));
    const bool isSum = add->getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint());
    if (isSum && number && number->getZExtValue() <= offsetMax) {
      offset = static_cast<uint32_t>(number->getZExtValue());
      value = add->getOperand(0);
    }
  }
  if (!readWord(value, word))
    return false;
  setOffset(word, address);
  address.offset += offset;
  if (address.hasOffset)
    rememberBase(sum, address.offset, address.registers);
  return true;
}

/// Of dwords.
Words ShaderSelector::loadBuffer(unsigned count, const Operand &descriptor, const Word &offset) {
  BufferAddress address;
  address.descriptor = descriptor;
  address.scalarOffset = noScalarOffset();
  setOffset(offset, address);
  const BufferRow *row =
      find_if(bufferRows, [&](const BufferRow &r) { return r.bits == 32 * count; });
  const Operand result = newVgprs(count);
  emit(row->load[address.form()], address.operands(result));
  return wordsOf(result, count);
}

/// Loads and stores. False without a refusal: something else.
bool ShaderSelector::selectBuffer(const CallInst &call) {
  const AccessRow *row =
      find_if(accessRows, [&](const AccessRow &r) { return r.intrinsic == call.getIntrinsicID(); });
  if (row == std::end(accessRows))
    return false;
  const bool isStore = row->access == MemoryAccess::Store;
  Type *type = isStore ? call.getArgOperand(0)->getType() : call.getType();
  const unsigned count = type->isStructTy() ? 0 : dwordsOf(type);
  const uint64_t bits = count ? layout.getTypeSizeInBits(type).getFixedValue() : 0;
  const BufferRow *plain = find_if(bufferRows, [&](const BufferRow &r) { return r.bits == bits; });
  BufferAddress address;
  Words words;
  if (!count || (row->hasFormat ? bits != 32 * count || count > std::size(formatRows) ||
                                      type->getScalarSizeInBits() != 32
                                : plain == std::end(bufferRows)))
    return refuse(call);
  if (isStore && !read(call.getArgOperand(0), words))
    return false;
  if (!readBuffer(call, isStore, row->hasIndex, row->access, address))
    return false;
  if (row->hasFormat && address.hasOffset)
    return refuse("a format at another offset");
  Operand format;
  if (row->isTyped) {
    const auto *number = dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 2));
    if (!number || number->getZExtValue() >> 7)
      return refuse(call);
    format = Operand::number(static_cast<uint32_t>(number->getZExtValue()));
  }
  const FormatRow &formatted = formatRows[(count - 1) % std::size(formatRows)];
  const Operand data = isStore ? tuple(words, Bank::Vector) : newVgprs(count);
  const Opcode opcode = row->isTyped     ? formatted.typedLoad
                        : row->hasFormat ? isStore ? formatted.store : formatted.load
                        : isStore        ? plain->store[address.form()]
                                         : plain->load[address.form()];
  if (isStore)
    beginStore(address.policy);
  emit(opcode, address.operands(data, format));
  endAccess(row->access, address.policy);
  return isStore || define(call, wordsOf(data, count));
}

} // namespace lgc::direct
