//===- BvhStackTest.cpp - stacks of traversals in LDS ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Random traversals against stacks without an end, of which the oldest entries are lost; and what
/// instances, ranges of primitives and the way back without the stack do, by hand.
#include "pal_shim/device/memory/TestbedForTest.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr uint32_t invalid = 0xFFFFFFFF, terminal = 0xFFFFFFFE;

/// Stack address in v0, last visited node in v1, children in v[4:11]; results in v[2:3].
struct Bed : Testbed {
  explicit Bed(const char *target) : Testbed(target) {
    group.lds.resize(64 * 1024);
    setExec(0xFFFFFFFF);
  }
  std::string push4(unsigned offset) {
    return run(
        std::string(isGfx12(target) ? "ds_bvh_stack_push4_pop1_rtn_b32" : "ds_bvh_stack_rtn_b32") +
        " v2, v0, v1, v[4:7] offset:" + std::to_string(offset));
  }
  std::string push8(unsigned offset) {
    return run("ds_bvh_stack_push8_pop1_rtn_b32 v2, v0, v1, v[4:11] offset:" +
               std::to_string(offset));
  }
  std::string pop2(unsigned offset) {
    return run("ds_bvh_stack_push8_pop2_rtn_b64 v[2:3], v0, v1, v[4:11] offset:" +
               std::to_string(offset));
  }
  void setChildren(unsigned lane, std::initializer_list<uint32_t> nodes) {
    for (unsigned i = 0; i < 8; ++i)
      v(4 + i, lane) = i < nodes.size() ? nodes.begin()[i] : invalid;
  }
};

/// What a lane's stack is: entries that were overwritten are lost.
struct Model {
  struct Entry {
    uint32_t node;
    bool isLost;
  };
  std::vector<Entry> entries;
  unsigned size;

  void push(uint32_t node) {
    entries.push_back({node, false});
    if (entries.size() > size)
      entries[entries.size() - 1 - size].isLost = true;
  }
};

/// Some children, the rest missing at the end.
std::vector<uint32_t> randomChildren(std::mt19937 &engine, unsigned most, uint32_t &next) {
  std::vector<uint32_t> children(most, invalid);
  const unsigned count = engine() % 3 ? unsigned(engine() % (most + 1)) : 0;
  for (unsigned i = 0; i < count; ++i)
    children[i] = (next += 16) | 5;
  return children;
}

TEST(BvhStack, Gfx11Traversals) {
  for (const char *target : {"gfx1100", "gfx1150"})
    for (unsigned code = 0; code < 4; ++code) {
      Bed bed(target);
      std::mt19937 engine(code);
      const unsigned size = 8u << code;
      Model models[32];
      uint32_t next = 0;
      for (unsigned lane = 0; lane < 32; ++lane) {
        models[lane].size = size;
        bed.v(0, lane) = (64 + lane) << 18;
        bed.v(1, lane) = invalid;
      }
      for (unsigned round = 0; round < 300; ++round) {
        uint32_t expected[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
          std::vector<Model::Entry> &entries = models[lane].entries;
          const auto children = randomChildren(engine, 4, next);
          for (unsigned i = 0; i < 4; ++i)
            bed.v(4 + i, lane) = children[i];
          for (unsigned i = 3; i > 0; --i)
            if (children[i] != invalid)
              models[lane].push(children[i]);
          expected[lane] = children[0];
          if (children[0] != invalid)
            continue;
          expected[lane] = entries.empty()         ? terminal
                           : entries.back().isLost ? invalid
                                                   : entries.back().node;
          if (!entries.empty())
            entries.pop_back();
        }
        ASSERT_EQ(bed.push4(code << 12), "");
        for (unsigned lane = 0; lane < 32; ++lane) {
          ASSERT_EQ(bed.v(2, lane), expected[lane]) << target << ' ' << size << ' ' << round;
          ASSERT_EQ(bed.v(0, lane), (64 + lane) << 18 | models[lane].entries.size());
        }
      }
    }
}

