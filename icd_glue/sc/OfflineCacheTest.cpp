//===- OfflineCacheTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
// Pipelines out of caches of Vulkan SC: found by identifier, used where they lie, and never wrong.
// What the code computes is tested in test/api, with caches that kiln-pcc has made.
#include "icd_glue/sc/OfflineCache.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/KeysForTest.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/sc/CacheWriter.h"
#include "test/vulkan/GraphicsInfo.h"
#include <random>

namespace icd {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr VkPipelineCacheCreateFlags inPlace = sc::cacheReadOnly | sc::cacheUsesApplicationStorage;
constexpr uint64_t memoryBytes = 4096;

sc::Uuid identifier(uint8_t number) {
  sc::Uuid uuid;
  for (size_t i = 0; i < uuid.size(); ++i)
    uuid[i] = static_cast<uint8_t>(number * 16 + i);
  return uuid;
}

sc::OfflineInfo offlineInfo(uint8_t number) {
  sc::OfflineInfo info;
  llvm::copy(identifier(number), info.pipelineIdentifier);
  info.poolEntrySize = memoryBytes;
  return info;
}

class OfflineCache : public Keys {
protected:
  void SetUp() override {
    setenv("KILN_PARTS", "off", 1); // read when an instance is created
    Keys::SetUp();
    unsetenv("KILN_PARTS");
    for (int i = 0; i < 2; ++i)
      elves.push_back(compile(i + 1));
  }
  void TearDown() override {
    for (VkPipeline pipeline : pipelines)
      DestroyPipeline(device, pipeline, nullptr);
    Keys::TearDown();
  }

  /// The driver's own code of a shader.
  Bytes compile(int number, VkPipelineCache cache = VK_NULL_HANDLE, const void *next = nullptr) {
    auto info =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, next);
    const Spirv spirv = shader("comp", number);
    info.stage.module = module(spirv);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(CreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    pipelines.push_back(pipeline);
    return fromHandle<Pipeline>(pipeline)->data->code(object())->elf().vec();
  }

  /// A cache with the pipelines 0 and 1.
  Bytes cacheData() {
    sc::Header header;
    header.vendorId = object().physicalDevice().coreProperties().vendorID;
    header.deviceId = object().physicalDevice().coreProperties().deviceID;
    header.uuid = sc::cacheUuid(object().target().name);
    std::vector<sc::Entry> entries(elves.size());
    for (size_t i = 0; i < elves.size(); ++i) {
      entries[i].identifier = identifier(static_cast<uint8_t>(i));
      entries[i].memoryBytes = memoryBytes;
      entries[i].elf = elves[i];
      entries[i].stages = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    return icd::sc::writeCache(header, entries);
  }

  VkResult tryOpen(llvm::ArrayRef<uint8_t> data, VkPipelineCache &cache,
                   VkPipelineCacheCreateFlags flags = inPlace) {
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.flags = flags;
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    return CreatePipelineCache(device, &info, nullptr, &cache);
  }
  VkPipelineCache open(llvm::ArrayRef<uint8_t> data, VkPipelineCacheCreateFlags flags = inPlace) {
    VkPipelineCache cache = VK_NULL_HANDLE;
    EXPECT_EQ(tryOpen(data, cache, flags), VK_SUCCESS);
    return cache;
  }

  /// A compute pipeline without a shader.
  VkResult tryCreate(VkPipelineCache cache, const void *next, VkPipeline &pipeline,
                     VkPipelineCreateFlags2KHR flags = 0) {
    auto info =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    auto more = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, const_cast<void *>(next));
    more.flags = flags;
    info.pNext = &more;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkResult result = CreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline);
    EXPECT_EQ(pipeline != VK_NULL_HANDLE, result == VK_SUCCESS);
    return result;
  }
  VkPipeline create(VkPipelineCache cache, uint8_t number, VkPipelineCreateFlags2KHR flags = 0) {
    const sc::OfflineInfo info = offlineInfo(number);
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(tryCreate(cache, &info, pipeline, flags), VK_SUCCESS);
    pipelines.push_back(pipeline);
    return pipeline;
  }

