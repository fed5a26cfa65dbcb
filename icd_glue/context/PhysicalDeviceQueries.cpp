//===- PhysicalDeviceQueries.cpp - vkGetPhysicalDevice* -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Everything that can be asked of a physical device, except what formats can do (image/).
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/FeatureChain.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/Limits.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cstdio>

namespace icd {

void VKAPI_CALL GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                          VkPhysicalDeviceFeatures *pFeatures) {
  *pFeatures = coreFeaturesOf(fromHandle<PhysicalDevice>(physicalDevice)->features());
}

void VKAPI_CALL GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                           VkPhysicalDeviceFeatures2 *pFeatures) {
  GetPhysicalDeviceFeatures(physicalDevice, &pFeatures->features);
  writeFeatureChain(pFeatures->pNext, fromHandle<PhysicalDevice>(physicalDevice)->features());
}

void VKAPI_CALL GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                            VkPhysicalDeviceProperties *pProperties) {
  *pProperties = fromHandle<PhysicalDevice>(physicalDevice)->coreProperties();
}

namespace {

/// Layouts that the host copies from and to: images have one form in memory, so all that Vulkan
/// lets an image be in.
constexpr std::array hostCopyLayouts = {
    VK_IMAGE_LAYOUT_GENERAL,
    VK_IMAGE_LAYOUT_PREINITIALIZED,
    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
    VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
    VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
    VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
    VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
    VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};

/// Without an array the length goes out, else the length of the array comes in.
template <typename Struct> void writeCopyLayouts(void *next, VkStructureType type) {
  auto *out = findOutInChain<Struct>(next, type);
  if (!out)
    return;
  auto copy = [](VkImageLayout from, VkImageLayout &to) { to = from; };
  (void)writeList(hostCopyLayouts, &out->copySrcLayoutCount, out->pCopySrcLayouts, copy);
  (void)writeList(hostCopyLayouts, &out->copyDstLayoutCount, out->pCopyDstLayouts, copy);
}

} // namespace

void VKAPI_CALL GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                             VkPhysicalDeviceProperties2 *pProperties) {
  GetPhysicalDeviceProperties(physicalDevice, &pProperties->properties);
  writePropertyChain(pProperties->pNext, fromHandle<PhysicalDevice>(physicalDevice)->properties());
  writeCopyLayouts<VkPhysicalDeviceHostImageCopyProperties>(
      pProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES);
  writeCopyLayouts<VkPhysicalDeviceVulkan14Properties>(
      pProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES);
  if (auto *below = findOutInChain<VkPhysicalDeviceLayeredApiPropertiesListKHR>(
          pProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR))
    below->layeredApiCount = 0; // the device is no layer on another API
}

void VKAPI_CALL GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
                                                  VkPhysicalDeviceMemoryProperties *pProperties) {
  *pProperties = fromHandle<PhysicalDevice>(physicalDevice)->memoryProperties();
}

void VKAPI_CALL GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                                   VkPhysicalDeviceMemoryProperties2 *pProperties) {
  GetPhysicalDeviceMemoryProperties(physicalDevice, &pProperties->memoryProperties);
  auto *budget = findOutInChain<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      pProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (!budget)
    return;
  std::fill(std::begin(budget->heapBudget), std::end(budget->heapBudget), 0);
  std::fill(std::begin(budget->heapUsage), std::end(budget->heapUsage), 0);
  budget->heapBudget[0] = pProperties->memoryProperties.memoryHeaps[0].size;
  budget->heapUsage[0] = fromHandle<PhysicalDevice>(physicalDevice)->memoryInUse();
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceMultisamplePropertiesEXT(
    VkPhysicalDevice, VkSampleCountFlagBits samples, VkMultisamplePropertiesEXT *pProperties) {
  pProperties->maxSampleLocationGridSize =
      samples & sampleLocationCounts ? sampleLocationGrid : VkExtent2D{};
}

//===--- Queues -----------------------------------------------------------===//

namespace {

constexpr std::array<VkQueueFamilyProperties, queueFamilyCount> queueFamilies = {{
    {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
     queuesPerFamily,
     64,
     {1, 1, 1}},
}};

/// All that there are: nothing hinders a software device, and nothing can hurry it.
constexpr std::array globalPriorities = {
    VK_QUEUE_GLOBAL_PRIORITY_LOW, VK_QUEUE_GLOBAL_PRIORITY_MEDIUM, VK_QUEUE_GLOBAL_PRIORITY_HIGH,
    VK_QUEUE_GLOBAL_PRIORITY_REALTIME};
static_assert(globalPriorities.size() <= VK_MAX_GLOBAL_PRIORITY_SIZE);

} // namespace

void VKAPI_CALL GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t *pCount,
                                                       VkQueueFamilyProperties *pProperties) {
  // No result code: a short array just gets fewer.
  (void)writeList(queueFamilies, pCount, pProperties,
                  [](const auto &family, VkQueueFamilyProperties &out) { out = family; });
}

