// SPDX-License-Identifier: MIT
// Creating pipelines and asking about them.
#include "Pipelines.h"
#include <cstdlib>
#include <cstring>
#include <thread>

namespace api {
namespace {

using PipelineApi = ApiTest;
API_TESTS_ON_ALL_DEVICES(PipelineApi);

const std::vector<Binding> oneBuffer = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};

const char *const specShader = R"(#version 450
layout(local_size_x_id = 7) in;
layout(constant_id = 3) const uint k = 1;
layout(constant_id = 4) const bool on = false;
layout(constant_id = 5) const float f = 0.5;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  atomicAdd(b[0], 1);
  b[1] = k;
  b[2] = on ? 1 : 0;
  b[3] = uint(f * 4);
}
)";

TEST_P(PipelineApi, SpecializationReachesConstantsAndWorkgroupSize) {
  struct Data {
    uint32_t size = 9, k = 41;
    VkBool32 on = VK_TRUE;
    float f = 2.5;
  } data;
  VkSpecializationMapEntry entries[] = {{5, offsetof(Data, f), 4},
                                        {3, offsetof(Data, k), 4},
                                        {4, offsetof(Data, on), 4},
                                        {7, offsetof(Data, size), 4},
                                        {99, 0, 4}};
  VkSpecializationInfo info = {5, entries, sizeof(data), &data};
  VkDescriptorSetLayout setLayout = gpu.setLayout(oneBuffer);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(specShader, layout, &info);
  VkDescriptorSet set = gpu.set(setLayout, oneBuffer);
  Buffer b = gpu.buffer(16);
  gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {b});
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(b.data[0], 9u);
  EXPECT_EQ(b.data[1], 41u);
  EXPECT_EQ(b.data[2], 1u);
  EXPECT_EQ(b.data[3], 10u);
}

TEST_P(PipelineApi, SubgroupSizesAreWhatWasAskedFor) {
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {};
  sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroup = {};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  subgroup.pNext = &sizes;
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroup;
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  VkDescriptorSetLayout setLayout = gpu.setLayout(oneBuffer);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkShaderModule module = gpu.module(R"(#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint lanes = subgroupBallotBitCount(subgroupBallot(true));
  if (gl_LocalInvocationIndex == 0) {
    b[0] = gl_SubgroupSize;
    b[1] = lanes;
    b[2] = gl_NumSubgroups;
  }
}
)");
  auto test = [&](uint32_t required) {
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {};
    size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    size.requiredSubgroupSize = required;
    VkComputePipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.pNext = required ? &size : nullptr;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    VkDescriptorSet set = gpu.set(setLayout, oneBuffer);
    Buffer b = gpu.buffer(16);
    gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {b});
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
    uint32_t expected = required ? required : subgroup.subgroupSize;
    EXPECT_EQ(b.data[0], expected);
    EXPECT_EQ(b.data[1], expected);
    EXPECT_EQ(b.data[2], 128 / expected);
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  };
  test(0);
  if (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)
    for (uint32_t size = sizes.minSubgroupSize; size <= sizes.maxSubgroupSize; size *= 2)
      test(size);
}

