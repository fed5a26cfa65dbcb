//===- Queue.h - VkQueue --------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A queue is a thread that executes batches in submission order: it waits for the batch's
/// semaphores, runs its work, signals semaphores and the fence. An error of the work loses the
/// device.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/sync/SyncPayload.h"
#include "llpc/Thread.h"
#include "llvm/Support/Error.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace icd {

class Device;
class Fence;
class Semaphore;

/// Something for a queue to execute, such as a whole command buffer. An error is a DeviceFault or
/// whatever else makes it impossible to go on.
using Work = std::function<llvm::Error()>;

/// The work of a command buffer that is executable; called by vkQueueSubmit. What the function
/// refers to lives until it has run. Defined by command/CommandBuffer.cpp.
Work workOfCommandBuffer(VkCommandBuffer commandBuffer);

struct SemaphoreOperation {
  Semaphore *semaphore;
  uint64_t value; ///< of timeline semaphores
  /// What the semaphore had when the operation was submitted, and what that is about instead.
  std::shared_ptr<SyncPayload::Source> temporary = nullptr;
};

struct Batch {
  std::vector<SemaphoreOperation> waits = {};
  std::vector<Work> work = {};
  std::vector<SemaphoreOperation> signals = {};
  Fence *fence = nullptr;
};

class Queue : public Object {
public:
  using Handle = VkQueue;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_QUEUE;

  Queue(Device &device, uint32_t index, VkDeviceQueueCreateFlags flags,
        llpc::ThreadCreate createThread = pthread_create);
  /// Ends the thread; batches that have not begun are dropped.
  ~Queue();

  /// False: the system gave no thread, and nothing may be submitted.
  bool isRunning() const { return thread.isRunning(); }
  Device &device() { return owner; }
  uint32_t index() const { return queueIndex; }
  VkDeviceQueueCreateFlags flags() const { return createFlags; }

  /// Appends batches. Returns VK_ERROR_DEVICE_LOST without doing so when the device is lost.
  VkResult submit(std::vector<Batch> batches);
  /// Waits until everything submitted has been executed.
  VkResult waitIdle();

private:
  void run();
  void execute(Batch &batch);

  Device &owner;
  const uint32_t queueIndex;
  const VkDeviceQueueCreateFlags createFlags;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Batch> pending;
  uint64_t unfinished = 0; // batches; under the mutex of Device::sync()
  bool ending = false;
  llpc::Thread thread;
};

} // namespace icd
