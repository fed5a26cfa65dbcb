//===- WaylandLibrary.h - libwayland-client, loaded at run time -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The functions of libwayland-client that windows need, as far as they need them, so that the
/// driver is built and works on machines without it. Requests are numbers, in the order in which
/// the protocol lists them for each interface.
#pragma once

#include <cstdint>

struct wl_display;
struct wl_event_queue;
struct wl_interface;
struct wl_proxy;
struct wl_surface;

namespace icd {

/// wl_argument of the library: an argument of a request or an event.
union WaylandArgument {
  int32_t number; ///< also a file
  uint32_t unsignedNumber;
  const char *string;
  void *object; ///< null for what the request makes
};
static_assert(sizeof(WaylandArgument) == 8);

inline WaylandArgument waylandNumber(int32_t value) { return {.number = value}; }
inline WaylandArgument waylandObject(void *value) { return {.object = value}; }

/// Functions and interfaces under their names without "wl_".
class WaylandLibrary {
public:
#define KILN_WAYLAND_FUNCTIONS(X)                                                                  \
  X(display_create_queue, wl_event_queue *, (wl_display *))                                        \
  X(display_roundtrip_queue, int, (wl_display *, wl_event_queue *))                                \
  X(display_dispatch_queue, int, (wl_display *, wl_event_queue *))                                 \
  X(display_flush, int, (wl_display *))                                                            \
  X(display_get_error, int, (wl_display *))                                                        \
  X(event_queue_destroy, void, (wl_event_queue *))                                                 \
  X(proxy_create_wrapper, void *, (void *))                                                        \
  X(proxy_wrapper_destroy, void, (void *))                                                         \
  X(proxy_set_queue, void, (wl_proxy *, wl_event_queue *))                                         \
  X(proxy_add_listener, int, (wl_proxy *, void (*const *)(), void *))                              \
  X(proxy_marshal_array, void, (wl_proxy *, uint32_t, WaylandArgument *))                          \
  X(proxy_marshal_array_constructor, wl_proxy *,                                                   \
    (wl_proxy *, uint32_t, WaylandArgument *, const wl_interface *))                               \
  X(proxy_marshal_array_constructor_versioned, wl_proxy *,                                         \
    (wl_proxy *, uint32_t, WaylandArgument *, const wl_interface *, uint32_t))                     \
  X(proxy_destroy, void, (wl_proxy *))
#define KILN_WAYLAND_INTERFACES(X) X(registry) X(shm) X(shm_pool) X(buffer)

#define KILN_WAYLAND_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
#define KILN_WAYLAND_POINTER(name) const wl_interface *name##_interface = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): the library's names
  KILN_WAYLAND_FUNCTIONS(KILN_WAYLAND_MEMBER)
  KILN_WAYLAND_INTERFACES(KILN_WAYLAND_POINTER)
  // NOLINTEND(readability-identifier-naming)
#undef KILN_WAYLAND_MEMBER
#undef KILN_WAYLAND_POINTER

  WaylandLibrary();
  ~WaylandLibrary();
  WaylandLibrary(const WaylandLibrary &) = delete;

  bool isUsable() const { return complete; }

private:
  void *const handle;
  bool complete = false;
};

} // namespace icd