  const CodeObject *codeOf(VkPipeline pipeline) {
    return fromHandle<Pipeline>(pipeline)->data->code(object());
  }
  bool saysLast(const char *text) {
    return !messages.empty() && messages.back().find(text) != std::string::npos;
  }

  std::vector<Bytes> elves;
  std::vector<VkPipeline> pipelines;
};

TEST_F(OfflineCache, FindsPipelinesAndNeedsItsDataOnlyWhileItLives) {
  const uint64_t compiled = object().counters().compiled;
  Bytes data = cacheData();
  const Bytes before = data;
  VkPipelineCache cache = open(data);
  VkPipelineCreationFeedback said = {};
  auto feedback = vkStruct<VkPipelineCreationFeedbackCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  feedback.pPipelineCreationFeedback = &said;
  sc::OfflineInfo info = offlineInfo(1);
  info.pNext = &feedback;
  VkPipeline second = VK_NULL_HANDLE;
  ASSERT_EQ(tryCreate(cache, &info, second), VK_SUCCESS);
  pipelines.push_back(second);
  EXPECT_TRUE(said.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT);
  VkPipeline first = create(cache, 0);
  EXPECT_EQ(codeOf(second), codeOf(create(cache, 1))) << "pipelines share code";
  EXPECT_NE(codeOf(second), codeOf(first));
  EXPECT_EQ(data, before);
  EXPECT_EQ(object().counters().compiled, compiled) << "no compiler";
  // Nothing of the code is kept that is not in the device.
  EXPECT_TRUE(codeOf(first)->elf().empty());
  DestroyPipelineCache(device, cache, nullptr);
  std::fill(data.begin(), data.end(), 0xFF);
  const PipelineData &kept = *fromHandle<Pipeline>(first)->data;
  EXPECT_NE(kept.program(object()), nullptr);
  ASSERT_EQ(kept.executables(object()).size(), 1u);
  EXPECT_GT(kept.executables(object())[0].statistics.codeBytes, 0u);
  EXPECT_TRUE(messages.empty()) << messages.front();
}

TEST_F(OfflineCache, IsCopiedUnlessTheApplicationKeepsIt) {
  Bytes data = cacheData();
  VkPipelineCache cache = open(data, sc::cacheReadOnly);
  VkPipelineCache byHeader = open(data, 0);
  std::fill(data.begin(), data.end(), 0xFF);
  create(cache, 0);
  create(byHeader, 1);
  DestroyPipelineCache(device, cache, nullptr);
  DestroyPipelineCache(device, byHeader, nullptr);
}

TEST_F(OfflineCache, GivesItsDataAndIsNotMerged) {
  const Bytes data = cacheData();
  VkPipelineCache cache = open(data), other = open({}, 0);
  size_t size = 0;
  EXPECT_EQ(GetPipelineCacheData(device, cache, &size, nullptr), VK_SUCCESS);
  Bytes read(size);
  EXPECT_EQ(GetPipelineCacheData(device, cache, &size, read.data()), VK_SUCCESS);
  EXPECT_EQ(read, data);
  --size;
  EXPECT_EQ(GetPipelineCacheData(device, cache, &size, read.data()), VK_INCOMPLETE);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(MergePipelineCaches(device, other, 1, &cache), VK_ERROR_UNKNOWN);
  EXPECT_EQ(MergePipelineCaches(device, cache, 1, &other), VK_ERROR_UNKNOWN);
  EXPECT_TRUE(saysLast("cannot be merged"));
  DestroyPipelineCache(device, cache, nullptr);
  DestroyPipelineCache(device, other, nullptr);
}

