//===- InputDamageTest.cpp - inputs of builds that are no inputs ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Instances and primitives with anything in them: builds read and write nothing but what they are
/// given (anything else is a fault of the device, and a message), and what they build is a
/// structure.
#include "icd_glue/rays/StructureForTest.h"
#include <random>

using namespace icd;
using namespace lgc::accel;

namespace {

class InputDamageTest : public EachStructureTest {
protected:
  uint32_t below(uint32_t limit) {
    return std::uniform_int_distribution<uint32_t>(0, limit - 1)(engine);
  }
  /// Also no number, infinite, and out of all proportion.
  float anyFloat() {
    const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 3e38f, -3e38f, 1e-42f, 1.0f};
    if (below(3) == 0)
      return special[below(std::size(special))];
    if (below(2))
      return std::bit_cast<float>(static_cast<uint32_t>(engine()));
    return static_cast<float>(below(2000)) / 100 - 10;
  }
  void buildForFastTrace(bool isForFastTrace) {
    buildFlags = isForFastTrace ? VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR : 0;
  }
  void expectStructure(VkAccelerationStructureKHR structure) {
    for (const std::string &problem : vktest::checkStructure(read(structure).copy()))
      ADD_FAILURE() << problem;
  }
  std::mt19937 engine{11};
};

KILN_EACH_STRUCTURE(InputDamageTest);

TEST_P(InputDamageTest, Instances) {
  VkAccelerationStructureKHR one = build({trianglesOf(scattered(5))}, {{5, 0, 0, 0}});
  VkAccelerationStructureKHR empty = build({trianglesOf({})}, {{0, 0, 0, 0}});
  VkAccelerationStructureKHR top = build({instancesOf({instanceOf(one)})}, {{1, 0, 0, 0}});
  const VkDeviceAddress inside = memoryOf(std::vector<uint64_t>(64, ~0ull)).address;
  // A structure, what is none, and what is beside one.
  const uint64_t references[] = {addressOf(one), addressOf(empty),   addressOf(top),      0,
                                 inside,         addressOf(one) + 8, addressOf(one) + 256};
  for (unsigned round = 0; round < 40; ++round) {
    std::vector<VkAccelerationStructureInstanceKHR> instances(1 + below(30));
    for (auto &instance : instances) {
      uint32_t words[sizeof(instance) / 4];
      for (uint32_t &word : words)
        word = static_cast<uint32_t>(engine());
      std::memcpy(static_cast<void *>(&instance), words, sizeof(instance));
      for (auto &row : instance.transform.matrix)
        for (float &x : row)
          x = anyFloat();
      instance.accelerationStructureReference =
          references[below(2) ? 0 : below(std::size(references))];
    }
    const auto count = static_cast<uint32_t>(instances.size());
    buildForFastTrace(round % 2);
    VkAccelerationStructureKHR built = build({instancesOf(instances)}, {{count, 0, 0, 0}});
    expectStructure(built);
    expectStructure(build({instancesOf(instances)}, {{count, 0, 0, 0}}, built));
  }
}

TEST_P(InputDamageTest, Primitives) {
  for (unsigned round = 0; round < 30; ++round) {
    const uint32_t count = 1 + below(60);
    std::vector<float> vertices(9 * count);
    for (float &x : vertices)
      x = anyFloat();
    buildForFastTrace(round % 2);
    expectStructure(build({trianglesOf(vertices)}, {{count, 0, 0, 0}}));
    std::vector<float> boxes;
    for (uint32_t i = 0; i < count; ++i) {
      float low[3], high[3];
      for (unsigned axis = 0; axis < 3; ++axis) {
        low[axis] = anyFloat(), high[axis] = anyFloat();
        if (low[axis] > high[axis]) // those are no valid usage
          std::swap(low[axis], high[axis]);
      }
      boxes.insert(boxes.end(), low, low + 3);
      boxes.insert(boxes.end(), high, high + 3);
    }
    VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
    geometry.geometry.aabbs.data.deviceAddress = memoryOf(boxes).address;
    geometry.geometry.aabbs.stride = 24;
    expectStructure(build({geometry}, {{count, 0, 0, 0}}));
  }
}

} // namespace
