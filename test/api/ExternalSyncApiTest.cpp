// SPDX-License-Identifier: MIT
// Semaphores and fences that devices and processes share: VK_KHR_external_semaphore_fd and
// VK_KHR_external_fence_fd.
#include "Pipelines.h"
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace api {
namespace {

constexpr VkExternalSemaphoreHandleTypeFlagBits opaque =
    VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkExternalSemaphoreHandleTypeFlagBits syncFile =
    VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
constexpr VkExternalFenceHandleTypeFlagBits opaqueFence =
    VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkExternalFenceHandleTypeFlagBits syncFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
constexpr uint64_t second = 1'000'000'000;

/// A semaphore that may be exported.
struct SharedSemaphore {
  SharedSemaphore(Gpu &gpu, bool isTimeline, VkExternalSemaphoreHandleTypeFlags types = opaque)
      : gpu(gpu) {
    auto exports =
        vkStruct<VkExportSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    exports.handleTypes = types;
    auto type =
        vkStruct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, &exports);
    type.semaphoreType = isTimeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
    auto info = vkStruct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type);
    VK_OK(gpu.vk.CreateSemaphore(gpu.device, &info, nullptr, &handle));
  }
  ~SharedSemaphore() { gpu.vk.DestroySemaphore(gpu.device, handle, nullptr); }
  SharedSemaphore(const SharedSemaphore &) = delete;

  int exported(VkExternalSemaphoreHandleTypeFlagBits type = opaque) {
    auto info = vkStruct<VkSemaphoreGetFdInfoKHR>(VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
    info.semaphore = handle;
    info.handleType = type;
    int fd = -2;
    VK_OK(gpu.vk.GetSemaphoreFdKHR(gpu.device, &info, &fd));
    return fd;
  }
  VkResult import(int fd, VkExternalSemaphoreHandleTypeFlagBits type = opaque,
                  VkSemaphoreImportFlags flags = 0) {
    auto info =
        vkStruct<VkImportSemaphoreFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR);
    info.semaphore = handle;
    info.handleType = type;
    info.flags = flags;
    info.fd = fd;
    return gpu.vk.ImportSemaphoreFdKHR(gpu.device, &info);
  }
  uint64_t value() {
    uint64_t value = 0;
    VK_OK(gpu.vk.GetSemaphoreCounterValue(gpu.device, handle, &value));
    return value;
  }

  Gpu &gpu;
  VkSemaphore handle = VK_NULL_HANDLE;
};

class ExternalSyncApi : public ApiTest {
protected:
  bool canShare() {
    return gpu.canExecute() && gpu.hasExtension(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME) &&
           gpu.hasExtension(VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME);
  }
  /// Signals the one and waits for the other, on the device's queue.
  static void submit(Gpu &gpu, VkSemaphore wait, VkSemaphore signal, VkFence fence) {
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    auto info = vkStruct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.waitSemaphoreCount = wait ? 1 : 0;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &stages;
    info.signalSemaphoreCount = signal ? 1 : 0;
    info.pSignalSemaphores = &signal;
    VK_OK(gpu.vk.QueueSubmit(gpu.queue, 1, &info, fence));
  }
  VkFence newFence(Gpu &of, VkExternalFenceHandleTypeFlags types) {
    auto exports = vkStruct<VkExportFenceCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
    exports.handleTypes = types;
    auto info = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, &exports);
    VkFence fence = VK_NULL_HANDLE;
    VK_OK(of.vk.CreateFence(of.device, &info, nullptr, &fence));
    return fence;
  }
  static int exported(Gpu &of, VkFence fence, VkExternalFenceHandleTypeFlagBits type) {
    auto info = vkStruct<VkFenceGetFdInfoKHR>(VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR);
    info.fence = fence;
    info.handleType = type;
    int fd = -2;
    VK_OK(of.vk.GetFenceFdKHR(of.device, &info, &fd));
    return fd;
  }
  static VkResult import(Gpu &to, VkFence fence, int fd, VkExternalFenceHandleTypeFlagBits type) {
    auto info = vkStruct<VkImportFenceFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR);
    info.fence = fence;
    info.handleType = type;
    info.flags = type == syncFence ? VK_FENCE_IMPORT_TEMPORARY_BIT : 0;
    info.fd = fd;
    return to.vk.ImportFenceFdKHR(to.device, &info);
  }
};
API_TESTS_ON_ALL_DEVICES(ExternalSyncApi);

