//===- FragmentParameters.cpp - attributes as fragment shaders load them ---===//
// SPDX-License-Identifier: MIT
/// \file
/// SPI_PS_INPUT_CNTL_n and SPI_INTERP_CONTROL say what P0, P10 and P20 of attribute n are
/// (docs/hw-notes.md, "Fragment shaders"):
///
///   interpolated      P0 of the first vertex, differences of the others to it
///   flat              P0 of the provoking vertex, no differences
///   flat, OFFSET[5]   the values of the three vertices as they are
///   OFFSET[5]         a constant
///   point sprite      the point coordinate, of points
///   of the primitive  P0, no differences
///
/// The first vertex of a triangle is the provoking one, with ROTATE_PC_PTR that of the API.
#include "pal_shim/device/graphics/FragmentWave.h"
#include <bit>
#include <immintrin.h>

namespace pal::device {

namespace {

/// AttributeControl::offset.
constexpr unsigned offsetMask = 31, constantBit = 32;

float floatOf(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

float floatOfHalf(uint32_t bits) { return _cvtsh_ss(uint16_t(bits)); }
uint32_t halfOf(float value) { return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT); }

uint32_t difference(uint32_t a, uint32_t b, bool isHalf) {
  if (!isHalf)
    return bitsOf(floatOf(a) - floatOf(b));
  uint32_t low = halfOf(floatOfHalf(a) - floatOfHalf(b));
  uint32_t high = halfOf(floatOfHalf(a >> 16) - floatOfHalf(b >> 16));
  return low | high << 16;
}

/// DEFAULT_VAL: 0 (0, 0, 0, 0), 1 (0, 0, 0, 1), 2 (1, 1, 1, 0), 3 (1, 1, 1, 1).
uint32_t defaultValue(const AttributeControl &control, unsigned channel) {
  bool isOne = channel == 3 ? control.defaultValue & 1 : control.defaultValue & 2;
  return isOne ? bitsOf(1) : 0;
}

/// Attributes that nobody exports are 0.
uint32_t vertexValue(const GeometryOutput &geometry, uint32_t vertex, unsigned attribute,
                     unsigned channel) {
  if (attribute >= geometry.attributeCount)
    return 0;
  return geometry.attributes[size_t(vertex) * geometry.attributeCount + attribute][channel];
}

/// Those of primitives stand behind those of vertices, of which there is always at least one.
uint32_t primitiveValue(const GeometryOutput &geometry, uint32_t primitive, unsigned attribute,
                        unsigned channel) {
  unsigned first = std::max(geometry.attributeCount, 1u);
  unsigned index = attribute - first;
  if (attribute < first || index >= geometry.primitiveAttributeCount)
    return 0;
  return geometry
      .primitiveAttributes[size_t(primitive) * geometry.primitiveAttributeCount + index][channel];
}

/// i and j of a point are its coordinate.
ParameterRow pointRow(PointSprite select) {
  switch (select) {
  case PointSprite::One:
    return {bitsOf(1), 0, 0};
  case PointSprite::S:
    return {0, bitsOf(1), 0};
  case PointSprite::T:
    return {0, 0, bitsOf(1)};
  default:
    return {0, 0, 0};
  }
}

struct Load {
  const FragmentSetup &setup;
  const AttributeControl &control;
  unsigned channel;

  ParameterRow operator()(const FragmentQuad &quad) const;
  ParameterRow triangle(const RasterPrimitive &raster, unsigned first) const;
};

ParameterRow Load::triangle(const RasterPrimitive &raster, unsigned first) const {
  const GeometryOutput &geometry = *setup.geometry;
  unsigned attribute = control.offset & offsetMask;
  bool isRaw = control.flat && control.offset & constantBit;
  // Lines have two vertices, points one; the others of the three repeat the last.
  unsigned count = raster.vertexCount;
  uint32_t values[3];
  for (unsigned i = 0; i < 3; ++i) {
    unsigned which = count == 3 ? (first + i) % 3 : std::min(i, count - 1);
    values[i] = vertexValue(geometry, raster.vertices[which], attribute, channel);
  }
  if (isRaw)
    return {values[0], values[1], values[2]};
  return {values[0], difference(values[1], values[0], control.fp16),
          difference(values[2], values[0], control.fp16)};
}

ParameterRow Load::operator()(const FragmentQuad &quad) const {
  const RasterPrimitive &raster = setup.primitives[quad.primitive];
  const PrimitiveOutput &primitive = setup.primitive(quad);
  unsigned attribute = control.offset & offsetMask;
  PointSprite sprite = setup.registers->pointSprite[channel];
  if (control.isPointCoord && setup.registers->pointSpriteEnable && raster.vertexCount == 1 &&
      sprite != PointSprite::None)
    return pointRow(sprite);
  if (control.isPrimitive)
    return {primitiveValue(*setup.geometry, raster.primitive, attribute, channel), 0, 0};
  if (!control.flat && control.offset & constantBit)
    return {defaultValue(control, channel), 0, 0};
  if (control.flat && !(control.offset & constantBit)) {
    uint32_t vertex = raster.vertices[std::min<unsigned>(primitive.provoking, 2)];
    return {vertexValue(*setup.geometry, vertex, attribute, channel), 0, 0};
  }
  return triangle(raster, control.rotate ? 0 : primitive.provoking);
}

} // namespace

bool loadFragmentParameter(const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads,
                           unsigned attribute, unsigned channel, ParameterRow *rows) {
  const FragmentRegisters &registers = *setup.registers;
  unsigned count = registers.attributeCount + registers.primitiveAttributeCount;
  if (attribute >= count || attribute >= registers.attributes.size())
    return false;
  AttributeControl control = registers.attributes[attribute];
  control.isPrimitive |= attribute >= registers.attributeCount; // gfx10
  // Barycentric coordinates do not know of it.
  if (control.rotate && !control.flat)
    return false;
  Load load = {setup, control, channel};
  for (size_t i = 0; i < quads.size(); ++i)
    rows[i] = load(quads[i]);
  return true;
}

} // namespace pal::device
