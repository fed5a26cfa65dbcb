//===- Smem.cpp - scalar loads ---------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// s_load_*, s_buffer_load_*, scalar cache control, clocks. Scalar stores and atomics (gfx10) are
/// not here: LLVM never selects them.
///
/// Addresses of dword loads ignore the low two bits (RDNA ISA manuals, "Scalar memory addressing").
/// s_buffer_load_*: dwords that end beyond num_records (times stride, where there is one) read 0.
#include "pal_shim/device/memory/Smem.h"
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/core/Wave.h"
#include "pal_shim/device/memory/BufferResource.h"
#include "pal_shim/device/memory/Fields.h"
#include <chrono>
#include <cstring>

namespace pal::device {

namespace {

const SmemOp &smemOp(const Instr &instr) { return *static_cast<const SmemOp *>(instr.kernel); }

uint32_t scalarOffset(const Wave &wave, const Instr &instr) {
  return instr.src[4].kind == Src::Kind::Sgpr ? wave.s[instr.src[4].reg]
                                              : uint32_t(instr.src[4].imm);
}

void writeScalars(Wave &wave, const Instr &instr, const uint32_t *data, unsigned dwords) {
  if (instr.dst[0].kind == Dst::Kind::Sgpr)
    std::memcpy(&wave.s[instr.dst[0].reg], data, dwords * 4);
}

uint32_t readSmall(const uint8_t *memory, const SmemOp &op) {
  uint16_t value = 0;
  std::memcpy(&value, memory, op.bytes);
  if (op.isSigned)
    return uint32_t(op.bytes == 1 ? int32_t(int8_t(value)) : int32_t(int16_t(value)));
  return value;
}

void runScalarLoad(Wave &wave, const Instr &instr) {
  const SmemOp &op = smemOp(instr);
  GpuAddress address = (wave.s64(instr.src[3].reg) & 0xFFFFFFFFFFFFull) +
                       scalarOffset(wave, instr) + int64_t(instr.mem.offset);
  address &= ~GpuAddress(op.bytes < 4 ? op.bytes - 1 : 3);
  const uint8_t *memory = wave.group->memory->find(address, op.bytes);
  if (!memory)
    return wave.memoryFault(address, op.bytes, false, -1);
  if (AccessLog *log = wave.group->memory->accessLog(); log && log->takesLanes)
    log->lanes.push_back({.address = address, .bytes = op.bytes});
  uint32_t data[16];
  if (op.bytes < 4)
    data[0] = readSmall(memory, op);
  else
    std::memcpy(data, memory, op.bytes);
  writeScalars(wave, instr, data, op.resultDwords);
}

void runScalarBufferLoad(Wave &wave, const Instr &instr) {
  const SmemOp &op = smemOp(instr);
  BufferResource resource = decodeBufferResource(wave.generation, &wave.s[instr.src[3].reg]);
  uint64_t offset = uint32_t(scalarOffset(wave, instr) + uint32_t(instr.mem.offset));
  offset &= ~uint64_t(op.bytes < 4 ? op.bytes - 1 : 3);
  uint64_t size = uint64_t(resource.records) * (resource.stride ? resource.stride : 1);
  GpuAddress address = (resource.base & ~3ull) + offset;
  unsigned step = op.bytes < 4 ? op.bytes : 4;
  unsigned inside = 0; // bytes that may be read
  while (inside < op.bytes && offset + inside + step <= size)
    inside += step;
  uint32_t data[16] = {};
  if (inside) {
    const uint8_t *memory = wave.group->memory->find(address, inside);
    if (!memory)
      return wave.memoryFault(address, inside, false, -1);
    if (op.bytes < 4)
      data[0] = readSmall(memory, op);
    else
      std::memcpy(data, memory, inside);
  }
  writeScalars(wave, instr, data, op.resultDwords);
}

/// Instructions of this wave so far: rises, and is the same in every run.
void runMemtime(Wave &wave, const Instr &instr) {
  uint32_t data[2] = {uint32_t(wave.executed), uint32_t(wave.executed >> 32)};
  writeScalars(wave, instr, data, 2);
}

/// The constant 100 MHz clock.
void runMemrealtime(Wave &wave, const Instr &instr) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  uint64_t ticks = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) / 10;
  uint32_t data[2] = {uint32_t(ticks), uint32_t(ticks >> 32)};
  writeScalars(wave, instr, data, 2);
}