TEST_P(ExternalSyncApi, TwoDevicesShareSemaphores) {
  if (!canShare())
    GTEST_SKIP() << "no semaphores and fences by file descriptor";
  Gpu other(GetParam());
  SharedSemaphore here(gpu, false), there(other, false);
  VK_OK(there.import(here.exported()));
  const VkFence fence = newFence(other, 0);
  submit(other, there.handle, VK_NULL_HANDLE, fence); // before it is signaled
  EXPECT_EQ(other.vk.WaitForFences(other.device, 1, &fence, VK_TRUE, second / 50), VK_TIMEOUT);
  submit(gpu, VK_NULL_HANDLE, here.handle, VK_NULL_HANDLE);
  VK_OK(other.vk.WaitForFences(other.device, 1, &fence, VK_TRUE, 60 * second));
  VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
  other.vk.DestroyFence(other.device, fence, nullptr);

  SharedSemaphore first(gpu, true), last(other, true);
  VK_OK(last.import(first.exported()));
  std::thread signals([&] {
    auto info = vkStruct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
    info.semaphore = first.handle;
    info.value = 1ull << 40;
    VK_OK(gpu.vk.SignalSemaphore(gpu.device, &info));
  });
  auto wait = vkStruct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  const uint64_t wanted = 1ull << 40;
  wait.semaphoreCount = 1;
  wait.pSemaphores = &last.handle;
  wait.pValues = &wanted;
  VK_OK(other.vk.WaitSemaphores(other.device, &wait, 60 * second));
  signals.join();
  EXPECT_EQ(last.value(), 1ull << 40);
}

TEST_P(ExternalSyncApi, TwoDevicesShareFences) {
  if (!canShare())
    GTEST_SKIP() << "no semaphores and fences by file descriptor";
  Gpu other(GetParam());
  const VkFence here = newFence(gpu, opaqueFence), there = newFence(other, opaqueFence);
  VK_OK(import(other, there, exported(gpu, here, opaqueFence), opaqueFence));
  EXPECT_EQ(other.vk.GetFenceStatus(other.device, there), VK_NOT_READY);
  submit(gpu, VK_NULL_HANDLE, VK_NULL_HANDLE, here);
  VK_OK(other.vk.WaitForFences(other.device, 1, &there, VK_TRUE, 60 * second));
  VK_OK(gpu.vk.WaitForFences(gpu.device, 1, &here, VK_TRUE, 60 * second));
  VK_OK(other.vk.ResetFences(other.device, 1, &there));
  EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, here), VK_NOT_READY);
  gpu.vk.DestroyFence(gpu.device, here, nullptr);
  other.vk.DestroyFence(other.device, there, nullptr);
}

// A copy of what is pending or signaled; whoever has it waits once.
TEST_P(ExternalSyncApi, SyncFiles) {
  if (!canShare() || !gpu.isKiln())
    GTEST_SKIP() << "the files of other drivers are the kernel's";
  SharedSemaphore from(gpu, false, syncFile), to(gpu, false, opaque);
  submit(gpu, VK_NULL_HANDLE, from.handle, VK_NULL_HANDLE);
  EXPECT_EQ(from.exported(syncFile), -1) << "signaled by then";
  VK_OK(to.import(-1, syncFile, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
  const VkFence fence = newFence(gpu, 0);
  submit(gpu, to.handle, from.handle, fence); // can be signaled again: the export was a wait
  VK_OK(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, 60 * second));
  VK_OK(gpu.vk.ResetFences(gpu.device, 1, &fence));

  // A file that others make readable: a queue and the host wait for it.
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  VK_OK(to.import(fcntl(ends[0], F_DUPFD_CLOEXEC, 0), syncFile, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
  submit(gpu, to.handle, VK_NULL_HANDLE, fence);
  // With the submission, the semaphore is what it was: others may signal and wait for it.
  auto signal = vkStruct<VkSemaphoreGetFdInfoKHR>(VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
  signal.semaphore = to.handle;
  signal.handleType = opaque;
  int shared = -1;
  VK_OK(gpu.vk.GetSemaphoreFdKHR(gpu.device, &signal, &shared));
  EXPECT_EQ(close(shared), 0);
  const VkFence imported = newFence(gpu, 0);
  VK_OK(import(gpu, imported, fcntl(ends[0], F_DUPFD_CLOEXEC, 0), syncFence));
  EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, imported), VK_NOT_READY);
  EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, second / 50), VK_TIMEOUT);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  const VkFence both[] = {fence, imported};
  VK_OK(gpu.vk.WaitForFences(gpu.device, 2, both, VK_TRUE, 60 * second));
  // What was there before comes back.
  VK_OK(gpu.vk.ResetFences(gpu.device, 1, &imported));
  EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, imported), VK_NOT_READY);
  close(ends[0]);
  close(ends[1]);
  for (VkFence each : both)
    gpu.vk.DestroyFence(gpu.device, each, nullptr);
}

