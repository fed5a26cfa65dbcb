//===- StressApiTest.cpp - random dispatches against a model on the host --===//
// SPDX-License-Identifier: MIT
/// \file
/// Random kernels, workgroup sizes, ranges and command buffers, several submissions in flight, and
/// at the end sometimes a wild pointer. The model is C++ on a copy of the buffer. What a run does
/// is decided by KILN_STRESS_SEED; KILN_STRESS_ROUNDS makes it longer: under AddressSanitizer this
/// is the test that the driver neither crashes, nor leaks, nor hangs.
#include "Gpu.h"
#include <algorithm>
#include <cstdlib>
#include <random>

namespace api {
namespace {

struct Constants {
  uint32_t address[2]; ///< of the range, for kernels that use no descriptor
  uint32_t a, b, count;
};

/// What every kernel begins with: `d` is the range, one invocation per element.
constexpr const char *prologue = R"(#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint size = 64;
layout(buffer_reference, std430) buffer R { uint v[]; };
layout(set = 0, binding = 0) buffer B { uint d[]; };
layout(push_constant) uniform P { uvec2 address; uint a, b, count; };
shared uint s[size];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
)";

/// A kernel and what it does to the range when workgroups of \p size cover `groups * size`
/// elements.
struct Kernel {
  const char *body;
  void (*model)(uint32_t *d, uint32_t groups, uint32_t size, const Constants &c);
};

const Kernel kernels[] = {
    {"if (i < count) d[i] = d[i] * a + b;",
     [](uint32_t *d, uint32_t groups, uint32_t size, const Constants &c) {
       for (uint32_t i = 0; i < std::min(groups * size, c.count); ++i)
         d[i] = d[i] * c.a + c.b;
     }},
    {"s[l] = d[i]; barrier(); d[i] = s[size - 1 - l] + a;",
     [](uint32_t *d, uint32_t groups, uint32_t size, const Constants &c) {
       for (uint32_t group = 0; group < groups; ++group) {
         std::reverse(d + group * size, d + (group + 1) * size);
         for (uint32_t l = 0; l < size; ++l)
           d[group * size + l] += c.a;
       }
     }},
    {"atomicAdd(d[(i * a + b) % count], i);",
     [](uint32_t *d, uint32_t groups, uint32_t size, const Constants &c) {
       for (uint32_t i = 0; i < groups * size; ++i)
         d[(i * c.a + c.b) % c.count] += i;
     }},
    {"uint x = d[i]; for (uint k = 0; k < (x & 15u); ++k) x = (x ^ k) * a + b; d[i] = x;",
     [](uint32_t *d, uint32_t groups, uint32_t size, const Constants &c) {
       for (uint32_t i = 0; i < groups * size; ++i) {
         uint32_t x = d[i];
         for (uint32_t k = 0; k < (x & 15u); ++k)
           x = (x ^ k) * c.a + c.b;
         d[i] = x;
       }
     }},
    {"R(address).v[i] += a ^ i;",
     [](uint32_t *d, uint32_t groups, uint32_t size, const Constants &c) {
       for (uint32_t i = 0; i < groups * size; ++i)
         d[i] += c.a ^ i;
     }},
};
constexpr uint32_t wildKernel = 4; // the one that uses the address

uint32_t environmentNumber(const char *text, uint32_t otherwise) {
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 0)) : otherwise;
}

class Stress {
public:
  Stress(unsigned index, uint32_t seed) : random(seed), gpu(index) {
    data = gpu.buffer(words * 4);
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout}, sizeof(Constants));
    for (uint32_t word = 0; word < words; ++word)
      data.data[word] = random();
    model.assign(data.data, data.data + words);
  }

  void run() {
    for (int round = 0; round < 8; ++round) {
      for (uint32_t submission = below(4); submission > 0; --submission)
        submitOne();
      VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
      for (uint32_t word = 0; word < words; ++word)
        ASSERT_EQ(data.data[word], model[word]) << "round " << round << ", word " << word;
    }
    EXPECT_EQ(gpu.validationMessages, 0u);
    if (gpu.isKiln() && below(3) == 0)
      loseDevice();
  }

