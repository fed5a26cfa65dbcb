//===- WindowShot.cpp - what a program's window shows in the end ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// For LD_PRELOAD, under programs that use xcb, such as vkcube, on any driver: before a window is
/// destroyed its pixels are read from the X server and written to the file that WINDOW_SHOT names,
/// as "WIDTH HEIGHT\n" and red, green, blue of each pixel.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <xcb/xcb.h>

namespace {

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

void writeShot(xcb_connection_t *connection, xcb_window_t window, const char *path) {
  std::unique_ptr<xcb_get_geometry_reply_t, Free> size(
      xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nullptr));
  if (!size)
    return;
  const xcb_get_image_cookie_t cookie = xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window,
                                                      0, 0, size->width, size->height, UINT32_MAX);
  std::unique_ptr<xcb_get_image_reply_t, Free> image(
      xcb_get_image_reply(connection, cookie, nullptr));
  std::FILE *file = image ? std::fopen(path, "wb") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "%u %u\n", unsigned(size->width), unsigned(size->height));
  const uint8_t *pixels = xcb_get_image_data(image.get());
  for (size_t pixel = 0; pixel < size_t(size->width) * size->height; ++pixel)
    for (unsigned channel = 3; channel-- > 0;)
      std::fputc(pixels[4 * pixel + channel], file);
  std::fclose(file);
}

} // namespace

extern "C" __attribute__((visibility("default"))) xcb_void_cookie_t
xcb_destroy_window(xcb_connection_t *connection, xcb_window_t window) {
  if (const char *path = std::getenv("WINDOW_SHOT"))
    writeShot(connection, window, path);
  auto *original =
      reinterpret_cast<decltype(&xcb_destroy_window)>(dlsym(RTLD_NEXT, "xcb_destroy_window"));
  return original(connection, window);
}
