//===- WaylandWindow.cpp - VK_KHR_wayland_surface -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shows images on surfaces of a Wayland compositor, through buffers in shared memory (wl_shm),
/// which every compositor takes. Objects of ours have an event queue of their own: presenting is
/// work of another thread than the application's.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/sync/SharedPages.h"
#include "icd_glue/wsi/Surface.h"
#include "icd_glue/wsi/WaylandLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace icd {
namespace {

// Requests, by interface.
namespace request {
constexpr uint32_t displayGetRegistry = 1;
constexpr uint32_t registryBind = 0;
constexpr uint32_t shmCreatePool = 0;
constexpr uint32_t poolCreateBuffer = 0, poolDestroy = 1;
constexpr uint32_t bufferDestroy = 0;
constexpr uint32_t surfaceAttach = 1, surfaceDamage = 2, surfaceCommit = 6;
} // namespace request

// Formats of wl_shm that every compositor has: blue, green, red, alpha or unused, a byte each.
constexpr int32_t formatWithAlpha = 0, formatOpaque = 1;

/// Memory that the compositor reads. It is the compositor's from the commit until it says that it
/// has released the buffer.
struct WaylandBuffer {
  std::unique_ptr<SharedPages> pages;
  wl_proxy *proxy = nullptr;
  uint32_t width = 0, height = 0;
  bool isOpaque = false;
  bool isBusy = false;
};

class WaylandWindow : public Window {
public:
  WaylandWindow(std::unique_ptr<WaylandLibrary> library, wl_display *display, wl_surface *surface)
      : library(std::move(library)), wl(*this->library), display(display), surface(surface) {}
  ~WaylandWindow() override;

  /// Whether the compositor has what is needed.
  bool connect();

  bool isPresentable() override { return !wl.display_get_error(display); }
  VkResult extent(VkExtent2D &extent) override;
  VkCompositeAlphaFlagsKHR compositeAlpha() override {
    return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR |
           VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  }
  Error show(const Picture &picture) override;

private:
  static void onGlobal(void *self, wl_proxy *registry, uint32_t name, const char *interface,
                       uint32_t version);
  static void onGlobalRemoved(void *, wl_proxy *, uint32_t) {}
  static void onRelease(void *buffer, wl_proxy *) {
    static_cast<WaylandBuffer *>(buffer)->isBusy = false;
  }
  /// One of the picture's size that is not the compositor's; null: the connection is lost, or there
  /// is no memory.
  WaylandBuffer *freeBuffer(const Picture &picture);
  WaylandBuffer *makeBuffer(const Picture &picture);
  void destroy(WaylandBuffer &buffer);

