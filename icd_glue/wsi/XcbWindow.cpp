//===- XcbWindow.cpp - VK_KHR_xcb_surface, VK_KHR_xlib_surface ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shows images in windows of an X server, sent through the socket: what every server can do.
/// libxcb is loaded when a surface is made, so that the driver works on machines without it.
/// Windows of Xlib are windows of the connection that Xlib itself has made with libxcb.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/wsi/Surface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>
#include <xcb/xcb.h>

using namespace llvm;

namespace icd {
namespace {

//===--- libxcb -----------------------------------------------------------===//

/// The functions of libxcb that are used here, under their names without "xcb_".
class XcbLibrary {
public:
#define KILN_XCB_FUNCTIONS(X)                                                                      \
  X(connection_has_error)                                                                          \
  X(get_setup)                                                                                     \
  X(setup_pixmap_formats_iterator)                                                                 \
  X(format_next)                                                                                   \
  X(setup_roots_iterator)                                                                          \
  X(screen_next)                                                                                   \
  X(screen_allowed_depths_iterator)                                                                \
  X(depth_next)                                                                                    \
  X(depth_visuals_iterator)                                                                        \
  X(visualtype_next)                                                                               \
  X(get_geometry)                                                                                  \
  X(get_geometry_reply)                                                                            \
  X(get_window_attributes)                                                                         \
  X(get_window_attributes_reply)                                                                   \
  X(get_maximum_request_length)                                                                    \
  X(generate_id)                                                                                   \
  X(create_gc_checked)                                                                             \
  X(free_gc_checked)                                                                               \
  X(put_image_checked)                                                                             \
  X(request_check)                                                                                 \
  X(discard_reply)

#define KILN_XCB_MEMBER(name) decltype(&xcb_##name) name = nullptr;
  // NOLINTNEXTLINE(readability-identifier-naming): the library's names
  KILN_XCB_FUNCTIONS(KILN_XCB_MEMBER)
#undef KILN_XCB_MEMBER

  XcbLibrary() : handle(dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!handle)
      return;
    complete = true;
#define KILN_XCB_LOAD(name)                                                                        \
  name = reinterpret_cast<decltype(&xcb_##name)>(dlsym(handle, "xcb_" #name));                     \
  complete &= name != nullptr;
    KILN_XCB_FUNCTIONS(KILN_XCB_LOAD)
#undef KILN_XCB_LOAD
#undef KILN_XCB_FUNCTIONS
  }
  ~XcbLibrary() {
    if (handle)
      dlclose(handle);
  }
  XcbLibrary(const XcbLibrary &) = delete;
  XcbLibrary &operator=(const XcbLibrary &) = delete;

  bool isUsable() const { return complete; }

private:
  void *const handle;
  bool complete = false;
};

struct FreeReply {
  void operator()(void *reply) const { std::free(reply); }
};
template <typename T> using Reply = std::unique_ptr<T, FreeReply>;

/// The function and its iterator's "next" as a loop: calls \p visit until it returns true.
template <typename Iterator, typename Next, typename Visit>
bool anyOf(Iterator iterator, Next next, Visit &&visit) {
  for (; iterator.rem; next(&iterator))
    if (visit(*iterator.data))
      return true;
  return false;
}

/// Colours of a pixel are where the masks say, not in an entry of a map. What DirectColor looks up
/// for each of them is the application's choice, a ramp without one.
bool hasMasks(uint8_t visualClass) {
  return visualClass == XCB_VISUAL_CLASS_TRUE_COLOR || visualClass == XCB_VISUAL_CLASS_DIRECT_COLOR;
}

/// Whether pixels of \p visual are blue, green, red, unused, a byte each.
bool isShowable(const XcbLibrary &xcb, xcb_connection_t *connection, xcb_visualid_t visual) {
  if (xcb.connection_has_error(connection))
    return false;
  const xcb_setup_t *setup = xcb.get_setup(connection);
  if (setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST)
    return false;
  auto has32Bits = [&](uint8_t depth) {
    return anyOf(xcb.setup_pixmap_formats_iterator(setup), xcb.format_next,
                 [&](const xcb_format_t &format) {
                   return format.depth == depth && format.bits_per_pixel == 32;
                 });
  };
  auto isWanted = [&](const xcb_visualtype_t &type) {
    return type.visual_id == visual && hasMasks(type._class) && type.red_mask == 0xff0000 &&
           type.green_mask == 0xff00 && type.blue_mask == 0xff;
  };
  return anyOf(xcb.setup_roots_iterator(setup), xcb.screen_next, [&](const xcb_screen_t &screen) {
    return anyOf(xcb.screen_allowed_depths_iterator(&screen), xcb.depth_next,
                 [&](const xcb_depth_t &depth) {
                   return has32Bits(depth.depth) &&
                          anyOf(xcb.depth_visuals_iterator(&depth), xcb.visualtype_next, isWanted);
                 });
  });
}

//===--- The window -------------------------------------------------------===//

class XcbWindow : public Window {
public:
  XcbWindow(std::unique_ptr<XcbLibrary> library, xcb_connection_t *connection, xcb_window_t window)
      : library(std::move(library)), xcb(*this->library), connection(connection), window(window) {}

  bool isPresentable() override;
  VkResult extent(VkExtent2D &extent) override;
  Error show(const Picture &picture) override;

private:
  Reply<xcb_get_geometry_reply_t> geometry();

