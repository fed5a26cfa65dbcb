// SPDX-License-Identifier: MIT
// VK_KHR_pipeline_binary: the sequences of its proposal document, orders and counts, and data that
// is not what its key says.
#include "Binaries.h"
#include <map>

namespace api {
namespace {

class BinaryApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
      GTEST_SKIP();
  }
};
API_TESTS_ON_ALL_DEVICES(BinaryApi);

/// Creates a pipeline, keeps its binaries as an application would, and destroys it. \p key: the
/// pipeline's.
template <typename Case> Kept capture(Gpu &gpu, Case &of, uint32_t number, Key *key = nullptr) {
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  VkPipeline pipeline = create(gpu, of.info(number, Source::Module, &flags));
  EXPECT_TRUE(of.works(pipeline, number));
  if (key)
    *key = pipelineKey(gpu, &of.info(number));
  Binaries binaries(gpu);
  VK_OK(binaries.fromPipeline(pipeline));
  EXPECT_GT(binaries.handles.size(), 0u);
  releaseCapturedData(gpu, pipeline);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  return binaries.keep();
}

/// Creates the pipeline from binaries alone.
template <typename Case>
void expectWorks(Gpu &gpu, Case &of, const Binaries &binaries, uint32_t number) {
  const VkPipelineBinaryInfoKHR info = binaries.info();
  VkPipeline pipeline = create(gpu, of.info(number, Source::None, &info));
  EXPECT_TRUE(of.works(pipeline, number)) << number;
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

/// Captured code is final, whatever constants it has.
template <typename Case> void roundTrip(Gpu &gpu, unsigned device, Constant constant) {
  std::map<Key, Kept> database;
  const Key global = pipelineKey(gpu, nullptr);
  {
    Case of(gpu, constant);
    for (uint32_t number : {1, 2}) {
      Key key;
      const Kept kept = capture(gpu, of, number, &key);
      EXPECT_EQ(database.count(key), 0u);
      database[key] = kept;
      // The same pipeline once more: the same keys and data.
      Key again;
      const Kept same = capture(gpu, of, number, &again);
      EXPECT_EQ(again, key);
      EXPECT_EQ(same.data, kept.data);
    }
  }
  EXPECT_EQ(database.size(), 2u);
  // The next run of the application.
  Gpu later(device);
  EXPECT_EQ(pipelineKey(later, nullptr), global);
  Case of(later, constant);
  for (uint32_t number : {1, 2}) {
    const auto found = database.find(pipelineKey(later, &of.info(number)));
    ASSERT_NE(found, database.end());
    Binaries binaries(later);
    VK_OK(binaries.fromKept(found->second));
    const Kept kept = binaries.keep();
    EXPECT_EQ(kept.data, found->second.data);
    expectWorks(later, of, binaries, number);
    expectWorks(later, of, binaries, number);
  }
}

TEST_P(BinaryApi, ComputePipelinesComeFromBinaries) {
  for (Constant constant : {Constant::Size, Constant::Value})
    roundTrip<ComputeCase>(gpu, GetParam(), constant);
}
TEST_P(BinaryApi, GraphicsPipelinesComeFromBinaries) {
  for (Constant constant : {Constant::Size, Constant::Value})
    roundTrip<DrawCase>(gpu, GetParam(), constant);
}

TEST_P(BinaryApi, PipelineKeysNeedNoSpirv) {
  ComputeCase compute(gpu);
  const Key key = pipelineKey(gpu, &compute.info(1));
  EXPECT_EQ(pipelineKey(gpu, &compute.info(1, Source::Inline)), key);
  EXPECT_NE(pipelineKey(gpu, &compute.info(2)), key);
  EXPECT_NE(pipelineKey(gpu, nullptr), key);
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  EXPECT_EQ(pipelineKey(gpu, &compute.info(1, Source::Module, &flags)), key);
  if (gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME)) {
    EXPECT_EQ(pipelineKey(gpu, &compute.info(1, Source::Identifier)), key);
    DrawCase draw(gpu);
    EXPECT_EQ(pipelineKey(gpu, &draw.info(1, Source::Identifier)), pipelineKey(gpu, &draw.info(1)));
  }
}

