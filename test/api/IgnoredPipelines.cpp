// SPDX-License-Identifier: MIT
// Creation of pipelines: state that other state makes meaningless.
#include "Binaries.h"
#include "Ignored.h"
#include "LibraryScene.h"
#include <array>

namespace api {
namespace {

using vktest::GraphicsInfo;

//===--- Colours ----------------------------------------------------------===//

/// A render pass whose subpass has eight references and uses none.
VkRenderPass unusedColors(Gpu &gpu) {
  std::array<VkAttachmentReference2, 8> references;
  for (VkAttachmentReference2 &reference : references) {
    reference = vkStruct<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
    reference.attachment = VK_ATTACHMENT_UNUSED;
    reference.layout = VK_IMAGE_LAYOUT_GENERAL;
  }
  auto subpass = vkStruct<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
  subpass.colorAttachmentCount = references.size();
  subpass.pColorAttachments = references.data();
  auto info = vkStruct<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  VkRenderPass made = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateRenderPass2(gpu.device, &info, nullptr, &made));
  gpu.destroyLater(made);
  return made;
}

void blendWithoutColors(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  for (bool isDynamic : {true, false}) {
    GraphicsInfo graphics(Canvas::side);
    canvas.addShaders(graphics);
    graphics.formats = {VK_FORMAT_UNDEFINED, VK_FORMAT_UNDEFINED, VK_FORMAT_UNDEFINED};
    graphics.done();
    if (!isDynamic) {
      graphics.info.renderPass = unusedColors(gpu);
      graphics.rendering.pColorAttachmentFormats = garbage<const VkFormat *>();
    }
    graphics.info.pColorBlendState = garbage<const VkPipelineColorBlendStateCreateInfo *>();
    graphics.info.pDepthStencilState = garbage<const VkPipelineDepthStencilStateCreateInfo *>();
    gpu.pipeline(graphics.info);
  }
}

/// Another render pass says it all.
void formatsBesideARenderPass(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.done();
  graphics.info.renderPass = gpu.renderPass(Canvas::format);
  graphics.rendering.colorAttachmentCount = 3;
  graphics.rendering.pColorAttachmentFormats = garbage<const VkFormat *>();
  graphics.rendering.viewMask = 0xFF;
  auto resolve = vktest::vkStruct<VkCustomResolveCreateInfoEXT>(
      VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
  resolve.customResolve = VK_TRUE;
  resolve.colorAttachmentCount = 3;
  resolve.pColorAttachmentFormats = garbage<const VkFormat *>();
  if (gpu.hasExtension(VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME))
    graphics.rendering.pNext = &resolve;
  gpu.pipeline(graphics.info);
}

//===--- Rasterisation ----------------------------------------------------===//

void viewportsThatAreDynamic(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  for (bool withCount : {false, true}) {
    GraphicsInfo graphics(Canvas::side);
    canvas.addShaders(graphics);
    if (withCount) {
      graphics.dynamics = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                           VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
      graphics.viewports.viewportCount = graphics.viewports.scissorCount = 0;
    } else {
      graphics.dynamics = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    }
    graphics.done();
    graphics.viewports.pViewports = garbage<const VkViewport *>();
    graphics.viewports.pScissors = garbage<const VkRect2D *>();
    canvas.expectGreen(gpu.pipeline(graphics.info), [&](VkCommandBuffer c) {
      if (withCount) {
        gpu.vk.CmdSetViewportWithCount(c, 1, &graphics.viewport);
        gpu.vk.CmdSetScissorWithCount(c, 1, &graphics.scissor);
      } else {
        gpu.vk.CmdSetViewport(c, 0, 1, &graphics.viewport);
        gpu.vk.CmdSetScissor(c, 0, 1, &graphics.scissor);
      }
    });
  }
}

void vertexInputThatIsDynamic(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME))
    GTEST_SKIP();
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.dynamics = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  graphics.done();
  graphics.info.pVertexInputState = garbage<const VkPipelineVertexInputStateCreateInfo *>();
  canvas.expectGreen(gpu.pipeline(graphics.info), [&](VkCommandBuffer c) {
    gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
  });
}

