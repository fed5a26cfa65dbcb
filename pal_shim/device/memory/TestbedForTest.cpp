//===- TestbedForTest.cpp - single instructions on a wave of the test ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/memory/TestbedForTest.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

namespace pal::device::test {

Testbed::Testbed(llvm::StringRef targetName, unsigned waveSize)
    : target(targetName), waveSize(waveSize), wave(std::make_unique<Wave>()) {
  const abi::GpuTarget *gpu = abi::findTarget(target);
  decoder = llvm::cantFail(Decoder::create(*gpu, waveSize));
  wave->generation = generationOf(*gpu);
  index = std::make_unique<OpIndex>(wave->generation);
  std::memset(wave->s, 0, sizeof(wave->s));
  std::memset(wave->v, 0, sizeof(wave->v));
  wave->lanes = waveSize;
  wave->modeBits = 0xF0;
  wave->state = WaveState::Running;
  wave->group = &group;
  scratch.resize(size_t(waveSize) * 256);
  wave->scratch = scratch.data();
  wave->scratchBytes = 256;
  group.lds.resize(1024);
  view = std::make_unique<MemoryView>(space.snapshot());
  group.memory = view.get();
  setExec(waveSize == 64 ? ~0ull : 0xFFFFFFFFull);
}

GpuAddress Testbed::allocate(uint64_t bytes, uint64_t alignment) {
  AllocationInfo info;
  info.size = bytes;
  info.alignment = alignment;
  info.name = "buffer";
  regions.push_back(llvm::cantFail(space.allocate(info)));
  view = std::make_unique<MemoryView>(space.snapshot());
  group.memory = view.get();
  return regions.back()->address;
}

bool Testbed::decodeAll(llvm::StringRef text, std::vector<Instr> &out, std::string &why) {
  std::vector<uint8_t> code = assemble(target, waveSize, text);
  for (uint64_t pc = 0; pc < code.size();) {
    MachineInstr machine;
    if (llvm::Error error = decoder->decode(code, pc, machine)) {
      why = llvm::toString(std::move(error));
      return false;
    }
    const OpEntry *op = index->find(machine.first.mnemonic);
    if (!op) {
      why = "no operation " + machine.first.mnemonic.str();
      return false;
    }
    Instr instr;
    instr.op = op;
    instr.run = op->run;
    instr.kernel = op->kernel;
    instr.pc = uint32_t(pc);
    if (!op->decode(machine.first, instr, why))
      return false;
    out.push_back(instr);
    pc += machine.sizeBytes;
  }
  return true;
}

std::vector<Instr> Testbed::decode(llvm::StringRef text) {
  std::vector<Instr> result;
  std::string why;
  EXPECT_TRUE(decodeAll(text, result, why)) << target << ": " << text.str() << ": " << why;
  return result;
}

std::string Testbed::whyNot(llvm::StringRef text) {
  std::vector<Instr> result;
  std::string why;
  decodeAll(text, result, why);
  return why;
}

std::string Testbed::run(llvm::StringRef text) {
  group.fault.reset();
  for (const Instr &instr : decode(text)) {
    instr.run(*wave, instr);
    if (group.fault)
      return group.fault->message;
  }
  return "";
}

} // namespace pal::device::test
