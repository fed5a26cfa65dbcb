//===- OpenClNamesTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/OpenClNames.h"
#include <gtest/gtest.h>

namespace llpc {
namespace {

// What clang 22 writes for declarations in OpenCL C (-emit-llvm), overloadable.
TEST(OpenClNames, ScalarsAndVectors) {
  EXPECT_EQ(openClName("sin", {{"f"}}), "_Z3sinf");
  EXPECT_EQ(openClName("tgamma", {{"Dh", 16}}), "_Z6tgammaDv16_Dh");
  EXPECT_EQ(openClName("pow", {{"d"}, {"d"}}), "_Z3powdd");
  EXPECT_EQ(openClName("pow", {{"f", 3}, {"f", 3}}), "_Z3powDv3_fS_");
  EXPECT_EQ(openClName("pown", {{"f", 8}, {"i", 8}}), "_Z4pownDv8_fDv8_i");
  EXPECT_EQ(openClName("mad_sat", {{"l", 2}, {"l", 2}, {"l", 2}}), "_Z7mad_satDv2_lS_S_");
  EXPECT_EQ(openClName("select", {{"f", 2}, {"f", 2}, {"i", 2}}), "_Z6selectDv2_fS_Dv2_i");
  EXPECT_EQ(openClName("f", {{"f", 2}, {"i", 2}, {"i", 2}}), "_Z1fDv2_fDv2_iS0_");
}

TEST(OpenClNames, Pointers) {
  using Space = OpenClSpace;
  EXPECT_EQ(openClName("fract", {{"f"}, {"f", 1, Space::Private}}), "_Z5fractfPf");
  EXPECT_EQ(openClName("fract", {{"Dh"}, {"Dh", 1, Space::Global}}), "_Z5fractDhPU3AS1Dh");
  EXPECT_EQ(openClName("sincos", {{"f", 4}, {"f", 4, Space::Local}}), "_Z6sincosDv4_fPU3AS3S_");
  EXPECT_EQ(openClName("modf", {{"d", 2}, {"d", 2, Space::Generic}}), "_Z4modfDv2_dPU3AS4S_");
  EXPECT_EQ(openClName("remquo", {{"f", 4}, {"f", 4}, {"i", 4, Space::Private}}),
            "_Z6remquoDv4_fS_PDv4_i");
  EXPECT_EQ(openClName("frexp", {{"f"}, {"i", 1, Space::Global}}), "_Z5frexpfPU3AS1i");
}

} // namespace
} // namespace llpc
