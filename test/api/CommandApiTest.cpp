// SPDX-License-Identifier: MIT
// Command buffers, dispatches, transfers, events and queries.
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstdlib>

namespace api {
namespace {

using CommandApi = ApiTest;
API_TESTS_ON_ALL_DEVICES(CommandApi);

/// One storage buffer in set 0, 16 bytes of push constants, and a pipeline.
struct OneBuffer {
  OneBuffer(Gpu &gpu, const char *glsl, VkDeviceSize bytes) : gpu(gpu) {
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout}, 16);
    pipeline = gpu.pipeline(glsl, layout);
    set = gpu.set(setLayout, bindings);
    b = gpu.buffer(bytes);
    gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {b});
  }
  void bind(VkCommandBuffer c, uint32_t push = 0) {
    uint32_t values[4] = {push, 0, 0, 0};
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, values);
  }

  Gpu &gpu;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorSet set;
  Buffer b;
};

const char *const countShader = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint p; };
void main() { b[0] = b[0] * 3 + p; }
)";

TEST_P(CommandApi, SecondaryCommandBuffersRunInOrderAndMoreThanOnce) {
  OneBuffer test(gpu, countShader, 16);
  VkCommandBuffer secondaries[2];
  for (uint32_t i = 0; i < 2; ++i) {
    secondaries[i] =
        gpu.begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    test.bind(secondaries[i], i + 1);
    gpu.vk.CmdDispatch(secondaries[i], 1, 1, 1);
    gpu.barrier(secondaries[i]);
    VK_OK(gpu.vk.EndCommandBuffer(secondaries[i]));
  }
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdExecuteCommands(c, 2, secondaries);
    gpu.vk.CmdExecuteCommands(c, 1, &secondaries[0]);
  });
  EXPECT_EQ(test.b.data[0], (1u * 3 + 2) * 3 + 1);
}

// VK_EXT_nested_command_buffer
TEST_P(CommandApi, SecondaryCommandBuffersExecuteOthers) {
  if (!gpu.hasExtension(VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME))
    GTEST_SKIP();
  OneBuffer test(gpu, countShader, 16);
  VkCommandBuffer inner = VK_NULL_HANDLE;
  // Each level does what is in it twice, and then its own.
  for (uint32_t level = 0; level < 4; ++level) {
    const VkCommandBuffer c =
        gpu.begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    for (unsigned i = 0; inner && i < 2; ++i)
      gpu.vk.CmdExecuteCommands(c, 1, &inner);
    test.bind(c, level + 1);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.barrier(c);
    VK_OK(gpu.vk.EndCommandBuffer(c));
    inner = c;
  }
  gpu.run([&](VkCommandBuffer c) { gpu.vk.CmdExecuteCommands(c, 1, &inner); });
  uint32_t expected = 0;
  std::function<void(uint32_t)> run = [&](uint32_t level) {
    for (unsigned i = 0; level && i < 2; ++i)
      run(level - 1);
    expected = expected * 3 + level + 1;
  };
  run(3);
  EXPECT_EQ(test.b.data[0], expected);
}

// VK_EXT_conditional_rendering. The predicate is what commands before have written; copies are not
// conditional, and secondary command buffers inherit it.
TEST_P(CommandApi, ConditionalDispatches) {
  if (!gpu.hasExtension(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME))
    GTEST_SKIP();
  OneBuffer test(gpu, countShader, 16);
  const Buffer predicate = gpu.buffer(64);
  auto inheritance = vktest::vkStruct<VkCommandBufferInheritanceConditionalRenderingInfoEXT>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
  inheritance.conditionalRenderingEnable = VK_TRUE;
  const VkCommandBuffer secondary = gpu.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  auto inherited = vktest::vkStruct<VkCommandBufferInheritanceInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &inheritance);
  auto secondaryInfo =
      vktest::vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  secondaryInfo.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  secondaryInfo.pInheritanceInfo = &inherited;
  VK_OK(gpu.vk.BeginCommandBuffer(secondary, &secondaryInfo));
  test.bind(secondary, 2);
  gpu.vk.CmdDispatch(secondary, 1, 1, 1);
  gpu.barrier(secondary);
  VK_OK(gpu.vk.EndCommandBuffer(secondary));
  for (uint32_t value : {0u, 1u, 0x80000000u})
    for (VkConditionalRenderingFlagsEXT flags :
         {VkConditionalRenderingFlagsEXT(0),
          VkConditionalRenderingFlagsEXT(VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT)}) {
      predicate.data[4] = 5;
      gpu.run([&](VkCommandBuffer c) {
        gpu.vk.CmdFillBuffer(c, test.b.handle, 0, 16, 7);
        gpu.vk.CmdFillBuffer(c, predicate.handle, 16, 4, value);
        gpu.barrier(c);
        auto begin = vktest::vkStruct<VkConditionalRenderingBeginInfoEXT>(
            VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT);
        begin.buffer = predicate.handle;
        begin.offset = 16;
        begin.flags = flags;
        gpu.vk.CmdBeginConditionalRenderingEXT(c, &begin);
        test.bind(c, 1);
        gpu.vk.CmdDispatch(c, 1, 1, 1);
        gpu.barrier(c);
        gpu.vk.CmdExecuteCommands(c, 1, &secondary);
        gpu.vk.CmdFillBuffer(c, test.b.handle, 4, 4, 9);
        gpu.vk.CmdEndConditionalRenderingEXT(c);
        gpu.barrier(c);
        test.bind(c, 3);
        gpu.vk.CmdDispatch(c, 1, 1, 1);
      });
      const bool isDone = (value != 0) == (flags == 0);
      EXPECT_EQ(test.b.data[0], (isDone ? (7u * 3 + 1) * 3 + 2 : 7u) * 3 + 3) << value << flags;
      EXPECT_EQ(test.b.data[1], 9u);
    }
}

