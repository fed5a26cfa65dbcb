// SPDX-License-Identifier: MIT
// VK_KHR_ray_tracing_pipeline and what goes with it: properties, handles, stack sizes, libraries,
// launches, deferred operations, caches, binaries, identifiers, executables.
#include "Binaries.h"
#include "RayScene.h"
#include <cstring>

namespace api {
namespace {

class RayApi : public ApiTest {
protected:
  void SetUp() override {
    if (!hasRays(gpu))
      GTEST_SKIP();
    scene.emplace(gpu);
  }
  std::optional<RayScene> scene;
};
API_TESTS_ON_ALL_DEVICES(RayApi);

bool isPowerOf2(uint64_t number) { return number && !(number & (number - 1)); }

/// The limits that Vulkan demands.
TEST_P(RayApi, Properties) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "lavapipe has less";
  const auto &limits = scene->limits;
  EXPECT_EQ(limits.shaderGroupHandleSize, 32u);
  EXPECT_EQ(limits.shaderGroupHandleCaptureReplaySize, 32u);
  EXPECT_GE(limits.maxRayRecursionDepth, 1u);
  EXPECT_GE(limits.maxShaderGroupStride, 4096u);
  EXPECT_TRUE(isPowerOf2(limits.shaderGroupBaseAlignment) && limits.shaderGroupBaseAlignment <= 64);
  EXPECT_TRUE(isPowerOf2(limits.shaderGroupHandleAlignment) &&
              limits.shaderGroupHandleAlignment <= 32);
  EXPECT_GE(limits.maxRayDispatchInvocationCount, 1u << 30);
  EXPECT_GE(limits.maxRayHitAttributeSize, 32u);
  const auto structures = properties<VkPhysicalDeviceAccelerationStructurePropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR);
  EXPECT_GE(structures.maxGeometryCount, (1u << 24) - 1);
  EXPECT_GE(structures.maxInstanceCount, (1u << 24) - 1);
  EXPECT_GE(structures.maxPrimitiveCount, (1u << 29) - 1);
  EXPECT_GE(structures.maxPerStageDescriptorAccelerationStructures, 16u);
  EXPECT_TRUE(isPowerOf2(structures.minAccelerationStructureScratchOffsetAlignment) &&
              structures.minAccelerationStructureScratchOffsetAlignment <= 256);
}

TEST_P(RayApi, HandlesBelongToTheGroups) {
  const uint32_t size = scene->limits.shaderGroupHandleSize;
  const VkPipeline first = scene->create(scene->info());
  const std::vector<uint8_t> all = scene->handles(first);
  for (uint32_t a = 0; a < RayScene::groupCount; ++a) {
    std::vector<uint8_t> one(size + 4, 0xab);
    VK_OK(gpu.vk.GetRayTracingShaderGroupHandlesKHR(gpu.device, first, a, 1, size, one.data()));
    EXPECT_EQ(std::memcmp(one.data(), all.data() + size_t(a) * size, size), 0);
    EXPECT_EQ(one[size], 0xab);
    for (uint32_t b = 0; b < a; ++b)
      EXPECT_NE(std::memcmp(all.data() + size_t(a) * size, all.data() + size_t(b) * size, size), 0);
  }
  if (gpu.isKiln()) // so that captured handles are those of later
    EXPECT_EQ(scene->handles(scene->create(scene->info())), all);
}

//===--- Launches ---------------------------------------------------------===//

TEST_P(RayApi, LaunchesDirectAndIndirect) {
  const VkPipeline pipeline = scene->create(scene->info(Source::Module, nullptr, 7));
  const RayScene::Tables tables = scene->tables(pipeline);
  EXPECT_EQ(scene->run(pipeline, tables), RayScene::expected(7));
  const Buffer size = gpu.buffer(sizeof(VkTraceRaysIndirectCommandKHR));
  const VkTraceRaysIndirectCommandKHR command = {RayScene::launches, 1, 1};
  std::memcpy(size.data, &command, sizeof(command));
  EXPECT_EQ(scene->run(pipeline, tables,
                       [&](VkCommandBuffer c) {
                         gpu.vk.CmdTraceRaysIndirectKHR(c, &tables.rayGen, &tables.miss,
                                                        &tables.hit, &tables.callable,
                                                        size.address);
                       }),
            RayScene::expected(7));
  // Nothing to do.
  const RayScene::Numbers untouched = {0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee};
  EXPECT_EQ(scene->run(pipeline, tables,
                       [&](VkCommandBuffer c) {
                         gpu.vk.CmdTraceRaysKHR(c, &tables.rayGen, &tables.miss, &tables.hit,
                                                &tables.callable, 4, 0, 1);
                       }),
            untouched);
}

