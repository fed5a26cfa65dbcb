//===- StructureForTest.h - acceleration structures for unit tests --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/device/TestDevice.h"
#include "icd_glue/memory/AccelerationStructure.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/memory/DeviceMemory.h"
#include "lgc/AccelerationStructure.h"
#include "test/vulkan/StructureCheck.h"
#include <array>
#include <bit>
#include <cstring>
#include <map>

namespace icd {

using Vector = std::array<float, 3>;
struct Box {
  Vector low, high;
};

/// Reads a structure as the header file says that it is.
class StructureReader {
public:
  StructureReader(const uint8_t *bytes, uint64_t size) : bytes(bytes), size(size) {}

  std::vector<uint8_t> copy() const { return {bytes, bytes + size}; }

  template <typename T = uint32_t> T at(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes + offset, sizeof(value));
    return value;
  }
  Vector vectorAt(uint64_t offset) const { return at<Vector>(offset); }
  Box boxAt(uint64_t offset) const { return {vectorAt(offset), vectorAt(offset + 12)}; }
  static uint64_t offsetOf(uint32_t id) { return uint64_t(id & ~lgc::accel::nodeTypeMask) << 3; }

  /// Offsets of leaves by their number; a failure of the test for what no reader would accept.
  std::map<uint32_t, uint64_t> leaves() const {
    for (const std::string &problem : vktest::checkStructure({bytes, size}))
      ADD_FAILURE() << problem;
    std::map<uint32_t, uint64_t> found;
    if (testing::Test::HasFailure())
      return found;
    if (isWide())
      for (uint32_t leaf = 0; leaf < at(lgc::accel::headerLeafCount); ++leaf) {
        const uint32_t id = at(lgc::accel::widePlaces + 4 * leaf);
        if (id != lgc::accel::nodeNone)
          found[leaf] = uint64_t(id & ~lgc::accel::wideTypeMask) << 3;
      }
    else
      visit(lgc::accel::rootId, found);
    return found;
  }

  bool isWide() const { return at(lgc::accel::headerMagic) == lgc::accel::wideMagic; }
  /// Float \p index of a triangle or AABB.
  float floatOf(uint64_t leaf, unsigned index) const {
    if (!isWide())
      return at<float>(leaf + 4 * index);
    const auto words = at<uint64_t>(leaf + lgc::accel::wideVertexWord + 4 * index);
    return std::bit_cast<float>(static_cast<uint32_t>(words >> lgc::accel::wideVertexShift));
  }
  uint32_t primitiveOf(uint64_t leaf) const {
    return at(leaf + (isWide() ? lgc::accel::widePrimitive : lgc::accel::leafPrimitive));
  }
  /// With geometryOpaque.
  uint32_t geometryOf(uint64_t leaf) const {
    using namespace lgc::accel;
    if (!isWide())
      return at(leaf + leafGeometry);
    const bool isOpaque = at(leaf + widePair) >> 3 & widePairOpaque;
    return at(leaf + wideGeometry) >> 4 | (isOpaque ? geometryOpaque : 0);
  }
  uint64_t baseOf(uint64_t instance) const {
    using namespace lgc::accel;
    return at<uint64_t>(instance + (isWide() ? wideInstanceBase : instanceBase)) << 3;
  }

private:
  void visit(uint32_t id, std::map<uint32_t, uint64_t> &found) const {
    using namespace lgc::accel;
    for (unsigned child = 0; child < boxChildren; ++child) {
      const uint32_t childId = at(offsetOf(id) + boxChildId + 4 * child);
      const uint32_t type = childId & nodeTypeMask;
      if (type == nodeBox32) {
        visit(childId, found);
      } else if (childId != nodeNone) {
        const uint64_t bytesOfLeaf = type == nodeInstance ? instanceBytes : leafBytes;
        const uint64_t offset = offsetOf(childId);
        found[static_cast<uint32_t>((offset - leavesOffset) / bytesOfLeaf)] = offset;
      }
    }
  }

  const uint8_t *bytes;
  uint64_t size;
};

