//===- CopyTest.cpp - copies and updates of acceleration structures -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/StructureForTest.h"
#include <algorithm>
#include <random>

using namespace icd;
using namespace lgc::accel;

namespace {

class CopyTest : public EachStructureTest {
protected:
  VkAccelerationStructureKHR triangles(uint32_t count) {
    return build({trianglesOf(scattered(count))}, {{count, 0, 0, 0}});
  }

  uint64_t property(VkAccelerationStructureKHR structure, VkQueryType type) {
    auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = type;
    info.queryCount = 2;
    VkQueryPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    run([&] {
      CmdResetQueryPool(commands, pool, 0, 2);
      CmdWriteAccelerationStructuresPropertiesKHR(commands, 1, &structure, type, pool, 1);
    });
    uint64_t results[2] = {77, 77};
    EXPECT_EQ(GetQueryPoolResults(device, pool, 0, 2, sizeof(results), results, sizeof(uint64_t),
                                  VK_QUERY_RESULT_64_BIT),
              VK_NOT_READY);
    EXPECT_EQ(results[0], 77u);
    DestroyQueryPool(device, pool, nullptr);
    return results[1];
  }

  VkAccelerationStructureKHR copy(VkAccelerationStructureKHR from, uint64_t size,
                                  VkCopyAccelerationStructureModeKHR mode) {
    auto info = vkStruct<VkCopyAccelerationStructureInfoKHR>(
        VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR);
    info.src = from;
    info.dst = makeStructure(size);
    info.mode = mode;
    run([&] { CmdCopyAccelerationStructureKHR(commands, &info); });
    return info.dst;
  }

  void serializeTo(VkAccelerationStructureKHR from, VkDeviceAddress to) {
    auto info = vkStruct<VkCopyAccelerationStructureToMemoryInfoKHR>(
        VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR);
    info.src = from;
    info.dst.deviceAddress = to;
    info.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR;
    run([&] { CmdCopyAccelerationStructureToMemoryKHR(commands, &info); });
  }

  Memory serialized(VkAccelerationStructureKHR from, uint64_t size) {
    const Memory memory = allocateMemory(size);
    serializeTo(from, memory.address);
    return memory;
  }

  VkAccelerationStructureKHR deserialized(const Memory &memory, uint64_t size) {
    auto info = vkStruct<VkCopyMemoryToAccelerationStructureInfoKHR>(
        VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR);
    info.src.deviceAddress = memory.address;
    info.dst = makeStructure(size);
    info.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR;
    run([&] { CmdCopyMemoryToAccelerationStructureKHR(commands, &info); });
    return info.dst;
  }
};

KILN_EACH_STRUCTURE(CopyTest);

TEST_P(CopyTest, CompactedHasTheSameLeaves) {
  for (uint32_t count : {0, 1, 7, 500}) {
    VkAccelerationStructureKHR built = triangles(count);
    const uint64_t compacted =
        property(built, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR);
    const uint64_t size = property(built, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR);
    EXPECT_LE(compacted, size);
    if (count == 500) {
      EXPECT_LT(compacted, size);
    }
    VkAccelerationStructureKHR small =
        copy(built, compacted, VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR);
    EXPECT_EQ(read(small).leaves(), read(built).leaves());
    EXPECT_EQ(property(small, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR), compacted);
    VkAccelerationStructureKHR clone =
        copy(small, compacted, VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR);
    EXPECT_EQ(read(clone).leaves(), read(built).leaves());
  }
}

TEST_P(CopyTest, SerializedBottomLevel) {
  VkAccelerationStructureKHR built = triangles(50);
  const uint64_t size =
      property(built, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR);
  const Memory memory = serialized(built, size);
  const StructureReader serial(memory.host, size);
  EXPECT_EQ(serial.at<uint64_t>(32), size);
  const auto structureSize = serial.at<uint64_t>(40);
  EXPECT_LE(structureSize, fromHandle<AccelerationStructure>(built)->size);
  EXPECT_EQ(serial.at<uint64_t>(48), 0u);
  // Neither layout is compatible with the other.
  EXPECT_EQ(serial.at(VK_UUID_SIZE), read(built).isWide() ? wideMagic : structureMagic);
  EXPECT_EQ(
      std::memcmp(memory.host, object().physicalDevice().properties().driverUUID, VK_UUID_SIZE), 0);
  auto version = vkStruct<VkAccelerationStructureVersionInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR);
  version.pVersionData = memory.host;
  VkAccelerationStructureCompatibilityKHR compatibility;
  GetDeviceAccelerationStructureCompatibilityKHR(device, &version, &compatibility);
  EXPECT_EQ(compatibility, VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR);
  EXPECT_EQ(read(deserialized(memory, structureSize)).leaves(), read(built).leaves());
  memory.host[VK_UUID_SIZE] ^= 1;
  GetDeviceAccelerationStructureCompatibilityKHR(device, &version, &compatibility);
  EXPECT_EQ(compatibility, VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR);
}

