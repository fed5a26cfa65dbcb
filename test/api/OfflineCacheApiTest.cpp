// SPDX-License-Identifier: MIT
// Caches of Vulkan SC from the outside: JSON and SPIR-V -> kiln-pcc -> the driver, which finds
// pipelines by identifier and executes them. kiln-pcc lies beside this program.
#include "OfflineCompiler.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>

namespace api {
namespace {

using namespace icd::sc;

const char *const computeState = R"("ComputePipelineState": {
  "DescriptorSetLayouts": [{"buffers": {
    "sType": "VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO", "pNext": "NULL", "flags": 0,
    "bindingCount": 1, "pBindings": [{"binding": 0, "descriptorCount": 1,
      "descriptorType": "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER",
      "stageFlags": "VK_SHADER_STAGE_ALL", "pImmutableSamplers": "NULL"}]}}],
  "PipelineLayout": {"sType": "VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO", "pNext": "NULL",
    "flags": 0, "setLayoutCount": 1, "pSetLayouts": ["buffers"], "pushConstantRangeCount": 0,
    "pPushConstantRanges": "NULL"},
  "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "filename": "shader.comp.spv"}],
  "ComputePipeline": {"sType": "VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO", "pNext": "NULL",
    "flags": 0, "stage": @COMPUTE@, "layout": "", "basePipelineHandle": "",
    "basePipelineIndex": 0}})";

const char *const graphicsState = R"("GraphicsPipelineState": {
  "PipelineLayout": {"sType": "VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO", "pNext": "NULL",
    "flags": 0, "setLayoutCount": 0, "pSetLayouts": "NULL", "pushConstantRangeCount": 0,
    "pPushConstantRanges": "NULL"},
  "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_FRAGMENT_BIT", "filename": "shader.frag.spv"},
                      {"stage": "VK_SHADER_STAGE_VERTEX_BIT", "filename": "shader.vert.spv"}],
  "Renderpass": {"sType": "VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO", "pNext": "NULL",
    "flags": 0, "attachmentCount": 0, "pAttachments": "NULL", "subpassCount": 0,
    "pSubpasses": "NULL", "dependencyCount": 0, "pDependencies": "NULL"},
  "GraphicsPipeline": {"sType": "VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO",
    "pNext": {"sType": "VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO", "pNext": "NULL",
      "viewMask": 0, "colorAttachmentCount": 1,
      "pColorAttachmentFormats": ["VK_FORMAT_R32G32B32A32_UINT"],
      "depthAttachmentFormat": "VK_FORMAT_UNDEFINED",
      "stencilAttachmentFormat": "VK_FORMAT_UNDEFINED"},
    "flags": 0, "stageCount": 2, "pStages": [@VERTEX@, @FRAGMENT@],
    "pVertexInputState": {
      "sType": "VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO", "pNext": "NULL",
      "flags": 0, "vertexBindingDescriptionCount": 0, "pVertexBindingDescriptions": "NULL",
      "vertexAttributeDescriptionCount": 0, "pVertexAttributeDescriptions": "NULL"},
    "pInputAssemblyState": {
      "sType": "VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO", "pNext": "NULL",
      "flags": 0, "topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST",
      "primitiveRestartEnable": "VK_FALSE"},
    "pTessellationState": "NULL",
    "pViewportState": {"sType": "VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO",
      "pNext": "NULL", "flags": 0, "viewportCount": 1, "pViewports": [{"x": 0, "y": 0,
      "width": 4, "height": 4, "minDepth": 0, "maxDepth": 1}], "scissorCount": 1,
      "pScissors": [{"offset": {"x": 0, "y": 0}, "extent": {"width": 4, "height": 4}}]},
    "pRasterizationState": {
      "sType": "VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO", "pNext": "NULL",
      "flags": 0, "depthClampEnable": "VK_FALSE", "rasterizerDiscardEnable": "VK_FALSE",
      "polygonMode": "VK_POLYGON_MODE_FILL", "cullMode": 0,
      "frontFace": "VK_FRONT_FACE_COUNTER_CLOCKWISE", "depthBiasEnable": "VK_FALSE",
      "depthBiasConstantFactor": 0, "depthBiasClamp": 0, "depthBiasSlopeFactor": 0,
      "lineWidth": 1},
    "pMultisampleState": {
      "sType": "VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO", "pNext": "NULL",
      "flags": 0, "rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT",
      "sampleShadingEnable": "VK_FALSE", "minSampleShading": 0, "pSampleMask": "NULL",
      "alphaToCoverageEnable": "VK_FALSE", "alphaToOneEnable": "VK_FALSE"},
    "pDepthStencilState": "NULL",
    "pColorBlendState": {
      "sType": "VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO", "pNext": "NULL",
      "flags": 0, "logicOpEnable": "VK_FALSE", "logicOp": "VK_LOGIC_OP_CLEAR",
      "attachmentCount": 1, "pAttachments": [{"blendEnable": "VK_FALSE",
        "srcColorBlendFactor": "VK_BLEND_FACTOR_ZERO",
        "dstColorBlendFactor": "VK_BLEND_FACTOR_ZERO", "colorBlendOp": "VK_BLEND_OP_ADD",
        "srcAlphaBlendFactor": "VK_BLEND_FACTOR_ZERO",
        "dstAlphaBlendFactor": "VK_BLEND_FACTOR_ZERO", "alphaBlendOp": "VK_BLEND_OP_ADD",
        "colorWriteMask": 15}], "blendConstants": [0, 0, 0, 0]},
    "pDynamicState": "NULL", "layout": "", "renderPass": "", "subpass": 0,
    "basePipelineHandle": "", "basePipelineIndex": 0}})";

