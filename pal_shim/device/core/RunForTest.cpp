//===- RunForTest.cpp - a single wave for tests of operations --------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/RunForTest.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include <immintrin.h>

using namespace llvm;

namespace pal::device::test {

WaveForTest::WaveForTest(StringRef target, unsigned waveSize, StringRef text)
    : wave(std::make_unique<Wave>()) {
  std::vector<uint8_t> code = assemble(target, waveSize, (text + "\ns_endpgm\n").str());
  const abi::GpuTarget *gpu = abi::findTarget(target);
  program.name = "test";
  program.generation = generationOf(*gpu);
  program.codeBase = 0x1'0020'0000;
  OpIndex ops(program.generation);
  Expected<std::unique_ptr<Decoder>> decoder = Decoder::create(*gpu, waveSize);
  if (!decoder) {
    decodeError = toString(decoder.takeError());
    return;
  }
  if (Error error = decodeProgram(**decoder, ops, counters, code, 0, {}, program))
    decodeError = toString(std::move(error));
  std::memset(wave->s, 0, sizeof wave->s);
  std::memset(wave->v, 0, sizeof wave->v);
  wave->lanes = waveSize;
  wave->generation = program.generation;
  wave->modeBits = 0xF0 | mode::dx10Clamp;
  wave->group = &group;
  wave->program = &program;
  wave->setS64(sreg::execLo, wave->laneMask());
  group.options = &options;
  group.waveCount = 1;
}

bool WaveForTest::run() {
  group.fault.reset();
  if (!decodeError.empty())
    return false;
  MemoryView memory(std::make_shared<RegionTable>(regions));
  group.memory = &memory;
  group.liveWaves = 1;
  wave->state = WaveState::Running;
  wave->ip = program.entry;
  wave->invalidateFloatMode();
  unsigned hostMode = _mm_getcsr();
  for (unsigned i = 0; i < 1'000'000 && wave->state == WaveState::Running; ++i) {
    const Instr &instr = program.code[wave->ip++];
    instr.run(*wave, instr);
  }
  _mm_setcsr(hostMode);
  group.memory = nullptr;
  return wave->state == WaveState::Ended;
}

} // namespace pal::device::test
