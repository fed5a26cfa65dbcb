//===- Bvh8Node.cpp - tests of rays against gfx12's nodes ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/Bvh8Node.h"
#include "pal_shim/device/image/BvhParts.h"
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace pal::device {

using namespace bvh;

namespace {

enum : uint32_t { typeBox8 = 5 };
constexpr uint32_t idStep = bvh8NodeBytes >> 3; // of one node to the next

uint32_t fieldOf(uint32_t word, unsigned low, unsigned count) {
  return word >> low & ((1u << count) - 1);
}

/// q * 2^(exponent - 139), flushed, from \p origin on.
float plane(float origin, uint32_t exponent, uint32_t q) {
  const float offset = std::ldexp(float(q), int(exponent) - 139);
  return origin + (offset < std::numeric_limits<float>::min() ? 0 : offset);
}

/// Children of a box node, or of the box in an instance node.
struct Box8 {
  const uint8_t *origin, *exponents, *children;
  uint32_t boxes, others; ///< ids of the first child of each kind, without types

  float originOf(unsigned axis) const { return read<float>(origin, 4 * axis); }
  uint32_t exponentOf(unsigned axis) const { return exponents[axis]; }
  uint32_t word(unsigned child, unsigned index) const {
    return read<uint32_t>(children, 12 * child + 4 * index);
  }
  std::array<float, 6> boundsOf(unsigned child) const {
    const uint32_t a = word(child, 0), b = word(child, 1), c = word(child, 2);
    const uint32_t low[] = {fieldOf(a, 0, 12), fieldOf(a, 12, 12), fieldOf(b, 0, 12)};
    const uint32_t high[] = {fieldOf(b, 12, 12), fieldOf(c, 0, 12), fieldOf(c, 12, 12)};
    std::array<float, 6> bounds;
    for (unsigned axis = 0; axis < 3; ++axis) {
      bounds[axis] = plane(originOf(axis), exponentOf(axis), low[axis]);
      bounds[axis + 3] = plane(originOf(axis), exponentOf(axis), high[axis] + 1);
    }
    // No child: no box, whatever its exponents.
    for (unsigned axis = 0; axis < 3; ++axis)
      if (low[axis] > high[axis])
        bounds[axis] = std::numeric_limits<float>::quiet_NaN(), bounds[axis + 3] = bounds[axis];
    return bounds;
  }
  uint8_t flagsOf(unsigned child) const { return uint8_t(fieldOf(word(child, 0), 24, 4)); }
  uint8_t maskOf(unsigned child) const { return uint8_t(word(child, 1) >> 24); }
  /// Also goes on to the next child.
  uint32_t takeId(unsigned child) {
    const uint32_t type = fieldOf(word(child, 2), 24, 4);
    uint32_t &next = type == typeBox8 ? boxes : others;
    const uint32_t id = next | type;
    next += fieldOf(word(child, 2), 28, 4) * idStep;
    return id;
  }
};

/// Ids of \p count children, sorted.
std::array<uint32_t, 8> testBox8(Box8 box, unsigned count, const BvhRay &ray,
                                 const BvhResource &resource, uint32_t flags, uint8_t mask) {
  std::array<uint32_t, 8> ids;
  std::array<float, 8> keys = {};
  ids.fill(noNode);
  for (unsigned child = 0; child < count; ++child) {
    const uint32_t id = box.takeId(child);
    const std::array<float, 6> bounds = box.boundsOf(child);
    const bool isEmpty = std::isnan(bounds[0]) || std::isnan(bounds[1]) || std::isnan(bounds[2]);
    if (isEmpty || !(box.maskOf(child) & mask) ||
        (resource.pointerFlags && isCulled(box.flagsOf(child), flags)))
      continue;
    const BvhSlot slot = testChild(bounds, id, ray, resource);
    ids[child] = slot.id, keys[child] = slot.key;
  }
  // A child that several boxes are of is one.
  for (uint32_t child = 1, previous = ids[0]; child < 8; ++child)
    if (ids[child] == previous)
      ids[child] = noNode;
    else
      previous = ids[child];
  if (resource.sort)
    sortChildren8(ids, keys, resource);
  return ids;
}

//===--- Primitive nodes --------------------------------------------------===//

/// Bits of a primitive node; what lies outside reads 0.
class PrimitiveNode {
public:
  explicit PrimitiveNode(const uint8_t *node) : node(node) {}

  uint32_t bits(unsigned low, unsigned count) const {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < count; ++bit)
      if (const unsigned at = low + bit; at < 8 * bvh8NodeBytes)
        value |= uint64_t(node[at / 8] >> (at % 8) & 1) << bit;
    return uint32_t(value);
  }
  unsigned pairs() const { return bits(28, 3) + 1; }
  uint32_t descriptor(unsigned pair) const { return bits(1024 - 29 * (pair + 1), 29); }

  BvhVertex vertex(unsigned index) const {
    unsigned stride = 0, prefixBits = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
      stride += payload(axis), prefixBits += prefix(axis);
    unsigned prefixAt = firstVertexBit, at = firstVertexBit + prefixBits + index * stride;
    BvhVertex result;
    for (unsigned axis = 0; axis < 3; ++axis) {
      uint32_t value = payload(axis) + trailing() > 32 ? 0 : bits(at, payload(axis)) << trailing();
      if (prefix(axis))
        value |= bits(prefixAt, prefix(axis)) << (32 - prefix(axis));
      result[axis] = std::bit_cast<float>(value);
      prefixAt += prefix(axis), at += payload(axis);
    }
    return result;
  }
  uint32_t primitive(unsigned triangle) const {
    const unsigned anchor = bits(32, 5), rest = bits(37, 5);
    const uint32_t first = bits(midpoint(), anchor);
    if (triangle == 0)
      return first;
    return joined(first, anchor, bits(midpoint() + anchor + (triangle - 1) * rest, rest), rest);
  }
  uint32_t geometry(unsigned triangle) const {
    const unsigned anchor = 2 * bits(20, 4), rest = 2 * bits(24, 4);
    const uint32_t first = bits(midpoint() - anchor, anchor);
    if (triangle == 0)
      return first;
    return joined(first, anchor, bits(midpoint() - anchor - triangle * rest, rest), rest);
  }

private:
  static constexpr unsigned firstVertexBit = 52;
  unsigned payload(unsigned axis) const { return bits(5 * axis, 5) + 1; }
  unsigned trailing() const { return bits(15, 5); }
  unsigned prefix(unsigned axis) const {
    const unsigned used = payload(axis) + trailing();
    return used < 32 ? 32 - used : 0;
  }
  unsigned midpoint() const { return bits(42, 10); }
  /// Bits that the number of a later triangle does not have are the first one's.
  static uint32_t joined(uint32_t anchor, unsigned anchorBits, uint32_t own, unsigned bits) {
    return bits >= anchorBits ? own : own | (anchor & ~((1u << bits) - 1));
  }

  const uint8_t *node;
};

/// A triangle of a pair as its descriptor has it.
struct PairTriangle {
  bool doubleSided, opaque, exists, procedural;
  unsigned corners[3];

  PairTriangle(uint32_t descriptor, unsigned index) {
    const uint32_t own = descriptor >> (index ? 1 : 15);
    doubleSided = own & 1, opaque = own & 2;
    for (unsigned i = 0; i < 3; ++i)
      corners[i] = fieldOf(own, 2 + 4 * i, 4);
    exists = index == 0 || corners[0] || corners[1] || corners[2];
    procedural = corners[0] == 15 && corners[1] == 15;
  }
};

void testTriangleOfPair(const PrimitiveNode &node, const PairTriangle &triangle, uint32_t number,
                        const BvhRay &ray, const BvhResource &resource, uint32_t flags,
                        uint32_t *result) {
  constexpr uint32_t sign = 0x80000000;
  const uint32_t marks[2] = {triangle.procedural ? sign : 0, triangle.opaque ? 0 : sign};
  const uint32_t bits = (triangle.doubleSided ? 0x10 : 0) | (triangle.procedural ? 0x40 : 0) |
                        (triangle.opaque ? 0x80 : 0);
  auto finish = [&](float t, float i, float j, uint32_t word) {
    result[0] = std::bit_cast<uint32_t>(t);
    result[1] = (std::bit_cast<uint32_t>(i) & ~sign) | marks[0];
    result[2] = (std::bit_cast<uint32_t>(j) & ~sign) | marks[1];
    result[3] = word;
  };
  if (triangle.procedural) {
    // Facing of what has none: culled by either flag, which whoever builds must exclude.
    const bool culled = resource.pointerFlags && (isTriangleCulled(bits, true, flags) ||
                                                  isTriangleCulled(bits, false, flags));
    return finish(culled ? infinity : 0, 1, 1, node.primitive(number) << 1);
  }
  const BvhVertex vertices[3] = {node.vertex(triangle.corners[0]), node.vertex(triangle.corners[1]),
                                 node.vertex(triangle.corners[2])};
  BvhTriangleHit hit = testTriangle(vertices, ray);
  if (!isHit(hit))
    return finish(infinity, 0, 0, 0);
  if (resource.pointerFlags && (flags & BvhPointerFlags::FlipFacing))
    flip(hit);
  const bool front = hit.denominator > 0;
  if (resource.pointerFlags && isTriangleCulled(bits, front, flags))
    return finish(infinity, 0, 0, 0);
  finish(hit.distance / hit.denominator, hit.weights[1] / hit.denominator,
         hit.weights[2] / hit.denominator, node.primitive(number) << 1 | (front ? 0 : 1));
}

//===--- Instance nodes ---------------------------------------------------===//

/// A row of a 3 x 4 matrix times the vector; \p w: whether its last column counts.
float row(const uint8_t *node, unsigned index, const float *v, bool w) {
  auto m = [&](unsigned column) { return read<float>(node, 16 * index + 4 * column); };
  const float sum = w ? std::fma(v[2], m(2), m(3)) : v[2] * m(2);
  return std::fma(v[0], m(0), std::fma(v[1], m(1), sum));
}

void transform(const uint8_t *node, BvhRay &ray) {
  BvhRay to = ray;
  for (unsigned i = 0; i < 3; ++i) {
    to.origin[i] = row(node, i, ray.origin, true);
    to.direction[i] = row(node, i, ray.direction, false);
    to.inverse[i] = 1.0f / to.direction[i];
  }
  ray = to;
}

/// Flags of the ray and those of the instance.
uint64_t mergedBase(uint64_t base, uint32_t flags) {
  using F = BvhPointerFlags;
  auto own = uint32_t(base >> 54);
  if (flags & (F::ForceOpaque | F::ForceNonOpaque))
    own &= ~uint32_t(F::ForceOpaque | F::ForceNonOpaque);
  return (base & ((uint64_t(1) << 54) - 1)) | uint64_t(own | flags) << 54;
}

} // namespace

