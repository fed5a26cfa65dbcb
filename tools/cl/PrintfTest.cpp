//===- PrintfTest.cpp - what kernels print --------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/Printf.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln_cl;

namespace {

template <typename T>
std::string print(const std::string &format, std::initializer_list<T> components) {
  llpc::KernelPrintf call;
  call.format = format;
  llpc::KernelPrintf::Value value;
  value.isFloat = std::is_floating_point_v<T>;
  value.bytes = sizeof(T);
  value.count = static_cast<uint8_t>(components.size());
  call.values = {value};
  std::vector<uint8_t> bytes((components.size() * sizeof(T) + 3) / 4 * 4);
  std::memcpy(bytes.data(), components.begin(), components.size() * sizeof(T));
  return printedText(call, bytes);
}

// OpenCL C, "printf": flags, width and precision are C's.
TEST(Printf, Numbers) {
  EXPECT_EQ(print("%d", {-5}), "-5");
  EXPECT_EQ(print("[%06.3f|100%%]\n", {2.5f}), "[02.500|100%]\n");
  EXPECT_EQ(print("%x", {-1}), "ffffffff");
  EXPECT_EQ(print("%lu", {uint64_t(1) << 40}), "1099511627776");
  EXPECT_EQ(print("%hhd", {0x1ff}), "-1");
  EXPECT_EQ(print("%-4c|", {int('A')}), "A   |");
  EXPECT_EQ(print("%e", {1.0}), "1.000000e+00");
  EXPECT_EQ(print("%p", {uint64_t(255)}), "0xff");
}

TEST(Printf, Vectors) {
  EXPECT_EQ(print("%v4hld", {1, -2, 3, 4}), "1,-2,3,4");
  EXPECT_EQ(print("%#v3hhx", {uint8_t(1), uint8_t(255), uint8_t(16)}), "0x1,0xff,0x10");
  EXPECT_EQ(print("%5.1v2hlf", {1.0f, 2.0f}), "  1.0,  2.0");
}

TEST(Printf, WhatDoesNotFit) {
  EXPECT_EQ(print("%f", {1}), "%f");
  EXPECT_EQ(print("%d %d", {1}), "1 %d");
  EXPECT_EQ(print("%", {1}), "%");
  EXPECT_EQ(print("%y", {1}), "%y");
  EXPECT_EQ(print("%s", {1}), "%s");
  // A width takes at most 4 digits.
  EXPECT_EQ(print("%99999999d", {1}).size(), 9999u);
}

TEST(Printf, Strings) {
  llpc::KernelPrintf call;
  call.format = "%-3s|%s|%s";
  llpc::KernelPrintf::Value value;
  value.bytes = 8;
  call.values = {value, value, value};
  call.values[0].text = "a";
  call.values[2].text = "c";
  const uint8_t null[8] = {};
  EXPECT_EQ(printedText(call, null), "a  |(null)|c");
}

TEST(Printf, Records) {
  llpc::KernelPrintf call;
  call.format = "%d;";
  call.values.resize(1);
  uint32_t words[16] = {24, 0, 24, 0, 0, 12, 7, 0, 12, 8};
  bool isFull = true;
  const auto *bytes = reinterpret_cast<const uint8_t *>(words);
  EXPECT_EQ(printedRecords(call, {bytes, 40}, isFull), "7;8;");
  EXPECT_FALSE(isFull);
  words[0] = 36; // one more had no room
  EXPECT_EQ(printedRecords(call, {bytes, 40}, isFull), "7;8;");
  EXPECT_TRUE(isFull);
  words[8] = 100; // damaged
  EXPECT_EQ(printedRecords(call, {bytes, 40}, isFull), "7;");
}

} // namespace
