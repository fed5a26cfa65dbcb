// SPDX-License-Identifier: MIT
// Small extensions of AMD: what a chip is made of, hints for the compiler, the order of primitives.
#include "ShaderScene.h"
#include <map>

namespace api {
namespace {

class AmdApi : public ApiTest {};
API_TESTS_ON_ALL_DEVICES(AmdApi);

TEST_P(AmdApi, ShaderCoreProperties) {
  if (!gpu.hasExtension(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_AMD_shader_core_properties";
  const auto core = properties<VkPhysicalDeviceShaderCorePropertiesAMD>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
  const auto subgroups = properties<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  EXPECT_EQ(core.wavefrontSize, subgroups.subgroupSize);
  EXPECT_EQ(core.simdPerComputeUnit, 2u);
  // What no wave could be given would be of no use, nor would less than one allocation for each.
  EXPECT_EQ(core.minSgprAllocation % core.sgprAllocationGranularity, 0u);
  EXPECT_EQ(core.minVgprAllocation % core.vgprAllocationGranularity, 0u);
  EXPECT_GE(core.sgprsPerSimd, core.wavefrontsPerSimd * core.minSgprAllocation);
  EXPECT_GE(core.vgprsPerSimd, core.wavefrontsPerSimd * core.minVgprAllocation);
  EXPECT_GE(core.maxSgprAllocation, core.minSgprAllocation);
  EXPECT_EQ(core.maxVgprAllocation, 256u);
  uint32_t units =
      core.shaderEngineCount * core.shaderArraysPerEngineCount * core.computeUnitsPerShaderArray;
  if (gpu.hasExtension(VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME)) {
    const auto more = properties<VkPhysicalDeviceShaderCoreProperties2AMD>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD);
    EXPECT_EQ(more.shaderCoreFeatures, 0u); // none is defined
    EXPECT_LE(more.activeComputeUnitCount, units);
    units = more.activeComputeUnitCount;
  }
  if (!gpu.isKiln())
    return;
  // Compute units: RX 5700 XT, RX 6900 XT, RX 7900 XTX, Radeon 890M, RX 9070 XT. Waves and VGPRs of
  // wave64: RDNA1 20 and 512, RDNA2 16 and 512, in granules of 4 and 8; later the larger chips 768
  // in granules of 12.
  struct Chip {
    uint32_t units, waves, vgprs, granule;
  };
  const std::map<std::string, Chip> chips = {{"gfx1010", {40, 20, 512, 4}},
                                             {"gfx1030", {80, 16, 512, 8}},
                                             {"gfx1100", {96, 16, 768, 12}},
                                             {"gfx1150", {16, 16, 512, 8}},
                                             {"gfx1201", {64, 16, 768, 12}}};
  for (const auto &[name, chip] : chips) {
    if (std::string(gpu.properties.deviceName).find(name) == std::string::npos)
      continue;
    EXPECT_EQ(units, chip.units);
    EXPECT_EQ(core.wavefrontsPerSimd, chip.waves);
    EXPECT_EQ(core.sgprsPerSimd, 128 * chip.waves);
    EXPECT_EQ(core.vgprsPerSimd, chip.vgprs);
    EXPECT_EQ(core.vgprAllocationGranularity, chip.granule);
  }
}

TEST_P(AmdApi, CompilerControl) {
  if (!gpu.hasExtension(VK_AMD_PIPELINE_COMPILER_CONTROL_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_AMD_pipeline_compiler_control";
  const auto hint = vkStruct<VkPipelineCompilerControlCreateInfoAMD>(
      VK_STRUCTURE_TYPE_PIPELINE_COMPILER_CONTROL_CREATE_INFO_AMD);
  ComputeCase compute(gpu);
  EXPECT_TRUE(compute.works(create(gpu, compute.info(3, Source::Module, &hint)), 3));
  DrawCase draw(gpu);
  EXPECT_TRUE(draw.works(create(gpu, draw.info(5, Source::Module, &hint)), 5));
}

TEST_P(AmdApi, RasterizationOrder) {
  if (!gpu.hasExtension(VK_AMD_RASTERIZATION_ORDER_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_AMD_rasterization_order";
  constexpr uint32_t side = ShaderScene::side, instances = 50;
  // Each instance covers everything and writes its number.
  const VkShaderModule vertex = gpu.module(R"(#version 460
layout(location = 0) flat out uint number;
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0.5, 1);
  number = gl_InstanceIndex;
})",
                                           "vert");
  const VkShaderModule fragment = gpu.module(R"(#version 460
layout(location = 0) flat in uint number;
layout(location = 0) out uint color;
void main() { color = number; })",
                                             "frag");
  for (VkRasterizationOrderAMD order :
       {VK_RASTERIZATION_ORDER_STRICT_AMD, VK_RASTERIZATION_ORDER_RELAXED_AMD}) {
    vktest::GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    graphics.formats = {VK_FORMAT_R32_UINT};
    auto ordered = vkStruct<VkPipelineRasterizationStateRasterizationOrderAMD>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD);
    ordered.rasterizationOrder = order;
    graphics.raster.pNext = &ordered;
    graphics.info.layout = gpu.pipelineLayout({});
    const VkPipeline pipeline = gpu.pipeline(graphics.done());
    ShaderScene scene(gpu);
    const Image target = gpu.target(VK_FORMAT_R32_UINT, side, side);
    scene.clear(target, VkClearColorValue{.uint32 = {99, 0, 0, 0}});
    scene.render(
        [&](VkCommandBuffer c) {
          gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
          gpu.vk.CmdDraw(c, 3, instances, 0, 0);
        },
        {target});
    for (uint32_t texel : scene.read(target, 1)) {
      if (order == VK_RASTERIZATION_ORDER_STRICT_AMD)
        EXPECT_EQ(texel, instances - 1);
      else
        EXPECT_LT(texel, instances);
    }
  }
}

// VK_AMD_device_coherent_memory: what the device writes in the middle of a command buffer is seen
// without it being flushed.
TEST_P(AmdApi, MemoryWithoutCachesOfTheDevice) {
  if (!gpu.hasExtension(VK_AMD_DEVICE_COHERENT_MEMORY_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_AMD_device_coherent_memory";
  auto features = vkStruct<VkPhysicalDeviceCoherentMemoryFeaturesAMD>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COHERENT_MEMORY_FEATURES_AMD);
  Gpu device(GetParam(), &features);
  ASSERT_TRUE(features.deviceCoherentMemory);
  VkPhysicalDeviceMemoryProperties memory = {};
  device.vk.GetPhysicalDeviceMemoryProperties(device.physicalDevice, &memory);
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD |
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t index = 0;
  while (index < memory.memoryTypeCount &&
         (memory.memoryTypes[index].propertyFlags & wanted) != wanted)
    ++index;
  ASSERT_LT(index, memory.memoryTypeCount);
  for (uint32_t before = 0; before < index; ++before)
    EXPECT_FALSE(memory.memoryTypes[before].propertyFlags &
                 VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD)
        << "types that need the feature come last";
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = 256;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  VK_OK(device.vk.CreateBuffer(device.device, &info, nullptr, &buffer));
  VkMemoryRequirements needs = {};
  device.vk.GetBufferMemoryRequirements(device.device, buffer, &needs);
  EXPECT_TRUE(needs.memoryTypeBits >> index & 1);
  auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = index;
  VkDeviceMemory made = VK_NULL_HANDLE;
  VK_OK(device.vk.AllocateMemory(device.device, &allocate, nullptr, &made));
  VK_OK(device.vk.BindBufferMemory(device.device, buffer, made, 0));
  void *mapped = nullptr;
  VK_OK(device.vk.MapMemory(device.device, made, 0, VK_WHOLE_SIZE, 0, &mapped));
  device.run(
      [&](VkCommandBuffer c) { device.vk.CmdFillBuffer(c, buffer, 0, VK_WHOLE_SIZE, 0xA5A5A5A5); });
  EXPECT_EQ(*static_cast<const uint32_t *>(mapped), 0xA5A5A5A5u);
  device.vk.DestroyBuffer(device.device, buffer, nullptr);
  device.vk.FreeMemory(device.device, made, nullptr);
}

} // namespace
} // namespace api