TEST_P(RayApi, LaunchesWithTablesInMemory) {
  if (!gpu.hasExtension(VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME))
    GTEST_SKIP();
  const VkPipeline pipeline = scene->create(scene->info());
  const RayScene::Tables t = scene->tables(pipeline);
  const VkTraceRaysIndirectCommand2KHR command = {t.rayGen.deviceAddress,
                                                  t.rayGen.size,
                                                  t.miss.deviceAddress,
                                                  t.miss.size,
                                                  t.miss.stride,
                                                  t.hit.deviceAddress,
                                                  t.hit.size,
                                                  t.hit.stride,
                                                  t.callable.deviceAddress,
                                                  t.callable.size,
                                                  t.callable.stride,
                                                  RayScene::launches,
                                                  1,
                                                  1};
  const Buffer memory = gpu.buffer(sizeof(command));
  std::memcpy(memory.data, &command, sizeof(command));
  EXPECT_EQ(
      scene->run(pipeline, t,
                 [&](VkCommandBuffer c) { gpu.vk.CmdTraceRaysIndirect2KHR(c, memory.address); }),
      RayScene::expected());
}

TEST_P(RayApi, StackSizes) {
  const VkDynamicState dynamic = VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
  auto state = vkStruct<VkPipelineDynamicStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
  state.dynamicStateCount = 1;
  state.pDynamicStates = &dynamic;
  VkRayTracingPipelineCreateInfoKHR &info = scene->info();
  info.pDynamicState = &state;
  const VkPipeline pipeline = scene->create(info);
  auto size = [&](RayScene::Group group, VkShaderGroupShaderKHR shader) {
    return static_cast<uint32_t>(
        gpu.vk.GetRayTracingShaderGroupStackSizeKHR(gpu.device, pipeline, group, shader));
  };
  const uint32_t general = size(RayScene::rayGen, VK_SHADER_GROUP_SHADER_GENERAL_KHR);
  const uint32_t hit = std::max(size(RayScene::triangle, VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR),
                                size(RayScene::box, VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR));
  const uint32_t stack = general +
                         std::max({hit, size(RayScene::miss, VK_SHADER_GROUP_SHADER_GENERAL_KHR),
                                   size(RayScene::box, VK_SHADER_GROUP_SHADER_INTERSECTION_KHR)}) +
                         2 * size(RayScene::callable, VK_SHADER_GROUP_SHADER_GENERAL_KHR);
  EXPECT_LT(stack, 1u << 24);
  if (gpu.isKiln())
    EXPECT_GT(general, 0u); // the stack of a traversal
  const RayScene::Tables tables = scene->tables(pipeline);
  for (uint32_t bytes : {stack, 3 * stack + 1000})
    EXPECT_EQ(scene->run(pipeline, tables,
                         [&](VkCommandBuffer c) {
                           gpu.vk.CmdSetRayTracingPipelineStackSizeKHR(c, bytes);
                           scene->trace(c, tables);
                         }),
              RayScene::expected());
}

//===--- Ways to a pipeline -----------------------------------------------===//

TEST_P(RayApi, DeferredOperations) {
  if (gpu.isKiln() && !gpu.hasExtension(VK_EXT_PIPELINE_LIBRARY_GROUP_HANDLES_EXTENSION_NAME))
    GTEST_SKIP() << "old validation layers crash where nothing is deferred";
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDeferredOperationKHR(gpu.device, nullptr, &operation));
  VkPipeline pipeline = VK_NULL_HANDLE;
  const auto &info = scene->info();
  const VkResult created = gpu.vk.CreateRayTracingPipelinesKHR(
      gpu.device, operation, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  if (gpu.isKiln()) // lavapipe says VK_SUCCESS, which is for those without an operation
    EXPECT_EQ(created, VK_OPERATION_NOT_DEFERRED_KHR);
  if (created == VK_OPERATION_DEFERRED_KHR) {
    while (gpu.vk.GetDeferredOperationMaxConcurrencyKHR(gpu.device, operation) &&
           gpu.vk.DeferredOperationJoinKHR(gpu.device, operation) == VK_THREAD_IDLE_KHR)
      continue;
    VK_OK(gpu.vk.GetDeferredOperationResultKHR(gpu.device, operation));
  }
  gpu.vk.DestroyDeferredOperationKHR(gpu.device, operation, nullptr);
  gpu.destroyLater(pipeline);
  EXPECT_EQ(scene->run(pipeline, scene->tables(pipeline)), RayScene::expected());
}