TEST_F(OfflineCache, KeepsTheCodeOfPipelinesWithCapturedData) {
  VkPipelineCache cache = open(cacheData(), sc::cacheReadOnly);
  VkPipeline pipeline = create(cache, 0, VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
  EXPECT_EQ(codeOf(pipeline)->elf().vec(), elves[0]);
  DestroyPipelineCache(device, cache, nullptr);
}

TEST_F(OfflineCache, SaysWhatCannotBeFound) {
  const Bytes data = cacheData();
  VkPipelineCache cache = open(data);
  auto expect = [&](const void *next, VkResult result, const char *text) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(tryCreate(cache, next, pipeline), result) << text;
    EXPECT_TRUE(saysLast(text)) << text << ": " << (messages.empty() ? "" : messages.back());
  };
  expect(nullptr, sc::errorNoPipelineMatch, "has no VkPipelineOfflineCreateInfo");
  sc::OfflineInfo info = offlineInfo(2);
  expect(&info, sc::errorNoPipelineMatch, "no pipeline 20212223-2425-2627-2829-2a2b2c2d2e2f");
  info = offlineInfo(0);
  info.matchControl = 1;
  expect(&info, sc::errorNoPipelineMatch, "VkPipelineMatchControl 1");
  info = offlineInfo(0);
  info.poolEntrySize = memoryBytes - 1;
  expect(&info, VK_ERROR_OUT_OF_POOL_MEMORY, "poolEntrySize is 4095");
  // Graphics pipelines: of other stages, and libraries.
  info = offlineInfo(0);
  vktest::GraphicsInfo graphics;
  graphics.info.pNext = &info;
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, VK_NULL_HANDLE);
  graphics.raster.rasterizerDiscardEnable = VK_TRUE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(CreateGraphicsPipelines(device, cache, 1, &graphics.done(), nullptr, &pipeline),
            sc::errorNoPipelineMatch);
  EXPECT_TRUE(saysLast("has the stages 0x20 in the pipeline cache, not 0x1")) << messages.back();
  graphics.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  EXPECT_EQ(CreateGraphicsPipelines(device, cache, 1, &graphics.done(), nullptr, &pipeline),
            VK_ERROR_UNKNOWN);
  EXPECT_TRUE(saysLast("pipeline libraries")) << messages.back();
  DestroyPipelineCache(device, cache, nullptr);
}

TEST_F(OfflineCache, RefusesCachesForOtherDevices) {
  struct Row {
    size_t place;
    const char *text;
  };
  for (const Row &row :
       {Row{0, "headerSize"}, Row{4, "headerVersion"}, Row{8, "of vendor"}, Row{12, "for device"},
        Row{16, "its UUID"}, Row{31, "its UUID"}, Row{32, "validationVersion"}}) {
    Bytes data = cacheData();
    data[row.place] ^= 1;
    VkPipelineCache cache = VK_NULL_HANDLE;
    EXPECT_EQ(tryOpen(data, cache), sc::errorInvalidCacheData) << row.text;
    EXPECT_TRUE(saysLast(row.text)) << row.text << ": " << messages.back();
    EXPECT_EQ(cache, VkPipelineCache(VK_NULL_HANDLE));
  }
  VkPipelineCache cache = VK_NULL_HANDLE;
  EXPECT_EQ(tryOpen({}, cache), sc::errorInvalidCacheData);
}

