// SPDX-License-Identifier: MIT
#include "icd_glue/sc/CodeVariants.h"
#include "lgc/CompileError.h"
#include <gtest/gtest.h>

namespace icd::sc {
namespace {

using Bytes = std::vector<uint8_t>;

const Bytes one(13, 1), two(8, 2), three(1, 3);

Bytes packed() { return packVariants({{1, one}, {3, two}, {32, three}}); }

std::string errorOf(const Bytes &bytes) {
  auto variants = variantsOf(bytes);
  return variants ? "" : lgc::consumeToText(variants.takeError()).message;
}

TEST(CodeVariants, ComeBack) {
  const Bytes bytes = packed();
  const auto variants = llvm::cantFail(variantsOf(bytes));
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].patchControlPoints, 1u);
  EXPECT_EQ(variants[0].elf, llvm::ArrayRef(one));
  EXPECT_EQ(variants[1].patchControlPoints, 3u);
  EXPECT_EQ(variants[1].elf, llvm::ArrayRef(two));
  EXPECT_EQ(variants[2].patchControlPoints, 32u);
  EXPECT_EQ(variants[2].elf, llvm::ArrayRef(three));
  for (const CodeVariant &variant : variants)
    EXPECT_EQ((variant.elf.data() - bytes.data()) % 8, 0);
}

TEST(CodeVariants, WhateverElseIsTheOnlyOne) {
  for (const Bytes &bytes : {Bytes(), Bytes(3, 1), one}) {
    const auto variants = llvm::cantFail(variantsOf(bytes));
    ASSERT_EQ(variants.size(), 1u);
    EXPECT_EQ(variants[0].patchControlPoints, 0u);
    EXPECT_EQ(variants[0].elf, llvm::ArrayRef(bytes));
  }
}

TEST(CodeVariants, DamageIsAnError) {
  const Bytes good = packed();
  auto changed = [&](size_t word, uint32_t value) {
    Bytes bytes = good;
    for (unsigned i = 0; i < 4; ++i)
      bytes[word * 4 + i] = static_cast<uint8_t>(value >> (8 * i));
    return errorOf(bytes);
  };
  EXPECT_EQ(changed(1, 0), "code for 0 numbers of control points");
  EXPECT_EQ(changed(1, 33), "code for 33 numbers of control points");
  EXPECT_EQ(changed(1, 0xFFFFFFFF), "code for 4294967295 numbers of control points");
  EXPECT_EQ(changed(2, 0), "code for 0 control points behind that for 0");
  EXPECT_EQ(changed(4, 1), "code for 1 control points behind that for 1");
  EXPECT_EQ(changed(6, 33), "code for 33 control points behind that for 3");
  EXPECT_EQ(changed(3, 0), "no code of 0 bytes for 1 control points");
  EXPECT_EQ(changed(3, 0xFFFFFFFF), "no code of 4294967295 bytes for 1 control points");
  EXPECT_EQ(changed(7, 2), "no code of 2 bytes for 32 control points");
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_EQ(errorOf(longer), "bytes behind the code for the last number of control points");
  for (size_t size = 8; size < good.size(); ++size)
    EXPECT_NE(errorOf({good.begin(), good.begin() + static_cast<ptrdiff_t>(size)}), "") << size;
}

} // namespace
} // namespace icd::sc
