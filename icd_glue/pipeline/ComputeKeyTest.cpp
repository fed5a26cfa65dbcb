//===- ComputeKeyTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: MIT
// Everything that changes code changes the key, and what Vulkan ignores does not.
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/pipeline/KeysForTest.h"
#include "icd_glue/state/StageKey.h"
#include <cstdlib>
#include <set>

namespace icd {
namespace {

struct Compute : VkComputePipelineCreateInfo {
  Compute()
      : VkComputePipelineCreateInfo(
            vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO)) {
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    stage.pName = "main";
  }
};

class ComputeKeys : public Keys {
protected:
  void SetUp() override {
    Keys::SetUp();
    spirv = shader("comp");
    info.stage.module = module(spirv);
  }
  Key key(const Compute &of) { return pipelineKeyOf(object(), of, *plain); }
  Key key() { return key(info); }

  Spirv spirv;
  Compute info;
  std::shared_ptr<const PipelineLayoutData> plain =
      layout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL);
};

TEST_F(ComputeKeys, SpirvCountsHoweverItComes) {
  const Key base = key();
  ASSERT_TRUE(base);
  EXPECT_EQ(key(), base);
  Compute other = info;
  other.stage.module = module(spirv);
  EXPECT_EQ(key(other), base);
  const VkShaderModuleCreateInfo inlined = moduleInfo(spirv);
  other.stage.module = VK_NULL_HANDLE;
  other.stage.pNext = &inlined;
  EXPECT_EQ(key(other), base);
  const KeyBytes bytes = bytesOf(moduleHashOf(inlined));
  auto identifier = vkStruct<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
  identifier.identifierSize = bytes.size();
  identifier.pIdentifier = bytes.data();
  other.stage.pNext = &identifier;
  EXPECT_EQ(key(other), base);
  EXPECT_TRUE(isIdentifierOnly(other.stage));
  EXPECT_FALSE(isIdentifierOnly(info.stage));
  identifier.identifierSize = 15; // of another driver
  EXPECT_EQ(key(other), std::nullopt);
  other.stage.pNext = nullptr;
  EXPECT_EQ(key(other), std::nullopt);
  EXPECT_FALSE(isIdentifierOnly(other.stage));
  other.stage.module = module(shader("comp", 2));
  EXPECT_NE(key(other), base);
  // A module that cannot be parsed has a name, too.
  other.stage.module = module(Spirv(20, 7));
  EXPECT_NE(key(other), base);
  EXPECT_TRUE(key(other));
}

TEST_F(ComputeKeys, SpecializationCountsByNumber) {
  const uint32_t values[] = {5, 6, 7};
  const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {3, 4, 4}};
  const VkSpecializationMapEntry swapped[] = {{3, 0, 4}, {0, 4, 4}};
  const uint32_t swappedValues[] = {6, 5};
  const VkSpecializationInfo none = {0, nullptr, sizeof(values), values};
  const VkSpecializationInfo one = {2, entries, 8, values};
  const VkSpecializationInfo same = {2, swapped, 8, swappedValues};
  const VkSpecializationInfo more = {2, entries, 12, values};
  const VkSpecializationInfo other = {2, swapped, 8, values};
  auto with = [&](const VkSpecializationInfo *specialization) {
    Compute compute = info;
    compute.stage.pSpecializationInfo = specialization;
    return key(compute);
  };
  EXPECT_EQ(with(&none), key());
  EXPECT_NE(with(&one), key());
  EXPECT_EQ(with(&same), with(&one));
  EXPECT_EQ(with(&more), with(&one));
  EXPECT_NE(with(&other), with(&one));
  const VkSpecializationMapEntry outside = {0, 10, 4};
  const VkSpecializationInfo invalid = {1, &outside, sizeof(values), values};
  EXPECT_EQ(with(&invalid), key());
}