void rectanglesThatAreDynamic(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME))
    GTEST_SKIP();
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.dynamics = {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT};
  auto rectangles = vkStruct<VkPipelineDiscardRectangleStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
  rectangles.discardRectangleCount = 2;
  rectangles.pDiscardRectangles = garbage<const VkRect2D *>();
  graphics.info.pNext = &rectangles;
  const VkRect2D all[] = {{{0, 0}, {Canvas::side, Canvas::side}}, {}};
  canvas.expectGreen(gpu.pipeline(graphics.done()),
                     [&](VkCommandBuffer c) { gpu.vk.CmdSetDiscardRectangleEXT(c, 0, 2, all); });
}

void everythingBehindDiscard(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.raster.rasterizerDiscardEnable = VK_TRUE;
  graphics.done();
  graphics.info.pViewportState = garbage<const VkPipelineViewportStateCreateInfo *>();
  graphics.info.pMultisampleState = garbage<const VkPipelineMultisampleStateCreateInfo *>();
  graphics.info.pDepthStencilState = garbage<const VkPipelineDepthStencilStateCreateInfo *>();
  graphics.info.pColorBlendState = garbage<const VkPipelineColorBlendStateCreateInfo *>();
  graphics.rendering.pColorAttachmentFormats = garbage<const VkFormat *>();
  const VkPipeline pipeline = gpu.pipeline(graphics.info);
  canvas.expect(0, [&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
  });
}

void sampleLocationsThatAreOff(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME))
    GTEST_SKIP();
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  auto locations = vkStruct<VkPipelineSampleLocationsStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
  locations.sampleLocationsInfo.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT;
  locations.sampleLocationsInfo.sampleLocationsCount = 4;
  locations.sampleLocationsInfo.pSampleLocations = garbage<const VkSampleLocationEXT *>();
  graphics.samples.pNext = &locations;
  canvas.expectGreen(gpu.pipeline(graphics.done()));
}

//===--- Shaders and bases ------------------------------------------------===//

void basesWithoutDerivatives(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.done();
  graphics.info.basePipelineHandle = garbage<VkPipeline>();
  graphics.info.basePipelineIndex = 77;
  // Neither stage of tessellation is there.
  graphics.info.pTessellationState = garbage<const VkPipelineTessellationStateCreateInfo *>();
  canvas.expectGreen(gpu.pipeline(graphics.info));
  ComputeCase compute(gpu);
  VkComputePipelineCreateInfo &info = compute.info(3);
  info.basePipelineHandle = garbage<VkPipeline>();
  info.basePipelineIndex = 77;
  const VkPipeline pipeline = create(gpu, info);
  EXPECT_TRUE(compute.works(pipeline, 3));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

void raysWithoutABase(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME))
    GTEST_SKIP();
  auto stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  stage.stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR;
  stage.module = gpu.module(R"(#version 460
#extension GL_EXT_ray_tracing : require
void main() {})",
                            "rgen");
  stage.pName = "main";
  auto group = vkStruct<VkRayTracingShaderGroupCreateInfoKHR>(
      VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR);
  group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
  group.closestHitShader = group.anyHitShader = group.intersectionShader = VK_SHADER_UNUSED_KHR;
  // Handles are not replayed.
  group.pShaderGroupCaptureReplayHandle = garbage<const void *>();
  auto info = vkStruct<VkRayTracingPipelineCreateInfoKHR>(
      VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR);
  info.stageCount = info.groupCount = 1;
  info.pStages = &stage;
  info.pGroups = &group;
  info.layout = gpu.pipelineLayout({});
  info.basePipelineHandle = garbage<VkPipeline>();
  info.basePipelineIndex = 77;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateRayTracingPipelinesKHR(gpu.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info,
                                            nullptr, &pipeline));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

void arraysOfNothing(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  const VkSpecializationInfo nothing = {0, garbage<const VkSpecializationMapEntry *>(), 0,
                                        garbage<const void *>()};
  auto cacheInfo =
      vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  cacheInfo.pInitialData = garbage<const void *>();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &cacheInfo, nullptr, &cache));
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.stages[0].pSpecializationInfo = &nothing;
  graphics.done();
  graphics.input.pVertexBindingDescriptions = garbage<const VkVertexInputBindingDescription *>();
  graphics.input.pVertexAttributeDescriptions =
      garbage<const VkVertexInputAttributeDescription *>();
  graphics.dynamic.pDynamicStates = garbage<const VkDynamicState *>();
  const VkPipeline pipeline = create(gpu, graphics.info, cache);
  canvas.expectGreen(pipeline);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

