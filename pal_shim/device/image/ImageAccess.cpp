//===- ImageAccess.cpp - image loads, stores, atomics, sizes ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Access by integer coordinates (RDNA ISA manuals, "Image instructions"). Coordinates count from
/// the first level and slice of the view. Outside the view: loads convert a texel of zeros, so that
/// dst_sel 1 still gives 1 (Vulkan "Robust Image Access": zeros, then conversion to RGBA); stores
/// and atomics do nothing; atomics return 0.
///
/// A component that a store does not have is 0, and on gfx12 the first one (LLVM relies on both:
/// features default-component-zero and default-component-broadcast).
#include "pal_shim/device/image/ImageData.h"
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/image/ImageResource.h"
#include "pal_shim/device/memory/HostFloat.h"
#include <cstring>

namespace pal::device {

namespace {

/// Coordinates of a lane, in the order of the dimension.
TexelPosition readPosition(const AddressReader &reader, const Instr &instr,
                           const ImageResource &image, unsigned lane) {
  int32_t c[4];
  for (unsigned i = 0; i < 4; ++i)
    c[i] = int32_t(reader.bits(reader.map.coords[i], lane));
  TexelPosition p;
  p.x = c[0];
  switch (static_cast<ImageDim>(instr.mem.dim)) {
  case ImageDim::D1:
    break;
  case ImageDim::D2:
    p.y = c[1];
    break;
  case ImageDim::D3:
  case ImageDim::Cube:
  case ImageDim::D2Array:
    p.y = c[1], p.slice = c[2];
    break;
  case ImageDim::D1Array:
    p.slice = c[1];
    break;
  case ImageDim::D2Msaa:
    p.y = c[1], p.sample = uint32_t(c[2]);
    break;
  case ImageDim::D2MsaaArray:
    p.y = c[1], p.slice = c[2], p.sample = uint32_t(c[3]);
    break;
  }
  // A huge level must not wrap round to a valid one.
  uint32_t level = imageOp(instr).lod ? reader.bits(reader.map.last, lane) : 0;
  p.level = std::min(level, 1u << 16) + image.baseLevel;
  return p;
}

/// Decoded T# and addresses of one instruction.
struct Access {
  ImageResource image;
  AddressReader reader;
  uint64_t exec;
  bool ok;
  Access(Wave &wave, const Instr &instr)
      : reader(wave, instr), exec(wave.exec()),
        ok(exec && decodeImageResource(wave, &wave.s[instr.src[3].reg], instr.mem.r128, image)) {}
};

/// Host memory of a texel to be written; null: out of bounds, or a fault.
uint8_t *findTexel(Wave &wave, const ImageResource &image, const TexelPosition &p, unsigned bytes,
                   unsigned lane) {
  if (image.isNull || !image.contains(p))
    return nullptr;
  GpuAddress address = image.address(p);
  uint8_t *memory = wave.group->memory->find(address, bytes);
  if (!memory)
    wave.memoryFault(address, bytes, true, int(lane));
  return memory;
}

bool refuseBlocks(Wave &wave, const ImageResource &image) {
  if (image.isNull || !image.info->isBlock())
    return false;
  wave.fault(DeviceFault::Kind::BadDescriptor,
             llvm::Twine("writing texels of an image of format ") + image.info->name);
  return true;
}

} // namespace

void runImageLoad(Wave &wave, const Instr &instr) {
  Access access(wave, instr);
  if (!access.ok)
    return;
  const ImageResource &image = access.image;
  HostFloatGuard guard;
  formats::Texel texels[maxLanes];
  for (uint64_t rest = access.exec; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    texels[lane] = {};
    TexelPosition p = readPosition(access.reader, instr, image, lane);
    if (!image.isNull && image.contains(p) && !readTexel(wave, image, p, lane, texels[lane]))
      return;
  }
  forEachLane(access.exec, [&](unsigned lane) {
    writeImageResult(wave, instr, image, lane, selectTexel(image, texels[lane]));
  });
}

void runImageStore(Wave &wave, const Instr &instr) {
  Access access(wave, instr);
  if (!access.ok || refuseBlocks(wave, access.image) || access.image.isNull)
    return;
  HostFloatGuard guard;
  const ImageResource &image = access.image;
  for (uint64_t rest = access.exec; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    TexelPosition p = readPosition(access.reader, instr, image, lane);
    uint8_t *memory = findTexel(wave, image, p, image.info->texelBytes, lane);
    if (wave.state == WaveState::Faulted)
      return;
    if (!memory)
      continue;
    formats::Texel value = readImageData(wave, instr, image, lane);
    formats::pack(image.format, unselect(value, image.select), memory);
  }
}

void runImageAtomic(Wave &wave, const Instr &instr) {
  Access access(wave, instr);
  if (!access.ok)
    return;
  const ImageOp &op = imageOp(instr);
  const MemOp *any = op.atomic32 ? op.atomic32 : op.atomic64;
  bool is64 = unsigned(std::popcount(instr.mem.dmask)) / any->operands == 2;
  const MemOp &atomic = is64 ? *op.atomic64 : *op.atomic32;
  const ImageResource &image = access.image;
  if (!image.isNull && image.info->texelBytes != atomic.bytes)
    return wave.fault(DeviceFault::Kind::BadDescriptor,
                      llvm::Twine("atomic of ") + llvm::Twine(unsigned(atomic.bytes)) +
                          " bytes on an image of format " + image.info->name);
  LanePointers lanes(access.exec);
  Bounce bounce;
  for (uint64_t rest = access.exec; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    TexelPosition p = readPosition(access.reader, instr, image, lane);
    lanes.at[lane] = findTexel(wave, image, p, atomic.bytes, lane);
    if (wave.state == WaveState::Faulted)
      return;
    if (!lanes.at[lane]) {
      std::memset(bounce.lane[lane], 0, sizeof(bounce.lane[lane]));
      lanes.at[lane] = bounce.lane[lane];
    }
  }
  atomic.apply(wave, instr, lanes);
}

/// Width, height, depth or layers, number of levels; zeros for a level that does not exist.
void runImageGetSize(Wave &wave, const Instr &instr) {
  Access access(wave, instr);
  if (!access.ok)
    return;
  const ImageResource &image = access.image;
  formats::Texel sizes[maxLanes];
  forEachLane(access.exec, [&](unsigned lane) {
    uint32_t level = access.reader.bits(access.reader.map.last, lane);
    sizes[lane] = {};
    if (image.isNull || level > image.lastLevel - image.baseLevel)
      return;
    level += image.baseLevel;
    sizes[lane] = {image.levelWidth(level), image.levelHeight(level), image.levelSlices(level),
                   image.lastLevel - image.baseLevel + 1};
  });
  forEachLane(access.exec,
              [&](unsigned lane) { writeMasked(wave, instr, lane, sizes[lane], true); });
}

} // namespace pal::device
