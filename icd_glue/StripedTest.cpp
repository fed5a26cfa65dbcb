//===- StripedTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Striped.h"
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace icd {
namespace {

TEST(Striped, CountersCountWhatAllThreadsDo) {
  StripedCounter counter;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (unsigned n = 0; n < 10000; ++n)
        ++counter;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(counter, 40000u);
  EXPECT_LT(currentStripe(), stripeCount);
}

TEST(Striped, OwnersApartKeepTheObject) {
  auto object = std::make_shared<int>(7);
  const std::weak_ptr<int> watch = object;
  std::shared_ptr<int> apart = ownApart(object);
  EXPECT_EQ(apart, object);
  EXPECT_EQ(object.use_count(), 2);
  const std::shared_ptr<int> another = apart;
  EXPECT_EQ(object.use_count(), 2); // counted elsewhere
  EXPECT_EQ(apart.use_count(), 2);
  object = nullptr;
  apart = nullptr;
  EXPECT_EQ(*another, 7);
  EXPECT_FALSE(watch.expired());
}

TEST(Striped, SharesOutliveTheirOwner) {
  std::weak_ptr<const int> watch;
  std::vector<std::shared_ptr<const int>> shares(4);
  {
    auto object = std::make_shared<const int>(9);
    watch = object;
    const StripedOwner<const int> owner(std::move(object));
    std::vector<std::thread> threads;
    for (auto &share : shares)
      threads.emplace_back([&] { share = owner.share(); });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(*owner, 9);
  }
  for (const auto &share : shares)
    EXPECT_EQ(*share, 9);
  shares.clear();
  EXPECT_TRUE(watch.expired());
}

} // namespace
} // namespace icd
