//===- QueueTest.cpp - submissions, semaphores, fences, loss --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/queue/Queue.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/sync/Event.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace icd;

namespace {

class QueueTest : public TestDevice {
protected:
  void SetUp() override {
    TestDevice::SetUp();
    auto fenceInfo = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    ASSERT_EQ(CreateFence(device, &fenceInfo, nullptr, &fence), VK_SUCCESS);
    auto info = vkStruct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    ASSERT_EQ(CreateSemaphore(device, &info, nullptr, &binary), VK_SUCCESS);
    auto typeInfo =
        vkStruct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    typeInfo.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    typeInfo.initialValue = 5;
    info.pNext = &typeInfo;
    ASSERT_EQ(CreateSemaphore(device, &info, nullptr, &timeline), VK_SUCCESS);
  }

  void TearDown() override {
    DestroyFence(device, fence, nullptr);
    DestroySemaphore(device, binary, nullptr);
    DestroySemaphore(device, timeline, nullptr);
    TestDevice::TearDown();
  }

  VkResult submit(uint32_t index, Batch batch) {
    std::vector<Batch> batches;
    batches.push_back(std::move(batch));
    return queue(index).submit(std::move(batches));
  }

  /// Work that appends \p letter to the trace.
  Work note(char letter) {
    return [this, letter] {
      std::lock_guard<std::mutex> lock(mutex);
      trace += letter;
      return llvm::Error::success();
    };
  }

  std::string traced() {
    std::lock_guard<std::mutex> lock(mutex);
    return trace;
  }

  VkResult waitFence(uint64_t timeout = UINT64_MAX) {
    return WaitForFences(device, 1, &fence, VK_TRUE, timeout);
  }

  uint64_t timelineValue() {
    uint64_t value = 0;
    EXPECT_EQ(GetSemaphoreCounterValue(device, timeline, &value), VK_SUCCESS);
    return value;
  }

  VkFence fence = VK_NULL_HANDLE;
  VkSemaphore binary = VK_NULL_HANDLE, timeline = VK_NULL_HANDLE;
  std::mutex mutex;
  std::string trace;
};

TEST_F(QueueTest, batchesRunInOrderAndTheFenceComesLast) {
  EXPECT_EQ(GetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(submit(0, {.work = {note('a'), note('b')}}), VK_SUCCESS);
  EXPECT_EQ(submit(0, {.work = {note('c')}, .fence = fromHandle<Fence>(fence)}), VK_SUCCESS);
  EXPECT_EQ(waitFence(), VK_SUCCESS);
  EXPECT_EQ(traced(), "abc");
  EXPECT_EQ(GetFenceStatus(device, fence), VK_SUCCESS);
  EXPECT_EQ(ResetFences(device, 1, &fence), VK_SUCCESS);
  EXPECT_EQ(waitFence(0), VK_TIMEOUT);
}

TEST_F(QueueTest, binarySemaphoreOrdersQueuesAndIsConsumed) {
  Semaphore *semaphore = fromHandle<Semaphore>(binary);
  EXPECT_EQ(submit(1, {.waits = {{semaphore, 0}}, .work = {note('b')}}), VK_SUCCESS);
  EXPECT_EQ(submit(0, {.work = {note('a')}, .signals = {{semaphore, 0}}}), VK_SUCCESS);
  EXPECT_EQ(QueueWaitIdle(toHandle(&queue(1))), VK_SUCCESS);
  EXPECT_EQ(traced(), "ab");
  EXPECT_FALSE(semaphore->reached(0));
}

// A wait takes what was imported temporarily when it is submitted, so that what is submitted behind
// it is about the semaphore's own payload, and keeps it.
TEST_F(QueueTest, temporaryPayloadGoesWithTheSubmittedWait) {
  Semaphore *semaphore = fromHandle<Semaphore>(binary);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  auto import =
      vkStruct<VkImportSemaphoreFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR);
  import.semaphore = binary;
  import.flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
  import.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  import.fd = ends[0];
  ASSERT_EQ(ImportSemaphoreFdKHR(device, &import), VK_SUCCESS); // owns the descriptor now
  EXPECT_EQ(submit(0, {.waits = {{semaphore, 0}}, .work = {note('b')}}), VK_SUCCESS);
  EXPECT_EQ(submit(1, {.work = {note('a')}, .signals = {{semaphore, 0}}}), VK_SUCCESS);
  EXPECT_EQ(QueueWaitIdle(toHandle(&queue(1))), VK_SUCCESS);
  EXPECT_EQ(traced(), "a") << "the file is not signaled";
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  EXPECT_EQ(QueueWaitIdle(toHandle(&queue(0))), VK_SUCCESS);
  EXPECT_EQ(submit(0, {.waits = {{semaphore, 0}}, .work = {note('c')}}), VK_SUCCESS);
  EXPECT_EQ(QueueWaitIdle(toHandle(&queue(0))), VK_SUCCESS);
  EXPECT_EQ(traced(), "abc");
  close(ends[1]);
}

// Signals of Unix that interrupt a look at a sync file say nothing about it.
TEST_F(QueueTest, filesAreNotSignaledByInterruptions) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  auto import = vkStruct<VkImportFenceFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR);
  import.fence = fence;
  import.flags = VK_FENCE_IMPORT_TEMPORARY_BIT;
  import.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  import.fd = ends[0];
  ASSERT_EQ(ImportFenceFdKHR(device, &import), VK_SUCCESS);
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const itimerval often = {{0, 200}, {0, 200}}, never = {};
  ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
  unsigned signaled = 0;
  for (unsigned i = 0; i < 20'000; ++i)
    signaled += GetFenceStatus(device, fence) == VK_SUCCESS;
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(signaled, 0u);
  close(ends[1]);
}