  const std::unique_ptr<XcbLibrary> library;
  const XcbLibrary &xcb;
  xcb_connection_t *const connection;
  const xcb_window_t window;
};

/// Null: there is no such window, or no connection any more.
Reply<xcb_get_geometry_reply_t> XcbWindow::geometry() {
  xcb_generic_error_t *error = nullptr;
  Reply<xcb_get_geometry_reply_t> reply(
      xcb.get_geometry_reply(connection, xcb.get_geometry(connection, window), &error));
  std::free(error);
  return reply;
}

bool XcbWindow::isPresentable() {
  xcb_generic_error_t *error = nullptr;
  Reply<xcb_get_window_attributes_reply_t> reply(xcb.get_window_attributes_reply(
      connection, xcb.get_window_attributes(connection, window), &error));
  std::free(error);
  return reply && isShowable(xcb, connection, reply->visual);
}

VkResult XcbWindow::extent(VkExtent2D &extent) {
  Reply<xcb_get_geometry_reply_t> reply = geometry();
  if (!reply)
    return VK_ERROR_SURFACE_LOST_KHR;
  extent = {reply->width, reply->height};
  return VK_SUCCESS;
}

// Requests are checked: errors of unchecked ones would come to the application as events, and Xlib
// ends it. Where the window has gone all of them fail, which the picture's say.
Error XcbWindow::show(const Picture &picture) {
  Reply<xcb_get_geometry_reply_t> size = geometry();
  if (!size)
    return createStringError("the X server has no window " + std::to_string(window));
  const xcb_gcontext_t context = xcb.generate_id(connection);
  xcb.discard_reply(connection,
                    xcb.create_gc_checked(connection, context, window, 0, nullptr).sequence);
  // A request may be as long as the server says, in units of 4 bytes, header included. Not more
  // than 1 MiB at a time, which is as fast and needs no large buffer.
  constexpr size_t headerBytes = 32, mostBytes = size_t(1) << 20;
  const size_t rowBytes = size_t(picture.width) * 4;
  const size_t requestBytes =
      std::min(size_t(xcb.get_maximum_request_length(connection)) * 4 - headerBytes, mostBytes);
  const uint32_t rows = static_cast<uint32_t>(std::max<size_t>(requestBytes / rowBytes, 1));
  std::vector<uint8_t> pixels;
  uint8_t failure = 0;
  for (uint32_t y = 0; y < picture.height && !failure; y += rows) {
    const uint32_t count = std::min(rows, picture.height - y);
    pixels.resize(rowBytes * count);
    copyRows(picture, y, count, pixels.data());
    const xcb_void_cookie_t cookie =
        xcb.put_image_checked(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window, context,
                              static_cast<uint16_t>(picture.width), static_cast<uint16_t>(count), 0,
                              static_cast<int16_t>(y), 0, size->depth,
                              static_cast<uint32_t>(pixels.size()), pixels.data());
    Reply<xcb_generic_error_t> error(xcb.request_check(connection, cookie));
    if (error || xcb.connection_has_error(connection))
      failure = error ? error->error_code : UINT8_MAX;
  }
  xcb.discard_reply(connection, xcb.free_gc_checked(connection, context).sequence);
  if (failure)
    return createStringError("X error " + std::to_string(failure) + " in window " +
                             std::to_string(window));
  return Error::success();
}

//===--- Xlib -------------------------------------------------------------===//

/// The connection behind \p display; null: it cannot be had. The library belongs to Xlib, which the
/// application has loaded.
xcb_connection_t *connectionOf(Display *display) {
  void *handle = dlopen("libX11-xcb.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return nullptr;
  using GetConnection = xcb_connection_t *(*)(Display *);
  auto get = reinterpret_cast<GetConnection>(dlsym(handle, "XGetXCBConnection"));
  xcb_connection_t *connection = get ? get(display) : nullptr;
  dlclose(handle);
  return connection;
}

VkResult createXSurface(VkInstance handle, const char *command, xcb_connection_t *connection,
                        xcb_window_t window, const VkAllocationCallbacks *allocator,
                        VkSurfaceKHR *surface) {
  Instance *instance = fromHandle<Instance>(handle);
  auto library = std::make_unique<XcbLibrary>();
  if (!connection || !library->isUsable()) {
    instance->log(std::string("kiln: ") + command + ": " +
                  (connection ? "libxcb.so.1" : "libX11-xcb.so.1") + " cannot be used");
    return VK_ERROR_UNKNOWN;
  }
  return createSurface(*instance,
                       std::make_unique<XcbWindow>(std::move(library), connection, window),
                       allocator, surface);
}

VkBool32 supportsPresentation(uint32_t queueFamily, xcb_connection_t *connection,
                              xcb_visualid_t visual) {
  XcbLibrary library;
  return queueFamily < queueFamilyCount && connection && library.isUsable() &&
         isShowable(library, connection, visual);
}

} // namespace

VkResult VKAPI_CALL CreateXcbSurfaceKHR(VkInstance instance, const VkXcbSurfaceCreateInfoKHR *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkSurfaceKHR *surface) {
  return createXSurface(instance, "vkCreateXcbSurfaceKHR", info->connection, info->window,
                        allocator, surface);
}

VkBool32 VKAPI_CALL GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice,
                                                               uint32_t queueFamily,
                                                               xcb_connection_t *connection,
                                                               xcb_visualid_t visual) {
  return supportsPresentation(queueFamily, connection, visual);
}

VkResult VKAPI_CALL CreateXlibSurfaceKHR(VkInstance instance,
                                         const VkXlibSurfaceCreateInfoKHR *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkSurfaceKHR *surface) {
  return createXSurface(instance, "vkCreateXlibSurfaceKHR", connectionOf(info->dpy),
                        static_cast<xcb_window_t>(info->window), allocator, surface);
}

VkBool32 VKAPI_CALL GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice,
                                                                uint32_t queueFamily,
                                                                Display *display, VisualID visual) {
  return supportsPresentation(queueFamily, connectionOf(display),
                              static_cast<xcb_visualid_t>(visual));
}

} // namespace icd
