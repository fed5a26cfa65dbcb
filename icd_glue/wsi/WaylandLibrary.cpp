//===- WaylandLibrary.cpp - libwayland-client, loaded at run time ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/WaylandLibrary.h"
#include <dlfcn.h>

namespace icd {

WaylandLibrary::WaylandLibrary() : handle(dlopen("libwayland-client.so.0", RTLD_NOW | RTLD_LOCAL)) {
  if (!handle)
    return;
  complete = true;
#define KILN_WAYLAND_LOAD(name, ...)                                                               \
  name = reinterpret_cast<decltype(name)>(dlsym(handle, "wl_" #name));                             \
  complete &= name != nullptr;
  KILN_WAYLAND_FUNCTIONS(KILN_WAYLAND_LOAD)
#undef KILN_WAYLAND_LOAD
#define KILN_WAYLAND_LOAD(name)                                                                    \
  name##_interface = static_cast<const wl_interface *>(dlsym(handle, "wl_" #name "_interface"));   \
  complete &= name##_interface != nullptr;
  KILN_WAYLAND_INTERFACES(KILN_WAYLAND_LOAD)
#undef KILN_WAYLAND_LOAD
}

WaylandLibrary::~WaylandLibrary() {
  if (handle)
    dlclose(handle);
}

} // namespace icd
