//===- WaylandWindowTest.cpp - windows of a small compositor --------------===//
// SPDX-License-Identifier: MIT
// A compositor in this process, which looks at what is committed instead of showing it. Like others
// it releases a buffer when the next one is committed.
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/memory/DeviceMemory.h"
#include "icd_glue/wsi/Surface.h"
#include "icd_glue/wsi/Swapchain.h"
#include "icd_glue/wsi/WaylandLibrary.h"
#include "llvm/Support/Endian.h"
#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

struct wl_client;
struct wl_event_loop;
struct wl_global;
struct wl_resource;
struct wl_shm_buffer;

using namespace icd;

namespace {

/// Functions of libwayland-server and of the client's library that only tests need, without "wl_".
struct Functions {
#define WAYLAND_TEST_FUNCTIONS(X)                                                                  \
  X(server, display_create, wl_display *, ())                                                      \
  X(server, display_destroy, void, (wl_display *))                                                 \
  X(server, display_destroy_clients, void, (wl_display *))                                         \
  X(server, display_flush_clients, void, (wl_display *))                                           \
  X(server, display_get_event_loop, wl_event_loop *, (wl_display *))                               \
  X(server, display_init_shm, int, (wl_display *))                                                 \
  X(server, event_loop_dispatch, int, (wl_event_loop *, int))                                      \
  X(server, client_create, wl_client *, (wl_display *, int))                                       \
  X(server, client_destroy, void, (wl_client *))                                                   \
  X(server, global_create, wl_global *,                                                            \
    (wl_display *, const wl_interface *, int, void *,                                              \
     void (*)(wl_client *, void *, uint32_t, uint32_t)))                                           \
  X(server, resource_create, wl_resource *, (wl_client *, const wl_interface *, int, uint32_t))    \
  X(server, resource_set_implementation, void,                                                     \
    (wl_resource *, const void *, void *, void (*)(wl_resource *)))                                \
  X(server, resource_get_user_data, void *, (wl_resource *))                                       \
  X(server, resource_destroy, void, (wl_resource *))                                               \
  X(server, resource_post_event_array, void, (wl_resource *, uint32_t, WaylandArgument *))         \
  X(server, shm_buffer_get, wl_shm_buffer *, (wl_resource *))                                      \
  X(server, shm_buffer_get_data, void *, (wl_shm_buffer *))                                        \
  X(server, shm_buffer_get_format, uint32_t, (wl_shm_buffer *))                                    \
  X(server, shm_buffer_get_width, int32_t, (wl_shm_buffer *))                                      \
  X(server, shm_buffer_get_height, int32_t, (wl_shm_buffer *))                                     \
  X(server, shm_buffer_get_stride, int32_t, (wl_shm_buffer *))                                     \
  X(client, display_connect_to_fd, wl_display *, (int))                                            \
  X(client, display_disconnect, void, (wl_display *))                                              \
  X(client, display_roundtrip, int, (wl_display *))
#define WAYLAND_TEST_MEMBER(library, name, result, parameters) result(*name) parameters = nullptr;
  WAYLAND_TEST_FUNCTIONS(WAYLAND_TEST_MEMBER)
#undef WAYLAND_TEST_MEMBER
  // NOLINTBEGIN(readability-identifier-naming): the libraries' names
  const wl_interface *compositor_interface = nullptr, *surface_interface = nullptr,
                     *client_compositor_interface = nullptr, *client_surface_interface = nullptr;
  // NOLINTEND(readability-identifier-naming)

