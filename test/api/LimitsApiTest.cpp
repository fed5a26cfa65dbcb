// SPDX-License-Identifier: MIT
// Dispatches at the limits that the device tells.
#include "Gpu.h"
#include <array>

namespace api {
namespace {

using LimitsApi = ApiTest;
API_TESTS_ON_ALL_DEVICES(LimitsApi);

/// A pipeline with one storage buffer and 16 bytes of push constants.
struct OneBuffer {
  OneBuffer(Gpu &gpu, const std::string &glsl, VkDeviceSize bytes) : gpu(gpu) {
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout}, 16);
    pipeline = gpu.pipeline(glsl, layout, nullptr, VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
    set = gpu.set(setLayout, bindings);
    b = gpu.buffer(bytes);
    gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {b});
  }
  void bind(VkCommandBuffer c, const std::array<uint32_t, 4> &push = {}) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, push.data());
  }

  Gpu &gpu;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorSet set;
  Buffer b;
};

TEST_P(LimitsApi, LargestWorkgroupsUseAllOfTheirMemory) {
  const uint32_t words = gpu.properties.limits.maxComputeSharedMemorySize / 4;
  ASSERT_GE(gpu.properties.limits.maxComputeWorkGroupInvocations, 1024u);
  for (const char *shape : {"local_size_x=1024", "local_size_y=1024",
                            "local_size_x=4, local_size_y=4, local_size_z=64"}) {
    OneBuffer test(gpu,
                   std::string("#version 450\nlayout(") + shape + ") in;\nshared uint s[" +
                       std::to_string(words) + R"(];
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint n = gl_LocalInvocationIndex, sum = 0;
  for (uint i = n; i < s.length(); i += 1024)
    s[i] = i * 3;
  barrier();
  for (uint i = n; i < s.length(); i += 1024)
    sum += s[s.length() - 1 - i];
  b[gl_WorkGroupID.x * 1024 + n] = sum;
}
)",
                   2 * 1024 * 4);
    gpu.run([&](VkCommandBuffer c) {
      test.bind(c);
      gpu.vk.CmdDispatch(c, 2, 1, 1);
    });
    for (uint32_t n = 0; n < 2048; ++n) {
      uint32_t sum = 0;
      for (uint32_t i = n % 1024; i < words; i += 1024)
        sum += (words - 1 - i) * 3;
      ASSERT_EQ(test.b.data[n], sum) << shape << ", invocation " << n;
    }
  }
}

TEST_P(LimitsApi, LastWorkgroupIdsOfAllAxes) {
  OneBuffer test(gpu, R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
layout(push_constant) uniform P { uvec4 base; };
void main() {
  uvec3 at = gl_WorkGroupID - base.xyz;
  b[at.x + 2 * at.y + 4 * at.z] = uvec4(gl_WorkGroupID, gl_NumWorkGroups.x);
}
)",
                 128);
  const uint32_t *most = gpu.properties.limits.maxComputeWorkGroupCount;
  const std::array<uint32_t, 4> base = {most[0] - 2, most[1] - 2, most[2] - 2, 0};
  gpu.run([&](VkCommandBuffer c) {
    test.bind(c, base);
    gpu.vk.CmdDispatchBase(c, base[0], base[1], base[2], 2, 2, 2);
  });
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(test.b.data[i * 4], base[0] + (i & 1));
    EXPECT_EQ(test.b.data[i * 4 + 1], base[1] + (i >> 1 & 1));
    EXPECT_EQ(test.b.data[i * 4 + 2], base[2] + (i >> 2));
    EXPECT_EQ(test.b.data[i * 4 + 3], 2u);
  }
}

} // namespace
} // namespace api
