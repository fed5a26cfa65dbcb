//===- StructureCheck.h - is this an acceleration structure? ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads the memory of a whole structure, from its header on, and says what neither hardware nor
/// traversal would expect: types and places of nodes, boxes that do not hold what is in them, or
/// are infinite (gfx11), bounds of missing children that are numbers, flags of children that could
/// leave them out, pointers with flags, which gfx10.3 has not, links to other nodes than the
/// parent. Of gfx12's structures: WideStructureCheck.h.
#pragma once

#include "test/vulkan/WideStructureCheck.h"

namespace vktest {

class StructureCheck : StructureCheckBase {
public:
  /// \p memory: the structure, or more.
  explicit StructureCheck(std::span<const uint8_t> memory)
      : StructureCheckBase(memory, lgc::accel::nodeTypeMask) {}

  /// What is wrong, each with its place; empty if nothing is.
  const std::vector<std::string> &run() {
    using namespace lgc::accel;
    if (!checkHeader(leavesOffset, {leafBytes, instanceBytes}))
      return problems;
    Bounds all = emptyBounds();
    visitBox(rootId(), nodeNone, nullptr, all);
    checkCounts(all);
    checkOrder();
    return problems;
  }

private:
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
    if (!isPlaceOfLeaf(at))
      return report(id, "not at the place of a leaf");
    if (!occupy(id, leafSize, parent))
      return;
    ++activeCount;
    const auto leaf = static_cast<uint32_t>((at - firstLeaf) / leafSize);
    if (kind == kindInstances)
      return visitInstance(id, leaf);
    addPrimitive(id, leaf, word(at + leafGeometry) & ~geometryOpaque, word(at + leafPrimitive));
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
    checkInstance(id, leaf, read<uint64_t>(at + instanceBase), word(at + instanceSbtOffset),
                  word(at + instanceIndex));
    checkMatrices(id, at + instanceWorldToObject, at + instanceObjectToWorld);
  }
};

/// Of a structure in host memory.
inline std::vector<std::string> checkStructure(std::span<const uint8_t> memory) {
  using namespace lgc::accel;
  uint32_t magic = 0;
  if (memory.size() >= leavesOffset)
    std::memcpy(&magic, memory.data() + headerMagic, sizeof(magic));
  if (magic == structureMagic)
    return StructureCheck(memory).run();
  if (magic == wideMagic)
    return WideStructureCheck(memory).run();
  return {"header: no structure"};
}

} // namespace vktest
