//===- StreamOutUnit.cpp - counters of transform feedback ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/StreamOutUnit.h"
#include "pal_shim/device/core/Loader.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace pal::device {

namespace {

/// HW(gfx11): numbers of the registers; docs/hw-notes.md, "Transform feedback".
constexpr unsigned dwordsWritten = 0, primitivesNeeded = 8, primitivesWritten = 9;
constexpr uint32_t orderedIds = 1u << 12;

} // namespace

StreamOutTables streamOutTables(const LoadedProgram &program, const DrawInfo &draw) {
  StreamOutTables tables;
  if (!draw.streamOut)
    return tables;
  const Generation generation = generationOf(program.context->target);
  const StreamOutRegisters &registers = program.graphics->streamOut;
  for (unsigned i = 0; i < streamOutBuffers; ++i) {
    const StreamOut::Buffer &buffer = draw.streamOut->buffers[i];
    if (!buffer.address)
      continue;
    tables.descriptors[i] = streamOutWords(
        generation, {buffer.address, uint32_t(std::min<uint64_t>(buffer.bytes, UINT32_MAX))},
        registers.strides[i] * 4);
    tables.control[streamOutCounts::Start / 4 + i] = buffer.start;
    tables.control[(streamOutCounts::Turn + i * streamOutCounts::TurnBytes) / 4 + 1] =
        buffer.written;
  }
  return tables;
}

StreamOutUnit::StreamOutUnit(const LoadedProgram &program, const DrawInfo &draw,
                             const Region &tables)
    : registers(program.graphics->streamOut), streamOut(draw.streamOut), tables(tables),
      countsInMemory(program.context->target.major >= 12) {
  for (unsigned i = 0; streamOut && i < streamOutBuffers; ++i)
    written[i] = streamOut->buffers[i].written;
}

SmallVector<uint32_t, 6> StreamOutUnit::place(unsigned stream, unsigned primitives,
                                              unsigned verticesPerPrimitive) {
  uint32_t fitting = streamOut && registers.buffersOfStream[stream] ? primitives : 0;
  uint32_t index = 0;
  for (unsigned i = 0; streamOut && i < streamOutBuffers; ++i) {
    if (!(registers.buffersOfStream[stream] >> i & 1))
      continue;
    const StreamOut::Buffer &buffer = streamOut->buffers[i];
    uint64_t used = uint64_t(buffer.start) + written[i], size = buffer.bytes / 4;
    uint64_t each = uint64_t(registers.strides[i]) * verticesPerPrimitive;
    uint64_t room = used < size && each ? (size - used) / each : 0;
    fitting = uint32_t(std::min<uint64_t>(fitting, room));
    index = registers.strides[i] ? written[i] / registers.strides[i] : 0;
  }
  captured[stream] += fitting;
  uint32_t vertices = fitting * verticesPerPrimitive;
  SmallVector<uint32_t, 6> sgprs = {vertices << 16 | stream << 24, index};
  for (unsigned i = 0; i < streamOutBuffers; ++i) {
    if (registers.buffersOfStream[stream] >> i & 1)
      written[i] += vertices * registers.strides[i];
    if (registers.offsetsEnabled >> i & 1)
      sgprs.push_back(streamOut ? streamOut->buffers[i].start : 0);
  }
  return sgprs;
}

uint32_t StreamOutUnit::addToCounter(Wave &wave, const CounterAccess &access) {
  auto fault = [&](const Twine &what) {
    wave.fault(DeviceFault::Kind::BadInstruction, what);
    return 0u;
  };
  // The groups of a draw run one after another: whoever has to wait, waits for ever.
  if (access.isOrdered && access.orderedId != turn)
    return fault("ordered access of " + Twine(access.orderedId) + " when it is the turn of " +
                 Twine(turn));
  if (access.endsTurn)
    turn = (turn + 1) % orderedIds;
  auto add = [&](auto &counter) {
    auto before = uint32_t(counter);
    counter += access.amount;
    return before;
  };
  if (access.counter < dwordsWritten + streamOutBuffers)
    return add(written[access.counter - dwordsWritten]);
  unsigned stream = (access.counter - primitivesNeeded) / 2;
  if (access.counter < primitivesNeeded || stream >= vertexStreams)
    return fault("counter " + Twine(access.counter) + " of transform feedback");
  bool isNeeded = access.counter % 2 == primitivesNeeded % 2;
  static_assert(primitivesWritten == primitivesNeeded + 1);
  return add(isNeeded ? needed[stream] : captured[stream]);
}

void StreamOutUnit::finish(DrawStatistics &counts) {
  if (countsInMemory) {
    const uint8_t *from = streamOutControl(tables);
    for (unsigned i = 0; i < vertexStreams; ++i) {
      needed[i] = support::endian::read64le(from + streamOutCounts::Needed + 8 * i);
      captured[i] = support::endian::read64le(from + streamOutCounts::Written + 8 * i);
    }
    for (unsigned i = 0; i < streamOutBuffers; ++i)
      written[i] = support::endian::read32le(from + streamOutCounts::Turn +
                                             streamOutCounts::TurnBytes * i + 4);
  }
  for (unsigned i = 0; i < vertexStreams; ++i) {
    counts.primitivesGenerated[i] += needed[i];
    // Vulkan specification, "Transform Feedback Queries": while transform feedback is active.
    counts.primitivesNeeded[i] += streamOut ? needed[i] : 0;
    counts.primitivesWritten[i] += captured[i];
  }
  for (unsigned i = 0; streamOut && i < streamOutBuffers; ++i)
    streamOut->buffers[i].written = written[i];
}

} // namespace pal::device