TEST_P(PipelineApi, ExecutablePropertiesTellStatisticsAndTexts) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // names are ours
  VkPipelineLayout layout = gpu.pipelineLayout({gpu.setLayout(oneBuffer)});
  VkPipeline pipeline =
      gpu.pipeline(specShader, layout, nullptr,
                   VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                       VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
  VkPipelineInfoKHR pipelineInfo = {};
  pipelineInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  pipelineInfo.pipeline = pipeline;
  uint32_t count = 1;
  VkPipelineExecutablePropertiesKHR properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  VK_OK(gpu.vk.GetPipelineExecutablePropertiesKHR(gpu.device, &pipelineInfo, &count, &properties));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(properties.stages, VkShaderStageFlags(VK_SHADER_STAGE_COMPUTE_BIT));

  VkPipelineExecutableInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
  info.pipeline = pipeline;
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, nullptr));
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR, nullptr, {}, {}, {}, {}});
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, statistics.data()));
  bool found = false;
  for (const VkPipelineExecutableStatisticKHR &statistic : statistics)
    if (std::strcmp(statistic.name, "Instructions") == 0)
      found = statistic.value.u64 > 4;
  EXPECT_TRUE(found);

  VkPipelineExecutableInternalRepresentationKHR texts[2] = {};
  for (auto &text : texts)
    text.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  count = 2;
  VK_OK(gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, texts));
  ASSERT_EQ(count, 2u);
  std::string ir(texts[0].dataSize, 0), disassembly(texts[1].dataSize, 0);
  texts[0].pData = ir.data();
  texts[1].pData = disassembly.data();
  VK_OK(gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, texts));
  EXPECT_NE(ir.find("define amdgpu_cs void"), std::string::npos);
  EXPECT_NE(disassembly.find("s_endpgm"), std::string::npos);
  texts[1].dataSize = 5;
  EXPECT_EQ(
      gpu.vk.GetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, &count, texts),
      VK_INCOMPLETE);
  EXPECT_EQ(std::strlen(disassembly.c_str()), 4u);
}

/// VK_AMD_shader_info of one stage.
std::vector<char> shaderInfo(Gpu &gpu, VkPipeline pipeline, VkShaderStageFlagBits stage,
                             VkShaderInfoTypeAMD type) {
  size_t size = 0;
  VK_OK(gpu.vk.GetShaderInfoAMD(gpu.device, pipeline, stage, type, &size, nullptr));
  std::vector<char> bytes(size);
  VK_OK(gpu.vk.GetShaderInfoAMD(gpu.device, pipeline, stage, type, &size, bytes.data()));
  EXPECT_EQ(size, bytes.size());
  return bytes;
}

/// What VK_KHR_pipeline_executable_properties says of the first executable.
uint64_t statisticOf(Gpu &gpu, VkPipeline pipeline, const char *name) {
  auto info = vkStruct<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
  info.pipeline = pipeline;
  uint32_t count = 0;
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, nullptr));
  std::vector<VkPipelineExecutableStatisticKHR> all(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR, nullptr, {}, {}, {}, {}});
  VK_OK(gpu.vk.GetPipelineExecutableStatisticsKHR(gpu.device, &info, &count, all.data()));
  for (const VkPipelineExecutableStatisticKHR &statistic : all)
    if (std::strcmp(statistic.name, name) == 0)
      return statistic.value.u64;
  ADD_FAILURE() << name;
  return 0;
}