TEST_F(ComputeKeys, FlagsAndStructuresThatChangeCode) {
  const Key base = key();
  std::set<Key> seen = {base};
  auto changes = [&](const char *what, auto &&change) {
    Compute compute = info;
    change(compute);
    EXPECT_TRUE(seen.insert(key(compute)).second) << what;
  };
  changes("entry point", [](Compute &c) { c.stage.pName = "other"; });
  changes("varying size", [](Compute &c) {
    c.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  });
  changes("full subgroups", [](Compute &c) {
    c.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  });
  auto size = vkStruct<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  for (uint32_t required : {32u, 64u}) {
    size.requiredSubgroupSize = required;
    changes("required size", [&](Compute &c) { c.stage.pNext = &size; });
  }
  changes("optimisation",
          [](Compute &c) { c.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT; });
  changes("texts", [](Compute &c) {
    c.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  });
  auto robustness = vkStruct<VkPipelineRobustnessCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  robustness.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT;
  changes("robust images", [&](Compute &c) { c.pNext = &robustness; });
  robustness.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT;
  robustness.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
  changes("robust buffers", [&](Compute &c) { c.stage.pNext = &robustness; });
  // The newer flags replace the older.
  auto flags2 = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
  Compute compute = info;
  compute.pNext = &flags2;
  compute.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
  EXPECT_EQ(key(compute), base);
  flags2.flags = VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR;
  EXPECT_EQ(seen.count(key(compute)), 1u);
  EXPECT_NE(key(compute), base);
}

TEST_F(ComputeKeys, WhatCodeDoesNotDependOn) {
  const Key base = key();
  for (VkPipelineCreateFlags flag :
       {VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT, VK_PIPELINE_CREATE_DERIVATIVE_BIT,
        VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
        VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
        VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT}) {
    Compute compute = info;
    compute.flags = flag;
    EXPECT_EQ(key(compute), base) << flag;
  }
  VkPipelineCreationFeedback feedback = {};
  auto feedbacks = vkStruct<VkPipelineCreationFeedbackCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  feedbacks.pPipelineCreationFeedback = &feedback;
  Compute compute = info;
  compute.pNext = &feedbacks;
  compute.basePipelineIndex = 3;
  EXPECT_EQ(key(compute), base);
}

TEST_F(ComputeKeys, LayoutsCountByWhatTheySayToTheCompiler) {
  const Key base = key();
  auto with = [&](std::shared_ptr<const PipelineLayoutData> layout) {
    return pipelineKeyOf(object(), info, *layout);
  };
  constexpr auto storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  EXPECT_EQ(with(layout(storage, 1, VK_SHADER_STAGE_ALL)), base);
  EXPECT_EQ(with(layout(storage, 1, VK_SHADER_STAGE_COMPUTE_BIT)), base);
  EXPECT_NE(with(layout(storage, 2, VK_SHADER_STAGE_ALL)), base);
  EXPECT_NE(with(layout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL)), base);
  EXPECT_NE(with(layout(storage, 1, VK_SHADER_STAGE_ALL, 4)), base);
  EXPECT_NE(with(PipelineLayoutData::create({}, 0)), base);
}

/// The key of a fixed pipeline on a new device.
class OtherDevice : public Keys {
public:
  Key key(const Spirv &spirv) {
    SetUp();
    Compute info;
    const VkShaderModuleCreateInfo inlined = moduleInfo(spirv);
    info.stage.pNext = &inlined;
    const Key result = pipelineKeyOf(object(), info, *PipelineLayoutData::create({}, 0));
    global = object().globalKey();
    TearDown();
    return result;
  }
  void TestBody() override {}
  llpc::Hash128 global = {};
};

TEST(DeviceKeys, DevicesOfTheSameKindHaveTheSameKeys) {
  const Spirv spirv = shader("comp");
  OtherDevice first, second, third;
  const Key base = first.key(spirv);
  EXPECT_EQ(second.key(spirv), base);
  EXPECT_EQ(second.global, first.global);
  std::set<Key> seen = {base};
  std::set<llpc::Hash128> globals = {first.global};
  for (auto [name, value] :
       {std::pair{"KILN_OPT_LEVEL", "1"}, std::pair{"KILN_OPT_LEVEL", "3"},
        std::pair{"KILN_TIER", "direct"}, std::pair{"KILN_DEVICES", "gfx1030"}}) {
    setenv(name, value, 1);
    EXPECT_TRUE(seen.insert(third.key(spirv)).second) << name << value;
    EXPECT_TRUE(globals.insert(third.global).second) << name << value;
    unsetenv(name);
  }
  // The default said by name, and what changes no code.
  setenv("KILN_OPT_LEVEL", "2", 1);
  setenv("KILN_TIER", "llvm", 1);
  setenv("KILN_PARTS", "off", 1);
  EXPECT_EQ(third.key(spirv), base);
  unsetenv("KILN_OPT_LEVEL");
  unsetenv("KILN_TIER");
  unsetenv("KILN_PARTS");
}

} // namespace
} // namespace icd
