// SPDX-License-Identifier: MIT
// Memory that devices and processes share: VK_KHR_external_memory_fd (opaque handles),
// VK_EXT_external_memory_dma_buf and VK_EXT_external_memory_host.
#include "Pipelines.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace api {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits opaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkExternalMemoryHandleTypeFlagBits dmaBuf =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr VkExternalMemoryHandleTypeFlagBits host =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
constexpr VkDeviceSize bytes = 64 * 1024;

/// A buffer of external memory, for transfers.
struct ExternalBuffer {
  ExternalBuffer(Gpu &gpu, VkExternalMemoryHandleTypeFlagBits types) : gpu(gpu), type(types) {
    auto external = vkStruct<VkExternalMemoryBufferCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    external.handleTypes = types;
    auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VK_OK(gpu.vk.CreateBuffer(gpu.device, &info, nullptr, &buffer));
    gpu.vk.GetBufferMemoryRequirements(gpu.device, buffer, &requirements);
  }
  ~ExternalBuffer() {
    gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
    gpu.vk.FreeMemory(gpu.device, memory, nullptr);
  }
  ExternalBuffer(const ExternalBuffer &) = delete;

  VkResult allocate(const void *next) {
    auto info = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next);
    info.allocationSize = requirements.size;
    VkPhysicalDeviceMemoryProperties properties;
    gpu.vk.GetPhysicalDeviceMemoryProperties(gpu.physicalDevice, &properties);
    while (!(requirements.memoryTypeBits >> info.memoryTypeIndex & 1) ||
           !(properties.memoryTypes[info.memoryTypeIndex].propertyFlags &
             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
      ++info.memoryTypeIndex;
    const VkResult result = gpu.vk.AllocateMemory(gpu.device, &info, nullptr, &memory);
    if (result == VK_SUCCESS)
      VK_OK(gpu.vk.BindBufferMemory(gpu.device, buffer, memory, 0));
    return result;
  }
  VkResult import(int fd) {
    auto info = vkStruct<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    info.handleType = type;
    info.fd = fd;
    return allocate(&info);
  }
  int exported() {
    auto info = vkStruct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    info.memory = memory;
    info.handleType = type;
    int fd = -1;
    VK_OK(gpu.vk.GetMemoryFdKHR(gpu.device, &info, &fd));
    EXPECT_GE(fd, 0);
    return fd;
  }
  void fill(uint32_t value) {
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdFillBuffer(c, buffer, 0, bytes, value);
      gpu.barrier(c);
    });
  }
  /// Expects words of \p value at the beginning and the end, as the device sees them.
  void expect(uint32_t value) {
    Buffer result = gpu.buffer(bytes);
    gpu.run([&](VkCommandBuffer c) {
      gpu.barrier(c);
      const VkBufferCopy all = {0, 0, bytes};
      gpu.vk.CmdCopyBuffer(c, buffer, result.handle, 1, &all);
      gpu.barrier(c);
    });
    EXPECT_EQ(result.data[0], value);
    EXPECT_EQ(result.data[bytes / 4 - 1], value);
  }

  Gpu &gpu;
  const VkExternalMemoryHandleTypeFlagBits type;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkMemoryRequirements requirements = {};
};

class ExternalMemoryApi : public ApiTest {
protected:
  bool canShare() {
    return gpu.canExecute() && gpu.hasExtension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  }
  bool canShareDmaBufs() {
    // Other software drivers list the extension whether the kernel has the device or not.
    return canShare() && gpu.hasExtension(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME) &&
           canUseDevice;
  }
  void expectTwoDevicesShare(VkExternalMemoryHandleTypeFlagBits type);
  const bool canUseDevice = access("/dev/udmabuf", R_OK | W_OK) == 0;
  static VkResult allocateToExport(ExternalBuffer &buffer) {
    auto info = vkStruct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    info.handleTypes = buffer.type;
    return buffer.allocate(&info);
  }
};
API_TESTS_ON_ALL_DEVICES(ExternalMemoryApi);

void ExternalMemoryApi::expectTwoDevicesShare(VkExternalMemoryHandleTypeFlagBits type) {
  Gpu second(GetParam());
  ExternalBuffer here(gpu, type), there(second, type);
  VK_OK(allocateToExport(here));
  VK_OK(there.import(here.exported()));
  here.fill(0x1234);
  there.expect(0x1234);
  there.fill(0x77);
  here.expect(0x77);
  // What was imported can be exported again, and outlives the first one.
  auto third = std::make_unique<ExternalBuffer>(gpu, type);
  if (gpu.isKiln()) {
    VK_OK(third->import(there.exported()));
    third->expect(0x77);
  }
}