TEST(BvhStack, Gfx11WayBack) {
  Bed bed("gfx1100");
  bed.setExec(0x1F);
  const uint32_t lasts[5] = {0x25, 0x15, 0x45, 0x99, terminal};
  for (unsigned lane = 0; lane < 5; ++lane) {
    bed.v(0, lane) = lane << 18;
    bed.v(1, lane) = lasts[lane];
    bed.setChildren(lane, {0x15, 0x25, 0x35, 0x45});
  }
  ASSERT_EQ(bed.push4(0x1000), "");
  // What follows the last one; nothing behind it; not one of them.
  const uint32_t results[5] = {0x35, 0x25, terminal, terminal, terminal};
  const uint32_t counts[5] = {1, 2, 0, 0, 0};
  for (unsigned lane = 0; lane < 5; ++lane) {
    EXPECT_EQ(bed.v(2, lane), results[lane]) << lane;
    EXPECT_EQ(bed.v(0, lane), lane << 18 | counts[lane]) << lane;
  }
}

/// gfx12: the oldest go, and the end is then not the end.
TEST(BvhStack, Gfx12Traversals) {
  for (unsigned size : {8u, 16u})
    for (unsigned width : {4u, 8u}) {
      Bed bed("gfx1201");
      std::mt19937 engine(size + width);
      std::vector<uint32_t> models[32];
      bool hasLost[32] = {};
      uint32_t next = 0;
      for (unsigned lane = 0; lane < 32; ++lane)
        bed.v(0, lane) = (64 + lane) << 15, bed.v(1, lane) = invalid;
      for (unsigned round = 0; round < 300; ++round) {
        uint32_t expected[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
          std::vector<uint32_t> &model = models[lane];
          const auto children = randomChildren(engine, width, next);
          for (unsigned i = width; i-- > 0;) {
            bed.v(4 + i, lane) = children[i];
            if (children[i] == invalid)
              continue;
            model.push_back(children[i]);
            if (model.size() > size)
              model.erase(model.begin()), hasLost[lane] = true;
          }
          expected[lane] = model.empty() ? (hasLost[lane] ? invalid : terminal) : model.back();
          if (!model.empty())
            model.pop_back();
        }
        ASSERT_EQ(width == 4 ? bed.push4(size) : bed.push8(size), "");
        for (unsigned lane = 0; lane < 32; ++lane) {
          ASSERT_EQ(bed.v(2, lane), expected[lane]) << size << ' ' << width << ' ' << round;
          ASSERT_EQ(bed.v(0, lane) & 31, models[lane].size());
          ASSERT_EQ(bed.v(0, lane) >> 30 & 1, hasLost[lane]);
          ASSERT_EQ(bed.v(0, lane) >> 15 & 0x3FFF, 64 + lane);
        }
      }
    }
}

TEST(BvhStack, Gfx12Instances) {
  Bed bed("gfx1201");
  bed.setExec(1);
  bed.v(0, 0) = 0;
  bed.v(1, 0) = invalid;
  auto step = [&](std::initializer_list<uint32_t> children) {
    bed.setChildren(0, children);
    EXPECT_EQ(bed.push8(0x210), "");
    return bed.v(2, 0);
  };
  auto restores = [&] { return bed.v(0, 0) >> 31; };
  EXPECT_EQ(step({0x16, 0x25, 0x36}), 0x16u); // an instance: its structure is above the rest
  EXPECT_EQ(bed.v(0, 0) >> 29 & 1, 1u);
  EXPECT_EQ(step({0x105, 0x115}), 0x105u);
  EXPECT_EQ(restores(), 0u);
  EXPECT_EQ(step({}), 0x115u);
  EXPECT_EQ(restores(), 0u);
  EXPECT_EQ(step({}), 0x25u); // back
  EXPECT_EQ(restores(), 1u);
  EXPECT_EQ(step({}), 0x36u);
  EXPECT_EQ(restores(), 0u);
  EXPECT_EQ(step({}), terminal);
  EXPECT_EQ(restores(), 0u);
}

