//===- SwapchainTest.cpp - surfaces, swapchains, presented pictures -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/Swapchain.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"
#include "icd_glue/wsi/Surface.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <png.h>
#include <thread>

using namespace icd;

namespace {

/// A window that does what the test says.
struct WindowState {
  std::atomic<uint32_t> width = 5, height = 3;
  std::atomic<bool> exists = true;
  std::atomic<unsigned> shown = 0;
};

class FakeWindow : public icd::Window {
public:
  explicit FakeWindow(WindowState &state) : state(state) {}
  bool isPresentable() override { return state.exists; }
  VkResult extent(VkExtent2D &extent) override {
    extent = {state.width, state.height};
    return state.exists ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
  }
  llvm::Error show(const Picture &) override {
    if (!state.exists)
      return llvm::createStringError("no window");
    ++state.shown;
    return llvm::Error::success();
  }

private:
  WindowState &state;
};

class SwapchainTest : public TestDevice {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-present", folder));
    setenv("KILN_PRESENT_DIR", folder.c_str(), 1);
    TestDevice::SetUp();
    unsetenv("KILN_PRESENT_DIR");
    surface = makeSurface();
  }

  void TearDown() override {
    DestroySurfaceKHR(instance, surface, nullptr);
    TestDevice::TearDown();
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  VkSurfaceKHR makeSurface() {
    auto info = vkStruct<VkHeadlessSurfaceCreateInfoEXT>(
        VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
    VkSurfaceKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateHeadlessSurfaceEXT(instance, &info, nullptr, &made), VK_SUCCESS);
    return made;
  }

  VkSwapchainCreateInfoKHR swapchainInfo(VkSurfaceKHR on) {
    auto info = vkStruct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
    info.surface = on;
    info.minImageCount = 2;
    info.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
    info.imageExtent = {5, 3};
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    return info;
  }
  VkSwapchainKHR makeSwapchain(const VkSwapchainCreateInfoKHR &info) {
    VkSwapchainKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &made), VK_SUCCESS);
    return made;
  }
  VkSwapchainKHR makeSwapchain() { return makeSwapchain(swapchainInfo(surface)); }

  VkSemaphore makeSemaphore() {
    auto info = vkStruct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    VkSemaphore made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateSemaphore(device, &info, nullptr, &made), VK_SUCCESS);
    return made;
  }

  VkResult acquire(VkSwapchainKHR from, uint32_t &index, uint64_t timeout = UINT64_MAX) {
    return AcquireNextImageKHR(device, from, timeout, VK_NULL_HANDLE, VK_NULL_HANDLE, &index);
  }
  VkResult present(VkSwapchainKHR to, uint32_t index, VkSemaphore wait = VK_NULL_HANDLE,
                   uint32_t onQueue = 0) {
    auto info = vkStruct<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
    info.waitSemaphoreCount = wait ? 1 : 0;
    info.pWaitSemaphores = &wait;
    info.swapchainCount = 1;
    info.pSwapchains = &to;
    info.pImageIndices = &index;
    VkResult each = VK_RESULT_MAX_ENUM;
    info.pResults = &each;
    VkResult result = QueuePresentKHR(toHandle(&queue(onQueue)), &info);
    EXPECT_TRUE(result == each || result == VK_ERROR_DEVICE_LOST);
    return result;
  }

  /// The pixel of an image that is on the host's side of memory.
  uint8_t *pixel(VkSwapchainKHR of, uint32_t index, uint32_t x, uint32_t y) {
    Swapchain *swapchain = fromHandle<Swapchain>(of);
    auto subresource = VkImageSubresource{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout layout = {};
    GetImageSubresourceLayout(device, toHandle(swapchain->image(index)), &subresource, &layout);
    return swapchain->memory(index)->host() + layout.offset + layout.rowPitch * y + 4 * x;
  }

  std::string pathOf(const char *name) { return (llvm::Twine(folder) + "/" + name).str(); }
  /// Red, green, blue, alpha of the file's pixels, or nothing if there is no 5x3 PNG file.
  std::vector<uint8_t> readPng(const char *name) {
    png_image png = {};
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&png, pathOf(name).c_str()))
      return {};
    EXPECT_EQ(png.format, static_cast<png_uint_32>(PNG_FORMAT_RGB));
    png.format = PNG_FORMAT_RGB;
    std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(png));
    EXPECT_TRUE(png.width == 5 && png.height == 3);
    EXPECT_TRUE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr));
    return pixels;
  }

  llvm::SmallString<128> folder;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
};

