//===- Surface.cpp - VkSurfaceKHR: what can be presented where ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/Surface.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/wsi/PresentTiming.h"
#include <algorithm>
#include <iterator>

namespace icd {

bool Surface::replace(const Swapchain *old, const Swapchain *swapchain) {
  std::lock_guard<std::mutex> lock(mutex);
  if (holder && holder != old)
    return false;
  holder = swapchain;
  return true;
}

llvm::ArrayRef<VkSurfaceFormatKHR> surfaceFormats() {
  // Applications that take the first one expect what screens have.
  static constexpr VkSurfaceFormatKHR formats[] = {
      {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
      {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
  };
  return formats;
}

llvm::ArrayRef<VkPresentModeKHR> presentModes() {
  // No window has a refresh period: the next one begins as soon as there is something to show,
  // which fits the rules of every mode.
  static constexpr VkPresentModeKHR modes[] = {
      VK_PRESENT_MODE_FIFO_KHR,
      VK_PRESENT_MODE_FIFO_RELAXED_KHR,
      VK_PRESENT_MODE_MAILBOX_KHR,
      VK_PRESENT_MODE_IMMEDIATE_KHR,
      VK_PRESENT_MODE_FIFO_LATEST_READY_EXT,
  };
  return modes;
}

namespace {

/// Usages that some surface format allows.
VkImageUsageFlags supportedUsage(const PhysicalDevice &physical) {
  constexpr VkImageUsageFlagBits usages[] = {
      VK_IMAGE_USAGE_TRANSFER_SRC_BIT,     VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      VK_IMAGE_USAGE_SAMPLED_BIT,          VK_IMAGE_USAGE_STORAGE_BIT,
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
  VkImageUsageFlags supported = 0;
  for (const VkSurfaceFormatKHR &format : surfaceFormats()) {
    const VkFormatFeatureFlags2 features = imageFeatures(physical.target(), format.format);
    for (VkImageUsageFlags usage : usages)
      if (allowsUsage(features, usage))
        supported |= usage;
  }
  return supported;
}

} // namespace

VkResult surfaceCapabilities(const PhysicalDevice &physical, Surface &surface,
                             VkSurfaceCapabilitiesKHR &capabilities) {
  capabilities = {};
  if (VkResult result = surface.window().extent(capabilities.currentExtent))
    return result;
  const uint32_t most = physical.limits().maxImageDimension2D;
  if (capabilities.currentExtent.width == Window::anyExtent.width) {
    capabilities.minImageExtent = {1, 1};
    capabilities.maxImageExtent = {most, most};
  } else {
    capabilities.minImageExtent = capabilities.currentExtent;
    capabilities.maxImageExtent = capabilities.currentExtent;
  }
  capabilities.minImageCount = minSwapchainImages;
  capabilities.maxImageCount = maxSwapchainImages;
  capabilities.maxImageArrayLayers = 1;
  capabilities.supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  capabilities.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  capabilities.supportedCompositeAlpha = surface.window().compositeAlpha();
  capabilities.supportedUsageFlags = supportedUsage(physical);
  return VK_SUCCESS;
}

VkResult createSurface(Instance &instance, std::unique_ptr<Window> window,
                       const VkAllocationCallbacks *allocator, VkSurfaceKHR *handle) {
  Surface *surface = createObject<Surface>(allocator, instance.allocationCallbacks(),
                                           VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, std::move(window));
  if (!surface)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *handle = toHandle(surface);
  return VK_SUCCESS;
}

//===--- Commands ---------------------------------------------------------===//

void VKAPI_CALL DestroySurfaceKHR(VkInstance instance, VkSurfaceKHR surface,
                                  const VkAllocationCallbacks *pAllocator) {
  destroyObject(fromHandle<Surface>(surface), pAllocator,
                fromHandle<Instance>(instance)->allocationCallbacks());
}

VkResult VKAPI_CALL GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice, uint32_t queueFamilyIndex,
                                                       VkSurfaceKHR surface, VkBool32 *pSupported) {
  *pSupported =
      queueFamilyIndex < queueFamilyCount && fromHandle<Surface>(surface)->window().isPresentable();
  return VK_SUCCESS;
}

VkResult VKAPI_CALL
GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                        VkSurfaceCapabilitiesKHR *pSurfaceCapabilities) {
  return surfaceCapabilities(*fromHandle<PhysicalDevice>(physicalDevice),
                             *fromHandle<Surface>(surface), *pSurfaceCapabilities);
}

/// VK_KHR_present_id2, VK_KHR_present_wait2, VK_EXT_present_timing,
/// VK_KHR_surface_protected_capabilities: of every surface.
static void fillSupport(void *next) {
  if (auto *isProtected = findOutInChain<VkSurfaceProtectedCapabilitiesKHR>(
          next, VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR))
    isProtected->supportsProtected = VK_FALSE;
  if (auto *id = findOutInChain<VkSurfaceCapabilitiesPresentId2KHR>(
          next, VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR))
    id->presentId2Supported = VK_TRUE;
  if (auto *wait = findOutInChain<VkSurfaceCapabilitiesPresentWait2KHR>(
          next, VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR))
    wait->presentWait2Supported = VK_TRUE;
  if (auto *timing = findOutInChain<VkPresentTimingSurfaceCapabilitiesEXT>(
          next, VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT)) {
    timing->presentTimingSupported = VK_TRUE;
    timing->presentAtAbsoluteTimeSupported = timing->presentAtRelativeTimeSupported = VK_TRUE;
    timing->presentStageQueries = presentStages;
  }
}

/// All modes, that of the query first: a list that is too short for all has it.
static llvm::SmallVector<VkPresentModeKHR, 8> compatibleModes(const void *query) {
  llvm::SmallVector<VkPresentModeKHR, 8> modes(presentModes());
  if (const auto *asked =
          findInChain<VkSurfacePresentModeEXT>(query, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT))
    if (auto at = llvm::find(modes, asked->presentMode); at != modes.end())
      std::rotate(modes.begin(), at, std::next(at));
  return modes;
}

/// VK_EXT_surface_maintenance1: no picture is scaled, and all modes are one.
static void fillMaintenance(const VkSurfaceCapabilitiesKHR &capabilities, const void *query,
                            void *next) {
  if (auto *scaling = findOutInChain<VkSurfacePresentScalingCapabilitiesEXT>(
          next, VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_EXT)) {
    scaling->supportedPresentScaling = 0;
    scaling->supportedPresentGravityX = scaling->supportedPresentGravityY = 0;
    scaling->minScaledImageExtent = capabilities.minImageExtent;
    scaling->maxScaledImageExtent = capabilities.maxImageExtent;
  }
  if (auto *compatible = findOutInChain<VkSurfacePresentModeCompatibilityEXT>(
          next, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT)) {
    const auto modes = compatibleModes(query);
    writeList(modes, &compatible->presentModeCount, compatible->pPresentModes,
              [](VkPresentModeKHR mode, VkPresentModeKHR &out) { out = mode; });
  }
}

VkResult VKAPI_CALL GetPhysicalDeviceSurfaceCapabilities2KHR(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
    VkSurfaceCapabilities2KHR *pSurfaceCapabilities) {
  VkSurfaceCapabilitiesKHR &capabilities = pSurfaceCapabilities->surfaceCapabilities;
  if (!pSurfaceInfo->surface) { // VK_GOOGLE_surfaceless_query: what is of every surface
    fillSupport(pSurfaceCapabilities->pNext);
    return VK_SUCCESS;
  }
  const VkResult result =
      surfaceCapabilities(*fromHandle<PhysicalDevice>(physicalDevice),
                          *fromHandle<Surface>(pSurfaceInfo->surface), capabilities);
  if (!result) {
    if (auto *usage = findOutInChain<VkImageUsageFlags2CreateInfoKHR>(
            pSurfaceCapabilities->pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR))
      usage->usage = capabilities.supportedUsageFlags;
    fillMaintenance(capabilities, pSurfaceInfo->pNext, pSurfaceCapabilities->pNext);
    fillSupport(pSurfaceCapabilities->pNext);
  }
  return result;
}

VkResult VKAPI_CALL GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                       uint32_t *pSurfaceFormatCount,
                                                       VkSurfaceFormatKHR *pSurfaceFormats) {
  return writeList(surfaceFormats(), pSurfaceFormatCount, pSurfaceFormats,
                   [](const VkSurfaceFormatKHR &format, VkSurfaceFormatKHR &out) { out = format; });
}

VkResult VKAPI_CALL GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice,
                                                        const VkPhysicalDeviceSurfaceInfo2KHR *,
                                                        uint32_t *pSurfaceFormatCount,
                                                        VkSurfaceFormat2KHR *pSurfaceFormats) {
  return writeList(surfaceFormats(), pSurfaceFormatCount, pSurfaceFormats,
                   [](const VkSurfaceFormatKHR &format, VkSurfaceFormat2KHR &out) {
                     out.surfaceFormat = format;
                     noteUncompressed(out.pNext);
                   });
}

