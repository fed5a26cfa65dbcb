//===- SelectBuffers.cpp - vector access to buffers -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// HW: the largest offset that buffer instructions have on all generations.
constexpr uint32_t offsetMax = 4095;

/// With an offset in a register, and without.
struct BufferRow {
  unsigned bits;
  Opcode load, loadOff, store, storeOff;
};
constexpr BufferRow bufferRows[] = {
    {8, Opcode::BufLoadU8, Opcode::BufLoadU8Off, Opcode::BufStore8, Opcode::BufStore8Off},
    {16, Opcode::BufLoadU16, Opcode::BufLoadU16Off, Opcode::BufStore16, Opcode::BufStore16Off},
    {32, Opcode::BufLoad1, Opcode::BufLoad1Off, Opcode::BufStore1, Opcode::BufStore1Off},
    {64, Opcode::BufLoad2, Opcode::BufLoad2Off, Opcode::BufStore2, Opcode::BufStore2Off},
    {96, Opcode::BufLoad3, Opcode::BufLoad3Off, Opcode::BufStore3, Opcode::BufStore3Off},
    {128, Opcode::BufLoad4, Opcode::BufLoad4Off, Opcode::BufStore4, Opcode::BufStore4Off},
};

bool isAtomic(const CallInst &call) {
  return call.getCalledFunction()->getName().contains(".atomic.");
}

const BufferRow *rowOf(uint64_t bits) {
  const BufferRow *row = find_if(bufferRows, [&](const BufferRow &r) { return r.bits == bits; });
  return row == std::end(bufferRows) ? nullptr : row;
}

struct AtomicRow {
  Intrinsic::ID intrinsic;
  Opcode plain, get;
};
constexpr AtomicRow atomicRows[] = {
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_add, Opcode::BufAtomicAdd, Opcode::BufAtomicAddGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_sub, Opcode::BufAtomicSub, Opcode::BufAtomicSubGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_smin, Opcode::BufAtomicMinI, Opcode::BufAtomicMinIGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_umin, Opcode::BufAtomicMinU, Opcode::BufAtomicMinUGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_smax, Opcode::BufAtomicMaxI, Opcode::BufAtomicMaxIGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_umax, Opcode::BufAtomicMaxU, Opcode::BufAtomicMaxUGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_and, Opcode::BufAtomicAnd, Opcode::BufAtomicAndGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_or, Opcode::BufAtomicOr, Opcode::BufAtomicOrGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_xor, Opcode::BufAtomicXor, Opcode::BufAtomicXorGet},
    {Intrinsic::amdgcn_raw_ptr_buffer_atomic_swap, Opcode::BufAtomicSwap, Opcode::BufAtomicSwapGet},
};

} // namespace

/// Where an instruction goes: None is no register.
struct ShaderSelector::BufferAddress {
  Operand vectorOffset, descriptor, scalarOffset;
  uint32_t offset = 0;
  uint32_t policy = 0; ///< bits of the instruction

  bool hasRegister() const { return vectorOffset.kind != Operand::Kind::None; }
  /// Behind the data.
  SmallVector<Operand, maxOperands> operands() const {
    SmallVector<Operand, maxOperands> result;
    if (hasRegister())
      result.push_back(vectorOffset);
    result.append({descriptor, scalarOffset, Operand::number(offset), Operand::number(policy)});
    return result;
  }
};

Operand ShaderSelector::noScalarOffset() const {
  return program.target->major >= 12 ? Operand::sgpr(program.null()) : Operand::constant(0);
}

/// False: what instructions of this kind do not have here.
bool ShaderSelector::readPolicy(const Value &value, bool isAtomic, uint32_t &bits) const {
  // HW: gfx12 has a temporal hint (none here) and a scope, others glc, slc and dlc; the first of
  // these tells whether an atomic has a result.
  constexpr uint64_t hints = 7, scopes = 3 << 3, slc = 2;
  const auto *constant = dyn_cast<ConstantInt>(&value);
  if (!constant)
    return false;
  const uint64_t policy = constant->getZExtValue();
  if (program.target->major >= 12) {
    bits = static_cast<uint32_t>(policy >> 3);
    return !(policy & ~scopes);
  }
  bits = static_cast<uint32_t>(isAtomic ? policy >> 1 : policy);
  return !(policy & ~(isAtomic ? slc : hints));
}

