// SPDX-License-Identifier: MIT
// VK_KHR_cooperative_matrix: what the device says of itself. What is computed:
// test/exec/random_matrices.py.
#include "Pipelines.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace api {
namespace {

class CooperativeMatrixApi : public ApiTest {
protected:
  void SetUp() override {
    const std::vector<std::string> available = gpu.availableExtensions();
    if (!llvm::is_contained(available, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) ||
        !gpu.vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR)
      GTEST_SKIP() << "no VK_KHR_cooperative_matrix";
  }
  VkResult list(uint32_t &count, VkCooperativeMatrixPropertiesKHR *out) {
    return gpu.vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR(gpu.physicalDevice, &count, out);
  }
  std::vector<VkCooperativeMatrixPropertiesKHR> blank(uint32_t count) {
    return {count, vkStruct<VkCooperativeMatrixPropertiesKHR>(
                       VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR)};
  }
};
API_TESTS_ON_ALL_DEVICES(CooperativeMatrixApi);

TEST_P(CooperativeMatrixApi, ProductsAreListedOnce) {
  uint32_t count = 0;
  VK_OK(list(count, nullptr));
  ASSERT_GT(count, 0u);
  auto products = blank(count);
  VK_OK(list(count, products.data()));
  std::set<std::tuple<int, int, int, bool>> seen;
  for (const VkCooperativeMatrixPropertiesKHR &p : products) {
    EXPECT_TRUE(p.MSize == 16 && p.NSize == 16 && p.KSize == 16);
    EXPECT_EQ(p.scope, VK_SCOPE_SUBGROUP_KHR);
    EXPECT_EQ(p.CType, p.ResultType);
    EXPECT_TRUE(seen.emplace(p.AType, p.BType, p.CType, p.saturatingAccumulation).second);
  }
  // What programs of machine learning look for.
  using Product = std::tuple<int, int, int, bool>;
  for (const Product &wanted :
       {Product(VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR,
                VK_COMPONENT_TYPE_FLOAT32_KHR, false),
        Product(VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_BFLOAT16_KHR,
                VK_COMPONENT_TYPE_FLOAT32_KHR, false),
        Product(VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR,
                VK_COMPONENT_TYPE_SINT32_KHR, false)})
    EXPECT_TRUE(seen.count(wanted));
  const bool hasFloat8 =
      llvm::is_contained(gpu.availableExtensions(), VK_EXT_SHADER_FLOAT8_EXTENSION_NAME);
  EXPECT_EQ(seen.count(Product(VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
                               VK_COMPONENT_TYPE_FLOAT32_KHR, false)),
            hasFloat8 ? 1u : 0u);
}

TEST_P(CooperativeMatrixApi, ShortListsAreIncomplete) {
  uint32_t count = 2;
  auto few = blank(3);
  few[2].MSize = 77;
  EXPECT_EQ(list(count, few.data()), VK_INCOMPLETE);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(few[1].MSize, 16u);
  EXPECT_EQ(few[2].MSize, 77u);
}

TEST_P(CooperativeMatrixApi, OfComputeShaders) {
  allowsMessages = true; // of validation layers that do not know the structure
  auto properties = vkStruct<VkPhysicalDeviceCooperativeMatrixPropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR);
  auto all = vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  all.pNext = &properties;
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
  EXPECT_EQ(properties.cooperativeMatrixSupportedStages,
            VkShaderStageFlags(VK_SHADER_STAGE_COMPUTE_BIT));
}

TEST_P(CooperativeMatrixApi, SizesAreFlexible) {
  if (!llvm::is_contained(gpu.availableExtensions(), VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_NV_cooperative_matrix2";
  allowsMessages = true; // of validation layers that do not know the structure
  auto features = vkStruct<VkPhysicalDeviceCooperativeMatrix2FeaturesNV>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV);
  auto all = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  all.pNext = &features;
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &all);
  EXPECT_TRUE(features.cooperativeMatrixReductions && features.cooperativeMatrixConversions &&
              features.cooperativeMatrixPerElementOperations &&
              features.cooperativeMatrixFlexibleDimensions &&
              features.cooperativeMatrixWorkgroupScope &&
              features.cooperativeMatrixTensorAddressing && features.cooperativeMatrixBlockLoads);
  const auto query = gpu.vk.GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV;
  uint32_t count = 7;
  VK_OK(query(gpu.physicalDevice, &count, nullptr));
  ASSERT_GT(count, 7u);
  std::vector<VkCooperativeMatrixFlexibleDimensionsPropertiesNV> products(
      count, vkStruct<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
                 VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV));
  VK_OK(query(gpu.physicalDevice, &count, products.data()));
  std::set<std::tuple<int, int, int, int, uint32_t>> seen;
  for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV &p : products) {
    EXPECT_TRUE(p.MGranularity == 16 && p.NGranularity == 16 && p.KGranularity == 16);
    EXPECT_EQ(p.CType, p.ResultType);
    EXPECT_FALSE(p.saturatingAccumulation);
    EXPECT_EQ(p.scope == VK_SCOPE_WORKGROUP_KHR, p.workgroupInvocations != 0);
    EXPECT_TRUE(seen.emplace(p.scope, p.AType, p.BType, p.CType, p.workgroupInvocations).second);
  }
  // What ggml looks for.
  for (uint32_t invocations : {128u, 256u})
    for (int sum : {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR})
      EXPECT_TRUE(seen.count({VK_SCOPE_WORKGROUP_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR,
                              VK_COMPONENT_TYPE_FLOAT16_KHR, sum, invocations}));
}

} // namespace
} // namespace api
