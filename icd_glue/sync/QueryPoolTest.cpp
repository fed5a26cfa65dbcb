// SPDX-License-Identifier: MIT
// Queries with a begin and an end. Timestamps: memory/MemoryTest.cpp.
#include "icd_glue/sync/QueryPool.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/device/TestDevice.h"

namespace icd {
namespace {

class QueryTest : public TestCommands {
protected:
  void SetUp() override {
    TestCommands::SetUp();
    auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    ASSERT_EQ(BeginCommandBuffer(commands, &begin), VK_SUCCESS);
  }
  void TearDown() override {
    DestroyQueryPool(device, pool, nullptr);
    TestCommands::TearDown();
  }

  void make(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0) {
    auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = type;
    info.queryCount = 4;
    info.pipelineStatistics = statistics;
    ASSERT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    ResetQueryPool(device, pool, 0, 4);
  }
  /// Stands for a draw.
  void count(uint64_t samples) {
    fromHandle<CommandBuffer>(commands)->record("draw", [samples](Execution &execution) {
      execution.statistics.samplesPassed += samples;
      execution.statistics.vertexInvocations += 3;
      execution.statistics.computeInvocations += 100;
      execution.statistics.meshPrimitives += 6;
      execution.statistics.primitivesGenerated[3] += 20;
      execution.statistics.primitivesNeeded[2] += 10;
      execution.statistics.primitivesWritten[2] += samples;
      return llvm::Error::success();
    });
  }
  void setViews(uint32_t mask) {
    fromHandle<CommandBuffer>(commands)->record("views", [mask](Execution &execution) {
      execution.rendering.viewMask = mask;
      return llvm::Error::success();
    });
  }
  void run() { EXPECT_EQ(fault(), ""); }
  std::string fault() {
    Execution execution{object()};
    return llvm::toString(fromHandle<CommandBuffer>(commands)->recorded()->execute(execution));
  }
  VkResult get(uint32_t first, uint32_t number, std::vector<uint64_t> &out, uint64_t stride,
               VkQueryResultFlags flags) {
    return GetQueryPoolResults(device, pool, first, number, out.size() * 8, out.data(), stride,
                               flags | VK_QUERY_RESULT_64_BIT);
  }

