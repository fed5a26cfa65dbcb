//===- Swapchain.h - VkSwapchainKHR ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The images of a surface and who has each of them:
///
///     Available --acquire--> Acquired --queuePresent--> Presenting --queue's thread--> Available
///
/// Presenting is work of the queue, so it comes after the semaphores it waits for and after all
/// earlier submissions. What is shown is copied out of the image then, which is why the image is
/// free at once, and a swapchain of two images never blocks an application that presents what it
/// acquires.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/queue/Queue.h"
#include "icd_glue/wsi/PresentTimes.h"
#include "icd_glue/wsi/PresentTiming.h"
#include "icd_glue/wsi/Window.h"
#include <atomic>
#include <deque>
#include <optional>
#include <vector>

namespace icd {

class Device;
class DeviceMemory;
class Image;
class Surface;

/// What an application says of one present.
struct PresentRequest {
  uint64_t id = 0;                                ///< VkPresentIdKHR, VkPresentId2KHR; 0: none
  const VkPresentTimeGOOGLE *time = nullptr;      ///< null: nobody asks when it was
  const VkPresentTimingInfoEXT *timing = nullptr; ///< null: at any time, and nobody asks
};

class Swapchain : public Object {
public:
  using Handle = VkSwapchainKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SWAPCHAIN_KHR;

  Swapchain(Device &device, Surface &surface, const VkSwapchainCreateInfoKHR &info);
  /// Frees the images, after all presents in flight.
  ~Swapchain();

  /// For vkCreateSwapchainKHR: makes the images.
  VkResult createImages(const VkSwapchainCreateInfoKHR &info);
  uint32_t imageCount() const { return static_cast<uint32_t>(slots.size()); }
  Image *image(uint32_t index) const { return slots[index].image; }
  /// Memory of an image, for images of the application's that share it; null: no such image.
  DeviceMemory *memory(uint32_t index) const {
    return index < slots.size() ? slots[index].memory : nullptr;
  }

  /// Takes the image that has been available for the longest time. VK_TIMEOUT or VK_NOT_READY
  /// (\p timeout is 0): all have been taken. In nanoseconds.
  VkResult acquire(uint64_t timeout, uint32_t &index);
  /// Appends the present of an acquired image to \p work. Even when the result says that it will
  /// not be seen the work makes the image available, but with
  /// VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT there is none, and it is still acquired.
  VkResult queuePresent(uint32_t index, const PresentRequest &request, std::vector<Work> &work);
  /// Until a present with \p id, or a larger one, is done. VK_TIMEOUT, VK_ERROR_DEVICE_LOST or
  /// VK_ERROR_SURFACE_LOST_KHR. In nanoseconds.
  VkResult waitForPresent(uint64_t id, uint64_t timeout);
  /// An acquired image that will not be presented is available again.
  void releaseImage(uint32_t index);
  /// No image can be acquired any more; those that were can still be presented.
  void retire();

  Surface &surface() { return target; }
  /// Under the lock of Device::sync().
  PresentTimes &times() { return presentTimes; }
  /// Under the lock of Device::sync().
  PresentTiming &timing() { return presentTiming; }

private:
  enum class State : uint8_t { Available, Acquired, Presenting };
  struct Slot {
    Image *image = nullptr;
    DeviceMemory *memory = nullptr;
    State state = State::Available;
  };

  /// A PresentRequest, for the queue's thread.
  struct Presentation {
    std::optional<VkPresentTimeGOOGLE> time;
    std::optional<VkPresentTimingInfoEXT> timing;
    std::optional<uint64_t> report; ///< of presentTiming
  };
  VkResult presentResult() const;
  /// False: the window has not taken the picture.
  bool show(uint32_t index);
  void present(uint32_t index, const Presentation &presentation);
  uint64_t nanosecondsUntil(const VkPresentTimingInfoEXT &timing);
  void reach(const Presentation &presentation, VkPresentStageFlagBitsEXT stage);
  void makeAvailable(uint32_t index);
  void reportOnce(const char *id, llvm::Error error);

  Device &owner;
  Surface &target;
  const VkExtent2D extent;
  const bool isBgr, isOpaque;
  const uint32_t number; ///< of the instance, for file names
  std::vector<Slot> slots;
  // Guarded by Device::sync(), as the states are.
  std::deque<uint32_t> available; ///< in the order in which they became so
  uint32_t presentsInFlight = 0;
  uint64_t frames = 0;
  uint64_t presentedId = 0; ///< the largest
  PresentTimes presentTimes;
  PresentTiming presentTiming;
  uint64_t lastShown = 0; ///< when the window took a picture, of CLOCK_MONOTONIC; 0: it took none
  bool retired = false;
  std::atomic<bool> surfaceLost = false;
  std::atomic<bool> reported = false;
};

} // namespace icd
