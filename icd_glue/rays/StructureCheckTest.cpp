//===- StructureCheckTest.cpp - what is no acceleration structure ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Structures that kernels have built, with one thing wrong: the check of structures says so.
#include "icd_glue/rays/StructureDamageForTest.h"

using namespace icd;
using namespace lgc::accel;

namespace {

struct Bytes : StructureBytes {
  uint32_t child(unsigned slot, uint64_t box = rootOffset) const {
    return word(box + boxChildId + 4 * slot);
  }
  static uint64_t bounds(unsigned slot, uint64_t box = rootOffset) {
    return box + boxChildBounds + boxBoundsStride * slot;
  }
  static uint64_t leaf(uint32_t index, uint32_t size = leafBytes) {
    return leavesOffset + uint64_t(index) * size;
  }
  /// A child of the root that is a box; its slot.
  unsigned boxSlot() const {
    for (unsigned slot = 0; slot < boxChildren; ++slot)
      if ((child(slot) & nodeTypeMask) == nodeBox32)
        return slot;
    ADD_FAILURE() << "no box below the root";
    return 0;
  }
  uint64_t box() const { return StructureReader::offsetOf(child(boxSlot())); }
};

using Case = DamageCase<Bytes>;

using StructureCheckTest = StructureTest;

TEST_F(StructureCheckTest, Headers) {
  const Bytes whole = {{read(build({trianglesOf(scattered(40))}, {{40, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"no structure", [](Bytes &b) { b.bytes.resize(leavesOffset - 4); }},
      {"no structure", [](Bytes &b) { b.set(headerMagic, 7u); }},
      {"kind 7", [](Bytes &b) { b.set(headerKind, 7u); }},
      {"leaves, boxes and links overlap", [](Bytes &b) { b.set(headerLeafCount, 0x10000000u); }},
      {"leaves, boxes and links overlap", [](Bytes &b) { b.set(headerBoxCount, 0u); }},
      {"leaves, boxes and links overlap", [](Bytes &b) { b.set(headerLinksStart, 1u); }},
      {"header: size", [](Bytes &b) { b.set(headerSize, uint64_t(1) << 40); }},
      {"header: size", [](Bytes &b) { b.set(headerSize, uint64_t(512)); }},
      {"41 active leaves, but the tree has 40", [](Bytes &b) { b.set(headerActiveCount, 41u); }},
      {"1 boxes, but the tree has", [](Bytes &b) { b.set(headerBoxCount, 1u); }},
      {"bounds do not hold what is there", [](Bytes &b) { b.set(headerBounds, 0.0f); }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(StructureCheckTest, Boxes) {
  const Bytes whole = {{read(build({trianglesOf(scattered(40))}, {{40, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"outside of the structure or misaligned",
       [](Bytes &b) { b.set(rootOffset, 0x10000000 | nodeBox32); }},
      {"outside of the structure or misaligned",
       [](Bytes &b) { b.set(rootOffset + 4 * b.boxSlot(), nodeBox32); }},
      {"overlaps another node, or is reached twice",
       [](Bytes &b) { b.set(rootOffset + 4 * b.boxSlot(), rootId); }},
      {"overlaps another node, or is reached twice",
       [](Bytes &b) { b.set(rootOffset + 4 * (b.boxSlot() ^ 1), b.child(b.boxSlot())); }},
      {"its link is 3, its parent 21", [](Bytes &b) { b.set(b.link(b.child(0)), 3u); }},
      {"node 21 (byte 128): its link is", [](Bytes &b) { b.set(b.link(rootId), 3u); }},
      {"missing child 0 has bounds", [](Bytes &b) { b.set(rootOffset, nodeNone); }},
      {"bounds of child 1 are no box", [](Bytes &b) { b.set(b.bounds(1) + 4, NAN); }},
      {"bounds of child 1 are no box", [](Bytes &b) { b.set(b.bounds(1) + 16, INFINITY); }},
      {"bounds of child 1 are no box", [](Bytes &b) { b.set(b.bounds(1) + 16, -100.0f); }},
      {"child 0 is not in the box of this node",
       [](Bytes &b) { b.set(b.bounds(0, b.box()), -100.0f); }},
      {"flags of children", [](Bytes &b) { b.set(rootOffset + boxFlags, 0x100u); }},
      {"flags of children", [](Bytes &b) { b.set(b.box() + boxSoftware + 8, 1u); }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(StructureCheckTest, Triangles) {
  VkAccelerationStructureGeometryKHR opaque = trianglesOf(scattered(3, 2));
  opaque.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  const Bytes whole = {
      {read(build({trianglesOf(scattered(1)), opaque}, {{1, 0, 0, 0}, {3, 0, 0, 0}})).copy()}};
  // All leaves are children of the root.
  const Case cases[] = {
      {"a leaf of another kind than the structure's",
       [](Bytes &b) { b.set(rootOffset, b.child(0) | nodeAabb); }},
      {"not at the place of a leaf",
       [](Bytes &b) { b.set(rootOffset, uint32_t(Bytes::leaf(4) >> 3)); }},
      {"overlaps another node, or is reached twice",
       [](Bytes &b) { b.set(rootOffset, b.child(1)); }},
      {"geometry 2", [](Bytes &b) { b.set(Bytes::leaf(3) + leafGeometry, 2u); }},
      {"geometry 268435456", [](Bytes &b) { b.set(Bytes::leaf(0) + leafGeometry, 0x10000000u); }},
      {"leaf 3 is not behind leaf 2", [](Bytes &b) { b.set(Bytes::leaf(3) + leafPrimitive, 1u); }},
      {"triangle_id 9", [](Bytes &b) { b.set(Bytes::leaf(2) + triangleId, triangleIdPlain); }},
      {"triangle_id 137",
       [](Bytes &b) { b.set(Bytes::leaf(0) + triangleId, triangleIdPlain | triangleIdOpaque); }},
      {"vertex 1 is not in its box", [](Bytes &b) { b.set(Bytes::leaf(1) + 16, 100.0f); }},
      {"vertex 2 is not in its box", [](Bytes &b) { b.set(Bytes::leaf(1) + 24, NAN); }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(StructureCheckTest, OtherLeaves) {
  VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  geometry.geometry.aabbs.data.deviceAddress =
      memoryOf(std::vector<float>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}).address;
  geometry.geometry.aabbs.stride = 24;
  VkAccelerationStructureKHR boxes = build({geometry}, {{2, 0, 0, 0}});
  const Case ofBoxes[] = {
      {"its box is not in the one of its parent",
       [](Bytes &b) { b.set(Bytes::leaf(1) + aabbBounds + 12, 4.0f); }},
      {"geometry 9", [](Bytes &b) { b.set(Bytes::leaf(1) + leafGeometry, 9u); }},
  };
  expectReports<Bytes>({{read(boxes).copy()}}, ofBoxes);

  const auto instance = instanceOf(boxes);
  const Bytes top = {{read(build({instancesOf({instance, instance})}, {{2, 0, 0, 0}})).copy()}};
  constexpr uint64_t second = leavesOffset + instanceBytes;
  const Case ofInstances[] = {
      {"an instance of nothing", [](Bytes &b) { b.set(second + instanceBase, uint64_t(0)); }},
      {"at no address of one, or has flags", [](Bytes &b) { b.bytes[second] |= 8; }},
      {"at no address of one, or has flags", [](Bytes &b) { b.bytes[second + 7] |= 1; }},
      {"unknown flags of the instance",
       [](Bytes &b) { b.bytes[second + instanceSbtOffset + 3] |= 1; }},
      {"instance 0 at place 1", [](Bytes &b) { b.set(second + instanceIndex, 0u); }},
      {"not inverse to each other",
       [](Bytes &b) { b.set(second + instanceWorldToObject + 12, 1.0f); }},
      {"not inverse to each other", [](Bytes &b) { b.set(second + instanceWorldToObject, NAN); }},
      {"a leaf of another kind", [](Bytes &b) { b.set(rootOffset, b.child(0) & ~nodeTypeMask); }},
  };
  expectReports<Bytes>(top, ofInstances);
}

/// No build makes it: a box in a box, and so on.
TEST(StructureCheck, Depth) {
  constexpr uint32_t count = 70, links = 2 + 2 * count + 2;
  Bytes b;
  b.bytes.resize(links * (nodeGranule + 4));
  auto offsetOfBox = [](uint32_t i) { return i ? leavesOffset + (i - 1) * boxBytes : rootOffset; };
  auto idOf = [&](uint32_t i) { return offsetOfBox(i) >> 3 | nodeBox32; };
  b.set(headerMagic, structureMagic);
  b.set(headerBoxCount, count);
  b.set(headerBoxStart, leavesOffset / nodeGranule);
  b.set(headerLinksStart, links);
  b.set(headerSize, uint64_t(b.bytes.size()));
  for (uint32_t i = 0; i < count; ++i) {
    b.set(b.link(idOf(i)), i ? idOf(i - 1) : nodeNone);
    for (unsigned slot = 0; slot < boxChildren; ++slot) {
      const bool isThere = slot == 0 && i + 1 < count;
      b.set(offsetOfBox(i) + boxChildId + 4 * slot, isThere ? idOf(i + 1) : nodeNone);
      for (unsigned k = 0; k < 6; ++k)
        b.set(Bytes::bounds(slot, offsetOfBox(i)) + 4 * k, isThere ? 0.0f : NAN);
    }
  }
  const auto problems = vktest::checkStructure(b.bytes);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems.front().find("deeper than traversal can go"), std::string::npos)
      << problems.front();
}

} // namespace