TEST_P(BinaryApi, BinariesOutliveTheirPipelinesAndTheOtherWayRound) {
  ComputeCase compute(gpu);
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  VkPipeline pipeline = create(gpu, compute.info(5, Source::Module, &flags));
  Binaries binaries(gpu);
  VK_OK(binaries.fromPipeline(pipeline));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  const VkPipelineBinaryInfoKHR info = binaries.info();
  pipeline = create(gpu, compute.info(5, Source::None, &info));
  const Kept kept = binaries.keep();
  binaries.destroy();
  EXPECT_TRUE(compute.works(pipeline, 5));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  // A pipeline from binaries may be captured again.
  VK_OK(binaries.fromKept(kept));
  auto chained = captureData();
  const VkPipelineBinaryInfoKHR second = binaries.info();
  chained.pNext = &second;
  pipeline = create(gpu, compute.info(5, Source::None, &chained));
  Binaries again(gpu);
  VK_OK(again.fromPipeline(pipeline));
  EXPECT_EQ(again.keep().data, kept.data);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

TEST_P(BinaryApi, CountsAndSizes) {
  ComputeCase compute(gpu);
  const Kept one = capture(gpu, compute, 1), two = capture(gpu, compute, 2);
  // More binaries than there is room for.
  Kept both = one;
  both.keys.insert(both.keys.end(), two.keys.begin(), two.keys.end());
  both.data.insert(both.data.end(), two.data.begin(), two.data.end());
  std::vector<VkPipelineBinaryDataKHR> data;
  for (Data &bytes : both.data)
    data.push_back({bytes.size(), bytes.data()});
  const VkPipelineBinaryKeysAndDataKHR list = {uint32_t(data.size()), both.keys.data(),
                                               data.data()};
  auto info =
      vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
  info.pKeysAndDataInfo = &list;
  auto handles =
      vkStruct<VkPipelineBinaryHandlesInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR);
  VK_OK(gpu.vk.CreatePipelineBinariesKHR(gpu.device, &info, nullptr, &handles));
  EXPECT_EQ(handles.pipelineBinaryCount, data.size());
  VkPipelineBinaryKHR made[4] = {};
  handles.pPipelineBinaries = made;
  if (gpu.isKiln()) { // RADV takes the count for granted
    handles.pipelineBinaryCount = 1;
    EXPECT_EQ(gpu.vk.CreatePipelineBinariesKHR(gpu.device, &info, nullptr, &handles),
              VK_INCOMPLETE);
    EXPECT_EQ(handles.pipelineBinaryCount, 1u);
    EXPECT_NE(made[0], VkPipelineBinaryKHR(VK_NULL_HANDLE));
    EXPECT_EQ(made[1], VkPipelineBinaryKHR(VK_NULL_HANDLE));
    gpu.vk.DestroyPipelineBinaryKHR(gpu.device, made[0], nullptr);
  }
  gpu.vk.DestroyPipelineBinaryKHR(gpu.device, VK_NULL_HANDLE, nullptr);
  // Too little room for data: the size that is needed comes back.
  Binaries binaries(gpu);
  VK_OK(binaries.fromKept(one));
  auto query =
      vkStruct<VkPipelineBinaryDataInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR);
  query.pipelineBinary = binaries.handles[0];
  VkPipelineBinaryKeyKHR key = emptyKey();
  Data room(one.data[0].size(), 0);
  size_t size = room.size() - 1;
  EXPECT_EQ(gpu.vk.GetPipelineBinaryDataKHR(gpu.device, &query, &key, &size, room.data()),
            VK_ERROR_NOT_ENOUGH_SPACE_KHR);
  EXPECT_EQ(size, room.size());
  EXPECT_EQ(bytesOf(key), bytesOf(one.keys[0]));
}

TEST_P(BinaryApi, TheDriversCacheHasWhatWasCompiled) {
  VkPhysicalDevicePipelineBinaryPropertiesKHR binary = {};
  binary.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_PROPERTIES_KHR;
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &binary);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  if (!binary.pipelineBinaryInternalCache)
    GTEST_SKIP();
  ComputeCase compute(gpu);
  DrawCase draw(gpu);
  // Numbers that no other test has, since there may be a cache on disk.
  const auto number = uint32_t(std::rand()) + 1000;
  Binaries binaries(gpu);
  EXPECT_EQ(binaries.fromCache(&compute.info(number)), VK_PIPELINE_BINARY_MISSING_KHR);
  EXPECT_EQ(binaries.fromCache(&draw.info(number)), VK_PIPELINE_BINARY_MISSING_KHR);
  VkPipeline pipeline = create(gpu, compute.info(number));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  pipeline = create(gpu, draw.info(number));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  const VkResult found = binaries.fromCache(&compute.info(number));
  EXPECT_TRUE(found == VK_SUCCESS || !gpu.isKiln());
  if (found != VK_SUCCESS)
    return;
  expectWorks(gpu, compute, binaries, number);
  binaries.destroy();
  VK_OK(binaries.fromCache(&draw.info(number, Source::Identifier)));
  expectWorks(gpu, draw, binaries, number);
}

