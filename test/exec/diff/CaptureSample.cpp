//===- CaptureSample.cpp - generated inputs for a captured pipeline -------===//
// SPDX-License-Identifier: MIT
#include "CaptureSample.h"
#include "../job/Resources.h"
#include "../script/Formats.h"
#include "PairSample.h"
#include "SampleResources.h"
#include "SceneVertices.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace exec {

namespace {

SampleInput inputOf(const replay::Capture &capture, size_t stage) {
  llvm::SmallString<256> file(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(capture.name)));
  llvm::sys::path::append(file, "modules", capture.modules[stage] + ".spv");
  const VkPipelineShaderStageCreateInfo &info = capture.stages()[stage];
  SampleInput input;
  input.path = file.str().str();
  input.entry = info.pName;
  input.text = input.path + "," + input.entry;
  if (const VkSpecializationInfo *constants = info.pSpecializationInfo)
    for (uint32_t i = 0; i < constants->mapEntryCount; ++i) {
      const VkSpecializationMapEntry &entry = constants->pMapEntries[i];
      uint64_t value = 0;
      std::memcpy(&value, static_cast<const char *>(constants->pData) + entry.offset,
                  std::min(entry.size, sizeof(value)));
      input.specialization.emplace_back(entry.constantID, value);
    }
  return input;
}

/// Formats of what a capture draws to.
struct TargetFormats {
  std::vector<VkFormat> colors; ///< by location; UNDEFINED: unused
  VkFormat depth = VK_FORMAT_UNDEFINED, stencil = VK_FORMAT_UNDEFINED;
};

