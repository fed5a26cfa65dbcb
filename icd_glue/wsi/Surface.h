//===- Surface.h - VkSurfaceKHR -------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/wsi/Window.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <mutex>

namespace icd {

class Instance;
class PhysicalDevice;
class Swapchain;

class Surface : public Object {
public:
  using Handle = VkSurfaceKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SURFACE_KHR;
  explicit Surface(std::unique_ptr<Window> window) : Object(type), ownWindow(std::move(window)) {}

  Window &window() { return *ownWindow; }

  /// Makes \p swapchain the one that may acquire images, in place of \p old. False, without a
  /// change: another one holds the surface.
  bool replace(const Swapchain *old, const Swapchain *swapchain);
  /// Nobody holds the surface any more, if \p swapchain did.
  void release(const Swapchain *swapchain) { (void)replace(swapchain, nullptr); }

private:
  const std::unique_ptr<Window> ownWindow;
  std::mutex mutex; // devices of one instance share their surfaces
  const Swapchain *holder = nullptr;
};

/// Images of a swapchain: what an application may ask for, and gets.
inline constexpr uint32_t minSwapchainImages = 2;
inline constexpr uint32_t maxSwapchainImages = 8;

/// vkGetPhysicalDeviceSurfaceCapabilitiesKHR.
VkResult surfaceCapabilities(const PhysicalDevice &physical, Surface &surface,
                             VkSurfaceCapabilitiesKHR &capabilities);
/// Of every surface: UNORM and sRGB, blue or red first.
llvm::ArrayRef<VkSurfaceFormatKHR> surfaceFormats();
/// Of every surface.
llvm::ArrayRef<VkPresentModeKHR> presentModes();

/// What the commands do that create a surface of any kind.
VkResult createSurface(Instance &instance, std::unique_ptr<Window> window,
                       const VkAllocationCallbacks *allocator, VkSurfaceKHR *handle);

} // namespace icd
