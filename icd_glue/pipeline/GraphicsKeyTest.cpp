//===- GraphicsKeyTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
// Everything that changes code changes the key, and what Vulkan ignores does not.
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/pipeline/KeysForTest.h"
#include "icd_glue/state/GraphicsState.h"
#include "llpc/Hasher.h"
#include "test/vulkan/GraphicsInfo.h"
#include <functional>

namespace icd {
namespace {

/// A pipeline with everything set.
struct Graphics : vktest::GraphicsInfo {
  Graphics(VkShaderModule vertex, VkShaderModule fragment) {
    addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 8, VK_VERTEX_INPUT_RATE_INSTANCE}};
    attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 4}};
    samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    addTarget(VK_FORMAT_R16G16B16A16_SFLOAT);
    rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
  }
};

class GraphicsKeys : public Keys {
protected:
  using Change = std::function<void(Graphics &)>;
  void SetUp() override {
    Keys::SetUp();
    vertex = module(shader("vert"));
    fragment = module(shader("frag"));
    base = key([](Graphics &) {});
    ASSERT_TRUE(base);
  }
  Key key(const Change &change) {
    Graphics graphics(vertex, fragment);
    change(graphics);
    const VkGraphicsPipelineCreateInfo &info = graphics.done();
    return pipelineKeyOf(object(), info, graphicsStateOf(info, allSubsets),
                         *PipelineLayoutData::create({}, 0));
  }
  void changes(const char *what, const Change &change) { EXPECT_NE(key(change), base) << what; }
  void keeps(const char *what, const Change &change) { EXPECT_EQ(key(change), base) << what; }
  /// \p change does nothing where \p first does.
  void ignored(const char *what, const Change &first, const Change &change) {
    EXPECT_EQ(key([&](Graphics &g) {
                first(g);
                change(g);
              }),
              key(first))
        << what;
  }

  VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  Key base;
};

TEST_F(GraphicsKeys, ShadersCount) {
  changes("vertex shader", [&](Graphics &g) { g.stages[0].module = module(shader("vert", 2)); });
  changes("fragment shader", [&](Graphics &g) { g.stages[1].module = module(shader("frag", 2)); });
  changes("entry point", [&](Graphics &g) { g.stages[1].pName = "other"; });
  changes("no fragment shader", [](Graphics &g) { g.info.stageCount = 1; });
  keeps("order", [](Graphics &g) { std::swap(g.stages[0], g.stages[1]); });
  changes("optimisation",
          [](Graphics &g) { g.info.flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT; });
}

TEST_F(GraphicsKeys, ViewIndexOfTheDeviceCountsWithViews) {
  const Change fromDevice = [](Graphics &g) {
    g.info.flags = VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
  };
  const Change views = [](Graphics &g) { g.rendering.viewMask = 3; };
  keeps("one view", fromDevice);
  EXPECT_NE(key(views), key([&](Graphics &g) {
              views(g);
              fromDevice(g);
            }));
}

TEST_F(GraphicsKeys, VertexInput) {
  changes("stride", [](Graphics &g) { g.bindings[0].stride = 32; });
  changes("rate", [](Graphics &g) { g.bindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE; });
  changes("number", [](Graphics &g) { g.bindings[0].binding = 5; });
  changes("location", [](Graphics &g) { g.attributes[1].location = 3; });
  changes("binding", [](Graphics &g) { g.attributes[1].binding = 0; });
  changes("format", [](Graphics &g) { g.attributes[1].format = VK_FORMAT_R8G8_UNORM; });
  changes("offset", [](Graphics &g) { g.attributes[1].offset = 0; });
  changes("fewer", [](Graphics &g) { g.input.vertexAttributeDescriptionCount = 1; });
  const VkVertexInputBindingDivisorDescription divisor = {1, 3};
  auto divisors = vkStruct<VkPipelineVertexInputDivisorStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO);
  divisors.vertexBindingDivisorCount = 1;
  divisors.pVertexBindingDivisors = &divisor;
  changes("divisor", [&](Graphics &g) { g.input.pNext = &divisors; });
  const Change dynamicStride = [](Graphics &g) {
    g.dynamics = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
  };
  changes("dynamic stride", dynamicStride);
  ignored("stride that is dynamic", dynamicStride, [](Graphics &g) { g.bindings[0].stride = 32; });
}

TEST_F(GraphicsKeys, Rasterization) {
  changes("topology", [](Graphics &g) { g.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; });
  keeps("strip", [](Graphics &g) { g.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP; });
  keeps("dynamic topology",
        [](Graphics &g) { g.dynamics = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY}; });
  keeps("depth clamp", [](Graphics &g) { g.raster.depthClampEnable = true; });
  changes("samples", [](Graphics &g) { g.samples.rasterizationSamples = VK_SAMPLE_COUNT_2_BIT; });
  changes("sample shading", [](Graphics &g) {
    g.samples.sampleShadingEnable = true;
    g.samples.minSampleShading = 1;
  });
  keeps("sample shading of one", [](Graphics &g) {
    g.samples.sampleShadingEnable = true;
    g.samples.minSampleShading = 0.1f;
  });
  changes("dynamic samples",
          [](Graphics &g) { g.dynamics = {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT}; });
  auto provoking = vkStruct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
  changes("provoking vertex", [&](Graphics &g) { g.raster.pNext = &provoking; });
  changes("view mask", [](Graphics &g) { g.rendering.viewMask = 3; });
  const Change discard = [](Graphics &g) { g.raster.rasterizerDiscardEnable = true; };
  changes("discard", discard);
  ignored("fragment shader behind discard", discard,
          [&](Graphics &g) { g.stages[1].module = module(shader("frag", 2)); });
  ignored("targets behind discard", discard, [](Graphics &g) {
    g.formats[0] = VK_FORMAT_R32_SFLOAT;
    g.samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  });
}