TEST_P(PipelineApi, ShaderInfoTellsStatisticsCodeAndText) {
  if (!gpu.hasExtension(VK_AMD_SHADER_INFO_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP() << "no VK_AMD_shader_info of ours";
  constexpr VkShaderStageFlagBits compute = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkPipelineLayout layout = gpu.pipelineLayout({gpu.setLayout(oneBuffer)});
  const VkPipeline pipeline =
      gpu.pipeline(R"(#version 450
layout(local_size_x = 16, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint s[128];
void main() {
  s[gl_LocalInvocationIndex] = b[gl_LocalInvocationIndex];
  barrier();
  for (uint i = 0; i < s[0]; ++i)
    b[i] = s[gl_LocalInvocationIndex ^ 1];
})",
                   layout, nullptr, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
  const auto bytes = shaderInfo(gpu, pipeline, compute, VK_SHADER_INFO_TYPE_STATISTICS_AMD);
  VkShaderStatisticsInfoAMD statistics;
  ASSERT_EQ(bytes.size(), sizeof(statistics));
  std::memcpy(&statistics, bytes.data(), sizeof(statistics));
  EXPECT_EQ(statistics.shaderStageMask, VkShaderStageFlags(compute));
  EXPECT_EQ(statistics.resourceUsage.numUsedVgprs, statisticOf(gpu, pipeline, "VGPRs"));
  EXPECT_EQ(statistics.resourceUsage.numUsedSgprs, statisticOf(gpu, pipeline, "SGPRs"));
  EXPECT_EQ(statistics.resourceUsage.ldsUsageSizeInBytes, 512u);
  EXPECT_EQ(statistics.computeWorkGroupSize[0], 16u);
  EXPECT_EQ(statistics.computeWorkGroupSize[1], 8u);
  EXPECT_EQ(statistics.computeWorkGroupSize[2], 1u);
  EXPECT_GE(statistics.numAvailableVgprs, statistics.resourceUsage.numUsedVgprs);
  EXPECT_GE(statistics.numPhysicalVgprs, statistics.numAvailableVgprs);

  const auto elf = shaderInfo(gpu, pipeline, compute, VK_SHADER_INFO_TYPE_BINARY_AMD);
  EXPECT_EQ(std::string(elf.begin(), elf.begin() + 4), "\177ELF");
  const auto chars = shaderInfo(gpu, pipeline, compute, VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD);
  EXPECT_EQ(chars.back(), 0);
  const std::string text = chars.data();
  EXPECT_NE(text.find("s_endpgm"), std::string::npos);
  EXPECT_NE(text.find("s_barrier"), std::string::npos);
  EXPECT_NE(text.find(" label_"), std::string::npos);
  uint64_t instructions = 0;
  for (size_t at = text.find(" // "); at != std::string::npos; at = text.find(" // ", at + 1))
    ++instructions;
  EXPECT_EQ(instructions, statisticOf(gpu, pipeline, "Instructions"));

  // As much as there is room for; stages that are not there.
  size_t size = 5;
  char few[8] = {};
  EXPECT_EQ(gpu.vk.GetShaderInfoAMD(gpu.device, pipeline, compute,
                                    VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD, &size, few),
            VK_INCOMPLETE);
  EXPECT_EQ(size, 5u);
  EXPECT_EQ(std::string(few), text.substr(0, 5));
  EXPECT_EQ(gpu.vk.GetShaderInfoAMD(gpu.device, pipeline, VK_SHADER_STAGE_FRAGMENT_BIT,
                                    VK_SHADER_INFO_TYPE_BINARY_AMD, &size, nullptr),
            VK_ERROR_FEATURE_NOT_PRESENT);
}

TEST_P(PipelineApi, CachesHaveAHeaderThatNamesTheDevice) {
  VkPipelineCacheCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  VkPipelineCache cache = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache));
  size_t size = 0;
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, nullptr));
  std::vector<uint8_t> data(size);
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, data.data()));
  VkPipelineCacheHeaderVersionOne header;
  ASSERT_GE(data.size(), sizeof(header));
  std::memcpy(&header, data.data(), sizeof(header));
  EXPECT_EQ(header.headerSize, sizeof(header));
  EXPECT_EQ(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  EXPECT_EQ(header.vendorID, gpu.properties.vendorID);
  EXPECT_EQ(header.deviceID, gpu.properties.deviceID);
  EXPECT_EQ(std::memcmp(header.pipelineCacheUUID, gpu.properties.pipelineCacheUUID, VK_UUID_SIZE),
            0);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &other));
  VK_OK(gpu.vk.MergePipelineCaches(gpu.device, cache, 1, &other));
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  gpu.vk.DestroyPipelineCache(gpu.device, other, nullptr);
}

