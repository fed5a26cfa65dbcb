// SPDX-License-Identifier: MIT
// Binaries of shader objects: what they draw is what the shaders drew, and what is no binary is
// found out.
#include "ShaderScene.h"
#include <random>

namespace api {
namespace {

using Data = std::vector<uint8_t>;

class ShaderBinaryApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_shader_object";
  }
};
API_TESTS_ON_ALL_DEVICES(ShaderBinaryApi);

/// A compute shader that writes a number.
struct SmallShader {
  explicit SmallShader(Gpu &gpu)
      : gpu(gpu), shaders(gpu), source(gpu, R"(#version 460
layout(binding = 0) buffer Data { uint data; };
layout(constant_id = 0) const uint constant = 5;
void main() { data = constant; })",
                                       "comp") {
    setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout});
    set = gpu.set(setLayout, bindings);
    buffer = gpu.buffer(4);
    gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
    source.info.setLayoutCount = 1;
    source.info.pSetLayouts = &setLayout;
  }
  uint32_t run(VkShaderEXT shader) {
    buffer.data[0] = 0;
    gpu.run([&](VkCommandBuffer c) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdBindShadersEXT(c, 1, &stage, &shader);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
      gpu.barrier(c);
    });
    return buffer.data[0];
  }

  Gpu &gpu;
  Shaders shaders;
  ShaderSource source;
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  VkDescriptorSet set;
  Buffer buffer;
};

TEST_P(ShaderBinaryApi, Properties) {
  auto of = [](Gpu &device) {
    auto shaderObject = vkStruct<VkPhysicalDeviceShaderObjectPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT);
    auto properties = vkStruct<VkPhysicalDeviceProperties2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &shaderObject);
    device.vk.GetPhysicalDeviceProperties2(device.physicalDevice, &properties);
    return Data(shaderObject.shaderBinaryUUID, shaderObject.shaderBinaryUUID + VK_UUID_SIZE);
  };
  Gpu again(GetParam());
  EXPECT_EQ(of(gpu), of(again));
  EXPECT_NE(of(gpu), Data(VK_UUID_SIZE, 0));
}

TEST_P(ShaderBinaryApi, ComputeShadersComeFromBinaries) {
  Data binary;
  {
    SmallShader small(gpu);
    const VkShaderEXT shader = small.shaders.create(small.source.info);
    EXPECT_EQ(small.run(shader), 5u);
    binary = small.shaders.binary(shader);
  }
  // The next run of the application.
  Gpu later(GetParam());
  SmallShader small(later);
  const VkShaderEXT shader = small.shaders.create(small.source.of(binary));
  EXPECT_EQ(small.run(shader), 5u);
  const Data again = small.shaders.binary(shader);
  EXPECT_EQ(again, binary);
  small.shaders.destroy();
  EXPECT_EQ(small.run(small.shaders.create(small.source.of(again))), 5u);
}

TEST_P(ShaderBinaryApi, SpecializedBinaries) {
  SmallShader small(gpu);
  const uint32_t value = 12345;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(value)};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  small.source.info.pSpecializationInfo = &specialization;
  const Data binary = small.shaders.binary(small.shaders.create(small.source.info));
  EXPECT_EQ(small.run(small.shaders.create(small.source.of(binary))), value);
}

TEST_P(ShaderBinaryApi, GraphicsShadersComeFromBinaries) {
  for (bool isLinked : {false, true}) {
    Data vertexBinary, fragmentBinary;
    const VkShaderCreateFlagsEXT flags = isLinked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
    auto create = [&](ShaderScene &scene, VkShaderCreateInfoEXT vertex,
                      VkShaderCreateInfoEXT fragment) {
      vertex.flags = fragment.flags = flags;
      return scene.shaders.create({vertex, fragment});
    };
    auto draw = [](ShaderScene &scene, const std::vector<VkShaderEXT> &shaders) {
      EXPECT_EQ(scene.draw([&](VkCommandBuffer c) {
        scene.setState(c);
        scene.bind(c, shaders[0], shaders[1]);
        scene.gpu.vk.CmdDraw(c, 4, 1, 0, 0);
      }),
                ShaderScene::expected(scene.points, {}));
    };
    {
      ShaderScene scene(gpu);
      const auto shaders = create(scene, scene.vertex.info, scene.fragment.info);
      draw(scene, shaders);
      vertexBinary = scene.shaders.binary(shaders[0]);
      fragmentBinary = scene.shaders.binary(shaders[1]);
      EXPECT_NE(vertexBinary, fragmentBinary);
    }
    Gpu later(GetParam());
    ShaderScene scene(later);
    const auto shaders =
        create(scene, scene.vertex.of(vertexBinary), scene.fragment.of(fragmentBinary));
    draw(scene, shaders);
    EXPECT_EQ(scene.shaders.binary(shaders[0]), vertexBinary);
    EXPECT_EQ(scene.shaders.binary(shaders[1]), fragmentBinary);
  }
}