TEST_F(GraphicsKeys, Targets) {
  changes("format", [](Graphics &g) { g.formats[1] = VK_FORMAT_R32_SFLOAT; });
  changes("count", [](Graphics &g) { g.rendering.colorAttachmentCount = 1; });
  changes("mask", [](Graphics &g) { g.attachments[0].colorWriteMask = 7; });
  keeps("format that is exported alike",
        [](Graphics &g) { g.formats[1] = VK_FORMAT_B8G8R8A8_SRGB; });
  keeps("blending of what is exported alike",
        [](Graphics &g) { g.attachments[1].blendEnable = true; });
  changes("alpha to coverage", [](Graphics &g) { g.samples.alphaToCoverageEnable = true; });
  // The hardware blends no 16 bits of fixed point.
  const Change fixedPoint = [](Graphics &g) { g.formats[1] = VK_FORMAT_R16G16B16A16_UNORM; };
  EXPECT_NE(key(fixedPoint), key([&](Graphics &g) {
              fixedPoint(g);
              g.attachments[1].blendEnable = true;
            }));
  // Without alpha of its own a target has it exported where the equation asks for it.
  const Change withoutAlpha = [](Graphics &g) {
    g.formats[1] = VK_FORMAT_B10G11R11_UFLOAT_PACK32;
    g.attachments[1].blendEnable = true;
  };
  EXPECT_NE(key(withoutAlpha), key([&](Graphics &g) {
              withoutAlpha(g);
              g.attachments[1].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
            }));
  EXPECT_NE(key(withoutAlpha), key([&](Graphics &g) {
              withoutAlpha(g);
              g.dynamics = {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT};
            }));
  const Change blended = [](Graphics &g) { g.attachments[0].blendEnable = true; };
  EXPECT_EQ(key(blended), key([&](Graphics &g) {
              blended(g);
              g.attachments[0].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
            }));
  ignored("factors that need nothing of the shader", blended, [](Graphics &g) {
    g.attachments[0].srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
    g.attachments[0].colorBlendOp = VK_BLEND_OP_MAX;
  });
  keeps("factors without blending",
        [](Graphics &g) { g.attachments[0].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA; });
  const Change one = [](Graphics &g) {
    g.rendering.colorAttachmentCount = g.blend.attachmentCount = 1;
    g.attachments[0].blendEnable = true;
  };
  EXPECT_NE(key(one), key([&](Graphics &g) {
              one(g);
              g.attachments[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
            }));
}

TEST_F(GraphicsKeys, FixedFunctionDoesNotCount) {
  keeps("viewport", [](Graphics &g) { g.viewport.width = 100; });
  keeps("scissor", [](Graphics &g) { g.scissor.extent.width = 3; });
  keeps("culling", [](Graphics &g) { g.raster.cullMode = VK_CULL_MODE_BACK_BIT; });
  keeps("front face", [](Graphics &g) { g.raster.frontFace = VK_FRONT_FACE_CLOCKWISE; });
  keeps("polygon mode", [](Graphics &g) { g.raster.polygonMode = VK_POLYGON_MODE_LINE; });
  keeps("line width", [](Graphics &g) { g.raster.lineWidth = 4; });
  keeps("bias", [](Graphics &g) { g.raster.depthBiasEnable = true; });
  keeps("depth", [](Graphics &g) {
    g.depth.depthTestEnable = g.depth.depthWriteEnable = true;
    g.depth.depthCompareOp = VK_COMPARE_OP_LESS;
  });
  keeps("stencil", [](Graphics &g) { g.depth.stencilTestEnable = true; });
  keeps("depth format",
        [](Graphics &g) { g.rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM; });
  keeps("restart", [](Graphics &g) { g.assembly.primitiveRestartEnable = true; });
  keeps("constants", [](Graphics &g) { g.blend.blendConstants[0] = 1; });
  keeps("logic op", [](Graphics &g) { g.blend.logicOpEnable = true; });
  keeps("dynamic fixed function", [](Graphics &g) {
    g.dynamics = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_CULL_MODE,
                  VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE};
  });
  keeps("samples that are not looked at", [](Graphics &g) {
    const VkSampleMask mask = 1;
    g.samples.pSampleMask = &mask;
    g.samples.pSampleMask = nullptr;
    g.samples.alphaToOneEnable = true;
  });
}

/// What a library has no subset for may dangle.
TEST_F(GraphicsKeys, LibrariesWithoutShadersHaveNoStagesAndNoLayout) {
  Graphics graphics(vertex, fragment);
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  VkGraphicsPipelineCreateInfo info = graphics.done();
  library.pNext = const_cast<void *>(info.pNext);
  info.pNext = &library;
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  auto ask = vkStruct<VkPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR);
  ask.pNext = &info;
  for (VkGraphicsPipelineLibraryFlagsEXT flags : {vertexInputSubset, fragmentOutputSubset}) {
    library.flags = flags;
    VkPipelineBinaryKeyKHR keys[2] = {};
    EXPECT_EQ(GetPipelineKeyKHR(device, &ask, &keys[0]), VK_SUCCESS);
    const auto kept = info;
    const uintptr_t nowhere = 8;
    info.layout = reinterpret_cast<VkPipelineLayout>(nowhere);
    info.pStages = reinterpret_cast<const VkPipelineShaderStageCreateInfo *>(nowhere);
    EXPECT_EQ(GetPipelineKeyKHR(device, &ask, &keys[1]), VK_SUCCESS);
    EXPECT_EQ(hashOf(keys[0].key), hashOf(keys[1].key));
    info = kept;
  }
}

} // namespace
} // namespace icd
