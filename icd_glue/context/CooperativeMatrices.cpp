//===- CooperativeMatrices.cpp - which matrices can be multiplied ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/Object.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "lgc/CooperativeMatrix.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace icd {

namespace {

struct Product {
  VkComponentTypeKHR a, b, sum;
  bool saturates = false;
};

/// What llpc/translate/CooperativeMatrix.cpp takes, with the signs that Vulkan tells apart.
constexpr std::array products = {
    Product{VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
    Product{VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR,
            VK_COMPONENT_TYPE_FLOAT16_KHR},
    Product{VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_BFLOAT16_KHR,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
    Product{VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_BFLOAT16_KHR,
            VK_COMPONENT_TYPE_BFLOAT16_KHR},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR,
            true},
    Product{VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR,
            true},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR,
            true},
    Product{VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR,
            true},
    Product{VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
    Product{VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
    Product{VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
    Product{VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
            VK_COMPONENT_TYPE_FLOAT32_KHR},
};
constexpr size_t float8Products = 4; ///< the last

llvm::ArrayRef<Product> productsOf(VkPhysicalDevice device) {
  const bool hasFloat8 =
      fromHandle<PhysicalDevice>(device)->features().shaderFloat8CooperativeMatrix;
  return llvm::ArrayRef(products).drop_back(hasFloat8 ? 0 : float8Products);
}

struct FlexibleProduct {
  const Product *product;
  uint32_t invocations; ///< of the workgroup; 0: it is of subgroups
};

/// Sums of more than one tile would saturate on the way.
std::vector<FlexibleProduct> flexibleProducts(llvm::ArrayRef<Product> all) {
  std::vector<FlexibleProduct> result;
  for (uint32_t invocations : {0u, 64u, 128u, lgc::maxMatrixInvocations})
    for (const Product &product : all)
      if (!product.saturates)
        result.push_back({&product, invocations});
  return result;
}

} // namespace

VkResult VKAPI_CALL
GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pCount,
                                                VkCooperativeMatrixPropertiesKHR *pProperties) {
  return writeList(productsOf(physicalDevice), pCount, pProperties,
                   [](const Product &product, VkCooperativeMatrixPropertiesKHR &out) {
                     out.MSize = out.NSize = out.KSize = lgc::matrixSide;
                     out.AType = product.a;
                     out.BType = product.b;
                     out.CType = out.ResultType = product.sum;
                     out.saturatingAccumulation = product.saturates;
                     out.scope = VK_SCOPE_SUBGROUP_KHR;
                   });
}

VkResult VKAPI_CALL GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
    VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV *pProperties) {
  const std::vector<FlexibleProduct> all = flexibleProducts(productsOf(physicalDevice));
  return writeList(
      llvm::ArrayRef(all), pPropertyCount, pProperties,
      [](const FlexibleProduct &entry, VkCooperativeMatrixFlexibleDimensionsPropertiesNV &out) {
        out.MGranularity = out.NGranularity = out.KGranularity = lgc::matrixSide;
        out.AType = entry.product->a;
        out.BType = entry.product->b;
        out.CType = out.ResultType = entry.product->sum;
        out.saturatingAccumulation = VK_FALSE;
        out.scope = entry.invocations ? VK_SCOPE_WORKGROUP_KHR : VK_SCOPE_SUBGROUP_KHR;
        out.workgroupInvocations = entry.invocations;
      });
}

} // namespace icd