/// A device with memory for inputs, and commands that build.
class StructureTest : public TestCommands {
protected:
  /// \p target: of the device; null: the first.
  explicit StructureTest(const char *target = nullptr) {
    if (target)
      setenv("KILN_DEVICES", target, 1);
  }
  ~StructureTest() override { unsetenv("KILN_DEVICES"); }

  struct Memory {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint8_t *host = nullptr;
    VkDeviceAddress address = 0;
  };

  void SetUp() override {
    accelerationFeatures.accelerationStructure = VK_TRUE;
    accelerationFeatures.accelerationStructureIndirectBuild = VK_TRUE;
    accelerationFeatures.pNext = &addressFeatures;
    addressFeatures.bufferDeviceAddress = VK_TRUE;
    deviceFeatures = &accelerationFeatures;
    TestCommands::SetUp();
  }
  void TearDown() override {
    for (VkAccelerationStructureKHR structure : structures)
      DestroyAccelerationStructureKHR(device, structure, nullptr);
    for (const Memory &memory : memories) {
      DestroyBuffer(device, memory.buffer, nullptr);
      FreeMemory(device, memory.memory, nullptr);
    }
    EXPECT_TRUE(messages.empty()) << messages.front();
    TestCommands::TearDown();
  }

  Memory allocateMemory(uint64_t size) {
    Memory memory;
    auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size;
    EXPECT_EQ(CreateBuffer(device, &info, nullptr, &memory.buffer), VK_SUCCESS);
    auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.allocationSize = (size + 255) / 256 * 256;
    EXPECT_EQ(AllocateMemory(device, &allocate, nullptr, &memory.memory), VK_SUCCESS);
    EXPECT_EQ(BindBufferMemory(device, memory.buffer, memory.memory, 0), VK_SUCCESS);
    memory.host = fromHandle<Buffer>(memory.buffer)->host();
    memory.address = fromHandle<Buffer>(memory.buffer)->address();
    memories.push_back(memory);
    return memory;
  }
  template <typename T> Memory memoryOf(const std::vector<T> &values) {
    Memory memory = allocateMemory(std::max<size_t>(values.size(), 1) * sizeof(T));
    std::memcpy(memory.host, values.data(), values.size() * sizeof(T));
    return memory;
  }

