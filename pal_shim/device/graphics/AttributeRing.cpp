//===- AttributeRing.cpp - attributes that leave through memory ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/AttributeRing.h"
#include "pal_shim/device/core/Launch.h"
#include "pal_shim/device/graphics/MergedWave.h"

using namespace llvm;

namespace pal::device {

static constexpr unsigned ringBases = 4, ringUnit = 512, attributeDwords = 4, blockVertices = 32;

static unsigned attributesOf(const VertexRegisters &registers) {
  return registers.attributeCount + registers.primitiveAttributeCount;
}

uint32_t AttributeRing::base(uint32_t number) const { return exists ? number % ringBases : 0; }

uint32_t *AttributeRing::place(uint32_t number) const {
  return reinterpret_cast<uint32_t *>(setup.tables->host +
                                      (attributeRingAddress() - setup.tables->address) +
                                      base(number) * ringUnit);
}

void AttributeRing::clear(uint32_t number, size_t vertices) const {
  if (!exists || !registers.attributeCount)
    return;
  size_t blocks = (vertices + blockVertices - 1) / blockVertices;
  size_t dwords = blocks * blockVertices * attributesOf(registers) * attributeDwords;
  std::fill_n(place(number), dwords, setup.context.options.poison ? poisonPattern : 0);
}

Attribute AttributeRing::read(uint32_t number, size_t index, unsigned attribute) const {
  size_t block = index / blockVertices * attributesOf(registers) + attribute;
  const uint32_t *from =
      place(number) + (block * blockVertices + index % blockVertices) * attributeDwords;
  return {from[0], from[1], from[2], from[3]};
}

void AttributeRing::append(uint32_t number, size_t vertices, GeometryOutput &output) const {
  if (!exists || !registers.attributeCount)
    return;
  for (size_t vertex = 0; vertex < vertices; ++vertex)
    for (unsigned attribute = 0; attribute < registers.attributeCount; ++attribute)
      output.attributes.push_back(read(number, vertex, attribute));
}

void AttributeRing::appendPrimitive(uint32_t number, size_t primitive,
                                    GeometryOutput &output) const {
  for (unsigned i = 0; exists && i < registers.primitiveAttributeCount; ++i)
    output.primitiveAttributes.push_back(read(number, primitive, registers.attributeCount + i));
}

uint32_t attributeRingBytes(const LoadedProgram &program) {
  const GraphicsStage *stage = program.graphics->stage(abi::HardwareStage::Gs);
  if (!stage || isGfx10(stage->data.generation))
    return 0;
  unsigned attributes = attributesOf(program.graphics->vertex);
  return attributes ? maxGroupVertices * attributes * attributeDwords * 4 + ringBases * ringUnit
                    : 0;
}

} // namespace pal::device