// VK_AMD_buffer_marker: behind the commands before, in front of those that follow.
TEST_P(CommandApi, MarkersAreWrittenInOrder) {
  if (!gpu.hasExtension(VK_AMD_BUFFER_MARKER_EXTENSION_NAME))
    GTEST_SKIP();
  OneBuffer test(gpu, countShader, 16);
  test.b.data[0] = 5;
  gpu.run([&](VkCommandBuffer c) {
    test.bind(c, 1);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.vk.CmdWriteBufferMarkerAMD(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, test.b.handle, 4, 77);
    gpu.vk.CmdWriteBufferMarkerAMD(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, test.b.handle, 0, 10);
    gpu.barrier(c);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(test.b.data[0], 10u * 3 + 1);
  EXPECT_EQ(test.b.data[1], 77u);
}

TEST_P(CommandApi, CommandBuffersAreSubmittedAgainAndReset) {
  OneBuffer test(gpu, countShader, 16);
  VkCommandBuffer c = gpu.begin();
  test.bind(c, 1);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  VK_OK(gpu.finish(c));
  VK_OK(gpu.submit(c));
  VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
  EXPECT_EQ(test.b.data[0], 4u);
  VK_OK(gpu.vk.ResetCommandBuffer(c, 0));
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  VK_OK(gpu.vk.BeginCommandBuffer(c, &info));
  test.bind(c, 5);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  VK_OK(gpu.finish(c));
  EXPECT_EQ(test.b.data[0], 17u);
}

const char *const idShader = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint slot = atomicAdd(b[0], 1);
  uvec3 id = gl_WorkGroupID, n = gl_NumWorkGroups;
  atomicAdd(b[1], id.x + 100 * id.y + 10000 * id.z);
  b[2] = n.x + 100 * n.y + 10000 * n.z;
}
)";

TEST_P(CommandApi, IndirectDispatchReadsItsArgumentsWhenItRuns) {
  OneBuffer test(gpu, idShader, 16);
  Buffer arguments = gpu.buffer(64);
  gpu.run([&](VkCommandBuffer c) {
    uint32_t counts[] = {3, 2, 1};
    gpu.vk.CmdUpdateBuffer(c, arguments.handle, 16, sizeof(counts), counts);
    gpu.barrier(c);
    test.bind(c);
    gpu.vk.CmdDispatchIndirect(c, arguments.handle, 16);
    gpu.vk.CmdDispatchIndirect(c, arguments.handle, 32); // zeros: nothing runs
  });
  EXPECT_EQ(test.b.data[0], 6u);
  EXPECT_EQ(test.b.data[1], 2 * (0u + 1 + 2) + 3 * 100);
  EXPECT_EQ(test.b.data[2], 3u + 200 + 10000);
}

TEST_P(CommandApi, BaseIsAddedToWorkgroupIdsOnly) {
  OneBuffer test(gpu, idShader, 16);
  test.pipeline = gpu.pipeline(idShader, test.layout, nullptr, VK_PIPELINE_CREATE_DISPATCH_BASE);
  gpu.run([&](VkCommandBuffer c) {
    test.bind(c);
    gpu.vk.CmdDispatchBase(c, 5, 6, 7, 2, 1, 1);
  });
  EXPECT_EQ(test.b.data[0], 2u);
  EXPECT_EQ(test.b.data[1], 5u + 6 + 2 * (600 + 70000));
  EXPECT_EQ(test.b.data[2], 2u + 100 + 10000);
}

TEST_P(CommandApi, BuffersAreFilledUpdatedAndCopied) {
  Buffer a = gpu.buffer(64), b = gpu.buffer(64);
  gpu.run([&](VkCommandBuffer c) {
    uint32_t values[] = {1, 2, 3};
    gpu.vk.CmdFillBuffer(c, a.handle, 8, 16, 0xABCD1234);
    gpu.vk.CmdFillBuffer(c, a.handle, 56, VK_WHOLE_SIZE, 9);
    gpu.vk.CmdUpdateBuffer(c, a.handle, 32, sizeof(values), values);
    values[0] = 99; // copied when recorded
    gpu.barrier(c);
    VkBufferCopy regions[] = {{8, 0, 4}, {33, 5, 7}};
    gpu.vk.CmdCopyBuffer(c, a.handle, b.handle, 2, regions);
  });
  EXPECT_EQ(a.data[1], 0u);
  for (uint32_t i = 2; i < 6; ++i)
    EXPECT_EQ(a.data[i], 0xABCD1234u);
  EXPECT_EQ(a.data[6], 0u);
  EXPECT_EQ(a.data[8], 1u);
  EXPECT_EQ(a.data[10], 3u);
  EXPECT_EQ(a.data[14], 9u);
  EXPECT_EQ(a.data[15], 9u);
  EXPECT_EQ(b.data[0], 0xABCD1234u);
  EXPECT_EQ(b.data[1], 0u); // bytes 33 to 35 are zero
  EXPECT_EQ(b.data[2], 2u);
  EXPECT_EQ(b.data[3], 0u);
}