  VkQueryPool pool = VK_NULL_HANDLE;
};

constexpr VkQueryResultFlags availability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;

TEST_F(QueryTest, OcclusionCountsBetweenBeginAndEnd) {
  make(VK_QUERY_TYPE_OCCLUSION);
  count(1000);
  CmdBeginQuery(commands, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  count(20);
  CmdBeginQuery(commands, pool, 2, 0); // queries of a pool may overlap here
  count(3);
  CmdEndQuery(commands, pool, 0);
  count(4);
  CmdEndQuery(commands, pool, 2);
  CmdBeginQuery(commands, pool, 1, 0); // never ended
  run();
  std::vector<uint64_t> out(6, 77);
  EXPECT_EQ(get(0, 3, out, 16, availability), VK_NOT_READY);
  EXPECT_EQ(out, (std::vector<uint64_t>{23, 1, 77, 0, 7, 1}));
  EXPECT_EQ(get(1, 1, out, 16, VK_QUERY_RESULT_PARTIAL_BIT), VK_NOT_READY);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(get(2, 1, out, 16, VK_QUERY_RESULT_WAIT_BIT), VK_SUCCESS);
  EXPECT_EQ(out[0], 7u);
  ResetQueryPool(device, pool, 0, 1);
  EXPECT_EQ(get(0, 1, out, 16, availability | VK_QUERY_RESULT_PARTIAL_BIT), VK_NOT_READY);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[1], 0u);
}

TEST_F(QueryTest, StatisticsComeInTheOrderOfTheirBits) {
  make(VK_QUERY_TYPE_PIPELINE_STATISTICS,
       VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |
           VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
  count(1);
  CmdBeginQuery(commands, pool, 3, 0);
  count(1);
  count(1);
  CmdEndQuery(commands, pool, 3);
  run();
  uint32_t narrow[4] = {9, 9, 9, 9};
  EXPECT_EQ(GetQueryPoolResults(device, pool, 3, 1, sizeof(narrow), narrow, 12, availability),
            VK_SUCCESS);
  EXPECT_EQ(narrow[0], 6u);
  EXPECT_EQ(narrow[1], 200u);
  EXPECT_EQ(narrow[2], 1u);
  EXPECT_EQ(narrow[3], 9u);
  EXPECT_EQ(fromHandle<QueryPool>(pool)->resultBytes(availability), 12u);
  EXPECT_EQ(fromHandle<QueryPool>(pool)->resultBytes(VK_QUERY_RESULT_64_BIT), 16u);
}

TEST_F(QueryTest, TransformFeedbackIsOfOneStream) {
  make(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
  count(1);
  CmdBeginQueryIndexedEXT(commands, pool, 0, 0, 2);
  CmdBeginQuery(commands, pool, 1, 0);
  count(4);
  count(3);
  CmdEndQueryIndexedEXT(commands, pool, 0, 2);
  CmdEndQuery(commands, pool, 1);
  CmdBeginQueryIndexedEXT(commands, pool, 2, 0, 4); // no such stream
  CmdEndQueryIndexedEXT(commands, pool, 2, 4);
  run();
  std::vector<uint64_t> out(9, 77);
  EXPECT_EQ(get(0, 3, out, 24, availability), VK_NOT_READY);
  EXPECT_EQ(out, (std::vector<uint64_t>{7, 20, 1, 0, 0, 1, 77, 77, 0}));
}

TEST_F(QueryTest, GeneratedPrimitivesAreOfOneStream) {
  make(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
  count(1);
  CmdBeginQueryIndexedEXT(commands, pool, 0, 0, 3);
  CmdBeginQuery(commands, pool, 1, 0);
  count(4);
  count(3);
  CmdEndQuery(commands, pool, 1);
  count(2);
  CmdEndQueryIndexedEXT(commands, pool, 0, 3);
  run();
  std::vector<uint64_t> out(4, 77);
  EXPECT_EQ(get(0, 2, out, 16, availability), VK_SUCCESS);
  EXPECT_EQ(out, (std::vector<uint64_t>{60, 1, 0, 1}));
}

TEST_F(QueryTest, MeshPrimitives) {
  make(VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT);
  CmdBeginQuery(commands, pool, 0, 0);
  count(4);
  CmdEndQuery(commands, pool, 0);
  run();
  std::vector<uint64_t> out(2, 77);
  EXPECT_EQ(get(0, 1, out, 16, availability), VK_SUCCESS);
  EXPECT_EQ(out, (std::vector<uint64_t>{6, 1}));
}

TEST_F(QueryTest, MultiviewUsesAQueryForEachView) {
  make(VK_QUERY_TYPE_OCCLUSION);
  setViews(0b1011);
  CmdBeginQuery(commands, pool, 0, 0);
  count(5);
  CmdEndQuery(commands, pool, 0);
  run();
  std::vector<uint64_t> out(8, 77);
  EXPECT_EQ(get(0, 4, out, 16, availability), VK_NOT_READY);
  EXPECT_EQ(out, (std::vector<uint64_t>{5, 1, 0, 1, 0, 1, 77, 0}));
}

TEST_F(QueryTest, HostileNumbersDoNothing) {
  make(VK_QUERY_TYPE_OCCLUSION);
  setViews(UINT32_MAX);
  CmdBeginQuery(commands, pool, 3, 0);
  CmdEndQuery(commands, pool, 3);
  CmdBeginQuery(commands, pool, 4, 0);
  CmdEndQuery(commands, pool, 4);
  CmdEndQuery(commands, pool, 1); // never begun
  CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
  run();
  std::vector<uint64_t> out(8, 77);
  EXPECT_EQ(get(0, 4, out, 16, availability), VK_NOT_READY);
  EXPECT_EQ(out, (std::vector<uint64_t>{77, 0, 77, 0, 77, 0, 0, 1}));
}

TEST_F(QueryTest, CopiesThatCannotBeDoneAreFaults) {
  make(VK_QUERY_TYPE_OCCLUSION);
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = 64;
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(CreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  auto memoryInfo = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  memoryInfo.allocationSize = 64;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(AllocateMemory(device, &memoryInfo, nullptr, &memory), VK_SUCCESS);
  ASSERT_EQ(BindBufferMemory(device, buffer, memory, 0), VK_SUCCESS);
  auto copied = [&](VkDeviceSize stride, VkQueryResultFlags flags) {
    auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    EXPECT_EQ(BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    CmdCopyQueryPoolResults(commands, pool, 0, 3, buffer, 0, stride, flags);
    return fault();
  };
  // Strides whose multiples wrap around.
  EXPECT_NE(copied(VkDeviceSize(1) << 63, VK_QUERY_RESULT_PARTIAL_BIT).find("no memory at"),
            std::string::npos);
  // Nobody ends these queries.
  EXPECT_NE(copied(8, VK_QUERY_RESULT_WAIT_BIT).find("that nobody has ended"), std::string::npos);
  DestroyBuffer(device, buffer, nullptr);
  FreeMemory(device, memory, nullptr);
}

TEST_F(QueryTest, OtherTypesAreRefused) {
  auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
  info.queryCount = 1;
  EXPECT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_FALSE(messages.empty());
}

} // namespace
} // namespace icd
