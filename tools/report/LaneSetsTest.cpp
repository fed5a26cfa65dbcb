//===- LaneSetsTest.cpp - sets of lanes as formulas -----------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LaneSets.h"
#include "gtest/gtest.h"

namespace report {
namespace {

using Set = LaneSets::Set;

/// Against truth tables: random formulas over five atoms, each a word of 32 rows.
TEST(LaneSets, AgreesWithTruthTables) {
  LaneSets sets;
  const uint32_t rows[] = {0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000};
  std::vector<std::pair<Set, uint32_t>> known = {{LaneSets::none, 0}, {LaneSets::all, ~0u}};
  for (unsigned a = 0; a < 5; ++a)
    known.push_back({sets.atom(a), rows[a]});
  uint32_t seed = 1;
  auto random = [&](size_t below) {
    seed = seed * 1664525 + 1013904223;
    return size_t(seed >> 8) % below;
  };
  for (unsigned step = 0; step < 2000; ++step) {
    const auto [a, x] = known[random(known.size())];
    const auto [b, y] = known[random(known.size())];
    switch (random(5)) {
    case 0:
      known.push_back({sets.both(a, b), x & y});
      break;
    case 1:
      known.push_back({sets.either(a, b), x | y});
      break;
    case 2:
      known.push_back({sets.without(a, b), x & ~y});
      break;
    case 3:
      known.push_back({sets.exclusive(a, b), x ^ y});
      break;
    default:
      known.push_back({sets.complement(a), ~x});
    }
    EXPECT_EQ(sets.contains(a, b), (y & ~x) == 0);
    EXPECT_EQ(a == b, x == y);
  }
}

TEST(LaneSets, ForgettingGivesAllThatMayBe) {
  LaneSets sets;
  const Set a = sets.atom(0), b = sets.atom(1), c = sets.atom(2);
  auto isB = [](uint32_t atom) { return atom == 1; };
  EXPECT_EQ(sets.forget(sets.both(a, b), isB), a);
  EXPECT_EQ(sets.forget(sets.either(a, b), isB), LaneSets::all);
  EXPECT_EQ(sets.forget(sets.either(sets.both(a, b), sets.without(c, b)), isB), sets.either(a, c));
  EXPECT_EQ(sets.forget(sets.both(a, c), isB), sets.both(a, c));
  EXPECT_TRUE(sets.dependsOn(sets.both(a, b), isB));
  EXPECT_FALSE(sets.dependsOn(sets.either(sets.both(a, b), sets.without(a, b)), isB));
}

} // namespace
} // namespace report