TEST_P(ExternalSyncApi, TemporaryPayloadsGoWithTheWait) {
  if (!canShare())
    GTEST_SKIP() << "no semaphores and fences by file descriptor";
  SharedSemaphore from(gpu, false), to(gpu, false);
  VK_OK(to.import(from.exported(), opaque, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
  submit(gpu, VK_NULL_HANDLE, to.handle, VK_NULL_HANDLE);
  submit(gpu, to.handle, VK_NULL_HANDLE, VK_NULL_HANDLE);
  // It is alone again.
  submit(gpu, VK_NULL_HANDLE, to.handle, VK_NULL_HANDLE);
  const VkFence fence = newFence(gpu, 0);
  submit(gpu, to.handle, VK_NULL_HANDLE, fence);
  VK_OK(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, 60 * second));
  gpu.vk.DestroyFence(gpu.device, fence, nullptr);
}

TEST_P(ExternalSyncApi, OtherFilesAreRefused) {
  if (!canShare() || !gpu.isKiln())
    GTEST_SKIP() << "what other drivers do with them is theirs";
  SharedSemaphore binary(gpu, false), timeline(gpu, true);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  EXPECT_EQ(binary.import(null), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  close(null);
  EXPECT_EQ(binary.import(-1), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  // No sync files: not open, not the kernel's.
  constexpr VkSemaphoreImportFlags temporary = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
  EXPECT_EQ(binary.import(900, syncFile, temporary), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  const int file = open("/dev/zero", O_RDWR | O_CLOEXEC);
  EXPECT_EQ(binary.import(file, syncFile, temporary), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(close(file), 0);
  // Another kind of object; the descriptor is still the caller's.
  const int other = timeline.exported();
  EXPECT_EQ(binary.import(other), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  const VkFence fence = newFence(gpu, opaqueFence);
  EXPECT_EQ(import(gpu, fence, other, opaqueFence), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(close(other), 0);
  gpu.vk.DestroyFence(gpu.device, fence, nullptr);
}

TEST_P(ExternalSyncApi, WhatCanBeShared) {
  if (!canShare() || !gpu.isKiln())
    GTEST_SKIP() << "no semaphores and fences by file descriptor";
  auto type = vkStruct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  auto featuresOf = [&](VkExternalSemaphoreHandleTypeFlagBits handle, VkSemaphoreType of) {
    type.semaphoreType = of;
    auto info = vkStruct<VkPhysicalDeviceExternalSemaphoreInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, &type);
    info.handleType = handle;
    auto answer =
        vkStruct<VkExternalSemaphoreProperties>(VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES);
    gpu.vk.GetPhysicalDeviceExternalSemaphoreProperties(gpu.physicalDevice, &info, &answer);
    EXPECT_EQ(answer.compatibleHandleTypes != 0, answer.externalSemaphoreFeatures != 0);
    return answer.externalSemaphoreFeatures;
  };
  EXPECT_NE(featuresOf(opaque, VK_SEMAPHORE_TYPE_BINARY), 0u);
  EXPECT_NE(featuresOf(opaque, VK_SEMAPHORE_TYPE_TIMELINE), 0u);
  EXPECT_NE(featuresOf(syncFile, VK_SEMAPHORE_TYPE_BINARY), 0u);
  EXPECT_EQ(featuresOf(syncFile, VK_SEMAPHORE_TYPE_TIMELINE), 0u);
  EXPECT_EQ(
      featuresOf(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT, VK_SEMAPHORE_TYPE_BINARY), 0u);
  auto info = vkStruct<VkPhysicalDeviceExternalFenceInfo>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO);
  info.handleType = syncFence;
  auto answer = vkStruct<VkExternalFenceProperties>(VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES);
  gpu.vk.GetPhysicalDeviceExternalFenceProperties(gpu.physicalDevice, &info, &answer);
  EXPECT_EQ(answer.externalFenceFeatures, VkFlags(VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT));
}

} // namespace
} // namespace api
