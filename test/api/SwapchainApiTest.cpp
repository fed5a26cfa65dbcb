// SPDX-License-Identifier: MIT
// Frames through a swapchain as programs make them: acquire, clear, present, with semaphores. On a
// surface without a window, and in a window of an X server where DISPLAY names one.
#include "Frames.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <thread>
#include <xcb/xcb.h>

namespace api {
namespace {

class SwapchainApi : public ApiTest {
protected:
  VkSurfaceKHR headless() {
    auto info = vkStruct<VkHeadlessSurfaceCreateInfoEXT>(
        VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateHeadlessSurfaceEXT(gpu.instance, &info, nullptr, &surface));
    return surface;
  }
};
API_TESTS_ON_ALL_DEVICES(SwapchainApi);

// VK_KHR_present_id, VK_KHR_present_wait.
TEST_P(SwapchainApi, PresentsAreWaitedFor) {
  if (!gpu.hasExtension(VK_KHR_PRESENT_WAIT_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP(); // lavapipe waits for windows only
  const VkSurfaceKHR surface = headless();
  {
    Frames frames(gpu, surface, {40, 30});
    VK_OK(frames.frame({1, 0, 0}));
    EXPECT_EQ(gpu.vk.WaitForPresentKHR(gpu.device, frames.swapchain, 1, 0), VK_TIMEOUT);
    VK_OK(frames.frame({1, 0, 0}, 7));
    VK_OK(gpu.vk.WaitForPresentKHR(gpu.device, frames.swapchain, 5, 0)); // a larger one is done
    EXPECT_EQ(gpu.vk.WaitForPresentKHR(gpu.device, frames.swapchain, 8, 1000000), VK_TIMEOUT);
    VK_OK(frames.frame({1, 0, 0}, 8));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

// VK_KHR_present_id2, VK_KHR_present_wait2.
TEST_P(SwapchainApi, PresentsAreWaitedForBySwapchainsThatSaySo) {
  if (!gpu.hasExtension(VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_present_wait2";
  const VkSurfaceKHR surface = headless();
  auto wait = vkStruct<VkSurfaceCapabilitiesPresentWait2KHR>(
      VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR);
  auto id = vkStruct<VkSurfaceCapabilitiesPresentId2KHR>(
      VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR, &wait);
  auto capabilities =
      vkStruct<VkSurfaceCapabilities2KHR>(VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &id);
  auto of = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR);
  of.surface = surface;
  VK_OK(gpu.vk.GetPhysicalDeviceSurfaceCapabilities2KHR(gpu.physicalDevice, &of, &capabilities));
  EXPECT_TRUE(id.presentId2Supported && wait.presentWait2Supported);
  {
    Frames frames(gpu, surface, {40, 30});
    frames.info.flags =
        VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR | VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR;
    frames.recreate({40, 30});
    frames.hasSecondIds = true;
    VK_OK(frames.frame({1, 0, 0}));
    EXPECT_EQ(frames.waitForPresent(1, 0), VK_TIMEOUT);
    VK_OK(frames.frame({1, 0, 0}, 7));
    VK_OK(frames.waitForPresent(5, 0)); // a larger one is done
    EXPECT_EQ(frames.waitForPresent(8, 1000000), VK_TIMEOUT);
    VK_OK(frames.frame({1, 0, 0}, 8));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

TEST_P(SwapchainApi, FramesWithoutWindow) {
  const VkSurfaceKHR surface = headless();
  {
    Frames frames(gpu, surface, {40, 30});
    for (unsigned i = 0; i < 5; ++i)
      VK_OK(frames.frame({0, 1, 0}));
    frames.recreate({50, 20});
    VK_OK(frames.frame({0, 0, 1}));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

/// A visual of that class with 8 bits of each colour; 0: the server has none.
xcb_visualid_t visualOf(const xcb_screen_t *screen, uint8_t depth, uint8_t visualClass) {
  for (auto depths = xcb_screen_allowed_depths_iterator(screen); depths.rem;
       xcb_depth_next(&depths))
    for (auto visuals = xcb_depth_visuals_iterator(depths.data); visuals.rem;
         xcb_visualtype_next(&visuals))
      if (depths.data->depth == depth && visuals.data->_class == visualClass &&
          visuals.data->bits_per_rgb_value == 8 && visuals.data->red_mask == 0xff0000)
        return visuals.data->visual_id;
  return 0;
}

/// A window that is shown, without a window manager.
struct XWindow {
  /// \p visualClass: of 24 bits; there may be none (visual).
  explicit XWindow(uint16_t width, uint16_t height,
                   uint8_t visualClass = XCB_VISUAL_CLASS_TRUE_COLOR)
      : connection(xcb_connect(nullptr, nullptr)) {
    if (!isConnected())
      return;
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    visual = visualOf(screen, 24, visualClass);
    const xcb_colormap_t map = xcb_generate_id(connection);
    xcb_create_colormap(connection, XCB_COLORMAP_ALLOC_NONE, map, screen->root, visual);
    window = xcb_generate_id(connection);
    const uint32_t values[] = {0, map}; // in the order of the bits
    xcb_create_window(connection, 24, window, screen->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, visual, XCB_CW_BORDER_PIXEL | XCB_CW_COLORMAP,
                      values);
    xcb_map_window(connection, window);
    // An answer says that the server has made it: other connections may ask for the window now.
    std::free(xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nullptr));
  }
  ~XWindow() { xcb_disconnect(connection); }
  XWindow(const XWindow &) = delete;

  bool isConnected() { return !xcb_connection_has_error(connection); }
  void resize(uint32_t width, uint32_t height) {
    const uint32_t values[2] = {width, height};
    xcb_configure_window(connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
                         values);
    xcb_flush(connection);
  }
  /// Blue, green and red of a pixel as one number, 0xrrggbb.
  uint32_t pixel(int16_t x, int16_t y) {
    struct Free {
      void operator()(void *reply) const { std::free(reply); }
    };
    std::unique_ptr<xcb_get_image_reply_t, Free> reply(xcb_get_image_reply(
        connection,
        xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window, x, y, 1, 1, UINT32_MAX),
        nullptr));
    if (!reply)
      return UINT32_MAX;
    const uint8_t *bytes = xcb_get_image_data(reply.get());
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  }

  /// Whether a pixel gets that colour within a minute: drivers may present behind the queue.
  bool shows(int16_t x, int16_t y, uint32_t color) {
    for (unsigned tries = 0; tries < 6000; ++tries) {
      if (pixel(x, y) == color)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  xcb_connection_t *connection;
  xcb_visualid_t visual = 0;
  xcb_window_t window = 0;
};

TEST_P(SwapchainApi, FramesInAWindow) {
  if (!std::getenv("DISPLAY"))
    GTEST_SKIP() << "no X server";
  XWindow window(700, 500); // more than one request of the protocol
  ASSERT_TRUE(window.isConnected());
  VkXcbSurfaceCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;
  info.connection = window.connection;
  info.window = window.window;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateXcbSurfaceKHR(gpu.instance, &info, nullptr, &surface));
  {
    Frames frames(gpu, surface, {700, 500});
    VK_OK(frames.frame({1, 0, 0}));
    VK_OK(frames.frame({0.2f, 0.4f, 0.6f})); // 51, 102, 153 of 255
    EXPECT_TRUE(window.shows(0, 0, 0x336699));
    EXPECT_TRUE(window.shows(699, 0, 0x336699));
    EXPECT_TRUE(window.shows(350, 250, 0x336699));
    EXPECT_TRUE(window.shows(699, 499, 0x336699));

    window.resize(300, 600);
    const VkResult stale = frames.frame({1, 1, 1});
    EXPECT_TRUE(stale == VK_ERROR_OUT_OF_DATE_KHR || !gpu.isKiln()); // others may scale
    frames.recreate({300, 600});
    VK_OK(frames.frame({1, 0, 0}));
    EXPECT_TRUE(window.shows(299, 599, 0xff0000));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

/// What the X server says of the driver's requests is not the application's, whose handler may end
/// it.
TEST_P(SwapchainApi, ErrorsOfAWindowThatCannotBeDrawnTo) {
  if (!std::getenv("DISPLAY") || !gpu.isKiln())
    GTEST_SKIP() << "no X server, or another driver";
  allowsMessages = true;
  XWindow window(16, 16);
  ASSERT_TRUE(window.isConnected());
  const xcb_window_t blind = xcb_generate_id(window.connection);
  xcb_create_window(window.connection, 0, blind, window.window, 0, 0, 16, 16, 0,
                    XCB_WINDOW_CLASS_INPUT_ONLY, window.visual, 0, nullptr);
  VkXcbSurfaceCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;
  info.connection = window.connection;
  info.window = blind;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateXcbSurfaceKHR(gpu.instance, &info, nullptr, &surface));
  {
    Frames frames(gpu, surface, {16, 16});
    VK_OK(frames.frame({1, 0, 0}));
    VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
    EXPECT_EQ(frames.frame({1, 0, 0}), VK_ERROR_SURFACE_LOST_KHR);
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
  window.pixel(0, 0); // all that came before has been answered
  while (xcb_generic_event_t *event = xcb_poll_for_event(window.connection)) {
    EXPECT_NE(event->response_type, 0) << "an error";
    std::free(event);
  }
}

// VK_EXT_swapchain_maintenance1
TEST_P(SwapchainApi, FencesOfPresentsAndImagesThatAreGivenBack) {
  if (!gpu.hasExtension(VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_swapchain_maintenance1";
  if (!gpu.isKiln())
    GTEST_SKIP() << "lavapipe 25.0 ends at the release of a headless surface's images";
  allowsMessages = true; // Debian 12's layer knows neither these fences nor the release
  const VkSurfaceKHR surface = headless();
  {
    Frames frames(gpu, surface, {16, 16});
    // All images are taken; one that is given back can be acquired again.
    std::vector<uint32_t> taken;
    uint32_t index = 0;
    while (gpu.vk.AcquireNextImageKHR(gpu.device, frames.swapchain, 0, VK_NULL_HANDLE,
                                      frames.fence(), &index) == VK_SUCCESS)
      taken.push_back(index);
    ASSERT_FALSE(taken.empty());
    auto release = vkStruct<VkReleaseSwapchainImagesInfoEXT>(
        VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_EXT);
    release.swapchain = frames.swapchain;
    release.imageIndexCount = static_cast<uint32_t>(taken.size());
    release.pImageIndices = taken.data();
    VK_OK(gpu.vk.ReleaseSwapchainImagesEXT(gpu.device, &release));
    VK_OK(frames.frame({1, 0, 0}));
    // The fence of a present, with which its semaphores can be used again.
    const VkFence fence = frames.fence();
    VK_OK(frames.frame({0, 1, 0}, 0, fence));
    VK_OK(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

TEST_P(SwapchainApi, ModesThatAreCompatible) {
  if (!gpu.hasExtension(VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_swapchain_maintenance1";
  if (!gpu.isKiln())
    GTEST_SKIP() << "lavapipe 25.0 says nothing of headless surfaces here";
  const VkSurfaceKHR surface = headless();
  auto mode = vkStruct<VkSurfacePresentModeEXT>(VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT);
  mode.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  auto info = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, &mode);
  info.surface = surface;
  auto compatible = vkStruct<VkSurfacePresentModeCompatibilityEXT>(
      VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT);
  auto scaling = vkStruct<VkSurfacePresentScalingCapabilitiesEXT>(
      VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_EXT, &compatible);
  scaling.supportedPresentScaling = ~0u;
  auto capabilities =
      vkStruct<VkSurfaceCapabilities2KHR>(VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &scaling);
  VK_OK(gpu.vk.GetPhysicalDeviceSurfaceCapabilities2KHR(gpu.physicalDevice, &info, &capabilities));
  EXPECT_NE(scaling.supportedPresentScaling, ~0u);
  ASSERT_GE(compatible.presentModeCount, 1u);
  std::vector<VkPresentModeKHR> modes(compatible.presentModeCount);
  compatible.pPresentModes = modes.data();
  VK_OK(gpu.vk.GetPhysicalDeviceSurfaceCapabilities2KHR(gpu.physicalDevice, &info, &capabilities));
  EXPECT_NE(std::find(modes.begin(), modes.end(), VK_PRESENT_MODE_FIFO_KHR), modes.end());
  // The mode of the query is in every list, also in one that is too short. Older layers do not know
  // the newest mode.
  uint32_t count = 0; // layers compare with what the surface has said
  VK_OK(
      gpu.vk.GetPhysicalDeviceSurfacePresentModesKHR(gpu.physicalDevice, surface, &count, nullptr));
  std::vector<VkPresentModeKHR> all(count);
  VK_OK(gpu.vk.GetPhysicalDeviceSurfacePresentModesKHR(gpu.physicalDevice, surface, &count,
                                                       all.data()));
  for (VkPresentModeKHR asked : modes) {
    EXPECT_NE(std::find(all.begin(), all.end(), asked), all.end());
    if (asked > VK_PRESENT_MODE_FIFO_RELAXED_KHR)
      continue;
    VkPresentModeKHR only = VK_PRESENT_MODE_MAX_ENUM_KHR;
    mode.presentMode = asked;
    compatible.presentModeCount = 1;
    compatible.pPresentModes = &only;
    gpu.vk.GetPhysicalDeviceSurfaceCapabilities2KHR(gpu.physicalDevice, &info, &capabilities);
    EXPECT_EQ(only, asked);
  }
  EXPECT_TRUE(capabilities.surfaceCapabilities.supportedCompositeAlpha &
              VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR);
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

/// A connection of Xlib, which is loaded as programs load it.
class XlibDisplay {
public:
  XlibDisplay() : library(dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL)) {
    if (auto open = function<Display *(const char *)>("XOpenDisplay"))
      display = open(nullptr);
  }
  ~XlibDisplay() {
    if (display)
      function<int(Display *)>("XCloseDisplay")(display);
    if (library)
      dlclose(library);
  }
  XlibDisplay(const XlibDisplay &) = delete;

  Display *display = nullptr; ///< null: there is none

private:
  template <typename F> F *function(const char *name) {
    return library ? reinterpret_cast<F *>(dlsym(library, name)) : nullptr;
  }
  void *library;
};

// Any client of the server may draw in a window.
TEST_P(SwapchainApi, FramesInAWindowOfXlib) {
  XlibDisplay xlib;
  if (!std::getenv("DISPLAY") || !xlib.display || !gpu.vk.CreateXlibSurfaceKHR)
    GTEST_SKIP() << "no X server, or no Xlib";
  XWindow window(64, 48);
  ASSERT_TRUE(window.isConnected());
  EXPECT_TRUE(gpu.vk.GetPhysicalDeviceXlibPresentationSupportKHR(gpu.physicalDevice, 0,
                                                                 xlib.display, window.visual));
  auto info = vkStruct<VkXlibSurfaceCreateInfoKHR>(VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR);
  info.dpy = xlib.display;
  info.window = window.window;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateXlibSurfaceKHR(gpu.instance, &info, nullptr, &surface));
  {
    Frames frames(gpu, surface, {64, 48});
    VK_OK(frames.frame({0.2f, 0.4f, 0.6f}));
    EXPECT_TRUE(window.shows(0, 0, 0x336699));
    EXPECT_TRUE(window.shows(63, 47, 0x336699));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

// SDL takes such visuals where an X server lists them first.
TEST_P(SwapchainApi, FramesInAWindowOfDirectColor) {
  if (!std::getenv("DISPLAY"))
    GTEST_SKIP() << "no X server";
  XWindow window(64, 48, XCB_VISUAL_CLASS_DIRECT_COLOR);
  ASSERT_TRUE(window.isConnected());
  ASSERT_NE(window.visual, 0u) << "Xvfb has them";
  EXPECT_TRUE(gpu.vk.GetPhysicalDeviceXcbPresentationSupportKHR(gpu.physicalDevice, 0,
                                                                window.connection, window.visual));
  VkXcbSurfaceCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;
  info.connection = window.connection;
  info.window = window.window;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateXcbSurfaceKHR(gpu.instance, &info, nullptr, &surface));
  {
    Frames frames(gpu, surface, {64, 48}); // which asks for support
    VK_OK(frames.frame({0.2f, 0.4f, 0.6f}));
    EXPECT_TRUE(window.shows(0, 0, 0x336699));
    EXPECT_TRUE(window.shows(63, 47, 0x336699));
  }
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

} // namespace
} // namespace api