/// A library with all groups but the first, which the pipeline itself brings.
TEST_P(RayApi, LibrariesAndTheirHandles) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME))
    GTEST_SKIP();
  auto interface = vkStruct<VkRayTracingPipelineInterfaceCreateInfoKHR>(
      VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR);
  interface.maxPipelineRayPayloadSize = 4;
  interface.maxPipelineRayHitAttributeSize = 8;
  VkRayTracingPipelineCreateInfoKHR info = scene->info();
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  info.pLibraryInterface = &interface;
  info.groupCount = RayScene::groupCount - 1;
  info.pGroups = scene->groups.data() + 1;
  const VkPipeline library = scene->create(info);
  auto libraries =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  libraries.libraryCount = 1;
  libraries.pLibraries = &library;
  VkRayTracingPipelineCreateInfoKHR &linked = scene->info();
  linked.pLibraryInterface = &interface;
  linked.pLibraryInfo = &libraries;
  linked.stageCount = linked.groupCount = 1;
  const VkPipeline pipeline = scene->create(linked);
  EXPECT_EQ(scene->run(pipeline, scene->tables(pipeline)), RayScene::expected());
  if (!gpu.hasExtension(VK_EXT_PIPELINE_LIBRARY_GROUP_HANDLES_EXTENSION_NAME))
    return;
  const size_t size = scene->limits.shaderGroupHandleSize;
  std::vector<uint8_t> own((RayScene::groupCount - 1) * size);
  VK_OK(gpu.vk.GetRayTracingShaderGroupHandlesKHR(gpu.device, library, 0, RayScene::groupCount - 1,
                                                  own.size(), own.data()));
  const std::vector<uint8_t> all = scene->handles(pipeline);
  EXPECT_TRUE(std::equal(own.begin(), own.end(), all.begin() + size));
}

/// Handles that are captured are the handles of the pipeline in the next run.
TEST_P(RayApi, CaptureAndReplay) {
  auto features = vkStruct<VkPhysicalDeviceRayTracingPipelineFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR);
  auto query =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &query);
  if (!features.rayTracingPipelineShaderGroupHandleCaptureReplay)
    GTEST_SKIP();
  constexpr VkPipelineCreateFlags replays =
      VK_PIPELINE_CREATE_RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_BIT_KHR;
  const size_t size = scene->limits.shaderGroupHandleCaptureReplaySize;
  std::vector<uint8_t> captured(RayScene::groupCount * size), all;
  {
    Gpu first(GetParam());
    RayScene made(first);
    VkRayTracingPipelineCreateInfoKHR &info = made.info();
    info.flags = replays;
    const VkPipeline pipeline = made.create(info);
    VK_OK(first.vk.GetRayTracingCaptureReplayShaderGroupHandlesKHR(
        first.device, pipeline, 0, RayScene::groupCount, captured.size(), captured.data()));
    all = made.handles(pipeline);
  }
  for (uint32_t i = 0; i < RayScene::groupCount; ++i)
    scene->groups[i].pShaderGroupCaptureReplayHandle = captured.data() + i * size;
  VkRayTracingPipelineCreateInfoKHR &info = scene->info();
  info.flags = replays;
  const VkPipeline pipeline = scene->create(info);
  EXPECT_EQ(scene->handles(pipeline), all);
  EXPECT_EQ(scene->run(pipeline, scene->tables(pipeline)), RayScene::expected());
  if (!gpu.isKiln())
    return;
  // That of another group.
  scene->groups[RayScene::miss].pShaderGroupCaptureReplayHandle = captured.data();
  scene->create(info, VK_NULL_HANDLE, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
}

