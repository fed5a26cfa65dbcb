// SPDX-License-Identifier: MIT
// VK_EXT_map_memory_placed: memory at addresses of the application's choice, and addresses that
// stay reserved when it is gone from there.
#include "Pipelines.h"
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace api {
namespace {

/// A range of addresses that nobody else uses.
class Reserved {
public:
  explicit Reserved(size_t bytes) : bytes(bytes) {
    data = static_cast<uint8_t *>(
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    EXPECT_NE(data, MAP_FAILED);
  }
  ~Reserved() { munmap(data, bytes); }
  Reserved(const Reserved &) = delete;
  uint8_t *data;
  const size_t bytes;
};

/// Is something mapped there?
bool isTaken(void *page) {
  const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *mapped = mmap(page, bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == MAP_FAILED)
    return true;
  munmap(mapped, bytes);
  return mapped != page; // kernels that do not know the flag
}

class PlacedMapApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME) || !gpu.canExecute())
      GTEST_SKIP() << "no VK_EXT_map_memory_placed";
    features = vkStruct<VkPhysicalDeviceMapMemoryPlacedFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT);
    device.emplace(GetParam(), &features); // enables what there is of them
    ASSERT_TRUE(features.memoryMapPlaced);
    auto limits = vkStruct<VkPhysicalDeviceMapMemoryPlacedPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT);
    auto properties = vkStruct<VkPhysicalDeviceProperties2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits);
    gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
    page = limits.minPlacedMemoryMapAlignment;
    ASSERT_GE(page, 4096u);
    ASSERT_EQ(page & (page - 1), 0u);
    bytes = 4 * page;
    makeBuffer();
  }
  void TearDown() override {
    if (!device)
      return;
    device->vk.DestroyBuffer(device->device, buffer, nullptr);
    device->vk.FreeMemory(device->device, memory, nullptr);
    EXPECT_EQ(device->validationMessages, 0u);
  }
  void makeBuffer() {
    auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VK_OK(device->vk.CreateBuffer(device->device, &info, nullptr, &buffer));
    memory = allocate();
    VK_OK(device->vk.BindBufferMemory(device->device, buffer, memory, 0));
  }
  VkDeviceMemory allocate(const void *next = nullptr, Gpu *on = nullptr) {
    Gpu &owner = on ? *on : *device;
    VkMemoryRequirements requirements;
    device->vk.GetBufferMemoryRequirements(device->device, buffer, &requirements);
    auto info = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next);
    info.allocationSize = (requirements.size + page - 1) / page * page;
    VkPhysicalDeviceMemoryProperties types;
    owner.vk.GetPhysicalDeviceMemoryProperties(owner.physicalDevice, &types);
    while (!(requirements.memoryTypeBits >> info.memoryTypeIndex & 1) ||
           !(types.memoryTypes[info.memoryTypeIndex].propertyFlags &
             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
      ++info.memoryTypeIndex;
    VkDeviceMemory made = VK_NULL_HANDLE;
    VK_OK(owner.vk.AllocateMemory(owner.device, &info, nullptr, &made));
    return made;
  }

  struct Place {
    void *address = nullptr;
    VkDeviceSize offset = 0, size = VK_WHOLE_SIZE;
  };
  VkResult mapAt(const Place &place, void **data, VkDeviceMemory of = VK_NULL_HANDLE) {
    auto placed = vkStruct<VkMemoryMapPlacedInfoEXT>(VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
    placed.pPlacedAddress = place.address;
    auto info = vkStruct<VkMemoryMapInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, &placed);
    info.flags = VK_MEMORY_MAP_PLACED_BIT_EXT;
    info.memory = of ? of : memory;
    info.offset = place.offset;
    info.size = place.size;
    return device->vk.MapMemory2KHR(device->device, &info, data);
  }
  VkResult unmap(VkMemoryUnmapFlags flags = 0) {
    auto info = vkStruct<VkMemoryUnmapInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR);
    info.flags = flags;
    info.memory = memory;
    return device->vk.UnmapMemory2KHR(device->device, &info);
  }
  /// By the device.
  void fill(uint32_t value, VkDeviceSize offset, VkDeviceSize size) {
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdFillBuffer(c, buffer, offset, size, value);
      device->barrier(c);
    });
  }
  /// As the device sees it.
  uint32_t word(VkDeviceSize offset) {
    Buffer result = device->buffer(4);
    device->run([&](VkCommandBuffer c) {
      device->barrier(c);
      const VkBufferCopy one = {offset, 0, 4};
      device->vk.CmdCopyBuffer(c, buffer, result.handle, 1, &one);
      device->barrier(c);
    });
    return result.data[0];
  }
  static uint32_t &at(void *data, VkDeviceSize offset) {
    return *reinterpret_cast<uint32_t *>(static_cast<uint8_t *>(data) + offset);
  }

  VkPhysicalDeviceMapMemoryPlacedFeaturesEXT features = {};
  std::optional<Gpu> device;
  VkDeviceSize page = 0, bytes = 0;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(PlacedMapApi);

