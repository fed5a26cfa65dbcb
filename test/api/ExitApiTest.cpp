//===- ExitApiTest.cpp - processes that end while the driver works --------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include <chrono>
#include <cstdlib>
#include <thread>

namespace api {
namespace {

class Exit : public ApiTest {};

using Words = std::vector<uint32_t>;

Words sourceOf(Gpu &gpu, const std::string &body) {
  return gpu.spirv("#version 450\nlayout(local_size_x = 64) in;\n"
                   "layout(binding = 0) buffer B { uint d[]; };\n"
                   "void main() { uint i = gl_GlobalInvocationID.x; " +
                       body + " }",
                   "comp");
}

/// Ends the process if it cannot be made.
VkShaderModule moduleOf(Gpu &gpu, const Words &words) {
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .pNext = nullptr,
                                         .flags = 0,
                                         .codeSize = words.size() * sizeof(uint32_t),
                                         .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  if (gpu.vk.CreateShaderModule(gpu.device, &info, nullptr, &module) != VK_SUCCESS)
    std::_Exit(1);
  return module;
}

void createModules(Gpu &gpu) {
  std::vector<Words> sources; // all of them first: making them takes longer than compiling
  for (const char *body : {"d[i] += i;", "d[i] = uint(sin(float(d[i])));",
                           "for (uint k = 0; k < d[i]; ++k) d[k] ^= i;"})
    sources.push_back(sourceOf(gpu, body));
  for (const Words &words : sources)
    moduleOf(gpu, words);
}

/// Many programs leave main() and destroy nothing. What the driver compiles in the background must
/// not notice that static objects go away. Each delay is a process of its own that ends somewhere
/// in the first compilations, which is where most of those objects are made.
TEST_P(Exit, withoutDestroyingTheDevice) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "it is about Kiln's background threads";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto leave = [&](int milliseconds) {
    createModules(gpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::exit(0);
  };
  for (int milliseconds : {0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 30, 60})
    EXPECT_EXIT(leave(milliseconds), testing::ExitedWithCode(0), "") << milliseconds << " ms";
}
/// Older than the driver, and so destroyed after its static objects and LLVM's: time in which a
/// thread that goes on would meet what has gone.
struct Linger {
  bool isWanted = false;
  ~Linger() {
    if (isWanted)
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
} linger;

/// What other threads do when main() returns.
struct WhileLeaving {
  const char *name;
  void (*run)(Gpu &gpu, const Words &words);
};
const WhileLeaving whileLeaving[] = {
    {"destroys the device",
     [](Gpu &gpu, const Words &words) {
       moduleOf(gpu, words);
       gpu.vk.DestroyDevice(gpu.device, nullptr);
     }},
    {"compiles",
     [](Gpu &gpu, const Words &words) {
       const VkPipelineLayout layout =
           gpu.pipelineLayout({gpu.setLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}})});
       VkComputePipelineCreateInfo info = {};
       info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
       info.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR; // in no cache
       info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
       info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
       info.stage.module = moduleOf(gpu, words);
       info.stage.pName = "main";
       info.layout = layout;
       for (uint32_t number = 0;; ++number) {
         const VkSpecializationMapEntry entry = {0, 0, sizeof(number)};
         const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
         info.stage.pSpecializationInfo = &specialization;
         VkPipeline pipeline = VK_NULL_HANDLE;
         (void)gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr,
                                             &pipeline);
       }
     }},
    {"makes devices",
     [](Gpu &gpu, const Words &words) {
       const float priority = 1;
       VkDeviceQueueCreateInfo queue = {};
       queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
       queue.queueCount = 1;
       queue.pQueuePriorities = &priority;
       VkDeviceCreateInfo info = {};
       info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
       info.queueCreateInfoCount = 1;
       info.pQueueCreateInfos = &queue;
       for (unsigned count = 0; count < 20; ++count)
         if (gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &gpu.device) == VK_SUCCESS)
           moduleOf(gpu, words);
     }},
};

/// Threads of the application are still in the driver when main() returns.
TEST_P(Exit, whileOtherThreadsUseTheDriver) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "it is about Kiln's threads";
  if (std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP() << "layers have static objects, too, and wait for nobody";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto leave = [&](const WhileLeaving &thread, int milliseconds) {
    linger.isWanted = true;
    const Words words = sourceOf(gpu, "for (uint k = 0; k < d[i]; ++k) d[k] ^= uint(sin(d[i]));");
    std::thread([&] { thread.run(gpu, words); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::exit(0);
  };
  for (const WhileLeaving &thread : whileLeaving)
    for (int milliseconds : {2, 6, 15})
      EXPECT_EXIT(leave(thread, milliseconds), testing::ExitedWithCode(0), "")
          << thread.name << ", " << milliseconds << " ms";
}
API_TESTS_ON_ALL_DEVICES(Exit);

} // namespace
} // namespace api
