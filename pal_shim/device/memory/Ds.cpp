//===- Ds.cpp - LDS instructions -------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Loads, stores and atomics of local data share (RDNA ISA manuals, "Data share operations"). The
/// whole workgroup runs on one thread, so that LDS needs no care about order. Exchange between
/// lanes is in DsLanes.cpp.
///
/// Counters of transform feedback are in graphics/StreamOutOps.cpp. Not here: GDS and GWS, *_src2_*
/// (gfx10; LLVM never selects them for compute),
/// named barriers' arrive instructions and matrix transpose loads (gfx12.5). Stacks of traversals
/// (ds_bvh_stack_*) are in BvhStack.cpp.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/Atomics.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/FlatOps.h"
#include "pal_shim/device/memory/LaneOffsets.h"
#include "pal_shim/device/memory/MemNames.h"

namespace pal::device {

namespace {

/// Fills in pointers for address(lane). \p data: operand that a store writes there. False after a
/// fault.
template <class F>
bool resolveLds(Wave &wave, const Instr &instr, LdsAccess &lds, LanePointers &lanes, F address,
                unsigned data = 1) {
  const MemOp &op = memOp(instr);
  for (uint64_t rest = lanes.mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    uint32_t at = address(lane);
    if (!checkAtomicAlignment(wave, op, at, lane))
      return false;
    if (AccessLog *log = wave.group->memory->accessLog())
      log->lds.push_back({at, op.bytes, uint8_t(lane)});
    logLane(wave, instr, /*isLds=*/true, at, lane, data);
    lanes.at[lane] = lds.pointer(at, lane);
  }
  return true;
}

template <class F> void runAt(Wave &wave, const Instr &instr, F address) {
  const MemOp &op = memOp(instr);
  LdsAccess lds(wave, op.bytes);
  LanePointers lanes(wave.exec());
  if (!resolveLds(wave, instr, lds, lanes, address))
    return;
  op.apply(wave, instr, lanes);
  if (op.kind == MemKind::Store)
    lds.writeBack();
}

void runDs(Wave &wave, const Instr &instr) {
  const MemOp &op = memOp(instr);
  const uint32_t *vaddr = wave.v[instr.src[0].reg].lane;
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  // Fast when all lanes are inside.
  uint32_t offset[maxLanes] = {};
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    offset[lane] = vaddr[lane] + uint32_t(instr.mem.offset);
  OffsetRange range = offsetRange(offset, exec, wave.lanes);
  std::vector<uint8_t> &lds = wave.group->lds;
  bool aligned = op.kind != MemKind::Atomic || range.bits % op.bytes == 0;
  if (aligned && !wave.group->memory->accessLog() &&
      uint64_t(range.high) + op.bytes <= lds.size()) {
    LanePointers lanes(exec);
    lanes.isPrivate = true;
    return applyAt(wave, instr, lds.data() + range.low, offset, range, lanes);
  }
  runAt(wave, instr, [&](unsigned lane) { return vaddr[lane] + uint32_t(instr.mem.offset); });
}

/// Address: lane number * 4 + M0 + offset.
void runDsAddTid(Wave &wave, const Instr &instr) {
  uint32_t base = (wave.s[sreg::m0] & 0xFFFF) + uint32_t(instr.mem.offset);
  runAt(wave, instr, [&](unsigned lane) { return base + 4 * lane; });
}

/// Two accesses per lane, the second at offset1.
struct DsPair {
  LdsAccess lds0, lds1;
  LanePointers lanes0, lanes1;
  bool ok;
  DsPair(Wave &wave, const Instr &instr)
      : lds0(wave, memOp(instr).bytes), lds1(wave, memOp(instr).bytes) {
    const uint32_t *vaddr = wave.v[instr.src[0].reg].lane;
    lanes0.mask = lanes1.mask = wave.exec();
    auto address = [&](int32_t offset) {
      return [vaddr, offset](unsigned lane) { return vaddr[lane] + uint32_t(offset); };
    };
    ok = resolveLds(wave, instr, lds0, lanes0, address(instr.mem.offset)) &&
         resolveLds(wave, instr, lds1, lanes1, address(instr.mem.offset1), 2);
  }
};

template <unsigned dwords> void runDsLoadPair(Wave &wave, const Instr &instr) {
  DsPair pair(wave, instr);
  Row *dst = wave.v + instr.dst[0].reg;
  forEachLane(pair.lanes0.mask, [&](unsigned lane) {
    uint32_t data[2 * dwords];
    std::memcpy(data, pair.lanes0.at[lane], 4 * dwords);
    std::memcpy(data + dwords, pair.lanes1.at[lane], 4 * dwords);
    for (unsigned d = 0; d < 2 * dwords; ++d)
      dst[d].lane[lane] = data[d];
  });
}

template <unsigned dwords> void runDsStorePair(Wave &wave, const Instr &instr) {
  DsPair pair(wave, instr);
  auto store = [&](const LanePointers &lanes, LdsAccess &lds, unsigned reg) {
    forEachLane(lanes.mask, [&](unsigned lane) {
      for (unsigned d = 0; d < dwords; ++d)
        std::memcpy(lanes.at[lane] + 4 * d, &wave.v[reg + d].lane[lane], 4);
    });
    lds.writeBack();
  };
  store(pair.lanes0, pair.lds0, instr.src[1].reg);
  store(pair.lanes1, pair.lds1, instr.src[2].reg);
}

template <class T> void runDsExchangePair(Wave &wave, const Instr &instr) {
  DsPair pair(wave, instr);
  if (!pair.ok)
    return;
  constexpr unsigned dwords = sizeof(T) / 4;
  Row *dst = wave.v + instr.dst[0].reg;
  forEachLane(pair.lanes0.mask, [&](unsigned lane) {
    uint32_t data[2][dwords], before[2][dwords];
    for (unsigned d = 0; d < dwords; ++d) {
      data[0][d] = wave.v[instr.src[1].reg + d].lane[lane];
      data[1][d] = wave.v[instr.src[2].reg + d].lane[lane];
    }
    for (unsigned i = 0; i < 2; ++i) {
      uint8_t *at = (i ? pair.lanes1 : pair.lanes0).at[lane];
      std::memcpy(before[i], at, sizeof(T));
      std::memcpy(at, data[i], sizeof(T));
    }
    for (unsigned d = 0; d < 2 * dwords; ++d)
      dst[d].lane[lane] = before[d / dwords][d % dwords];
  });
}

/// Adds or subtracts the number of enabled lanes; every lane gets the value before.
template <int sign> void runDsCount(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  LdsAccess lds(wave, 4);
  uint8_t *at = lds.pointer((wave.s[sreg::m0] & 0xFFFF) + uint32_t(instr.mem.offset), 0);
  uint32_t before, after;
  std::memcpy(&before, at, 4);
  after = before + uint32_t(sign * std::popcount(exec));
  std::memcpy(at, &after, 4);
  lds.writeBack();
  Row &dst = wave.v[instr.dst[0].reg];
  forEachLane(exec, [&](unsigned lane) { dst.lane[lane] = before; });
}

template <unsigned bytes, unsigned stride>
constexpr MemOp pairLoad = {.apply = nullptr,
                            .kind = MemKind::Load,
                            .bytes = bytes,
                            .resultDwords = bytes / 2,
                            .pairStride = stride};
template <unsigned bytes, unsigned stride>
constexpr MemOp pairStore = {.apply = nullptr,
                             .kind = MemKind::Store,
                             .bytes = bytes,
                             .dataDwords = bytes / 4,
                             .pairStride = stride};
template <unsigned bytes, unsigned stride>
constexpr MemOp pairExchange = {.apply = nullptr,
                                .kind = MemKind::Atomic,
                                .bytes = bytes,
                                .dataDwords = bytes / 4,
                                .resultDwords = bytes / 2,
                                .pairStride = stride};
constexpr MemOp countOp = {.apply = nullptr, .kind = MemKind::Load, .resultDwords = 1};

#define KILN_DS(names, kernel) {names, runDs, decodeDs, &(kernel)},
/// An atomic in both forms, with and without result.
#define KILN_DS_ATOMIC(op, type, kernel)                                                           \
  KILN_DS("ds_" op "_" type, kernel) KILN_DS("ds_" op "_rtn_" type, kernel)
#define KILN_DS_ATOMIC2(op, op2, type, kernel)                                                     \
  KILN_DS("ds_" op "_" type " ds_" op2 "_" type, kernel)                                           \
  KILN_DS("ds_" op "_rtn_" type " ds_" op2 "_rtn_" type, kernel)
#define KILN_DS_INTEGER(bits, atomicN, T)                                                          \
  KILN_DS_ATOMIC("add", "u" bits, atomicN<atomic::add>)                                            \
  KILN_DS_ATOMIC("sub", "u" bits, atomicN<atomic::sub>)                                            \
  KILN_DS_ATOMIC("rsub", "u" bits, atomicN<atomic::rsub>)                                          \
  KILN_DS_ATOMIC("inc", "u" bits, atomicN<atomic::inc>)                                            \
  KILN_DS_ATOMIC("dec", "u" bits, atomicN<atomic::dec>)                                            \
  KILN_DS_ATOMIC("min", "i" bits, atomicN<atomic::smin>)                                           \
  KILN_DS_ATOMIC("max", "i" bits, atomicN<atomic::smax>)                                           \
  KILN_DS_ATOMIC("min", "u" bits, atomicN<atomic::umin>)                                           \
  KILN_DS_ATOMIC("max", "u" bits, atomicN<atomic::umax>)                                           \
  KILN_DS_ATOMIC("and", "b" bits, atomicN<atomic::bitAnd>)                                         \
  KILN_DS_ATOMIC("or", "b" bits, atomicN<atomic::bitOr>)                                           \
  KILN_DS_ATOMIC("xor", "b" bits, atomicN<atomic::bitXor>)                                         \
  KILN_DS_ATOMIC("mskor", "b" bits, KILN_MASK_OR(T))                                               \
  KILN_DS_ATOMIC2("cmpstore", "cmpst", "b" bits, KILN_CMPSTORE(T))                                 \
  KILN_DS("ds_storexchg_rtn_b" bits " ds_wrxchg_rtn_b" bits, atomicN<atomic::swap>)
#define KILN_MASK_OR(T) (atomicOp<T, atomic::maskOr<T>, 2>)
#define KILN_CMPSTORE(T) (atomicOp<T, atomic::cmpswap<T>, 2>)
#define KILN_WRAP (atomicOp<uint32_t, atomic::wrap<uint32_t>, 2>)
#define KILN_COND_EXCHANGE (atomicOp<uint64_t, atomic::condExchange>)
#define KILN_PAIRS(bits, bytes, T)                                                                 \
  {"ds_load_2addr_b" bits " ds_read2_b" bits, runDsLoadPair<bytes / 4>, decodeDs,                  \
   &pairLoad<bytes, 1>},                                                                           \
      {"ds_load_2addr_stride64_b" bits " ds_read2st64_b" bits, runDsLoadPair<bytes / 4>, decodeDs, \
       &pairLoad<bytes, 64>},                                                                      \
      {"ds_store_2addr_b" bits " ds_write2_b" bits, runDsStorePair<bytes / 4>, decodeDs,           \
       &pairStore<bytes, 1>},                                                                      \
      {"ds_store_2addr_stride64_b" bits " ds_write2st64_b" bits, runDsStorePair<bytes / 4>,        \
       decodeDs, &pairStore<bytes, 64>},                                                           \
      {"ds_storexchg_2addr_rtn_b" bits " ds_wrxchg2_rtn_b" bits, runDsExchangePair<T>, decodeDs,   \
       &pairExchange<bytes, 1>},                                                                   \
      {"ds_storexchg_2addr_stride64_rtn_b" bits " ds_wrxchg2st64_rtn_b" bits,                      \
       runDsExchangePair<T>, decodeDs, &pairExchange<bytes, 64>},

const OpEntry table[] = {
    // clang-format off
    KILN_DS("ds_load_b32 ds_read_b32", loadOp<1>)
    KILN_DS("ds_load_b64 ds_read_b64", loadOp<2>)
    KILN_DS("ds_load_b96 ds_read_b96", loadOp<3>)
    KILN_DS("ds_load_b128 ds_read_b128", loadOp<4>)
    KILN_DS("ds_load_u8 ds_read_u8", smallLoadOp<uint8_t>)
    KILN_DS("ds_load_i8 ds_read_i8", smallLoadOp<int8_t>)
    KILN_DS("ds_load_u16 ds_read_u16", smallLoadOp<uint16_t>)
    KILN_DS("ds_load_i16 ds_read_i16", smallLoadOp<int16_t>)
    KILN_DS("ds_load_u8_d16 ds_read_u8_d16", KILN_D16(uint8_t, Low))
    KILN_DS("ds_load_u8_d16_hi ds_read_u8_d16_hi", KILN_D16(uint8_t, High))
    KILN_DS("ds_load_i8_d16 ds_read_i8_d16", KILN_D16(int8_t, Low))
    KILN_DS("ds_load_i8_d16_hi ds_read_i8_d16_hi", KILN_D16(int8_t, High))
    KILN_DS("ds_load_u16_d16 ds_read_u16_d16", KILN_D16(uint16_t, Low))
    KILN_DS("ds_load_u16_d16_hi ds_read_u16_d16_hi", KILN_D16(uint16_t, High))
    KILN_DS("ds_store_b32 ds_write_b32", storeOp<1>)
    KILN_DS("ds_store_b64 ds_write_b64", storeOp<2>)
    KILN_DS("ds_store_b96 ds_write_b96", storeOp<3>)
    KILN_DS("ds_store_b128 ds_write_b128", storeOp<4>)
    KILN_DS("ds_store_b8 ds_write_b8", smallStoreOp<uint8_t>)
    KILN_DS("ds_store_b16 ds_write_b16", smallStoreOp<uint16_t>)
    KILN_DS("ds_store_b8_d16_hi ds_write_b8_d16_hi", KILN_D16_STORE(uint8_t))
    KILN_DS("ds_store_b16_d16_hi ds_write_b16_d16_hi", KILN_D16_STORE(uint16_t))
    KILN_PAIRS("32", 4, uint32_t)
    KILN_PAIRS("64", 8, uint64_t)
    KILN_DS_INTEGER("32", atomic32, uint32_t)
    KILN_DS_INTEGER("64", atomic64, uint64_t)
    KILN_DS_ATOMIC("add", "f32", atomicF32<atomic::fadd>)
    KILN_DS_ATOMIC("add", "f64", atomicF64<atomic::fadd>)
    KILN_DS_ATOMIC2("min", "min_num", "f32", atomicF32<atomic::fmin>)
    KILN_DS_ATOMIC2("max", "max_num", "f32", atomicF32<atomic::fmax>)
    KILN_DS_ATOMIC2("min", "min_num", "f64", atomicF64<atomic::fmin>)
    KILN_DS_ATOMIC2("max", "max_num", "f64", atomicF64<atomic::fmax>)
    KILN_DS_ATOMIC2("cmpstore", "cmpst", "f32", KILN_FCMPSWAP32)
    KILN_DS_ATOMIC2("cmpstore", "cmpst", "f64", KILN_FCMPSWAP64)
    KILN_DS_ATOMIC("pk_add", "f16", KILN_PK_ADD_F16)
    KILN_DS_ATOMIC("pk_add", "bf16", atomic32<atomic::pkAddBf16>)
    KILN_DS_ATOMIC("cond_sub", "u32", atomic32<atomic::condSub>)
    KILN_DS_ATOMIC("sub_clamp", "u32", atomic32<atomic::subClamp>)
    KILN_DS("ds_wrap_rtn_b32", KILN_WRAP)
    KILN_DS("ds_condxchg32_rtn_b64", KILN_COND_EXCHANGE)
    // clang-format on
    {"ds_load_addtid_b32 ds_read_addtid_b32", runDsAddTid, decodeDs, &loadOp<1>},
    {"ds_store_addtid_b32 ds_write_addtid_b32", runDsAddTid, decodeDs, &storeOp<1>},
    {"ds_append", runDsCount<1>, decodeDs, &countOp},
    {"ds_consume", runDsCount<-1>, decodeDs, &countOp},
    {"ds_nop", runNothing, decodeNothing},
};

} // namespace

llvm::ArrayRef<OpEntry> dsOps() { return table; }

} // namespace pal::device