TargetFormats targetsOf(const replay::Capture &capture) {
  TargetFormats formats;
  if (const VkRenderPassCreateInfo2 *pass = capture.renderPass) {
    const VkSubpassDescription2 &subpass = pass->pSubpasses[capture.graphics.subpass];
    auto formatOf = [&](const VkAttachmentReference2 &reference) {
      return reference.attachment == VK_ATTACHMENT_UNUSED
                 ? VK_FORMAT_UNDEFINED
                 : pass->pAttachments[reference.attachment].format;
    };
    for (uint32_t i = 0; i < subpass.colorAttachmentCount; ++i)
      formats.colors.push_back(formatOf(subpass.pColorAttachments[i]));
    if (subpass.pDepthStencilAttachment) {
      VkFormat format = formatOf(*subpass.pDepthStencilAttachment);
      const FormatRow *row = findFormat(format);
      if (row && row->aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
        formats.depth = format;
      if (row && row->aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
        formats.stencil = format;
    }
    return formats;
  }
  for (auto *next = static_cast<const VkBaseInStructure *>(capture.graphics.pNext); next;
       next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO) {
      const auto &info = *reinterpret_cast<const VkPipelineRenderingCreateInfo *>(next);
      formats.colors.assign(info.pColorAttachmentFormats,
                            info.pColorAttachmentFormats + info.colorAttachmentCount);
      formats.depth = info.depthAttachmentFormat;
      formats.stencil = info.stencilAttachmentFormat;
    }
  return formats;
}

/// Puts the capture's state into the job of its shaders.
class Dresser {
public:
  Dresser(const replay::Capture &capture, Job &job) : capture(capture), job(job) {}

  Error dress() {
    KILN_TRY(dressLayout());
    if (capture.isCompute())
      return Error::success();
    KILN_TRY(dressVertexInput());
    KILN_TRY(dressAttachments());
    return dressState();
  }

private:
  Error dressLayout() {
    if (!capture.layout)
      return failure("a pipeline without a layout");
    job.setCount = static_cast<uint32_t>(capture.layout->sets.size());
    for (auto [set, desc] : llvm::enumerate(capture.layout->sets))
      for (auto [number, binding] : llvm::enumerate(desc.bindings))
        KILN_TRY(dressBinding(static_cast<uint32_t>(set), binding, desc.samplers[number]));
    for (const Binding &binding : job.bindings)
      if (binding.set >= job.setCount)
        return failure("the layout has no set " + Twine(binding.set));
    uint32_t end = 0;
    for (const VkPushConstantRange &range : capture.layout->pushConstants)
      end = std::max(end, range.offset + range.size);
    job.push.resize(std::max<size_t>(job.push.size(), end));
    return Error::success();
  }

  Error dressBinding(uint32_t set, const VkDescriptorSetLayoutBinding &layout,
                     const std::vector<replay::SamplerDesc> &samplers) {
    job.layoutBindings.push_back(
        {set, layout.binding, layout.descriptorType, layout.descriptorCount});
    for (Binding &binding : job.bindings) {
      if (binding.set != set || binding.binding != layout.binding)
        continue;
      if (isBufferType(binding.type) && isBufferType(layout.descriptorType))
        binding.type = layout.descriptorType;
      if (binding.type != layout.descriptorType)
        return failure("binding " + Twine(layout.binding) + " of set " + Twine(set) +
                       " is of another type in the layout");
      if (samplers.empty())
        continue;
      const replay::SamplerDesc &sampler = samplers[binding.element];
      if (sampler.conversion)
        return failure("an immutable sampler with a conversion");
      binding.immutableSampler = true;
      binding.sampler = static_cast<uint32_t>(job.samplers.size());
      SamplerSpec &spec = job.samplers.emplace_back();
      spec.info = sampler.info;
      spec.info.pNext = nullptr;
    }
    return Error::success();
  }

  Error dressVertexInput() {
    const VkPipelineVertexInputStateCreateInfo *input = capture.graphics.pVertexInputState;
    if (!input)
      return failure("a pipeline without vertex input state");
    return setVertexInput(
        job,
        llvm::ArrayRef(input->pVertexBindingDescriptions, input->vertexBindingDescriptionCount),
        llvm::ArrayRef(input->pVertexAttributeDescriptions,
                       input->vertexAttributeDescriptionCount));
  }

  VkSampleCountFlagBits samples() const {
    const VkPipelineMultisampleStateCreateInfo *state = capture.graphics.pMultisampleState;
    return state ? state->rasterizationSamples : VK_SAMPLE_COUNT_1_BIT;
  }

  Expected<uint32_t> addImage(VkFormat format, VkImageUsageFlags usage,
                              VkSampleCountFlagBits count) {
    const FormatRow *row = findFormat(format);
    if (!row)
      return failure("attachment format " + Twine(format));
    ImageSpec image;
    image.format = format;
    image.blockBytes = row->bytes;
    image.extent = pictureExtent;
    image.usage = usage;
    image.samples = count;
    if (row->aspects) {
      image.allAspects = row->aspects;
      image.aspect = row->aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                              : VK_IMAGE_ASPECT_STENCIL_BIT;
    }
    job.images.push_back(image);
    return static_cast<uint32_t>(job.images.size() - 1);
  }

  Error dressAttachments() {
    GraphicsSpec &scene = *job.graphics;
    const TargetFormats formats = targetsOf(capture);
    const VkPipelineColorBlendStateCreateInfo *blend = capture.graphics.pColorBlendState;
    std::vector<AttachmentSpec> colors;
    for (uint32_t location = 0; location < formats.colors.size(); ++location) {
      const VkFormat format = formats.colors[location];
      const auto drawn = llvm::find_if(
          scene.colors, [&](const AttachmentSpec &color) { return color.location == location; });
      // What the shader does not write is undefined.
      uint32_t mask = drawn == scene.colors.end() ? 0 : scene.blend[location].colorWriteMask;
      scene.blend[location] = blend && location < blend->attachmentCount
                                  ? blend->pAttachments[location]
                                  : VkPipelineColorBlendAttachmentState{};
      scene.blend[location].colorWriteMask &= mask;
      if (format == VK_FORMAT_UNDEFINED)
        continue;
      AttachmentSpec color;
      color.location = location;
      if (drawn != scene.colors.end())
        color.clear = drawn->clear;
      Expected<uint32_t> image = addImage(format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, samples());
      if (!image)
        return image.takeError();
      color.image = *image;
      color.resolves = samples() != VK_SAMPLE_COUNT_1_BIT;
      if (color.resolves) {
        image = addImage(format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_SAMPLE_COUNT_1_BIT);
        if (!image)
          return image.takeError();
        color.resolveImage = *image;
        color.resolveMode = findFormat(format)->name.ends_with("int")
                                ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                : VK_RESOLVE_MODE_AVERAGE_BIT;
      }
      colors.push_back(color);
    }
    scene.colors = std::move(colors);
    return dressDepthStencil(formats);
  }

  Error dressDepthStencil(const TargetFormats &formats) {
    GraphicsSpec &scene = *job.graphics;
    scene.depth.reset();
    scene.stencil.reset();
    const bool hasDepth = formats.depth != VK_FORMAT_UNDEFINED;
    if (!hasDepth && formats.stencil == VK_FORMAT_UNDEFINED)
      return Error::success();
    uint32_t image = KILN_TRY(addImage(hasDepth ? formats.depth : formats.stencil,
                                       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, samples()));
    AttachmentSpec attachment;
    attachment.image = image;
    attachment.clear.depthStencil.depth = 1;
    if (hasDepth)
      scene.depth = attachment;
    if (formats.stencil != VK_FORMAT_UNDEFINED)
      scene.stencil = attachment;
    return Error::success();
  }

  Error dressState() {
    GraphicsSpec &scene = *job.graphics;
    const VkGraphicsPipelineCreateInfo &info = capture.graphics;
    if (info.pRasterizationState->pNext || capture.stages().size() != 2)
      return failure("state that is not known here");
    scene.pass = capture.renderPass ? PassKind::RenderPass : PassKind::Dynamic;
    scene.topology = info.pInputAssemblyState->topology;
    scene.primitiveRestart = info.pInputAssemblyState->primitiveRestartEnable;
    scene.raster = *info.pRasterizationState;
    scene.raster.cullMode = VK_CULL_MODE_NONE;
    if (info.pMultisampleState) {
      scene.multisample = *info.pMultisampleState;
      if (scene.multisample.pSampleMask)
        scene.sampleMask = *scene.multisample.pSampleMask;
    }
    if (info.pDepthStencilState)
      scene.depthStencil = *info.pDepthStencilState;
    if (info.pColorBlendState) {
      scene.colorBlend = *info.pColorBlendState;
      scene.colorBlend.pAttachments = nullptr;
    }
    return Error::success();
  }

  const replay::Capture &capture;
  Job &job;
};

} // namespace

Expected<Sample> makeCaptureSample(const replay::Capture &capture, uint64_t seed) {
  auto make = [&]() -> Expected<Sample> {
    if (capture.isCompute())
      return makeSample(inputOf(capture, 0), seed);
    if (!capture.isGraphics())
      return failure("a ray tracing pipeline, for which no scene is generated");
    if (capture.modules.size() != 2)
      return failure("a pipeline that is not of a vertex and a fragment shader");
    PairInput input;
    for (size_t i = 0; i < 2; ++i) {
      if (capture.stages()[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
        input.vertex = inputOf(capture, i);
      else
        input.fragment = inputOf(capture, i);
    }
    return makePairSample(input, seed);
  };
  Expected<Sample> sample = make();
  if (!sample)
    return sample.takeError();
  sample->job.name = capture.name;
  KILN_TRY(Dresser(capture, sample->job).dress());
  return sample;
}

} // namespace exec
