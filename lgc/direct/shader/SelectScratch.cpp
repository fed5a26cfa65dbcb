//===- SelectScratch.cpp - variables of single lanes in memory ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Allocas stand in the lanes' scratch memory, in order. HW: gfx11 and later have instructions for
/// it that know where it is. On gfx10 it is a buffer whose descriptor is in the global table: its
/// dwords are swizzled over lanes, so that each is accessed by itself, and where the wave's part
/// begins comes in the SGPR behind the last argument, of merged stages in one of their first.
#include "lgc/direct/shader/BufferAddress.h"
#include "lgc/direct/shader/SpillMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned globalSpace = 1, constantSpace = 4, scratchSpace = 5;
/// HW: what both kinds of instructions have as offset.
constexpr int64_t offsetsEnd = 4096;
/// Bytes of the place for what lies outside of all variables.
constexpr uint32_t outside = 16;
/// HW: where the global table has the descriptors of scratch.
constexpr uint32_t graphicsScratch = 0, computeScratch = 16;
/// HW: of merged stages, the SGPRs with the wave's place in scratch and with the global table.
constexpr unsigned mergedScratch = 5, mergedTable = 8;

/// Without a register for the address, and with one.
struct ScratchOpcodes {
  Opcode loadOff, load, storeOff, store;
};
struct ScratchRow {
  unsigned bits;
  ScratchOpcodes scratch, buffer;
};
#define OPCODES(LOAD, STORE) {Opcode::LOAD##Off, Opcode::LOAD, Opcode::STORE##Off, Opcode::STORE}
constexpr ScratchRow scratchRows[] = {
    {8, OPCODES(ScratchLoadU8, ScratchStore8), OPCODES(BufLoadU8, BufStore8)},
    {16, OPCODES(ScratchLoadU16, ScratchStore16), OPCODES(BufLoadU16, BufStore16)},
    {32, OPCODES(ScratchLoad1, ScratchStore1), OPCODES(BufLoad1, BufStore1)},
    {64, OPCODES(ScratchLoad2, ScratchStore2), OPCODES(BufLoad2, BufStore2)},
    {96, OPCODES(ScratchLoad3, ScratchStore3), OPCODES(BufLoad3, BufStore3)},
    {128, OPCODES(ScratchLoad4, ScratchStore4), OPCODES(BufLoad4, BufStore4)},
};
#undef OPCODES

} // namespace

/// Offsets of all allocas that are used. What lies outside of them all goes to a place behind them.
bool ShaderSelector::placeScratch() {
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block) {
      const auto *variable = dyn_cast<AllocaInst>(&inst);
      if (!variable || !needed.count(variable))
        continue;
      const std::optional<TypeSize> size = variable->getAllocationSize(layout);
      if (!variable->isStaticAlloca() || !size)
        return refuse(inst);
      const uint64_t place = alignTo(program.scratchBytes, variable->getAlign());
      constexpr uint64_t most = 1 << 18; // far from what offsets and hardware have
      if (place + size->getFixedValue() > most)
        return refuse("too much scratch");
      scratchPlaces[variable] = static_cast<uint32_t>(place);
      program.scratchBytes = static_cast<uint32_t>(place + size->getFixedValue());
    }
  if (program.scratchBytes)
    program.scratchBytes = static_cast<uint32_t>(alignTo(program.scratchBytes, outside)) + outside;
  return true;
}

/// Of gfx10: where scratch is, for variables and for what is spilled.
void ShaderSelector::findScratch() {
  const CallingConv::ID stage = function.getCallingConv();
  const bool isMerged = stage == CallingConv::AMDGPU_GS || stage == CallingConv::AMDGPU_HS;
  unsigned sgprs = 0;
  for (const Argument &argument : function.args())
    sgprs += argument.hasInRegAttr() ? dwordsOf(argument.getType()) : 0;
  const unsigned tableRegister = isMerged ? mergedTable : 0;
  if (sgprs <= tableRegister || function.hasFnAttribute("amdgpu-git-ptr-high") ||
      function.arg_size() <= tableRegister)
    return;
  const Argument *table = function.getArg(tableRegister);
  if (!table->hasInRegAttr() || dwordsOf(table->getType()) != 1)
    return;
  ScratchBase &base = program.scratchBase;
  base.table = known[table].front().operand.value;
  if (isMerged) {
    base.wave = known[function.getArg(mergedScratch)].front().operand.value;
  } else {
    base.wave = program.addUnit(Bank::Scalar);
    program.units[base.wave].fixed = static_cast<int16_t>(sgprs);
  }
  base.place = stage == CallingConv::AMDGPU_CS ? computeScratch : graphicsScratch;
}

