// SPDX-License-Identifier: MIT
// What the compiler is told of a graphics pipeline.
#include "icd_glue/state/GraphicsBuild.h"
#include "test/vulkan/GraphicsInfo.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

using vktest::vkStruct;

using pal::device::BlendFactor;

class GraphicsBuild : public testing::Test {
protected:
  GraphicsBuild() {
    state.subsets = allSubsets;
    formats.colors[0] = VK_FORMAT_R8G8B8A8_UNORM;
    fixed.raster.samples = 4;
  }

  llpc::GraphicsPipelineBuildInfo build(std::vector<VkDynamicState> states = {}) {
    VkPipelineDynamicStateCreateInfo dynamic = {};
    dynamic.dynamicStateCount = static_cast<uint32_t>(states.size());
    dynamic.pDynamicStates = states.data();
    llpc::GraphicsPipelineBuildInfo result;
    state.dynamic = DynamicStates(&dynamic);
    state.knowsSamples = !state.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
    setCompilerState(result, state);
    return result;
  }

  GraphicsState state;
  TargetFormats &formats = state.formats;
  DrawState &fixed = state.fixed;
};

TEST_F(GraphicsBuild, TargetsAndWhatIsBlended) {
  formats.colors[2] = VK_FORMAT_R16G16_SFLOAT;
  fixed.blend.targets[0].writeMask = 3;
  fixed.blend.targets[2].blendEnable = true;
  fixed.blend.targets[2].dstColor = BlendFactor::OneMinusSrcAlpha;
  fixed.raster.alphaToCoverage = true;
  auto made = build();
  EXPECT_EQ(made.cbState.target[0].format, uint32_t(VK_FORMAT_R8G8B8A8_UNORM));
  EXPECT_EQ(made.cbState.target[0].channelWriteMask, 3u);
  EXPECT_FALSE(made.cbState.target[0].blendEnable);
  EXPECT_EQ(made.cbState.target[1].format, 0u);
  EXPECT_TRUE(made.cbState.target[2].blendEnable);
  EXPECT_TRUE(made.cbState.target[2].blendSrcAlphaToColor);
  EXPECT_EQ(made.cbState.target[3].format, 0u);
  EXPECT_TRUE(made.cbState.alphaToCoverageEnable);
  EXPECT_FALSE(made.cbState.dualSourceBlendEnable);
}

// VkRenderingAttachmentLocationInfo: formats and blending are by attachment, code is by location.
TEST_F(GraphicsBuild, LocationsOfAttachments) {
  formats.colors[1] = VK_FORMAT_R16G16_SFLOAT;
  formats.colors[2] = VK_FORMAT_R32_UINT;
  fixed.blend.targets[1].writeMask = 3;
  auto info = vkStruct<VkRenderingAttachmentLocationInfo>(
      VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO);
  auto formatsAt = [&](std::vector<uint32_t> locations) {
    info.colorAttachmentCount = static_cast<uint32_t>(locations.size());
    info.pColorAttachmentLocations = locations.data();
    formats.locations = ColorLocations(&info);
    const auto made = build();
    std::vector<uint32_t> result;
    for (unsigned i = 0; i < 4; ++i)
      result.push_back(made.cbState.target[i].format);
    return result;
  };
  constexpr uint32_t zero = VK_FORMAT_R8G8B8A8_UNORM, one = VK_FORMAT_R16G16_SFLOAT,
                     two = VK_FORMAT_R32_UINT;
  using Formats = std::vector<uint32_t>;
  EXPECT_EQ(formatsAt({3, 0, VK_ATTACHMENT_UNUSED}), Formats({one, 0, 0, zero}));
  EXPECT_EQ(build().cbState.target[0].channelWriteMask, 3u);
  // Numbers out of range are nowhere, and so are attachments that the list does not reach.
  EXPECT_EQ(formatsAt({1, 8, 0}), Formats({two, zero, 0, 0}));
  EXPECT_EQ(formatsAt({2}), Formats({0, 0, zero, 0}));
  EXPECT_EQ(formatsAt({7, 6, 5, 4, 3, 2, 1, 0, 0, 0}), Formats({0, 0, 0, 0}));
  // Without a list each has its own number, however many are counted.
  info.colorAttachmentCount = 1;
  info.pColorAttachmentLocations = nullptr;
  formats.locations = ColorLocations(&info);
  EXPECT_EQ(build().cbState.target[2].format, two);
  formats.locations = ColorLocations(nullptr);
  EXPECT_EQ(build().cbState.target[2].format, two);
}

TEST_F(GraphicsBuild, DynamicBlendingIsCompiledForEverything) {
  fixed.blend.targets[0].writeMask = 0;
  auto made =
      build({VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
             VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT});
  EXPECT_EQ(made.cbState.target[0].channelWriteMask, 0xFu);
  EXPECT_TRUE(made.cbState.target[0].blendEnable);
  EXPECT_TRUE(made.cbState.target[0].blendSrcAlphaToColor);
  EXPECT_TRUE(made.cbState.alphaToCoverageEnable);
  EXPECT_TRUE(made.cbState.dualSourceBlendDynamic);
  EXPECT_FALSE(made.cbState.dualSourceBlendEnable);
  // Two sources are for a single target.
  formats.colors[1] = VK_FORMAT_R8G8B8A8_UNORM;
  fixed.blend.targets[1].writeMask = 0xF;
  EXPECT_FALSE(build({VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT}).cbState.dualSourceBlendDynamic);
}

