//===- GeometryMessages.cpp - messages of legacy geometry shaders ----------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/GeometryMessages.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

// Message id in bits 3:0, operation in 5:4, stream in 9:8.
static constexpr unsigned messageGs = 2, messageGsDone = 3;
static constexpr unsigned operationCut = 1, operationEmit = 2;

void GeometryMessages::begin(const MergedGroup &newGroup, unsigned newWaveSize) {
  group = &newGroup;
  waveSize = newWaveSize;
  emitted.assign(group->lanes.size() * streams, {});
  done.assign(group->waves(waveSize), false);
}

std::optional<unsigned> GeometryMessages::unfinishedWave() const {
  for (unsigned wave = 0; wave < done.size() && wave * waveSize < group->lanes.size(); ++wave)
    if (!done[wave])
      return wave;
  return std::nullopt;
}

void GeometryMessages::message(Wave &wave, unsigned message, uint32_t m0) {
  auto fault = [&](const Twine &what, int lane = -1) {
    wave.fault(DeviceFault::Kind::BadInstruction, what, lane);
  };
  unsigned id = message & 0xF, operation = message >> 4 & 3, stream = message >> 8 & 3;
  if (id != messageGs && id != messageGsDone)
    return fault("message " + Twine(message) + ", which nobody receives");
  if ((m0 & 0xFF) != group->messageId(wave.index))
    return fault("message with the id " + Twine(m0 & 0xFF) + ", the wave's is " +
                 Twine(group->messageId(wave.index)));
  if (done[wave.index])
    return fault("message behind the one that the wave is done");
  for (uint64_t exec = operation ? wave.exec() : 0; exec; exec &= exec - 1) {
    unsigned lane = unsigned(llvm::countr_zero(exec));
    size_t index = size_t(wave.index) * waveSize + lane;
    if (index >= group->lanes.size())
      return fault("message of a lane without a primitive", int(lane));
    Strips &strips = emitted[index * streams + stream];
    if (operation & operationEmit && ++strips.vertices > maxVertices)
      return fault("vertex " + Twine(strips.vertices) + " of an invocation, the limit is " +
                       Twine(maxVertices),
                   int(lane));
    bool endsStrip = strips.vertices != (strips.cuts.empty() ? 0 : strips.cuts.back());
    if (operation & operationCut && endsStrip)
      strips.cuts.push_back(strips.vertices);
  }
  if (id == messageGsDone)
    done[wave.index] = true;
}

void GeometryMessages::exportData(Wave &wave, const ExportData &data) {
  wave.fault(DeviceFault::Kind::BadInstruction,
             "export to target " + Twine(data.target) + ", which this stage does not have");
}

void GeometryMessages::loadParameter(Wave &wave, unsigned, unsigned, ParameterRow *) {
  wave.fault(DeviceFault::Kind::BadInstruction, "parameters outside a fragment shader");
}

} // namespace pal::device
