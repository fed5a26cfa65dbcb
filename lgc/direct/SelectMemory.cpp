//===- SelectMemory.cpp - instructions for loads and exports --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/Selector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct::glue {

namespace {

/// HW: bits of the offset of buffer instructions that all generations have, of scalar loads.
constexpr unsigned bufferOffsetBits = 12, scalarOffsetBits = 20;
/// The highest number of an export target that is known here: depth.
constexpr unsigned lastTarget = 8;

} // namespace

// --- Memory

/// The low half of the program counter is nobody's: the table's address takes its place.
bool Selector::visitPointer(const IntToPtrInst &cast) {
  Parts parts;
  if (cast.getAddressSpace() != 4 || !read(cast.getOperand(0), parts) || parts.words.size() != 2 ||
      !parts.words[0].isSgpr() || !parts.words[1].isSgpr() || parts.words[1].number % 2 == 0)
    return false;
  const uint32_t base = parts.words[1].number - 1;
  if (base < sgprs || parts.words[0].number >= sgprs)
    return false;
  addresses[&cast] = {base, 0};
  return emit(Stage::Scalar, Opcode::SMov,
              {Operand::sgpr(base), Operand::sgpr(parts.words[0].number)});
}

bool Selector::visitOffset(const GetElementPtrInst &offset) {
  auto from = addresses.find(offset.getPointerOperand());
  APInt bytes(64, 0);
  if (from == addresses.end() || !offset.accumulateConstantOffset(function.getDataLayout(), bytes))
    return false;
  const Address address = {from->second.base, from->second.offset + bytes.getZExtValue()};
  addresses[&offset] = address;
  return true;
}

bool Selector::visitLoad(const LoadInst &load) {
  auto from = addresses.find(load.getPointerOperand());
  const auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (from == addresses.end() || !type || type->getNumElements() != 4 ||
      type->getScalarSizeInBits() != 32 || from->second.offset >> scalarOffsetBits)
    return false;
  const std::optional<uint32_t> first = line.newSgprs(4);
  if (!first)
    return false;
  Parts &parts = known[&load];
  for (unsigned i = 0; i < 4; ++i)
    parts.words.push_back({Word::Kind::Sgpr, *first + i});
  return emit(Stage::Scalar, Opcode::SLoad4,
              {Operand::sgpr(*first), Operand::sgpr(from->second.base),
               Operand::number(static_cast<uint32_t>(from->second.offset))});
}

/// How many of a vector's elements are asked for, up to the last one that is.
unsigned Selector::usedComponents(const Value &value) const {
  const auto *vector = dyn_cast<FixedVectorType>(value.getType());
  const unsigned all = vector ? vector->getNumElements() : 1;
  unsigned used = 1;
  for (const User *user : value.users()) {
    if (!needed.count(user))
      continue;
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    const auto *other = dyn_cast<FixedVectorType>(user->getType());
    if (index && index->getZExtValue() < all)
      used = std::max(used, static_cast<unsigned>(index->getZExtValue()) + 1);
    else if (isa<BitCastInst>(user) && other && other->getNumElements() == all)
      used = std::max(used, usedComponents(*user));
    else
      return all;
  }
  return used;
}

/// The first of its four SGPRs; what is in several places is put together.
std::optional<uint32_t> Selector::descriptorOf(const Value *value) {
  if (auto found = descriptors.find(value); found != descriptors.end())
    return found->second;
  Parts parts;
  if (!read(value, parts) || parts.words.size() != 4)
    return std::nullopt;
  bool isRow = parts.words[0].isSgpr() && parts.words[0].number % 4 == 0;
  for (unsigned i = 0; i < 4; ++i)
    isRow &= parts.words[i] == Word{Word::Kind::Sgpr, parts.words[0].number + i};
  if (isRow)
    return parts.words[0].number;
  const std::optional<uint32_t> first = line.newSgprs(4);
  if (!first)
    return std::nullopt;
  for (unsigned i = 0; i < 4; ++i) {
    const Word &word = parts.words[i];
    const Operand to = Operand::sgpr(*first + i);
    const bool done = word.isSgpr()
                          ? emit(Stage::Early, Opcode::SMov, {to, Operand::sgpr(word.number)})
                          : word.isConstant() && emit(Stage::Early, Opcode::SMovLiteral,
                                                      {to, Operand::number(word.number)});
    if (!done)
      return std::nullopt;
  }
  descriptors[value] = *first;
  return first;
}