/// In front of everything.
bool ShaderSelector::beginScratch() {
  if (program.target->major >= 11)
    return true;
  findScratch();
  if (!program.scratchBytes)
    return true;
  if (!program.scratchBase.isKnown())
    return refuse("scratch without a global table");
  makeScratchDescriptor(program, *ops);
  return true;
}

bool ShaderSelector::selectAlloca(const AllocaInst &variable) {
  return define(variable, {Word::constant(scratchPlaces.lookup(&variable))});
}

/// Dwords of a value whose words are those that memory has; 0: of another.
unsigned ShaderSelector::memoryDwords(Type *type) const {
  if (!type->isSingleValueType())
    return 0;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  const unsigned count = dwordsOf(type);
  if (bits == 8)
    return count == 1 ? 1 : 0;
  return bits % 16 == 0 && count == divideCeil(bits, 32) ? count : 0;
}

/// How many bits the next access has of those that are left.
uint64_t ShaderSelector::bitsAtOnce(uint64_t left, uint64_t most) {
  for (uint64_t bits : {128, 96, 64, 32, 16})
    if (bits <= most && bits <= left)
      return bits;
  return 8;
}

/// Of what is at a constant distance from a variable more may be known.
Align ShaderSelector::alignmentOf(const Value *pointer, Align known) const {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto *variable = dyn_cast<AllocaInst>(base);
  return variable ? std::max(known, commonAlignment(variable->getAlign(), offset.getZExtValue()))
                  : known;
}

/// \p data: \p bits of them. Lanes that run for others only have scratch, too.
void ShaderSelector::accessScratch(bool isLoad, const Operand &data, uint64_t bits,
                                   const Words &words, int64_t offset) {
  const bool isBuffer = program.target->major < 11;
  const uint32_t bytes = std::max(static_cast<uint32_t>(bits / 8), outside);
  const uint32_t last = program.scratchBytes > bytes ? program.scratchBytes - bytes : 0;
  Operand base; // None: no register
  if (words[0].isConstant() || words[0].isUndefined()) {
    offset += words[0].isConstant() ? words[0].operand.value : 0;
    offset = static_cast<uint32_t>(offset);
    offset = std::min<int64_t>(offset, last);
    if (offset + static_cast<int64_t>(bits / 8) > offsetsEnd)
      base = toVgpr(Word::constant(static_cast<uint32_t>(offset)));
  } else {
    // Shaders that use more than an array has must not reach what belongs to other lanes.
    base = toVgpr(addOffset(words, offset)[0]);
    base = vector(Opcode::VMinU, {Word::constant(last), {base}}).operand;
  }
  const bool hasBase = base.kind != Operand::Kind::None;
  if (hasBase)
    offset = 0;
  for (uint64_t done = 0; done < bits;) {
    const uint64_t now = bitsAtOnce(bits - done, isBuffer ? 32 : 128);
    const ScratchRow *row =
        find_if(scratchRows, [&](const ScratchRow &r) { return r.bits == now; });
    const ScratchOpcodes &opcodes = isBuffer ? row->buffer : row->scratch;
    const Operand place = Operand::number(static_cast<uint32_t>(offset + done / 8));
    const Operand first = part(data, static_cast<unsigned>(done / 32));
    SmallVector<Operand, maxOperands> operands;
    if (isBuffer || isLoad)
      operands.push_back(first);
    if (hasBase)
      operands.push_back(base);
    if (isBuffer)
      operands.append({Operand::unit(program.scratchBase.descriptor), noScalarOffset(), place,
                       Operand::number(0)});
    else if (isLoad)
      operands.push_back(place);
    else
      operands.append({first, place});
    hasMemory = true;
    append(MachineOp(isLoad    ? hasBase ? opcodes.load : opcodes.loadOff
                     : hasBase ? opcodes.store
                               : opcodes.storeOff,
                     operands));
    done += now;
  }
}

