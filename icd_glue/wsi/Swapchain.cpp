//===- Swapchain.cpp - VkSwapchainKHR: images and who has them ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/Swapchain.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/sync/TimeDomains.h"
#include "icd_glue/wsi/PictureFile.h"
#include "icd_glue/wsi/Surface.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace icd {

Swapchain::Swapchain(Device &device, Surface &surface, const VkSwapchainCreateInfoKHR &info)
    : Object(type), owner(device), target(surface), extent(info.imageExtent),
      isBgr(info.imageFormat == VK_FORMAT_B8G8R8A8_UNORM ||
            info.imageFormat == VK_FORMAT_B8G8R8A8_SRGB),
      isOpaque(info.compositeAlpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR),
      number(device.instance().nextSwapchainNumber()) {}

Swapchain::~Swapchain() {
  // Applications may destroy a swapchain while presents are in flight: there is no way to see that
  // they are done. Of a lost device none runs after drain().
  if (owner.sync().wait(UINT64_MAX, [this] { return presentsInFlight == 0; }) == WaitResult::Lost)
    owner.sync().drain();
  for (Slot &slot : slots) {
    DestroyImage(toHandle(&owner), toHandle(slot.image), nullptr);
    FreeMemory(toHandle(&owner), toHandle(slot.memory), nullptr);
  }
}