/// A stage, specialized with \p number if it is not negative.
std::string stageJson(const char *stage, int number) {
  std::string specialization = "\"NULL\"";
  if (number >= 0)
    specialization = R"({"mapEntryCount": 1, "pMapEntries": [{"constantID": 3, "offset": 0,
      "size": 4}], "dataSize": 4, "pData": [)" +
                     std::to_string(number) + ", 0, 0, 0]}";
  return R"({"sType": "VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO", "pNext": "NULL",
    "flags": 0, "stage": "VK_SHADER_STAGE_)" +
         std::string(stage) + R"(_BIT", "module": "", "pName": "main", "pSpecializationInfo": )" +
         specialization + "}";
}

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  const size_t place = text.find(what);
  return place == std::string::npos ? text : text.replace(place, what.size(), with);
}

/// First byte of a pipeline's identifier.
uint8_t nameOf(bool isDraw, uint32_t number) {
  return static_cast<uint8_t>((isDraw ? 0x80 : 0) + number);
}

std::string pipelineJson(bool isDraw, uint32_t number) {
  const int constant = static_cast<int>(number);
  std::string state = isDraw ? graphicsState : computeState;
  state = replaced(state, "@COMPUTE@", stageJson("COMPUTE", constant));
  state = replaced(state, "@VERTEX@", stageJson("VERTEX", -1));
  state = replaced(state, "@FRAGMENT@", stageJson("FRAGMENT", constant));
  return "{\"EnabledExtensions\": [], \"PipelineUUID\": [" +
         std::to_string(nameOf(isDraw, number)) +
         ", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255], " + state + "}\n";
}

OfflineInfo offlineInfo(bool isDraw, uint32_t number) {
  OfflineInfo info;
  for (uint8_t i = 0; i < 15; ++i)
    info.pipelineIdentifier[i] = i;
  info.pipelineIdentifier[0] = nameOf(isDraw, number);
  info.pipelineIdentifier[15] = 255;
  info.poolEntrySize = 1 << 20;
  return info;
}

constexpr uint32_t count = 4; ///< pipelines of a kind

class OfflineCacheApi : public ApiTest {
protected:
  void SetUp() override {
    if (const char *reason = OfflineCompiler::reasonToSkip(gpu))
      GTEST_SKIP() << reason;
    addShader(compute.shader, "shader.comp.spv");
    addShader(draw.vertex, "shader.vert.spv");
    addShader(draw.fragment, "shader.frag.spv");
    for (bool isDraw : {false, true})
      for (uint32_t number = 0; number < count; ++number)
        compiler.addPipeline("p" + std::to_string(nameOf(isDraw, number)) + ".json",
                             pipelineJson(isDraw, number));
  }
  void addShader(const Shader &shader, const char *name) {
    compiler.addModule(name, shader.inlined.pCode, shader.inlined.codeSize);
  }

  VkPipeline pipeline(VkPipelineCache cache, bool isDraw, uint32_t number) {
    const OfflineInfo info = offlineInfo(isDraw, number);
    // What specializes it at run time is not looked at.
    return isDraw ? create(gpu, draw.info(99, Source::None, &info), cache)
                  : create(gpu, compute.info(99, Source::None, &info), cache);
  }
  bool works(VkPipeline pipeline, bool isDraw, uint32_t number) {
    return isDraw ? draw.works(pipeline, number) : compute.works(pipeline, number);
  }

  OfflineCompiler compiler{gpu};
  ComputeCase compute{gpu};
  DrawCase draw{gpu};
};
API_TESTS_ON_ALL_DEVICES(OfflineCacheApi);

