//===- HeadlessWindow.cpp - VK_EXT_headless_surface -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A surface without a window: presented images are seen by nobody, except in KILN_PRESENT_DIR.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/wsi/Surface.h"

namespace icd {
namespace {

class HeadlessWindow : public Window {
public:
  bool isPresentable() override { return true; }
  VkResult extent(VkExtent2D &extent) override {
    extent = anyExtent;
    return VK_SUCCESS;
  }
  llvm::Error show(const Picture &) override { return llvm::Error::success(); }
};

} // namespace

VkResult VKAPI_CALL CreateHeadlessSurfaceEXT(VkInstance instance,
                                             const VkHeadlessSurfaceCreateInfoEXT *,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkSurfaceKHR *pSurface) {
  return createSurface(*fromHandle<Instance>(instance), std::make_unique<HeadlessWindow>(),
                       pAllocator, pSurface);
}

} // namespace icd
