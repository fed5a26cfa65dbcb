// SPDX-License-Identifier: MIT
// The four subsets of a graphics pipeline's state: what belongs to which, and that merging gives
// the whole.
#include "icd_glue/state/GraphicsState.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/pipeline/Memo.h"
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/state/GraphicsBuild.h"
#include <thread>

namespace icd {
namespace {

using namespace pal::device;

constexpr Subsets each[] = {vertexInputSubset, preRasterizationSubset, fragmentShaderSubset,
                            fragmentOutputSubset};

/// What nobody may look at.
template <typename T> const T *dangling() { return reinterpret_cast<const T *>(uintptr_t(8)); }

/// A pipeline that has nothing but uncommon state.
struct PipelineInfo {
  PipelineInfo() {
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertexInput.vertexBindingDescriptionCount = vertexInput.vertexAttributeDescriptionCount = 1;
    vertexInput.pVertexBindingDescriptions = &binding;
    vertexInput.pVertexAttributeDescriptions = &attribute;
    inputAssembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    inputAssembly.primitiveRestartEnable = VK_TRUE;
    viewports.viewportCount = 1;
    viewports.pViewports = &viewport;
    raster.cullMode = VK_CULL_MODE_FRONT_BIT;
    raster.depthClampEnable = VK_TRUE;
    raster.lineWidth = 3;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    samples.sampleShadingEnable = VK_TRUE;
    samples.minSampleShading = 1;
    samples.alphaToCoverageEnable = VK_TRUE;
    depth.depthTestEnable = VK_TRUE;
    depth.depthCompareOp = VK_COMPARE_OP_GREATER;
    attachment.colorWriteMask = 3;
    attachment.blendEnable = VK_TRUE;
    attachment.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    blend.attachmentCount = 1;
    blend.pAttachments = &attachment;
    writes.attachmentCount = 1;
    writes.pColorWriteEnables = &isWritten;
    blend.pNext = &writes;
    blend.blendConstants[1] = 0.5F;
    dynamic.dynamicStateCount = static_cast<uint32_t>(std::size(dynamicList));
    dynamic.pDynamicStates = dynamicList;
    rendering.viewMask = 3;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    rate.fragmentSize = {2, 1};
    rate.pNext = &rendering;
    info.pNext = &rate;
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &inputAssembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
  }
  PipelineInfo(const PipelineInfo &) = delete;

  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkVertexInputBindingDescription binding = {2, 12, VK_VERTEX_INPUT_RATE_INSTANCE};
  VkVertexInputAttributeDescription attribute = {5, 2, VK_FORMAT_R16G16_SNORM, 4};
  VkPipelineVertexInputStateCreateInfo vertexInput = {};
  VkPipelineInputAssemblyStateCreateInfo inputAssembly = {};
  VkViewport viewport = {1, 2, 3, 4, 0, 1};
  VkPipelineViewportStateCreateInfo viewports = {};
  VkPipelineRasterizationStateCreateInfo raster = {};
  VkPipelineMultisampleStateCreateInfo samples = {};
  VkPipelineDepthStencilStateCreateInfo depth = {};
  VkPipelineColorBlendAttachmentState attachment = {};
  VkPipelineColorBlendStateCreateInfo blend = {};
  VkBool32 isWritten = VK_FALSE;
  VkPipelineColorWriteCreateInfoEXT writes = vkStruct<VkPipelineColorWriteCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
  VkDynamicState dynamicList[4] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_SCISSOR,
                                   VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                   VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
  VkPipelineDynamicStateCreateInfo dynamic = {};
  VkFormat format = VK_FORMAT_R8G8B8A8_SNORM;
  VkPipelineRenderingCreateInfo rendering =
      vkStruct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  VkPipelineFragmentShadingRateStateCreateInfoKHR rate =
      vkStruct<VkPipelineFragmentShadingRateStateCreateInfoKHR>(
          VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
  VkGraphicsPipelineCreateInfo info = {};
};

/// All that draws and the compiler are told of a state.
void expectSame(const GraphicsState &a, const GraphicsState &b) {
  EXPECT_EQ(a.subsets, b.subsets);
  EXPECT_EQ(a.stages, b.stages);
  EXPECT_EQ(a.rsState.perSampleShading, b.rsState.perSampleShading);
  EXPECT_EQ(a.minSampleShading, b.minSampleShading);
  EXPECT_EQ(a.knowsSamples, b.knowsSamples);
  EXPECT_EQ(a.formats.colors, b.formats.colors);
  EXPECT_EQ(a.formats.depth, b.formats.depth);
  EXPECT_EQ(a.formats.viewMask, b.formats.viewMask);
  EXPECT_EQ(a.fixed.topology, b.fixed.topology);
  EXPECT_EQ(a.fixed.primitiveRestart, b.fixed.primitiveRestart);
  EXPECT_EQ(a.fixed.strides, b.fixed.strides);
  EXPECT_EQ(a.fixed.raster.cullFront, b.fixed.raster.cullFront);
  EXPECT_EQ(a.fixed.raster.depthClampEnable, b.fixed.raster.depthClampEnable);
  EXPECT_EQ(a.fixed.raster.lineWidth, b.fixed.raster.lineWidth);
  EXPECT_EQ(a.fixed.raster.shadingRate.pipeline, b.fixed.raster.shadingRate.pipeline);
  EXPECT_EQ(a.fixed.raster.conservativeOverestimate, b.fixed.raster.conservativeOverestimate);
  EXPECT_EQ(a.fixed.hasSampleLocations, b.fixed.hasSampleLocations);
  EXPECT_EQ(a.fixed.sampleLocations, b.fixed.sampleLocations);
  EXPECT_EQ(a.fixed.raster.viewports[0].height, b.fixed.raster.viewports[0].height);
  EXPECT_EQ(a.fixed.raster.samples, b.fixed.raster.samples);
  EXPECT_EQ(a.fixed.raster.alphaToCoverage, b.fixed.raster.alphaToCoverage);
  EXPECT_EQ(a.fixed.depthStencil.depthCompare, b.fixed.depthStencil.depthCompare);
  EXPECT_EQ(a.fixed.blend.constants, b.fixed.blend.constants);
  EXPECT_EQ(a.fixed.colorWrites, b.fixed.colorWrites);
  EXPECT_EQ(a.fixed.blend.targets[0].writeMask, b.fixed.blend.targets[0].writeMask);
  for (VkDynamicState state : PipelineInfo().dynamicList)
    EXPECT_EQ(a.dynamic.has(state), b.dynamic.has(state)) << state;
  llpc::GraphicsPipelineBuildInfo one, other;
  setCompilerState(one, a);
  setCompilerState(other, b);
  EXPECT_EQ(one.vertexInput, other.vertexInput);
  EXPECT_EQ(one.iaState, other.iaState);
  EXPECT_EQ(one.vpState, other.vpState);
  EXPECT_EQ(one.rsState, other.rsState);
  EXPECT_EQ(one.cbState, other.cbState);
  EXPECT_EQ(one.iaState.dynamicTopology, other.iaState.dynamicTopology);
}

TEST(GraphicsState, SubsetsMergeToTheWhole) {
  PipelineInfo p;
  auto conservative = vkStruct<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
  conservative.conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
  p.raster.pNext = &conservative;
  const VkSampleLocationEXT places[4] = {{0, 0.5F}, {0.5F, 0}, {0.25F, 0.25F}, {0.75F, 0.75F}};
  auto locations = vkStruct<VkPipelineSampleLocationsStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
  locations.sampleLocationsEnable = VK_TRUE;
  locations.sampleLocationsInfo.sampleLocationsCount = 4;
  locations.sampleLocationsInfo.pSampleLocations = places;
  p.samples.pNext = &locations;
  const GraphicsState whole = graphicsStateOf(p.info, allSubsets);
  EXPECT_TRUE(whole.isComplete());
  EXPECT_TRUE(whole.fixed.raster.conservativeOverestimate);
  EXPECT_TRUE(whole.fixed.hasSampleLocations);
  EXPECT_EQ(whole.fixed.raster.samples, 4u);
  EXPECT_EQ(whole.fixed.depthStencil.depthCompare, CompareOp::Greater);
  std::array<unsigned, 4> order = {0, 1, 2, 3};
  do {
    GraphicsState merged, taken;
    for (unsigned i : order) {
      EXPECT_FALSE(merged.isComplete());
      merged.merge(graphicsStateOf(p.info, each[i]));
      taken.merge(whole, each[i]);
    }
    EXPECT_TRUE(merged.isComplete());
    expectSame(merged, whole);
    expectSame(taken, whole);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(GraphicsState, MergingKeepsWhatIsThere) {
  PipelineInfo p;
  GraphicsState state = graphicsStateOf(p.info, vertexInputSubset);
  p.inputAssembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  state.merge(graphicsStateOf(p.info, vertexInputSubset | fragmentOutputSubset));
  EXPECT_EQ(state.fixed.topology, PrimitiveTopology::LineStrip);
  EXPECT_EQ(state.subsets, vertexInputSubset | fragmentOutputSubset);
}

// A library is told less, and the rest may be anything.
TEST(GraphicsState, OtherSubsetsAreNotLookedAt) {
  for (Subsets subset : each) {
    PipelineInfo p;
    if (subset != vertexInputSubset) {
      p.info.pVertexInputState = dangling<VkPipelineVertexInputStateCreateInfo>();
      p.info.pInputAssemblyState = dangling<VkPipelineInputAssemblyStateCreateInfo>();
    }
    if (subset != preRasterizationSubset) {
      p.info.pViewportState = dangling<VkPipelineViewportStateCreateInfo>();
      p.info.pRasterizationState = dangling<VkPipelineRasterizationStateCreateInfo>();
      p.info.pTessellationState = dangling<VkPipelineTessellationStateCreateInfo>();
    }
    if (subset != fragmentShaderSubset)
      p.info.pDepthStencilState = dangling<VkPipelineDepthStencilStateCreateInfo>();
    if (subset != fragmentOutputSubset) {
      p.info.pColorBlendState = dangling<VkPipelineColorBlendStateCreateInfo>();
      p.rendering.pColorAttachmentFormats = dangling<VkFormat>();
    }
    if (subset == vertexInputSubset || subset == fragmentOutputSubset)
      p.info.pStages = dangling<VkPipelineShaderStageCreateInfo>();
    if (subset == vertexInputSubset || subset == preRasterizationSubset)
      p.info.pMultisampleState = dangling<VkPipelineMultisampleStateCreateInfo>();
    const GraphicsState state = graphicsStateOf(p.info, subset);
    EXPECT_EQ(state.dynamic.has(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY), subset == vertexInputSubset);
    EXPECT_EQ(state.dynamic.has(VK_DYNAMIC_STATE_SCISSOR), subset == preRasterizationSubset);
    EXPECT_EQ(state.dynamic.has(VK_DYNAMIC_STATE_STENCIL_REFERENCE),
              subset == fragmentShaderSubset);
    EXPECT_EQ(state.dynamic.has(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT),
              subset == fragmentOutputSubset);
  }
}

TEST(GraphicsState, SamplesOfFragmentShaders) {
  PipelineInfo p;
  EXPECT_TRUE(graphicsStateOf(p.info, fragmentShaderSubset).knowsSamples);
  p.dynamicList[0] = VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT;
  EXPECT_FALSE(graphicsStateOf(p.info, fragmentShaderSubset).knowsSamples);
  p.info.pMultisampleState = nullptr; // no sample shading, dynamic rendering
  const GraphicsState state = graphicsStateOf(p.info, fragmentShaderSubset);
  EXPECT_FALSE(state.knowsSamples);
  EXPECT_FALSE(state.rsState.perSampleShading);
  EXPECT_TRUE(state.fixed.depthStencil.depthTest);
}

/// Code takes the number of control points then; it is made for some stream, whatever the create
/// info says.
TEST(GraphicsState, CompiledStateThatIsDynamic) {
  PipelineInfo p;
  p.stages[1].stage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  auto tessellation = vkStruct<VkPipelineTessellationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
  auto stream = vkStruct<VkPipelineRasterizationStateStreamCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
  p.info.pTessellationState = &tessellation;
  p.raster.pNext = &stream;
  auto fixed = [&] { return graphicsStateOf(p.info, preRasterizationSubset).fixed; };
  auto assembly = [&] {
    llpc::GraphicsPipelineBuildInfo build;
    setCompilerState(build, graphicsStateOf(p.info, preRasterizationSubset));
    return build.iaState;
  };
  tessellation.patchControlPoints = 99;
  stream.rasterizationStream = 77;
  EXPECT_EQ(fixed().patchControlPoints, 99u); // the compiler refuses it
  EXPECT_EQ(fixed().rasterizationStream, 77u);
  EXPECT_FALSE(assembly().dynamicPatchControlPoints);
  p.dynamicList[0] = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
  p.dynamicList[1] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
  EXPECT_EQ(fixed().rasterizationStream, 0u);
  for (uint32_t points : {99, 32}) {
    tessellation.patchControlPoints = points;
    EXPECT_TRUE(assembly().dynamicPatchControlPoints);
    EXPECT_EQ(assembly().patchControlPoints, 0u);
  }
  stream.rasterizationStream = 3;
  EXPECT_EQ(fixed().rasterizationStream, 3u);
  p.stages[1].stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  EXPECT_FALSE(assembly().dynamicPatchControlPoints); // nobody has any
}

/// A stream is of geometry shaders, and of the subset with them.
TEST(GraphicsState, RasterizationStreams) {
  PipelineInfo p;
  auto stream = vkStruct<VkPipelineRasterizationStateStreamCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
  stream.rasterizationStream = 2;
  p.raster.pNext = &stream;
  auto compiled = [&] {
    GraphicsState state = graphicsStateOf(p.info, fragmentOutputSubset);
    state.merge(graphicsStateOf(p.info, preRasterizationSubset));
    llpc::GraphicsPipelineBuildInfo build;
    setCompilerState(build, state);
    return build.rsState.rasterStream;
  };
  EXPECT_EQ(compiled(), 0u);
  p.stages[1].stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  EXPECT_EQ(compiled(), 2u);
}

TEST(GraphicsState, VariantsAreOfDynamicStateWithItsShaders) {
  PipelineInfo p;
  DrawState draw;
  draw.rasterizationStream = 2;
  auto state = [&] { return graphicsStateOf(p.info, preRasterizationSubset); };
  p.dynamicList[0] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
  EXPECT_FALSE(hasVariants(state()));
  EXPECT_EQ(compiledStateOf(state(), draw), CompiledState());
  p.stages[1].stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  EXPECT_TRUE(hasVariants(state()));
  EXPECT_EQ(compiledStateOf(state(), draw), (CompiledState{{.rasterizationStream = 2}, {}}));
  p.dynamicList[0] = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT;
  draw.raster.provokingVertexLast = draw.lowerLeftOrigin = true;
  EXPECT_EQ(compiledStateOf(state(), draw), (CompiledState{{.provokingVertexLast = true}, {}}));
  p.dynamicList[0] = VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
  EXPECT_FALSE(hasVariants(state()));
  p.stages[1].stage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  EXPECT_EQ(compiledStateOf(state(), draw), (CompiledState{{.lowerLeftOrigin = true}, {}}));
  p.dynamicList[0] = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT;
  EXPECT_FALSE(hasVariants(state())); // without a fragment shader, which may read PrimitiveId
  p.dynamicList[0] = VK_DYNAMIC_STATE_LINE_WIDTH;
  EXPECT_FALSE(hasVariants(state()));
}

/// What is not dynamic is the pipeline's; what is, is made for one value whatever it says.
TEST(GraphicsState, VariantsKeepWhatIsNotDynamic) {
  PipelineInfo p;
  p.stages[1].stage = VK_SHADER_STAGE_GEOMETRY_BIT;
  auto provoking = vkStruct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
  p.raster.pNext = &provoking;
  auto state = [&] { return graphicsStateOf(p.info, preRasterizationSubset); };
  DrawState draw;
  draw.rasterizationStream = 1;
  p.dynamicList[0] = VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT;
  EXPECT_EQ(compiledStateOf(state(), draw),
            (CompiledState{{.rasterizationStream = 1, .provokingVertexLast = true}, {}}));
  EXPECT_TRUE(state().fixed.raster.provokingVertexLast);
  p.dynamicList[0] = VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT;
  EXPECT_EQ(compiledStateOf(state(), draw), CompiledState());
  EXPECT_FALSE(state().fixed.raster.provokingVertexLast);
}

TEST(GraphicsState, NothingBehindTheRasteriserIsComplete) {
  PipelineInfo p;
  p.raster.rasterizerDiscardEnable = VK_TRUE;
  GraphicsState state = graphicsStateOf(p.info, preRasterizationSubset);
  EXPECT_FALSE(state.isComplete());
  state.merge(graphicsStateOf(p.info, vertexInputSubset));
  EXPECT_TRUE(state.isComplete());
  p.dynamicList[0] = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
  EXPECT_FALSE(graphicsStateOf(p.info, vertexInputSubset | preRasterizationSubset).isComplete());
}

TEST(Memo, ManyThreadsAddAndFind) {
  Memo<unsigned, unsigned> memo;
  EXPECT_EQ(memo.find(1), nullptr);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (unsigned i = 0; i < 200; ++i) {
        const unsigned key = 4 * i + thread;
        EXPECT_EQ(*memo.add(key, key + 1), key + 1);
        const unsigned *found = memo.find(key);
        EXPECT_TRUE(found && *found == key + 1);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned key = 0; key < 800; ++key)
    EXPECT_EQ(*memo.find(key), key + 1);
  EXPECT_EQ(memo.find(800), nullptr);
}

} // namespace
} // namespace icd
