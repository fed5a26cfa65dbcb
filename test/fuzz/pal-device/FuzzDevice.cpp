//===- FuzzDevice.cpp - fuzz target: load and execute on the device -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two kinds of input. An ELF is loaded and dispatched as the driver does it. Anything else is
/// machine code with registers: a byte that chooses generation and wave size, one that says which
/// descriptors are made plausible, one that seeds vector registers, then the SGPRs, then
/// instructions; what the decoder refuses is left out.
///
/// Whatever the input, loading gives a program or an error, and execution ends, or faults, within
/// the instruction limit.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/device/core/Wave.h"
#include "llvm/Support/Endian.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>

using namespace llvm;
using namespace pal;
using namespace pal::device;

namespace {

constexpr unsigned bufferBytes = 4096;

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-pal-device: %s\n", what);
  std::abort();
}

//===-- Code objects ------------------------------------------------------===//

void dispatchElf(ArrayRef<uint8_t> bytes) {
  Expected<abi::ElfObject> object = abi::ElfObject::parse(bytes);
  const abi::GpuTarget *target = nullptr;
  if (object)
    target = abi::findTargetByMach(object->header().flags & abi::elf::machMask);
  else
    consumeError(object.takeError());
  DeviceOptions options;
  if (target)
    options.target = target->name.str();
  options.threads = 1;
  options.instructionLimit = 5000;
  options.strict = !bytes.empty() && bytes.back() & 1;
  auto device = cantFail(SoftwareDevice::create(options));
  auto buffer = cantFail(
      device->allocate({.size = bufferBytes, .heap = Heap::DescriptorTables, .name = "buffer"}));
  auto program = device->loadProgram(bytes, "input");
  if (!program) {
    consumeError(program.takeError());
    return;
  }
  // A table of buffers that are the table itself.
  uint32_t record[4] = {uint32_t(buffer->address()), uint32_t(buffer->address() >> 32), bufferBytes,
                        0x31016FAC};
  for (unsigned at = 0; at < bufferBytes; at += sizeof record)
    std::memcpy(buffer->host() + at, record, sizeof record);
  std::vector<uint32_t> userData(abi::userdata::maxEntries, uint32_t(buffer->address()));
  DispatchInfo info{.program = program->get(), .groups = {2, 1, 1}, .userData = userData};
  if (Error fault = device->dispatch(info)) {
    require(fault.isA<DeviceFault>(), "a dispatch fails with another error than a fault");
    consumeError(std::move(fault));
  }
}

//===-- Instructions ------------------------------------------------------===//

struct Machine {
  const abi::GpuTarget *target;
  std::unique_ptr<OpIndex> ops;
  std::unique_ptr<Decoder> decoder;
  unsigned waveSize;
};

Machine &machineFor(unsigned choice) {
  static constexpr const char *targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
  static Machine machines[10];
  Machine &machine = machines[choice % 10];
  if (!machine.decoder) {
    machine.target = abi::findTarget(targets[choice % 5]);
    machine.waveSize = choice % 10 < 5 ? 32 : 64;
    machine.ops = std::make_unique<OpIndex>(generationOf(*machine.target));
    machine.decoder = cantFail(Decoder::create(*machine.target, machine.waveSize));
  }
  return machine;
}

bool decode(Machine &machine, std::vector<uint8_t> code, ProgramData &program) {
  uint8_t end[4];
  support::endian::write32le(end, machine.target->major == 10 ? 0xBF810000 : 0xBFB00000);
  for (unsigned i = 0; i < 8; ++i) // s_endpgm, also where a truncated instruction would eat some
    code.insert(code.end(), end, end + 4);
  program.generation = generationOf(*machine.target);
  program.codeBase = 0x1'0020'0000;
  program.textOf = [](uint32_t) { return std::string(); };
  OpcodeCounters counters;
  Error error = decodeProgram(*machine.decoder, *machine.ops, counters, code, 0, {}, program);
  bool good = !error;
  consumeError(std::move(error));
  return good;
}

/// The instructions of \p bytes that can be executed.
std::vector<uint8_t> executable(Machine &machine, ArrayRef<uint8_t> bytes) {
  std::vector<uint8_t> code;
  while (bytes.size() >= 4) {
    MachineInstr decoded;
    ProgramData alone;
    Error error = machine.decoder->decode(bytes, 0, decoded);
    bool good = !error && decoded.sizeBytes <= bytes.size();
    consumeError(std::move(error));
    size_t size = good ? decoded.sizeBytes : 4;
    ArrayRef<uint8_t> instr = bytes.take_front(size);
    if (good && decode(machine, instr.vec(), alone))
      code.insert(code.end(), instr.begin(), instr.end());
    bytes = bytes.drop_front(size);
  }
  return code;
}