void sortChildren8(std::array<uint32_t, 8> &ids, std::array<float, 8> &keys,
                   const BvhResource &resource) {
  using Exchange = std::pair<uint8_t, uint8_t>;
  constexpr Exchange halves[] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 1},
                                 {2, 3}, {4, 5}, {6, 7}, {1, 2}, {5, 6}};
  constexpr Exchange merge[] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4},
                                {3, 5}, {1, 2}, {3, 4}, {5, 6}};
  auto classOf = [&](uint32_t id) {
    if (id == noNode)
      return 4;
    const unsigned type = id & 7;
    return resource.trianglesFirst ? (type > 3 ? 2 : 0) | (type != 1 ? 1 : 0) : 0;
  };
  auto sort = [&](std::span<const Exchange> exchanges) {
    for (auto [a, b] : exchanges) {
      const int classA = classOf(ids[a]), classB = classOf(ids[b]);
      if (classA != classB ? classB < classA : keys[b] < keys[a])
        std::swap(ids[a], ids[b]), std::swap(keys[a], keys[b]);
    }
  };
  sort(halves);
  if (resource.wideSort)
    sort(merge);
}

Bvh8Result intersectBox8(const uint8_t *node, const BvhRay &ray, const BvhResource &resource,
                         uint32_t flags, uint8_t mask) {
  const uint32_t word6 = read<uint32_t>(node, 24);
  const Box8 box = {node + 12, node + 24, node + 32, read<uint32_t>(node, 0) & ~0xFu,
                    read<uint32_t>(node, 4) & ~0xFu};
  BvhResource used = resource;
  if (word6 >> 24 & 1) // sorting is off here
    used.sort = false;
  const auto ids = testBox8(box, fieldOf(word6, 28, 3) + 1, ray, used, flags, mask);
  Bvh8Result result;
  result.fill(noNode);
  std::copy(ids.begin(), ids.end(), result.begin());
  return result;
}