TEST_F(SwapchainTest, queriesCountAndFill) {
  uint32_t count = 0;
  EXPECT_EQ(GetPhysicalDeviceSurfaceFormatsKHR(physicalDevice, surface, &count, nullptr),
            VK_SUCCESS);
  ASSERT_EQ(count, 4u);
  VkSurfaceFormatKHR formats[5] = {};
  count = 3;
  EXPECT_EQ(GetPhysicalDeviceSurfaceFormatsKHR(physicalDevice, surface, &count, formats),
            VK_INCOMPLETE);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(formats[3].format, VK_FORMAT_UNDEFINED);
  count = 5;
  EXPECT_EQ(GetPhysicalDeviceSurfaceFormatsKHR(physicalDevice, surface, &count, formats),
            VK_SUCCESS);
  EXPECT_EQ(count, 4u);
  auto surfaceInfo = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR);
  surfaceInfo.surface = surface;
  VkSurfaceFormat2KHR second[4] = {};
  EXPECT_EQ(GetPhysicalDeviceSurfaceFormats2KHR(physicalDevice, &surfaceInfo, &count, second),
            VK_SUCCESS);
  EXPECT_EQ(second[3].surfaceFormat.format, formats[3].format);
  VkPresentModeKHR modes[5] = {};
  count = 5;
  EXPECT_EQ(GetPhysicalDeviceSurfacePresentModesKHR(physicalDevice, surface, &count, modes),
            VK_SUCCESS);
  EXPECT_EQ(count, 5u);
  EXPECT_EQ(modes[0], VK_PRESENT_MODE_FIFO_KHR);

  auto isProtected = vkStruct<VkSurfaceProtectedCapabilitiesKHR>(
      VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR);
  auto capabilities = vkStruct<VkSurfaceCapabilities2KHR>(
      VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &isProtected);
  for (VkSurfaceKHR each : {VkSurfaceKHR(VK_NULL_HANDLE), surface}) { // VK_GOOGLE_surfaceless_query
    surfaceInfo.surface = each;
    isProtected.supportsProtected = VK_TRUE;
    EXPECT_EQ(GetPhysicalDeviceSurfaceCapabilities2KHR(physicalDevice, &surfaceInfo, &capabilities),
              VK_SUCCESS);
    EXPECT_FALSE(isProtected.supportsProtected);
  }
  const VkSurfaceCapabilitiesKHR &allowed = capabilities.surfaceCapabilities;
  EXPECT_EQ(allowed.minImageCount, 2u);
  EXPECT_EQ(allowed.maxImageCount, 8u);
  EXPECT_EQ(allowed.currentExtent.width, UINT32_MAX);
  EXPECT_EQ(allowed.minImageExtent.height, 1u);
  EXPECT_GE(allowed.maxImageExtent.width, 4096u);
  VkBool32 supported = VK_FALSE;
  EXPECT_EQ(GetPhysicalDeviceSurfaceSupportKHR(physicalDevice, 0, surface, &supported), VK_SUCCESS);
  EXPECT_TRUE(supported);
  VkRect2D rect = {};
  count = 1;
  EXPECT_EQ(GetPhysicalDevicePresentRectanglesKHR(physicalDevice, surface, &count, &rect),
            VK_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TEST_F(SwapchainTest, everyUsageOfASurfaceIsOneOfItsFormats) {
  VkSurfaceCapabilitiesKHR allowed;
  ASSERT_EQ(GetPhysicalDeviceSurfaceCapabilitiesKHR(physicalDevice, surface, &allowed), VK_SUCCESS);
  VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
  info.imageUsage = allowed.supportedUsageFlags;
  DestroySwapchainKHR(device, makeSwapchain(info), nullptr);
}

TEST_F(SwapchainTest, imagesAreAcquiredUntilNoneIsLeft) {
  VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
  info.minImageCount = 3;
  VkSwapchainKHR swapchain = makeSwapchain(info);
  uint32_t count = 0;
  EXPECT_EQ(GetSwapchainImagesKHR(device, swapchain, &count, nullptr), VK_SUCCESS);
  ASSERT_EQ(count, 3u);
  VkImage images[3] = {};
  EXPECT_EQ(GetSwapchainImagesKHR(device, swapchain, &count, images), VK_SUCCESS);
  EXPECT_NE(images[0], images[2]);

  VkSemaphore semaphore = makeSemaphore();
  auto fenceInfo = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_EQ(CreateFence(device, &fenceInfo, nullptr, &fence), VK_SUCCESS);
  auto acquireInfo =
      vkStruct<VkAcquireNextImageInfoKHR>(VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR);
  acquireInfo.swapchain = swapchain;
  acquireInfo.timeout = UINT64_MAX;
  acquireInfo.semaphore = semaphore;
  acquireInfo.fence = fence;
  acquireInfo.deviceMask = 1;
  uint32_t first = 9, second = 9, third = 9, none = 9;
  EXPECT_EQ(AcquireNextImage2KHR(device, &acquireInfo, &first), VK_SUCCESS);
  EXPECT_EQ(GetFenceStatus(device, fence), VK_SUCCESS);
  EXPECT_TRUE(fromHandle<Semaphore>(semaphore)->reached(0));
  EXPECT_EQ(acquire(swapchain, second), VK_SUCCESS);
  EXPECT_EQ(acquire(swapchain, third), VK_SUCCESS);
  EXPECT_EQ(first + second + third, 0u + 1 + 2);
  EXPECT_EQ(acquire(swapchain, none, 0), VK_NOT_READY);
  EXPECT_EQ(acquire(swapchain, none, 1000000), VK_TIMEOUT);
  EXPECT_EQ(none, 9u);

  // The one that was presented is the only one to be had.
  EXPECT_EQ(present(swapchain, second), VK_SUCCESS);
  EXPECT_EQ(acquire(swapchain, none), VK_SUCCESS);
  EXPECT_EQ(none, second);
  EXPECT_EQ(present(swapchain, 3), VK_ERROR_UNKNOWN);
  ASSERT_EQ(messages, std::vector<std::string>{"image 3 is not acquired"});
  DestroyFence(device, fence, nullptr);
  DestroySwapchainKHR(device, swapchain, nullptr);
  DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(SwapchainTest, presentWaitsForItsSemaphore) {
  VkSwapchainKHR swapchain = makeSwapchain();
  VkSemaphore semaphore = makeSemaphore();
  uint32_t first = 0, second = 0, index = 0;
  ASSERT_EQ(acquire(swapchain, first), VK_SUCCESS);
  ASSERT_EQ(acquire(swapchain, second), VK_SUCCESS);
  ASSERT_EQ(present(swapchain, first, semaphore), VK_SUCCESS);
  EXPECT_EQ(present(swapchain, first), VK_ERROR_UNKNOWN); // not acquired any more
  EXPECT_EQ(acquire(swapchain, index, 1000000), VK_TIMEOUT);
  EXPECT_TRUE(readPng("swapchain0-frame000000.png").empty());
  // What the other queue writes before it signals is in the picture.
  std::vector<Batch> batches(1);
  batches[0].work.push_back([&] {
    pixel(swapchain, first, 0, 0)[1] = 77;
    return llvm::Error::success();
  });
  batches[0].signals.push_back({fromHandle<Semaphore>(semaphore), 0});
  ASSERT_EQ(queue(1).submit(std::move(batches)), VK_SUCCESS);
  EXPECT_EQ(acquire(swapchain, index), VK_SUCCESS);
  EXPECT_EQ(index, first);
  EXPECT_FALSE(fromHandle<Semaphore>(semaphore)->reached(0));
  std::vector<uint8_t> png = readPng("swapchain0-frame000000.png");
  ASSERT_EQ(png.size(), 45u);
  EXPECT_EQ(png[1], 77);
  ASSERT_EQ(DeviceWaitIdle(device), VK_SUCCESS);
  DestroySwapchainKHR(device, swapchain, nullptr);
  DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(SwapchainTest, fileHasTheBytesOfTheImageWithoutAlpha) {
  const struct {
    VkFormat format;
    const char *file;
    bool isBgr;
  } cases[] = {{VK_FORMAT_B8G8R8A8_SRGB, "swapchain0-frame000000.png", true},
               {VK_FORMAT_R8G8B8A8_UNORM, "swapchain1-frame000000.png", false}};
  for (const auto &row : cases) {
    VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
    info.imageFormat = row.format;
    VkSwapchainKHR swapchain = makeSwapchain(info);
    uint32_t index = 0;
    ASSERT_EQ(acquire(swapchain, index), VK_SUCCESS);
    std::vector<uint8_t> expected;
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 5; ++x) {
        uint8_t *bytes = pixel(swapchain, index, x, y);
        for (uint8_t channel = 0; channel < 4; ++channel)
          bytes[channel] = static_cast<uint8_t>(100 * channel + 10 * y + x);
        for (uint8_t channel = 0; channel < 3; ++channel)
          expected.push_back(bytes[row.isBgr ? 2 - channel : channel]);
      }
    ASSERT_EQ(present(swapchain, index), VK_SUCCESS);
    DestroySwapchainKHR(device, swapchain, nullptr); // waits for the present
    EXPECT_EQ(readPng(row.file), expected);
  }
  EXPECT_TRUE(messages.empty());
}

TEST_F(SwapchainTest, folderThatCannotBeWrittenIsReportedOnce) {
  ASSERT_FALSE(llvm::sys::fs::remove(folder));
  int file = -1;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(folder, file)); // a file in the folder's place
  llvm::sys::fs::file_t handle = file;
  llvm::sys::fs::closeFile(handle);
  VkSwapchainKHR swapchain = makeSwapchain();
  for (unsigned frame = 0; frame < 3; ++frame) {
    uint32_t index = 0;
    ASSERT_EQ(acquire(swapchain, index), VK_SUCCESS);
    EXPECT_EQ(present(swapchain, index), VK_SUCCESS);
  }
  EXPECT_EQ(DeviceWaitIdle(device), VK_SUCCESS);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].find("KILN_PRESENT_DIR: " + folder.str().str()), 0u) << messages[0];
  DestroySwapchainKHR(device, swapchain, nullptr);
  llvm::sys::fs::remove(folder);
}

