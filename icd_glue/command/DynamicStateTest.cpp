// SPDX-License-Identifier: MIT
// Dynamic state that nothing shows elsewhere: commands that are another way to say something.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/device/TestDevice.h"

namespace icd {
namespace {

using DynamicStateTest = TestCommands;

TEST_F(DynamicStateTest, DepthBiasInAStructure) {
  auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  ASSERT_EQ(BeginCommandBuffer(commands, &begin), VK_SUCCESS);
  auto representation = vkStruct<VkDepthBiasRepresentationInfoEXT>(
      VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
  auto info = vkStruct<VkDepthBiasInfoEXT>(VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, &representation);
  info.depthBiasConstantFactor = 3;
  info.depthBiasClamp = 0.5f;
  info.depthBiasSlopeFactor = -2;
  CmdSetDepthBias2EXT(commands, &info);
  const pal::device::RasterState &raster =
      fromHandle<CommandBuffer>(commands)->drawBindings().dynamic.raster;
  EXPECT_EQ(raster.depthBiasConstant, 3);
  EXPECT_EQ(raster.depthBiasClamp, 0.5f);
  EXPECT_EQ(raster.depthBiasSlope, -2);
  EXPECT_EQ(raster.depthBiasUnit, pal::device::DepthBiasUnit::Format);
  representation.depthBiasRepresentation = VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT;
  CmdSetDepthBias2EXT(commands, &info);
  EXPECT_EQ(raster.depthBiasUnit, pal::device::DepthBiasUnit::One);
  // The older command knows the usual representation only.
  CmdSetDepthBias(commands, 3, 0.5f, -2);
  EXPECT_EQ(raster.depthBiasUnit, pal::device::DepthBiasUnit::Format);
  EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
}

} // namespace
} // namespace icd