TEST(BvhStack, Gfx12RangesAndMarks) {
  struct Case {
    uint32_t last;
    std::array<uint32_t, 8> children;
    uint32_t result, left;
  };
  constexpr uint32_t x = invalid;
  const Case cases[] = {
      // A primitive node with what follows in the last: the next pair, node, nothing.
      {0xFFFFFFF8, {x, x, x, x, x, x, x, 0x42}, 0x43, 0},
      {0xFFFFFFF8, {x, x, x, x, x, x, x, 0x43}, 0x48, 0},
      {0xFFFFFFF9, {0x99, x, x, x, x, x, x, 0x43}, 0x50, 0},
      {0xFFFFFFFB, {x, x, x, x, x, x, x, 0x43}, terminal, 0},
      // Back at a box: all after the last one; of primitives none.
      {0x35, {0x15, 0x25, 0x35, 0x45, 0x55, x, x, x}, 0x45, 1},
      {0x25, {0x10, 0x21, 0x25, 0x35, x, x, x, x}, 0x35, 0},
      {0x10, {0x10, 0x21, 0x25, 0x35, x, x, x, x}, 0x25, 1},
      {0x95, {0x15, 0x25, x, x, x, x, x, x}, terminal, 0},
      // Marks: nothing more of the first four, of the others, of all.
      {x, {0x15, 0x25, 0x35, 0x45, 0x55, 0x65, 0xFFFFFFFD, 0x85}, 0x55, 2},
      {x, {0x15, 0x25, 0x35, 0x45, 0x55, 0x65, 0xFFFFFFFB, 0x85}, 0x15, 4},
      {x, {0x15, 0x25, 0x35, 0x45, 0x55, 0x65, 0xFFFFFFF9, 0x85}, 0x85, 0},
      {x, {0x15, 0x25, 0xFFFFFFFD, 0x45, 0x55, x, x, x}, 0x45, 1},
  };
  Bed bed("gfx1201");
  bed.setExec((1u << std::size(cases)) - 1);
  for (unsigned lane = 0; lane < std::size(cases); ++lane) {
    bed.v(0, lane) = lane << 15;
    bed.v(1, lane) = cases[lane].last;
    for (unsigned i = 0; i < 8; ++i)
      bed.v(4 + i, lane) = cases[lane].children[i];
  }
  ASSERT_EQ(bed.push8(0x210), "");
  for (unsigned lane = 0; lane < std::size(cases); ++lane) {
    EXPECT_EQ(bed.v(2, lane), cases[lane].result) << lane;
    EXPECT_EQ(bed.v(0, lane) & 31, cases[lane].left) << lane;
  }
}

TEST(BvhStack, Gfx12TwoAtATime) {
  Bed bed("gfx1201");
  bed.setExec(0xF);
  for (unsigned lane = 0; lane < 4; ++lane) {
    bed.v(0, lane) = lane << 15;
    bed.v(1, lane) = invalid;
  }
  bed.setChildren(0, {0x15, 0x25, 0x35});
  bed.setChildren(1, {0x15});
  bed.setChildren(2, {0x15, 0x26}); // an instance comes alone
  bed.setChildren(3, {0x31, 0x45}); // both triangles of a pair
  ASSERT_EQ(bed.pop2(0x110), "");
  const uint32_t results[4][3] = {
      {0x25, 0x15, 1}, {0x15, invalid, 0}, {0x15, invalid, 1}, {0x30, 0x31, 1}};
  for (unsigned lane = 0; lane < 4; ++lane) {
    // A single one is the first result.
    const bool isSingle = results[lane][1] == invalid;
    EXPECT_EQ(bed.v(2, lane), results[lane][0]) << lane;
    EXPECT_EQ(bed.v(3, lane), isSingle ? invalid : results[lane][1]) << lane;
    EXPECT_EQ(bed.v(0, lane) & 31, results[lane][2]) << lane;
  }
}

TEST(BvhStack, OutsideOfLds) {
  for (const char *target : {"gfx1100", "gfx1201"}) {
    Bed bed(target);
    bed.setExec(1);
    bed.group.lds.assign(128, 0);
    bed.v(0, 0) = isGfx12(target) ? 0x3FFFu << 15 : 0x3FFFu << 18;
    bed.v(1, 0) = invalid;
    bed.setChildren(0, {invalid, 0x25, 0x35});
    ASSERT_EQ(bed.push4(isGfx12(target) ? 16 : 0x1000), "");
    EXPECT_EQ(bed.v(2, 0), 0u);
  }
  EXPECT_EQ(Testbed("gfx1201").whyNot("ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[4:11]"),
            "stack operation without a size");
}

} // namespace