/// To Vulkan, which knows nothing of the flags.
TEST_F(OfflineCache, OtherDevicesCachesAreNoneWithoutTheFlags) {
  const auto dataOf = [&](VkPipelineCache cache) {
    size_t size = 0;
    EXPECT_EQ(GetPipelineCacheData(device, cache, &size, nullptr), VK_SUCCESS);
    Bytes data(size);
    EXPECT_EQ(GetPipelineCacheData(device, cache, &size, data.data()), VK_SUCCESS);
    return data;
  };
  VkPipelineCache ordinary = open({}, 0);
  const Bytes empty = dataOf(ordinary);
  for (size_t place : {0, 8, 12, 16, 32, 48, 60, 500}) {
    Bytes data = cacheData();
    data[place] ^= 1;
    VkPipelineCache cache = open(data, 0);
    EXPECT_EQ(dataOf(cache), empty) << place;
    const sc::OfflineInfo info = offlineInfo(0);
    EXPECT_EQ(compile(1, cache, &info), elves[0]) << place;
    EXPECT_GT(dataOf(cache).size(), empty.size()) << place;
    DestroyPipelineCache(device, cache, nullptr);
  }
  EXPECT_TRUE(messages.empty()) << messages.front();
  DestroyPipelineCache(device, ordinary, nullptr);
}

/// As Vulkan SC wants it: before there is a device.
TEST_F(OfflineCache, DevicesAreNotCreatedWithBadCaches) {
  Bytes data = cacheData();
  auto cache = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  cache.flags = inPlace;
  cache.initialDataSize = data.size();
  cache.pInitialData = data.data();
  sc::ReservationInfo reservation;
  reservation.pipelineCacheCreateInfoCount = 1;
  reservation.pPipelineCacheCreateInfos = &cache;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &reservation);
  for (size_t place : {0, 8, 12, 16}) {
    data[place] ^= 1;
    VkDevice made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateDevice(physicalDevice, &info, nullptr, &made), sc::errorInvalidCacheData);
    EXPECT_TRUE(saysLast("pipeline cache")) << place;
    data[place] ^= 1;
  }
  VkDevice made = VK_NULL_HANDLE;
  EXPECT_EQ(CreateDevice(physicalDevice, &info, nullptr, &made), VK_SUCCESS);
  DestroyDevice(made, nullptr);
}

TEST_F(OfflineCache, PipelinesTakeEntriesOfPoolsAndGiveThemBack) {
  const Bytes data = cacheData();
  const sc::PoolSize sizes[] = {{.poolEntrySize = memoryBytes, .poolEntryCount = 1},
                                {.poolEntrySize = 3 * memoryBytes, .poolEntryCount = 0}};
  sc::ReservationInfo reservation, more;
  reservation.pNext = &more;
  reservation.pipelinePoolSizeCount = more.pipelinePoolSizeCount = 1;
  reservation.pPipelinePoolSizes = &sizes[0];
  more.pipelinePoolSizeCount = 2;
  more.pPipelinePoolSizes = sizes;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &reservation);
  const VkDevice before = device;
  ASSERT_EQ(CreateDevice(physicalDevice, &info, nullptr, &device), VK_SUCCESS);
  VkPipelineCache cache = open(data);
  auto expect = [&](uint64_t bytes, VkResult result, const char *text) {
    sc::OfflineInfo offline = offlineInfo(0);
    offline.poolEntrySize = bytes;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(tryCreate(cache, &offline, pipeline), result) << bytes;
    EXPECT_TRUE(result == VK_SUCCESS || saysLast(text)) << messages.back();
    return pipeline;
  };
  expect(2 * memoryBytes, VK_ERROR_OUT_OF_POOL_MEMORY, "without pipeline pool entries of 8192");
  expect(3 * memoryBytes, VK_ERROR_OUT_OF_POOL_MEMORY, "no more pipeline pool entries of 12288");
  for (int i = 0; i < 3; ++i) {
    VkPipeline first = expect(memoryBytes, VK_SUCCESS, "");
    VkPipeline second = expect(memoryBytes, VK_SUCCESS, "");
    expect(memoryBytes, VK_ERROR_OUT_OF_POOL_MEMORY, "no more pipeline pool entries of 4096");
    DestroyPipeline(device, first, nullptr);
    DestroyPipeline(device, second, nullptr);
  }
  DestroyPipelineCache(device, cache, nullptr);
  DestroyDevice(device, nullptr);
  device = before;
}

