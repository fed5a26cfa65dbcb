//===- OpTablesTest.cpp - the list of operations is consistent -------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/core/OpIndex.h"
#include "gtest/gtest.h"
#include <map>

using namespace pal::device;

TEST(OpTables, EveryNameIsDefinedOncePerGeneration) {
  std::map<std::string, uint8_t> generationsOf;
  for (OpTableFunc table : allOpTables())
    for (const OpEntry &op : table()) {
      EXPECT_TRUE(op.run && op.decode) << op.names;
      EXPECT_NE(op.generations & 0x1F, 0) << op.names;
      ASSERT_FALSE(namesOf(op).empty());
      for (llvm::StringRef name : namesOf(op)) {
        uint8_t &known = generationsOf[name.str()];
        EXPECT_EQ(known & op.generations, 0) << name.str() << " is defined twice";
        known |= op.generations;
      }
    }
}

TEST(OpTables, LookupKnowsGenerations) {
  for (unsigned i = 0; i < 5; ++i) {
    OpIndex index{Generation(i)};
    for (OpTableFunc table : allOpTables())
      for (const OpEntry &op : table())
        if (op.generations >> i & 1) {
          EXPECT_EQ(index.find(firstName(op)), &op) << op.names;
        }
    EXPECT_EQ(index.find("v_no_such_op"), nullptr);
  }
}
