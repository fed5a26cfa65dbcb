//===- CooperativeMatrices.cpp - which matrices can be multiplied ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/Object.h"
#include "icd_glue/context/PhysicalDevice.h"
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

} // namespace

VkResult VKAPI_CALL
GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pCount,
                                                VkCooperativeMatrixPropertiesKHR *pProperties) {
  const bool hasFloat8 =
      fromHandle<PhysicalDevice>(physicalDevice)->features().shaderFloat8CooperativeMatrix;
  return writeList(llvm::ArrayRef(products).drop_back(hasFloat8 ? 0 : float8Products), pCount,
                   pProperties, [](const Product &product, VkCooperativeMatrixPropertiesKHR &out) {
                     out.MSize = out.NSize = out.KSize = 16;
                     out.AType = product.a;
                     out.BType = product.b;
                     out.CType = out.ResultType = product.sum;
                     out.saturatingAccumulation = product.saturates;
                     out.scope = VK_SCOPE_SUBGROUP_KHR;
                   });
}

/// Sizes are not flexible.
VkResult VKAPI_CALL GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
    VkPhysicalDevice, uint32_t *pPropertyCount,
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV *) {
  *pPropertyCount = 0;
  return VK_SUCCESS;
}

} // namespace icd
