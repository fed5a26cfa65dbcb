// SPDX-License-Identifier: MIT
// VK_EXT_depth_bias_control: what the constant of a depth bias is a multiple of, in pipelines and
// by command.
#include "Pipelines.h"
#include <cmath>
#include <cstring>

namespace api {
namespace {

using vktest::GraphicsInfo;

class DepthBiasApi : public ApiTest {
protected:
  static constexpr uint32_t side = 4;

  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_DEPTH_BIAS_CONTROL_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_depth_bias_control";
    auto all = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                   &features);
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT;
    gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &all);
  }

  /// The depth of a triangle at 0.25 that fills the target.
  double depthOf(VkFormat format, VkDepthBiasRepresentationEXT representation, float constant,
                 bool isDynamic) {
    auto unit = vkStruct<VkDepthBiasRepresentationInfoEXT>(
        VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
    unit.depthBiasRepresentation = representation;
    unit.depthBiasExact = features.depthBiasExact;
    GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    graphics.formats.clear();
    graphics.attachments.clear();
    graphics.rendering.depthAttachmentFormat = format;
    graphics.depth.depthTestEnable = graphics.depth.depthWriteEnable = VK_TRUE;
    graphics.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    graphics.raster.depthBiasEnable = VK_TRUE;
    if (isDynamic) {
      graphics.dynamics.push_back(VK_DYNAMIC_STATE_DEPTH_BIAS);
    } else {
      graphics.raster.pNext = &unit;
      graphics.raster.depthBiasConstantFactor = constant;
    }
    graphics.info.layout = layout;
    const VkPipeline pipeline = gpu.pipeline(graphics.done());
    const Image target = gpu.attachment(format, VK_IMAGE_ASPECT_DEPTH_BIT, side, side);
    const Buffer picture = gpu.buffer(side * side * 4);
    gpu.run([&](VkCommandBuffer c) {
      auto attachment =
          vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
      attachment.imageView = target.view;
      attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      rendering.renderArea = {{0, 0}, {side, side}};
      rendering.layerCount = 1;
      rendering.pDepthAttachment = &attachment;
      gpu.vk.CmdBeginRendering(c, &rendering);
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      if (isDynamic) {
        auto bias = vkStruct<VkDepthBiasInfoEXT>(VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, &unit);
        bias.depthBiasConstantFactor = constant;
        gpu.vk.CmdSetDepthBias2EXT(c, &bias);
      }
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
      gpu.vk.CmdEndRendering(c);
      gpu.barrier(c);
      VkBufferImageCopy region = {};
      region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
      region.imageExtent = {side, side, 1};
      gpu.vk.CmdCopyImageToBuffer(c, target.handle, VK_IMAGE_LAYOUT_GENERAL, picture.handle, 1,
                                  &region);
      gpu.barrier(c);
    });
    if (format == VK_FORMAT_D16_UNORM)
      return (picture.data[1] & 0xFFFF) / 65535.0;
    float depth = 0;
    std::memcpy(&depth, &picture.data[3], 4);
    return depth;
  }

  VkPhysicalDeviceDepthBiasControlFeaturesEXT features = {};
  VkShaderModule vertex = gpu.module(R"(#version 450
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0.25, 1);
})",
                                     "vert");
  VkPipelineLayout layout = gpu.pipelineLayout({});
};
API_TESTS_ON_ALL_DEVICES(DepthBiasApi);

TEST_P(DepthBiasApi, UnitsOfTheConstant) {
  constexpr auto ofFormat = VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORMAT_EXT;
  constexpr auto unorm = VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORCE_UNORM_EXT;
  constexpr auto one = VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT;
  struct Case {
    VkFormat format;
    VkDepthBiasRepresentationEXT representation;
    float constant;
    double unit; // of the specification's "Depth Bias Computation"
  };
  // Floats of 0.25 have the exponent -2 and 23 bits of mantissa.
  const Case cases[] = {{VK_FORMAT_D16_UNORM, ofFormat, 4096, std::ldexp(1, -16)},
                        {VK_FORMAT_D16_UNORM, unorm, 4096, std::ldexp(1, -16)},
                        {VK_FORMAT_D16_UNORM, one, 0.125f, 1},
                        {VK_FORMAT_D32_SFLOAT, ofFormat, 1 << 20, std::ldexp(1, -25)},
                        {VK_FORMAT_D32_SFLOAT, unorm, 1 << 20, std::ldexp(1, -24)},
                        {VK_FORMAT_D32_SFLOAT, one, 0.125f, 1},
                        {VK_FORMAT_D32_SFLOAT, one, -0.125f, 1}};
  for (const Case &test : cases) {
    if ((test.representation == unorm &&
         !features.leastRepresentableValueForceUnormRepresentation) ||
        (test.representation == one && !features.floatRepresentation))
      continue;
    for (bool isDynamic : {false, true}) {
      const double depth = depthOf(test.format, test.representation, test.constant, isDynamic);
      const double expected = 0.25 + test.unit * test.constant;
      EXPECT_NEAR(depth, expected, test.format == VK_FORMAT_D16_UNORM ? 1.0 / 65535 : 1e-7)
          << test.format << ", " << test.representation << ", " << isDynamic;
    }
  }
  // Without depthBiasExact a device may take twice the unit; this one does not.
  if (gpu.isKiln()) {
    EXPECT_TRUE(features.depthBiasExact && features.floatRepresentation &&
                features.leastRepresentableValueForceUnormRepresentation);
  }
}

} // namespace
} // namespace api