TEST_P(CopyTest, SerializedInstancesGetNewAddresses) {
  const auto first = instanceOf(triangles(1)), second = instanceOf(triangles(2));
  const auto none = instanceOf(VK_NULL_HANDLE);
  VkAccelerationStructureKHR top = build({instancesOf({first, none, second})}, {{3, 0, 0, 0}});
  EXPECT_EQ(
      property(top, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR),
      3u);
  const Memory memory =
      serialized(top, property(top, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR));
  std::array<uint64_t, 3> handles;
  std::memcpy(handles.data(), memory.host + 56, sizeof(handles));
  EXPECT_EQ(handles, (std::array<uint64_t, 3>{first.accelerationStructureReference, 0,
                                              second.accelerationStructureReference}));
  std::swap(handles[0], handles[2]);
  std::memcpy(memory.host + 56, handles.data(), sizeof(handles));
  const auto reader = read(deserialized(memory, StructureReader(memory.host, 56).at<uint64_t>(40)));
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), 2u);
  EXPECT_EQ(reader.baseOf(leaves.at(0)), second.accelerationStructureReference);
  EXPECT_EQ(reader.baseOf(leaves.at(2)), first.accelerationStructureReference);
}

TEST_P(CopyTest, UpdatesMoveAllBoxes) {
  constexpr uint32_t count = 200;
  VkAccelerationStructureKHR built = triangles(count);
  std::vector<float> moved = scattered(count, 9);
  for (float &value : moved)
    value = value * 3 + 100;
  VkAccelerationStructureKHR updated = build({trianglesOf(moved)}, {{count, 0, 0, 0}}, built);
  const auto reader = read(updated);
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), count);
  for (auto [leaf, offset] : leaves)
    for (unsigned i = 0; i < 9; ++i)
      EXPECT_EQ(reader.floatOf(offset, i), moved[9 * leaf + i]);
  EXPECT_GT(reader.at<float>(headerBounds), 50);
  EXPECT_EQ(read(built).leaves().size(), count); // untouched
}

