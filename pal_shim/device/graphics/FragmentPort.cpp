//===- FragmentPort.cpp - the hardware around fragment shader waves --------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentPort.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

void FragmentPort::begin(std::vector<ArrayRef<FragmentQuad>> newWaves,
                         ArrayRef<uint32_t> overlapped) {
  waves = std::move(newWaves);
  exports.resize(waves.size());
  for (FragmentExports &own : exports)
    own.begin(*setup.registers, setup.generation, isDualSource);
  isOrdered = !overlapped.empty();
  if (isOrdered)
    order.begin(setup.generation, overlapped);
}

void FragmentPort::fill(Wave &wave) {
  if (isOrdered)
    order.attach(wave);
  fillFragmentWave(wave, setup, waves[wave.index], isOrdered ? order.collisionWord(wave.index) : 0);
}

DrawInvocation FragmentPort::describe(size_t wave, unsigned lane) const {
  DrawInvocation invocation;
  if (wave >= waves.size() || lane / 4 >= waves[wave].size())
    return invocation;
  const FragmentQuad &quad = waves[wave][lane / 4];
  invocation.kind = DrawInvocation::Kind::Fragment;
  invocation.x = quad.pixelX(lane % 4);
  invocation.y = quad.pixelY(lane % 4);
  invocation.width = 1u << quad.size.log2Width;
  invocation.height = 1u << quad.size.log2Height;
  invocation.sample = quad.sample;
  invocation.isHelper = !quad.samples[lane % 4];
  return invocation;
}

void FragmentPort::exportData(Wave &wave, const ExportData &data) {
  exports[wave.index].add(wave, data);
  if (isOrdered && data.done)
    order.exportDone(wave);
}

/// MSG_ORDERED_PS_DONE is the only one that the stage has.
void FragmentPort::message(Wave &wave, unsigned, uint32_t) {
  if (isOrdered)
    order.sendDone(wave);
}

void FragmentPort::loadParameter(Wave &wave, unsigned attribute, unsigned channel,
                                 ParameterRow *rows) {
  if (!loadFragmentParameter(setup, waves[wave.index], attribute, channel, rows))
    wave.fault(DeviceFault::Kind::BadInstruction,
               "attribute " + Twine(attribute) + ", which SPI_PS_INPUT_CNTL does not describe");
}

bool FragmentPort::isExportReady(const Wave &wave) {
  return !isOrdered || order.isExportReady(wave);
}

void FragmentPort::watchPacker(Wave &wave, uint32_t value) {
  if (isOrdered)
    order.watchPacker(wave, value);
}

void FragmentPort::ended(Wave &wave) {
  if (isOrdered)
    order.end(wave);
}

WaveResult FragmentPort::result(size_t wave) const {
  ArrayRef<FragmentQuad> quads = waves[wave];
  const FragmentExports &own = exports[wave];
  WaveResult result;
  for (unsigned lane = 0; lane < 4 * quads.size(); ++lane)
    result.live |= uint64_t(quads[lane / 4].samples[lane % 4] != 0) << lane;
  // A shader without exports lets all pixels live.
  if (own.isDone())
    result.live &= own.live();
  result.pixels.reserve(size_t(llvm::popcount(result.live)));
  for (uint64_t rest = result.live; rest; rest &= rest - 1)
    result.pixels.push_back(own.pixel(unsigned(llvm::countr_zero(rest))));
  return result;
}

} // namespace pal::device
