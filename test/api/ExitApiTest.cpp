//===- ExitApiTest.cpp - processes that end while the driver works --------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include <chrono>
#include <cstdlib>
#include <thread>

namespace api {
namespace {

class Exit : public ApiTest {};

/// Many programs leave main() and destroy nothing. What the driver compiles in the background must
/// not notice that static objects go away. Each delay is a process of its own that ends somewhere
/// in the first compilations, which is where most of those objects are made.
TEST_P(Exit, withoutDestroyingTheDevice) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "it is about Kiln's background threads";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto leave = [&](int milliseconds) {
    std::vector<std::vector<uint32_t>> sources;
    for (const char *body : {"d[i] += i;", "d[i] = uint(sin(float(d[i])));",
                             "for (uint k = 0; k < d[i]; ++k) d[k] ^= i;"})
      sources.push_back(gpu.spirv(std::string("#version 450\nlayout(local_size_x = 64) in;\n"
                                              "layout(binding = 0) buffer B { uint d[]; };\n"
                                              "void main() { uint i = gl_GlobalInvocationID.x; ") +
                                      body + "}",
                                  "comp"));
    for (const std::vector<uint32_t> &words : sources) {
      const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .pNext = nullptr,
                                             .flags = 0,
                                             .codeSize = words.size() * sizeof(uint32_t),
                                             .pCode = words.data()};
      VkShaderModule module = VK_NULL_HANDLE;
      if (gpu.vk.CreateShaderModule(gpu.device, &info, nullptr, &module) != VK_SUCCESS)
        std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::exit(0);
  };
  for (int milliseconds : {0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 30, 60})
    EXPECT_EXIT(leave(milliseconds), testing::ExitedWithCode(0), "") << milliseconds << " ms";
}
API_TESTS_ON_ALL_DEVICES(Exit);

} // namespace
} // namespace api