VkResult VKAPI_CALL GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                            uint32_t *pPresentModeCount,
                                                            VkPresentModeKHR *pPresentModes) {
  return writeList(presentModes(), pPresentModeCount, pPresentModes,
                   [](VkPresentModeKHR mode, VkPresentModeKHR &out) { out = mode; });
}

//===--- Device groups: of one device -------------------------------------===//

VkResult VKAPI_CALL GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice, VkSurfaceKHR surface,
                                                          uint32_t *pRectCount, VkRect2D *pRects) {
  VkRect2D whole = {};
  if (VkResult result = fromHandle<Surface>(surface)->window().extent(whole.extent))
    return result;
  return writeList(llvm::ArrayRef(whole), pRectCount, pRects,
                   [](const VkRect2D &rect, VkRect2D &out) { out = rect; });
}

VkResult VKAPI_CALL GetDeviceGroupPresentCapabilitiesKHR(
    VkDevice, VkDeviceGroupPresentCapabilitiesKHR *pDeviceGroupPresentCapabilities) {
  std::fill(std::begin(pDeviceGroupPresentCapabilities->presentMask),
            std::end(pDeviceGroupPresentCapabilities->presentMask), 0);
  pDeviceGroupPresentCapabilities->presentMask[0] = 1;
  pDeviceGroupPresentCapabilities->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetDeviceGroupSurfacePresentModesKHR(VkDevice, VkSurfaceKHR,
                                                         VkDeviceGroupPresentModeFlagsKHR *pModes) {
  *pModes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

} // namespace icd
