//===- Buffer.cpp - addresses of buffer instructions -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// MUBUF, MTBUF and VBUFFER: from the V#, index and offset of each lane to a host pointer (RDNA ISA
/// manuals, "Buffer addressing"). Accesses that fail the V#'s bounds check read 0 and write
/// nothing; untyped ones are checked per dword. Accesses that pass and lie outside every allocation
/// fault.
///
/// A V# whose base is scratchBufferBase means private memory (core/Scratch.h).
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/device/memory/BufferOps.h"
#include "pal_shim/device/memory/BufferResource.h"
#include "pal_shim/device/memory/FlatOps.h"
#include "pal_shim/device/memory/LaneOffsets.h"
#include <cstring>

namespace pal::device {

BufferResource decodeBufferResource(Generation generation, const uint32_t *words) {
  BufferResource r;
  r.base = words[0] | uint64_t(words[1] & 0xFFFF) << 32;
  r.stride = words[1] >> 16 & 0x3FFF;
  r.records = words[2];
  r.indexStride = 8u << (words[3] >> 21 & 3);
  r.addTid = words[3] >> 23 & 1;
  r.bounds = words[3] >> 28 & 3;
  r.format = words[3] >> 12 & (isGfx10(generation) ? 0x7F : 0x3F);
  for (unsigned i = 0; i < 4; ++i)
    r.select[i] = words[3] >> (3 * i) & 7;
  if (isGfx10(generation)) {
    r.elementBytes = words[1] >> 31 ? 4 : 0;
  } else {
    constexpr uint8_t elementBytes[] = {0, 4, 8, 16};
    r.elementBytes = elementBytes[words[1] >> 30];
  }
  if (isGfx12(generation)) {
    constexpr uint8_t strideScale[] = {1, 4, 8, 32};
    r.stride *= strideScale[words[3] >> 18 & 3];
  }
  return r;
}

namespace {

/// Index and offset of each lane, before the V# is looked at.
struct BufferAccess {
  BufferResource resource;
  uint32_t soffset = 0;
  bool hasIndex = false;
  uint32_t index[maxLanes], offset[maxLanes];

  uint64_t swizzled(uint64_t index, uint64_t offset) const;
  /// Byte offset from base + soffset.
  uint64_t place(uint32_t index, uint64_t offset) const {
    if (resource.elementBytes && hasIndex)
      return swizzled(index, offset);
    return uint64_t(index) * resource.stride + offset;
  }
  bool inBounds(unsigned lane, unsigned at, unsigned bytes) const {
    uint64_t offsetInRecord = uint64_t(offset[lane]) + at;
    return resource.inBounds(index[lane], offsetInRecord,
                             uint64_t(index[lane]) * resource.stride + offsetInRecord, soffset,
                             bytes);
  }
  GpuAddress address(unsigned lane, unsigned at) const {
    return (resource.base + soffset + place(index[lane], uint64_t(offset[lane]) + at)) &
           0xFFFFFFFFFFFFull;
  }
};

uint64_t BufferAccess::swizzled(uint64_t index, uint64_t offset) const {
  uint64_t element = resource.elementBytes, block = resource.indexStride;
  return (index / block * resource.stride + offset / element * element) * block +
         index % block * element + offset % element;
}

void collectOffsets(Wave &wave, const Instr &instr, BufferAccess &access) {
  const uint32_t *first = wave.v[instr.src[0].reg].lane;
  const uint32_t *second = wave.v[instr.src[0].reg + 1].lane;
  const uint32_t *offsets = instr.mem.idxen ? second : first;
  access.hasIndex = instr.mem.idxen || access.resource.addTid;
  if (!access.hasIndex) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      access.offset[lane] = (instr.mem.offen ? offsets[lane] : 0) + uint32_t(instr.mem.offset);
    std::memset(access.index, 0, wave.lanes * 4);
    return;
  }
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    access.index[lane] = (instr.mem.idxen ? first[lane] : 0) + (access.resource.addTid ? lane : 0);
    access.offset[lane] = (instr.mem.offen ? offsets[lane] : 0) + uint32_t(instr.mem.offset);
  }
}

/// Untyped accesses that the bounds check or the swizzle splits: dwords of their own.
struct SplitLanes {
  Bounce bounce;
  uint8_t *piece[maxLanes][4]; ///< null: out of bounds
  uint64_t mask = 0;
};

/// False after a fault.
bool splitLane(Wave &wave, const MemOp &op, unsigned bytes, const BufferAccess &access,
               unsigned lane, SplitLanes &split) {
  std::memset(split.bounce.lane[lane], 0, sizeof(split.bounce.lane[lane]));
  split.mask |= 1ull << lane;
  // Atomics and texels are one piece.
  unsigned step = op.typed || op.kind == MemKind::Atomic ? bytes : std::min(bytes, 4u);
  for (unsigned at = 0, i = 0; at < bytes; at += step, ++i) {
    split.piece[lane][i] = nullptr;
    if (!access.inBounds(lane, at, step))
      continue;
    GpuAddress address = access.address(lane, at);
    split.piece[lane][i] = wave.group->memory->find(address, step);
    if (!split.piece[lane][i]) {
      wave.memoryFault(address, step, op.kind != MemKind::Load, int(lane));
      return false;
    }
    if (op.kind == MemKind::Load)
      std::memcpy(split.bounce.lane[lane] + at, split.piece[lane][i], step);
  }
  return true;
}

