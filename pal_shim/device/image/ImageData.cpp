//===- ImageData.cpp - texels between image instructions and registers -----===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/ImageData.h"

namespace pal::device {

bool readTexel(Wave &wave, const ImageResource &image, const TexelPosition &p, unsigned lane,
               formats::Texel &texel) {
  GpuAddress address = image.address(p);
  const uint8_t *memory = wave.group->memory->find(address, image.info->texelBytes);
  if (!memory) {
    wave.memoryFault(address, image.info->texelBytes, false, int(lane));
    return false;
  }
  if (!image.info->isBlock()) {
    formats::unpack(image.format, memory, texel);
    return true;
  }
  formats::Texel texels[16] = {};
  if (!formats::decodeBlock(image.format, memory, texels)) {
    wave.fault(DeviceFault::Kind::BadDescriptor,
               llvm::Twine("image of format ") + image.info->name + ", which cannot be read");
    return false;
  }
  texel = texels[unsigned(p.y) % image.info->blockHeight * image.info->blockWidth +
                 unsigned(p.x) % image.info->blockWidth];
  return true;
}

formats::Texel selectTexel(const ImageResource &image, const formats::Texel &texel) {
  formats::Texel result = {};
  if (!image.isNull)
    for (unsigned i = 0; i < 4; ++i)
      result[i] = selectComponent(texel, image.select[i], image.info->isInteger());
  return result;
}

namespace {
void writeComponents(Wave &wave, const Instr &instr, unsigned lane, const formats::Texel &values,
                     unsigned count, bool isInteger) {
  Row *dst = wave.v + instr.dst[0].reg;
  unsigned dwords = count;
  if (instr.mem.d16) {
    writeD16(dst, lane, values, count, isInteger);
    dwords = (count + 1) / 2;
  } else {
    for (unsigned i = 0; i < count; ++i)
      dst[i].lane[lane] = values[i];
  }
  if (instr.mem.tfe || instr.mem.lwe)
    dst[dwords].lane[lane] = 0; // resident, and no warning
}
} // namespace

void writeMasked(Wave &wave, const Instr &instr, unsigned lane, const formats::Texel &values,
                 bool isInteger) {
  formats::Texel compact = {};
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (instr.mem.dmask >> i & 1)
      compact[count++] = values[i];
  writeComponents(wave, instr, lane, compact, count, isInteger);
}

void writeAll(Wave &wave, const Instr &instr, unsigned lane, const formats::Texel &values,
              bool isInteger) {
  writeComponents(wave, instr, lane, values, 4, isInteger);
}

formats::Texel readImageData(const Wave &wave, const Instr &instr, const ImageResource &image,
                             unsigned lane) {
  const Row *src = wave.v + instr.src[1].reg;
  bool isInteger = image.info->isInteger();
  bool isSigned = image.info->kind == formats::NumberKind::Sint;
  auto component = [&](unsigned i) {
    if (!instr.mem.d16)
      return src[i].lane[lane];
    return widen(uint16_t(src[i / 2].lane[lane] >> (i % 2 * 16)), isInteger, isSigned);
  };
  formats::Texel value = {};
  if (isGfx12(wave.generation))
    value.fill(component(0));
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (instr.mem.dmask >> i & 1)
      value[i] = component(count++);
  return value;
}

} // namespace pal::device
