//===- StructureCheck.h - is this an acceleration structure? ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads the memory of a whole structure, from its header on, and says what neither hardware nor
/// traversal would expect: types and places of nodes, boxes that do not hold what is in them,
/// bounds of missing children that are numbers, links to other nodes than the parent.
#pragma once

#include "lgc/AccelerationStructure.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace vktest {

class StructureCheck {
public:
  /// \p memory: the structure, or more.
  explicit StructureCheck(std::span<const uint8_t> memory) : memory(memory) {}

  /// What is wrong, each with its place; empty if nothing is.
  const std::vector<std::string> &run() {
    if (!checkHeader())
      return problems;
    owner.assign(linksStart, 0);
    Bounds all = emptyBounds();
    visitBox(rootId(), lgc::accel::nodeNone, nullptr, all);
    checkCounts(all);
    return problems;
  }

private:
  using Bounds = std::array<float, 6>; ///< minimum x y z, maximum x y z
  static constexpr uint32_t granule = lgc::accel::nodeGranule;
  static constexpr unsigned maxProblems = 20, maxDepth = 64;

  static constexpr uint32_t rootId() { return lgc::accel::rootId; }
  static Bounds emptyBounds() {
    return {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  }

  template <class T> T read(uint64_t offset) const {
    T value{};
    if (offset + sizeof(T) <= memory.size())
      std::memcpy(&value, memory.data() + offset, sizeof(T));
    return value;
  }
  uint32_t word(uint64_t offset) const { return read<uint32_t>(offset); }
  Bounds bounds(uint64_t offset) const { return read<Bounds>(offset); }
  static uint64_t offsetOf(uint32_t id) { return uint64_t(id & ~lgc::accel::nodeTypeMask) << 3; }

  void report(uint32_t id, const std::string &what) {
    if (problems.size() < maxProblems)
      problems.push_back("node " + std::to_string(id) + " (byte " + std::to_string(offsetOf(id)) +
                         "): " + what);
  }
  void reportHeader(const std::string &what) { problems.push_back("header: " + what); }

  bool checkHeader() {
    using namespace lgc::accel;
    if (memory.size() < leavesOffset || word(headerMagic) != structureMagic) {
      reportHeader("no structure");
      return false;
    }
    kind = word(headerKind);
    leafCount = word(headerLeafCount);
    boxStart = word(headerBoxStart);
    linksStart = word(headerLinksStart);
    leafSize = kind == kindInstances ? instanceBytes : leafBytes;
    const uint64_t leavesEnd = leavesOffset + uint64_t(leafCount) * leafSize;
    const uint64_t boxesEnd =
        uint64_t(boxStart) * granule + uint64_t(word(headerBoxCount)) * boxBytes - boxBytes;
    if (kind > kindInstances)
      reportHeader("kind " + std::to_string(kind));
    if (leavesEnd > uint64_t(boxStart) * granule || word(headerBoxCount) == 0 ||
        boxesEnd > uint64_t(linksStart) * granule)
      reportHeader("leaves, boxes and links overlap");
    const uint64_t size = read<uint64_t>(headerSize);
    if (size > memory.size() || uint64_t(linksStart) * (granule + 4) > size)
      reportHeader("size " + std::to_string(size));
    return problems.empty();
  }

  /// Marks what the node occupies. False: it is outside, or occupied.
  bool occupy(uint32_t id, uint32_t bytes, uint32_t parent) {
    const uint64_t first = offsetOf(id) / granule, count = bytes / granule;
    if (offsetOf(id) % granule || offsetOf(id) < lgc::accel::rootOffset ||
        first + count > linksStart) {
      report(id, "outside of the structure or misaligned");
      return false;
    }
    for (uint64_t i = first; i < first + count; ++i) {
      if (owner[i]) {
        report(id, "overlaps another node, or is reached twice");
        return false;
      }
      owner[i] = 1;
    }
    if (const uint32_t link = word(uint64_t(linksStart) * granule + 4 * first); link != parent)
      report(id, "its link is " + std::to_string(link) + ", its parent " + std::to_string(parent));
    return true;
  }

  static bool isInside(const Bounds &inner, const Bounds &outer) {
    for (unsigned i = 0; i < 3; ++i)
      if (!(inner[i] >= outer[i]) || !(inner[i + 3] <= outer[i + 3]))
        return false;
    return true;
  }
  static void add(Bounds &all, const Bounds &bounds) {
    for (unsigned i = 0; i < 3; ++i) {
      all[i] = std::min(all[i], bounds[i]);
      all[i + 3] = std::max(all[i + 3], bounds[i + 3]);
    }
  }

  /// \p box: what the parent says of its bounds, or null. Adds what is in it to \p all.
  void visitBox(uint32_t id, uint32_t parent, const Bounds *box, Bounds &all, unsigned depth = 0) {
    using namespace lgc::accel;
    if (depth > maxDepth)
      return report(id, "deeper than traversal can go");
    if (!occupy(id, boxBytes, parent))
      return;
    ++boxCount;
    for (unsigned slot = 0; slot < boxChildren; ++slot) {
      const uint32_t child = word(offsetOf(id) + boxChildId + 4 * slot);
      const Bounds held = bounds(offsetOf(id) + boxChildBounds + boxBoundsStride * slot);
      const bool isNan = std::all_of(held.begin(), held.end(), [](float x) { return x != x; });
      if (child == nodeNone) {
        if (!isNan)
          report(id, "missing child " + std::to_string(slot) + " has bounds");
        continue;
      }
      const bool hasNan = std::any_of(held.begin(), held.end(), [](float x) { return x != x; });
      if (hasNan || held[0] > held[3] || held[1] > held[4] || held[2] > held[5])
        report(id, "bounds of child " + std::to_string(slot) + " are no box");
      if (box && !isInside(held, *box))
        report(id, "child " + std::to_string(slot) + " is not in the box of this node");
      add(all, held);
      if ((child & nodeTypeMask) == nodeBox32) {
        Bounds inner = emptyBounds();
        visitBox(child, id, &held, inner, depth + 1);
      } else {
        visitLeaf(child, id, held);
      }
    }
  }

  void visitLeaf(uint32_t id, uint32_t parent, const Bounds &box) {
    using namespace lgc::accel;
    constexpr uint32_t types[] = {nodeTriangle, nodeAabb, nodeInstance};
    if ((id & nodeTypeMask) != types[kind])
      return report(id, "a leaf of another kind than the structure's");
    const uint64_t at = offsetOf(id);
    if (at < leavesOffset || at >= leavesOffset + uint64_t(leafCount) * leafSize ||
        (at - leavesOffset) % leafSize)
      return report(id, "not at the place of a leaf");
    if (!occupy(id, leafSize, parent))
      return;
    ++activeCount;
    if (kind == kindInstances)
      return visitInstance(id);
    if (const uint32_t geometry = word(at + leafGeometry) & geometryIndexMask;
        geometry >= word(headerGeometryCount))
      report(id, "geometry " + std::to_string(geometry));
    if (kind == kindAabbs) {
      if (!isInside(bounds(at + aabbBounds), box))
        report(id, "its box is not in the one of its parent");
      return;
    }
    const bool opaque = word(at + leafGeometry) & geometryOpaque;
    if (word(at + triangleId) != (triangleIdPlain | (opaque ? triangleIdOpaque : 0u)))
      report(id, "triangle_id " + std::to_string(word(at + triangleId)));
    for (unsigned i = 0; i < 9; ++i) {
      const float x = read<float>(at + triangleVertices + 4 * i);
      if (!(x >= box[i % 3] && x <= box[3 + i % 3]))
        report(id, "vertex " + std::to_string(i / 3) + " is not in its box");
    }
  }

  /// The matrices of an instance are inverse to each other.
  void visitInstance(uint32_t id) {
    using namespace lgc::accel;
    const uint64_t at = offsetOf(id);
    if (read<uint64_t>(at + instanceBase) == 0)
      report(id, "an instance of nothing");
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned column = 0; column < 4; ++column) {
        double sum = column == 3 ? read<float>(at + instanceWorldToObject + 16 * row + 12) : 0;
        double scale = std::abs(sum) + 1;
        for (unsigned i = 0; i < 3; ++i) {
          const double product =
              double(read<float>(at + instanceWorldToObject + 16 * row + 4 * i)) *
              read<float>(at + instanceObjectToWorld + 16 * i + 4 * column);
          sum += product;
          scale += std::abs(product);
        }
        if (!(std::abs(sum - (row == column ? 1 : 0)) < 1e-3 * scale))
          return report(id, "the matrices of the instance are not inverse to each other");
      }
  }

  void checkCounts(const Bounds &all) {
    using namespace lgc::accel;
    if (activeCount != word(headerActiveCount))
      reportHeader(std::to_string(word(headerActiveCount)) + " active leaves, but the tree has " +
                   std::to_string(activeCount));
    if (boxCount != word(headerBoxCount))
      reportHeader(std::to_string(word(headerBoxCount)) + " boxes, but the tree has " +
                   std::to_string(boxCount));
    const Bounds said = bounds(headerBounds);
    if (activeCount ? !isInside(all, said) : said[0] == said[0])
      reportHeader("bounds do not hold what is there");
  }

  std::span<const uint8_t> memory;
  std::vector<std::string> problems;
  std::vector<uint8_t> owner; ///< by granule: a node is there
  uint32_t kind = 0, leafCount = 0, leafSize = 0, boxStart = 0, linksStart = 0;
  uint32_t activeCount = 0, boxCount = 0;
};

/// Of a structure in host memory.
inline std::vector<std::string> checkStructure(std::span<const uint8_t> memory) {
  return StructureCheck(memory).run();
}

} // namespace vktest