TEST_P(CommandApi, QueuesWaitForEventsOfTheHost) {
  OneBuffer test(gpu, countShader, 16);
  VkEventCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
  VkEvent go = VK_NULL_HANDLE, done = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateEvent(gpu.device, &info, nullptr, &go));
  VK_OK(gpu.vk.CreateEvent(gpu.device, &info, nullptr, &done));
  VkCommandBuffer c = gpu.begin();
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  gpu.vk.CmdWaitEvents(c, 1, &go, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       1, &barrier, 0, nullptr, 0, nullptr);
  test.bind(c, 2);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  gpu.vk.CmdResetEvent(c, go, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  gpu.vk.CmdSetEvent(c, done, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  VK_OK(gpu.vk.EndCommandBuffer(c));
  VK_OK(gpu.submit(c));
  EXPECT_EQ(gpu.vk.GetEventStatus(gpu.device, done), VK_EVENT_RESET);
  test.b.data[0] = 10; // before the event: the dispatch must see it
  VK_OK(gpu.vk.SetEvent(gpu.device, go));
  VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
  EXPECT_EQ(test.b.data[0], 32u);
  EXPECT_EQ(gpu.vk.GetEventStatus(gpu.device, done), VK_EVENT_SET);
  EXPECT_EQ(gpu.vk.GetEventStatus(gpu.device, go), VK_EVENT_RESET);
  gpu.vk.DestroyEvent(gpu.device, go, nullptr);
  gpu.vk.DestroyEvent(gpu.device, done, nullptr);
}

TEST_P(CommandApi, TimestampsGrowAndAreCopied) {
  VkQueryPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 3;
  VkQueryPool pool = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateQueryPool(gpu.device, &info, nullptr, &pool));
  Buffer results = gpu.buffer(64);
  constexpr VkQueryResultFlags flags =
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdResetQueryPool(c, pool, 0, 3);
    gpu.vk.CmdWriteTimestamp(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 0);
    gpu.vk.CmdWriteTimestamp(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 1);
    gpu.barrier(c);
    gpu.vk.CmdCopyQueryPoolResults(c, pool, 0, 3, results.handle, 0, 16, flags);
  });
  const auto *copied = reinterpret_cast<const uint64_t *>(results.data);
  uint64_t read[6] = {};
  EXPECT_EQ(gpu.vk.GetQueryPoolResults(gpu.device, pool, 0, 3, sizeof(read), read, 16, flags),
            VK_NOT_READY);
  EXPECT_LE(copied[0], copied[2]);
  EXPECT_NE(copied[0], 0u);
  EXPECT_NE(copied[1], 0u);
  EXPECT_EQ(copied[5], 0u); // the third was never written
  EXPECT_EQ(read[0], copied[0]);
  EXPECT_EQ(read[5], 0u);
  gpu.vk.DestroyQueryPool(gpu.device, pool, nullptr);
}

TEST_P(CommandApi, FaultsLoseTheDeviceAndNotTheProcess) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // other drivers need not survive this
  allowsMessages = true;
  OneBuffer test(gpu, R"(#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer R { uint value; };
layout(set = 0, binding = 0) buffer B { uvec2 b; };
void main() { R(b).value = 1; }
)",
                 16);
  test.b.data[0] = 0x1000; // no memory there
  VkCommandBuffer c = gpu.begin();
  VkDebugUtilsLabelEXT label = {};
  label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  label.pLabelName = "a wild pointer";
  gpu.vk.CmdBeginDebugUtilsLabelEXT(c, &label);
  test.bind(c);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  gpu.vk.CmdEndDebugUtilsLabelEXT(c);
  EXPECT_EQ(gpu.finish(c), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(gpu.submit(c), VK_ERROR_DEVICE_LOST);
}

TEST_P(CommandApi, EndlessLoopsLoseTheDevice) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  allowsMessages = true;
  setenv("KILN_INSTRUCTION_LIMIT", "100000", 1); // read when an instance is created
  Gpu limited(GetParam());
  unsetenv("KILN_INSTRUCTION_LIMIT");
  OneBuffer test(limited, R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  while (b[0] == 0)
    atomicAdd(b[1], 1);
}
)",
                 16);
  VkCommandBuffer c = limited.begin();
  test.bind(c);
  limited.vk.CmdDispatch(c, 1, 1, 1);
  EXPECT_EQ(limited.finish(c), VK_ERROR_DEVICE_LOST);
}

} // namespace
} // namespace api