/// A device with what shader objects need and \p robustBufferAccess, nothing else.
VkDevice deviceWithFewFeatures(Gpu &gpu, bool robustBufferAccess) {
  auto shaderObject = vkStruct<VkPhysicalDeviceShaderObjectFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
  shaderObject.shaderObject = VK_TRUE;
  auto rendering = vkStruct<VkPhysicalDeviceDynamicRenderingFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &shaderObject);
  rendering.dynamicRendering = VK_TRUE;
  const float priority = 1;
  auto queue = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceFeatures features = {};
  features.robustBufferAccess = robustBufferAccess;
  const char *extension = VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &rendering);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  info.pEnabledFeatures = &features;
  VkDevice device = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &device));
  return device;
}

/// The binary of a shader without layouts on any device.
Data binaryOn(Gpu &gpu, VkDevice device, const VkShaderCreateInfoEXT &info) {
  VkShaderEXT shader = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateShadersEXT(device, 1, &info, nullptr, &shader));
  size_t size = 0;
  VK_OK(gpu.vk.GetShaderBinaryDataEXT(device, shader, &size, nullptr));
  Data data(size);
  VK_OK(gpu.vk.GetShaderBinaryDataEXT(device, shader, &size, data.data()));
  gpu.vk.DestroyShaderEXT(device, shader, nullptr);
  return data;
}

/// Vulkan: what vkGetShaderBinaryDataEXT gives does not depend on the enabled features and
/// extensions of the device.
TEST_P(ShaderBinaryApi, BinariesDoNotDependOnFeatures) {
  auto generated = vkStruct<VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT);
  Gpu everything(GetParam(), gpu.isKiln() ? &generated : nullptr),
      fragile(GetParam(), nullptr, false);
  const std::pair<const char *, const char *> shaders[] = {
      {"vert", "#version 460\n"
               "layout(constant_id = 0) const float x = 1;\n"
               "void main() { gl_Position = vec4(gl_VertexIndex * x); }"},
      {"frag", "#version 460\n"
               "layout(location = 0) out vec4 color;\n"
               "void main() { color = gl_FragCoord; }"},
      {"comp", "#version 460\n"
               "layout(push_constant) uniform Push { uint value; };\n"
               "shared uint all;\n"
               "void main() { atomicAdd(all, value); }"}};
  for (const auto &[stage, text] : shaders) {
    SCOPED_TRACE(stage);
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 4};
    ShaderSource source(gpu, text, stage);
    source.info.pushConstantRangeCount = 1;
    source.info.pPushConstantRanges = &range;
    const Data binary = binaryOn(gpu, gpu.device, source.info);
    VkShaderCreateInfoEXT again = source.of(binary);
    auto expectSame = [&](Gpu &of, VkDevice device) {
      EXPECT_EQ(binaryOn(of, device, source.info), binary);
      EXPECT_EQ(binaryOn(of, device, again), binary);
    };
    expectSame(everything, everything.device);
    expectSame(fragile, fragile.device);
    for (bool isRobust : {false, true}) {
      const VkDevice device = deviceWithFewFeatures(gpu, isRobust);
      expectSame(gpu, device);
      gpu.vk.DestroyDevice(device, nullptr);
    }
  }
}

//===--- What is not valid usage ------------------------------------------===//

