//===- StandInTest.cpp - code until better code comes ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/code/StandIn.h"
#include <gtest/gtest.h>
#include <thread>

namespace icd {
namespace {

struct Code : StandIn<Code> {
  explicit Code(bool isStandIn) : StandIn(isStandIn) {}
};

TEST(StandIn, TheFirstUseBegins) {
  const auto code = std::make_shared<const Code>(true);
  unsigned begun = 0;
  EXPECT_TRUE(code->lacksImprovement());
  code->use(); // which nobody has asked for
  const auto improvement = std::make_shared<Improvement>([&] { return ++begun > 0; });
  code->improveWhenUsed(improvement);
  EXPECT_FALSE(code->lacksImprovement());
  EXPECT_EQ(begun, 0u);
  code->use();
  code->use();
  EXPECT_EQ(begun, 1u);
  EXPECT_FALSE(code->lacksImprovement());
  EXPECT_EQ(bestOf(code), code);
  const auto better = std::make_shared<const Code>(false);
  code->setBetter(better);
  EXPECT_EQ(bestOf(code), better);
  EXPECT_FALSE(better->lacksImprovement());
}

TEST(StandIn, WhatFindsNoRoomIsTriedAgain) {
  const auto code = std::make_shared<const Code>(true);
  unsigned tried = 0;
  const auto improvement = std::make_shared<Improvement>([&] { return ++tried == 3; });
  code->improveWhenUsed(improvement);
  for (unsigned use = 0; use < 5; ++use)
    code->use();
  EXPECT_EQ(tried, 3u);
}

TEST(StandIn, WhoeverUsesKnowsWhetherToUseAgain) {
  EXPECT_TRUE(std::make_shared<const Code>(false)->use());
  const auto code = std::make_shared<const Code>(true);
  EXPECT_TRUE(code->use()); // nobody has asked for better code
  bool hasRoom = false;
  const auto improvement = std::make_shared<Improvement>([&] { return hasRoom; });
  code->improveWhenUsed(improvement);
  EXPECT_FALSE(code->use());
  hasRoom = true;
  EXPECT_TRUE(code->use());
  hasRoom = false;
  EXPECT_TRUE(code->use()); // begun
}

TEST(StandIn, NobodyTakesAnAttemptForSuccess) {
  int tried = 0;
  Improvement *self = nullptr;
  Improvement improvement([&] {
    ++tried;
    bool other = true;
    std::thread([&] { other = self->begin(); }).join();
    EXPECT_FALSE(other);
    return tried == 2; // no room at first
  });
  self = &improvement;
  EXPECT_FALSE(improvement.begin());
  EXPECT_TRUE(improvement.begin());
  EXPECT_TRUE(improvement.begin());
  EXPECT_EQ(tried, 2);
}

/// What the better code is made of goes with those who may use the code, not with the code.
TEST(StandIn, ImprovementsGoWithTheirPipelines) {
  const auto code = std::make_shared<const Code>(true);
  auto kept = std::make_shared<int>(0);
  const std::weak_ptr<int> material = kept;
  auto first = withImprovement<Code>(
      code, std::make_shared<Improvement>([kept = std::move(kept)] { return ++*kept != 0; }));
  EXPECT_EQ(first.get(), code.get());
  EXPECT_TRUE(code->lacksImprovement()); // it has not been told
  code->improveWhenUsed(nullptr);
  EXPECT_FALSE(material.expired());
  first = nullptr;
  EXPECT_TRUE(material.expired());

  auto improvement = std::make_shared<Improvement>([] { return true; });
  code->improveWhenUsed(improvement);
  first = withImprovement<Code>(code, std::move(improvement));
  auto second = withImprovement<Code>(code);
  first = nullptr;
  EXPECT_FALSE(code->lacksImprovement()); // the other one has it, too
  second = nullptr;
  EXPECT_TRUE(code->lacksImprovement());
}

TEST(StandIn, SomeHoldWhatImprovesThem) {
  const auto code = std::make_shared<const Code>(true);
  unsigned begun = 0;
  code->improveInAnyCase(std::make_shared<Improvement>([&] { return ++begun > 0; }));
  code->use();
  EXPECT_EQ(begun, 1u);
}

} // namespace
} // namespace icd