TEST_F(GraphicsBuild, TwoBlendSources) {
  fixed.blend.targets[0].dstAlpha = BlendFactor::OneMinusSrc1Alpha;
  EXPECT_FALSE(build().cbState.dualSourceBlendEnable); // not blended
  EXPECT_TRUE(build({VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT}).cbState.dualSourceBlendDynamic);
  fixed.blend.targets[0].blendEnable = true;
  EXPECT_TRUE(build().cbState.dualSourceBlendEnable);
  EXPECT_FALSE(build().cbState.dualSourceBlendDynamic);
  // Beside a target that is not written, but not beside one that is.
  formats.colors[1] = VK_FORMAT_R8G8B8A8_UNORM;
  fixed.blend.targets[1].writeMask = 0;
  EXPECT_TRUE(build().cbState.dualSourceBlendEnable);
  EXPECT_EQ(build().cbState.target[1].format, 0u);
  fixed.blend.targets[1].writeMask = 0xF;
  EXPECT_FALSE(build().cbState.dualSourceBlendEnable);
}

TEST_F(GraphicsBuild, Samples) {
  auto made = build();
  EXPECT_EQ(made.rsState.numSamples, 4u);
  EXPECT_EQ(made.rsState.samplePatternIdx, 2 * 16u);
  EXPECT_FALSE(made.rsState.perSampleShading);
  state.rsState.perSampleShading = true;
  state.minSampleShading = 0.25F; // one of four
  EXPECT_FALSE(build().rsState.perSampleShading);
  state.minSampleShading = 0.26F;
  EXPECT_TRUE(build().rsState.perSampleShading);
  EXPECT_EQ(build().rsState.pixelShaderSamples, 4u);
  made = build({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT});
  EXPECT_TRUE(made.rsState.dynamicSampleInfo);
  EXPECT_TRUE(made.rsState.perSampleShading);
  EXPECT_EQ(made.rsState.numSamples, 1u);
}

TEST_F(GraphicsBuild, WhatIsDynamicOfInputAndRaster) {
  fixed.topology = pal::device::PrimitiveTopology::LineStrip;
  fixed.raster.rasterizerDiscard = true;
  fixed.raster.depthClampEnable = true;
  fixed.raster.provokingVertexLast = true;
  formats.viewMask = 6;
  auto made = build();
  EXPECT_EQ(made.iaState.topology, lgc::Topology::LineStrip);
  EXPECT_TRUE(made.iaState.enableMultiView);
  EXPECT_FALSE(made.iaState.dynamicTopology);
  EXPECT_FALSE(made.dynamicVertexStride);
  EXPECT_TRUE(made.rsState.rasterizerDiscardEnable);
  EXPECT_EQ(made.cbState.target[0].format, 0u); // nothing is drawn
  EXPECT_FALSE(made.vpState.depthClipEnable);
  EXPECT_EQ(made.rsState.provokingVertexMode, llpc::ProvokingVertexMode::Last);
  made = build({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE});
  EXPECT_FALSE(made.rsState.rasterizerDiscardEnable);
  EXPECT_EQ(made.cbState.target[0].format, uint32_t(VK_FORMAT_R8G8B8A8_UNORM));
  EXPECT_FALSE(made.iaState.dynamicTopology); // draws keep to the class
  EXPECT_TRUE(made.dynamicVertexStride);
}

TEST_F(GraphicsBuild, TaskShadersAreToldTheViewBehindTheLayout) {
  const auto layout = PipelineLayoutData::create({}, 20);
  EXPECT_EQ(mappingFor(*layout, state), layout->mapping);
  state.stages = VK_SHADER_STAGE_MESH_BIT_EXT;
  formats.viewMask = 5;
  EXPECT_EQ(mappingFor(*layout, state), layout->mapping); // they have it in a register
  state.stages |= VK_SHADER_STAGE_TASK_BIT_EXT;
  ASSERT_TRUE(hasTaskViews(state));
  const lgc::ResourceMapping mapping = mappingFor(*layout, state);
  ASSERT_EQ(mapping.roots.size(), 2u);
  EXPECT_EQ(mapping.roots[0], layout->mapping.roots[0]);
  EXPECT_EQ(mapping.roots[1].type, lgc::ResourceNodeType::InlineBuffer);
  EXPECT_EQ(mapping.roots[1].offsetInDwords, 5u);
  EXPECT_EQ(mapping.roots[1].set, 0xFFFFFFF0u);
  EXPECT_EQ(mapping.roots[1].binding, 16u);
  formats.viewMask = 0;
  EXPECT_FALSE(hasTaskViews(state));
}

} // namespace
} // namespace icd