Bvh8Result intersectPrimitive(const uint8_t *node, unsigned pair, const BvhRay &ray,
                              const BvhResource &resource, uint32_t flags) {
  const PrimitiveNode primitive(node);
  const uint32_t descriptor = primitive.descriptor(pair);
  Bvh8Result result = {};
  const PairTriangle first(descriptor, 0), second(descriptor, 1);
  testTriangleOfPair(primitive, first, 2 * pair, ray, resource, flags, result.data());
  if (second.exists)
    testTriangleOfPair(primitive, second, 2 * pair + 1, ray, resource, flags, result.data() + 4);
  else
    result[4] = std::bit_cast<uint32_t>(infinity);
  enum : uint32_t { endOfPair = 0, endOfNode = 1, endOfRange = 3 };
  const uint32_t navigation = descriptor & 1                 ? endOfRange
                              : pair + 1 < primitive.pairs() ? endOfPair
                                                             : endOfNode;
  result[8] = primitive.geometry(2 * pair) << 2 | navigation;
  result[9] = second.exists ? primitive.geometry(2 * pair + 1) << 2 : 0;
  return result;
}

Bvh8Result intersectInstance(const uint8_t *node, BvhRay &ray, const BvhResource &resource,
                             uint32_t flags, uint8_t mask) {
  const uint64_t base = mergedBase(read<uint64_t>(node, 48), resource.pointerFlags ? flags : 0);
  const uint32_t userAndMask = read<uint32_t>(node, 60);
  Bvh8Result result;
  result.fill(noNode);
  result[2] = uint32_t(base), result[3] = uint32_t(base >> 32);
  result[6] = userAndMask & 0xFFFFFF;
  if (!(userAndMask >> 24 & mask))
    return result;
  transform(node, ray);
  if (!resource.compressed) {
    result[7] = read<uint32_t>(node, 56);
    return result;
  }
  const Box8 box = {node + 64, node + 76, node + 80, 0, 0};
  const unsigned children = fieldOf(read<uint32_t>(node, 76), 28, 2) + 1;
  const auto ids = testBox8(box, children, ray, resource,
                            resource.pointerFlags ? uint32_t(base >> 54) : 0, mask);
  result[7] = 0;
  for (unsigned i = 0; i < 4; ++i)
    result[7] |= (ids[i] & 0xFF) << (8 * i);
  return result;
}

} // namespace pal::device