TEST_P(CopyTest, Instances) {
  auto instance = instanceOf(triangles(3));
  const float matrix[12] = {0, -2, 0, 5, 4, 0, 0, 6, 0, 0, 1, 7};
  std::memcpy(instance.transform.matrix, matrix, sizeof(matrix));
  instance.instanceCustomIndex = 0xABCDEF;
  instance.mask = 0x5A;
  instance.instanceShaderBindingTableRecordOffset = 0x123456;
  instance.flags =
      VK_GEOMETRY_INSTANCE_TRIANGLE_FLIP_FACING_BIT_KHR | VK_GEOMETRY_INSTANCE_FORCE_OPAQUE_BIT_KHR;
  auto other = instanceOf(triangles(0)); // has nothing to hit
  auto garbage = instance;
  garbage.accelerationStructureReference = memoryOf<uint32_t>(std::vector<uint32_t>(64)).address;
  const Memory words = memoryOf<VkAccelerationStructureInstanceKHR>({instance, other, garbage});
  VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_INSTANCES_KHR);
  geometry.geometry.instances.arrayOfPointers = VK_TRUE;
  geometry.geometry.instances.data.deviceAddress =
      memoryOf<uint64_t>({words.address + 64, words.address + 128, words.address}).address;
  const auto reader = read(build({geometry}, {{3, 0, 0, 0}}));
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), 1u);
  const uint64_t node = leaves.at(2);
  EXPECT_EQ(reader.baseOf(node), instance.accelerationStructureReference);
  const uint32_t flags =
      0x123456u | instanceFlipFacing | instanceForceOpaque | instanceNotForcedNonOpaque;
  if (reader.isWide()) {
    EXPECT_EQ(reader.at(node + wideInstanceCustomIndex), 0xABCDEFu);
    EXPECT_EQ(reader.at(node + wideInstanceUser), 0x5A123456u);
  } else {
    EXPECT_EQ(reader.at(node + instanceCustomIndex), 0x5AABCDEFu);
  }
  EXPECT_EQ(reader.at(node + (reader.isWide() ? wideInstanceFlags : instanceSbtOffset)), flags);
  EXPECT_EQ(reader.at(node + (reader.isWide() ? wideInstanceIndex : instanceIndex)), 2u);
  const uint32_t toWorld = reader.isWide() ? wideInstanceObjectToWorld : instanceObjectToWorld;
  const uint32_t toObject = reader.isWide() ? wideInstanceWorldToObject : instanceWorldToObject;
  using Matrix = std::array<float, 12>;
  Matrix given;
  std::memcpy(given.data(), matrix, sizeof(matrix));
  EXPECT_EQ(reader.at<Matrix>(node + toWorld), given);
  EXPECT_EQ(reader.at<Matrix>(node + toObject),
            (Matrix{0, 0.25, 0, -1.5, -0.5, 0, 0, 2.5, 0, 0, 1, -7}));
}

/// What was deserialized may say anything of its sizes: copies stay within its memory and theirs.
TEST_P(CopyTest, DamagedHeaders) {
  std::mt19937 engine(5);
  const auto instance = instanceOf(triangles(1));
  for (VkAccelerationStructureKHR good :
       {triangles(40), build({instancesOf({instance, instance})}, {{2, 0, 0, 0}})}) {
    const uint64_t size =
        property(good, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR);
    const Memory memory = serialized(good, size);
    const std::vector<uint8_t> bytes(memory.host, memory.host + size);
    const uint64_t structureSize = fromHandle<AccelerationStructure>(good)->size;
    const uint64_t body = size - StructureReader(memory.host, size).at<uint64_t>(40);
    for (unsigned round = 0; round < 40; ++round) {
      std::copy(bytes.begin(), bytes.end(), memory.host);
      for (uint32_t word = headerBoxCount; word < headerBytes; word += 4)
        if (engine() % 3 == 0) {
          const uint32_t value = engine() >> engine() % 32;
          std::memcpy(memory.host + body + word, &value, sizeof(value));
        }
      VkAccelerationStructureKHR damaged = deserialized(memory, structureSize);
      copy(damaged, structureSize, VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR);
      const uint64_t compacted =
          property(damaged, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR);
      EXPECT_LE(compacted, structureSize);
      copy(damaged, compacted, VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR);
      const uint64_t again =
          property(damaged, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR);
      EXPECT_LE(again, 2 * structureSize);
      // Anything behind the memory that was asked for stays as it is.
      const Memory whole = allocateMemory(again + 4096);
      std::fill_n(whole.host, again + 4096, uint8_t(0xA5));
      serializeTo(damaged, whole.address);
      EXPECT_TRUE(std::all_of(whole.host + again, whole.host + again + 4096,
                              [](uint8_t byte) { return byte == 0xA5; }));
    }
  }
}

TEST_P(CopyTest, DeferredOperationsHaveNothingToDo) {
  VkDeferredOperationKHR operation = VK_NULL_HANDLE;
  ASSERT_EQ(CreateDeferredOperationKHR(device, nullptr, &operation), VK_SUCCESS);
  EXPECT_EQ(GetDeferredOperationMaxConcurrencyKHR(device, operation), 0u);
  EXPECT_EQ(DeferredOperationJoinKHR(device, operation), VK_SUCCESS);
  EXPECT_EQ(GetDeferredOperationResultKHR(device, operation), VK_SUCCESS);
  DestroyDeferredOperationKHR(device, operation, nullptr);
}

} // namespace