TEST_P(PlacedMapApi, MemoryIsWhereItIsPlaced) {
  Reserved range(bytes + 2 * page);
  void *wanted = range.data + page, *data = nullptr;
  for (uint32_t round = 1; round < 3; ++round) {
    VK_OK(mapAt({wanted}, &data));
    ASSERT_EQ(data, wanted);
    fill(round, 0, bytes);
    EXPECT_EQ(at(data, 0), round);
    EXPECT_EQ(at(data, bytes - 4), round);
    at(data, page + 8) = 100 + round;
    EXPECT_EQ(word(page + 8), 100 + round);
    // Elsewhere, later.
    VK_OK(unmap());
    wanted = range.data;
  }
  // What was there, it has replaced; so nothing is there now.
  EXPECT_FALSE(isTaken(range.data));
  // Where the system puts it, there is the same.
  VK_OK(device->vk.MapMemory(device->device, memory, page, page, 0, &data));
  EXPECT_EQ(at(data, 8), 102u);
}

TEST_P(PlacedMapApi, PartsOfMemory) {
  if (!features.memoryMapRangePlaced)
    GTEST_SKIP() << "no memoryMapRangePlaced";
  Reserved range(bytes);
  fill(1, 0, bytes);
  fill(2, 2 * page, page);
  void *data = nullptr;
  VK_OK(mapAt({range.data + page, 2 * page, page}, &data));
  ASSERT_EQ(data, range.data + page);
  EXPECT_EQ(at(data, 0), 2u);
  EXPECT_EQ(at(data, page - 4), 2u);
  at(data, 4) = 3;
  EXPECT_EQ(word(2 * page + 4), 3u);
  EXPECT_EQ(word(4), 1u);
  VK_OK(unmap());
  VK_OK(mapAt({range.data, page}, &data)); // to the end
  EXPECT_EQ(at(data, 0), 1u);
  EXPECT_EQ(at(data, page + 4), 3u);
  VK_OK(unmap());
}

