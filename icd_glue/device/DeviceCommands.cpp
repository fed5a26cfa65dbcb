//===- DeviceCommands.cpp - creation of devices, and what asks one --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/context/FeatureChain.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/device/DeviceServices.h"
#include "icd_glue/queue/Queue.h"
#include "icd_glue/sc/OfflineCache.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace icd {

namespace {

VkResult collectExtensions(const VkDeviceCreateInfo &info, const PhysicalDevice &physical,
                           ExtensionSet &extensions) {
  for (uint32_t index = 0; index < info.enabledExtensionCount; ++index) {
    auto extension = findExtension(info.ppEnabledExtensionNames[index], /*isDevice=*/true);
    if (!extension || !physical.hasExtension(*extension))
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    extensions.add(*extension);
  }
  return VK_SUCCESS;
}

/// GPU and compiler of a device; the error says what could not be made.
Error createParts(PhysicalDevice &physical, Device::Parts &parts) {
  Instance &instance = physical.instance();
  pal::device::DeviceOptions options = instance.environment().device;
  options.target = physical.target().name.str();
  options.log = [&instance](StringRef line) { instance.log(line); };
  Expected<std::unique_ptr<pal::device::SoftwareDevice>> gpu =
      pal::device::SoftwareDevice::create(options);
  if (!gpu)
    return gpu.takeError();
  parts.gpu = std::move(*gpu);
  llpc::CompilerOptions compilerOptions;
  compilerOptions.target = options.target;
  compilerOptions.threadsPerPipeline = instance.environment().compileThreads;
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  parts.compiler = KILN_TRY(llpc::Compiler::create(compilerOptions));
  return Error::success();
}

/// Says why there will be no device.
void reportRefusal(PhysicalDevice &physical, const char *id, std::string text) {
  const Object *subject = &physical;
  physical.instance().report({VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                              VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, id, std::move(text),
                              ArrayRef<const Object *>(subject)});
}

/// Whether the requested queues exist: one family, so many of it.
bool areQueuesValid(const VkDeviceCreateInfo &info) {
  uint32_t count = 0;
  for (uint32_t index = 0; index < info.queueCreateInfoCount; ++index) {
    const VkDeviceQueueCreateInfo &queues = info.pQueueCreateInfos[index];
    if (queues.queueFamilyIndex >= queueFamilyCount || queues.queueCount > queuesPerFamily)
      return false;
    count += queues.queueCount;
  }
  return count <= queuesPerFamily;
}

} // namespace

VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physicalDevice,
                                 const VkDeviceCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkDevice *pDevice) {
  PhysicalDevice *physical = fromHandle<PhysicalDevice>(physicalDevice);
  Device::Parts parts;
  parts.extensions = physical->instance().extensions();
  if (VkResult result = collectExtensions(*pCreateInfo, *physical, parts.extensions))
    return result;
  std::string missing = readEnabledFeatures(*pCreateInfo, physical->features(), parts.features);
  if (!missing.empty()) {
    reportRefusal(*physical, "KILN-feature-not-present", "features not supported: " + missing);
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
  if (parts.features.deviceMemoryReport)
    parts.memoryReport = MemoryReport(pCreateInfo->pNext);
  if (!areQueuesValid(*pCreateInfo))
    return VK_ERROR_INITIALIZATION_FAILED;
  if (Error error = sc::checkReservedCaches(*physical, pCreateInfo->pNext)) {
    const Failure failure = failureOf(std::move(error));
    reportRefusal(*physical, "KILN-pipeline-cache", failure.message);
    return failure.result;
  }
  DeviceServices::Options options;
  options.pipelinePools = sc::PipelinePools::create(pCreateInfo->pNext);
  if (auto *control = findInChain<VkDevicePipelineBinaryInternalCacheControlKHR>(
          pCreateInfo->pNext, VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR))
    options.disablesInternalCache = control->disableInternalCache;
  if (Error error = createParts(*physical, parts)) {
    reportRefusal(*physical, "KILN-create-device", toString(std::move(error)));
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const VkAllocationCallbacks &callbacks =
      pAllocator ? *pAllocator : physical->instance().allocationCallbacks();
  Device *device = createObject<Device>(nullptr, callbacks, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE,
                                        *physical, callbacks, std::move(parts));
  if (!device)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  auto made = std::make_unique<DeviceServices>(*device, std::move(options));
  DeviceServices &services = *made;
  device->setServices(std::move(made));
  for (uint32_t info = 0; info < pCreateInfo->queueCreateInfoCount; ++info)
    for (uint32_t index = 0; index < pCreateInfo->pQueueCreateInfos[info].queueCount; ++index)
      if (!services.addQueue(pCreateInfo->pQueueCreateInfos[info].flags)) {
        destroyObject(device, nullptr, callbacks);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
  services.recipes = RecipeBook::open(*device);
  if (services.recipes)
    services.recipes->begin();
  *pDevice = toHandle(device);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyDevice(VkDevice handle, const VkAllocationCallbacks *pAllocator) {
  Device *device = fromHandle<Device>(handle);
  if (!device)
    return;
  const VkAllocationCallbacks callbacks = device->allocationCallbacks();
  destroyObject(device, pAllocator, callbacks);
}

void VKAPI_CALL GetDeviceQueue(VkDevice device, uint32_t, uint32_t queueIndex, VkQueue *pQueue) {
  *pQueue = toHandle(fromHandle<Device>(device)->queue(queueIndex));
}

void VKAPI_CALL GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *pQueueInfo,
                                VkQueue *pQueue) {
  Queue *queue = fromHandle<Device>(device)->queue(pQueueInfo->queueIndex);
  // The specification: null when the flags are not those of the queue's creation.
  *pQueue = toHandle(queue && queue->flags() == pQueueInfo->flags ? queue : nullptr);
}

VkResult VKAPI_CALL DeviceWaitIdle(VkDevice device) {
  for (Queue *queue : fromHandle<Device>(device)->queues())
    if (VkResult result = queue->waitIdle())
      return result;
  return VK_SUCCESS;
}

// A group of one device.
void VKAPI_CALL GetDeviceGroupPeerMemoryFeatures(VkDevice, uint32_t, uint32_t, uint32_t,
                                                 VkPeerMemoryFeatureFlags *pPeerMemoryFeatures) {
  *pPeerMemoryFeatures = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
                         VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT |
                         VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

VkResult VKAPI_CALL GetDeviceFaultInfoEXT(VkDevice handle, VkDeviceFaultCountsEXT *pFaultCounts,
                                          VkDeviceFaultInfoEXT *pFaultInfo) {
  pFaultCounts->addressInfoCount = 0;
  pFaultCounts->vendorInfoCount = 0;
  pFaultCounts->vendorBinarySize = 0;
  if (pFaultInfo) {
    std::string message = fromHandle<Device>(handle)->lostMessage();
    std::snprintf(pFaultInfo->description, sizeof(pFaultInfo->description), "%s", message.c_str());
  }
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetDeviceFaultReportsKHR(VkDevice handle, uint64_t timeout,
                                             uint32_t *pFaultCounts,
                                             VkDeviceFaultInfoKHR *pFaultInfo) {
  Device &device = *fromHandle<Device>(handle);
  const bool isThere = device.waitForFault(timeout, pFaultInfo && *pFaultCounts);
  const VkResult result = !isThere                       ? VK_TIMEOUT
                          : pFaultInfo && !*pFaultCounts ? VK_INCOMPLETE
                                                         : VK_SUCCESS;
  *pFaultCounts = isThere && result == VK_SUCCESS;
  if (!pFaultInfo || !*pFaultCounts)
    return result;
  pFaultInfo->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
  pFaultInfo->groupId = 0;
  std::snprintf(pFaultInfo->description, sizeof(pFaultInfo->description), "%s",
                device.lostMessage().c_str());
  pFaultInfo->faultAddressInfo = pFaultInfo->instructionAddressInfo = {};
  pFaultInfo->vendorInfo = {};
  return result;
}

VkResult VKAPI_CALL GetDeviceFaultDebugInfoKHR(VkDevice, VkDeviceFaultDebugInfoKHR *pDebugInfo) {
  pDebugInfo->vendorBinarySize = 0;
  return VK_SUCCESS;
}

} // namespace icd