  Functions() {
    void *server = dlopen("libwayland-server.so.0", RTLD_NOW | RTLD_LOCAL);
    void *client = dlopen("libwayland-client.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!server || !client)
      return;
    isThere = true;
#define WAYLAND_TEST_LOAD(library, name, ...)                                                      \
  name = reinterpret_cast<decltype(name)>(dlsym(library, "wl_" #name));                            \
  isThere &= name != nullptr;
    WAYLAND_TEST_FUNCTIONS(WAYLAND_TEST_LOAD)
#undef WAYLAND_TEST_LOAD
    auto interface = [&](void *library, const char *name) {
      return static_cast<const wl_interface *>(dlsym(library, name));
    };
    compositor_interface = interface(server, "wl_compositor_interface");
    surface_interface = interface(server, "wl_surface_interface");
    client_compositor_interface = interface(client, "wl_compositor_interface");
    client_surface_interface = interface(client, "wl_surface_interface");
  }
  bool isThere = false; // libraries stay loaded: others use them too
};

const Functions &wayland() {
  static const Functions loaded;
  return loaded;
}

/// What was committed.
struct Commit {
  wl_resource *buffer = nullptr;
  uint32_t format = 0;
  int32_t width = 0, height = 0;
  std::vector<uint32_t> pixels; ///< 0xaarrggbb
};

class Compositor {
public:
  Compositor(const Functions &wl, int socket) : wl(wl), display(wl.display_create()) {
    wl.display_init_shm(display);
    wl.global_create(display, wl.compositor_interface, 1, this, onBind);
    client = wl.client_create(display, socket);
    thread = std::thread([this] {
      while (!stops) {
        wl_event_loop *loop = this->wl.display_get_event_loop(display);
        this->wl.event_loop_dispatch(loop, 5 /*ms*/);
        this->wl.display_flush_clients(display);
      }
    });
  }
  ~Compositor() {
    stop();
    wl.display_destroy_clients(display);
    wl.display_destroy(display);
  }
  /// No more answers.
  void stop() {
    stops = true;
    if (thread.joinable())
      thread.join();
  }
  /// As if the compositor had crashed.
  void hangUp() {
    stop();
    wl.client_destroy(client);
  }
  std::vector<Commit> commits() {
    std::lock_guard<std::mutex> lock(mutex);
    return all;
  }

private:
  static void onBind(wl_client *client, void *self, uint32_t version, uint32_t id) {
    auto *compositor = static_cast<Compositor *>(self);
    // create_surface and create_region
    static void (*const requests[])() = {reinterpret_cast<void (*)()>(onCreateSurface), nullptr};
    wl_resource *made = compositor->wl.resource_create(client, compositor->wl.compositor_interface,
                                                       static_cast<int>(version), id);
    compositor->wl.resource_set_implementation(made, static_cast<const void *>(requests), self,
                                               nullptr);
  }
  static void onCreateSurface(wl_client *client, wl_resource *resource, uint32_t id) {
    // destroy, attach, damage, frame, two regions, commit: all of version 1
    static void (*const requests[])() = {reinterpret_cast<void (*)()>(onDestroy),
                                         reinterpret_cast<void (*)()>(onAttach),
                                         reinterpret_cast<void (*)()>(onDamage),
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         reinterpret_cast<void (*)()>(onCommit)};
    Compositor &self = of(resource);
    wl_resource *made = self.wl.resource_create(client, self.wl.surface_interface, 1, id);
    self.wl.resource_set_implementation(made, static_cast<const void *>(requests), &self, nullptr);
  }
  static void onDestroy(wl_client *, wl_resource *resource) {
    of(resource).wl.resource_destroy(resource);
  }
  static void onAttach(wl_client *, wl_resource *resource, wl_resource *buffer, int32_t, int32_t) {
    of(resource).attached = buffer;
  }
  static void onDamage(wl_client *, wl_resource *resource, int32_t, int32_t, int32_t width,
                       int32_t height) {
    of(resource).isDamaged = width > 0 && height > 0;
  }
  static void onCommit(wl_client *, wl_resource *resource) {
    Compositor &self = of(resource);
    if (!self.attached || !std::exchange(self.isDamaged, false))
      return;
    wl_shm_buffer *buffer = self.wl.shm_buffer_get(self.attached);
    Commit seen = {self.attached,
                   self.wl.shm_buffer_get_format(buffer),
                   self.wl.shm_buffer_get_width(buffer),
                   self.wl.shm_buffer_get_height(buffer),
                   {}};
    const auto *bytes = static_cast<const uint8_t *>(self.wl.shm_buffer_get_data(buffer));
    for (int32_t y = 0; y < seen.height; ++y)
      for (int32_t x = 0; x < seen.width; ++x)
        seen.pixels.push_back(llvm::support::endian::read32le(
            bytes + y * self.wl.shm_buffer_get_stride(buffer) + x * 4));
    if (self.current)
      self.wl.resource_post_event_array(self.current, 0, nullptr); // release
    self.current = std::exchange(self.attached, nullptr);
    std::lock_guard<std::mutex> lock(self.mutex);
    self.all.push_back(std::move(seen));
  }
  static Compositor &of(wl_resource *resource) {
    return *static_cast<Compositor *>(wayland().resource_get_user_data(resource));
  }

  const Functions &wl;
  wl_display *const display;
  wl_client *client = nullptr;
  wl_resource *attached = nullptr, *current = nullptr;
  bool isDamaged = false;
  std::atomic<bool> stops = false;
  std::mutex mutex;
  std::vector<Commit> all;
  std::thread thread;
};

class WaylandWindowTest : public TestDevice {
protected:
  void SetUp() override {
    TestDevice::SetUp();
    if (!wayland().isThere || !library.isUsable())
      GTEST_SKIP() << "no libwayland";
    int sockets[2] = {-1, -1};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    compositor = std::make_unique<Compositor>(wayland(), sockets[0]);
    display = wayland().display_connect_to_fd(sockets[1]);
    ASSERT_TRUE(display);
    makeWindow();
  }
  void TearDown() override {
    if (surface)
      DestroySurfaceKHR(instance, surface, nullptr);
    for (wl_proxy *proxy : {window, global, registry})
      if (proxy)
        library.proxy_destroy(proxy);
    if (display)
      wayland().display_disconnect(display);
    compositor.reset();
    TestDevice::TearDown();
  }

  static void onGlobal(void *self, wl_proxy *registry, uint32_t name, const char *interface,
                       uint32_t) {
    auto *test = static_cast<WaylandWindowTest *>(self);
    if (std::string(interface) != "wl_compositor")
      return;
    WaylandArgument arguments[] = {
        {.unsignedNumber = name}, {.string = interface}, waylandNumber(1), waylandObject(nullptr)};
    test->global = test->library.proxy_marshal_array_constructor_versioned(
        registry, 0, arguments, wayland().client_compositor_interface, 1);
  }
  static void onGlobalRemoved(void *, wl_proxy *, uint32_t) {}

  /// As an application does it: a wl_surface, and Vulkan's of it.
  void makeWindow() {
    static void (*const listener[])() = {reinterpret_cast<void (*)()>(onGlobal),
                                         reinterpret_cast<void (*)()>(onGlobalRemoved)};
    WaylandArgument made[] = {waylandObject(nullptr)};
    registry = library.proxy_marshal_array_constructor(reinterpret_cast<wl_proxy *>(display), 1,
                                                       made, library.registry_interface);
    library.proxy_add_listener(registry, listener, this);
    ASSERT_GE(wayland().display_roundtrip(display), 0);
    ASSERT_TRUE(global);
    window = library.proxy_marshal_array_constructor(global, 0, made,
                                                     wayland().client_surface_interface);
    ASSERT_TRUE(window);
    EXPECT_TRUE(GetPhysicalDeviceWaylandPresentationSupportKHR(physicalDevice, 0, display));
    EXPECT_FALSE(GetPhysicalDeviceWaylandPresentationSupportKHR(physicalDevice, 1, display));
    auto info =
        vkStruct<VkWaylandSurfaceCreateInfoKHR>(VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR);
    info.display = display;
    info.surface = reinterpret_cast<wl_surface *>(window);
    ASSERT_EQ(CreateWaylandSurfaceKHR(instance, &info, nullptr, &surface), VK_SUCCESS);
  }

  VkSwapchainKHR makeSwapchain(VkExtent2D extent, VkFormat format,
                               VkCompositeAlphaFlagBitsKHR alpha) {
    auto info = vkStruct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
    info.surface = surface;
    info.minImageCount = 2;
    info.imageFormat = format;
    info.imageExtent = extent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = alpha;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    VkSwapchainKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateSwapchainKHR(device, &info, nullptr, &made), VK_SUCCESS);
    return made;
  }

  /// Presents an image whose pixels are \p value plus their number.
  VkResult present(VkSwapchainKHR handle, VkExtent2D extent, uint32_t value) {
    uint32_t index = 0;
    if (VkResult result =
            AcquireNextImageKHR(device, handle, UINT64_MAX, VK_NULL_HANDLE, VK_NULL_HANDLE, &index))
      return result;
    Swapchain *swapchain = fromHandle<Swapchain>(handle);
    const VkImageSubresource subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout layout = {};
    GetImageSubresourceLayout(device, toHandle(swapchain->image(index)), &subresource, &layout);
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        llvm::support::endian::write32le(swapchain->memory(index)->host() + layout.offset +
                                             layout.rowPitch * y + 4 * x,
                                         value + y * extent.width + x);
    auto info = vkStruct<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
    info.swapchainCount = 1;
    info.pSwapchains = &handle;
    info.pImageIndices = &index;
    const VkResult result = QueuePresentKHR(toHandle(&queue(0)), &info);
    EXPECT_EQ(QueueWaitIdle(toHandle(&queue(0))), VK_SUCCESS);
    return result;
  }

  /// Once the compositor has seen \p count commits.
  std::vector<Commit> commits(size_t count) {
    for (unsigned tries = 0; tries < 6000 && compositor->commits().size() < count; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return compositor->commits();
  }

  WaylandLibrary library;
  std::unique_ptr<Compositor> compositor;
  wl_display *display = nullptr;
  wl_proxy *registry = nullptr, *global = nullptr, *window = nullptr;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
};

TEST_F(WaylandWindowTest, surfacesHaveTheSizeOfTheirPictures) {
  VkSurfaceCapabilitiesKHR allowed = {};
  ASSERT_EQ(GetPhysicalDeviceSurfaceCapabilitiesKHR(physicalDevice, surface, &allowed), VK_SUCCESS);
  EXPECT_EQ(allowed.currentExtent.width, UINT32_MAX);
  EXPECT_EQ(allowed.supportedCompositeAlpha,
            VkCompositeAlphaFlagsKHR(VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
                                     VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR |
                                     VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR));
  VkBool32 supported = VK_FALSE;
  EXPECT_EQ(GetPhysicalDeviceSurfaceSupportKHR(physicalDevice, 0, surface, &supported), VK_SUCCESS);
  EXPECT_TRUE(supported);
}

TEST_F(WaylandWindowTest, compositorsSeeThePixels) {
  const VkExtent2D small = {5, 3}, large = {64, 7};
  VkSwapchainKHR swapchain =
      makeSwapchain(small, VK_FORMAT_B8G8R8A8_UNORM, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR);
  ASSERT_EQ(present(swapchain, small, 0x80102030), VK_SUCCESS);
  std::vector<Commit> seen = commits(1);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].format, 1u); // XRGB8888
  ASSERT_EQ(seen[0].pixels.size(), 15u);
  for (uint32_t i = 0; i < 15; ++i)
    EXPECT_EQ(seen[0].pixels[i] & 0xFFFFFF, 0x102030 + i);
  DestroySwapchainKHR(device, swapchain, nullptr);

  // Another size, the order of colours changed, with alpha.
  swapchain =
      makeSwapchain(large, VK_FORMAT_R8G8B8A8_UNORM, VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR);
  ASSERT_EQ(present(swapchain, large, 0x40112233), VK_SUCCESS);
  seen = commits(2);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1].format, 0u); // ARGB8888
  EXPECT_EQ(seen[1].width, 64);
  ASSERT_EQ(seen[1].pixels.size(), 64u * 7);
  EXPECT_EQ(seen[1].pixels.front(), 0x40332211u);
  const uint32_t last = 0x40112233 + 64 * 7 - 1; // 0x401123f2
  EXPECT_EQ(last, 0x401123f2u);
  EXPECT_EQ(seen[1].pixels.back(), 0x40f22311u);
  DestroySwapchainKHR(device, swapchain, nullptr);