private:
  static constexpr uint32_t words = 4096;

  struct Pipeline {
    VkPipeline handle = VK_NULL_HANDLE;
    uint32_t kernel = 0, size = 0;
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

  Pipeline makePipeline(uint32_t kernel) {
    Pipeline made = {VK_NULL_HANDLE, kernel, 1 + below(160)};
    const VkSpecializationMapEntry entry = {0, 0, sizeof(uint32_t)};
    const VkSpecializationInfo specialization = {1, &entry, sizeof(uint32_t), &made.size};
    made.handle = gpu.pipeline(std::string(prologue) + kernels[kernel].body + "\n}\n", layout,
                               &specialization);
    return made;
  }

  void submitOne() {
    if (pipelines.size() < 12)
      pipelines.push_back(makePipeline(below(std::size(kernels))));
    VkCommandBuffer commands = gpu.begin();
    for (uint32_t command = 1 + below(6); command > 0; --command) {
      gpu.barrier(commands);
      if (below(8) == 0)
        fill(commands);
      else
        dispatch(commands, pipelines[below(static_cast<uint32_t>(pipelines.size()))]);
    }
    gpu.barrier(commands);
    VK_OK(gpu.vk.EndCommandBuffer(commands));
    VK_OK(gpu.submit(commands));
  }

  void fill(VkCommandBuffer commands) {
    const uint32_t begin = below(words), number = 1 + below(words - begin), value = random();
    gpu.vk.CmdFillBuffer(commands, data.handle, begin * 4, number * 4, value);
    std::fill_n(model.begin() + begin, number, value);
  }

  void dispatch(VkCommandBuffer commands, const Pipeline &pipeline) {
    const uint32_t step =
        std::max<uint32_t>(gpu.properties.limits.minStorageBufferOffsetAlignment / 4, 1);
    const uint32_t begin = below(words / 2) / step * step, number = words - begin;
    const uint32_t groups = below(number / pipeline.size + 1);
    Constants constants = {
        {}, static_cast<uint32_t>(random()), static_cast<uint32_t>(random()), 1 + below(number)};
    const VkDeviceAddress address = data.address + begin * 4;
    constants.address[0] = static_cast<uint32_t>(address);
    constants.address[1] = static_cast<uint32_t>(address >> 32);
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    VkDescriptorSet set = gpu.set(setLayout, bindings);
    gpu.writeRange(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data, begin * 4, number * 4);
    record(commands, pipeline, set, constants, groups);
    kernels[pipeline.kernel].model(model.data() + begin, groups, pipeline.size, constants);
  }

  void record(VkCommandBuffer commands, const Pipeline &pipeline, VkDescriptorSet set,
              const Constants &constants, uint32_t groups) {
    gpu.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
    gpu.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
    gpu.vk.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(constants),
                            &constants);
    gpu.vk.CmdDispatch(commands, groups, 1, 1);
  }

  /// A store to nowhere, with other work before and after it.
  void loseDevice() {
    Pipeline pipeline = makePipeline(wildKernel);
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    VkDescriptorSet set = gpu.set(setLayout, bindings);
    gpu.writeRange(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data, 0, VK_WHOLE_SIZE);
    VkCommandBuffer commands = gpu.begin();
    const Constants wild = {{static_cast<uint32_t>(random()), below(1u << 15)}, 1, 1, 1};
    record(commands, pipeline, set, wild, 1 + below(100));
    VK_OK(gpu.vk.EndCommandBuffer(commands));
    submitOne();
    VK_OK(gpu.submit(commands));
    EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_ERROR_DEVICE_LOST);
    EXPECT_EQ(gpu.submit(commands), VK_ERROR_DEVICE_LOST);
  }

  std::mt19937 random;
  Gpu gpu;
  Buffer data;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<Pipeline> pipelines;
  std::vector<uint32_t> model;
};

class StressApi : public testing::TestWithParam<unsigned> {};

TEST_P(StressApi, RandomDispatchesDoWhatTheModelSays) {
  const uint32_t seed = environmentNumber(std::getenv("KILN_STRESS_SEED"), 1);
  const uint32_t rounds = environmentNumber(std::getenv("KILN_STRESS_ROUNDS"), 3);
  for (uint32_t round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("KILN_STRESS_SEED=" + std::to_string(seed + round));
    Stress(GetParam(), seed + round).run();
  }
}

API_TESTS_ON_ALL_DEVICES(StressApi);

} // namespace
} // namespace api
