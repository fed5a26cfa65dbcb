//===- PartsUnderLoadTest.cpp - parts while every core is busy ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"
#include <atomic>
#include <thread>

using namespace icd;

namespace {

/// Threads that compute, many for each core. Those of the background, which give way, get next to
/// nothing beside them.
class BusyCores {
public:
  BusyCores() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < 4 * cores; ++i)
      threads.emplace_back([this] {
        while (!ends)
          ;
      });
  }
  ~BusyCores() {
    ends = true;
    for (std::thread &thread : threads)
      thread.join();
  }

private:
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
};

class PartsUnderLoad : public Parts {};

/// Pipelines that come as soon as their modules are there, by several threads that want the same
/// ones: what waits in the queue is taken over, and what a starved thread is compiling is compiled
/// again. Nobody waits for ever, nothing is lost, nothing is counted twice.
TEST_F(PartsUnderLoad, PipelinesAreCreatedAtOnce) {
  begin({{"KILN_PARTS", "on"}});
  constexpr unsigned variants = 6, callers = 3;
  std::vector<Spirv> sources; // before it is busy: the tests' front end is slow
  for (unsigned number = 0; number < variants; ++number)
    sources.push_back(number % 2 ? linkableShader(number) : computeShader(number));
  const Spirv vertexCode = spirvOfGlsl(vertexShader, "vert");
  const Spirv fragmentCode = spirvOfGlsl(fragmentShader, "frag");
  layout({1});
  std::vector<VkPipeline> made[callers];
  std::vector<VkShaderModule> modules[callers];
  {
    const BusyCores busy;
    std::vector<std::thread> threads;
    for (unsigned caller = 0; caller < callers; ++caller)
      threads.emplace_back([&, caller] {
        for (const Spirv &source : sources)
          modules[caller].push_back(module(source));
        for (const Spirv *source : {&vertexCode, &fragmentCode})
          modules[caller].push_back(module(*source));
        for (unsigned number = 0; number < variants; ++number) {
          VkPipeline pipeline = VK_NULL_HANDLE;
          const ConstantZero constant(40 + number);
          EXPECT_EQ(create(modules[caller][number], layouts[0], pipeline, 0, &constant.info),
                    VK_SUCCESS);
          made[caller].push_back(pipeline);
        }
        VkPipeline pipeline = VK_NULL_HANDLE;
        EXPECT_EQ(createDraw(modules[caller][variants], modules[caller][variants + 1],
                             VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, pipeline),
                  VK_SUCCESS);
        made[caller].push_back(pipeline);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  for (unsigned caller = 0; caller < callers; ++caller) {
    ASSERT_EQ(made[caller].size(), variants + 1);
    for (VkPipeline pipeline : made[caller])
      keep(pipeline);
    for (VkShaderModule shader : modules[caller])
      destroy(shader);
  }
  const PartCounters &counted = counters();
  // The callers' pipelines are the same.
  EXPECT_GE(counted.linked + counted.compiled, uint64_t(variants + 1));
  EXPECT_LE(counted.linked + counted.compiled, uint64_t(callers * (variants + 1)));
  EXPECT_GE(counted.savedMicroseconds, 0);
  partial().waitIdle();
  const TaskPool::Counters tasks = partial().poolCounters();
  EXPECT_EQ(tasks.accepted, tasks.ended + tasks.cancelled);
}

} // namespace
