//===- AbsentState.cpp - vkCmdSet* of extensions that are not there -------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_EXT_shader_object and VK_EXT_extended_dynamic_state3 bring the commands for dynamic state of
/// many extensions, and an implementation of theirs must have all of them, whether it has those
/// extensions or not. What says that such state is as it is without its extension does nothing;
/// anything else ends the command buffer with an error.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

/// Reports \p command unless \p isUsual.
void expectUsual(VkCommandBuffer handle, bool isUsual, const char *command, const char *extension) {
  if (isUsual)
    return;
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  commandBuffer->device().reportError("KILN-unsupported",
                                      std::string(command) + ": the device does not have " +
                                          extension + ", which this state is of",
                                      commandBuffer);
  commandBuffer->setError(VK_ERROR_UNKNOWN);
}

bool isIdentity(const VkViewportSwizzleNV &swizzle) {
  return swizzle.x == VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV &&
         swizzle.y == VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV &&
         swizzle.z == VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV &&
         swizzle.w == VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV;
}

} // namespace

/// There is no operation that means "as usual".
VKAPI_ATTR void VKAPI_CALL CmdSetColorBlendAdvancedEXT(VkCommandBuffer commandBuffer, uint32_t,
                                                       uint32_t count,
                                                       const VkColorBlendAdvancedEXT *) {
  expectUsual(commandBuffer, count == 0, "vkCmdSetColorBlendAdvancedEXT",
              "VK_EXT_blend_operation_advanced");
}

VKAPI_ATTR void VKAPI_CALL CmdSetViewportWScalingEnableNV(VkCommandBuffer commandBuffer,
                                                          VkBool32 enable) {
  expectUsual(commandBuffer, !enable, "vkCmdSetViewportWScalingEnableNV",
              "VK_NV_clip_space_w_scaling");
}

VKAPI_ATTR void VKAPI_CALL CmdSetViewportSwizzleNV(VkCommandBuffer commandBuffer, uint32_t,
                                                   uint32_t count,
                                                   const VkViewportSwizzleNV *swizzles) {
  expectUsual(commandBuffer, llvm::all_of(llvm::ArrayRef(swizzles, count), isIdentity),
              "vkCmdSetViewportSwizzleNV", "VK_NV_viewport_swizzle");
}

VKAPI_ATTR void VKAPI_CALL CmdSetCoverageToColorEnableNV(VkCommandBuffer commandBuffer,
                                                         VkBool32 enable) {
  expectUsual(commandBuffer, !enable, "vkCmdSetCoverageToColorEnableNV",
              "VK_NV_fragment_coverage_to_color");
}

/// Nobody reads the location while coverage goes to no colour.
VKAPI_ATTR void VKAPI_CALL CmdSetCoverageToColorLocationNV(VkCommandBuffer, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL CmdSetCoverageModulationModeNV(VkCommandBuffer commandBuffer,
                                                          VkCoverageModulationModeNV mode) {
  expectUsual(commandBuffer, mode == VK_COVERAGE_MODULATION_MODE_NONE_NV,
              "vkCmdSetCoverageModulationModeNV", "VK_NV_framebuffer_mixed_samples");
}

VKAPI_ATTR void VKAPI_CALL CmdSetCoverageModulationTableEnableNV(VkCommandBuffer commandBuffer,
                                                                 VkBool32 enable) {
  expectUsual(commandBuffer, !enable, "vkCmdSetCoverageModulationTableEnableNV",
              "VK_NV_framebuffer_mixed_samples");
}

/// Nobody reads the table while it is not enabled.
VKAPI_ATTR void VKAPI_CALL CmdSetCoverageModulationTableNV(VkCommandBuffer, uint32_t,
                                                           const float *) {}

VKAPI_ATTR void VKAPI_CALL CmdSetShadingRateImageEnableNV(VkCommandBuffer commandBuffer,
                                                          VkBool32 enable) {
  expectUsual(commandBuffer, !enable, "vkCmdSetShadingRateImageEnableNV",
              "VK_NV_shading_rate_image");
}

VKAPI_ATTR void VKAPI_CALL CmdSetRepresentativeFragmentTestEnableNV(VkCommandBuffer commandBuffer,
                                                                    VkBool32 enable) {
  expectUsual(commandBuffer, !enable, "vkCmdSetRepresentativeFragmentTestEnableNV",
              "VK_NV_representative_fragment_test");
}

VKAPI_ATTR void VKAPI_CALL CmdSetCoverageReductionModeNV(VkCommandBuffer commandBuffer,
                                                         VkCoverageReductionModeNV mode) {
  expectUsual(commandBuffer, mode == VK_COVERAGE_REDUCTION_MODE_MERGE_NV,
              "vkCmdSetCoverageReductionModeNV", "VK_NV_coverage_reduction_mode");
}

} // namespace icd