TEST_P(PlacedMapApi, AddressesStayReserved) {
  if (!features.memoryUnmapReserve)
    GTEST_SKIP() << "no memoryUnmapReserve";
  Reserved range(bytes);
  void *data = nullptr;
  VK_OK(mapAt({range.data}, &data));
  at(data, 0) = 7;
  VK_OK(unmap(VK_MEMORY_UNMAP_RESERVE_BIT_EXT));
  EXPECT_TRUE(isTaken(range.data));
  EXPECT_TRUE(isTaken(range.data + bytes - page));
  VK_OK(mapAt({range.data}, &data));
  EXPECT_EQ(at(data, 0), 7u);
  VK_OK(unmap());
  EXPECT_FALSE(isTaken(range.data));
  // Memory that the driver has put somewhere leaves its addresses to the application, too.
  VK_OK(device->vk.MapMemory(device->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
  VK_OK(unmap(VK_MEMORY_UNMAP_RESERVE_BIT_EXT));
  EXPECT_TRUE(isTaken(data));
  ASSERT_EQ(munmap(data, bytes), 0);
  EXPECT_EQ(word(0), 7u);
  fill(8, 0, bytes);
  VK_OK(mapAt({range.data}, &data));
  EXPECT_EQ(at(data, 0), 8u);
  VK_OK(unmap());
}

TEST_P(PlacedMapApi, FreedMemoryIsMappedNoMore) {
  Reserved range(bytes);
  VkDeviceMemory other = allocate();
  void *data = nullptr;
  VK_OK(mapAt({range.data}, &data, other));
  EXPECT_TRUE(isTaken(range.data));
  device->vk.FreeMemory(device->device, other, nullptr);
  EXPECT_FALSE(isTaken(range.data));
}

TEST_P(PlacedMapApi, ExportedMemoryIsPlacedToo) {
  if (!device->hasExtension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP() << "no VK_KHR_external_memory_fd";
  auto types = vkStruct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  types.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkDeviceMemory exported = allocate(&types);
  auto get = vkStruct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
  get.memory = exported;
  get.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  auto import = vkStruct<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  import.handleType = get.handleType;
  VK_OK(device->vk.GetMemoryFdKHR(device->device, &get, &import.fd));
  VkDeviceMemory imported = allocate(&import);
  Reserved first(bytes), second(bytes);
  void *here = nullptr, *there = nullptr;
  VK_OK(mapAt({first.data}, &here, exported));
  VK_OK(mapAt({second.data}, &there, imported));
  at(here, 12) = 9;
  EXPECT_EQ(at(there, 12), 9u);
  device->vk.FreeMemory(device->device, exported, nullptr);
  EXPECT_EQ(at(there, 12), 9u);
  device->vk.FreeMemory(device->device, imported, nullptr);
}

// Not valid usage, of which a program that takes addresses from elsewhere may be guilty.
TEST_P(PlacedMapApi, WhatCannotBePlaced) {
  if (!gpu.isKiln() || device->validationMessages)
    GTEST_SKIP() << "what other drivers do is theirs";
  Reserved range(bytes);
  void *data = nullptr;
  auto *high = reinterpret_cast<uint8_t *>(~uintptr_t(0) - page + 1);
  const Place wrong[] = {{nullptr},
                         {range.data + 1},
                         {range.data + page / 2},
                         {high},
                         {range.data, page / 2},
                         {range.data, bytes},
                         {range.data, ~VkDeviceSize(0) - page + 1},
                         {range.data, 0, bytes + page},
                         {range.data, page, ~VkDeviceSize(0) - page + 1},
                         {range.data, 0, 0}};
  for (const Place &place : wrong)
    EXPECT_EQ(mapAt(place, &data), VK_ERROR_MEMORY_MAP_FAILED) << place.address;
  auto bare = vkStruct<VkMemoryMapInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR);
  bare.flags = VK_MEMORY_MAP_PLACED_BIT_EXT;
  bare.memory = memory;
  bare.size = VK_WHOLE_SIZE;
  EXPECT_EQ(device->vk.MapMemory2KHR(device->device, &bare, &data), VK_ERROR_MEMORY_MAP_FAILED);
  EXPECT_EQ(unmap(VK_MEMORY_UNMAP_RESERVE_BIT_EXT), VK_ERROR_MEMORY_MAP_FAILED) << "not mapped";
  EXPECT_TRUE(isTaken(range.data)) << "it was left alone";
  VK_OK(mapAt({range.data}, &data));
  EXPECT_EQ(mapAt({range.data}, &data), VK_ERROR_MEMORY_MAP_FAILED) << "mapped already";
  VK_OK(unmap());

  // Pages of the application stay where they are.
  auto pages = vkStruct<VkImportMemoryHostPointerInfoEXT>(
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  Reserved own(bytes + 64 * 1024);
  ASSERT_EQ(mprotect(own.data, own.bytes, PROT_READ | PROT_WRITE), 0);
  pages.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  pages.pHostPointer = own.data;
  VkDeviceMemory imported = allocate(&pages);
  EXPECT_EQ(mapAt({range.data}, &data, imported), VK_ERROR_MEMORY_MAP_FAILED);
  device->vk.FreeMemory(device->device, imported, nullptr);

  // The feature is not enabled.
  bare.memory = allocate(nullptr, &gpu);
  auto placed = vkStruct<VkMemoryMapPlacedInfoEXT>(VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
  placed.pPlacedAddress = range.data;
  bare.pNext = &placed;
  EXPECT_EQ(gpu.vk.MapMemory2KHR(gpu.device, &bare, &data), VK_ERROR_MEMORY_MAP_FAILED);
  gpu.vk.FreeMemory(gpu.device, bare.memory, nullptr);
}

} // namespace
} // namespace api
