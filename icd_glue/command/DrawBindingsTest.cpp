// SPDX-License-Identifier: MIT
// Descriptors of vertex buffers.
#include "icd_glue/command/DrawBindings.h"
#include "icd_glue/pipeline/Pipeline.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

class VertexBuffers : public testing::Test {
protected:
  /// The four words of binding 0, whose elements end at \p elementEnd.
  std::vector<uint32_t> words(BoundVertexBuffer buffer, uint32_t stride, uint32_t elementEnd) {
    GraphicsPipelineData pipeline;
    pipeline.vertexEntries = {{.binding = 0, .elementEnd = elementEnd}};
    return vertexBufferWords(*pal::abi::findTarget("gfx1100"), pipeline, buffer, stride);
  }
  static uint32_t strideOf(const std::vector<uint32_t> &words) { return words[1] >> 16 & 0x3FFF; }
  static uint32_t boundsOf(const std::vector<uint32_t> &words) { return words[3] >> 28 & 3; }
};

TEST_F(VertexBuffers, RecordsAreWholeElements) {
  auto v = words({0x123456789AB0, 64}, 16, 16);
  EXPECT_EQ(v[0], 0x56789AB0u);
  EXPECT_EQ(v[1] & 0xFFFF, 0x1234u);
  EXPECT_EQ(strideOf(v), 16u);
  EXPECT_EQ(v[2], 4u);
  EXPECT_EQ(boundsOf(v), 1u); // by index alone
  EXPECT_EQ(words({0x1000, 63}, 16, 16)[2], 3u);
}

// The last element need not be followed by the rest of its stride.
TEST_F(VertexBuffers, TheLastElementMayBeCutOffBehindItsAttributes) {
  EXPECT_EQ(words({0x1000, 56}, 16, 8)[2], 4u);
  EXPECT_EQ(words({0x1000, 55}, 16, 8)[2], 3u);
  // Attributes that reach into the next element.
  EXPECT_EQ(words({0x1000, 64}, 16, 24)[2], 3u);
}

TEST_F(VertexBuffers, StrideZeroReadsTheSameElementForAll) {
  auto v = words({0x1000, 12}, 0, 12);
  EXPECT_EQ(strideOf(v), 0u);
  EXPECT_EQ(v[2], 12u);
  EXPECT_EQ(boundsOf(v), 3u); // bytes
}

TEST_F(VertexBuffers, NothingToReadIsTheNullDescriptor) {
  const std::vector<uint32_t> null(4);
  EXPECT_EQ(words({}, 16, 16), null);
  EXPECT_EQ(words({0x1000, 15}, 16, 16), null);
  EXPECT_EQ(words({0x1000, 64}, 16, 0), null); // no attribute
}

TEST_F(VertexBuffers, TheTableIsByNumberOfTheBinding) {
  GraphicsPipelineData pipeline;
  pipeline.vertexEntries = {{}, {}, {.binding = 2, .elementEnd = 4}};
  const BoundVertexBuffer buffers[] = {{0x1000, 64}, {0x2000, 64}, {0x3000, 64}};
  const uint32_t strides[] = {4, 4, 4};
  auto table = vertexBufferWords(*pal::abi::findTarget("gfx1100"), pipeline, buffers, strides);
  ASSERT_EQ(table.size(), 12u);
  EXPECT_EQ(table[0], 0u);
  EXPECT_EQ(table[4], 0u);
  EXPECT_EQ(table[8], 0x3000u);
}

/// Two attributes of one binding, at \p offset and at 0, in a buffer of 16 bytes.
std::vector<uint32_t> tableOf(uint32_t offset, uint32_t stride, bool isDynamic) {
  GraphicsState state;
  state.input.bindings.push_back({.binding = 1, .stride = stride});
  state.input.attributes.push_back({2, 1, VK_FORMAT_R32_UINT, offset});
  state.input.attributes.push_back({0, 1, VK_FORMAT_R32_UINT, 0});
  const VkDynamicState dynamic = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
  VkPipelineDynamicStateCreateInfo info = {};
  info.dynamicStateCount = isDynamic;
  info.pDynamicStates = &dynamic;
  state.dynamic = DynamicStates(&info, vertexInputSubset);
  const BoundVertexBuffer buffers[] = {{}, {0x1000, 16}};
  const uint32_t strides[] = {0, stride};
  return vertexBufferWords(*pal::abi::findTarget("gfx1100"), GraphicsPipelineData(state), buffers,
                           strides);
}

TEST_F(VertexBuffers, AttributesBeyondTheStrideHaveTheirOwnElements) {
  auto inside = tableOf(4, 8, false); // by binding
  ASSERT_EQ(inside.size(), 8u);
  EXPECT_EQ(inside[4 + 2], 2u);
  auto beyond = tableOf(8, 4, false); // by location
  ASSERT_EQ(beyond.size(), 12u);
  EXPECT_EQ(beyond[2], 4u);
  EXPECT_EQ(beyond[4 + 2], 0u);
  EXPECT_EQ(beyond[8 + 2], 2u);
  EXPECT_EQ(tableOf(16, 4, false)[2], 4u);
  EXPECT_EQ(tableOf(16, 4, false)[8 + 2], 0u);
  EXPECT_EQ(tableOf(8, 4, true).size(), 8u);
}

} // namespace
} // namespace icd