TEST_F(SwapchainTest, newSwapchainRetiresTheOld) {
  VkSwapchainKHR old = makeSwapchain();
  uint32_t index = 0, none = 0;
  ASSERT_EQ(acquire(old, index), VK_SUCCESS);
  VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &swapchain),
            VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
  info.oldSwapchain = old;
  swapchain = makeSwapchain(info);
  EXPECT_EQ(acquire(old, none), VK_ERROR_OUT_OF_DATE_KHR);
  EXPECT_EQ(present(old, index), VK_SUCCESS);
  DestroySwapchainKHR(device, old, nullptr);
  EXPECT_EQ(readPng("swapchain0-frame000000.png").size(), 45u);
  EXPECT_EQ(acquire(swapchain, index), VK_SUCCESS);

  // Retired even though there is no new one.
  info.oldSwapchain = swapchain;
  info.imageExtent = {0, 0};
  VkSwapchainKHR failed = VK_NULL_HANDLE;
  EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &failed), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(acquire(swapchain, none), VK_ERROR_OUT_OF_DATE_KHR);
  DestroySwapchainKHR(device, makeSwapchain(), nullptr);
  DestroySwapchainKHR(device, swapchain, nullptr);
  DestroySwapchainKHR(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(SwapchainTest, whatTheSurfaceDoesNotSupportIsNamed) {
  auto refuse = [this](const char *member, auto change) {
    VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
    change(info);
    VkSwapchainKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &made), VK_ERROR_INITIALIZATION_FAILED);
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages.back(),
              std::string("vkCreateSwapchainKHR: the surface does not support this ") + member);
  };
  using Info = VkSwapchainCreateInfoKHR;
  refuse("flags", [](Info &info) { info.flags = VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR; });
  refuse("minImageCount", [](Info &info) { info.minImageCount = UINT32_MAX; });
  refuse("imageFormat or imageColorSpace",
         [](Info &info) { info.imageFormat = VK_FORMAT_R16G16B16A16_SFLOAT; });
  refuse("imageFormat or imageColorSpace",
         [](Info &info) { info.imageColorSpace = VK_COLOR_SPACE_HDR10_ST2084_EXT; });
  refuse("imageExtent", [](Info &info) { info.imageExtent = {UINT32_MAX, UINT32_MAX}; });
  refuse("imageExtent", [](Info &info) { info.imageExtent = {1, 1 << 20}; });
  refuse("imageArrayLayers", [](Info &info) { info.imageArrayLayers = 0; });
  refuse("imageUsage",
         [](Info &info) { info.imageUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT; });
  refuse("preTransform",
         [](Info &info) { info.preTransform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR; });
  refuse("compositeAlpha",
         [](Info &info) { info.compositeAlpha = VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR; });
  refuse("presentMode",
         [](Info &info) { info.presentMode = VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR; });
}