/// Of arguments descriptor, offset, scalar offset, cache policy.
bool ShaderSelector::readBuffer(const CallInst &call, unsigned first, BufferAddress &address) {
  Words descriptor;
  Word offset, scalarOffset;
  if (!readPolicy(*call.getArgOperand(first + 3), isAtomic(call), address.policy))
    return refuse("a cache policy");
  if (!read(call.getArgOperand(first), descriptor) ||
      !readWord(call.getArgOperand(first + 1), offset) ||
      !readWord(call.getArgOperand(first + 2), scalarOffset))
    return false;
  if (any_of(descriptor, [&](const Word &word) { return isVgpr(word.operand); }))
    return refuse("descriptors that differ");
  address.descriptor = tuple(descriptor, Bank::Scalar);
  const bool isZero =
      scalarOffset.isUndefined() || (scalarOffset.isConstant() && scalarOffset.operand.value == 0);
  address.scalarOffset = isZero ? noScalarOffset() : toSgpr(scalarOffset);
  setOffset(offset, address);
  return true;
}

/// HW: bounds are checked with this offset, but not with the scalar one.
void ShaderSelector::setOffset(const Word &offset, BufferAddress &address) {
  if (!offset.isConstant()) {
    address.vectorOffset = toVgpr(offset);
    return;
  }
  address.offset = offset.operand.value & offsetMax;
  if (const uint32_t rest = offset.operand.value & ~offsetMax)
    address.vectorOffset = toVgpr(Word::constant(rest));
}

/// Of dwords.
Words ShaderSelector::loadBuffer(unsigned count, const Operand &descriptor, const Word &offset) {
  BufferAddress address;
  address.descriptor = descriptor;
  address.scalarOffset = noScalarOffset();
  setOffset(offset, address);
  const BufferRow *row = rowOf(32 * count);
  const Operand result = newVgprs(count);
  SmallVector<Operand, maxOperands> operands = {result};
  operands.append(address.operands());
  emit(address.hasRegister() ? row->load : row->loadOff, operands);
  return wordsOf(result, count);
}

bool ShaderSelector::selectBufferLoad(const CallInst &call) {
  const BufferRow *row = rowOf(layout.getTypeSizeInBits(call.getType()).getFixedValue());
  BufferAddress address;
  if (!row)
    return refuse(call);
  if (!readBuffer(call, 0, address))
    return false;
  const Operand result = newVgprs(dwordsOf(call.getType()));
  SmallVector<Operand, maxOperands> operands = {result};
  operands.append(address.operands());
  emit(address.hasRegister() ? row->load : row->loadOff, operands);
  return define(call, wordsOf(result, dwordsOf(call.getType())));
}

bool ShaderSelector::selectBufferStore(const CallInst &call) {
  const Value *data = call.getArgOperand(0);
  const BufferRow *row = rowOf(layout.getTypeSizeInBits(data->getType()).getFixedValue());
  BufferAddress address;
  Words words;
  if (!row || !dwordsOf(data->getType()))
    return refuse(call);
  if (!read(data, words) || !readBuffer(call, 1, address))
    return false;
  SmallVector<Operand, maxOperands> operands = {tuple(words, Bank::Vector)};
  operands.append(address.operands());
  emit(address.hasRegister() ? row->store : row->storeOff, operands);
  return true;
}

/// With a comparison: what is stored, what it is compared with.
bool ShaderSelector::selectBufferAtomic(const CallInst &call) {
  const bool isCompare = call.getIntrinsicID() == Intrinsic::amdgcn_raw_ptr_buffer_atomic_cmpswap;
  const AtomicRow *row =
      find_if(atomicRows, [&](const AtomicRow &r) { return r.intrinsic == call.getIntrinsicID(); });
  if (!isCompare && row == std::end(atomicRows))
    return false; // something else
  if (!call.getType()->isIntegerTy(32))
    return refuse(call);
  const unsigned count = isCompare ? 2 : 1;
  BufferAddress address;
  Words data;
  for (unsigned i = 0; i < count; ++i) {
    Word word;
    if (!readWord(call.getArgOperand(i), word))
      return false;
    data.push_back(word);
  }
  if (!readBuffer(call, count, address))
    return false;
  if (!address.hasRegister())
    address.vectorOffset = toVgpr(Word::constant(0));
  const bool isUsed = isCompare || !call.use_empty();
  Operand registers;
  if (isUsed) {
    // The result takes the place of the data.
    registers = newVgprs(count);
    for (unsigned i = 0; i < count; ++i)
      emit(Opcode::VMov, {part(registers, i),
                          data[i].isUndefined() ? Operand::constant(0) : plain(data[i]).operand});
  } else {
    registers = toVgpr(data[0]);
  }
  SmallVector<Operand, maxOperands> operands = {registers};
  operands.append(address.operands());
  emit(isCompare ? Opcode::BufAtomicCompareGet : isUsed ? row->get : row->plain, operands);
  return !isUsed || define(call, {{registers}});
}

} // namespace lgc::direct
