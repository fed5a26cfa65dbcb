//===- BvhOps.cpp - tests of rays against nodes, as instructions -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// image_bvh_intersect_ray and image_bvh64_intersect_ray of gfx10.3 and gfx11,
/// image_bvh_dual_intersect_ray and image_bvh8_intersect_ray of gfx12 (RDNA ISA manuals, "Ray
/// tracing"; docs/hw-notes.md#ray-tracing). gfx12's forms of the first two are not here.
///
/// Address components of the first two: node pointer (one dword, or two), extent, origin,
/// direction, inverse direction. A16 packs the last two into three dwords: on gfx10.3 one number
/// after another, later the direction of an axis in the low half of a dword and its inverse in the
/// high half. Of the others: base, extent and mask, origin, direction, one or two offsets; origin
/// and direction are also results.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/image/Bvh8Node.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/HostFloat.h"
#include "pal_shim/device/memory/MemOps.h"
#include "pal_shim/formats/Formats.h"

namespace pal::device {

namespace {

constexpr bool narrow = false, wide = true;
bool isWide(const Instr &instr) { return *static_cast<const bool *>(instr.kernel); }

struct BvhLayout {
  BitField dmask, dim, unorm, r128, a16, d16, tfe, lwe, nsa;
};
constexpr BvhLayout gfx10Layout = {{8, 4},  {3, 3},  {12, 1}, {15, 1}, {62, 1},
                                   {63, 1}, {16, 1}, {17, 1}, {1, 2}};
constexpr BvhLayout gfx11Layout = {{8, 4},  {2, 3},  {7, 1},  {15, 1}, {16, 1},
                                   {17, 1}, {53, 1}, {54, 1}, {0, 1}};
constexpr BitField vaddrField = {32, 8}, vdataField = {40, 8}, srsrcField = {48, 5};

/// Registers of the address dwords. False: there are too few.
bool readAddresses(const RawInstr &raw, const BvhLayout &layout, bool is64, MemFields &mem) {
  const unsigned node = is64 ? 2 : 1, rest = mem.a16 ? 3 : 6;
  const unsigned count = node + 4 + rest;
  mem.addrCount = uint8_t(count);
  const unsigned extra = 4 * layout.nsa.of(raw);
  if (raw.dwords.size() < 2 + extra / 4)
    return false;
  auto named = [&](unsigned index) {
    return index ? raw.bits(64 + 8 * (index - 1), 8) : vaddrField.of(raw);
  };
  // Consecutive; or each by its name (gfx10); or groups of consecutive ones by theirs.
  const unsigned groups[] = {node, 1, 3, 3, mem.a16 ? 0u : 3u};
  unsigned at = 0;
  auto add = [&](unsigned first, unsigned length) {
    for (unsigned i = 0; i < length; ++i)
      mem.addr[at++] = uint8_t(std::min(first + i, 255u));
    return first + length <= 256;
  };
  if (!extra)
    return add(named(0), count);
  bool ok = true;
  if (isGfx10(raw.generation)) {
    if (extra + 1 < count)
      return false;
    for (unsigned i = 0; i < count; ++i)
      ok &= add(named(i), 1);
    return ok;
  }
  for (unsigned group = 0; group < 5; ++group)
    if (groups[group])
      ok &= add(named(group), groups[group]);
  return ok;
}

bool decodeBvh(const RawInstr &raw, Instr &instr, std::string &why) {
  const BvhLayout &layout = isGfx10(raw.generation) ? gfx10Layout : gfx11Layout;
  if (raw.dwords.size() < 2) {
    why = "truncated encoding";
    return false;
  }
  MemFields &mem = instr.mem;
  mem.a16 = layout.a16.of(raw);
  mem.dmask = uint8_t(layout.dmask.of(raw));
  if (mem.dmask != 0xF || layout.dim.of(raw) || !layout.unorm.of(raw) || !layout.r128.of(raw) ||
      layout.d16.of(raw) || layout.tfe.of(raw) || layout.lwe.of(raw)) {
    why = "ray test without DMASK 15, UNORM and R128, or with DIM, D16, TFE or LWE";
    return false;
  }
  if (!readAddresses(raw, layout, isWide(instr), mem)) {
    why = "ray test with too few address registers";
    return false;
  }
  const unsigned vdata = vdataField.of(raw);
  if (vdata + 4 > 256) {
    why = "ray test with data beyond the last register";
    return false;
  }
  instr.dst[0] = {.kind = Dst::Kind::Vgpr, .reg = uint16_t(vdata)};
  instr.src[3].kind = Src::Kind::Sgpr;
  if (!decodeScalarTuple(raw, srsrcField.of(raw) << 2, 4, instr.src[3].reg)) {
    why = "ray test with a descriptor that is not in registers";
    return false;
  }
  return true;
}

constexpr bool dual = false, bvh8 = true;
bool isBvh8(const Instr &instr) { return *static_cast<const bool *>(instr.kernel); }

/// VIMAGE with groups of addresses (RDNA4 ISA, "VGPR_A Field Organization").
bool decodeBvh12(const RawInstr &raw, Instr &instr, std::string &why) {
  constexpr BitField dim = {0, 3}, r128 = {4, 1}, d16 = {5, 1}, a16 = {6, 1}, dmask = {22, 4},
                     vdata = {32, 8}, srsrc = {41, 9}, tfe = {55, 1}, lastGroup = {56, 8};
  if (raw.dwords.size() < 3) {
    why = "truncated encoding";
    return false;
  }
  MemFields &mem = instr.mem;
  mem.dmask = uint8_t(dmask.of(raw));
  if (mem.dmask != 0xF || dim.of(raw) || !r128.of(raw) || a16.of(raw) || d16.of(raw) ||
      tfe.of(raw)) {
    why = "ray test without DMASK 15 and R128, or with DIM, A16, D16 or TFE";
    return false;
  }
  const unsigned lengths[] = {2, 2, 3, 3, isBvh8(instr) ? 1u : 2u};
  bool ok = vdata.of(raw) + 10 <= 256;
  for (unsigned group = 0; group < 5; ++group) {
    const unsigned first = group < 4 ? raw.bits(64 + 8 * group, 8) : lastGroup.of(raw);
    ok &= first + lengths[group] <= 256;
    for (unsigned i = 0; i < lengths[group]; ++i)
      mem.addr[mem.addrCount++] = uint8_t(first + i);
  }
  if (!ok) {
    why = "ray test with registers beyond the last";
    return false;
  }
  instr.dst[0] = {.kind = Dst::Kind::Vgpr, .reg = uint16_t(vdata.of(raw))};
  instr.src[3].kind = Src::Kind::Sgpr;
  if (!decodeScalarTuple(raw, srsrc.of(raw), 4, instr.src[3].reg)) {
    why = "ray test with a descriptor that is not in registers";
    return false;
  }
  return true;
}

/// Faults on what has no meaning.
bool decodeResource(Wave &wave, const uint32_t *words, BvhResource &resource) {
  auto bits = [&](unsigned low, unsigned count) {
    return words[low / 32] >> (low % 32) & ((1u << count) - 1);
  };
  const bool isGfx103 = isGfx10(wave.generation), is12 = isGfx12(wave.generation);
  resource.base = (uint64_t(bits(32, 8)) << 32 | words[0]) << 8;
  resource.lastBlock = uint64_t(bits(96, 10)) << 32 | words[2];
  resource.grow = uint8_t(bits(55, 8));
  resource.heuristic = isGfx103 ? 0 : uint8_t(bits(53, 2));
  resource.sort = bits(63, 1);
  resource.pointerFlags = !isGfx103 && bits(119, 1);
  resource.barycentrics = bits(120, 1);
  if (is12) {
    resource.trianglesFirst = bits(52, 1);
    resource.compressed = bits(115, 1);
    resource.highPrecision = bits(116, 1);
    resource.wideSort = bits(117, 1);
    resource.instances = bits(118, 1);
  }
  const bool reserved = bits(40, isGfx103 ? 15
                                 : is12   ? 12
                                          : 13) ||
                        bits(106, isGfx103 ? 14
                                  : is12   ? 9
                                           : 13) ||
                        (is12 && bits(121, 3));
  if (bits(124, 4) == 8 && !reserved && resource.heuristic != 3)
    return true;
  wave.fault(DeviceFault::Kind::BadDescriptor,
             "the descriptor of a ray test is of another type or has reserved bits");
  return false;
}

BvhRay readRay(const Wave &wave, const Instr &instr, unsigned first, unsigned lane) {
  const MemFields &mem = instr.mem;
  auto dword = [&](unsigned index) { return wave.v[mem.addr[first + index]].lane[lane]; };
  auto number = [&](unsigned index) { return std::bit_cast<float>(dword(index)); };
  auto half = [&](unsigned index) {
    return formats::halfToFloat(uint16_t(dword(4 + index / 2) >> (index % 2 * 16)));
  };
  BvhRay ray;
  ray.extent = number(0);
  for (unsigned i = 0; i < 3; ++i) {
    ray.origin[i] = number(1 + i);
    if (!mem.a16) {
      ray.direction[i] = number(4 + i);
      ray.inverse[i] = number(7 + i);
    } else if (isGfx10(wave.generation)) {
      ray.direction[i] = half(i);
      ray.inverse[i] = half(3 + i);
    } else {
      ray.direction[i] = half(2 * i);
      ray.inverse[i] = half(2 * i + 1);
    }
  }
  return ray;
}

/// The node's memory; null after a fault. \p pointer: without flags.
const uint8_t *findNode(Wave &wave, const BvhResource &resource, uint64_t pointer, unsigned bytes,
                        unsigned lane) {
  const uint64_t block = pointer >> 3;
  if (block + bytes / 64 - 1 > resource.lastBlock) {
    wave.fault(DeviceFault::Kind::MemoryAccess,
               "ray test of a node beyond the descriptor's size: pointer 0x" +
                   llvm::Twine::utohexstr(pointer),
               int(lane));
    return nullptr;
  }
  const GpuAddress address = resource.base + (block << 6);
  const uint8_t *node = wave.group->memory->find(address, bytes);
  if (!node)
    wave.memoryFault(address, bytes, false, int(lane));
  return node;
}

/// False after a fault.
bool testNode(Wave &wave, const Instr &instr, const BvhResource &resource, unsigned lane,
              BvhResult &result) {
  uint64_t pointer = wave.v[instr.mem.addr[0]].lane[lane];
  if (isWide(instr))
    pointer |= uint64_t(wave.v[instr.mem.addr[1]].lane[lane]) << 32;
  uint32_t flags = 0;
  if (resource.pointerFlags) {
    flags = uint32_t(pointer >> 54);
    pointer &= (uint64_t(1) << 54) - 1;
  }
  const unsigned type = pointer & 7;
  if (type > unsigned(BvhNodeType::Box32)) { // left to the shader
    result = {~0u, ~0u, ~0u, ~0u};
    return true;
  }
  const auto nodeType = static_cast<BvhNodeType>(type);
  if (nodeType == BvhNodeType::Triangle2 || nodeType == BvhNodeType::Triangle3) {
    wave.fault(DeviceFault::Kind::BadInstruction,
               "ray test of the third or fourth triangle of a node", int(lane));
    return false;
  }
  const uint8_t *node = findNode(wave, resource, pointer, bvhNodeBytes(nodeType), lane);
  if (!node)
    return false;
  const BvhRay ray = readRay(wave, instr, isWide(instr) ? 2 : 1, lane);
  result = (nodeType < BvhNodeType::Box16 ? intersectTriangle : intersectBox)(node, nodeType, ray,
                                                                              resource, flags);
  return true;
}

void runBvh(Wave &wave, const Instr &instr) {
  const uint64_t exec = wave.exec();
  BvhResource resource;
  if (!exec || !decodeResource(wave, &wave.s[instr.src[3].reg], resource))
    return;
  HostFloatGuard guard;
  BvhResult results[maxLanes];
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const unsigned lane = unsigned(std::countr_zero(rest));
    if (!testNode(wave, instr, resource, lane, results[lane]))
      return;
  }
  Row *dst = wave.v + instr.dst[0].reg;
  forEachLane(exec, [&](unsigned lane) {
    for (unsigned i = 0; i < 4; ++i)
      dst[i].lane[lane] = results[lane][i];
  });
}

//===--- gfx12 ------------------------------------------------------------===//

/// One lane's operands; the ray is also a result.
struct Lane12 {
  uint64_t base; ///< without flags
  uint32_t flags;
  uint8_t mask;
  BvhRay ray;
  uint32_t offsets[2];
  Bvh8Result result;
};

bool fail(Wave &wave, unsigned lane, const llvm::Twine &what) {
  wave.fault(DeviceFault::Kind::BadInstruction, what, int(lane));
  return false;
}

/// False after a fault.
bool readLane(Wave &wave, const Instr &instr, const BvhResource &resource, unsigned lane,
              Lane12 &out) {
  auto dword = [&](unsigned index) { return wave.v[instr.mem.addr[index]].lane[lane]; };
  auto number = [&](unsigned index) { return std::bit_cast<float>(dword(index)); };
  const uint64_t base = uint64_t(dword(1)) << 32 | dword(0);
  if (base & 7)
    return fail(wave, lane, "ray test with a base whose low three bits are not 0");
  out.flags = resource.pointerFlags ? uint32_t(base >> 54) : 0;
  out.base = resource.pointerFlags ? base & ((uint64_t(1) << 54) - 1) : base;
  out.ray.extent = number(2);
  out.mask = uint8_t(dword(3));
  for (unsigned i = 0; i < 3; ++i) {
    out.ray.origin[i] = number(4 + i);
    out.ray.direction[i] = number(7 + i);
    out.ray.inverse[i] = 1.0f / out.ray.direction[i];
  }
  out.offsets[0] = dword(10);
  out.offsets[1] = isBvh8(instr) ? 0 : dword(11);
  return true;
}

/// Types of nodes of the compressed format, without the bit that tells later pairs.
enum class Bvh8Type : uint8_t { Pair0, Pair1, Pair2, Pair3, Box4, Box8, Instance, User };

bool testBvh8(Wave &wave, const BvhResource &resource, unsigned lane, Lane12 &at) {
  const uint32_t offset = at.offsets[0];
  const auto type = static_cast<Bvh8Type>(offset & 7);
  if (!resource.compressed)
    return fail(wave, lane, "image_bvh8_intersect_ray of nodes that are not compressed");
  at.result.fill(~0u);
  if (type == Bvh8Type::User || (type == Bvh8Type::Instance && !resource.instances))
    return true; // left to the shader
  if (type == Bvh8Type::Box4 || (type > Bvh8Type::Pair3 && (offset & 8)))
    return fail(wave, lane, "ray test of a node of type " + llvm::Twine(offset & 15));
  const uint8_t *node = findNode(wave, resource, at.base + (offset & ~0xFu), bvh8NodeBytes, lane);
  if (!node)
    return false;
  const unsigned pair = (offset & 3) | (offset & 8) >> 1;
  if (type <= Bvh8Type::Pair3 && node[3] >> 7)
    return fail(wave, lane, "ray test of vertices that are not of floats");
  if (type == Bvh8Type::Box8)
    at.result = intersectBox8(node, at.ray, resource, at.flags, at.mask);
  else if (type == Bvh8Type::Instance)
    at.result = intersectInstance(node, at.ray, resource, at.flags, at.mask);
  else
    at.result = intersectPrimitive(node, pair, at.ray, resource, at.flags);
  return true;
}

/// A node of the older formats, for the first or second half of the results.
bool testHalf(Wave &wave, const BvhResource &resource, unsigned lane, unsigned half, Lane12 &at) {
  const unsigned type = at.offsets[half] & 7;
  if (type > unsigned(BvhNodeType::Box32))
    return true; // left to the shader
  const auto nodeType = static_cast<BvhNodeType>(type);
  if (nodeType == BvhNodeType::Triangle2 || nodeType == BvhNodeType::Triangle3)
    return fail(wave, lane, "ray test of the third or fourth triangle of a node");
  if (nodeType == BvhNodeType::Box16 && resource.highPrecision)
    return fail(wave, lane, "ray test of a box of 64 bytes that is not of halves");
  const uint8_t *node =
      findNode(wave, resource, at.base + at.offsets[half], bvhNodeBytes(nodeType), lane);
  if (!node)
    return false;
  const bool isBox = nodeType >= BvhNodeType::Box16;
  const BvhResult result =
      (isBox ? intersectBox : intersectTriangle)(node, nodeType, at.ray, resource, at.flags);
  std::copy(result.begin(), result.end(), at.result.begin() + 4 * half);
  if (!isBox)
    std::memcpy(&at.result[8 + half], node + 48, sizeof(uint32_t)); // geometry
  return true;
}

bool testDual(Wave &wave, const BvhResource &resource, unsigned lane, Lane12 &at) {
  if (resource.compressed)
    return fail(wave, lane, "image_bvh_dual_intersect_ray of compressed nodes");
  if (resource.wideSort)
    return fail(wave, lane, "image_bvh_dual_intersect_ray with one order of both nodes' children");
  at.result.fill(~0u);
  constexpr uint32_t instance = 6;
  auto isInstance = [&](unsigned half) {
    return resource.instances && (at.offsets[half] & 7) == instance;
  };
  if (!isInstance(0))
    return testHalf(wave, resource, lane, 0, at) && testHalf(wave, resource, lane, 1, at);
  if (isInstance(1))
    return true; // not both at a time
  const uint8_t *node =
      findNode(wave, resource, at.base + (at.offsets[0] & ~7u), bvh8NodeBytes, lane);
  if (!node)
    return false;
  at.result = intersectInstance(node, at.ray, resource, at.flags, at.mask);
  return true;
}

void runBvh12(Wave &wave, const Instr &instr) {
  const uint64_t exec = wave.exec();
  BvhResource resource;
  if (!exec || !decodeResource(wave, &wave.s[instr.src[3].reg], resource))
    return;
  HostFloatGuard guard;
  Lane12 lanes[maxLanes];
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const unsigned lane = unsigned(std::countr_zero(rest));
    if (!readLane(wave, instr, resource, lane, lanes[lane]) ||
        !(isBvh8(instr) ? testBvh8 : testDual)(wave, resource, lane, lanes[lane]))
      return;
  }
  Row *dst = wave.v + instr.dst[0].reg;
  forEachLane(exec, [&](unsigned lane) {
    const Lane12 &from = lanes[lane];
    for (unsigned i = 0; i < from.result.size(); ++i)
      dst[i].lane[lane] = from.result[i];
    for (unsigned i = 0; i < 3; ++i) {
      wave.v[instr.mem.addr[4 + i]].lane[lane] = std::bit_cast<uint32_t>(from.ray.origin[i]);
      wave.v[instr.mem.addr[7 + i]].lane[lane] = std::bit_cast<uint32_t>(from.ray.direction[i]);
    }
  });
}

/// Bits of Generation: gfx10.3, gfx11, gfx11.5; gfx12.
constexpr uint8_t generations = 0xE, only12 = 0x10;

const OpEntry table[] = {
    {"image_bvh_intersect_ray", runBvh, decodeBvh, &narrow, 0, generations},
    {"image_bvh64_intersect_ray", runBvh, decodeBvh, &wide, 0, generations},
    {"image_bvh_dual_intersect_ray", runBvh12, decodeBvh12, &dual, 0, only12},
    {"image_bvh8_intersect_ray", runBvh12, decodeBvh12, &bvh8, 0, only12},
};

} // namespace

llvm::ArrayRef<OpEntry> bvhOps() { return table; }

} // namespace pal::device