/// Damage is nothing that Vulkan speaks of; other drivers may do anything.
class DamagedShaderBinaryApi : public ShaderBinaryApi {
protected:
  void SetUp() override {
    ShaderBinaryApi::SetUp();
    if (!gpu.isKiln())
      GTEST_SKIP();
  }
};
API_TESTS_ON_ALL_DEVICES(DamagedShaderBinaryApi);

TEST_P(DamagedShaderBinaryApi, EveryByteAndEveryLength) {
  SmallShader small(gpu);
  const Data binary = small.shaders.binary(small.shaders.create(small.source.info));
  std::mt19937 random(7);
  for (size_t i = 0; i < binary.size(); ++i) {
    Data damaged = binary;
    damaged[i] ^= static_cast<uint8_t>(1 + random() % 255);
    EXPECT_EQ(small.shaders.tryCreate(small.source.of(damaged)), VK_INCOMPATIBLE_SHADER_BINARY_EXT)
        << i;
    damaged.assign(binary.begin(), binary.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_EQ(small.shaders.tryCreate(small.source.of(damaged)), VK_INCOMPATIBLE_SHADER_BINARY_EXT)
        << i;
  }
  Data longer = binary;
  longer.push_back(0);
  EXPECT_EQ(small.shaders.tryCreate(small.source.of(longer)), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
  EXPECT_EQ(small.shaders.tryCreate(small.source.of(binary)), VK_SUCCESS);
}

TEST_P(DamagedShaderBinaryApi, BinariesOfOthers) {
  ShaderScene scene(gpu);
  const auto shaders = scene.shaders.create({scene.vertex.info, scene.fragment.info});
  const Data vertex = scene.shaders.binary(shaders[0]);
  // Of another stage.
  EXPECT_EQ(scene.shaders.tryCreate(scene.fragment.of(vertex)), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
  // What a binary was specialized to, and its entry point, are in it.
  const uint32_t value = 9;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(value)};
  const VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  VkShaderCreateInfoEXT other = scene.fragment.info;
  other.pSpecializationInfo = &specialization;
  const Data fragment = scene.shaders.binary(scene.shaders.create(other));
  VkShaderCreateInfoEXT again = scene.fragment.of(fragment);
  again.pSpecializationInfo = nullptr;
  again.pName = nullptr;
  const VkShaderEXT specialized = scene.shaders.create(again);
  EXPECT_EQ(scene.draw([&](VkCommandBuffer c) {
    scene.setState(c);
    scene.bind(c, shaders[0], specialized);
    gpu.vk.CmdDraw(c, 4, 1, 0, 0);
  }),
            ShaderScene::expected(scene.points, {}, value));
}

TEST_P(DamagedShaderBinaryApi, TheFirstMissingHandleIsTheOneThatFailed) {
  SmallShader small(gpu);
  const Data garbage(64, 0x5A);
  const VkShaderCreateInfoEXT infos[] = {small.source.info, small.source.of(garbage),
                                         small.source.info};
  VkShaderEXT made[3];
  EXPECT_EQ(gpu.vk.CreateShadersEXT(gpu.device, 3, infos, nullptr, made),
            VK_INCOMPATIBLE_SHADER_BINARY_EXT);
  EXPECT_NE(made[0], VkShaderEXT(VK_NULL_HANDLE));
  EXPECT_EQ(made[1], VkShaderEXT(VK_NULL_HANDLE));
  EXPECT_EQ(small.run(made[0]), 5u);
  for (VkShaderEXT shader : made)
    gpu.vk.DestroyShaderEXT(gpu.device, shader, nullptr);
}

TEST_P(DamagedShaderBinaryApi, WhatCannotBeCompiledIsAnError) {
  SmallShader small(gpu);
  small.source.info.codeSize -= 8; // cut off within a function
  EXPECT_EQ(small.shaders.tryCreate(small.source.info), VK_ERROR_INITIALIZATION_FAILED);
  small.source.info.codeSize += 8;
  small.source.info.pName = "other";
  EXPECT_EQ(small.shaders.tryCreate(small.source.info), VK_ERROR_INITIALIZATION_FAILED);
  small.source.info.pName = "main";
  small.source.info.stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  EXPECT_EQ(small.shaders.tryCreate(small.source.info), VK_ERROR_INITIALIZATION_FAILED);
}

} // namespace
} // namespace api
