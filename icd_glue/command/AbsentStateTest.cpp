// SPDX-License-Identifier: MIT
// State of extensions that are not there: what is so without them is fine, the rest is an error
// that names the command.
#include "icd_glue/device/TestDevice.h"

namespace icd {
namespace {

class AbsentStateTest : public TestCommands {
protected:
  VkResult record(void (*command)(VkCommandBuffer)) {
    messages.clear();
    auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    EXPECT_EQ(BeginCommandBuffer(commands, &info), VK_SUCCESS);
    command(commands);
    return EndCommandBuffer(commands);
  }
};

constexpr VkViewportSwizzleNV identity = {
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_X_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
constexpr VkViewportSwizzleNV mirrored = {
    VK_VIEWPORT_COORDINATE_SWIZZLE_NEGATIVE_X_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Y_NV,
    VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_Z_NV, VK_VIEWPORT_COORDINATE_SWIZZLE_POSITIVE_W_NV};
constexpr VkColorBlendAdvancedEXT screen = {VK_BLEND_OP_SCREEN_EXT, VK_TRUE, VK_TRUE,
                                            VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_FALSE};

struct Row {
  const char *command;
  void (*usual)(VkCommandBuffer);
  void (*other)(VkCommandBuffer); ///< null: nothing else is said
};
#define KILN_ROW(name, usualArguments, otherArguments)                                             \
  {"vk" #name, [](VkCommandBuffer c) { name usualArguments; },                                     \
   [](VkCommandBuffer c) { name otherArguments; }}
const Row rows[] = {
    KILN_ROW(CmdSetColorBlendAdvancedEXT, (c, 0, 0, nullptr), (c, 0, 1, &screen)),
    KILN_ROW(CmdSetViewportWScalingEnableNV, (c, VK_FALSE), (c, VK_TRUE)),
    KILN_ROW(CmdSetViewportSwizzleNV, (c, 0, 1, &identity), (c, 0, 1, &mirrored)),
    KILN_ROW(CmdSetCoverageToColorEnableNV, (c, VK_FALSE), (c, VK_TRUE)),
    KILN_ROW(CmdSetCoverageModulationModeNV, (c, VK_COVERAGE_MODULATION_MODE_NONE_NV),
             (c, VK_COVERAGE_MODULATION_MODE_RGB_NV)),
    KILN_ROW(CmdSetCoverageModulationTableEnableNV, (c, VK_FALSE), (c, VK_TRUE)),
    KILN_ROW(CmdSetShadingRateImageEnableNV, (c, VK_FALSE), (c, VK_TRUE)),
    KILN_ROW(CmdSetRepresentativeFragmentTestEnableNV, (c, VK_FALSE), (c, VK_TRUE)),
    KILN_ROW(CmdSetCoverageReductionModeNV, (c, VK_COVERAGE_REDUCTION_MODE_MERGE_NV),
             (c, VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV)),
    {"vkCmdSetCoverageToColorLocationNV",
     [](VkCommandBuffer c) { CmdSetCoverageToColorLocationNV(c, 3); }, nullptr},
    {"vkCmdSetCoverageModulationTableNV",
     [](VkCommandBuffer c) { CmdSetCoverageModulationTableNV(c, 0, nullptr); }, nullptr},
};
#undef KILN_ROW

TEST_F(AbsentStateTest, onlyTheUsualCanBeSet) {
  for (const Row &row : rows) {
    EXPECT_EQ(record(row.usual), VK_SUCCESS) << row.command;
    EXPECT_TRUE(messages.empty()) << row.command;
    if (!row.other)
      continue;
    EXPECT_EQ(record(row.other), VK_ERROR_UNKNOWN) << row.command;
    ASSERT_EQ(messages.size(), 1u) << row.command;
    EXPECT_NE(messages[0].find(row.command), std::string::npos) << messages[0];
  }
}

} // namespace
} // namespace icd
