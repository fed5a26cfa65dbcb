//===- Binaries.h - pipeline binaries as an application handles them ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Pipelines.h"

namespace api {

using Key = std::vector<uint8_t>;
using Data = std::vector<uint8_t>;

inline VkPipelineBinaryKeyKHR emptyKey() {
  return vkStruct<VkPipelineBinaryKeyKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR);
}
inline Key bytesOf(const VkPipelineBinaryKeyKHR &key) {
  return Key(key.key, key.key + key.keySize);
}

/// Null: the global key.
inline Key pipelineKey(Gpu &gpu, const void *createInfo) {
  VkPipelineBinaryKeyKHR key = emptyKey();
  auto info =
      vkStruct<VkPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, createInfo);
  VK_OK(gpu.vk.GetPipelineKeyKHR(gpu.device, createInfo ? &info : nullptr, &key));
  EXPECT_GT(key.keySize, 0u);
  EXPECT_LE(key.keySize, uint32_t(VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR));
  return bytesOf(key);
}

/// Binaries as an application keeps them.
struct Kept {
  std::vector<VkPipelineBinaryKeyKHR> keys;
  std::vector<Data> data;
};

struct Binaries {
  explicit Binaries(Gpu &gpu) : gpu(gpu) {}
  ~Binaries() { destroy(); }
  Binaries(const Binaries &) = delete;

  VkResult make(const VkPipelineBinaryCreateInfoKHR &info) {
    auto list = vkStruct<VkPipelineBinaryHandlesInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR);
    VkResult result = gpu.vk.CreatePipelineBinariesKHR(gpu.device, &info, nullptr, &list);
    if (result != VK_SUCCESS)
      return result;
    handles.assign(list.pipelineBinaryCount, VK_NULL_HANDLE);
    list.pPipelineBinaries = handles.data();
    return gpu.vk.CreatePipelineBinariesKHR(gpu.device, &info, nullptr, &list);
  }
  VkResult fromPipeline(VkPipeline pipeline) {
    auto info =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    info.pipeline = pipeline;
    return make(info);
  }
  VkResult fromCache(const void *createInfo) {
    auto pipeline =
        vkStruct<VkPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, createInfo);
    auto info =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    info.pPipelineCreateInfo = &pipeline;
    return make(info);
  }
  VkResult fromKept(const Kept &kept) {
    std::vector<VkPipelineBinaryDataKHR> data;
    for (const Data &bytes : kept.data)
      data.push_back({bytes.size(), const_cast<uint8_t *>(bytes.data())});
    const VkPipelineBinaryKeysAndDataKHR list = {uint32_t(data.size()), kept.keys.data(),
                                                 data.data()};
    auto info =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    info.pKeysAndDataInfo = &list;
    return make(info);
  }
  Kept keep() const {
    Kept kept;
    for (VkPipelineBinaryKHR handle : handles) {
      auto info =
          vkStruct<VkPipelineBinaryDataInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR);
      info.pipelineBinary = handle;
      VkPipelineBinaryKeyKHR key = emptyKey(), again = emptyKey();
      size_t size = 0;
      VK_OK(gpu.vk.GetPipelineBinaryDataKHR(gpu.device, &info, &key, &size, nullptr));
      Data data(size + 8, 0xEE);
      VK_OK(gpu.vk.GetPipelineBinaryDataKHR(gpu.device, &info, &again, &size, data.data()));
      EXPECT_EQ(bytesOf(key), bytesOf(again));
      EXPECT_EQ(data[size], 0xEE);
      data.resize(size);
      kept.keys.push_back(key);
      kept.data.push_back(data);
    }
    return kept;
  }
  /// For pipelines.
  VkPipelineBinaryInfoKHR info() const {
    auto info = vkStruct<VkPipelineBinaryInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    info.binaryCount = uint32_t(handles.size());
    info.pPipelineBinaries = handles.data();
    return info;
  }
  void destroy() {
    for (VkPipelineBinaryKHR handle : handles)
      gpu.vk.DestroyPipelineBinaryKHR(gpu.device, handle, nullptr);
    handles.clear();
  }

  Gpu &gpu;
  std::vector<VkPipelineBinaryKHR> handles;
};

inline VkPipelineCreateFlags2CreateInfoKHR captureData() {
  auto flags = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
  flags.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  return flags;
}

inline void releaseCapturedData(Gpu &gpu, VkPipeline pipeline) {
  auto release = vkStruct<VkReleaseCapturedPipelineDataInfoKHR>(
      VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR);
  release.pipeline = pipeline;
  VK_OK(gpu.vk.ReleaseCapturedPipelineDataKHR(gpu.device, &release, nullptr));
}

} // namespace api
