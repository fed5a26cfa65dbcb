//===- StructureCheck.h - is this an acceleration structure? ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads the memory of a whole structure, from its header on, and says what neither hardware nor
/// traversal would expect: types and places of nodes, boxes that do not hold what is in them, or
/// are infinite (gfx11), bounds of missing children that are numbers, flags of children that could
/// leave them out, pointers with flags, which gfx10.3 has not, links to other nodes than the
/// parent.
#pragma once

#include "lgc/AccelerationStructure.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
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
    checkOrder();
    return problems;
  }

private:
  using Bounds = std::array<float, 6>; ///< minimum x y z, maximum x y z
  static constexpr uint32_t granule = lgc::accel::nodeGranule;
  static constexpr float largest = std::numeric_limits<float>::max();
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
  /// Of finite numbers.
  static bool isBox(const Bounds &bounds) {
    for (unsigned i = 0; i < 3; ++i)
      if (!(std::isfinite(bounds[i]) && std::isfinite(bounds[i + 3]) && bounds[i] <= bounds[i + 3]))
        return false;
    return true;
  }
  /// As builds have it: they cut what is infinite, and flush denormal numbers.
  static float cut(float x) {
    return std::abs(x) < std::numeric_limits<float>::min() ? 0 : std::clamp(x, -largest, largest);
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
    for (uint32_t offset = boxFlags; offset < boxBytes; offset += 4)
      if (word(offsetOf(id) + offset))
        report(id, "flags of children, or what is behind them, are not 0");
    for (unsigned slot = 0; slot < boxChildren; ++slot) {
      const uint32_t child = word(offsetOf(id) + boxChildId + 4 * slot);
      const Bounds held = bounds(offsetOf(id) + boxChildBounds + boxBoundsStride * slot);
      const bool isNan = std::all_of(held.begin(), held.end(), [](float x) { return x != x; });
      if (child == nodeNone) {
        if (!isNan)
          report(id, "missing child " + std::to_string(slot) + " has bounds");
        continue;
      }
      if (!isBox(held))
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
    const auto leaf = static_cast<uint32_t>((at - leavesOffset) / leafSize);
    if (kind == kindInstances)
      return visitInstance(id, leaf);
    const uint32_t geometry = word(at + leafGeometry) & ~geometryOpaque;
    if (geometry >= word(headerGeometryCount))
      report(id, "geometry " + std::to_string(geometry));
    primitives[leaf] = uint64_t(geometry) << 32 | word(at + leafPrimitive);
    if (kind == kindAabbs) {
      Bounds own = bounds(at + aabbBounds);
      std::transform(own.begin(), own.end(), own.begin(), cut);
      if (!isInside(own, box))
        report(id, "its box is not in the one of its parent");
      return;
    }
    const bool opaque = word(at + leafGeometry) & geometryOpaque;
    if (word(at + triangleId) != (triangleIdPlain | (opaque ? triangleIdOpaque : 0u)))
      report(id, "triangle_id " + std::to_string(word(at + triangleId)));
    for (unsigned i = 0; i < 9; ++i) {
      const float x = cut(read<float>(at + triangleVertices + 4 * i));
      if (!(x >= box[i % 3] && x <= box[3 + i % 3]))
        report(id, "vertex " + std::to_string(i / 3) + " is not in its box");
    }
  }

  void visitInstance(uint32_t id, uint32_t leaf) {
    using namespace lgc::accel;
    const uint64_t at = offsetOf(id);
    const auto base = read<uint64_t>(at + instanceBase);
    if (base == 0)
      report(id, "an instance of nothing");
    if (base % (structureAlignment >> 3) || base >> (48 - 3))
      report(id, "its structure is at no address of one, or has flags");
    constexpr uint32_t known = instanceForceOpaque | instanceNotForcedNonOpaque |
                               instanceNoFacingCull | instanceFlipFacing | 0xFFFFFF;
    if (word(at + instanceSbtOffset) & ~known)
      report(id, "unknown flags of the instance");
    if (word(at + instanceIndex) != leaf)
      report(id, "instance " + std::to_string(word(at + instanceIndex)) + " at place " +
                     std::to_string(leaf));
    if (canInvert(at + instanceObjectToWorld))
      checkInverse(id, at);
  }

  /// Applications need not give such a matrix, nor one whose inverse floats have.
  bool canInvert(uint64_t at) const {
    std::array<float, 12> m = read<std::array<float, 12>>(at);
    double size = 0;
    for (float x : m)
      size = std::max(size, std::abs(double(x)));
    const double determinant = m[0] * (double(m[5]) * m[10] - double(m[6]) * m[9]) -
                               m[1] * (double(m[4]) * m[10] - double(m[6]) * m[8]) +
                               m[2] * (double(m[4]) * m[9] - double(m[5]) * m[8]);
    return size < 1e12 && std::abs(determinant) > 1e-12 &&
           std::abs(determinant) > 1e-2 * size * size * size;
  }

  /// The matrices of an instance are inverse to each other.
  void checkInverse(uint32_t id, uint64_t at) {
    using namespace lgc::accel;
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

  /// Leaf i is primitive i of all geometries, counted one after the other.
  void checkOrder() {
    const std::pair<const uint32_t, uint64_t> *before = nullptr;
    for (const auto &primitive : primitives) {
      if (before && primitive.second <= before->second)
        reportHeader("leaf " + std::to_string(primitive.first) + " is not behind leaf " +
                     std::to_string(before->first) + " by geometry and primitive");
      before = &primitive;
    }
  }

  std::span<const uint8_t> memory;
  std::map<uint32_t, uint64_t> primitives; ///< geometry and index, by leaf
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
