//===- WideStructureCheck.h - is this a structure of gfx12? ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// As StructureCheck.h, of structures with gfx12's nodes: also steps of planes that are no normal
/// numbers, children behind missing ones, masks and flags that could leave children out, encodings
/// of primitives that are not ours, a table of leaves that leads elsewhere.
#pragma once

#include "test/vulkan/StructureCheckBase.h"

namespace vktest {

class WideStructureCheck : StructureCheckBase {
public:
  explicit WideStructureCheck(std::span<const uint8_t> memory)
      : StructureCheckBase(memory, lgc::accel::wideTypeMask) {}

  const std::vector<std::string> &run() {
    using namespace lgc::accel;
    const uint64_t start = uint64_t(word(headerLeavesStart)) * granule;
    if (!checkHeader(start, {wideNodeBytes, wideInstanceBytes}))
      return problems;
    if (start % wideNodeBytes || start < widePlaces + uint64_t(leafCount) * 4) {
      reportHeader("leaves are over their table");
      return problems;
    }
    for (uint32_t leaf = 0; leaf < leafCount; ++leaf)
      if (const uint32_t id = word(widePlaces + 4 * uint64_t(leaf)); id != nodeNone)
        leafOfId[id] = leaf;
    Bounds all = emptyBounds();
    visitBox(rootId(), nodeNone, all);
    checkCounts(all);
    checkOrder();
    if (leafOfId.size() != activeCount)
      reportHeader("the table has " + std::to_string(leafOfId.size()) + " leaves, the tree " +
                   std::to_string(activeCount));
    return problems;
  }

private:
  /// A child as a box node has it.
  struct Child {
    std::array<uint32_t, 3> words;
    uint32_t field(unsigned index, unsigned low, unsigned count) const {
      return words[index] >> low & ((1u << count) - 1);
    }
    uint32_t low(unsigned axis) const {
      return axis == 2 ? field(1, 0, 12) : field(0, 12 * axis, 12);
    }
    uint32_t high(unsigned axis) const {
      return axis == 0 ? field(1, 12, 12) : field(2, 12 * (axis - 1), 12);
    }
    uint32_t flags() const { return words[0] >> 24; }
    uint32_t mask() const { return words[1] >> 24; }
    uint32_t type() const { return field(2, 24, 4); }
    uint32_t nodes() const { return words[2] >> 28; }
    bool isMissing() const {
      return words == std::array<uint32_t, 3>{lgc::accel::wideNoChild0, lgc::accel::wideNoChild1,
                                              lgc::accel::wideNoChild2};
    }
    /// What an update has made inactive keeps its place.
    bool isEmpty() const {
      return words[0] == lgc::accel::wideNoChild0 && words[1] == lgc::accel::wideNoChild1;
    }
  };

