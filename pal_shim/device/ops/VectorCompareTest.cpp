//===- VectorCompareTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/ops/LaneCasesForTest.h"

using namespace pal::device;
using namespace pal::device::test;

namespace {

struct Relation {
  const char *name;
  /// Result by the sign of the difference: less, equal, greater.
  bool result[3];
  bool onGfx12;
};
constexpr Relation relations[] = {
    {"f", {0, 0, 0}, false}, {"lt", {1, 0, 0}, true}, {"eq", {0, 1, 0}, true},
    {"le", {1, 1, 0}, true}, {"gt", {0, 0, 1}, true}, {"ne", {1, 0, 1}, true},
    {"ge", {0, 1, 1}, true}, {"t", {1, 1, 1}, false},
};
struct Type {
  const char *name;
  unsigned bits;
  bool isSigned;
};
constexpr Type types[] = {{"i16", 16, true},  {"u16", 16, false}, {"i32", 32, true},
                          {"u32", 32, false}, {"i64", 64, true},  {"u64", 64, false}};

bool expectedBit(const Relation &relation, Type type, uint64_t a, uint64_t b) {
  // Signed values compare as unsigned ones after their sign bit is flipped.
  uint64_t mask = type.bits == 64 ? ~0ull : (1ull << type.bits) - 1;
  uint64_t flip = type.isSigned ? 1ull << (type.bits - 1) : 0;
  a = (a & mask) ^ flip;
  b = (b & mask) ^ flip;
  return relation.result[a < b ? 0 : a == b ? 1 : 2];
}

std::string operands(Type type) { return type.bits == 64 ? "v[0:1], v[2:3]" : "v0, v2"; }

TEST(VectorCompare, EveryRelationAndType) {
  for (unsigned t = 0; t < std::size(allTargets); ++t)
    for (Type type : types)
      for (const Relation &relation : relations) {
        // f and t left with gfx12; 16-bit ones never existed on gfx10 and later.
        if ((t == 4 || type.bits == 16) && !relation.onGfx12)
          continue;
        unsigned lanes = t & 1 ? 32 : 64;
        std::string half = t >= 2 && type.bits == 16 ? "v0.l, v2.l" : operands(type);
        std::string text = std::string("v_cmp_") + relation.name + "_" + type.name + " " +
                           (lanes == 64 ? "vcc, " : "vcc_lo, ") + half;
        checkLaneCase({text.c_str(), 0,
                       [&](uint64_t a, uint64_t b, uint64_t) {
                         return LaneResult{0, expectedBit(relation, type, a, b)};
                       }},
                      allTargets[t], lanes);
      }
}

TEST(VectorCompare, ExecForm) {
  for (const char *target : allTargets) {
    WaveForTest w(target, 64, "v_cmpx_lt_u32 5, v0");
    for (unsigned lane = 0; lane < 64; ++lane)
      w->v[0].lane[lane] = lane;
    w->setMask(sreg::execLo, 0xFFFF0000FFFF0003);
    w->setMask(sreg::vccLo, 0x1234);
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->exec(), 0xFFFF0000FFFF0000) << target;
    EXPECT_EQ(w->vcc(), 0x1234u) << "v_cmpx leaves VCC alone";
  }
}

TEST(VectorCompare, ScalarDestinationAndNull) {
  for (const char *target : allTargets) {
    WaveForTest w(target, 32, "v_cmp_eq_u32 s7, v0, 3\nv_cmp_eq_u32 null, v0, 3");
    for (unsigned lane = 0; lane < 32; ++lane)
      w->v[0].lane[lane] = lane & 3;
    w->s[8] = 77;
    w->s[sreg::m0] = 78;
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->s[7], 0x88888888u) << target;
    EXPECT_EQ(w->s[8], 77u) << "wave32 writes one register";
    EXPECT_EQ(w->s[sreg::m0], 78u);
  }
}

} // namespace
