//===- BvhOps.cpp - image_bvh_intersect_ray and image_bvh64_intersect_ray --===//
// SPDX-License-Identifier: MIT
/// \file
/// Of gfx10.3 and gfx11 (RDNA ISA manuals, "Ray tracing"; docs/hw-notes.md#ray-tracing). gfx12's
/// forms and image_bvh8, image_bvh_dual are not here.
///
/// Address components: node pointer (one dword, or two), extent, origin, direction, inverse
/// direction. A16 packs the last two into three dwords: on gfx10.3 one number after another, later
/// the direction of an axis in the low half of a dword and its inverse in the high half.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/image/BvhNode.h"
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

/// Faults on what has no meaning.
bool decodeResource(Wave &wave, const uint32_t *words, BvhResource &resource) {
  auto bits = [&](unsigned low, unsigned count) {
    return words[low / 32] >> (low % 32) & ((1u << count) - 1);
  };
  const bool isGfx103 = isGfx10(wave.generation);
  resource.base = (uint64_t(bits(32, 8)) << 32 | words[0]) << 8;
  resource.lastBlock = uint64_t(bits(96, 10)) << 32 | words[2];
  resource.grow = uint8_t(bits(55, 8));
  resource.heuristic = isGfx103 ? 0 : uint8_t(bits(53, 2));
  resource.sort = bits(63, 1);
  resource.pointerFlags = !isGfx103 && bits(119, 1);
  resource.barycentrics = bits(120, 1);
  const bool reserved = bits(40, isGfx103 ? 15 : 13) || bits(106, isGfx103 ? 14 : 13);
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

/// Bits of Generation: gfx10.3, gfx11, gfx11.5.
constexpr uint8_t generations = 0xE;

const OpEntry table[] = {
    {"image_bvh_intersect_ray", runBvh, decodeBvh, &narrow, 0, generations},
    {"image_bvh64_intersect_ray", runBvh, decodeBvh, &wide, 0, generations},
};

} // namespace

llvm::ArrayRef<OpEntry> bvhOps() { return table; }

} // namespace pal::device
