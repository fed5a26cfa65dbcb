//===- SelectBufferAtomics.cpp - atomics of buffers -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/BufferAddress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Without and with a result; at an offset, at an index.
struct AtomicOpcodes {
  Opcode plain, get, plainIndexed, getIndexed;
};
struct AtomicRow {
  Intrinsic::ID raw, indexed;
  AtomicOpcodes narrow, wide; ///< of 32 and 64 bits
  bool isFloat = false;       ///< of 32 bits only
  bool isCompare = false;
};
#define OPCODES(NAME)                                                                              \
  {Opcode::BufAtomic##NAME, Opcode::BufAtomic##NAME##Get, Opcode::BufAtomic##NAME##Idx,            \
   Opcode::BufAtomic##NAME##IdxGet}
#define INTRINSICS(NAME)                                                                           \
  Intrinsic::amdgcn_raw_ptr_buffer_atomic_##NAME, Intrinsic::amdgcn_struct_ptr_buffer_atomic_##NAME
/// A comparison's result is always asked for.
#define COMPARES(NAME)                                                                             \
  {Opcode::BufAtomic##NAME##Get, Opcode::BufAtomic##NAME##Get, Opcode::BufAtomic##NAME##IdxGet,    \
   Opcode::BufAtomic##NAME##IdxGet}
constexpr AtomicRow atomicRows[] = {
    {INTRINSICS(add), OPCODES(Add), OPCODES(Add64)},
    {INTRINSICS(sub), OPCODES(Sub), OPCODES(Sub64)},
    {INTRINSICS(smin), OPCODES(MinI), OPCODES(MinI64)},
    {INTRINSICS(umin), OPCODES(MinU), OPCODES(MinU64)},
    {INTRINSICS(smax), OPCODES(MaxI), OPCODES(MaxI64)},
    {INTRINSICS(umax), OPCODES(MaxU), OPCODES(MaxU64)},
    {INTRINSICS(and), OPCODES(And), OPCODES(And64)},
    {INTRINSICS(or), OPCODES(Or), OPCODES(Or64)},
    {INTRINSICS(xor), OPCODES(Xor), OPCODES(Xor64)},
    {INTRINSICS(swap), OPCODES(Swap), OPCODES(Swap64)},
    {INTRINSICS(fadd), OPCODES(AddF32), OPCODES(AddF32), true},
    {INTRINSICS(fmin), OPCODES(MinF32), OPCODES(MinF32), true},
    {INTRINSICS(fmax), OPCODES(MaxF32), OPCODES(MaxF32), true},
    {INTRINSICS(cmpswap), COMPARES(Compare), COMPARES(Compare64), false, true},
};
#undef OPCODES
#undef INTRINSICS
#undef COMPARES

} // namespace

/// Registers that an atomic writes its result into: with \p words in front of it.
Operand ShaderSelector::ownTuple(ArrayRef<Word> words) {
  const auto count = static_cast<unsigned>(words.size());
  const Operand registers = newVgprs(count);
  for (unsigned i = 0; i < count; ++i)
    emit(Opcode::VMov, {part(registers, i),
                        words[i].isUndefined() ? Operand::constant(0) : plain(words[i]).operand});
  return registers;
}

/// With a comparison: what is stored, what it is compared with. False without a refusal: something
/// else.
bool ShaderSelector::selectBufferAtomic(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const AtomicRow *row =
      find_if(atomicRows, [&](const AtomicRow &r) { return r.raw == id || r.indexed == id; });
  if (row == std::end(atomicRows))
    return false;
  const Type *type = call.getType();
  const bool isWide = type->isIntegerTy(64), hasIndex = id == row->indexed;
  if (row->isFloat ? !type->isFloatTy() : !isWide && !type->isIntegerTy(32))
    return refuse(call);
  const bool isUsed = row->isCompare || !call.use_empty();
  const AtomicOpcodes &opcodes = isWide ? row->wide : row->narrow;
  const Opcode opcode = isUsed     ? hasIndex ? opcodes.getIndexed : opcodes.get
                        : hasIndex ? opcodes.plainIndexed
                                   : opcodes.plain;
  if (!hasInstruction(program.target->major, opcode))
    return refuse(call);
  const unsigned values = row->isCompare ? 2 : 1;
  BufferAddress address;
  Words data;
  for (unsigned i = 0; i < values; ++i) {
    Words words;
    if (!read(call.getArgOperand(i), words))
      return false;
    data.append(words);
  }
  if (!readBuffer(call, values, hasIndex, MemoryAccess::Atomic, address))
    return false;
  if (hasIndex && address.hasOffset)
    return refuse("an index together with an offset");
  if (!hasIndex && !address.hasOffset) {
    address.registers = toVgpr(Word::constant(0));
    address.hasOffset = true;
  }
  const Operand registers = isUsed ? ownTuple(data) : tuple(data, Bank::Vector);
  emit(opcode, address.operands(registers));
  return !isUsed || define(call, wordsOf(registers, isWide ? 2 : 1));
}

} // namespace lgc::direct