TEST_P(BinaryApi, TheDriversCacheCanBeSwitchedOff) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  auto off = vkStruct<VkDevicePipelineBinaryInternalCacheControlKHR>(
      VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR);
  off.disableInternalCache = VK_TRUE;
  Gpu without(GetParam(), &off);
  ComputeCase compute(without);
  Key key;
  const Kept kept = capture(without, compute, 1, &key);
  Binaries binaries(without);
  EXPECT_EQ(binaries.fromCache(&compute.info(1)), VK_PIPELINE_BINARY_MISSING_KHR);
  VK_OK(binaries.fromKept(kept));
  expectWorks(without, compute, binaries, 1);
  // It changes no code.
  ComputeCase same(gpu);
  EXPECT_EQ(pipelineKey(gpu, &same.info(1)), key);
}

TEST_P(BinaryApi, DamagedDataIsAnError) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others crash
  ComputeCase compute(gpu);
  DrawCase draw(gpu);
  const Kept sound[] = {capture(gpu, compute, 1), capture(gpu, draw, 1)};
  Binaries binaries(gpu);
  for (const Kept &kept : sound) {
    auto expectError = [&](const Kept &damaged, size_t at) {
      EXPECT_EQ(binaries.fromKept(damaged), VK_ERROR_INITIALIZATION_FAILED) << at;
      EXPECT_EQ(binaries.handles.at(0), VkPipelineBinaryKHR(VK_NULL_HANDLE)) << at;
    };
    const size_t size = kept.data[0].size();
    for (size_t at = 0; at < size; at += 1 + size / 500) {
      Kept damaged = kept;
      damaged.data[0][at] ^= uint8_t(1 << (at % 8));
      expectError(damaged, at);
      damaged = kept;
      damaged.data[0].resize(at ? at : 1);
      expectError(damaged, at);
    }
    for (size_t at = 0; at < kept.keys[0].keySize; ++at) {
      Kept damaged = kept;
      damaged.keys[0].key[at] ^= 4;
      expectError(damaged, at);
    }
    Kept damaged = kept;
    damaged.keys[0].keySize = 0;
    expectError(damaged, 0);
  }
  // Of several, those that are sound are made.
  Kept both = sound[0];
  both.keys.push_back(sound[1].keys[0]);
  both.data.push_back(sound[1].data[0]);
  both.data[0][20] ^= 1;
  EXPECT_LT(binaries.fromKept(both), 0);
  EXPECT_EQ(binaries.handles[0], VkPipelineBinaryKHR(VK_NULL_HANDLE));
  EXPECT_NE(binaries.handles[1], VkPipelineBinaryKHR(VK_NULL_HANDLE));
  // Sound ones that belong to another pipeline, or to none.
  const VkPipelineBinaryInfoKHR drawInfo = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 1,
                                            &binaries.handles[1]};
  create(gpu, compute.info(1, Source::None, &drawInfo), VK_NULL_HANDLE, VK_ERROR_UNKNOWN);
  const VkPipelineBinaryKHR twice[] = {binaries.handles[1], binaries.handles[1]};
  const VkPipelineBinaryInfoKHR twiceInfo = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, nullptr, 2,
                                             twice};
  create(gpu, draw.info(1, Source::None, &twiceInfo), VK_NULL_HANDLE, VK_ERROR_UNKNOWN);
}

TEST_P(BinaryApi, CodeOfAnotherGpuIsAnError) {
  if (!gpu.isKiln() || Gpu::deviceNames().size() < 2)
    GTEST_SKIP();
  Gpu other((GetParam() + 1) % unsigned(Gpu::deviceNames().size()));
  ComputeCase compute(gpu), strange(other);
  EXPECT_NE(pipelineKey(other, nullptr), pipelineKey(gpu, nullptr));
  EXPECT_NE(pipelineKey(other, &strange.info(1)), pipelineKey(gpu, &compute.info(1)));
  Binaries binaries(other);
  EXPECT_LT(binaries.fromKept(capture(gpu, compute, 1)), 0);
}

TEST_P(BinaryApi, DataMustBeCaptured) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // not valid usage
  ComputeCase compute(gpu);
  VkPipeline pipeline = create(gpu, compute.info(1));
  Binaries binaries(gpu);
  EXPECT_LT(binaries.fromPipeline(pipeline), 0);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  pipeline = create(gpu, compute.info(1, Source::Module, &flags));
  releaseCapturedData(gpu, pipeline);
  EXPECT_LT(binaries.fromPipeline(pipeline), 0);
  EXPECT_TRUE(compute.works(pipeline, 1));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

} // namespace
} // namespace api