TEST_P(OfflineCacheApi, PipelinesOfKilnPccExecute) {
  for (const char *options : {"", "--debug"}) {
    std::vector<uint8_t> data = compiler.compileForDevice(options);
    const std::vector<uint8_t> before = data;
    VkPipelineCache cache = compiler.open(data);
    std::vector<VkPipeline> pipelines;
    for (bool isDraw : {false, true})
      for (uint32_t number = 0; number < count; ++number) {
        pipelines.push_back(pipeline(cache, isDraw, number));
        ASSERT_NE(pipelines.back(), VkPipeline(VK_NULL_HANDLE));
        EXPECT_TRUE(works(pipelines.back(), isDraw, number)) << isDraw << number;
      }
    EXPECT_EQ(data, before);
    // Pipelines outlive the cache and its data.
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
    std::fill(data.begin(), data.end(), 0xFF);
    for (size_t i = 0; i < pipelines.size(); ++i) {
      EXPECT_TRUE(works(pipelines[i], i >= count, i % count)) << i;
      gpu.vk.DestroyPipeline(gpu.device, pipelines[i], nullptr);
    }
  }
}

TEST_P(OfflineCacheApi, OnePipelineThatIsMissingLeavesTheOthers) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  VkPipelineCache cache = compiler.open(data);
  const OfflineInfo infos[] = {offlineInfo(false, 0), offlineInfo(false, count),
                               offlineInfo(false, 2)};
  std::vector<VkComputePipelineCreateInfo> creates;
  for (const OfflineInfo &info : infos)
    creates.push_back(compute.info(0, Source::None, &info));
  VkPipeline pipelines[3] = {};
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, cache, 3, creates.data(), nullptr, pipelines),
            errorNoPipelineMatch);
  EXPECT_TRUE(compute.works(pipelines[0], 0));
  EXPECT_EQ(pipelines[1], VkPipeline(VK_NULL_HANDLE));
  EXPECT_TRUE(compute.works(pipelines[2], 2));
  for (VkPipeline made : pipelines)
    gpu.vk.DestroyPipeline(gpu.device, made, nullptr);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(OfflineCacheApi, ThreadsShareACache) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  VkPipelineCache cache = compiler.open(data);
  constexpr unsigned threads = 4;
  std::vector<VkPipeline> pipelines(threads * count);
  const VkComputePipelineCreateInfo common = compute.info(0, Source::None);
  std::vector<std::thread> running;
  for (unsigned thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      for (uint32_t number = 0; number < count; ++number) {
        const OfflineInfo info = offlineInfo(false, number);
        VkComputePipelineCreateInfo create = common;
        create.pNext = &info;
        VK_OK(gpu.vk.CreateComputePipelines(gpu.device, cache, 1, &create, nullptr,
                                            &pipelines[thread * count + number]));
      }
    });
  for (std::thread &thread : running)
    thread.join();
  for (uint32_t i = 0; i < pipelines.size(); ++i) {
    EXPECT_TRUE(compute.works(pipelines[i], i % count)) << i;
    gpu.vk.DestroyPipeline(gpu.device, pipelines[i], nullptr);
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(OfflineCacheApi, CachesForOtherTargetsAreRefused) {
  const bool isNavi10 = std::strstr(gpu.properties.deviceName, "gfx1010");
  VkPipelineCache cache = VK_NULL_HANDLE;
  const std::vector<uint8_t> data =
      compiler.compile(isNavi10 ? "--chip gfx1030" : "--chip gfx1010");
  EXPECT_EQ(compiler.tryOpen(data, cache), errorInvalidCacheData);
  EXPECT_EQ(cache, VkPipelineCache(VK_NULL_HANDLE));
}

/// As CacheTimesTest: microseconds of CPU time of the calling thread a call, medians.
TEST_P(OfflineCacheApi, DISABLED_Times) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  constexpr unsigned rounds = 101;
  std::array<std::vector<double>, 3> times;
  auto add = [&](unsigned kind, unsigned calls, auto call) {
    timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    call();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    times[kind].push_back(
        (double(end.tv_sec - begin.tv_sec) * 1e6 + double(end.tv_nsec - begin.tv_nsec) / 1e3) /
        calls);
  };
  for (unsigned round = 0; round < rounds; ++round) {
    VkPipelineCache cache = VK_NULL_HANDLE;
    add(0, 1, [&] { cache = compiler.open(data); });
    std::vector<VkPipeline> pipelines;
    for (unsigned kind : {1, 2}) // the first time, and again
      add(kind, count, [&] {
        for (uint32_t number = 0; number < count; ++number)
          pipelines.push_back(pipeline(cache, false, number));
      });
    for (VkPipeline made : pipelines)
      gpu.vk.DestroyPipeline(gpu.device, made, nullptr);
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  }
  const char *const names[] = {"vkCreatePipelineCache, offline", "compute, first hit offline",
                               "compute, hit offline"};
  for (unsigned kind = 0; kind < times.size(); ++kind) {
    std::sort(times[kind].begin(), times[kind].end());
    std::printf("%-44s %8.2f us\n", names[kind], times[kind][rounds / 2]);
  }
}

} // namespace
} // namespace api
