// SPDX-License-Identifier: MIT
// Shader binding tables and serialized structures that no valid usage allows: what is not in a
// table, or no handle, is no shader; what lies outside of all memory loses the device, and nothing
// else.
#include "RayScene.h"
#include <cstring>

namespace api {
namespace {

class RayDamageApi : public ApiTest {
protected:
  void SetUp() override {
    if (!hasRays(gpu) || !gpu.isKiln())
      GTEST_SKIP();
    allowsMessages = true;
    scene.emplace(gpu);
    pipeline = scene->create(scene->info());
    tables = scene->tables(pipeline);
  }
  std::optional<RayScene> scene;
  VkPipeline pipeline = VK_NULL_HANDLE;
  RayScene::Tables tables;
};
API_TESTS_ON_ALL_DEVICES(RayDamageApi);

constexpr uint32_t own = 10; // what the ray generation shader adds
constexpr uint32_t untouched = 0xeeeeeeee;

TEST_P(RayDamageApi, WhatIsNotInATableIsNoShader) {
  using Numbers = RayScene::Numbers;
  const uint64_t stride = tables.hit.stride;
  struct Row {
    const char *what;
    std::function<void(RayScene::Tables &)> damage;
    Numbers expected;
  };
  // The ray misses a box without an intersection shader.
  const Row rows[] = {
      {"no tables", [](auto &t) { t.miss = t.hit = t.callable = {}; }, {own, own, own, own}},
      {"no misses", [](auto &t) { t.miss = {}; }, {40, 50, own, 60}},
      {"an address without a size", [](auto &t) { t.hit.size = 0; }, {own, 30, 30, 60}},
      {"short of a record", [&](auto &t) { t.hit.size = stride + 31; }, {40, 30, 30, 60}},
      // The box then has the group of triangles.
      {"no stride", [](auto &t) { t.hit.stride = 0; }, {40, 30, 30, 60}},
      {"a stride beyond all", [](auto &t) { t.hit.stride = ~0ull; }, {40, 30, 30, 60}},
      {"no callables", [](auto &t) { t.callable.size = 16; }, {40, 50, 30, own}},
  };
  for (const Row &row : rows) {
    RayScene::Tables damaged = tables;
    row.damage(damaged);
    EXPECT_EQ(scene->run(pipeline, damaged), row.expected) << row.what;
  }
}

TEST_P(RayDamageApi, HandlesThatAreNoneAreNoShaders) {
  const auto bytes = reinterpret_cast<uint8_t *>(scene->records.data);
  auto damage = [&](const VkStridedDeviceAddressRegionKHR &table) {
    std::memset(bytes + (table.deviceAddress - scene->records.address), 0xcd, 32);
  };
  damage(tables.miss);
  EXPECT_EQ(scene->run(pipeline, tables), (RayScene::Numbers{40, 50, own, 60}));
  damage(tables.hit);
  EXPECT_EQ(scene->run(pipeline, tables), (RayScene::Numbers{own, 50, own, 60}));
  damage(tables.callable);
  EXPECT_EQ(scene->run(pipeline, tables), (RayScene::Numbers{own, 50, own, own}));
  damage(tables.rayGen);
  EXPECT_EQ(scene->run(pipeline, tables),
            (RayScene::Numbers{untouched, untouched, untouched, untouched}));
  // A shader of another kind than the place is for.
  scene->tables(pipeline);
  std::memcpy(bytes + (tables.miss.deviceAddress - scene->records.address),
              bytes + (tables.callable.deviceAddress - scene->records.address), 32);
  EXPECT_EQ(scene->run(pipeline, tables), (RayScene::Numbers{40, 50, own, 60}));
}

/// Each loses its device.
TEST_P(RayDamageApi, TablesOutsideOfAllMemory) {
  constexpr VkDeviceAddress nowhere = 0x123456789a00;
  for (VkStridedDeviceAddressRegionKHR RayScene::Tables::*table :
       {&RayScene::Tables::rayGen, &RayScene::Tables::miss, &RayScene::Tables::hit,
        &RayScene::Tables::callable}) {
    Gpu other(GetParam());
    RayScene lost(other);
    const VkPipeline made = lost.create(lost.info());
    RayScene::Tables damaged = lost.tables(made);
    (damaged.*table).deviceAddress = nowhere;
    EXPECT_EQ(lost.tryRun(made, [&](VkCommandBuffer c) { lost.trace(c, damaged); }),
              VK_ERROR_DEVICE_LOST);
  }
  Gpu other(GetParam());
  RayScene lost(other);
  EXPECT_EQ(lost.tryRun(lost.create(lost.info()),
                        [&](VkCommandBuffer c) { other.vk.CmdTraceRaysIndirect2KHR(c, nowhere); }),
            VK_ERROR_DEVICE_LOST);
}

/// What is deserialized stays in the structure's memory, whatever the sizes in the data say; and
/// other data than this driver's are not compatible.
TEST_P(RayDamageApi, SerializedStructures) {
  constexpr size_t sizeAt = 40, countAt = 48; // behind two UUIDs and the size of the data
  const RayScene::Structure &from = scene->triangles;
  const Buffer data = gpu.buffer(1 << 16);
  auto bytes = reinterpret_cast<uint8_t *>(data.data);
  auto copy = vkStruct<VkCopyAccelerationStructureToMemoryInfoKHR>(
      VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR);
  copy.src = from.handle;
  copy.dst.deviceAddress = data.address;
  copy.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdCopyAccelerationStructureToMemoryKHR(c, &copy);
    gpu.barrier(c);
  });
  auto version = vkStruct<VkAccelerationStructureVersionInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR);
  version.pVersionData = bytes;
  auto compatibility = [&] {
    VkAccelerationStructureCompatibilityKHR result;
    gpu.vk.GetDeviceAccelerationStructureCompatibilityKHR(gpu.device, &version, &result);
    return result;
  };
  EXPECT_EQ(compatibility(), VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR);
  for (size_t byte : {0, 15, 16, 31}) {
    bytes[byte] ^= 1;
    EXPECT_EQ(compatibility(), VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR) << byte;
    bytes[byte] ^= 1;
  }
  auto back = vkStruct<VkCopyMemoryToAccelerationStructureInfoKHR>(
      VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR);
  back.src.deviceAddress = data.address;
  back.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR;
  for (uint64_t wrong : {uint64_t(0), uint64_t(1), uint64_t(1) << 32, UINT64_MAX})
    for (size_t at : {sizeAt, countAt}) {
      uint64_t right;
      std::memcpy(&right, bytes + at, sizeof(right));
      std::memcpy(bytes + at, &wrong, sizeof(wrong));
      const RayScene::Structure to =
          scene->structure(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, from.size);
      back.dst = to.handle;
      gpu.run([&](VkCommandBuffer c) {
        gpu.vk.CmdCopyMemoryToAccelerationStructureKHR(c, &back);
        gpu.barrier(c);
      });
      std::memcpy(bytes + at, &right, sizeof(right));
    }
  EXPECT_EQ(scene->run(pipeline, tables), RayScene::expected());
}

} // namespace
} // namespace api
