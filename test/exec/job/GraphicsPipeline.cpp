//===- GraphicsPipeline.cpp - attachments and pipeline of draws ---------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>

using llvm::Error;
using llvm::Expected;

namespace exec {

VkFormat JobObjects::formatOf(const AttachmentSpec &spec) const {
  return spec.format == VK_FORMAT_UNDEFINED ? job.images[spec.image].format : spec.format;
}

VkSampleCountFlagBits JobObjects::sampleCount() const {
  const GraphicsSpec &spec = *job.graphics;
  if (static_cast<uint32_t>(spec.multisample.rasterizationSamples))
    return spec.multisample.rasterizationSamples;
  for (const AttachmentSpec &color : spec.colors)
    return job.images[color.image].samples;
  if (spec.depth || spec.stencil)
    return job.images[(spec.depth ? spec.depth : spec.stencil)->image].samples;
  return VK_SAMPLE_COUNT_1_BIT;
}

std::vector<VkFormat> JobObjects::colorFormats() const {
  std::vector<VkFormat> formats;
  for (const AttachmentSpec &color : job.graphics->colors) {
    formats.resize(std::max<size_t>(formats.size(), color.location + 1), VK_FORMAT_UNDEFINED);
    formats[color.location] = formatOf(color);
  }
  return formats;
}

Expected<VkImageView> JobObjects::attachmentView(const AttachmentSpec &spec, uint32_t image,
                                                 VkImageAspectFlags aspects) {
  VkImageViewCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = images[image].image;
  info.viewType = spec.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  info.format = image == spec.image ? formatOf(spec) : job.images[image].format;
  info.subresourceRange = {aspects, image == spec.image ? spec.mip : 0, 1, spec.layer, spec.layers};
  VkImageView view = VK_NULL_HANDLE;
  if (Error error =
          check(api.CreateImageView(device.handle(), &info, nullptr, &view), "vkCreateImageView"))
    return error;
  imageViews.push_back(view);
  return view;
}

Error JobObjects::createAttachments() {
  const GraphicsSpec &spec = *job.graphics;
  auto make = [&](const AttachmentSpec &attachment, AttachmentViews &views,
                  VkImageAspectFlags aspects) -> Error {
    Expected<VkImageView> view = attachmentView(attachment, attachment.image, aspects);
    if (!view)
      return view.takeError();
    views.view = *view;
    VkExtent3D extent = job.images[attachment.image].extent;
    area.extent = {std::max(extent.width >> attachment.mip, 1u),
                   std::max(extent.height >> attachment.mip, 1u)};
    if (!attachment.resolves)
      return Error::success();
    view = attachmentView(attachment, attachment.resolveImage, aspects);
    if (!view)
      return view.takeError();
    views.resolve = *view;
    return Error::success();
  };
  inputViews.resize(spec.inputs.size());
  for (size_t i = 0; i < spec.inputs.size(); ++i)
    if (Error error =
            make(spec.inputs[i], inputViews[i], job.images[spec.inputs[i].image].allAspects))
      return error;
  colorViews.resize(spec.colors.size());
  for (size_t i = 0; i < spec.colors.size(); ++i)
    KILN_TRY(make(spec.colors[i], colorViews[i], VK_IMAGE_ASPECT_COLOR_BIT));
  if (spec.depth || spec.stencil) {
    const AttachmentSpec &one = spec.depth ? *spec.depth : *spec.stencil;
    KILN_TRY(make(one, depthStencilViews, job.images[one.image].allAspects));
  }
  if (spec.rates) {
    Expected<VkImageView> view =
        attachmentView(*spec.rates, spec.rates->image, VK_IMAGE_ASPECT_COLOR_BIT);
    if (!view)
      return view.takeError();
    ratesView = *view;
  }
  if (spec.pass == PassKind::Dynamic && !spec.inputs.empty())
    return failure("input attachments are for render passes");
  if (spec.area.extent.width)
    area = spec.area;
  viewports = spec.viewports;
  if (viewports.empty())
    viewports.push_back({0, 0, static_cast<float>(area.extent.width),
                         static_cast<float>(area.extent.height), 0, 1});
  scissors = spec.scissors;
  if (scissors.empty())
    scissors.assign(viewports.size(), {{0, 0}, {1u << 14, 1u << 14}});
  return Error::success();
}

namespace {

/// Bindings and attributes as the pipeline takes them; what points inside stays valid with it.
struct VertexInput {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors;
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisorInfo = {};
  VkPipelineVertexInputStateCreateInfo info = {};

