//===- Queue.cpp - VkQueue ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/queue/Queue.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"

using namespace llvm;

namespace icd {

Queue::Queue(Device &device, uint32_t index, VkDeviceQueueCreateFlags flags,
             llpc::ThreadCreate createThread)
    : Object(type), owner(device), queueIndex(index), createFlags(flags) {
  (void)thread.start([this] { run(); }, createThread); // isRunning() tells
}

Queue::~Queue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  wake.notify_all();
  thread.join();
}

VkResult Queue::submit(std::vector<Batch> batches) {
  if (owner.isLost())
    return owner.lostResult();
  owner.sync().update([&] {
    unfinished += batches.size();
    for (Batch &batch : batches) {
      for (SemaphoreOperation &wait : batch.waits)
        wait.temporary = wait.semaphore->payload.takeTemporary();
      for (SemaphoreOperation &signal : batch.signals)
        signal.temporary = signal.semaphore->payload.getTemporary();
    }
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (Batch &batch : batches)
      pending.push_back(std::move(batch));
  }
  wake.notify_all();
  return VK_SUCCESS;
}

VkResult Queue::waitIdle() {
  (void)owner.sync().wait(UINT64_MAX, [this] { return unfinished == 0; });
  return owner.isLost() ? owner.lostResult() : VK_SUCCESS;
}

void Queue::run() {
  while (true) {
    Batch batch;
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [this] { return ending || !pending.empty(); });
      if (ending)
        return;
      batch = std::move(pending.front());
      pending.pop_front();
    }
    execute(batch);
  }
}

void Queue::execute(Batch &batch) {
  SyncDomain &sync = owner.sync();
  const bool begun = sync.beginWork([&] {
    for (const SemaphoreOperation &wait : batch.waits)
      if (wait.temporary ? !wait.temporary->load() : !wait.semaphore->reached(wait.value))
        return false;
    for (const SemaphoreOperation &wait : batch.waits)
      if (wait.temporary)
        wait.temporary->store(0); // others may share it
      else
        wait.semaphore->consume();
    return true;
  });
  if (!begun) {
    sync.update([&] { --unfinished; });
    return;
  }
  for (Work &work : batch.work) {
    if (owner.isLost())
      break;
    if (Error error = work())
      owner.markLost(toString(std::move(error)));
  }
  // What a command buffer holds may be freed as soon as the fence says so.
  batch.work.clear();
  sync.endWork([&] {
    --unfinished;
    if (sync.isLost())
      return;
    for (const SemaphoreOperation &signal : batch.signals)
      if (signal.temporary)
        signal.temporary->store(1);
      else
        signal.semaphore->signal(signal.value);
    if (batch.fence)
      batch.fence->signal();
  });
}

} // namespace icd
