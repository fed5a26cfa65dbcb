//===- RandomDraw.cpp - interfaces of random graphics pipelines -----------===//
// SPDX-License-Identifier: MIT
#include "RandomDraw.h"
#include "RandomPart.h"
#include <algorithm>

namespace randomlink {

using pal::formats::Format;

const std::vector<IntegerFormat> &integerFormats() {
  static const std::vector<IntegerFormat> formats = {
      {"RGBA32.uint", 4, 4, false, Format::X32Y32Z32W32_Uint},
      {"R8.uint", 1, 1, false, Format::X8_Uint},
      {"RG8.uint", 1, 2, false, Format::X8Y8_Uint},
      {"RGBA8.uint", 1, 4, false, Format::X8Y8Z8W8_Uint},
      {"R16.uint", 2, 1, false, Format::X16_Uint},
      {"RG16.uint", 2, 2, false, Format::X16Y16_Uint},
      {"RGBA16.uint", 2, 4, false, Format::X16Y16Z16W16_Uint},
      {"R32.uint", 4, 1, false, Format::X32_Uint},
      {"RG32.uint", 4, 2, false, Format::X32Y32_Uint},
      {"RGB32.uint", 4, 3, false, Format::Undefined},
      {"RGBA8.sint", 1, 4, true, Format::Undefined},
      {"RG16.sint", 2, 2, true, Format::Undefined},
      {"RGBA16.sint", 2, 4, true, Format::Undefined}};
  return formats;
}

namespace {

/// Different numbers below `limit`.
std::vector<uint32_t> someOf(uint32_t limit, uint32_t count, Random &random) {
  std::vector<uint32_t> all(limit);
  for (uint32_t i = 0; i < limit; ++i)
    all[i] = i;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  return all;
}

void makeInputs(RandomDraw &draw, Random &random) {
  const uint32_t bindings = 1 + below(random, 2);
  for (uint32_t i = 0; i < bindings; ++i)
    draw.bindings.push_back({.binding = i,
                             .stride = 4,
                             .inputRate = chance(random, 20) ? lgc::VertexInputRate::Instance
                                                             : lgc::VertexInputRate::Vertex});
  for (uint32_t location : someOf(16, below(random, 6), random)) {
    RandomDraw::Input input;
    input.location = location;
    input.binding = below(random, bindings);
    input.format = below(random, static_cast<uint32_t>(integerFormats().size()));
    input.mask = 1 + below(random, 15);
    const IntegerFormat &format = integerFormats()[input.format];
    input.offset = below(random, 12) * format.bytes;
    uint32_t &stride = draw.bindings[input.binding].stride;
    stride = std::max(stride, (input.offset + format.bytes * format.components + 3) / 4 * 4);
    draw.inputs.push_back(input);
  }
}

void makeVaryings(RandomDraw &draw, Random &random) {
  const std::vector<uint32_t> locations = someOf(31, 1 + below(random, 7), random);
  draw.laneLocation = locations[0];
  for (size_t i = 1; i < locations.size(); ++i) {
    RandomDraw::Varying varying;
    varying.location = locations[i];
    varying.flat = chance(random, 50);
    varying.components = 1 + below(random, 4);
    varying.readMask = chance(random, 25) ? 0 : below(random, 16);
    draw.varyings.push_back(varying);
  }
}

void makeOutputs(RandomDraw &draw, Random &random) {
  draw.outputs.push_back({.components = 4, .writeMask = 0xF});
  for (uint32_t location : someOf(7, below(random, 4), random)) {
    RandomDraw::Output output;
    output.location = location + 1;
    do
      output.format = below(random, static_cast<uint32_t>(integerFormats().size()));
    while (integerFormats()[output.format].target == Format::Undefined);
    output.components = 1 + below(random, 4);
    // What the shader does not write has no defined value.
    output.writeMask = below(random, 16) & ((1u << output.components) - 1);
    output.hasTarget = chance(random, 85);
    draw.outputs.push_back(output);
  }
}

uint32_t attributeValue(const RandomDraw &draw, const RandomDraw::Input &input, uint32_t component,
                        uint32_t lane) {
  const IntegerFormat &format = integerFormats()[input.format];
  if (component >= format.components)
    return component == 3;
  const lgc::VertexBinding &binding = draw.bindings[input.binding];
  const uint32_t element = binding.inputRate == lgc::VertexInputRate::Instance ? 0 : lane;
  const uint32_t place = input.binding * vertexBindingBytes + element * binding.stride +
                         input.offset + component * format.bytes;
  uint32_t value = 0;
  for (uint32_t i = 0; i < format.bytes; ++i)
    value |= uint32_t(attributeByte(place + i)) << (8 * i);
  const uint32_t unused = 32 - 8 * format.bytes;
  return format.isSigned ? static_cast<uint32_t>(static_cast<int32_t>(value << unused) >> unused)
                         : value;
}

} // namespace

uint8_t attributeByte(uint32_t place) {
  return static_cast<uint8_t>(mix(uint64_t(4) << 60 | place));
}

RandomDraw makeDraw(Random &random) {
  RandomDraw draw;
  makeInputs(draw, random);
  makeVaryings(draw, random);
  makeOutputs(draw, random);
  draw.vertexStores = chance(random, 40);
  draw.fragmentStores = chance(random, 40);
  if (chance(random, 30))
    draw.ending = chance(random, 50) ? RandomDraw::Ending::Kill : RandomDraw::Ending::Demote;
  return draw;
}

uint32_t vertexValue(const RandomModule &module, uint32_t lane) {
  uint32_t sum = 1;
  for (const Access &access : module.accesses)
    sum = fold(sum, accessValue(module, access, lane));
  for (const RandomDraw::Input &input : module.draw->inputs)
    for (uint32_t c = 0; c < 4; ++c)
      if (input.mask >> c & 1)
        sum = fold(sum, attributeValue(*module.draw, input, c, lane));
  return sum;
}

uint32_t fragmentValue(const RandomModule &module, uint32_t lane) {
  uint32_t sum = 1;
  for (const Access &access : module.fragmentAccesses)
    sum = fold(sum, accessValue(module, access, lane));
  for (const RandomDraw::Varying &varying : module.draw->varyings)
    for (uint32_t c = 0; c < varying.components; ++c)
      if (varying.readMask >> c & 1)
        sum =
            fold(sum, (varying.flat ? vertexValue(module, lane) : lane) + varying.location * 4 + c);
  return sum;
}

} // namespace randomlink
