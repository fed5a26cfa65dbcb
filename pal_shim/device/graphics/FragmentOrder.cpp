//===- FragmentOrder.cpp - critical sections of fragment shader waves ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentOrder.h"
#include "llvm/ADT/bit.h"

namespace pal::device {

namespace {

constexpr uint32_t numberMask = 0x3FF;
/// Which of the packers all waves are of; not 0, so that leaving it out shows.
constexpr uint32_t packer = 2;
constexpr uint32_t packerEnabled = packer << 1 | 1;

} // namespace

void FragmentOrder::begin(Generation newGeneration, llvm::ArrayRef<uint32_t> overlapped) {
  generation = newGeneration;
  firstNumber = (firstNumber + count) & numberMask;
  count = unsigned(overlapped.size());
  for (unsigned i = 0; i < count; ++i) {
    slots[i] = {};
    slots[i].overlapped = overlapped[i];
  }
}

void FragmentOrder::attach(Wave &wave) { slots[wave.index].wave = &wave; }

uint32_t FragmentOrder::collisionWord(unsigned wave) const {
  uint32_t word = packer << 28 | ((firstNumber + wave) & numberMask);
  if (uint32_t overlapped = slots[wave].overlapped) {
    uint32_t newest = firstNumber + uint32_t(llvm::bit_width(overlapped)) - 1;
    word |= 1u << 31 | (newest & numberMask) << 16;
  }
  return word;
}

bool FragmentOrder::isExportReady(const Wave &wave) const {
  for (unsigned i = 0; i < wave.index; ++i)
    if (slots[wave.index].overlapped >> i & 1 && !slots[i].hasLeft)
      return false;
  return true;
}

void FragmentOrder::watchPacker(Wave &wave, uint32_t value) {
  if (value != 0 && value != packerEnabled)
    return wave.fault(DeviceFault::Kind::BadInstruction, "POPS_PACKER " + llvm::Twine(value) +
                                                             ", this wave's packer needs " +
                                                             llvm::Twine(packerEnabled));
  slots[wave.index].watches = value != 0;
  publish();
}

void FragmentOrder::sendDone(Wave &wave) {
  Slot &slot = slots[wave.index];
  if (slot.isDone)
    return wave.fault(DeviceFault::Kind::BadInstruction, "second MSG_ORDERED_PS_DONE of the wave");
  slot.isDone = true;
  leave(wave);
}

void FragmentOrder::exportDone(Wave &wave) {
  if (!isGfx10(generation))
    leave(wave);
}

void FragmentOrder::end(Wave &wave) {
  const Slot &slot = slots[wave.index];
  // HW: all that come later would wait for it for ever.
  if (slot.watches && !slot.isDone)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "the wave enabled POPS_PACKER and ends without MSG_ORDERED_PS_DONE");
  if (!isGfx10(generation) && !slot.hasLeft)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "the wave of a primitive-ordered shader ends without an export that is done");
  leave(wave);
}

void FragmentOrder::leave(Wave &wave) {
  slots[wave.index].hasLeft = true;
  publish();
}

void FragmentOrder::publish() {
  unsigned oldest = 0;
  while (oldest < count && slots[oldest].hasLeft)
    ++oldest;
  for (unsigned i = 0; i < count; ++i)
    if (slots[i].watches)
      slots[i].wave->s[sreg::popsExiting] = (firstNumber + oldest) & numberMask;
}

} // namespace pal::device