void vertexInputOfMeshShaders(Gpu &gpu, unsigned device) {
  if (!gpu.hasExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_mesh_shader";
  auto features = vkStruct<VkPhysicalDeviceMeshShaderFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
  Gpu own(device, &features); // which enables what there is of them
  Canvas canvas(own);
  GraphicsInfo graphics(Canvas::side);
  graphics.addStage(VK_SHADER_STAGE_MESH_BIT_EXT, own.module(R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() {
  SetMeshOutputsEXT(3, 1);
  uint i = gl_LocalInvocationIndex;
  gl_MeshVerticesEXT[i].gl_Position = vec4(vec2(i & 2, i << 1 & 2) * 2.0 - 1.0, 0.5, 1);
  if (i == 0)
    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
})",
                                                             "mesh"));
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, canvas.fragment);
  graphics.info.layout = canvas.layout;
  graphics.done();
  graphics.info.pVertexInputState = garbage<const VkPipelineVertexInputStateCreateInfo *>();
  graphics.info.pInputAssemblyState = garbage<const VkPipelineInputAssemblyStateCreateInfo *>();
  const VkPipeline pipeline = own.pipeline(graphics.info);
  canvas.expect(Canvas::green, [&](VkCommandBuffer c) {
    own.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    own.vk.CmdDrawMeshTasksEXT(c, 1, 1, 1);
  });
}

//===--- Libraries --------------------------------------------------------===//

/// Makes garbage of what is no state of \p own. What libraryInfo and rendering are chained to
/// stays.
void spoilOthers(VkGraphicsPipelineCreateInfo &info, VkPipelineRenderingCreateInfo &rendering,
                 Subsets own) {
  if (!(own & vertexInput)) {
    info.pVertexInputState = garbage<const VkPipelineVertexInputStateCreateInfo *>();
    info.pInputAssemblyState = garbage<const VkPipelineInputAssemblyStateCreateInfo *>();
  }
  if (!(own & preRasterization)) {
    info.pTessellationState = garbage<const VkPipelineTessellationStateCreateInfo *>();
    info.pViewportState = garbage<const VkPipelineViewportStateCreateInfo *>();
    info.pRasterizationState = garbage<const VkPipelineRasterizationStateCreateInfo *>();
  }
  if (!(own & fragmentShader))
    info.pDepthStencilState = garbage<const VkPipelineDepthStencilStateCreateInfo *>();
  if (!(own & (fragmentShader | fragmentOutput)))
    info.pMultisampleState = garbage<const VkPipelineMultisampleStateCreateInfo *>();
  if (!(own & fragmentOutput)) {
    info.pColorBlendState = garbage<const VkPipelineColorBlendStateCreateInfo *>();
    rendering.colorAttachmentCount = 3;
    rendering.pColorAttachmentFormats = garbage<const VkFormat *>();
    rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
  }
  if (!(own & (preRasterization | fragmentShader))) {
    info.stageCount = 0;
    info.pStages = garbage<const VkPipelineShaderStageCreateInfo *>();
    info.layout = garbage<VkPipelineLayout>();
    rendering.viewMask = 5;
  }
  if (own == vertexInput) {
    info.renderPass = garbage<VkRenderPass>();
    info.subpass = 77;
  }
}

void otherSubsetsOfLibraries(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
    GTEST_SKIP();
  if (!gpu.isKiln())
    GTEST_SKIP()
        << "since VK_EXT_extended_dynamic_state3 some of the pointers must be null or valid";
  Canvas canvas(gpu);
  std::vector<VkPipeline> libraries;
  for (Subsets own : {vertexInput, preRasterization, fragmentShader, fragmentOutput}) {
    GraphicsInfo graphics(Canvas::side);
    if (own == preRasterization)
      graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, canvas.vertex);
    if (own == fragmentShader)
      graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, canvas.fragment);
    auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    library.flags = own;
    graphics.info.pNext = &library;
    graphics.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    graphics.info.layout = canvas.layout;
    graphics.done();
    spoilOthers(graphics.info, graphics.rendering, own);
    libraries.push_back(gpu.pipeline(graphics.info));
  }
  auto link =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  link.libraryCount = static_cast<uint32_t>(libraries.size());
  link.pLibraries = libraries.data();
  auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &link);
  info.layout = canvas.layout;
  canvas.expectGreen(gpu.pipeline(info));
}

//===--- Binaries ---------------------------------------------------------===//