  explicit VertexInput(const GraphicsSpec &spec) {
    for (const VertexBuffer &buffer : spec.vertexBuffers) {
      bindings.push_back(
          {buffer.binding, buffer.stride,
           buffer.perInstance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
      if (buffer.perInstance && buffer.divisor != 1)
        divisors.push_back({buffer.binding, buffer.divisor});
    }
    divisorInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
    divisorInfo.vertexBindingDivisorCount = divisors.size();
    divisorInfo.pVertexBindingDivisors = divisors.data();
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    info.pNext = divisors.empty() ? nullptr : &divisorInfo;
    info.vertexBindingDescriptionCount = bindings.size();
    info.pVertexBindingDescriptions = bindings.data();
    info.vertexAttributeDescriptionCount = spec.attributes.size();
    info.pVertexAttributeDescriptions = spec.attributes.data();
  }
};

VkPipelineDiscardRectangleStateCreateInfoEXT rectangleInfoOf(const GraphicsSpec &spec,
                                                             const void *next) {
  return {VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
          next,
          0,
          spec.discardRectangleMode(),
          static_cast<uint32_t>(spec.discardRectangles.size()),
          spec.dynamicState ? nullptr : spec.discardRectangles.data()};
}

/// The raster state with the structures of extensions that it needs.
struct RasterInfo {
  VkPipelineRasterizationStateCreateInfo info;
  VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {};
  VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {};
  VkPipelineRasterizationLineStateCreateInfoEXT line = {};
  VkPipelineRasterizationStateStreamCreateInfoEXT stream = {};
  VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {};

  explicit RasterInfo(const GraphicsSpec &spec) : info(spec.raster) {
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    if (spec.provoking != VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT) {
      provoking.sType =
          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT;
      provoking.provokingVertexMode = spec.provoking;
      provoking.pNext = info.pNext;
      info.pNext = &provoking;
    }
    if (spec.depthClip) {
      clip.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT;
      clip.depthClipEnable = *spec.depthClip;
      clip.pNext = info.pNext;
      info.pNext = &clip;
    }
    if (spec.rasterizationStream) {
      stream.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT;
      stream.rasterizationStream = spec.rasterizationStream;
      stream.pNext = info.pNext;
      info.pNext = &stream;
    }
    if (spec.conservative && !spec.dynamicState) {
      conservative.sType =
          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT;
      conservative.conservativeRasterizationMode = *spec.conservative;
      conservative.pNext = info.pNext;
      info.pNext = &conservative;
    }
    if (spec.lineMode != VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT || spec.stipple) {
      line.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT;
      line.lineRasterizationMode = spec.lineMode;
      line.stippledLineEnable = spec.stipple;
      line.lineStippleFactor = spec.stippleFactor;
      line.lineStipplePattern = spec.stipplePattern;
      line.pNext = info.pNext;
      info.pNext = &line;
    }
  }
};

struct ViewportInfo {
  ViewportInfo(const GraphicsSpec &spec, const std::vector<VkViewport> &viewports,
               const std::vector<VkRect2D> &scissors) {
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    info.viewportCount = spec.dynamicState ? 0 : viewports.size();
    info.pViewports = viewports.data();
    info.scissorCount = spec.dynamicState ? 0 : scissors.size();
    info.pScissors = scissors.data();
    depths.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT;
    depths.negativeOneToOne = spec.negativeOneToOne.value_or(false);
    if (spec.negativeOneToOne)
      info.pNext = &depths;
    if (!spec.clampRange)
      return;
    clamp.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT;
    clamp.pNext = info.pNext;
    clamp.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
    clamp.pDepthClampRange = spec.dynamicState ? nullptr : &*spec.clampRange;
    info.pNext = &clamp;
  }
  ViewportInfo(const ViewportInfo &) = delete;

  VkPipelineViewportStateCreateInfo info = {};
  VkPipelineViewportDepthClipControlCreateInfoEXT depths = {};
  VkPipelineViewportDepthClampControlCreateInfoEXT clamp = {};
};

struct MultisampleInfo {
  MultisampleInfo(const GraphicsSpec &spec, VkSampleCountFlagBits samples,
                  const VkSampleLocationsInfoEXT &where)
      : info(spec.multisample) {
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    info.rasterizationSamples = samples;
    info.pSampleMask = &spec.sampleMask;
    locations.sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT;
    locations.sampleLocationsEnable = !spec.dynamicState;
    locations.sampleLocationsInfo = where;
    if (!spec.sampleLocations.empty())
      info.pNext = &locations;
  }
  MultisampleInfo(const MultisampleInfo &) = delete;

  VkPipelineMultisampleStateCreateInfo info;
  VkPipelineSampleLocationsStateCreateInfoEXT locations = {};
};

struct TessellationInfo {
  explicit TessellationInfo(const GraphicsSpec &spec) {
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO;
    info.patchControlPoints = spec.patchControlPoints;
    origin.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO;
    origin.domainOrigin = spec.domainOrigin;
    if (spec.domainOrigin != VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT)
      info.pNext = &origin;
  }
  TessellationInfo(const TessellationInfo &) = delete;

  VkPipelineTessellationStateCreateInfo info = {};
  VkPipelineTessellationDomainOriginStateCreateInfo origin = {};
};

/// Formats of a dynamic rendering.
VkPipelineRenderingCreateInfo renderingInfoOf(const GraphicsSpec &spec,
                                              const std::vector<VkFormat> &colors, VkFormat depth,
                                              VkFormat stencil) {
  VkPipelineRenderingCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  info.viewMask = spec.viewMask;
  info.colorAttachmentCount = colors.size();
  info.pColorAttachmentFormats = colors.data();
  info.depthAttachmentFormat = depth;
  info.stencilAttachmentFormat = stencil;
  return info;
}

VkPipelineFragmentShadingRateStateCreateInfoKHR rateInfoOf(const GraphicsSpec &spec,
                                                           const void *next) {
  VkPipelineFragmentShadingRateStateCreateInfoKHR info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR;
  info.pNext = next;
  info.fragmentSize = spec.fragmentSize.value_or(VkExtent2D{1, 1});
  std::copy(spec.rateCombiners.begin(), spec.rateCombiners.end(), info.combinerOps);
  return info;
}

} // namespace

Error JobObjects::createStages(std::deque<SpecializationData> &constants,
                               std::vector<VkPipelineShaderStageCreateInfo> &stages) {
  for (const StageSpec &stage : job.graphics->stages) {
    VkShaderModule module = KILN_TRY(createModule(stage.spirv));
    VkPipelineShaderStageCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage = stage.stage;
    info.module = module;
    info.pName = (stage.entry.empty() ? job.entry : stage.entry).c_str();
    info.pSpecializationInfo =
        constants
            .emplace_back(stage.specialization.empty() ? job.specialization : stage.specialization)
            .pointer();
    stages.push_back(info);
  }
  return Error::success();
}

VkSampleLocationsInfoEXT JobObjects::sampleLocations() const {
  VkSampleLocationsInfoEXT info = {};
  info.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT;
  info.sampleLocationsPerPixel = sampleCount();
  info.sampleLocationGridSize = {1, 1};
  info.sampleLocationsCount = std::min<size_t>(sampleCount(), job.graphics->sampleLocations.size());
  info.pSampleLocations = job.graphics->sampleLocations.data();
  return info;
}

Error JobObjects::createGraphicsPipeline() {
  const GraphicsSpec &spec = *job.graphics;
  if (!device.canDraw())
    return failure("the device has no queue that draws");
  KILN_TRY(createAttachments());
  if (spec.pass != PassKind::Dynamic)
    KILN_TRY(createRenderPass());
  std::deque<SpecializationData> constants; // what points inside stays where it is
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  KILN_TRY(createStages(constants, stages));
  const std::vector<VkDynamicState> dynamicList = dynamicStates();
  const GraphicsSpec fixed = pipelineState();
  VertexInput vertexInput(fixed);
  RasterInfo raster(fixed);
  VkPipelineInputAssemblyStateCreateInfo assembly = {};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = fixed.topology;
  assembly.primitiveRestartEnable = fixed.primitiveRestart;
  const TessellationInfo tessellation(spec);
  const ViewportInfo viewport(fixed, viewports, scissors);
  const MultisampleInfo multisample(fixed, fixed.multisample.rasterizationSamples,
                                    sampleLocations());
  VkPipelineColorBlendStateCreateInfo blend = fixed.colorBlend;
  const std::vector<VkFormat> formats = colorFormats();
  blend.attachmentCount = formats.size();
  blend.pAttachments = fixed.blend.data();
  VkPipelineDynamicStateCreateInfo dynamic = {};
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamic.dynamicStateCount = dynamicList.size();
  dynamic.pDynamicStates = dynamicList.data();
  const VkPipelineRenderingCreateInfo rendering =
      renderingInfoOf(spec, formats, spec.depth ? formatOf(*spec.depth) : VK_FORMAT_UNDEFINED,
                      spec.stencil ? formatOf(*spec.stencil) : VK_FORMAT_UNDEFINED);
  VkGraphicsPipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = renderPass ? nullptr : &rendering;
  if (spec.rates && !renderPass)
    info.flags |= VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
  if (spec.viewIndexIsDevice)
    info.flags |= VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT;
  const VkPipelineFragmentShadingRateStateCreateInfoKHR rate = rateInfoOf(spec, info.pNext);
  if (spec.fragmentSize && !spec.dynamicState)
    info.pNext = &rate;
  const VkPipelineDiscardRectangleStateCreateInfoEXT rectangles = rectangleInfoOf(spec, info.pNext);
  if (!spec.discardRectangles.empty())
    info.pNext = &rectangles;
  info.stageCount = stages.size();
  info.pStages = stages.data();
  if (!llvm::is_contained(dynamicList, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
    info.pVertexInputState = &vertexInput.info;
  info.pInputAssemblyState = &assembly;
  info.pTessellationState = spec.patchControlPoints ? &tessellation.info : nullptr;
  info.pViewportState = &viewport.info;
  info.pRasterizationState = &raster.info;
  info.pMultisampleState = &multisample.info;
  info.pDepthStencilState = &fixed.depthStencil;
  info.pColorBlendState = &blend;
  info.pDynamicState = dynamicList.empty() ? nullptr : &dynamic;
  info.layout = layout;
  info.renderPass = renderPass;
  info.basePipelineIndex = -1;
  return check(
      api.CreateGraphicsPipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
      "vkCreateGraphicsPipelines");
}

} // namespace exec