void VKAPI_CALL GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice, uint32_t *pCount,
                                                        VkQueueFamilyProperties2 *pProperties) {
  (void)writeList(
      queueFamilies, pCount, pProperties, [](const auto &family, VkQueueFamilyProperties2 &out) {
        out.queueFamilyProperties = family;
        auto *priorities = findOutInChain<VkQueueFamilyGlobalPriorityProperties>(
            out.pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES);
        if (priorities) {
          priorities->priorityCount = globalPriorities.size();
          llvm::copy(globalPriorities, priorities->priorities);
        }
        // Nothing changes with the owner.
        auto *transfers = findOutInChain<VkQueueFamilyOwnershipTransferPropertiesKHR>(
            out.pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR);
        if (transfers)
          transfers->optimalImageTransferToQueueFamilies = (1u << queueFamilyCount) - 1;
        auto *granularity =
            findOutInChain<VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR>(
                out.pNext,
                VK_STRUCTURE_TYPE_QUEUE_FAMILY_OPTIMAL_IMAGE_TRANSFER_GRANULARITY_PROPERTIES_KHR);
        if (granularity)
          granularity->optimalImageTransferGranularity = {1, 1, 1};
      });
}

//===--- Shading rates ----------------------------------------------------===//

VkResult VKAPI_CALL
GetPhysicalDeviceFragmentShadingRatesKHR(VkPhysicalDevice physicalDevice, uint32_t *pCount,
                                         VkPhysicalDeviceFragmentShadingRateKHR *pRates) {
  const PhysicalDevice &device = *fromHandle<PhysicalDevice>(physicalDevice);
  // Largest first; one pixel goes with every number of samples.
  constexpr std::array<VkExtent2D, 4> sizes = {{{2, 2}, {2, 1}, {1, 2}, {1, 1}}};
  const llvm::ArrayRef<VkExtent2D> all(sizes);
  return writeList(device.features().pipelineFragmentShadingRate ? all : all.take_back(), pCount,
                   pRates, [](const VkExtent2D &size, VkPhysicalDeviceFragmentShadingRateKHR &out) {
                     out.fragmentSize = size;
                     out.sampleCounts =
                         size.width * size.height == 1 ? ~VkSampleCountFlags(0) : imageSampleCounts;
                   });
}

//===--- Tools ------------------------------------------------------------===//

/// The variables that trace or perturb execution make the driver a tool; without them it is none.
VkResult VKAPI_CALL
GetPhysicalDeviceToolProperties(VkPhysicalDevice physicalDevice, uint32_t *pToolCount,
                                VkPhysicalDeviceToolProperties *pToolProperties) {
  const Environment &environment =
      fromHandle<PhysicalDevice>(physicalDevice)->instance().environment();
  std::array<VkToolPurposeFlags, 1> tools = {0};
  if (environment.device.trace.enabled)
    tools[0] |= VK_TOOL_PURPOSE_TRACING_BIT;
  if (environment.device.poison || environment.device.perturbApproximate || environment.device.seed)
    tools[0] |= VK_TOOL_PURPOSE_MODIFYING_FEATURES_BIT;
  if (!environment.opcodeCountsFile.empty())
    tools[0] |= VK_TOOL_PURPOSE_PROFILING_BIT;
  if (!tools[0]) {
    *pToolCount = 0;
    return VK_SUCCESS;
  }
  return writeList(tools, pToolCount, pToolProperties,
                   [](VkToolPurposeFlags purposes, VkPhysicalDeviceToolProperties &out) {
                     std::snprintf(out.name, sizeof(out.name), "Kiln software device");
                     std::snprintf(out.version, sizeof(out.version), "%s", KILN_VERSION);
                     std::snprintf(out.description, sizeof(out.description),
                                   "settings of KILN_* environment variables");
                     out.layer[0] = 0;
                     out.purposes = purposes;
                   });
}

} // namespace icd
