//===- MemOps.h - vector memory operations ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A vector memory instruction is two independent things: where each lane's data is (the encoding:
/// buffer, global, flat, scratch, LDS), and what happens to it (the operation). A MemOp is the
/// second; the run functions of the encodings (Buffer.cpp, Flat.cpp, Ds.cpp) find host pointers for
/// the lanes and hand them to it. OpEntry::kernel of every memory operation is a MemOp.
///
/// Operands of a decoded instruction:
///   dst[0]  VGPRs of the result (loads, atomics that return)
///   src[0]  VGPRs of the address
///   src[1]  VGPRs of the data
///   src[2]  VGPRs of the second data: compare value of cmpswap, second value of DS operations
///   src[3]  SGPRs of the V# or of the scalar base address
///   src[4]  scalar offset of buffer instructions
///
/// Ordinary accesses are plain host accesses, atomics are host atomics: workgroups run on several
/// threads. Unaligned addresses are allowed except for atomics (LLVM assumes unaligned access
/// mode).
#pragma once

#include "pal_shim/device/core/RawInstr.h"
#include "pal_shim/device/core/Wave.h"
#include <bit>

namespace pal::device {

struct BufferResource;

/// Where the lanes' data is. A lane whose access is out of bounds in a way that the ISA defines
/// (reads 0, writes nothing) points to a zero-filled bounce buffer.
struct LanePointers {
  uint64_t mask;                            ///< lanes that take part
  const BufferResource *resource = nullptr; ///< typed buffer operations
  bool isPrivate = false;                   ///< no other thread can see the memory: LDS, scratch
  uint8_t *at[maxLanes];
  // Why constructors: an aggregate would clear `at` each time.
  LanePointers() : mask(0) {}
  explicit LanePointers(uint64_t mask, const BufferResource *resource = nullptr)
      : mask(mask), resource(resource) {}
};

enum class MemKind : uint8_t { Load, Store, Atomic };

struct MemOp {
  void (*apply)(Wave &wave, const Instr &instr, const LanePointers &lanes);
  /// All lanes enabled, element of lane i at base + i * bytes. May be null.
  void (*applyRow)(Wave &wave, const Instr &instr, uint8_t *base) = nullptr;
  MemKind kind = MemKind::Load;
  uint8_t bytes = 4;        ///< of memory per lane; 0: those of the format
  uint8_t dataDwords = 0;   ///< of a store's or atomic's data operand
  uint8_t resultDwords = 0; ///< of the result
  uint8_t operands = 1;     ///< data operands of an atomic: 2 for cmpswap and the like
  uint8_t pairStride = 0;   ///< two-address LDS operations: unit of the offsets, in elements
  bool typed = false;       ///< converts by a format
  uint8_t components = 0;   ///< of a typed operation
  bool storesHigh = false;  ///< a small store: of the register's upper half
};

inline const MemOp &memOp(const Instr &instr) { return *static_cast<const MemOp *>(instr.kernel); }

/// Calls function(lane) for each set bit, from lane 0 up.
template <class F> inline void forEachLane(uint64_t mask, F function) {
  if (mask == 0xFFFFFFFF || mask == ~0ull) {
    unsigned lanes = mask == ~0ull ? 64 : 32;
    for (unsigned lane = 0; lane < lanes; ++lane)
      function(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    function(unsigned(std::countr_zero(mask)));
}

/// Zero-filled places for lanes that are out of bounds.
struct Bounce {
  alignas(16) uint8_t lane[maxLanes][16];
};

/// Host pointers for [address, address + bytes) of every lane of lanes.mask. False after a fault.
bool resolveGlobal(Wave &wave, const MemOp &op, unsigned bytes, const GpuAddress *address,
                   LanePointers &lanes);
/// Host pointer into the private memory of a lane; null after a fault.
uint8_t *scratchPointer(Wave &wave, uint32_t offset, unsigned bytes, unsigned lane);
/// Faults when an atomic's address is not a multiple of its size. True: go on.
bool checkAtomicAlignment(Wave &wave, const MemOp &op, GpuAddress address, unsigned lane);
/// Tells AccessLog::lanes. \p data: number of the source operand that a store writes.
void logLane(Wave &wave, const Instr &instr, bool isLds, GpuAddress address, unsigned lane,
             unsigned data = 1);
/// The same of all lanes of \p mask, in device memory.
void logLanes(Wave &wave, const Instr &instr, const GpuAddress *addresses, uint64_t mask);
/// Writes the status dword behind the result of an instruction with TFE: everything is resident.
void writeTfe(Wave &wave, const Instr &instr, uint64_t mask);

// Data movement, LaneData.cpp.
enum class Extend : uint8_t { Zero, Sign };
enum class Part : uint8_t { Whole, Low, High }; ///< which half of the register is meant
template <unsigned dwords>
void loadDwords(Wave &wave, const Instr &instr, const LanePointers &lanes);
template <unsigned dwords>
void storeDwords(Wave &wave, const Instr &instr, const LanePointers &lanes);
template <class T, Part part>
void loadSmall(Wave &wave, const Instr &instr, const LanePointers &lanes);
template <class T, Part part>
void storeSmall(Wave &wave, const Instr &instr, const LanePointers &lanes);
void loadRow(Wave &wave, const Instr &instr, uint8_t *base);
void storeRow(Wave &wave, const Instr &instr, uint8_t *base);

template <unsigned dwords>
inline constexpr MemOp loadOp = {.apply = loadDwords<dwords>,
                                 .applyRow = dwords == 1 ? loadRow : nullptr,
                                 .kind = MemKind::Load,
                                 .bytes = 4 * dwords,
                                 .resultDwords = dwords};
template <unsigned dwords>
inline constexpr MemOp storeOp = {.apply = storeDwords<dwords>,
                                  .applyRow = dwords == 1 ? storeRow : nullptr,
                                  .kind = MemKind::Store,
                                  .bytes = 4 * dwords,
                                  .dataDwords = dwords};
template <class T, Part part = Part::Whole>
inline constexpr MemOp smallLoadOp = {
    .apply = loadSmall<T, part>, .kind = MemKind::Load, .bytes = sizeof(T), .resultDwords = 1};
template <class T, Part part = Part::Low>
inline constexpr MemOp smallStoreOp = {.apply = storeSmall<T, part>,
                                       .kind = MemKind::Store,
                                       .bytes = sizeof(T),
                                       .dataDwords = 1,
                                       .storesHigh = part == Part::High};

} // namespace pal::device