/// Operands: descriptor, index, two offsets, (format,) cache policy.
bool Selector::visitBufferLoad(const CallInst &call, bool isTyped) {
  constexpr Opcode raw[] = {Opcode::BufferLoad1, Opcode::BufferLoad2, Opcode::BufferLoad3,
                            Opcode::BufferLoad4};
  constexpr Opcode typed[] = {Opcode::TypedLoad1, Opcode::TypedLoad2, Opcode::TypedLoad3,
                              Opcode::TypedLoad4};
  auto number = [&](unsigned index) -> std::optional<uint64_t> {
    const auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(index));
    return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
  };
  const std::optional<uint64_t> offset = number(2), scalarOffset = number(3),
                                format = isTyped ? number(4) : 0, policy = number(isTyped ? 5 : 4);
  Word index;
  if (!offset || !scalarOffset || !format || policy != 0 || *offset >> bufferOffsetBits ||
      *scalarOffset >> bufferOffsetBits || (*offset + *scalarOffset) >> bufferOffsetBits ||
      !readWord(call.getArgOperand(1), index) || !toVgpr(index))
    return false;
  const std::optional<uint32_t> descriptor = descriptorOf(call.getArgOperand(0));
  const unsigned count = usedComponents(call);
  if (!descriptor || count > std::size(raw) || call.getType()->getScalarSizeInBits() != 32)
    return false;
  const Word first = line.newVgprs(count);
  Parts &parts = known[&call];
  for (unsigned i = 0; i < count; ++i)
    parts.words.push_back({Word::Kind::Vgpr, first.number + i});
  if (const auto *vector = dyn_cast<FixedVectorType>(call.getType()))
    parts.words.resize(vector->getNumElements()); // nobody asks for the others
  SmallVector<Operand, maxOperands> operands = {Operand::result(first, count), Operand::vgpr(index),
                                                Operand::sgpr(*descriptor)};
  if (isTyped)
    operands.push_back(Operand::number(static_cast<uint32_t>(*format)));
  operands.push_back(Operand::number(static_cast<uint32_t>(*offset + *scalarOffset)));
  return emit(Stage::Load, (isTyped ? typed : raw)[count - 1], operands);
}

// --- Exports

bool Selector::visitPack(const CallInst &call, Opcode opcode) {
  Word low, high;
  if (!readWord(call.getArgOperand(0), low) || !readWord(call.getArgOperand(1), high) ||
      !toSource(low) || !toSource(high))
    return false;
  if (opcode == Opcode::VPackHalf && !high.isVgpr())
    opcode = Opcode::VPackHalfLong;
  return define(call, opcode,
                {Operand::source(low),
                 opcode == Opcode::VPackHalf ? Operand::vgpr(high) : Operand::source(high)});
}

/// Operands: target, mask, values (four, or two pairs), last, valid mask.
bool Selector::visitExport(const CallInst &call) {
  const bool isPairs = call.getIntrinsicID() == Intrinsic::amdgcn_exp_compr;
  const unsigned count = isPairs ? 2 : 4, bits = isPairs ? 2 : 1;
  const uint64_t target = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const uint64_t mask = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
  const bool isLast = cast<ConstantInt>(call.getArgOperand(2 + count))->isOne();
  if (target > lastTarget || isLast != cast<ConstantInt>(call.getArgOperand(3 + count))->isOne() ||
      (isPairs && gfxMajor >= 11))
    return false;
  SmallVector<Operand, maxOperands> operands = {Operand::number(static_cast<uint32_t>(target))};
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t enabled = mask >> i * bits & ((1u << bits) - 1);
    Word word;
    if (enabled && (!readWord(call.getArgOperand(2 + i), word) || !toVgpr(word)))
      return false;
    if (isPairs && enabled && enabled != 3)
      return false; // one half of a dword
    operands.push_back({isPairs ? Operand::Role::Pair : Operand::Role::Export, word});
  }
  const Opcode opcode = isPairs  ? isLast ? Opcode::ExportPairsLast : Opcode::ExportPairs
                        : isLast ? Opcode::ExportLast
                                 : Opcode::Export;
  return emit(Stage::Export, opcode, operands);
}

} // namespace lgc::direct::glue