void runWaveId(Wave &wave, const Instr &instr) { writeScalars(wave, instr, &wave.index, 1); }

template <unsigned dwords>
constexpr SmemOp scalarLoad = {.baseDwords = 2, .resultDwords = dwords, .bytes = 4 * dwords};
template <unsigned dwords>
constexpr SmemOp bufferLoad = {.baseDwords = 4, .resultDwords = dwords, .bytes = 4 * dwords};
template <unsigned base, class T>
constexpr SmemOp smallLoad = {
    .baseDwords = base, .resultDwords = 1, .bytes = sizeof(T), .isSigned = std::is_signed_v<T>};
template <unsigned dwords>
constexpr SmemOp noMemory = {.baseDwords = 0, .resultDwords = dwords, .bytes = 0};

#define KILN_LOAD(names, kernel) {names, runScalarLoad, decodeSmem, &kernel}
#define KILN_BUFFER_LOAD(names, kernel) {names, runScalarBufferLoad, decodeSmem, &kernel}
const OpEntry table[] = {
    KILN_LOAD("s_load_b32 s_load_dword", scalarLoad<1>),
    KILN_LOAD("s_load_b64 s_load_dwordx2", scalarLoad<2>),
    KILN_LOAD("s_load_b96", scalarLoad<3>),
    KILN_LOAD("s_load_b128 s_load_dwordx4", scalarLoad<4>),
    KILN_LOAD("s_load_b256 s_load_dwordx8", scalarLoad<8>),
    KILN_LOAD("s_load_b512 s_load_dwordx16", scalarLoad<16>),
    {"s_load_u8", runScalarLoad, decodeSmem, &smallLoad<2, uint8_t>},
    {"s_load_i8", runScalarLoad, decodeSmem, &smallLoad<2, int8_t>},
    {"s_load_u16", runScalarLoad, decodeSmem, &smallLoad<2, uint16_t>},
    {"s_load_i16", runScalarLoad, decodeSmem, &smallLoad<2, int16_t>},
    KILN_BUFFER_LOAD("s_buffer_load_b32 s_buffer_load_dword", bufferLoad<1>),
    KILN_BUFFER_LOAD("s_buffer_load_b64 s_buffer_load_dwordx2", bufferLoad<2>),
    KILN_BUFFER_LOAD("s_buffer_load_b96", bufferLoad<3>),
    KILN_BUFFER_LOAD("s_buffer_load_b128 s_buffer_load_dwordx4", bufferLoad<4>),
    KILN_BUFFER_LOAD("s_buffer_load_b256 s_buffer_load_dwordx8", bufferLoad<8>),
    KILN_BUFFER_LOAD("s_buffer_load_b512 s_buffer_load_dwordx16", bufferLoad<16>),
    {"s_buffer_load_u8", runScalarBufferLoad, decodeSmem, &smallLoad<4, uint8_t>},
    {"s_buffer_load_i8", runScalarBufferLoad, decodeSmem, &smallLoad<4, int8_t>},
    {"s_buffer_load_u16", runScalarBufferLoad, decodeSmem, &smallLoad<4, uint16_t>},
    {"s_buffer_load_i16", runScalarBufferLoad, decodeSmem, &smallLoad<4, int16_t>},
    {"s_memtime", runMemtime, decodeSmem, &noMemory<2>},
    {"s_memrealtime", runMemrealtime, decodeSmem, &noMemory<2>},
    {"s_get_waveid_in_workgroup", runWaveId, decodeSmem, &noMemory<1>},
    {"s_dcache_inv", runNothing, decodeNothing},
    {"s_dcache_wb", runNothing, decodeNothing},
    {"s_gl1_inv", runNothing, decodeNothing},
    {"s_atc_probe", runNothing, decodeNothing},
    {"s_atc_probe_buffer", runNothing, decodeNothing},
    {"s_prefetch_data", runNothing, decodeNothing},
    {"s_prefetch_data_pc_rel", runNothing, decodeNothing},
    {"s_prefetch_inst", runNothing, decodeNothing},
    {"s_prefetch_inst_pc_rel", runNothing, decodeNothing},
    {"s_buffer_prefetch_data", runNothing, decodeNothing},
};
#undef KILN_LOAD
#undef KILN_BUFFER_LOAD

} // namespace

llvm::ArrayRef<OpEntry> smemOps() { return table; }

} // namespace pal::device