VkResult Swapchain::createImages(const VkSwapchainCreateInfoKHR &info) {
  VkImageCreateInfo imageInfo = {};
  imageInfo.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  imageInfo.pNext = info.pNext; // the list of formats of a mutable swapchain, the extended usage
  if (info.flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR)
    imageInfo.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = info.imageFormat;
  imageInfo.extent = {info.imageExtent.width, info.imageExtent.height, 1};
  imageInfo.mipLevels = 1;
  imageInfo.arrayLayers = info.imageArrayLayers;
  imageInfo.samples = VK_SAMPLE_COUNT_1_BIT;
  imageInfo.tiling = VK_IMAGE_TILING_OPTIMAL;
  imageInfo.usage = info.imageUsage;
  imageInfo.sharingMode = info.imageSharingMode;
  VkDevice device = toHandle(&owner);
  const uint32_t count = std::max(info.minImageCount, minSwapchainImages);
  for (uint32_t index = 0; index < count; ++index) {
    Slot &slot = slots.emplace_back();
    available.push_back(index);
    VkImage image = VK_NULL_HANDLE;
    if (VkResult result = CreateImage(device, &imageInfo, nullptr, &image))
      // There is no better one for images that do not exist.
      return result == VK_ERROR_FORMAT_NOT_SUPPORTED ? VK_ERROR_INITIALIZATION_FAILED : result;
    slot.image = fromHandle<Image>(image);
    VkMemoryAllocateInfo memoryInfo = {};
    memoryInfo.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    memoryInfo.allocationSize = slot.image->shape.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (VkResult result = AllocateMemory(device, &memoryInfo, nullptr, &memory))
      return result;
    slot.memory = fromHandle<DeviceMemory>(memory);
    slot.image->bind(slot.memory, 0);
    owner.reportBinding(*slot.image, slot.image->lastBinding(),
                        VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  }
  return VK_SUCCESS;
}

VkResult Swapchain::acquire(uint64_t timeout, uint32_t &index) {
  if (owner.isLost())
    return owner.lostResult();
  if (surfaceLost)
    return VK_ERROR_SURFACE_LOST_KHR;
  bool isRetired = false;
  WaitResult result = owner.sync().wait(timeout, [&] {
    isRetired = retired;
    if (isRetired)
      return true;
    if (available.empty())
      return false;
    index = available.front();
    available.pop_front();
    slots[index].state = State::Acquired;
    return true;
  });
  if (result == WaitResult::Lost)
    return owner.lostResult();
  if (result == WaitResult::TimedOut)
    return timeout ? VK_TIMEOUT : VK_NOT_READY;
  return isRetired ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
}

VkResult Swapchain::presentResult() const {
  VkExtent2D present = {};
  if (surfaceLost)
    return VK_ERROR_SURFACE_LOST_KHR;
  if (VkResult result = target.window().extent(present))
    return result;
  const bool fits = present.width == Window::anyExtent.width ||
                    (present.width == extent.width && present.height == extent.height);
  return fits ? VK_SUCCESS : VK_ERROR_OUT_OF_DATE_KHR;
}

VkResult Swapchain::queuePresent(uint32_t index, const PresentRequest &request,
                                 std::vector<Work> &work) {
  VkResult result = presentResult();
  Presentation presentation;
  if (request.time)
    presentation.time = *request.time;
  if (request.timing)
    presentation.timing = *request.timing;
  const bool acquired = owner.sync().read([&] {
    if (index >= slots.size() || slots[index].state != State::Acquired)
      return false;
    if (!result && request.timing && request.timing->presentStageQueries) {
      presentation.report = presentTiming.reserve(*request.timing, request.id);
      if (!presentation.report) {
        result = VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT;
        return true;
      }
    }
    slots[index].state = State::Presenting;
    ++presentsInFlight;
    return true;
  });
  if (!acquired) {
    owner.reportError("KILN-present", "image " + std::to_string(index) + " is not acquired", this);
    return VK_ERROR_UNKNOWN;
  }
  if (result == VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT)
    return result;
  work.push_back([this, index, id = request.id, presentation, isSeen = result == VK_SUCCESS] {
    if (isSeen)
      present(index, presentation);
    owner.sync().update([&] { presentedId = std::max(presentedId, id); });
    makeAvailable(index);
    return Error::success();
  });
  return result;
}

VkResult Swapchain::waitForPresent(uint64_t id, uint64_t timeout) {
  switch (owner.sync().wait(timeout, [&] { return presentedId >= id; })) {
  case WaitResult::TimedOut:
    return VK_TIMEOUT;
  case WaitResult::Lost:
    return VK_ERROR_DEVICE_LOST;
  default:
    return surfaceLost ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
  }
}

bool Swapchain::show(uint32_t index) {
  const Slot &slot = slots[index];
  const ImagePlane &plane = slot.image->shape.planes[0];
  const pal::srd::LinearLevel &level = plane.layout.level(0);
  Picture picture;
  picture.width = extent.width;
  picture.height = extent.height;
  picture.pixels = slot.memory->host() + plane.offset + level.offset;
  picture.rowPitch = level.rowPitch;
  picture.isBgr = isBgr;
  picture.isOpaque = isOpaque;
  const uint64_t frame = owner.sync().read([this] { return frames++; });
  const std::string &folder = owner.environment().presentFolder;
  if (!folder.empty())
    if (Error error = writePresentedPicture(picture, folder, number, frame))
      reportOnce("KILN-present-dir",
                 createStringError("KILN_PRESENT_DIR: " + toString(std::move(error))));
  Error error = target.window().show(picture);
  if (!error)
    return true;
  surfaceLost = true;
  VkExtent2D present;
  if (target.window().extent(present))
    consumeError(std::move(error)); // it has gone, as windows do: results of presents say so
  else
    reportOnce("KILN-surface-lost", std::move(error));
  return false;
}

// Not before the time that is wanted: what else the queue has to do waits too, so that a time of
// another clock must not hold it for good.
void Swapchain::present(uint32_t index, const Presentation &presentation) {
  constexpr uint64_t longest = 10'000'000'000;
  const auto &[time, timing, report] = presentation;
  const uint64_t ready = timeOf(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR);
  reach(presentation, VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT);
  uint64_t remaining = timing ? nanosecondsUntil(*timing) : 0;
  if (time && time->desiredPresentTime > ready)
    remaining = std::max(remaining, time->desiredPresentTime - ready);
  if (remaining)
    (void)owner.sync().wait(std::min(remaining, longest), [] { return false; });
  reach(presentation, VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT);
  const bool isTaken = show(index);
  if (isTaken)
    reach(presentation, VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT);
  owner.sync().update([&, now = timeOf(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR)] {
    if (isTaken)
      lastShown = now;
    if (time)
      presentTimes.add(*time, ready, now);
    if (report)
      presentTiming.complete(*report);
  });
}

/// Until the target time; 0: it has come, or there is none.
uint64_t Swapchain::nanosecondsUntil(const VkPresentTimingInfoEXT &timing) {
  if (!timing.targetTime)
    return 0;
  const bool isRelative = timing.flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT;
  const uint64_t before = isRelative ? owner.sync().read([this] { return lastShown; }) : 0;
  if (isRelative && !before)
    return 0; // no picture was shown, after which this one would have to come
  const uint64_t target = SaturatingAdd(before, timing.targetTime);
  const uint64_t now =
      timeOf(isRelative ? VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR : timeDomainOf(timing.timeDomainId));
  return target > now ? target - now : 0;
}

void Swapchain::reach(const Presentation &presentation, VkPresentStageFlagBitsEXT stage) {
  if (presentation.report)
    owner.sync().read([&] { presentTiming.reach(*presentation.report, stage); });
}

void Swapchain::makeAvailable(uint32_t index) {
  owner.sync().update([&] {
    slots[index].state = State::Available;
    available.push_back(index);
    --presentsInFlight;
  });
}

void Swapchain::releaseImage(uint32_t index) {
  owner.sync().update([&] {
    if (index >= slots.size() || slots[index].state != State::Acquired)
      return; // not valid usage
    slots[index].state = State::Available;
    available.push_back(index);
  });
}

// A full disk is worth a message, but not one for each frame.
void Swapchain::reportOnce(const char *id, Error error) {
  std::string text = toString(std::move(error));
  if (!reported.exchange(true))
    owner.reportError(id, text, this);
}

void Swapchain::retire() {
  owner.sync().update([this] { retired = true; });
}

//===--- Creation ---------------------------------------------------------===//

namespace {

VkImageUsageFlags2KHR usageOf(const VkSwapchainCreateInfoKHR &info) {
  const auto *usage = findInChain<VkImageUsageFlags2CreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
  return usage ? usage->usage : info.imageUsage;
}

/// Why there is no such swapchain, or null. The application should have asked before.
const char *whyUnsupported(const VkSwapchainCreateInfoKHR &info,
                           const VkSurfaceCapabilitiesKHR &allowed) {
  const VkExtent2D &size = info.imageExtent;
  const VkExtent2D &least = allowed.minImageExtent, &most = allowed.maxImageExtent;
  const bool isFormat = any_of(surfaceFormats(), [&](const VkSurfaceFormatKHR &format) {
    return format.format == info.imageFormat && format.colorSpace == info.imageColorSpace;
  });
  // Memory that may be allocated later is allocated at once.
  constexpr VkSwapchainCreateFlagsKHR supported =
      VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR |
      VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_EXT |
      VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR | VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR |
      VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT;
  if (info.flags & ~supported)
    return "flags";
  if (info.minImageCount > maxSwapchainImages)
    return "minImageCount";
  if (!isFormat)
    return "imageFormat or imageColorSpace";
  if (size.width < least.width || size.width > most.width || size.height < least.height ||
      size.height > most.height)
    return "imageExtent";
  if (info.imageArrayLayers != 1)
    return "imageArrayLayers";
  if (usageOf(info) & ~VkImageUsageFlags2KHR(allowed.supportedUsageFlags))
    return "imageUsage";
  if (info.preTransform != VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR)
    return "preTransform";
  if (!(info.compositeAlpha & allowed.supportedCompositeAlpha))
    return "compositeAlpha";
  return is_contained(presentModes(), info.presentMode) ? nullptr : "presentMode";
}

VkResult checkSwapchain(Device &device, Surface &surface, const VkSwapchainCreateInfoKHR &info) {
  VkSurfaceCapabilitiesKHR allowed;
  if (VkResult result = surfaceCapabilities(device.physicalDevice(), surface, allowed))
    return result;
  if (const char *member = whyUnsupported(info, allowed)) {
    device.reportError("KILN-swapchain", std::string("vkCreateSwapchainKHR: the surface does not "
                                                     "support this ") +
                                             member);
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  return VK_SUCCESS;
}

} // namespace

VkResult VKAPI_CALL CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkSwapchainKHR *pSwapchain) {
  Device *device = fromHandle<Device>(handle);
  Surface *surface = fromHandle<Surface>(pCreateInfo->surface);
  Swapchain *old = fromHandle<Swapchain>(pCreateInfo->oldSwapchain);
  // The specification: it is retired even if the creation fails.
  if (old) {
    old->retire();
    old->surface().release(old);
  }
  if (device->isLost())
    return device->lostResult();
  if (VkResult result = checkSwapchain(*device, *surface, *pCreateInfo))
    return result;
  Swapchain *swapchain = device->create<Swapchain>(pAllocator, *device, *surface, *pCreateInfo);
  if (!swapchain)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  VkResult result = surface->replace(nullptr, swapchain) ? swapchain->createImages(*pCreateInfo)
                                                         : VK_ERROR_NATIVE_WINDOW_IN_USE_KHR;
  if (result) {
    surface->release(swapchain);
    device->destroy(swapchain, pAllocator);
    return result;
  }
  *pSwapchain = toHandle(swapchain);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroySwapchainKHR(VkDevice device, VkSwapchainKHR handle,
                                    const VkAllocationCallbacks *pAllocator) {
  Swapchain *swapchain = fromHandle<Swapchain>(handle);
  if (!swapchain)
    return;
  swapchain->surface().release(swapchain);
  fromHandle<Device>(device)->destroy(swapchain, pAllocator);
}

VkResult VKAPI_CALL GetSwapchainImagesKHR(VkDevice, VkSwapchainKHR handle,
                                          uint32_t *pSwapchainImageCount,
                                          VkImage *pSwapchainImages) {
  Swapchain *swapchain = fromHandle<Swapchain>(handle);
  std::vector<Image *> images;
  for (uint32_t index = 0; index < swapchain->imageCount(); ++index)
    images.push_back(swapchain->image(index));
  return writeList(images, pSwapchainImageCount, pSwapchainImages,
                   [](Image *image, VkImage &out) { out = toHandle(image); });
}

// Colours go to windows as they are: no window has a larger range.
void VKAPI_CALL SetHdrMetadataEXT(VkDevice, uint32_t, const VkSwapchainKHR *,
                                  const VkHdrMetadataEXT *) {}

} // namespace icd