TEST_F(QueueTest, timelineWaitMayComeBeforeItsSignal) {
  Semaphore *semaphore = fromHandle<Semaphore>(timeline);
  EXPECT_EQ(timelineValue(), 5u);
  EXPECT_EQ(
      submit(0, {.waits = {{semaphore, 5}}, .work = {note('a')}, .signals = {{semaphore, 6}}}),
      VK_SUCCESS);
  EXPECT_EQ(
      submit(0, {.waits = {{semaphore, 10}}, .work = {note('b')}, .signals = {{semaphore, 11}}}),
      VK_SUCCESS);
  uint64_t value = 6;
  auto wait = vkStruct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &value;
  EXPECT_EQ(WaitSemaphores(device, &wait, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(traced(), "a");
  value = 7;
  EXPECT_EQ(WaitSemaphores(device, &wait, 1000), VK_TIMEOUT);
  auto signal = vkStruct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
  signal.semaphore = timeline;
  signal.value = 10;
  EXPECT_EQ(SignalSemaphore(device, &signal), VK_SUCCESS);
  value = 11;
  EXPECT_EQ(WaitSemaphores(device, &wait, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(traced(), "ab");
  EXPECT_EQ(timelineValue(), 11u);
}

// The command of every device: without sparse resources it waits and signals.
TEST_F(QueueTest, bindSparseWaitsAndSignalsAndBindsNothing) {
  const VkQueue handle = toHandle(&queue(0));
  const uint64_t wanted = 7;
  auto values =
      vkStruct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wanted;
  auto info = vkStruct<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, &values);
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = &timeline;
  info.pSignalSemaphores = &binary;
  EXPECT_EQ(QueueBindSparse(handle, 1, &info, fence), VK_SUCCESS);
  EXPECT_EQ(waitFence(1000), VK_TIMEOUT);
  auto signal = vkStruct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
  signal.semaphore = timeline;
  signal.value = wanted;
  EXPECT_EQ(SignalSemaphore(device, &signal), VK_SUCCESS);
  EXPECT_EQ(waitFence(), VK_SUCCESS);
  EXPECT_TRUE(fromHandle<Semaphore>(binary)->reached(0));
  EXPECT_EQ(ResetFences(device, 1, &fence), VK_SUCCESS);
  EXPECT_EQ(QueueBindSparse(handle, 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(waitFence(), VK_SUCCESS);
  EXPECT_TRUE(messages.empty());
  VkSparseBufferMemoryBindInfo bind = {};
  info = vkStruct<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO);
  info.bufferBindCount = 1;
  info.pBufferBinds = &bind;
  EXPECT_EQ(QueueBindSparse(handle, 1, &info, VK_NULL_HANDLE), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("vkQueueBindSparse"), std::string::npos);
}

TEST_F(QueueTest, waitAnyNeedsOnlyOne) {
  VkFence fences[2] = {fence, VK_NULL_HANDLE};
  auto info = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
  ASSERT_EQ(CreateFence(device, &info, nullptr, &fences[1]), VK_SUCCESS);
  EXPECT_EQ(WaitForFences(device, 2, fences, VK_FALSE, 0), VK_SUCCESS);
  EXPECT_EQ(WaitForFences(device, 2, fences, VK_TRUE, 0), VK_TIMEOUT);
  DestroyFence(device, fences[1], nullptr);

  VkSemaphore semaphores[2] = {timeline, timeline};
  const uint64_t values[2] = {5, 100};
  auto wait = vkStruct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  wait.semaphoreCount = 2;
  wait.pSemaphores = semaphores;
  wait.pValues = values;
  EXPECT_EQ(WaitSemaphores(device, &wait, 0), VK_TIMEOUT);
  wait.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
  EXPECT_EQ(WaitSemaphores(device, &wait, 0), VK_SUCCESS);
}

TEST_F(QueueTest, errorOfTheWorkLosesTheDevice) {
  VkQueue handle = toHandle(&queue(0));
  auto fail = [] { return llvm::createStringError("kernel 'f': address 0x10 is not mapped"); };
  // The second queue waits for what the first will not signal any more.
  Semaphore *semaphore = fromHandle<Semaphore>(binary);
  EXPECT_EQ(submit(1, {.waits = {{semaphore, 0}}, .work = {note('x')}}), VK_SUCCESS);
  EXPECT_EQ(submit(0, {.work = {note('a'), fail, note('b')},
                       .signals = {{semaphore, 0}},
                       .fence = fromHandle<Fence>(fence)}),
            VK_SUCCESS);
  EXPECT_EQ(waitFence(), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(traced(), "a");
  EXPECT_EQ(messages, std::vector<std::string>{"kernel 'f': address 0x10 is not mapped"});
  EXPECT_EQ(QueueSubmit(handle, 0, nullptr, fence), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(QueueWaitIdle(handle), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(DeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(GetFenceStatus(device, fence), VK_ERROR_DEVICE_LOST);
  auto counts = vkStruct<VkDeviceFaultCountsEXT>(VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT);
  auto info = vkStruct<VkDeviceFaultInfoEXT>(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT);
  EXPECT_EQ(GetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
  EXPECT_STREQ(info.description, "kernel 'f': address 0x10 is not mapped");
}

/// VK_KHR_device_fault: a loss is reported once, to one of those who wait for it.
TEST_F(QueueTest, faultsAreTakenOnce) {
  uint32_t count = 1;
  auto info = vkStruct<VkDeviceFaultInfoKHR>(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR);
  EXPECT_EQ(GetDeviceFaultReportsKHR(device, 1000, &count, &info), VK_TIMEOUT);
  EXPECT_EQ(count, 0u);
  std::atomic<int> taken = 0, timedOut = 0;
  auto take = [&] {
    uint32_t number = 1;
    auto report = vkStruct<VkDeviceFaultInfoKHR>(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR);
    const VkResult result = GetDeviceFaultReportsKHR(device, UINT64_MAX, &number, &report);
    taken += result == VK_SUCCESS && number == 1 && report.description == llvm::StringRef("gone") &&
             report.flags == VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
    timedOut += result == VK_TIMEOUT && number == 0;
  };
  std::thread first(take), second(take);
  EXPECT_EQ(submit(0, {.work = {[] { return llvm::createStringError("gone"); }}}), VK_SUCCESS);
  first.join();
  second.join();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(timedOut, 1);
  auto debug = vkStruct<VkDeviceFaultDebugInfoKHR>(VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR);
  debug.vendorBinarySize = 7;
  EXPECT_EQ(GetDeviceFaultDebugInfoKHR(device, &debug), VK_SUCCESS);
  EXPECT_EQ(debug.vendorBinarySize, 0u);
}

TEST_F(QueueTest, faultsAreCountedBeforeTheyAreTaken) {
  object().markLost("gone");
  uint32_t count = 0;
  EXPECT_EQ(GetDeviceFaultReportsKHR(device, 0, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  auto info = vkStruct<VkDeviceFaultInfoKHR>(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR);
  count = 0;
  EXPECT_EQ(GetDeviceFaultReportsKHR(device, 0, &count, &info), VK_INCOMPLETE);
  count = 4;
  EXPECT_EQ(GetDeviceFaultReportsKHR(device, 0, &count, &info), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_STREQ(info.description, "gone");
  EXPECT_EQ(GetDeviceFaultReportsKHR(device, 0, &count, nullptr), VK_TIMEOUT);
  EXPECT_EQ(count, 0u);
}

TEST_F(QueueTest, lossWakesWaitsForEvents) {
  auto info = vkStruct<VkEventCreateInfo>(VK_STRUCTURE_TYPE_EVENT_CREATE_INFO);
  VkEvent handle = VK_NULL_HANDLE;
  ASSERT_EQ(CreateEvent(device, &info, nullptr, &handle), VK_SUCCESS);
  Event *event = fromHandle<Event>(handle);
  std::atomic<int> outcome = -1;
  EXPECT_EQ(submit(0, {.work = {[&] {
                         outcome = event->wait();
                         return llvm::Error::success();
                       }}}),
            VK_SUCCESS);
  object().markLost("test");
  EXPECT_EQ(DeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  EXPECT_NE(outcome, 1);
  DestroyEvent(device, handle, nullptr);
}

TEST_F(QueueTest, eventsConnectHostAndQueue) {
  auto info = vkStruct<VkEventCreateInfo>(VK_STRUCTURE_TYPE_EVENT_CREATE_INFO);
  VkEvent handle = VK_NULL_HANDLE;
  ASSERT_EQ(CreateEvent(device, &info, nullptr, &handle), VK_SUCCESS);
  Event *event = fromHandle<Event>(handle);
  EXPECT_EQ(GetEventStatus(device, handle), VK_EVENT_RESET);
  Work wait = [event] {
    return event->wait() ? llvm::Error::success() : llvm::createStringError("lost");
  };
  EXPECT_EQ(submit(0, {.work = {wait, note('a')}}), VK_SUCCESS);
  EXPECT_EQ(SetEvent(device, handle), VK_SUCCESS);
  EXPECT_EQ(QueueWaitIdle(toHandle(&queue(0))), VK_SUCCESS);
  EXPECT_EQ(traced(), "a");
  EXPECT_EQ(GetEventStatus(device, handle), VK_EVENT_SET);
  EXPECT_EQ(ResetEvent(device, handle), VK_SUCCESS);
  EXPECT_EQ(GetEventStatus(device, handle), VK_EVENT_RESET);
  DestroyEvent(device, handle, nullptr);
}

TEST_F(QueueTest, queuesAreFoundByIndexAndFlags) {
  VkQueue first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  GetDeviceQueue(device, 0, 0, &first);
  auto info = vkStruct<VkDeviceQueueInfo2>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2);
  info.queueIndex = 1;
  GetDeviceQueue2(device, &info, &second);
  EXPECT_EQ(first, toHandle(&queue(0)));
  EXPECT_EQ(second, toHandle(&queue(1)));
  info.flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  GetDeviceQueue2(device, &info, &second);
  EXPECT_EQ(second, static_cast<VkQueue>(VK_NULL_HANDLE));
}

/// vkCreateDevice fails then.
TEST_F(QueueTest, theSystemGivesNoThread) {
  auto refuse = [](pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) {
    return EAGAIN;
  };
  Queue refused(*fromHandle<Device>(device), 2, 0, refuse);
  EXPECT_FALSE(refused.isRunning());
  EXPECT_TRUE(queue(0).isRunning());
}

} // namespace