/// Without a compiler: from a cache, by identifiers of modules, too.
TEST_P(RayApi, CachesAndIdentifiers) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "what must be found is the driver's choice";
  constexpr VkPipelineCreateFlags noCompile =
      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  auto cacheInfo =
      vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  std::vector<uint8_t> kept;
  {
    Gpu first(GetParam());
    RayScene made(first);
    VkPipelineCache cache = VK_NULL_HANDLE;
    VK_OK(first.vk.CreatePipelineCache(first.device, &cacheInfo, nullptr, &cache));
    made.create(made.info(Source::Module, nullptr, 3), cache);
    size_t size = 0;
    VK_OK(first.vk.GetPipelineCacheData(first.device, cache, &size, nullptr));
    kept.resize(size);
    VK_OK(first.vk.GetPipelineCacheData(first.device, cache, &size, kept.data()));
    first.vk.DestroyPipelineCache(first.device, cache, nullptr);
  }
  auto tryCreate = [&](Source source, uint32_t number, VkPipelineCache cache, VkResult expected) {
    VkRayTracingPipelineCreateInfoKHR &info = scene->info(source, nullptr, number);
    info.flags = noCompile;
    return scene->create(info, cache, expected);
  };
  tryCreate(Source::Module, 3, VK_NULL_HANDLE, VK_PIPELINE_COMPILE_REQUIRED);
  cacheInfo.initialDataSize = kept.size();
  cacheInfo.pInitialData = kept.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &cacheInfo, nullptr, &cache));
  tryCreate(Source::Module, 4, cache, VK_PIPELINE_COMPILE_REQUIRED);
  for (Source source : {Source::Module, Source::Inline, Source::Identifier}) {
    const VkPipeline pipeline = tryCreate(source, 3, cache, VK_SUCCESS);
    EXPECT_EQ(scene->run(pipeline, scene->tables(pipeline)), RayScene::expected(3));
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(RayApi, PipelinesComeFromBinaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP();
  Kept kept;
  Key key;
  {
    Gpu first(GetParam());
    RayScene made(first);
    const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
    const VkPipeline pipeline = made.create(made.info(Source::Module, &flags, 9));
    key = pipelineKey(first, &made.info(Source::Module, nullptr, 9));
    Binaries binaries(first);
    VK_OK(binaries.fromPipeline(pipeline));
    releaseCapturedData(first, pipeline);
    kept = binaries.keep();
  }
  EXPECT_EQ(pipelineKey(gpu, &scene->info(Source::Module, nullptr, 9)), key);
  EXPECT_NE(pipelineKey(gpu, &scene->info(Source::Module, nullptr, 8)), key);
  Binaries binaries(gpu);
  VK_OK(binaries.fromKept(kept));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  const Source source = gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME)
                            ? Source::Identifier
                            : Source::Module;
  const VkPipeline pipeline = scene->create(scene->info(source, &info, 9));
  EXPECT_EQ(scene->run(pipeline, scene->tables(pipeline)), RayScene::expected(9));
}

TEST_P(RayApi, Executables) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "what an executable is is the driver's choice";
  VkRayTracingPipelineCreateInfoKHR &create = scene->info();
  create.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                 VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  auto pipeline = vkStruct<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
  pipeline.pipeline = scene->create(create);
  auto executable = vkStruct<VkPipelineExecutablePropertiesKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR);
  uint32_t count = 1;
  VK_OK(gpu.vk.GetPipelineExecutablePropertiesKHR(gpu.device, &pipeline, &count, &executable));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(executable.stages,
            VkShaderStageFlags(VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                               VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
                               VK_SHADER_STAGE_INTERSECTION_BIT_KHR |
                               VK_SHADER_STAGE_CALLABLE_BIT_KHR));
  EXPECT_EQ(executable.subgroupSize, 32u);
  auto info = vkStruct<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
  info.pipeline = pipeline.pipeline;
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, nullptr));
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR, nullptr, {}, {}, {}, {}});
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, statistics.data()));
  const bool hasInstructions =
      std::any_of(statistics.begin(), statistics.end(), [](const auto &statistic) {
        return std::strcmp(statistic.name, "Instructions") == 0 && statistic.value.u64 > 100;
      });
  EXPECT_TRUE(hasInstructions);
  VK_OK(gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, nullptr));
  EXPECT_EQ(count, 2u); // IR and machine code
}

} // namespace
} // namespace api