  /// Planes as hardware has them, from the node's \p origin and exponents behind it.
  Bounds planesOf(uint64_t origin, const Child &child) const {
    Bounds planes;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const int exponent = read<uint8_t>(origin + 12 + axis);
      const auto from = read<float>(origin + 4 * axis);
      planes[axis] = from + std::ldexp(float(child.low(axis)), exponent - 139);
      planes[axis + 3] = from + std::ldexp(float(child.high(axis) + 1), exponent - 139);
    }
    return planes;
  }
  void checkGrid(uint32_t id, uint64_t origin) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (read<uint8_t>(origin + 12 + axis) < lgc::accel::wideLeastExponent)
        report(id, "steps between planes are no normal numbers");
    if (!std::isfinite(read<float>(origin)) || !std::isfinite(read<float>(origin + 4)) ||
        !std::isfinite(read<float>(origin + 8)))
      report(id, "its origin is not finite");
  }

  /// Adds what is in the box, exactly, to \p all.
  void visitBox(uint32_t id, uint32_t parent, Bounds &all, unsigned depth = 0) {
    using namespace lgc::accel;
    if (depth > maxDepth)
      return report(id, "deeper than traversal can go");
    if (!occupy(id, wideNodeBytes, parent))
      return;
    ++boxCount;
    const uint64_t at = offsetOf(id);
    const uint32_t last = word(at + wideExponents) >> wideCountShift;
    if (word(at + wideParent) || word(at + wideOriented) != wideNotOriented ||
        (word(at + wideExponents) >> 24 & 0xF) || last > 7)
      report(id, "unknown fields are not 0");
    checkGrid(id, at + wideOrigin);
    if ((word(at + wideBoxBase) | word(at + wideLeafBase)) & wideTypeMask)
      report(id, "a base of children has a type");
    uint32_t boxes = word(at + wideBoxBase), leaves = word(at + wideLeafBase);
    for (unsigned slot = 0; slot < wideChildren; ++slot) {
      const Child child = {read<std::array<uint32_t, 3>>(at + wideChild + wideChildBytes * slot)};
      if (child.isMissing()) {
        if (slot <= last && leafCount && word(headerActiveCount))
          report(id, "child " + std::to_string(slot) + " is missing");
        continue;
      }
      if (slot > last) {
        report(id, "more children than it says");
        continue;
      }
      const bool isBox = child.type() == nodeBox32;
      uint32_t &next = isBox ? boxes : leaves;
      visitChild(id, slot, child, next | child.type(), all, depth);
      next += child.nodes() * (wideNodeBytes >> 3);
    }
  }

  void visitChild(uint32_t id, unsigned slot, const Child &child, uint32_t childId, Bounds &all,
                  unsigned depth) {
    using namespace lgc::accel;
    const std::string name = "child " + std::to_string(slot);
    const bool isBox = child.type() == nodeBox32;
    const uint32_t size = isBox ? wideNodeBytes : leafSize;
    if (child.nodes() != size / wideNodeBytes)
      report(id, name + " is of " + std::to_string(child.nodes()) + " nodes");
    if (!child.isEmpty() && (child.flags() || child.mask() != 0xFF))
      report(id, name + " may be left out by flags or a mask");
    for (unsigned axis = 0; axis < 3 && !child.isEmpty(); ++axis)
      if (child.low(axis) > child.high(axis))
        report(id, name + " has no box");
    Bounds inner = emptyBounds();
    if (isBox)
      visitBox(childId, id, inner, depth + 1);
    else
      visitLeaf(childId, id, inner);
    const bool hasContent = inner[0] <= inner[3];
    if (hasContent &&
        (child.isEmpty() || !isInside(inner, planesOf(offsetOf(id) + wideOrigin, child))))
      report(id, name + " has more in it than its box");
    add(all, inner);
  }

  void visitLeaf(uint32_t id, uint32_t parent, Bounds &inner) {
    using namespace lgc::accel;
    if ((id & wideTypeMask) != (kind == kindInstances ? nodeInstance : nodeTriangle))
      return report(id, "a leaf of another kind than the structure's");
    const uint64_t at = offsetOf(id);
    if (!isPlaceOfLeaf(at))
      return report(id, "not at the place of a leaf");
    if (!occupy(id, leafSize, parent))
      return;
    ++activeCount;
    const auto known = leafOfId.find(id);
    if (known == leafOfId.end())
      return report(id, "no leaf of the table is there");
    if (kind == kindInstances)
      return visitInstance(id, known->second);
    const bool isAabb = kind == kindAabbs;
    if (word(at) != (isAabb ? wideAabbHead : wideTriangleHead) ||
        (word(at + wideVertexWord) & 0xFFFFF) != wideIdHead)
      report(id, "another encoding of a primitive");
    const uint32_t pair = word(at + widePair) >> 3;
    if ((pair & ~widePairOpaque) != (isAabb ? widePairAabb : widePairTriangle))
      report(id, "pair " + std::to_string(pair));
    for (uint32_t offset = widePrimitive + 4; offset < widePair; offset += 4)
      if (word(at + offset))
        report(id, "bits that nothing has are not 0");
    addPrimitive(id, known->second, word(at + wideGeometry) >> 4, word(at + widePrimitive));
    const unsigned points = isAabb ? 2 : 3;
    for (unsigned i = 0; i < 3 * points; ++i) {
      const float x = cut(floatAt(at, i));
      inner[i % 3] = std::min(inner[i % 3], x);
      inner[3 + i % 3] = std::max(inner[3 + i % 3], x);
      if (x != x)
        report(id, "a vertex is no number");
    }
  }
  float floatAt(uint64_t node, unsigned index) const {
    const uint64_t at = node + lgc::accel::wideVertexWord + 4 * index;
    const uint32_t bits = static_cast<uint32_t>(read<uint64_t>(at) >> lgc::accel::wideVertexShift);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

  void visitInstance(uint32_t id, uint32_t leaf) {
    using namespace lgc::accel;
    const uint64_t at = offsetOf(id);
    const uint32_t flags = word(at + wideInstanceFlags);
    checkInstance(id, leaf, read<uint64_t>(at + wideInstanceBase), flags,
                  word(at + wideInstanceIndex));
    if ((word(at + wideInstanceUser) ^ flags) & 0xFFFFFF)
      report(id, "two offsets of the instance");
    checkGrid(id, at + wideInstanceBox);
    for (unsigned slot = 0; slot < 4; ++slot) {
      const Child child = {
          read<std::array<uint32_t, 3>>(at + wideInstanceChild + wideChildBytes * slot)};
      const bool isAll = child.type() == nodeBox32 && child.nodes() == 1 && !child.flags() &&
                         child.mask() == 0xFF && !child.low(0) && !child.low(1) && !child.low(2);
      if (slot == 0 ? !isAll : !child.isMissing())
        report(id, "child " + std::to_string(slot) + " of the instance");
    }
    checkMatrices(id, at + wideInstanceWorldToObject, at + wideInstanceObjectToWorld);
  }

  std::map<uint32_t, uint32_t> leafOfId;
};

} // namespace vktest
