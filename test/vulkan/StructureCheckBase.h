//===- StructureCheckBase.h - what checks of structures share --------------===//
// SPDX-License-Identifier: MIT
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

/// Memory of a structure, and what is wrong with it.
class StructureCheckBase {
protected:
  using Bounds = std::array<float, 6>; ///< minimum x y z, maximum x y z
  static constexpr uint32_t granule = lgc::accel::nodeGranule;
  static constexpr float largest = std::numeric_limits<float>::max();
  static constexpr unsigned maxProblems = 20, maxDepth = 64;

  /// \p typeMask: bits of ids.
  StructureCheckBase(std::span<const uint8_t> memory, uint32_t typeMask)
      : memory(memory), typeMask(typeMask) {}

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
  uint64_t offsetOf(uint32_t id) const { return uint64_t(id & ~typeMask) << 3; }

  void report(uint32_t id, const std::string &what) {
    if (problems.size() < maxProblems)
      problems.push_back("node " + std::to_string(id) + " (byte " + std::to_string(offsetOf(id)) +
                         "): " + what);
  }
  void reportHeader(const std::string &what) { problems.push_back("header: " + what); }

  /// \p ofLeaves: bytes of a leaf that is no instance, and of one that is.
  bool checkHeader(uint64_t leavesStart, std::array<uint32_t, 2> ofLeaves) {
    using namespace lgc::accel;
    kind = word(headerKind);
    leafCount = word(headerLeafCount);
    boxStart = word(headerBoxStart);
    linksStart = word(headerLinksStart);
    firstLeaf = leavesStart;
    leafSize = ofLeaves[kind == kindInstances];
    const uint64_t leavesEnd = firstLeaf + uint64_t(leafCount) * leafSize;
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
    owner.assign(problems.empty() ? linksStart : 0, 0);
    return problems.empty();
  }
  bool isPlaceOfLeaf(uint64_t at) const {
    return at >= firstLeaf && at < firstLeaf + uint64_t(leafCount) * leafSize &&
           (at - firstLeaf) % leafSize == 0;
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

  /// \p base: address of its structure / 8; \p flags: instanceXxx.
  void checkInstance(uint32_t id, uint32_t leaf, uint64_t base, uint32_t flags, uint32_t index) {
    using namespace lgc::accel;
    if (base == 0)
      report(id, "an instance of nothing");
    if (base % (structureAlignment >> 3) || base >> (48 - 3))
      report(id, "its structure is at no address of one, or has flags");
    constexpr uint32_t known = instanceForceOpaque | instanceNotForcedNonOpaque |
                               instanceNoFacingCull | instanceFlipFacing | 0xFFFFFF;
    if (flags & ~known)
      report(id, "unknown flags of the instance");
    if (index != leaf)
      report(id, "instance " + std::to_string(index) + " at place " + std::to_string(leaf));
  }
  void addPrimitive(uint32_t id, uint32_t leaf, uint32_t geometry, uint32_t primitive) {
    if (geometry >= word(lgc::accel::headerGeometryCount))
      report(id, "geometry " + std::to_string(geometry));
    primitives[leaf] = uint64_t(geometry) << 32 | primitive;
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

  /// The matrices of an instance are inverse to each other, if the one to the world has an inverse.
  void checkMatrices(uint32_t id, uint64_t toObject, uint64_t toWorld) {
    if (!canInvert(toWorld))
      return;
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned column = 0; column < 4; ++column) {
        double sum = column == 3 ? read<float>(toObject + 16 * row + 12) : 0;
        double scale = std::abs(sum) + 1;
        for (unsigned i = 0; i < 3; ++i) {
          const double product = double(read<float>(toObject + 16 * row + 4 * i)) *
                                 read<float>(toWorld + 16 * i + 4 * column);
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
  uint32_t typeMask;
  std::map<uint32_t, uint64_t> primitives; ///< geometry and index, by leaf
  std::vector<std::string> problems;
  std::vector<uint8_t> owner; ///< by granule: a node is there
  uint64_t firstLeaf = 0;     ///< bytes
  uint32_t kind = 0, leafCount = 0, leafSize = 0, boxStart = 0, linksStart = 0;
  uint32_t activeCount = 0, boxCount = 0;
};

} // namespace vktest
