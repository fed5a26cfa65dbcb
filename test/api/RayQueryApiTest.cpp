// SPDX-License-Identifier: MIT
// VK_KHR_ray_query: pipelines whose shaders trace by themselves, made in every way.
#include "Binaries.h"
#include "RayScene.h"
#include <cstring>

namespace api {
namespace {

constexpr const char *shaderText = R"(#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 3) in;
layout(constant_id = 5) const uint more = 0;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Result { uint results[]; };
void main() {
  uint number = gl_LocalInvocationIndex;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, 0, 0xff, vec3(number + 0.25, 0.25, 2), 0.0, vec3(0, 0, -1), 10.0);
  while (rayQueryProceedEXT(query))
    if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionAABBEXT)
      rayQueryGenerateIntersectionEXT(query, 1.5);
    else
      rayQueryConfirmIntersectionEXT(query);
  results[number] = more + rayQueryGetIntersectionTypeEXT(query, true);
}
)";

class RayQueryApi : public ApiTest {
protected:
  void SetUp() override {
    if (!hasRays(gpu) || !gpu.hasExtension(VK_KHR_RAY_QUERY_EXTENSION_NAME))
      GTEST_SKIP();
    scene.emplace(gpu);
    shader.emplace(gpu, shaderText, "comp");
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                           {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout});
    set = gpu.set(setLayout, bindings);
    results = gpu.buffer(3 * sizeof(uint32_t));
    gpu.write(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {results});
    scene->bindTop(scene->top.handle, set);
  }

  VkComputePipelineCreateInfo info(Source source, const void *next = nullptr) {
    auto create =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, next);
    create.stage = shader->stage(source);
    create.stage.pSpecializationInfo = &specialization;
    create.layout = layout;
    return create;
  }
  /// The triangle, the box and nothing.
  bool works(VkPipeline pipeline) {
    if (!pipeline)
      return false;
    std::memset(results.data, 0xEE, 3 * sizeof(uint32_t));
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
    return results.data[0] == 71 && results.data[1] == 72 && results.data[2] == 70;
  }

  std::optional<RayScene> scene;
  std::optional<Shader> shader;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  Buffer results;
  const uint32_t value = 70;
  const VkSpecializationMapEntry entry = {5, 0, sizeof(value)};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
};
API_TESTS_ON_ALL_DEVICES(RayQueryApi);

TEST_P(RayQueryApi, ModulesCachesAndIdentifiers) {
  auto cacheInfo =
      vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &cacheInfo, nullptr, &cache));
  EXPECT_TRUE(works(create(gpu, info(Source::Module), cache)));
  EXPECT_TRUE(works(create(gpu, info(Source::Inline), cache)));
  if (gpu.isKiln()) {
    VkComputePipelineCreateInfo again = info(Source::Identifier);
    again.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    EXPECT_TRUE(works(create(gpu, again, cache)));
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(RayQueryApi, Binaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP();
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  Binaries binaries(gpu);
  VK_OK(binaries.fromPipeline(create(gpu, info(Source::Module, &flags))));
  const VkPipelineBinaryInfoKHR from = binaries.info();
  EXPECT_TRUE(works(create(gpu, info(Source::None, &from))));
}

} // namespace
} // namespace api