  const std::unique_ptr<WaylandLibrary> library;
  const WaylandLibrary &wl;
  wl_display *const display;
  wl_surface *const surface;
  wl_event_queue *queue = nullptr;
  wl_proxy *shm = nullptr;
  std::mutex mutex; // two queues may present
  std::vector<std::unique_ptr<WaylandBuffer>> buffers;
};

// The application's objects may be gone by now, its connection is not.
WaylandWindow::~WaylandWindow() {
  for (std::unique_ptr<WaylandBuffer> &buffer : buffers)
    destroy(*buffer);
  if (shm)
    wl.proxy_destroy(shm);
  if (queue)
    wl.event_queue_destroy(queue);
}

void WaylandWindow::onGlobal(void *self, wl_proxy *registry, uint32_t name, const char *interface,
                             uint32_t) {
  auto *window = static_cast<WaylandWindow *>(self);
  if (window->shm || std::strcmp(interface, "wl_shm") != 0)
    return;
  WaylandArgument arguments[] = {
      {.unsignedNumber = name}, {.string = interface}, waylandNumber(1), waylandObject(nullptr)};
  window->shm = window->wl.proxy_marshal_array_constructor_versioned(
      registry, request::registryBind, arguments, window->wl.shm_interface, 1);
}

bool WaylandWindow::connect() {
  queue = wl.display_create_queue(display);
  // What is asked of the wrapper answers in our queue.
  auto *wrapper = static_cast<wl_proxy *>(wl.proxy_create_wrapper(display));
  if (!queue || !wrapper)
    return false;
  wl.proxy_set_queue(wrapper, queue);
  WaylandArgument arguments[] = {waylandObject(nullptr)};
  wl_proxy *registry = wl.proxy_marshal_array_constructor(wrapper, request::displayGetRegistry,
                                                          arguments, wl.registry_interface);
  wl.proxy_wrapper_destroy(wrapper);
  if (!registry)
    return false;
  static void (*const listener[])() = {reinterpret_cast<void (*)()>(onGlobal),
                                       reinterpret_cast<void (*)()>(onGlobalRemoved)};
  wl.proxy_add_listener(registry, listener, this);
  const bool answered = wl.display_roundtrip_queue(display, queue) >= 0;
  wl.proxy_destroy(registry);
  return answered && shm;
}

// Surfaces have the size of what is shown on them.
VkResult WaylandWindow::extent(VkExtent2D &extent) {
  extent = anyExtent;
  return wl.display_get_error(display) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

void WaylandWindow::destroy(WaylandBuffer &buffer) {
  wl.proxy_marshal_array(buffer.proxy, request::bufferDestroy, nullptr);
  wl.proxy_destroy(buffer.proxy);
}

// Each buffer is all of a pool: sizes change rarely.
WaylandBuffer *WaylandWindow::makeBuffer(const Picture &picture) {
  const uint64_t rowBytes = uint64_t(picture.width) * 4, size = rowBytes * picture.height;
  if (size > INT32_MAX)
    return nullptr;
  auto buffer = std::make_unique<WaylandBuffer>();
  buffer->pages = SharedPages::create("wl_buffer", size);
  const int file = buffer->pages ? buffer->pages->duplicate() : -1;
  if (file < 0)
    return nullptr;
  WaylandArgument poolArguments[] = {waylandObject(nullptr), waylandNumber(file),
                                     waylandNumber(static_cast<int32_t>(size))};
  wl_proxy *pool = wl.proxy_marshal_array_constructor(shm, request::shmCreatePool, poolArguments,
                                                      wl.shm_pool_interface);
  close(file); // the request has a handle of its own
  if (!pool)
    return nullptr;
  WaylandArgument arguments[] = {waylandObject(nullptr),
                                 waylandNumber(0),
                                 waylandNumber(static_cast<int32_t>(picture.width)),
                                 waylandNumber(static_cast<int32_t>(picture.height)),
                                 waylandNumber(static_cast<int32_t>(rowBytes)),
                                 waylandNumber(picture.isOpaque ? formatOpaque : formatWithAlpha)};
  buffer->proxy = wl.proxy_marshal_array_constructor(pool, request::poolCreateBuffer, arguments,
                                                     wl.buffer_interface);
  wl.proxy_marshal_array(pool, request::poolDestroy, nullptr);
  wl.proxy_destroy(pool);
  if (!buffer->proxy)
    return nullptr;
  static void (*const listener[])() = {reinterpret_cast<void (*)()>(onRelease)};
  wl.proxy_add_listener(buffer->proxy, listener, buffer.get());
  buffer->width = picture.width;
  buffer->height = picture.height;
  buffer->isOpaque = picture.isOpaque;
  return buffers.emplace_back(std::move(buffer)).get();
}

WaylandBuffer *WaylandWindow::freeBuffer(const Picture &picture) {
  for (;;) {
    erase_if(buffers, [&](const std::unique_ptr<WaylandBuffer> &buffer) {
      const bool isOld =
          !buffer->isBusy && (buffer->width != picture.width || buffer->height != picture.height ||
                              buffer->isOpaque != picture.isOpaque);
      if (isOld)
        destroy(*buffer);
      return isOld;
    });
    for (std::unique_ptr<WaylandBuffer> &buffer : buffers)
      if (!buffer->isBusy)
        return buffer.get();
    // One is shown, one waits to be, one is of another size. The compositor says when it has done
    // with one; until somebody dispatches the queue, nobody has heard of it.
    constexpr size_t most = 4;
    if (buffers.size() < most)
      return makeBuffer(picture);
    if (wl.display_dispatch_queue(display, queue) < 0)
      return nullptr;
  }
}

Error WaylandWindow::show(const Picture &picture) {
  std::lock_guard<std::mutex> lock(mutex);
  WaylandBuffer *buffer = freeBuffer(picture);
  if (!buffer)
    return createStringError("the Wayland compositor takes no buffer: error " +
                             std::to_string(wl.display_get_error(display)));
  copyRows(picture, 0, picture.height, static_cast<uint8_t *>(buffer->pages->data()));
  auto *target = reinterpret_cast<wl_proxy *>(surface);
  WaylandArgument attach[] = {waylandObject(buffer->proxy), waylandNumber(0), waylandNumber(0)};
  wl.proxy_marshal_array(target, request::surfaceAttach, attach);
  WaylandArgument damage[] = {waylandNumber(0), waylandNumber(0), waylandNumber(INT32_MAX),
                              waylandNumber(INT32_MAX)};
  wl.proxy_marshal_array(target, request::surfaceDamage, damage);
  wl.proxy_marshal_array(target, request::surfaceCommit, nullptr);
  buffer->isBusy = true;
  if (wl.display_flush(display) < 0 && wl.display_get_error(display))
    return createStringError("the connection to the Wayland compositor is lost");
  return Error::success();
}

} // namespace

VkResult VKAPI_CALL CreateWaylandSurfaceKHR(VkInstance handle,
                                            const VkWaylandSurfaceCreateInfoKHR *info,
                                            const VkAllocationCallbacks *allocator,
                                            VkSurfaceKHR *surface) {
  Instance *instance = fromHandle<Instance>(handle);
  auto library = std::make_unique<WaylandLibrary>();
  if (library->isUsable()) {
    auto window = std::make_unique<WaylandWindow>(std::move(library), info->display, info->surface);
    if (window->connect())
      return createSurface(*instance, std::move(window), allocator, surface);
    instance->log("kiln: vkCreateWaylandSurfaceKHR: the compositor has no wl_shm");
  } else {
    instance->log("kiln: vkCreateWaylandSurfaceKHR: libwayland-client.so.0 cannot be used");
  }
  return VK_ERROR_UNKNOWN;
}

VkBool32 VKAPI_CALL GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice,
                                                                   uint32_t queueFamily,
                                                                   wl_display *display) {
  WaylandLibrary library;
  return queueFamily < queueFamilyCount && display && library.isUsable();
}

} // namespace icd