TEST_F(SwapchainTest, windowsChangeTheirSizeAndDisappear) {
  WindowState state;
  VkSurfaceKHR window = VK_NULL_HANDLE;
  ASSERT_EQ(createSurface(*fromHandle<Instance>(instance), std::make_unique<FakeWindow>(state),
                          nullptr, &window),
            VK_SUCCESS);
  VkSwapchainCreateInfoKHR info = swapchainInfo(window);
  info.imageExtent = {6, 3};
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &swapchain), VK_ERROR_INITIALIZATION_FAILED);
  info.imageExtent = {5, 3};
  swapchain = makeSwapchain(info);
  uint32_t index = 0;
  ASSERT_EQ(acquire(swapchain, index), VK_SUCCESS);
  EXPECT_EQ(present(swapchain, index), VK_SUCCESS);
  ASSERT_EQ(DeviceWaitIdle(device), VK_SUCCESS);
  EXPECT_EQ(state.shown, 1u);

  // Not shown, but the semaphore is taken and the image is free again.
  state.width = 7;
  VkSemaphore semaphore = makeSemaphore();
  ASSERT_EQ(acquire(swapchain, index), VK_SUCCESS);
  fromHandle<Semaphore>(semaphore)->signal(0);
  EXPECT_EQ(present(swapchain, index, semaphore), VK_ERROR_OUT_OF_DATE_KHR);
  ASSERT_EQ(DeviceWaitIdle(device), VK_SUCCESS);
  EXPECT_EQ(state.shown, 1u);
  EXPECT_FALSE(fromHandle<Semaphore>(semaphore)->reached(0));
  uint32_t other = 0;
  EXPECT_EQ(acquire(swapchain, index), VK_SUCCESS);
  EXPECT_EQ(acquire(swapchain, other), VK_SUCCESS);

  state.exists = false;
  EXPECT_EQ(present(swapchain, index), VK_ERROR_SURFACE_LOST_KHR);
  VkSurfaceCapabilitiesKHR allowed;
  EXPECT_EQ(GetPhysicalDeviceSurfaceCapabilitiesKHR(physicalDevice, window, &allowed),
            VK_ERROR_SURFACE_LOST_KHR);
  DestroySwapchainKHR(device, swapchain, nullptr);
  DestroySurfaceKHR(instance, window, nullptr);
  DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(SwapchainTest, applicationImagesShareTheMemory) {
  VkSwapchainKHR swapchain = makeSwapchain();
  auto swapchainOf =
      vkStruct<VkImageSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
  swapchainOf.swapchain = swapchain;
  auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &swapchainOf);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_B8G8R8A8_UNORM;
  info.extent = {5, 3, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImage image = VK_NULL_HANDLE;
  ASSERT_EQ(CreateImage(device, &info, nullptr, &image), VK_SUCCESS);
  auto imageOf = vkStruct<VkBindImageMemorySwapchainInfoKHR>(
      VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
  imageOf.swapchain = swapchain;
  imageOf.imageIndex = 1;
  auto bind = vkStruct<VkBindImageMemoryInfo>(VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &imageOf);
  bind.image = image;
  ASSERT_EQ(BindImageMemory2(device, 1, &bind), VK_SUCCESS);
  EXPECT_NE(fromHandle<Image>(image)->address(0), 0u);
  EXPECT_EQ(fromHandle<Image>(image)->address(0),
            fromHandle<Swapchain>(swapchain)->image(1)->address(0));
  DestroyImage(device, image, nullptr);
  DestroySwapchainKHR(device, swapchain, nullptr);
}

TEST_F(SwapchainTest, lossWakesAcquireAndEndsPresenting) {
  VkSwapchainKHR swapchain = makeSwapchain();
  VkSemaphore never = makeSemaphore();
  uint32_t first = 0, second = 0, index = 0;
  ASSERT_EQ(acquire(swapchain, first), VK_SUCCESS);
  ASSERT_EQ(acquire(swapchain, second), VK_SUCCESS);
  ASSERT_EQ(present(swapchain, first, never), VK_SUCCESS);
  std::thread waiter([&] { EXPECT_EQ(acquire(swapchain, index), VK_ERROR_DEVICE_LOST); });
  object().markLost("test");
  waiter.join();
  EXPECT_EQ(present(swapchain, second), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(acquire(swapchain, index), VK_ERROR_DEVICE_LOST);
  DestroySwapchainKHR(device, swapchain, nullptr); // does not wait for what never comes
  VkSwapchainCreateInfoKHR info = swapchainInfo(surface);
  EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &swapchain), VK_ERROR_DEVICE_LOST);
  DestroySemaphore(device, never, nullptr);
}

TEST_F(SwapchainTest, threadsPresentTheirOwnSwapchains) {
  constexpr unsigned frames = 50;
  VkSurfaceKHR surfaces[2] = {surface, makeSurface()};
  auto work = [&](uint32_t onQueue) {
    VkSwapchainKHR swapchain = makeSwapchain(swapchainInfo(surfaces[onQueue]));
    for (unsigned frame = 0; frame < frames; ++frame) {
      uint32_t index = 0;
      ASSERT_EQ(acquire(swapchain, index), VK_SUCCESS);
      *pixel(swapchain, index, 0, 0) = static_cast<uint8_t>(frame);
      ASSERT_EQ(present(swapchain, index, VK_NULL_HANDLE, onQueue), VK_SUCCESS);
    }
    DestroySwapchainKHR(device, swapchain, nullptr);
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  for (const char *name : {"swapchain0-frame000049.png", "swapchain1-frame000049.png"}) {
    std::vector<uint8_t> png = readPng(name);
    ASSERT_EQ(png.size(), 45u);
    EXPECT_EQ(png[2], 49);
  }
  EXPECT_TRUE(readPng("swapchain0-frame000050.png").empty());
  DestroySurfaceKHR(instance, surfaces[1], nullptr);
}

} // namespace