  VkAccelerationStructureKHR makeStructure(uint64_t size) {
    auto info = vkStruct<VkAccelerationStructureCreateInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR);
    info.buffer = allocateMemory(size + 256).buffer;
    info.offset = 256;
    info.size = size;
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    structures.push_back(structure);
    return structure;
  }
  StructureReader read(VkAccelerationStructureKHR structure) {
    const pal::device::GpuAddress address = addressOf(structure);
    const uint64_t size = fromHandle<AccelerationStructure>(structure)->size;
    return {object().gpu().translate(address, size), size};
  }

  static VkAccelerationStructureGeometryKHR geometryOf(VkGeometryTypeKHR type,
                                                       VkGeometryFlagsKHR flags = 0) {
    auto geometry = vkStruct<VkAccelerationStructureGeometryKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
    geometry.geometryType = type;
    geometry.flags = flags;
    return geometry;
  }
  /// Three floats for each vertex.
  VkAccelerationStructureGeometryKHR trianglesOf(const std::vector<float> &vertices) {
    VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_TRIANGLES_KHR);
    auto &triangles = geometry.geometry.triangles;
    triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
    triangles.vertexStride = 12;
    triangles.vertexData.deviceAddress = memoryOf(vertices).address;
    triangles.indexType = VK_INDEX_TYPE_NONE_KHR;
    return geometry;
  }
  VkAccelerationStructureInstanceKHR instanceOf(VkAccelerationStructureKHR structure) {
    VkAccelerationStructureInstanceKHR instance = {};
    for (unsigned i = 0; i < 3; ++i)
      instance.transform.matrix[i][i] = 1;
    instance.mask = 0xFF;
    auto info = vkStruct<VkAccelerationStructureDeviceAddressInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR);
    info.accelerationStructure = structure;
    instance.accelerationStructureReference =
        structure ? GetAccelerationStructureDeviceAddressKHR(device, &info) : 0;
    return instance;
  }
  VkAccelerationStructureGeometryKHR
  instancesOf(const std::vector<VkAccelerationStructureInstanceKHR> &instances) {
    VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_INSTANCES_KHR);
    geometry.geometry.instances.data.deviceAddress = memoryOf(instances).address;
    return geometry;
  }
  /// \p count triangles anywhere.
  static std::vector<float> scattered(uint32_t count, uint32_t seed = 1) {
    std::vector<float> vertices;
    uint64_t state = seed;
    for (uint32_t i = 0; i < 9 * count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      vertices.push_back(static_cast<float>(state >> 40) / (1 << 20) - 8);
    }
    return vertices;
  }

  using Geometries = std::vector<VkAccelerationStructureGeometryKHR>;
  using Ranges = std::vector<VkAccelerationStructureBuildRangeInfoKHR>;
  static VkAccelerationStructureBuildGeometryInfoKHR infoOf(
      const Geometries &geometries,
      VkBuildAccelerationStructureModeKHR mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR) {
    auto info = vkStruct<VkAccelerationStructureBuildGeometryInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR);
    const bool isTop =
        !geometries.empty() && geometries[0].geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR;
    info.type = isTop ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
                      : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    info.mode = mode;
    info.geometryCount = static_cast<uint32_t>(geometries.size());
    info.pGeometries = geometries.data();
    return info;
  }
  VkAccelerationStructureBuildSizesInfoKHR
  sizesOf(const VkAccelerationStructureBuildGeometryInfoKHR &info,
          const std::vector<uint32_t> &counts) {
    auto sizes = vkStruct<VkAccelerationStructureBuildSizesInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR);
    GetAccelerationStructureBuildSizesKHR(device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                          &info, counts.data(), &sizes);
    return sizes;
  }

  /// Runs what \p record records.
  template <typename Record> void run(Record &&record) {
    auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    ASSERT_EQ(BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    record();
    ASSERT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    auto submit = vkStruct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    ASSERT_EQ(QueueSubmit(toHandle(&queue(0)), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(QueueWaitIdle(toHandle(&queue(0))), VK_SUCCESS);
  }

  /// Builds, or updates \p source; memory is as large as the query of sizes says.
  VkAccelerationStructureKHR build(const Geometries &geometries, const Ranges &ranges,
                                   VkAccelerationStructureKHR source = VK_NULL_HANDLE) {
    auto info = infoOf(geometries, source ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                                          : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
    std::vector<uint32_t> counts;
    for (const VkAccelerationStructureBuildRangeInfoKHR &range : ranges)
      counts.push_back(range.primitiveCount);
    const auto sizes = sizesOf(info, counts);
    VkAccelerationStructureKHR structure = makeStructure(sizes.accelerationStructureSize);
    info.flags = buildFlags;
    info.srcAccelerationStructure = source;
    info.dstAccelerationStructure = structure;
    info.scratchData.deviceAddress =
        allocateMemory(source ? sizes.updateScratchSize : sizes.buildScratchSize).address;
    const VkAccelerationStructureBuildRangeInfoKHR *first = ranges.data();
    run([&] { CmdBuildAccelerationStructuresKHR(commands, 1, &info, &first); });
    return structure;
  }

  VkBuildAccelerationStructureFlagsKHR buildFlags = 0;
  std::vector<Memory> memories;
  std::vector<VkAccelerationStructureKHR> structures;

private:
  VkPhysicalDeviceAccelerationStructureFeaturesKHR accelerationFeatures =
      vkStruct<VkPhysicalDeviceAccelerationStructureFeaturesKHR>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR);
  VkPhysicalDeviceBufferDeviceAddressFeatures addressFeatures =
      vkStruct<VkPhysicalDeviceBufferDeviceAddressFeatures>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
};

/// On a device with narrow and one with wide structures (AccelerationStructure.h).
class EachStructureTest : public StructureTest, public testing::WithParamInterface<const char *> {
protected:
  EachStructureTest() : StructureTest(GetParam()) {}
};
#define KILN_EACH_STRUCTURE(test)                                                                  \
  INSTANTIATE_TEST_SUITE_P(Targets, test, testing::Values("gfx1100", "gfx1201"),                   \
                           [](const auto &info) { return std::string(info.param); })

} // namespace icd