TEST_P(ExternalMemoryApi, TwoDevicesShareMemory) {
  if (!canShare())
    GTEST_SKIP() << "no VK_KHR_external_memory_fd";
  expectTwoDevicesShare(opaque);
}

TEST_P(ExternalMemoryApi, TwoDevicesShareADmaBuf) {
  if (!canShareDmaBufs())
    GTEST_SKIP() << "no VK_EXT_external_memory_dma_buf, which needs /dev/udmabuf";
  expectTwoDevicesShare(dmaBuf);
}

// A handle is a file: it goes to other processes as files do.
TEST_P(ExternalMemoryApi, MemoryOutlivesWhoeverMadeIt) {
  if (!canShare())
    GTEST_SKIP() << "no VK_KHR_external_memory_fd";
  int fd = -1;
  {
    Gpu first(GetParam());
    ExternalBuffer made(first, opaque);
    VK_OK(allocateToExport(made));
    made.fill(0x4321);
    fd = made.exported();
  }
  ExternalBuffer here(gpu, opaque);
  VK_OK(here.import(fd));
  here.expect(0x4321);
}

TEST_P(ExternalMemoryApi, OtherFilesAreRefused) {
  if (!canShare() || !gpu.isKiln())
    GTEST_SKIP() << "what other drivers do with them is theirs";
  ExternalBuffer here(gpu, opaque);
  EXPECT_EQ(here.import(-1), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  EXPECT_EQ(here.import(null), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  close(null);
  // Whoever has it could cut it off.
  const int unsealed = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(unsealed, 1 << 20), 0);
  EXPECT_EQ(here.import(unsealed), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  // Too small.
  ASSERT_EQ(ftruncate(unsealed, 4096), 0);
  ASSERT_EQ(fcntl(unsealed, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  EXPECT_EQ(here.import(unsealed), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(close(unsealed), 0) << "it is still the caller's";
}

// Whoever has the handle maps it, as compositors and video decoders do.
TEST_P(ExternalMemoryApi, DmaBufsAreFilesToMap) {
  if (!canShareDmaBufs() || !gpu.isKiln())
    GTEST_SKIP() << "no VK_EXT_external_memory_dma_buf, which needs /dev/udmabuf";
  ExternalBuffer here(gpu, dmaBuf);
  VK_OK(allocateToExport(here));
  here.fill(0x1234);
  const int fd = here.exported();
  EXPECT_GE(lseek(fd, 0, SEEK_END), off_t(here.requirements.size));
  void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(pages, MAP_FAILED);
  auto *words = static_cast<uint32_t *>(pages);
  EXPECT_EQ(words[0], 0x1234u);
  EXPECT_EQ(words[bytes / 4 - 1], 0x1234u);
  words[0] = words[bytes / 4 - 1] = 0x99;
  here.expect(0x99);
  munmap(pages, bytes);
  // The application's own mapping of what was imported is another one, where mappings are placed.
  auto map = vkStruct<VkPhysicalDeviceMapMemoryPlacedFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT);
  Gpu placing(GetParam(), &map);
  ASSERT_TRUE(map.memoryMapPlaced);
  ExternalBuffer there(placing, dmaBuf);
  VK_OK(there.import(fd));
  there.fill(0x55);
  constexpr VkDeviceSize offset = 4096;
  for (bool isPlaced : {false, true}) {
    void *room = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto place = vkStruct<VkMemoryMapPlacedInfoEXT>(VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
    place.pPlacedAddress = room;
    auto info =
        vkStruct<VkMemoryMapInfo>(VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, isPlaced ? &place : nullptr);
    info.flags = isPlaced ? VK_MEMORY_MAP_PLACED_BIT_EXT : 0;
    info.memory = there.memory;
    info.offset = offset;
    info.size = VK_WHOLE_SIZE;
    void *data = nullptr;
    VK_OK(placing.vk.MapMemory2KHR(placing.device, &info, &data));
    EXPECT_EQ(data == room, isPlaced);
    auto *seen = static_cast<uint32_t *>(data);
    EXPECT_EQ(seen[(bytes - offset) / 4 - 1], 0x55u);
    seen[(bytes - offset) / 4 - 1] = 0x66;
    auto unmap = vkStruct<VkMemoryUnmapInfo>(VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO);
    unmap.memory = there.memory;
    VK_OK(placing.vk.UnmapMemory2KHR(placing.device, &unmap));
    Buffer result = placing.buffer(bytes);
    placing.run([&](VkCommandBuffer c) {
      const VkBufferCopy all = {0, 0, bytes};
      placing.vk.CmdCopyBuffer(c, there.buffer, result.handle, 1, &all);
      placing.barrier(c);
    });
    EXPECT_EQ(result.data[bytes / 4 - 1], 0x66u);
    there.fill(0x55);
    if (!isPlaced) // else its pages went with the mapping
      munmap(room, bytes);
  }
}

TEST_P(ExternalMemoryApi, WhatIsNoDmaBufIsRefused) {
  if (!canShare() || !gpu.isKiln())
    GTEST_SKIP() << "what other drivers do with them is theirs";
  auto properties = vkStruct<VkMemoryFdPropertiesKHR>(VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR);
  auto ask = [&](int fd, VkExternalMemoryHandleTypeFlagBits type = dmaBuf) {
    return gpu.vk.GetMemoryFdPropertiesKHR(gpu.device, type, fd, &properties);
  };
  ExternalBuffer file(gpu, opaque), here(gpu, dmaBuf);
  VK_OK(allocateToExport(file));
  const int opaqueFile = file.exported();
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {-1, null, opaqueFile}) {
    EXPECT_EQ(ask(fd), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    EXPECT_EQ(here.import(fd), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  }
  if (canShareDmaBufs()) {
    VK_OK(allocateToExport(here));
    const int fd = here.exported();
    VK_OK(ask(fd));
    EXPECT_NE(properties.memoryTypeBits & here.requirements.memoryTypeBits, 0u);
    EXPECT_EQ(ask(fd, opaque), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    ExternalBuffer other(gpu, opaque), large(gpu, dmaBuf);
    EXPECT_EQ(other.import(fd), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    large.requirements.size += bytes; // more than the handle has
    EXPECT_EQ(large.import(fd), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    EXPECT_EQ(close(fd), 0) << "it is still the caller's";
  }
  close(opaqueFile);
  close(null);
}

TEST_P(ExternalMemoryApi, DeviceWorksOnPagesOfTheApplication) {
  if (!gpu.canExecute() || !gpu.hasExtension(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_external_memory_host";
  auto limits = vkStruct<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT);
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  ASSERT_EQ(bytes % limits.minImportedHostPointerAlignment, 0u);
  ExternalBuffer buffer(gpu, host);
  ASSERT_LE(buffer.requirements.size, bytes);
  std::unique_ptr<uint32_t, void (*)(void *)> pages(
      static_cast<uint32_t *>(std::aligned_alloc(bytes, bytes)), std::free);
  auto info = vkStruct<VkImportMemoryHostPointerInfoEXT>(
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  info.handleType = host;
  info.pHostPointer = pages.get();
  auto types = vkStruct<VkMemoryHostPointerPropertiesEXT>(
      VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT);
  VK_OK(gpu.vk.GetMemoryHostPointerPropertiesEXT(gpu.device, host, pages.get(), &types));
  EXPECT_NE(types.memoryTypeBits & buffer.requirements.memoryTypeBits, 0u);
  VK_OK(buffer.allocate(&info));
  buffer.fill(0x55);
  EXPECT_EQ(pages.get()[0], 0x55u);
  EXPECT_EQ(pages.get()[bytes / 4 - 1], 0x55u);
  pages.get()[0] = pages.get()[bytes / 4 - 1] = 0x66;
  buffer.expect(0x66);
}

TEST_P(ExternalMemoryApi, WhatCanBeShared) {
  if (!canShare())
    GTEST_SKIP() << "no VK_KHR_external_memory_fd";
  auto ask = [&](VkExternalMemoryHandleTypeFlagBits type) {
    auto info = vkStruct<VkPhysicalDeviceExternalBufferInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
    info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    info.handleType = type;
    auto answer =
        vkStruct<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
    gpu.vk.GetPhysicalDeviceExternalBufferProperties(gpu.physicalDevice, &info, &answer);
    return answer.externalMemoryProperties;
  };
  const VkExternalMemoryProperties files = ask(opaque);
  EXPECT_EQ(files.externalMemoryFeatures & (VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
                                            VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT),
            VkFlags(VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT |
                    VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT));
  EXPECT_TRUE(files.compatibleHandleTypes & opaque);
  EXPECT_EQ(ask(VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT).externalMemoryFeatures, 0u);
  if (!gpu.isKiln())
    return;
  EXPECT_EQ(gpu.hasExtension(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME), canUseDevice);
  const VkExternalMemoryProperties dmaBufs = ask(dmaBuf);
  EXPECT_EQ(dmaBufs.externalMemoryFeatures, canShareDmaBufs() ? files.externalMemoryFeatures : 0u);
  EXPECT_EQ(files.compatibleHandleTypes,
            canShareDmaBufs() ? VkFlags(opaque | dmaBuf) : VkFlags(opaque));
  EXPECT_EQ(dmaBufs.exportFromImportedHandleTypes, canShareDmaBufs() ? VkFlags(dmaBuf) : 0u);
}

} // namespace
} // namespace api
