//===- FeatureChainTest.cpp - one truth, many structures ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/FeatureChain.h"
#include "icd_glue/RayStages.h"
#include "icd_glue/device/TestDevice.h"
#include "llvm/ADT/StringSet.h"

using namespace icd;

namespace {

class FeatureChain : public TestDevice {
protected:
  /// vkCreateDevice with a chain of features.
  VkResult createWith(const void *next, const VkPhysicalDeviceFeatures *core = nullptr) {
    auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = next;
    info.pEnabledFeatures = core;
    VkDevice made = VK_NULL_HANDLE;
    VkResult result = CreateDevice(physicalDevice, &info, nullptr, &made);
    if (result == VK_SUCCESS)
      enabled = fromHandle<Device>(made)->features();
    DestroyDevice(made, nullptr);
    return result;
  }

  Features enabled;
};

TEST_F(FeatureChain, oldAndNewStructuresAgree) {
  auto storage = vkStruct<VkPhysicalDevice16BitStorageFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  auto multiview = vkStruct<VkPhysicalDeviceMultiviewFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, &storage);
  auto vulkan11 = vkStruct<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &multiview);
  auto features =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan11);
  // Whatever was there before is overwritten.
  vulkan11.protectedMemory = features.features.sparseBinding = VK_TRUE;
  GetPhysicalDeviceFeatures2(physicalDevice, &features);
  EXPECT_EQ(storage.storageBuffer16BitAccess, VK_TRUE);
  EXPECT_EQ(vulkan11.storageBuffer16BitAccess, VK_TRUE);
  EXPECT_EQ(multiview.multiviewTessellationShader, VK_TRUE);
  EXPECT_EQ(vulkan11.multiviewTessellationShader, VK_TRUE);
  EXPECT_EQ(vulkan11.protectedMemory, VK_FALSE);
  EXPECT_EQ(features.features.shaderInt64, VK_TRUE);
  EXPECT_EQ(features.features.sparseBinding, VK_FALSE);
  EXPECT_EQ(storage.pNext, nullptr);
}

TEST_F(FeatureChain, namesThatChangedAreTheSameProperty) {
  auto subgroup = vkStruct<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  auto vulkan11 = vkStruct<VkPhysicalDeviceVulkan11Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &subgroup);
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &vulkan11);
  GetPhysicalDeviceProperties2(physicalDevice, &properties);
  EXPECT_EQ(subgroup.subgroupSize, 64u);
  EXPECT_EQ(subgroup.supportedStages,
            VkShaderStageFlags(VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_ALL_GRAPHICS |
                               VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
                               rayTracingStages));
  EXPECT_EQ(subgroup.supportedOperations, vulkan11.subgroupSupportedOperations);
  EXPECT_NE(subgroup.supportedOperations, 0u);
  EXPECT_EQ(memcmp(vulkan11.deviceUUID, properties.properties.pipelineCacheUUID, VK_UUID_SIZE) == 0,
            false);
}

TEST_F(FeatureChain, enabledFeaturesComeFromEveryPlace) {
  auto vulkan12 = vkStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  vulkan12.shaderInt8 = VK_TRUE;
  VkPhysicalDeviceFeatures core = {};
  core.robustBufferAccess = VK_TRUE;
  EXPECT_EQ(createWith(&vulkan12, &core), VK_SUCCESS);
  EXPECT_TRUE(enabled.shaderInt8);
  EXPECT_TRUE(enabled.robustBufferAccess);
  EXPECT_FALSE(enabled.shaderFloat16);

  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  features.features.shaderFloat64 = VK_TRUE;
  EXPECT_EQ(createWith(&features), VK_SUCCESS);
  EXPECT_TRUE(enabled.shaderFloat64);
  EXPECT_FALSE(enabled.robustBufferAccess);
}

TEST_F(FeatureChain, whatIsNotThereIsRefused) {
  VkPhysicalDeviceFeatures core = {};
  core.sparseBinding = VK_TRUE;
  EXPECT_EQ(createWith(nullptr, &core), VK_ERROR_FEATURE_NOT_PRESENT);
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  features.features = core;
  EXPECT_EQ(createWith(&features), VK_ERROR_FEATURE_NOT_PRESENT);
  auto texture = vkStruct<VkPhysicalDeviceTextureCompressionASTCHDRFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES);
  texture.textureCompressionASTC_HDR = VK_TRUE;
  EXPECT_EQ(createWith(&texture), VK_ERROR_FEATURE_NOT_PRESENT);
  auto vulkan13 = vkStruct<VkPhysicalDeviceVulkan13Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  vulkan13.textureCompressionASTC_HDR = VK_TRUE;
  EXPECT_EQ(createWith(&vulkan13), VK_ERROR_FEATURE_NOT_PRESENT);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0], "features not supported: sparseBinding");
  EXPECT_EQ(messages[3], "features not supported: textureCompressionASTC_HDR");
}

TEST_F(FeatureChain, everythingThatIsOfferedCanBeEnabled) {
  auto vulkan14 = vkStruct<VkPhysicalDeviceVulkan14Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
  auto vulkan13 = vkStruct<VkPhysicalDeviceVulkan13Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &vulkan14);
  auto vulkan12 = vkStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13);
  auto vulkan11 = vkStruct<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &vulkan12);
  auto features =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan11);
  GetPhysicalDeviceFeatures2(physicalDevice, &features);
  EXPECT_EQ(createWith(&features), VK_SUCCESS);
  EXPECT_TRUE(enabled.maintenance4);
  EXPECT_TRUE(enabled.maintenance6);
  EXPECT_TRUE(enabled.timelineSemaphore);
}

TEST_F(FeatureChain, unknownExtensionsAndQueuesAreRefused) {
  const char *unknown = "VK_KHR_video_queue";
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &unknown;
  VkDevice made = VK_NULL_HANDLE;
  EXPECT_EQ(CreateDevice(physicalDevice, &info, nullptr, &made), VK_ERROR_EXTENSION_NOT_PRESENT);
}

TEST(Properties, everyNameHasAValueOrIsAnArray) {
  llvm::StringSet<> known = {"deviceLUID",
                             "deviceUUID",
                             "driverUUID",
                             "optimalTilingLayoutUUID",
                             "shaderBinaryUUID",
                             "driverName",
                             "driverInfo",
                             "shaderModuleIdentifierAlgorithmUUID",
                             "maxTaskWorkGroupCount",
                             "maxTaskWorkGroupSize",
                             "maxMeshWorkGroupCount",
                             "maxMeshWorkGroupSize",
                             "sampleLocationCoordinateRange"};
#define KILN_PROPERTY(name, ...) EXPECT_TRUE(known.insert(#name).second) << "twice: " << #name;
#include "icd_glue/context/Properties.def"
#define KILN_PROPERTY_NAME(name) EXPECT_TRUE(known.contains(#name)) << "not listed: " << #name;
#include "icd_glue/context/PhysicalDeviceStructs.inc"
}

} // namespace
