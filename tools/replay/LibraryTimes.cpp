//===- LibraryTimes.cpp - pipelines linked from four libraries ------------===//
// SPDX-License-Identifier: MIT
#include "CacheTimes.h"
#include "Repeat.h"
#include "pal_shim/abi/Try.h"
#include <array>

using llvm::Error;
using llvm::Expected;

namespace replay {
namespace {

/// A captured graphics pipeline, split as VK_EXT_graphics_pipeline_library does.
class SplitPipeline {
public:
  SplitPipeline(const Device &device, const Capture &capture, const PipelineInfo &whole)
      : capture(capture), device(device), whole(whole.graphics) {
    for (const VkPipelineShaderStageCreateInfo &stage : whole.stages)
      (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT ? fragment : geometry).push_back(stage);
  }
  ~SplitPipeline() {
    for (VkPipeline library : libraries)
      device.DestroyPipeline(device.handle, library, nullptr);
  }
  SplitPipeline(const SplitPipeline &) = delete;

  /// Mesh shaders and discarded primitives have other subsets.
  bool isPossible() const {
    return !fragment.empty() && !geometry.empty() && whole.pVertexInputState &&
           whole.pRasterizationState && !whole.pRasterizationState->rasterizerDiscardEnable;
  }

  Error create() {
    constexpr VkGraphicsPipelineLibraryFlagBitsEXT subsets[] = {
        VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
    for (size_t i = 0; i < libraries.size(); ++i)
      KILN_TRY(create(subsets[i], libraries[i]));
    return Error::success();
  }

  VkResult link(VkPipeline *pipeline) const {
    VkPipelineLibraryCreateInfoKHR list = {};
    list.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
    list.libraryCount = static_cast<uint32_t>(libraries.size());
    list.pLibraries = libraries.data();
    VkGraphicsPipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &list;
    info.flags = whole.flags;
    info.layout = whole.layout;
    return device.CreateGraphicsPipelines(device.handle, VK_NULL_HANDLE, 1, &info, nullptr,
                                          pipeline);
  }

  const Capture &capture;

private:
  /// State of other subsets is left out.
  Error create(VkGraphicsPipelineLibraryFlagBitsEXT subset, VkPipeline &library) const {
    VkGraphicsPipelineLibraryCreateInfoEXT which = {};
    which.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT;
    which.pNext = const_cast<void *>(whole.pNext);
    which.flags = subset;
    VkGraphicsPipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &which;
    info.flags = whole.flags | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.pDynamicState = whole.pDynamicState;
    if (subset == VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT) {
      info.pVertexInputState = whole.pVertexInputState;
      info.pInputAssemblyState = whole.pInputAssemblyState;
    } else {
      info.renderPass = whole.renderPass;
      info.subpass = whole.subpass;
    }
    if (subset == VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) {
      setStages(info, geometry);
      info.pViewportState = whole.pViewportState;
      info.pRasterizationState = whole.pRasterizationState;
      info.pTessellationState = whole.pTessellationState;
    }
    if (subset == VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) {
      setStages(info, fragment);
      info.pDepthStencilState = whole.pDepthStencilState;
      info.pMultisampleState = whole.pMultisampleState;
    }
    if (subset == VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) {
      info.pColorBlendState = whole.pColorBlendState;
      info.pMultisampleState = whole.pMultisampleState;
    }
    return check(
        device.CreateGraphicsPipelines(device.handle, VK_NULL_HANDLE, 1, &info, nullptr, &library),
        "vkCreateGraphicsPipelines of a library");
  }

  void setStages(VkGraphicsPipelineCreateInfo &info,
                 const std::vector<VkPipelineShaderStageCreateInfo> &stages) const {
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    info.layout = whole.layout;
  }

  const Device &device;
  const VkGraphicsPipelineCreateInfo &whole;
  std::vector<VkPipelineShaderStageCreateInfo> geometry, fragment;
  std::array<VkPipeline, 4> libraries = {};
};

Error measureLinks(const Device &device, const SplitPipeline &split, ReportFigure report) {
  VkPipeline first = VK_NULL_HANDLE;
  Stopwatch time;
  const VkResult result = split.link(&first);
  report({figure::firstLink, PipelineKind::Graphics, &split.capture, time.wall()});
  device.DestroyPipeline(device.handle, first, nullptr);
  KILN_TRY(check(result, "vkCreateGraphicsPipelines from libraries"));
  VkPipeline pipelines[repeatBatch] = {};
  const double each = repeat([&](unsigned i) { split.link(&pipelines[i]); },
                             [&] {
                               for (VkPipeline pipeline : pipelines)
                                 device.DestroyPipeline(device.handle, pipeline, nullptr);
                             });
  report({figure::fastLink, PipelineKind::Graphics, &split.capture, each});
  return Error::success();
}

Error measureGroup(const Device &device, const Captures &captures, const CacheTimesOptions &options,
                   ReportFigure report) {
  Replayer replayer(device);
  std::vector<std::unique_ptr<PipelineInfo>> infos;
  std::vector<std::unique_ptr<SplitPipeline>> splits;
  for (const auto &capture : captures) {
    if (!capture->isGraphics() || !capture->libraries.empty() ||
        !replayer.missing(*capture).empty())
      continue;
    std::unique_ptr<PipelineInfo> info = KILN_TRY(replayer.info(*capture));
    auto split = std::make_unique<SplitPipeline>(device, *capture, *info);
    infos.push_back(std::move(info));
    if (!split->isPossible())
      continue;
    KILN_TRY(split->create());
    splits.push_back(std::move(split));
  }
  if (options.settle)
    options.settle(device);
  for (const auto &split : splits) {
    if (!options.goesOn())
      break;
    KILN_TRY(measureLinks(device, *split, report));
    options.step();
  }
  return Error::success();
}

} // namespace

Error measureLibraries(const Driver &driver, const Captures &captures,
                       const CacheTimesOptions &options, ReportFigure report) {
  FeatureGroups groups = KILN_TRY(byFeatures(captures));
  for (const auto &[features, group] : groups) {
    std::unique_ptr<Device> device = KILN_TRY(Device::create(driver, options.device, features));
    if (!device->hasLibraries)
      continue;
    KILN_TRY(measureGroup(*device, group, options, report));
  }
  return Error::success();
}

} // namespace replay
