// SPDX-License-Identifier: MIT
#include "lgc/FieldCount.h"
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

struct None {};
struct Two {
  bool flag;
  uint32_t number;
};
struct TwoAndPadding {
  bool flag, inPadding;
  uint32_t number;
};
struct WithDefaults {
  bool flag = true;
  uint32_t number = 7;
};
struct OfAllKinds {
  std::vector<std::string> list;
  std::array<Two, 3> inside;
  Two plain[4];
  std::function<void(int)> function;
  void *pointer;
  enum class Kind : uint8_t { Only } kind;
  bool bit : 1, otherBit : 1;
};
struct Derived : Two {
  uint64_t wide;
};

TEST(FieldCount, CountsBasesAndMembers) {
  EXPECT_EQ(lgc::fieldCount<None>(), 0u);
  EXPECT_EQ(lgc::fieldCount<Two>(), 2u);
  EXPECT_EQ(lgc::fieldCount<WithDefaults>(), 2u);
  EXPECT_EQ(lgc::fieldCount<OfAllKinds>(), 8u);
  EXPECT_EQ(lgc::fieldCount<Derived>(), 2u);
}

/// What the size does not tell.
TEST(FieldCount, CountsFieldsInPadding) {
  EXPECT_EQ(sizeof(Two), sizeof(TwoAndPadding));
  EXPECT_EQ(lgc::fieldCount<TwoAndPadding>(), 3u);
}

} // namespace