TEST_F(OfflineCache, EveryDamagedByteIsAnErrorOrChangesNoCode) {
  const Bytes good = cacheData();
  unsigned same = 0;
  size_t refused = 0;
  for (size_t place = 0; place < good.size(); ++place) {
    Bytes data = good;
    data[place] ^= static_cast<uint8_t>(1 << place % 8);
    VkPipelineCache cache = VK_NULL_HANDLE;
    const VkResult opened = tryOpen(data, cache);
    if (opened != VK_SUCCESS) {
      EXPECT_EQ(opened, sc::errorInvalidCacheData) << place;
      ++refused;
      continue;
    }
    for (uint8_t number = 0; number < 2; ++number) {
      const sc::OfflineInfo info = offlineInfo(number);
      VkPipeline pipeline = VK_NULL_HANDLE;
      const VkResult result =
          tryCreate(cache, &info, pipeline, VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
      if (result != VK_SUCCESS) {
        EXPECT_EQ(result, sc::errorNoPipelineMatch) << place;
        continue;
      }
      ++same;
      ASSERT_EQ(codeOf(pipeline)->elf().vec(), elves[number]) << place;
      DestroyPipeline(device, pipeline, nullptr);
    }
    DestroyPipelineCache(device, cache, nullptr);
  }
  // A cache may have fewer pipelines, places of debug information, and zeros between things.
  EXPECT_GT(refused, good.size() * 9 / 10);
  EXPECT_GT(same, 0u);
}

TEST_F(OfflineCache, EveryTruncationIsAnError) {
  const Bytes good = cacheData();
  for (size_t size = 0; size < good.size(); ++size) {
    const Bytes data(good.begin(), good.begin() + static_cast<ptrdiff_t>(size));
    VkPipelineCache cache = VK_NULL_HANDLE;
    ASSERT_EQ(tryOpen(data, cache), sc::errorInvalidCacheData) << size;
  }
}

/// What is damaged on purpose, with a hash that fits: the device's loader finds it.
TEST_F(OfflineCache, HostileCodeIsAnErrorOfTheLoader) {
  std::mt19937 random(1);
  const Bytes good = elves[0];
  unsigned refused = 0;
  for (unsigned run = 0; run < 300; ++run) {
    elves[0] = good;
    for (unsigned i = 0; i < 1 + run % 4; ++i)
      elves[0][random() % good.size()] = static_cast<uint8_t>(random());
    if (run % 10 == 0)
      elves[0].resize(1 + random() % good.size());
    const Bytes data = cacheData();
    VkPipelineCache cache = open(data);
    const sc::OfflineInfo info = offlineInfo(0);
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = tryCreate(cache, &info, pipeline);
    EXPECT_TRUE(result == VK_SUCCESS || result == VK_ERROR_UNKNOWN);
    refused += result != VK_SUCCESS;
    DestroyPipeline(device, pipeline, nullptr);
    DestroyPipelineCache(device, cache, nullptr);
  }
  EXPECT_GE(refused, 30u);
}

/// An address that is aligned to nothing.
TEST_F(OfflineCache, DataMayLieAnywhere) {
  const Bytes data = cacheData();
  Bytes moved(data.size() + 1);
  std::copy(data.begin(), data.end(), moved.begin() + 1);
  VkPipelineCache cache = open(llvm::ArrayRef<uint8_t>(moved).drop_front());
  create(cache, 0);
  create(cache, 1);
  DestroyPipelineCache(device, cache, nullptr);
}

TEST_F(OfflineCache, IdentifiersMeanNothingToOtherCaches) {
  VkPipelineCache cache = open({}, 0);
  const sc::OfflineInfo offline = offlineInfo(0);
  EXPECT_EQ(compile(1, cache, &offline), elves[0]);
  DestroyPipelineCache(device, cache, nullptr);
}

} // namespace
} // namespace icd