bool ShaderSelector::selectScratchLoad(const LoadInst &load) {
  const unsigned count = memoryDwords(load.getType());
  const uint64_t bits = layout.getTypeSizeInBits(load.getType()).getFixedValue();
  Words pointer;
  int64_t offset = 0;
  if (!count || count > 32 ||
      alignmentOf(load.getPointerOperand(), load.getAlign()).value() * 8 <
          std::min<uint64_t>(bits, 32))
    return refuse("scratch at another alignment");
  if (!readAddress(load.getPointerOperand(), pointer, offset))
    return false;
  const Operand result = newVgprs(count);
  accessScratch(true, result, bits, pointer, offset);
  return define(load, wordsOf(result, count));
}

/// Fills or copies as many bytes as are known, a few registers at a time.
bool ShaderSelector::selectBlockOfMemory(const MemIntrinsic &block) {
  constexpr uint64_t most = 4096, atOnce = 64;
  const auto *size = dyn_cast<ConstantInt>(block.getLength());
  const auto *copy = dyn_cast<MemCpyInst>(&block);
  const auto *fill = dyn_cast<MemSetInst>(&block);
  const unsigned from = copy ? copy->getSourceAddressSpace() : scratchSpace;
  const bool isGlobal = from == constantSpace || from == globalSpace;
  if ((!copy && !fill) || !size || size->getZExtValue() > most || size->getZExtValue() % 4 ||
      block.getDestAddressSpace() != scratchSpace || (!isGlobal && from != scratchSpace) ||
      alignmentOf(block.getDest(), block.getDestAlign().valueOrOne()) < Align(4) ||
      (copy && alignmentOf(copy->getSource(), copy->getSourceAlign().valueOrOne()) < Align(4)))
    return refuse("a block of memory");
  Words to, source;
  int64_t toOffset = 0, sourceOffset = 0;
  Word byte;
  if (!readAddress(block.getDest(), to, toOffset) ||
      (copy && !readAddress(copy->getSource(), source, sourceOffset)) ||
      (fill && !readWord(fill->getValue(), byte)))
    return false;
  if (fill && !byte.isConstant())
    return refuse("a block of memory");
  const uint32_t pattern = (byte.operand.value & 0xFF) * 0x01010101;
  Operand data;
  for (uint64_t done = 0; done < size->getZExtValue(); done += atOnce) {
    const uint64_t now = std::min(size->getZExtValue() - done, atOnce);
    const auto offset = static_cast<int64_t>(done);
    if (fill && !done)
      data = tuple(Words(now / 4, Word::constant(pattern)), Bank::Vector);
    if (copy)
      data = newVgprs(static_cast<unsigned>(now / 4));
    if (copy && isGlobal)
      loadGlobal(data, 8 * now, source, sourceOffset + offset, 0);
    else if (copy)
      accessScratch(true, data, 8 * now, source, sourceOffset + offset);
    accessScratch(false, data, 8 * now, to, toOffset + offset);
  }
  return true;
}

bool ShaderSelector::selectScratchStore(const StoreInst &store) {
  Type *type = store.getValueOperand()->getType();
  const unsigned count = memoryDwords(type);
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  Words words, pointer;
  int64_t offset = 0;
  if (!count || count > 32 ||
      alignmentOf(store.getPointerOperand(), store.getAlign()).value() * 8 <
          std::min<uint64_t>(bits, 32))
    return refuse("scratch at another alignment");
  if (!read(store.getValueOperand(), words) ||
      !readAddress(store.getPointerOperand(), pointer, offset))
    return false;
  accessScratch(false, tuple(words, Bank::Vector), bits, pointer, offset);
  return true;
}

} // namespace lgc::direct