void writeBack(const MemOp &op, unsigned bytes, const SplitLanes &split) {
  unsigned step = op.typed ? bytes : std::min(bytes, 4u);
  forEachLane(split.mask, [&](unsigned lane) {
    for (unsigned at = 0, i = 0; at < bytes; at += step, ++i)
      if (split.piece[lane][i])
        std::memcpy(split.piece[lane][i], split.bounce.lane[lane] + at, step);
  });
}

void runScratchBuffer(Wave &wave, const Instr &instr, BufferAccess &access, unsigned bytes) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    access.offset[lane] += access.soffset / wave.lanes;
  runPrivate(wave, instr, bytes, access.offset, wave.exec());
  writeTfe(wave, instr, wave.exec());
}

/// Sorts lanes into whole ones, whose addresses it fills in, and split ones. False after a fault.
bool classifyLanes(Wave &wave, const MemOp &op, unsigned bytes, const BufferAccess &access,
                   uint64_t exec, GpuAddress *addresses, SplitLanes &split) {
  bool swizzled = access.resource.elementBytes && access.hasIndex;
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    unsigned crosses = swizzled ? access.offset[lane] % access.resource.elementBytes + bytes : 0;
    bool whole = access.inBounds(lane, 0, bytes) &&
                 (crosses <= access.resource.elementBytes || op.kind == MemKind::Atomic);
    if (whole)
      addresses[lane] = access.address(lane, 0);
    else if (!splitLane(wave, op, bytes, access, lane, split))
      return false;
  }
  return true;
}

/// Everything in bounds and not swizzled: one check for all lanes. False: nothing was done.
bool runLinear(Wave &wave, const Instr &instr, unsigned bytes, const BufferAccess &access,
               LanePointers &lanes) {
  const BufferResource &r = access.resource;
  const bool isUnbounded = r.bounds == 2;
  if (isUnbounded ? !r.records || (r.elementBytes && access.hasIndex) : r.elementBytes != 0)
    return false;
  const MemOp &op = memOp(instr);
  if (op.applyRow && !access.hasIndex && r.bounds == 3 && lanes.mask == wave.laneMask() &&
      isConsecutive(access.offset, op.bytes, wave.lanes)) {
    uint64_t size = uint64_t(wave.lanes) * op.bytes, first = access.offset[0];
    if (first + size + access.soffset > r.records || (first + size) >> 32)
      return false;
    uint8_t *host = wave.group->memory->findForAll(r.base + access.soffset + first, size);
    if (host)
      op.applyRow(wave, instr, host);
    return host;
  }
  uint32_t place[maxLanes] = {};
  std::copy_n(access.offset, wave.lanes, place);
  OffsetRange range = offsetRange(place, lanes.mask, wave.lanes);
  uint64_t end = uint64_t(range.high) + bytes;
  if (access.hasIndex || (r.bounds != 3 && !isUnbounded)) {
    uint32_t index[maxLanes] = {};
    std::copy_n(access.index, wave.lanes, index);
    uint32_t lastIndex = offsetRange(index, lanes.mask, wave.lanes).high;
    // Places must not exceed 32 bits.
    end += uint64_t(lastIndex) * r.stride;
    if (end >> 32)
      return false;
    if (r.bounds != 3 && !isUnbounded && lastIndex >= r.records)
      return false;
    if (r.bounds == 0 && uint64_t(range.high) + bytes > r.stride)
      return false;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      place[lane] += index[lane] * r.stride;
  }
  if (r.bounds == 3 && end + access.soffset > r.records)
    return false;
  return applyGlobal(wave, instr, bytes, r.base + access.soffset, place, lanes);
}

} // namespace

void runBuffer(Wave &wave, const Instr &instr) {
  const MemOp &op = memOp(instr);
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  BufferAccess access;
  access.resource = decodeBufferResource(wave.generation, &wave.s[instr.src[3].reg]);
  access.soffset =
      instr.src[4].kind == Src::Kind::Sgpr ? wave.s[instr.src[4].reg] : uint32_t(instr.src[4].imm);
  if (op.typed && instr.mem.format)
    access.resource.format = instr.mem.format;
  collectOffsets(wave, instr, access);
  LanePointers lanes(exec, &access.resource);
  unsigned bytes = op.typed ? typedBytes(wave, access.resource) : op.bytes;
  if (!bytes)
    return; // after a fault
  if (access.resource.base == scratchBufferBase)
    return runScratchBuffer(wave, instr, access, bytes);
  if (runLinear(wave, instr, bytes, access, lanes))
    return writeTfe(wave, instr, exec);
  GpuAddress addresses[maxLanes];
  SplitLanes split;
  if (!classifyLanes(wave, op, bytes, access, exec, addresses, split))
    return;
  lanes.mask = exec & ~split.mask;
  if (!resolveGlobal(wave, op, bytes, addresses, lanes))
    return;
  forEachLane(split.mask, [&](unsigned lane) { lanes.at[lane] = split.bounce.lane[lane]; });
  lanes.mask = exec;
  op.apply(wave, instr, lanes);
  writeTfe(wave, instr, exec);
  if (op.kind == MemKind::Store)
    writeBack(op, bytes, split);
}

} // namespace pal::device
