//===- WideStructureCheckTest.cpp - what is no structure of gfx12 ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// As StructureCheckTest.cpp, with gfx12's nodes. And what steps between planes do to boxes of all
/// sizes.
#include "icd_glue/rays/StructureDamageForTest.h"
#include <random>

using namespace icd;
using namespace lgc::accel;

namespace {

struct Bytes : StructureBytes {
  static uint64_t child(unsigned slot, uint64_t box = rootOffset) {
    return box + wideChild + uint64_t(wideChildBytes) * slot;
  }
  /// Of a leaf.
  uint32_t id(uint32_t leaf) const { return word(widePlaces + 4 * leaf); }
  uint64_t leaf(uint32_t index) const { return uint64_t(id(index) & ~wideTypeMask) << 3; }
  uint32_t boxId() const { return word(rootOffset + wideBoxBase) | nodeBox32; }
  uint64_t box() const { return uint64_t(word(rootOffset + wideBoxBase)) << 3; }
  void flip(uint64_t offset, uint32_t bits) { set(offset, word(offset) ^ bits); }
};

using Case = DamageCase<Bytes>;

class WideStructureTest : public StructureTest {
protected:
  WideStructureTest() : StructureTest("gfx1201") {}
};

TEST_F(WideStructureTest, Headers) {
  const Bytes whole = {{read(build({trianglesOf(scattered(40))}, {{40, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"kind 7", [](Bytes &b) { b.set(headerKind, 7u); }},
      {"leaves, boxes and links overlap", [](Bytes &b) { b.set(headerLeafCount, 0x10000000u); }},
      {"leaves, boxes and links overlap", [](Bytes &b) { b.set(headerLeavesStart, 0x1000u); }},
      {"leaves are over their table", [](Bytes &b) { b.set(headerLeavesStart, 4u); }},
      {"header: size", [](Bytes &b) { b.set(headerSize, uint64_t(512)); }},
      {"41 active leaves, but the tree has 40", [](Bytes &b) { b.set(headerActiveCount, 41u); }},
      {"1 boxes, but the tree has", [](Bytes &b) { b.set(headerBoxCount, 1u); }},
      {"bounds do not hold what is there", [](Bytes &b) { b.set(headerBounds, 0.0f); }},
      {"the table has 39 leaves", [](Bytes &b) { b.set(widePlaces + 4 * 7, nodeNone); }},
      {"no leaf of the table is there", [](Bytes &b) { b.set(widePlaces + 4 * 7, b.id(7) + 1); }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(WideStructureTest, Boxes) {
  const Bytes whole = {{read(build({trianglesOf(scattered(40))}, {{40, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"outside of the structure or misaligned",
       [](Bytes &b) { b.set(rootOffset + wideBoxBase, 0x10000000u); }},
      {"overlaps another node, or is reached twice",
       [](Bytes &b) { b.set(rootOffset + wideBoxBase, rootOffset >> 3); }},
      {"a base of children has a type", [](Bytes &b) { b.flip(rootOffset + wideBoxBase, 5); }},
      {"its link is 3, its parent 21", [](Bytes &b) { b.set(b.link(b.boxId()), 3u); }},
      {"its link is 3", [](Bytes &b) { b.set(b.link(b.id(3)), 3u); }},
      {"unknown fields are not 0", [](Bytes &b) { b.set(rootOffset + wideParent, 1u); }},
      {"unknown fields are not 0", [](Bytes &b) { b.set(rootOffset + wideOriented, 3u); }},
      {"unknown fields are not 0", [](Bytes &b) { b.flip(b.box() + wideExponents, 1u << 24); }},
      {"steps between planes are no normal numbers",
       [](Bytes &b) { b.bytes[b.box() + wideExponents + 1] = 12; }},
      {"its origin is not finite", [](Bytes &b) { b.set(b.box() + wideOrigin, INFINITY); }},
      {"child 1 is missing",
       [](Bytes &b) {
         b.set(b.child(1), wideNoChild0), b.set(b.child(1) + 4, wideNoChild1);
         b.set(b.child(1) + 8, wideNoChild2);
       }},
      {"more children than it says",
       [](Bytes &b) { b.flip(rootOffset + wideExponents, 1u << wideCountShift); }},
      {"is of 3 nodes", [](Bytes &b) { b.flip(b.child(0) + 8, 2u << 28); }},
      {"child 0 may be left out", [](Bytes &b) { b.flip(b.child(0), 1u << 25); }},
      {"child 0 may be left out", [](Bytes &b) { b.flip(b.child(0) + 4, 1u << 31); }},
      {"child 0 has no box",
       [](Bytes &b) {
         b.set(b.child(0), b.word(b.child(0)) | 0xFFF000), b.flip(b.child(0) + 8, 0xFFF);
       }},
      {"has more in it than its box", [](Bytes &b) { b.set(rootOffset + wideOrigin, 100.0f); }},
      {"has more in it than its box",
       [](Bytes &b) { b.bytes[rootOffset + wideExponents + 2] -= 1; }},
      {"a leaf of another kind", [](Bytes &b) { b.flip(b.child(0, b.box()) + 8, 6u << 24); }},
      {"a leaf of another kind", [](Bytes &b) { b.flip(b.child(0) + 8, 2u << 24); }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(WideStructureTest, Leaves) {
  VkAccelerationStructureGeometryKHR opaque = trianglesOf(scattered(3, 2));
  opaque.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  const Bytes whole = {
      {read(build({trianglesOf(scattered(1)), opaque}, {{1, 0, 0, 0}, {3, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"another encoding", [](Bytes &b) { b.flip(b.leaf(1), 1); }},
      {"another encoding", [](Bytes &b) { b.flip(b.leaf(1) + wideVertexWord, 1u << 12); }},
      {"pair ", [](Bytes &b) { b.flip(b.leaf(1) + widePair, 8); }},
      {"bits that nothing has", [](Bytes &b) { b.set(b.leaf(2) + 64, 1u); }},
      {"geometry 2", [](Bytes &b) { b.set(b.leaf(3) + wideGeometry, 2u << 4); }},
      {"leaf 3 is not behind leaf 2", [](Bytes &b) { b.set(b.leaf(3) + widePrimitive, 1u); }},
      {"has more in it",
       [](Bytes &b) {
         const uint64_t at = b.leaf(1) + wideVertexWord + 8;
         b.set(at, b.word(at) | 0x7E << 12);
       }},
      {"a vertex is no number",
       [](Bytes &b) {
         b.set(b.leaf(1) + wideVertexWord + 8, ~0u), b.set(b.leaf(1) + wideVertexWord + 12, ~0u);
       }},
  };
  expectReports<Bytes>(whole, cases);
}

TEST_F(WideStructureTest, Instances) {
  const auto instance = instanceOf(build({trianglesOf(scattered(2))}, {{2, 0, 0, 0}}));
  const Bytes top = {{read(build({instancesOf({instance, instance})}, {{2, 0, 0, 0}})).copy()}};
  const Case cases[] = {
      {"an instance of nothing",
       [](Bytes &b) { b.set(b.leaf(1) + wideInstanceBase, uint64_t(0)); }},
      {"at no address of one, or has flags",
       [](Bytes &b) { b.bytes[b.leaf(1) + wideInstanceBase + 7] |= 1; }},
      {"unknown flags of the instance",
       [](Bytes &b) { b.flip(b.leaf(1) + wideInstanceFlags, 1u << 24); }},
      {"two offsets of the instance",
       [](Bytes &b) { b.flip(b.leaf(1) + wideInstanceUser, 1u << 4); }},
      {"instance 0 at place 1", [](Bytes &b) { b.set(b.leaf(1) + wideInstanceIndex, 0u); }},
      {"child 0 of the instance", [](Bytes &b) { b.flip(b.leaf(1) + wideInstanceChild, 1); }},
      {"child 2 of the instance",
       [](Bytes &b) { b.flip(b.leaf(1) + wideInstanceChild + 2 * wideChildBytes, 1); }},
      {"steps between planes",
       [](Bytes &b) { b.set(b.leaf(1) + wideInstanceBox + 12, uint8_t(3)); }},
      {"not inverse to each other",
       [](Bytes &b) { b.set(b.leaf(1) + wideInstanceWorldToObject + 12, 1.0f); }},
  };
  expectReports<Bytes>(top, cases);
}

/// Far from the origin, flat, tiny, out of all proportion: what the check says of planes holds.
TEST_F(WideStructureTest, BoxesOfAllSizes) {
  std::mt19937 engine(5);
  auto scale = [&] { return std::ldexp(1.0f, int(engine() % 250) - 125); };
  for (unsigned round = 0; round < 60; ++round) {
    const uint32_t count = 2 + engine() % 20;
    std::vector<float> vertices(9 * count);
    float offsets[3], sizes[3];
    for (unsigned axis = 0; axis < 3; ++axis) {
      offsets[axis] = engine() % 3 ? (engine() % 2 ? scale() : -scale()) : 0;
      // Also of a few steps of numbers around the offset.
      sizes[axis] = engine() % 2 ? scale() : std::abs(offsets[axis]) * 0x1p-22f;
    }
    for (uint32_t i = 0; i < vertices.size(); ++i)
      vertices[i] = offsets[i % 3] + sizes[i % 3] * (float(engine() % 257) / 256);
    const auto structure = build({trianglesOf(vertices)}, {{count, 0, 0, 0}});
    EXPECT_EQ(read(structure).leaves().size(), count);
    std::shuffle(vertices.begin(), vertices.end(), engine);
    EXPECT_EQ(read(build({trianglesOf(vertices)}, {{count, 0, 0, 0}}, structure)).leaves().size(),
              count);
  }
}

TEST_F(WideStructureTest, UpdatesOfWhatIsNoNumber) {
  std::vector<float> vertices = scattered(30);
  const auto built = build({trianglesOf(vertices)}, {{30, 0, 0, 0}});
  for (unsigned i = 0; i < 9 * 10; ++i)
    vertices[i] = NAN; // no valid usage
  const auto reader = read(build({trianglesOf(vertices)}, {{30, 0, 0, 0}}, built));
  bool isReported = false;
  for (const std::string &problem : vktest::checkStructure(reader.copy()))
    isReported |= problem.find("a vertex is no number") != std::string::npos;
  EXPECT_TRUE(isReported);
}

} // namespace