/// A pipeline of \p info, and the same out of its binaries with handles of modules that are gone.
template <typename Info>
VkPipeline fromBinaries(Gpu &gpu, Info info,
                        const std::vector<VkPipelineShaderStageCreateInfo *> &stages) {
  auto flags = captureData();
  flags.pNext = info.pNext;
  flags.flags |= info.flags;
  const void *const chain = info.pNext;
  info.pNext = &flags;
  const VkPipeline first = create(gpu, info);
  Binaries binaries(gpu);
  VK_OK(binaries.fromPipeline(first));
  gpu.vk.DestroyPipeline(gpu.device, first, nullptr);
  VkPipelineBinaryInfoKHR list = binaries.info();
  list.pNext = chain;
  info.pNext = &list;
  for (VkPipelineShaderStageCreateInfo *stage : stages)
    stage->module = garbage<VkShaderModule>();
  const VkPipeline second = create(gpu, info);
  gpu.destroyLater(second);
  return second;
}

void modulesBesideBinaries(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP();
  Canvas canvas(gpu);
  GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  canvas.expectGreen(
      fromBinaries(gpu, graphics.done(), {&graphics.stages[0], &graphics.stages[1]}));
  if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
    return;
  // A library keeps its modules in its binaries.
  GraphicsInfo shaders(Canvas::side);
  canvas.addShaders(shaders);
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  library.flags = everything;
  shaders.info.pNext = &library;
  shaders.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  const VkPipeline deserialized =
      fromBinaries(gpu, shaders.done(), {&shaders.stages[0], &shaders.stages[1]});
  auto link =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  link.libraryCount = 1;
  link.pLibraries = &deserialized;
  auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &link);
  info.layout = canvas.layout;
  canvas.expectGreen(gpu.pipeline(info));
}

} // namespace

std::vector<IgnoredCase> ignoredByPipelines() {
  return {
      {"BlendWithoutColors",
       "VkGraphicsPipelineCreateInfo::pColorBlendState "
       "VkPipelineRenderingCreateInfo::pColorAttachmentFormats",
       blendWithoutColors},
      {"FormatsBesideARenderPass",
       "VkPipelineRenderingCreateInfo::pColorAttachmentFormats "
       "VkCustomResolveCreateInfoEXT::pColorAttachmentFormats",
       formatsBesideARenderPass},
      {"ViewportsThatAreDynamic",
       "VkPipelineViewportStateCreateInfo::pViewports VkPipelineViewportStateCreateInfo::pScissors",
       viewportsThatAreDynamic},
      {"EverythingBehindDiscard",
       "VkGraphicsPipelineCreateInfo::pViewportState "
       "VkGraphicsPipelineCreateInfo::pMultisampleState "
       "VkGraphicsPipelineCreateInfo::pDepthStencilState "
       "VkGraphicsPipelineCreateInfo::pColorBlendState",
       everythingBehindDiscard},
      {"VertexInputThatIsDynamic", "VkGraphicsPipelineCreateInfo::pVertexInputState",
       vertexInputThatIsDynamic},
      {"RectanglesThatAreDynamic",
       "VkPipelineDiscardRectangleStateCreateInfoEXT::pDiscardRectangles",
       rectanglesThatAreDynamic},
      {"SampleLocationsThatAreOff", "VkSampleLocationsInfoEXT::pSampleLocations",
       sampleLocationsThatAreOff},
      {"BasesWithoutDerivatives",
       "VkGraphicsPipelineCreateInfo::basePipelineHandle "
       "VkComputePipelineCreateInfo::basePipelineHandle "
       "VkGraphicsPipelineCreateInfo::pTessellationState",
       basesWithoutDerivatives},
      {"RaysWithoutABase", "VkRayTracingPipelineCreateInfoKHR::basePipelineHandle",
       raysWithoutABase},
      {"ArraysOfNothing", "VkSpecializationInfo::pData VkPipelineCacheCreateInfo::pInitialData",
       arraysOfNothing},
      {"VertexInputOfMeshShaders",
       "VkGraphicsPipelineCreateInfo::pVertexInputState "
       "VkGraphicsPipelineCreateInfo::pInputAssemblyState",
       vertexInputOfMeshShaders},
      {"OtherSubsetsOfLibraries",
       "VkGraphicsPipelineCreateInfo::pStages VkGraphicsPipelineCreateInfo::layout "
       "VkGraphicsPipelineCreateInfo::renderPass VkGraphicsPipelineCreateInfo::pRasterizationState",
       otherSubsetsOfLibraries},
      {"ModulesBesideBinaries", "VkPipelineShaderStageCreateInfo::module", modulesBesideBinaries},
  };
}

} // namespace api