TEST_P(PipelineApi, CreationControlAndFeedback) {
  VkPipelineLayout layout = gpu.pipelineLayout({gpu.setLayout(oneBuffer)});
  VkPipelineCreationFeedback whole = {}, stage = {};
  VkPipelineCreationFeedbackCreateInfo feedback = {};
  feedback.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO;
  feedback.pPipelineCreationFeedback = &whole;
  feedback.pipelineStageCreationFeedbackCount = 1;
  feedback.pPipelineStageCreationFeedbacks = &stage;
  VkComputePipelineCreateInfo infos[2] = {};
  for (VkComputePipelineCreateInfo &info : infos) {
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = gpu.module(specShader);
    info.stage.pName = "main";
    info.layout = layout;
  }
  infos[0].pNext = &feedback;
  VkPipeline pipelines[2] = {};
  VK_OK(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 2, infos, nullptr, pipelines));
  EXPECT_TRUE(!(whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) || whole.duration > 0);
  for (VkPipeline pipeline : pipelines) {
    EXPECT_NE(pipeline, VkPipeline(VK_NULL_HANDLE));
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  }
  if (!gpu.isKiln())
    return; // others may have the code at hand
  EXPECT_TRUE(whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
  // Something that the driver has not compiled yet.
  const uint32_t number = 77;
  const VkSpecializationMapEntry entry = {7, 0, sizeof(number)}; // a size, which no part has
  const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
  infos[0].stage.pSpecializationInfo = &specialization;
  infos[0].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                   VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 2, infos, nullptr, pipelines),
            VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(pipelines[0], VkPipeline(VK_NULL_HANDLE));
  EXPECT_EQ(pipelines[1], VkPipeline(VK_NULL_HANDLE));
  // What comes behind the failure has feedback too.
  VkPipelineCreationFeedback unused[2] = {{~0u, 1}, {~0u, 1}};
  VkPipelineCreationFeedbackCreateInfo behind = {
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &unused[0], 1, &unused[1]};
  const void *before = std::exchange(infos[1].pNext, &behind);
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 2, infos, nullptr, pipelines),
            VK_PIPELINE_COMPILE_REQUIRED);
  for (const VkPipelineCreationFeedback &one : unused)
    EXPECT_EQ(one.flags & ~uint32_t(VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT), 0u);
  infos[1].pNext = before;
  infos[0].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 2, infos, nullptr, pipelines),
            VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(pipelines[0], VkPipeline(VK_NULL_HANDLE));
  EXPECT_NE(pipelines[1], VkPipeline(VK_NULL_HANDLE));
  gpu.vk.DestroyPipeline(gpu.device, pipelines[1], nullptr);
  // The same as infos[1] is there.
  infos[0].stage.pSpecializationInfo = nullptr;
  VK_OK(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, infos, nullptr, pipelines));
  gpu.vk.DestroyPipeline(gpu.device, pipelines[0], nullptr);
}

TEST_P(PipelineApi, ManyThreadsCreateAtOnce) {
  VkDescriptorSetLayout setLayout = gpu.setLayout(oneBuffer);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkShaderModule module = gpu.module(specShader);
  constexpr uint32_t count = 12, threadCount = 4;
  VkPipeline pipelines[count] = {};
  auto create = [&](uint32_t first) {
    for (uint32_t i = first; i < count; i += threadCount) {
      uint32_t values[] = {1, 100 + i}; // workgroup size, k
      VkSpecializationMapEntry entries[] = {{7, 0, 4}, {3, 4, 4}};
      VkSpecializationInfo specialization = {2, entries, sizeof(values), values};
      VkComputePipelineCreateInfo info = {};
      info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
      info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
      info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
      info.stage.module = module;
      info.stage.pName = "main";
      info.stage.pSpecializationInfo = &specialization;
      info.layout = layout;
      VK_OK(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr,
                                          &pipelines[i]));
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < threadCount; ++i)
    threads.emplace_back(create, i);
  for (std::thread &thread : threads)
    thread.join();
  VkDescriptorSet set = gpu.set(setLayout, oneBuffer);
  Buffer b = gpu.buffer(16);
  gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {b});
  for (uint32_t i = 0; i < count; ++i) {
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[i]);
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
    EXPECT_EQ(b.data[1], 100 + i);
    gpu.vk.DestroyPipeline(gpu.device, pipelines[i], nullptr);
  }
}

TEST_P(PipelineApi, BrokenModulesFailTheirPipelines) {
  // Not valid usage: neither other drivers nor layers that look into the module need survive it.
  if (!gpu.isKiln() || std::getenv("VK_INSTANCE_LAYERS"))
    GTEST_SKIP();
  allowsMessages = true;
  uint32_t words[] = {0x07230203, 0x00010300, 0, 5, 0, 0xFFFFFFFF};
  VkShaderModuleCreateInfo moduleInfo = {};
  moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  moduleInfo.codeSize = sizeof(words);
  moduleInfo.pCode = words;
  VkShaderModule module = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateShaderModule(gpu.device, &moduleInfo, nullptr, &module));
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = gpu.pipelineLayout({});
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_LT(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            0);
  EXPECT_EQ(pipeline, VkPipeline(VK_NULL_HANDLE));
  gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
}

} // namespace
} // namespace api
