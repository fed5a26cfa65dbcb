//===- ShaderBinaryTest.cpp - shader objects as bytes ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/ShaderBinary.h"
#include "icd_glue/cache/CheckedBytes.h"
#include "icd_glue/key/KeyBytes.h"
#include "llpc/Hasher.h"
#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

using namespace icd;

namespace {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t uuid[VK_UUID_SIZE] = {1, 2, 3}, otherUuid[VK_UUID_SIZE] = {1, 2, 4};

ShaderBinary example() {
  return {{VK_SHADER_STAGE_FRAGMENT_BIT,
           VK_SHADER_CREATE_LINK_STAGE_BIT_EXT,
           32,
           "other",
           {{3, 0, 4}, {8, 4, 8}},
           Bytes(12, 5),
           Bytes(100, 7)},
          {{{1, 2, 3, 4}, {9, 8, 7}}, {{1, 2, 3, 5}, {6}}}};
}

TEST(ShaderBinary, comesBack) {
  const Bytes bytes = encodeShaderBinary(example(), uuid);
  EXPECT_EQ(bytes, encodeShaderBinary(example(), uuid));
  const auto decoded = decodeShaderBinary(bytes, uuid);
  ASSERT_TRUE(decoded);
  const ShaderSource &source = decoded->source, expected = example().source;
  EXPECT_EQ(source.stage, expected.stage);
  EXPECT_EQ(source.flags, expected.flags);
  EXPECT_EQ(source.requiredSubgroupSize, 32u);
  EXPECT_EQ(source.entry, "other");
  ASSERT_EQ(source.constants.size(), 2u);
  EXPECT_EQ(source.constants[1].constantID, 8u);
  EXPECT_EQ(source.constants[1].offset, 4u);
  EXPECT_EQ(source.constants[1].size, 8u);
  EXPECT_EQ(source.values, expected.values);
  EXPECT_EQ(source.spirv, expected.spirv);
  ASSERT_TRUE(decoded->find({1, 2, 3, 4}));
  EXPECT_EQ(*decoded->find({1, 2, 3, 4}), (Bytes{9, 8, 7}));
  ASSERT_TRUE(decoded->find({1, 2, 3, 5}));
  EXPECT_EQ(*decoded->find({1, 2, 3, 5}), Bytes{6});
  EXPECT_FALSE(decoded->find({1, 2, 3, 6}));
  EXPECT_FALSE(decodeShaderBinary(bytes, otherUuid));
}

TEST(ShaderBinary, nothingDamagedIsTaken) {
  const Bytes bytes = encodeShaderBinary(example(), uuid);
  for (size_t i = 0; i < bytes.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes damaged = bytes;
      damaged[i] ^= static_cast<uint8_t>(1u << bit);
      EXPECT_FALSE(decodeShaderBinary(damaged, uuid)) << i;
    }
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decodeShaderBinary(llvm::ArrayRef(bytes).take_front(size), uuid)) << size;
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(decodeShaderBinary(longer, uuid));
}

/// A checksum keeps nobody from writing what he wants.
TEST(ShaderBinary, lengthsAreChecked) {
  const llpc::Hash128 key = hashOf(uuid);
  const Bytes packed = encodeShaderBinary(example(), uuid);
  const Bytes good = checkedBytes(key, packed)->vec();
  auto decodes = [&](const Bytes &bytes) {
    return decodeShaderBinary(withChecksum(key, bytes), uuid).has_value();
  };
  EXPECT_TRUE(decodes(good));
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(decodes(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size))));
  for (size_t word : {0, 1, 5, 6, 7, 8, 9}) // magic, version, lengths
    for (uint32_t change : {1u, 0x80000000u, 0xFFFFFFFFu}) {
      Bytes bytes = good;
      for (unsigned i = 0; i < 4; ++i)
        bytes[word * 4 + i] ^= static_cast<uint8_t>(change >> (8 * i));
      EXPECT_FALSE(decodes(bytes)) << word;
    }
  // Lengths that cancel each other out in 32 bits.
  Bytes bytes = good;
  for (unsigned i = 0; i < 4; ++i)
    bytes[4 * 8 + i] = 0xFF;
  EXPECT_FALSE(decodes(bytes));
  // A constant behind the end of the values.
  ShaderBinary outside = example();
  outside.source.constants[1].offset = 5;
  EXPECT_FALSE(decodeShaderBinary(encodeShaderBinary(outside, uuid), uuid));
}

} // namespace
