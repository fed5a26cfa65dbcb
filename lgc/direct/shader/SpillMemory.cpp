//===- SpillMemory.cpp - where spilled units are --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/SpillMemory.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// HW: what instructions have as offset on every generation.
constexpr uint32_t offsetsEnd = 4096;
constexpr uint32_t scratchGranule = 16;

Operand partOf(const Operand &operand, unsigned index) {
  return Operand::unit(operand.value, operand.index + index);
}

struct ScratchOpcodes {
  Opcode loadOff, load, storeOff, store;
};
/// By dwords, less one.
constexpr ScratchOpcodes scratchOpcodes[] = {
    {Opcode::ScratchLoad1Off, Opcode::ScratchLoad1, Opcode::ScratchStore1Off,
     Opcode::ScratchStore1},
    {Opcode::ScratchLoad2Off, Opcode::ScratchLoad2, Opcode::ScratchStore2Off,
     Opcode::ScratchStore2},
    {Opcode::ScratchLoad3Off, Opcode::ScratchLoad3, Opcode::ScratchStore3Off,
     Opcode::ScratchStore3},
    {Opcode::ScratchLoad4Off, Opcode::ScratchLoad4, Opcode::ScratchStore4Off,
     Opcode::ScratchStore4},
};
constexpr ScratchOpcodes bufferOpcodes = {Opcode::BufLoad1Off, Opcode::BufLoad1,
                                          Opcode::BufStore1Off, Opcode::BufStore1};

} // namespace

void makeScratchDescriptor(Program &program, std::vector<MachineOp> &ops) {
  ScratchBase &base = program.scratchBase;
  if (program.target->major >= 11 || base.descriptor != noUnit)
    return;
  auto emit = [&](Opcode opcode, ArrayRef<Operand> operands) {
    ops.push_back(MachineOp(opcode, operands));
  };
  const Operand pair = Operand::unit(program.addUnit(Bank::Scalar, 2, 2)),
                loaded = Operand::unit(program.addUnit(Bank::Scalar, 4, 4)),
                descriptor = Operand::unit(program.addUnit(Bank::Scalar, 4, 4));
  for (const Operand &unit : {pair, loaded, descriptor})
    program.units[unit.value].isPinned = true;
  program.units[descriptor.value].fromStart = true;
  base.descriptor = descriptor.value;
  emit(Opcode::SGetPc, {pair});
  emit(Opcode::SMov, {partOf(pair, 0), Operand::unit(base.table)});
  emit(Opcode::SLoad4, {loaded, pair, Operand::number(base.place)});
  emit(Opcode::SAdd, {partOf(descriptor, 0), partOf(loaded, 0), Operand::unit(base.wave)});
  emit(Opcode::SAddCarry, {partOf(descriptor, 1), partOf(loaded, 1), Operand::constant(0)});
  emit(Opcode::SMov, {partOf(descriptor, 2), partOf(loaded, 2)});
  // HW: the lanes that a row of dwords has are 64 in the table.
  constexpr uint32_t halfOfRow = 1u << 21;
  if (program.isWave64())
    emit(Opcode::SMov, {partOf(descriptor, 3), partOf(loaded, 3)});
  else
    emit(Opcode::SAnd32, {partOf(descriptor, 3), partOf(loaded, 3), Operand::constant(~halfOfRow)});
}

SpillMemory::SpillMemory(Program &program, Bank bank, uint32_t slots)
    : program(program), bank(bank), firstByte(program.scratchBytes) {
  if (bank == Bank::Vector) {
    program.scratchBytes += static_cast<uint32_t>(alignTo(4 * slots, scratchGranule));
    return;
  }
  for (uint32_t slot = 0; slot < slots; slot += program.waveSize) {
    carriers.push_back(program.addUnit(Bank::Vector));
    program.units.back().fromStart = program.units.back().isPinned = true;
  }
}

void SpillMemory::load(const Operand &first, unsigned count, uint32_t slot,
                       std::vector<MachineOp> &ops) {
  access(true, first, count, slot, ops);
}
void SpillMemory::store(const Operand &first, unsigned count, uint32_t slot,
                        std::vector<MachineOp> &ops) {
  access(false, first, count, slot, ops);
}

void SpillMemory::access(bool isLoad, const Operand &first, unsigned count, uint32_t slot,
                         std::vector<MachineOp> &ops) {
  if (bank == Bank::Scalar) {
    for (unsigned i = 0; i < count; ++i) {
      const Operand carrier = Operand::unit(carriers[(slot + i) / program.waveSize]),
                    lane = Operand::constant((slot + i) % program.waveSize), reg = partOf(first, i);
      if (isLoad)
        ops.push_back(MachineOp(Opcode::VReadLane, {reg, carrier, lane}));
      else
        ops.push_back(MachineOp(Opcode::VWriteLane, {carrier, reg, lane}));
    }
    return;
  }
  // HW(gfx10): scratch is a buffer whose dwords are swizzled over lanes.
  const unsigned most = program.target->major < 11 ? 1 : 4;
  for (unsigned done = 0; done < count;) {
    const unsigned now = std::min(count - done, most);
    accessScratch(isLoad, partOf(first, done), now, firstByte + 4 * (slot + done), ops);
    done += now;
  }
}

void SpillMemory::accessScratch(bool isLoad, const Operand &first, unsigned count, uint32_t offset,
                                std::vector<MachineOp> &ops) {
  const bool isBuffer = program.target->major < 11;
  const ScratchOpcodes &opcodes = isBuffer ? bufferOpcodes : scratchOpcodes[count - 1];
  SmallVector<Operand, maxOperands> operands;
  Operand base; // None: the instruction has the offset
  if (offset + 4 * count > offsetsEnd) {
    base = Operand::unit(program.addUnit(Bank::Vector));
    program.units.back().isPinned = true;
    // It is written under the same EXEC as what is loaded.
    program.units.back().acrossIterations = program.units[first.value].acrossIterations;
    ops.push_back(MachineOp(Opcode::VMov, {base, Operand::constant(offset)}));
    offset = 0;
  }
  const bool hasBase = base.isUnit();
  if (isBuffer || isLoad)
    operands.push_back(first);
  if (hasBase)
    operands.push_back(base);
  if (isBuffer)
    operands.append({Operand::unit(program.scratchBase.descriptor), Operand::constant(0),
                     Operand::number(offset), Operand::number(0)});
  else if (isLoad)
    operands.push_back(Operand::number(offset));
  else
    operands.append({first, Operand::number(offset)});
  ops.push_back(MachineOp(isLoad    ? hasBase ? opcodes.load : opcodes.loadOff
                          : hasBase ? opcodes.store
                                    : opcodes.storeOff,
                          operands));
}

} // namespace lgc::direct