/// Random words are refused for one field or another; these pass the first checks.
void makePlausible(Wave &wave, unsigned which, GpuAddress buffer) {
  uint32_t *s = wave.s;
  if (which & 1) { // V#
    s[4] = uint32_t(buffer);
    s[5] = (s[5] & 0xFFFF0000) | uint32_t(buffer >> 32);
  }
  if (which & 2) { // T#
    s[8] = uint32_t(buffer >> 8);
    s[9] &= 0x7FF00F00;
    s[10] &= which & 4 ? 0x000FC00F : 0xFFFFFFFF;
    s[11] = (s[11] & 0x700FFFFF) | 0x80000000;
    s[12] &= 0x00030003;
    if (which & 8)
      s[11] &= 0xFFF00FFF;
  }
  if (which & 16) { // S#
    s[16] &= 0xFFFFFEDB;
    s[19] &= 0x7FFFFFFF;
  }
  if (which & 32) {
    wave.setS64(0, buffer);
    wave.setS64(2, buffer + bufferBytes - 64);
  }
}

void execute(ArrayRef<uint8_t> bytes) {
  constexpr unsigned headBytes = 3, sgprs = 32;
  if (bytes.size() < headBytes + 4 * sgprs)
    return;
  Machine &machine = machineFor(bytes[0]);
  ProgramData program;
  if (!decode(machine, executable(machine, bytes.drop_front(headBytes + 4 * sgprs)), program))
    return;
  alignas(64) uint8_t storage[bufferBytes] = {};
  auto region = std::make_shared<Region>();
  region->address = generalRange.begin;
  region->size = bufferBytes;
  region->host = storage;
  MemoryView memory(std::make_shared<RegionTable>(RegionTable{region}));
  DeviceOptions options;
  options.perturbApproximate = bytes[1] & 64;
  Group group;
  group.lds.resize(1000);
  group.waveCount = group.liveWaves = 1;
  group.memory = &memory;
  group.options = &options;
  group.borderColors = bytes[1] & 128 ? region->address : 0;
  static const std::unique_ptr<Wave> wave = std::make_unique<Wave>();
  std::vector<uint8_t> scratch(machine.waveSize * 36u);
  for (unsigned i = 0; i < std::size(wave->s); ++i)
    wave->s[i] = support::endian::read32le(bytes.data() + headBytes + 4 * (i % sgprs));
  uint32_t random = bytes[2] * 0x9E3779B9u;
  for (Row &row : wave->v)
    for (uint32_t &value : row.lane) {
      random = random * 1664525 + 1013904223;
      // Small numbers and floats near 1, as well as anything.
      value = random >> 30 == 0   ? random >> 4 & 63
              : random >> 30 == 1 ? 0x3F000000 + (random & 0xFFFFFF)
                                  : random * 2654435761u;
    }
  makePlausible(*wave, bytes[1], region->address);
  wave->scc = 0;
  wave->lanes = machine.waveSize;
  wave->generation = program.generation;
  wave->modeBits = 0xF0 | mode::dx10Clamp;
  wave->index = 0;
  wave->barrierPhase = 0;
  wave->group = &group;
  wave->program = &program;
  wave->scratch = scratch.data();
  wave->scratchBytes = 36;
  wave->setS64(sreg::execLo, wave->laneMask() & ~uint64_t(bytes[2] & 15));
  wave->state = WaveState::Running;
  wave->ip = program.entry;
  wave->invalidateFloatMode();
  unsigned hostMode = _mm_getcsr();
  for (unsigned i = 0; i < 2000 && wave->state == WaveState::Running; ++i) {
    require(wave->ip < program.code.size(), "the pc leaves the code");
    const Instr &instr = program.code[wave->ip++];
    instr.run(*wave, instr);
  }
  _mm_setcsr(hostMode);
  require((wave->state == WaveState::Faulted) == group.fault.has_value(), "a fault without record");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ArrayRef<uint8_t> bytes(data, size);
  if (size >= 4 && !std::memcmp(data,
                                "\x7f"
                                "ELF",
                                4))
    dispatchElf(bytes);
  else
    execute(bytes);
  return 0;
}