  // Inherited: the window's opaque region says whether there is alpha, so the buffer has it.
  swapchain = makeSwapchain(small, VK_FORMAT_B8G8R8A8_UNORM, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR);
  ASSERT_EQ(present(swapchain, small, 0x80102030), VK_SUCCESS);
  seen = commits(3);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[2].format, 0u); // ARGB8888
  EXPECT_EQ(seen[2].pixels.front(), 0x80102030u);
  DestroySwapchainKHR(device, swapchain, nullptr);
}

TEST_F(WaylandWindowTest, buffersAreUsedAgainWhenTheyAreReleased) {
  const VkExtent2D extent = {5, 3};
  VkSwapchainKHR swapchain =
      makeSwapchain(extent, VK_FORMAT_B8G8R8A8_UNORM, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR);
  constexpr uint32_t frames = 40;
  for (uint32_t frame = 0; frame < frames; ++frame)
    ASSERT_EQ(present(swapchain, extent, frame << 8), VK_SUCCESS);
  const std::vector<Commit> seen = commits(frames);
  ASSERT_EQ(seen.size(), frames);
  std::set<wl_resource *> buffers;
  for (uint32_t frame = 0; frame < frames; ++frame) {
    buffers.insert(seen[frame].buffer);
    EXPECT_EQ(seen[frame].pixels.back() & 0xFFFFFF, (frame << 8) + 14);
  }
  EXPECT_LE(buffers.size(), 4u);
  DestroySwapchainKHR(device, swapchain, nullptr);
}

TEST_F(WaylandWindowTest, surfacesAreLostWithTheirCompositor) {
  const VkExtent2D extent = {5, 3};
  VkSwapchainKHR swapchain =
      makeSwapchain(extent, VK_FORMAT_B8G8R8A8_UNORM, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR);
  ASSERT_EQ(present(swapchain, extent, 1), VK_SUCCESS);
  compositor->hangUp();
  VkResult result = VK_SUCCESS;
  for (unsigned frame = 0; frame < 8 && !result; ++frame)
    result = present(swapchain, extent, 2); // what is sent into the void may seem to work once
  EXPECT_EQ(result, VK_ERROR_SURFACE_LOST_KHR);
  DestroySwapchainKHR(device, swapchain, nullptr);
}

} // namespace
