// SPDX-License-Identifier: MIT
// What is found under a pipeline's name is used if it can be the pipeline's code.
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/Deserialize.h"
#include "icd_glue/pipeline/KeysForTest.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/pipeline/PipelineCreation.h"

namespace icd {
namespace {

VkComputePipelineCreateInfo computePipeline(VkShaderModule module) {
  auto info = vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  return info;
}

class PipelineCodeTest : public Keys {
protected:
  void SetUp() override {
    setenv("KILN_DEVICES", "gfx1100", 1);
    setenv("KILN_PARTS", "off", 1);
    Keys::SetUp();
    unsetenv("KILN_PARTS");
    unsetenv("KILN_DEVICES");
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    ASSERT_EQ(CreatePipelineCache(device, &info, nullptr, &cache), VK_SUCCESS);
  }
  void TearDown() override {
    DestroyPipelineCache(device, cache, nullptr);
    Keys::TearDown();
    EXPECT_TRUE(messages.empty()) << messages.front();
  }
  VkPipelineCache cache = VK_NULL_HANDLE;
};

TEST_F(PipelineCodeTest, CodeOfOtherStagesIsNotFound) {
  const llpc::Hash128 hash = {1, 2, 3, 4};
  const CacheKey name{CacheKey::Domain::Pipeline, hash};
  CacheContent &content = *fromHandle<PipelineCache>(cache)->content;
  const auto compute = codeObject(), draw = drawObject(1);
  const CodePlaces asCompute{hash, &fromHandle<PipelineCache>(cache)->content,
                             VK_SHADER_STAGE_COMPUTE_BIT};
  const CodePlaces asDraw{hash, &fromHandle<PipelineCache>(cache)->content, draw->stages()};
  content.insert(name, draw);
  EXPECT_EQ(findCode(object(), asDraw).code, draw);
  EXPECT_EQ(findCode(object(), asCompute).code, nullptr);
  object().shaderCache().insert(name, draw);
  EXPECT_EQ(findCode(object(), asCompute).code, nullptr);
  // What is right takes the place of what is wrong.
  object().shaderCache().insert(name, compute);
  const FoundCode found = findCode(object(), asCompute);
  EXPECT_EQ(found.code, compute);
  EXPECT_FALSE(found.isFromApplication);
  EXPECT_EQ(content.find(name), compute);
  EXPECT_TRUE(findCode(object(), asCompute).isFromApplication);
}

// The record has no texts: what is made of it would have none.
TEST_F(PipelineCodeTest, DataHasNoPipelinesThatCaptureTexts) {
  auto info = computePipeline(module(shader("comp")));
  auto textsOf = [&](VkPipelineCache from, VkPipelineCreateFlags flags) {
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(CreateComputePipelines(device, from, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    const auto &executables = fromHandle<Pipeline>(pipeline)->data->executables(object());
    const size_t size = executables.size() == 1 ? executables[0].disassembly.size() : 0;
    DestroyPipeline(device, pipeline, nullptr);
    return size;
  };
  constexpr VkPipelineCreateFlags captures =
      VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  EXPECT_EQ(textsOf(cache, 0), 0u);
  EXPECT_GT(textsOf(cache, captures), 0u);
  EXPECT_GT(textsOf(cache, captures), 0u); // the object itself is in the cache
  CacheContent &content = *fromHandle<PipelineCache>(cache)->content;
  EXPECT_EQ(content.size(), 2u);
  bool isComplete = false;
  const std::vector<uint8_t> data = content.write(SIZE_MAX, isComplete);
  EXPECT_TRUE(isComplete);
  EXPECT_EQ(data.size(), content.dataBytes());
  CacheContent read(deserializerFor(object().target()), false);
  read.read(data);
  EXPECT_EQ(read.size(), 1u);
}

/// However the code was asked for, and wherever it came from.
TEST_F(PipelineCodeTest, TheSameCodeIsDescribedAlike) {
  auto info =
      computePipeline(module(compileGlsl("#version 450\n"
                                         "layout(local_size_x = 64) in;\n"
                                         "layout(binding = 0) buffer Data { float data[]; };\n"
                                         "void main() {\n"
                                         "  float x = data[gl_GlobalInvocationID.x];\n"
                                         "  for (int i = 0; i < 9; ++i)\n"
                                         "    x = sqrt(x) + data[i];\n"
                                         "  data[gl_GlobalInvocationID.x] = x;\n"
                                         "}",
                                         "comp")));
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_ALL, nullptr};
  auto setInfo = vkStruct<VkDescriptorSetLayoutCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  setInfo.bindingCount = 1;
  setInfo.pBindings = &binding;
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  ASSERT_EQ(CreateDescriptorSetLayout(device, &setInfo, nullptr, &set), VK_SUCCESS);
  auto layoutInfo =
      vkStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &set;
  ASSERT_EQ(CreatePipelineLayout(device, &layoutInfo, nullptr, &info.layout), VK_SUCCESS);
  std::vector<ExecutableInfo> found;
  for (VkPipelineCreateFlags flags :
       {VkPipelineCreateFlags(VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR),
        VkPipelineCreateFlags(VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)}) {
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    ASSERT_EQ(CreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    const PipelineData &data = *fromHandle<Pipeline>(pipeline)->data;
    const CodeObject &code = *data.code(object());
    auto again = CodeObject::fromRecord(code.record(), object().target());
    ASSERT_TRUE(static_cast<bool>(again));
    for (const auto &executables : {data.executables(object()), (*again)->executables()}) {
      ASSERT_EQ(executables.size(), 1u);
      found.push_back(executables[0]);
    }
    DestroyPipeline(device, pipeline, nullptr);
  }
  EXPECT_GT(found[0].statistics.instructions, 20u);
  for (const ExecutableInfo &other : found) {
    EXPECT_EQ(other.name, "compute");
    EXPECT_EQ(other.description, found[0].description);
    EXPECT_EQ(other.stages, found[0].stages);
    EXPECT_EQ(other.subgroupSize, found[0].subgroupSize);
    EXPECT_EQ(other.statistics.instructions, found[0].statistics.instructions);
    EXPECT_EQ(other.statistics.codeBytes, found[0].statistics.codeBytes);
    EXPECT_EQ(other.statistics.vgprs, found[0].statistics.vgprs);
    EXPECT_EQ(other.statistics.sgprs, found[0].statistics.sgprs);
    EXPECT_EQ(other.statistics.wavesPerSimd, found[0].statistics.wavesPerSimd);
  }
  DestroyPipelineLayout(device, info.layout, nullptr);
  DestroyDescriptorSetLayout(device, set, nullptr);
}

/// A device whose code the direct tier is to generate.
class DirectTierTest : public Keys {
protected:
  void SetUp() override {
    for (auto [name, value] : variables)
      setenv(name, value, 1);
    Keys::SetUp();
    for (auto [name, value] : variables)
      unsetenv(name);
  }
  static constexpr std::pair<const char *, const char *> variables[] = {
      {"KILN_DEVICES", "gfx1100"}, {"KILN_PARTS", "off"}, {"KILN_TIER", "direct"}};
};

TEST_F(DirectTierTest, WhatItMakesAndRefusesIsCounted) {
  auto info = computePipeline(module(shader("comp")));
  for (VkPipelineCreateFlags flags :
       {0, int(VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)}) {
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    DestroyPipeline(device, pipeline, nullptr);
  }
  PartCounters &counters = object().counters();
  std::map<std::string, uint64_t> refused = counters.directRefusals.get();
  EXPECT_EQ(refused["listing"], 1u);
  EXPECT_NE(counters.text({}, nullptr).find("direct tier refused 1: listing\n"), std::string::npos);
  refused.erase("listing");
  // Which shaders it takes is not this test's business.
  uint64_t others = counters.direct;
  for (const auto &[reason, count] : refused)
    others += count;
  EXPECT_EQ(others, 1u);
}

} // namespace
} // namespace icd
