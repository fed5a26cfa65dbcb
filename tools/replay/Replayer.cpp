//===- Replayer.cpp - captured pipelines on a device ----------------------===//
// SPDX-License-Identifier: MIT
#include "Replayer.h"
#include "RayGroups.h"
#include "Repeat.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace replay {
namespace {

/// Of libraries that are linked from libraries; what a recursion may take.
constexpr size_t maxLibraryDepth = 32;

const VkBaseInStructure *findInChain(const void *chain, VkStructureType type) {
  for (auto *next = static_cast<const VkBaseInStructure *>(chain); next; next = next->pNext)
    if (next->sType == type)
      return next;
  return nullptr;
}

VkPipelineCreateFlags2 flagsOf(const VkRayTracingPipelineCreateInfoKHR &info) {
  if (auto *next = findInChain(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO))
    return reinterpret_cast<const VkPipelineCreateFlags2CreateInfo *>(next)->flags;
  return info.flags;
}

} // namespace

std::vector<StageCode> codeStatistics(const Device &device, VkPipeline pipeline) {
  std::vector<StageCode> result;
  if (!pipeline || !device.GetPipelineExecutablePropertiesKHR)
    return result;
  VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
  uint32_t count = 0;
  device.GetPipelineExecutablePropertiesKHR(device.handle, &info, &count, nullptr);
  VkPipelineExecutablePropertiesKHR empty = {};
  empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  std::vector<VkPipelineExecutablePropertiesKHR> executables(count, empty);
  device.GetPipelineExecutablePropertiesKHR(device.handle, &info, &count, executables.data());
  for (uint32_t i = 0; i < count; ++i) {
    VkPipelineExecutableInfoKHR which = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr,
                                         pipeline, i};
    uint32_t number = 0;
    device.GetPipelineExecutableStatisticsKHR(device.handle, &which, &number, nullptr);
    VkPipelineExecutableStatisticKHR none = {};
    none.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    std::vector<VkPipelineExecutableStatisticKHR> statistics(number, none);
    device.GetPipelineExecutableStatisticsKHR(device.handle, &which, &number, statistics.data());
    for (const VkPipelineExecutableStatisticKHR &statistic : statistics)
      if (StringRef(statistic.name) == "Instructions")
        result.push_back({executables[i].stages, statistic.value.u64});
  }
  return result;
}

Replayer::~Replayer() {
  for (auto &[key, library] : libraries)
    destroy(library.pipeline);
  destroyModules();
  for (auto &[hash, pass] : renderPasses)
    device.DestroyRenderPass(device.handle, pass, nullptr);
  for (auto &[hash, layout] : layouts)
    device.DestroyPipelineLayout(device.handle, layout, nullptr);
  for (auto &[desc, layout] : otherLayouts)
    device.DestroyPipelineLayout(device.handle, layout, nullptr);
  for (auto &[hash, set] : setLayouts)
    device.DestroyDescriptorSetLayout(device.handle, set, nullptr);
  for (VkDescriptorSetLayout set : otherSetLayouts)
    device.DestroyDescriptorSetLayout(device.handle, set, nullptr);
  for (VkSampler sampler : samplers)
    device.DestroySampler(device.handle, sampler, nullptr);
  for (VkSamplerYcbcrConversion conversion : conversions)
    device.DestroySamplerYcbcrConversion(device.handle, conversion, nullptr);
}

void Replayer::destroyModules() {
  for (auto &[hash, module] : modules)
    device.DestroyShaderModule(device.handle, module, nullptr);
  modules.clear();
}

std::string Replayer::missing(const Capture &capture) const {
  bool usesRobustness =
      findInChain(capture.chain(), VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  for (const VkPipelineShaderStageCreateInfo &stage : capture.stages())
    usesRobustness |=
        !!findInChain(stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  if (usesRobustness && !device.hasPipelineRobustness)
    return "no feature pipelineRobustness";
  if (capture.kind == PipelineKind::RayTracing)
    return device.CreateRayTracingPipelinesKHR ? "" : "no feature rayTracingPipeline";
  bool usesLibraries =
      !capture.libraries.empty() ||
      findInChain(capture.chain(), VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  if (usesLibraries && !device.hasLibraries)
    return "no feature graphicsPipelineLibrary";
  return "";
}

Error Replayer::createModules(const Capture &capture, double *microseconds) {
  for (size_t i = 0; i < capture.modules.size(); ++i) {
    const std::string &hash = capture.modules[i];
    if (modules.count(hash))
      continue;
    std::vector<uint32_t> loaded;
    if (capture.code.empty())
      loaded = KILN_TRY(loadModule(capture, hash));
    const std::vector<uint32_t> &words = capture.code.empty() ? loaded : *capture.code[i];
    VkShaderModuleCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = words.size() * 4;
    info.pCode = words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    Stopwatch time;
    VkResult result = device.CreateShaderModule(device.handle, &info, nullptr, &module);
    if (microseconds)
      *microseconds += time.cpu();
    KILN_TRY(check(result, "vkCreateShaderModule"));
    modules[hash] = module;
  }
  return Error::success();
}

Expected<VkSampler> Replayer::createSampler(const SamplerDesc &sampler) {
  VkSamplerCreateInfo info = sampler.info;
  if (sampler.conversion) {
    VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
    KILN_TRY(check(device.CreateSamplerYcbcrConversion(device.handle, sampler.conversion, nullptr,
                                                       &conversion),
                   "vkCreateSamplerYcbcrConversion"));
    conversions.push_back(conversion);
    sampler.conversionPlace->conversion = conversion;
  }
  VkSampler result = VK_NULL_HANDLE;
  if (Error error =
          check(device.CreateSampler(device.handle, &info, nullptr, &result), "vkCreateSampler"))
    return error;
  samplers.push_back(result);
  return result;
}

Expected<VkDescriptorSetLayout> Replayer::createSetLayout(const SetLayoutDesc &set) {
  if (!set.hash.empty())
    if (auto found = setLayouts.find(set.hash); found != setLayouts.end())
      return found->second;
  std::vector<VkDescriptorSetLayoutBinding> bindings = set.bindings;
  std::vector<std::vector<VkSampler>> handles(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    for (const SamplerDesc &desc : set.samplers[i]) {
      VkSampler sampler = KILN_TRY(createSampler(desc));
      handles[i].push_back(sampler);
    }
    if (!handles[i].empty())
      bindings[i].pImmutableSamplers = handles[i].data();
  }
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {};
  flags.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
  flags.pNext = set.next;
  flags.bindingCount = static_cast<uint32_t>(set.bindingFlags.size());
  flags.pBindingFlags = set.bindingFlags.data();
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.pNext = set.bindingFlags.empty() ? set.next : &flags;
  info.flags = set.flags;
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  KILN_TRY(check(device.CreateDescriptorSetLayout(device.handle, &info, nullptr, &layout),
                 "vkCreateDescriptorSetLayout"));
  if (set.hash.empty())
    otherSetLayouts.push_back(layout);
  else
    setLayouts[set.hash] = layout;
  return layout;
}

Expected<VkPipelineLayout> Replayer::createLayout(const PipelineLayoutDesc &desc) {
  if (!desc.hash.empty()) {
    if (auto found = layouts.find(desc.hash); found != layouts.end())
      return found->second;
  } else if (auto found = otherLayouts.find(&desc); found != otherLayouts.end()) {
    return found->second;
  }
  std::vector<VkDescriptorSetLayout> sets;
  for (const SetLayoutDesc &set : desc.sets) {
    VkDescriptorSetLayout layout = KILN_TRY(createSetLayout(set));
    sets.push_back(layout);
  }
  VkPipelineLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.flags = desc.flags;
  info.setLayoutCount = static_cast<uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = static_cast<uint32_t>(desc.pushConstants.size());
  info.pPushConstantRanges = desc.pushConstants.data();
  VkPipelineLayout layout = VK_NULL_HANDLE;
  KILN_TRY(check(device.CreatePipelineLayout(device.handle, &info, nullptr, &layout),
                 "vkCreatePipelineLayout"));
  if (desc.hash.empty())
    otherLayouts[&desc] = layout;
  else
    layouts[desc.hash] = layout;
  return layout;
}

void Replayer::forget(const PipelineLayoutDesc &desc) {
  if (auto found = otherLayouts.find(&desc); found != otherLayouts.end()) {
    device.DestroyPipelineLayout(device.handle, found->second, nullptr);
    otherLayouts.erase(found);
  }
}

/// Render passes without a hash are known by the capture's file.
static const std::string &passKey(const Capture &capture) {
  return capture.renderPassHash.empty() ? capture.name : capture.renderPassHash;
}

Error Replayer::createRenderPass(const Capture &capture) {
  if (!capture.renderPass || renderPasses.count(passKey(capture)))
    return Error::success();
  VkRenderPass pass = VK_NULL_HANDLE;
  if (Error error =
          check(device.CreateRenderPass2(device.handle, capture.renderPass, nullptr, &pass),
                "vkCreateRenderPass2"))
    return error;
  renderPasses[passKey(capture)] = pass;
  return Error::success();
}

Error Replayer::createLibraries(const Capture &capture) {
  if (openLibraries.size() > maxLibraryDepth)
    return lgc::invalidInput(capture.name + ": libraries of libraries, too deep");
  for (const std::string &hash : capture.libraries)
    if (!libraries.count({capture.kind, hash}))
      KILN_TRY(createLibrary(capture, hash));
  return checkGroups(capture);
}

Error Replayer::createLibrary(const Capture &capture, const std::string &hash) {
  const LibraryKey key(capture.kind, hash);
  if (llvm::is_contained(openLibraries, key))
    return lgc::invalidInput(capture.name + ": library " + hash + " is linked from itself");
  std::shared_ptr<const Capture> library = KILN_TRY(loadLibrary(capture, hash));
  if (library->kind != capture.kind)
    return lgc::invalidInput(capture.name + ": library " + hash + " is a pipeline of another kind");
  openLibraries.push_back(key);
  Expected<CreatedPipeline> created = create(*library);
  openLibraries.pop_back();
  if (!created)
    return created.takeError();
  KILN_TRY(check(created->result, "creation of a library"));
  libraries[key] = {created->pipeline, rayStagesOf(*library)};
  if (capture.kind == PipelineKind::RayTracing &&
      !(flagsOf(library->rays) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR))
    return lgc::invalidInput(capture.name + ": " + hash + " is no library");
  return Error::success();
}

std::vector<VkShaderStageFlagBits> Replayer::rayStagesOf(const Capture &capture) const {
  std::vector<VkShaderStageFlagBits> stages;
  if (capture.kind != PipelineKind::RayTracing)
    return stages;
  for (const VkPipelineShaderStageCreateInfo &stage : capture.stages())
    stages.push_back(stage.stage);
  for (const std::string &hash : capture.libraries)
    llvm::append_range(stages, libraries.at({capture.kind, hash}).stages);
  return stages;
}

/// Now that the stages of its libraries are known.
Error Replayer::checkGroups(const Capture &capture) const {
  const std::vector<VkShaderStageFlagBits> stages = rayStagesOf(capture);
  for (uint32_t i = 0; i < capture.rays.groupCount; ++i)
    if (auto fault = findGroupFault(capture.rays.pGroups[i], stages, /*isOpen=*/false))
      return lgc::invalidInput(capture.name + ": /groups/" + llvm::Twine(i) + "/" + fault->member +
                               ": " + fault->message);
  return Error::success();
}

Expected<VkPipelineLayout> Replayer::layoutOf(const Capture &capture,
                                              const CreateOptions &options) {
  if (options.layout)
    return createLayout(*options.layout);
  if (capture.layout)
    return createLayout(*capture.layout);
  return VkPipelineLayout(VK_NULL_HANDLE);
}

Error Replayer::prepare(const Capture &capture, const CreateOptions &options) {
  KILN_TRY(createModules(capture));
  KILN_TRY(createRenderPass(capture));
  KILN_TRY(createLibraries(capture));
  return layoutOf(capture, options).takeError();
}

VkResult PipelineInfo::create(const Device &device, VkPipelineCache cache,
                              VkPipeline *pipeline) const {
  switch (kind) {
  case PipelineKind::Compute:
    return device.CreateComputePipelines(device.handle, cache, 1, &compute, nullptr, pipeline);
  case PipelineKind::Graphics:
    return device.CreateGraphicsPipelines(device.handle, cache, 1, &graphics, nullptr, pipeline);
  case PipelineKind::RayTracing:
    return device.CreateRayTracingPipelinesKHR(device.handle, VK_NULL_HANDLE, cache, 1, &rays,
                                               nullptr, pipeline);
  }
  KILN_ICE("a kind of pipelines");
}

void *PipelineInfo::structure() {
  switch (kind) {
  case PipelineKind::Compute:
    return &compute;
  case PipelineKind::Graphics:
    return &graphics;
  case PipelineKind::RayTracing:
    return &rays;
  }
  KILN_ICE("a kind of pipelines");
}

// All kinds begin alike.
const void *&PipelineInfo::next() {
  return static_cast<VkComputePipelineCreateInfo *>(structure())->pNext;
}

VkPipelineCreateFlags &PipelineInfo::flags() {
  return static_cast<VkComputePipelineCreateInfo *>(structure())->flags;
}

Expected<std::unique_ptr<PipelineInfo>> Replayer::info(const Capture &capture,
                                                       const CreateOptions &options) {
  KILN_TRY(prepare(capture, options));
  VkPipelineLayout layout = KILN_TRY(layoutOf(capture, options));
  auto result = std::make_unique<PipelineInfo>();
  result->kind = capture.kind;
  result->stages = capture.stages().vec();
  for (size_t i = 0; i < result->stages.size(); ++i)
    result->stages[i].module = modules[capture.modules[i]];
  for (const std::string &hash : capture.libraries)
    result->libraries.push_back(libraries[{capture.kind, hash}].pipeline);
  VkPipelineLibraryCreateInfoKHR &linked = result->linked;
  linked.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
  linked.libraryCount = static_cast<uint32_t>(result->libraries.size());
  linked.pLibraries = result->libraries.data();
  switch (capture.kind) {
  case PipelineKind::Compute:
    result->compute = capture.compute;
    result->compute.stage = result->stages[0];
    result->compute.layout = layout;
    break;
  case PipelineKind::Graphics:
    fillGraphics(capture, *result);
    result->graphics.layout = layout;
    break;
  case PipelineKind::RayTracing:
    result->rays = capture.rays;
    result->rays.pStages = result->stages.data();
    if (linked.libraryCount)
      result->rays.pLibraryInfo = &linked;
    result->rays.layout = layout;
    break;
  }
  result->flags() |= options.flags;
  return result;
}

void Replayer::fillGraphics(const Capture &capture, PipelineInfo &info) const {
  VkGraphicsPipelineCreateInfo &graphics = info.graphics;
  graphics = capture.graphics;
  graphics.pStages = info.stages.data();
  if (capture.renderPass)
    graphics.renderPass = renderPasses.at(passKey(capture));
  if (info.libraries.empty())
    return;
  info.linked.pNext = graphics.pNext;
  graphics.pNext = &info.linked;
}

Expected<CreatedPipeline> Replayer::create(const Capture &capture, const CreateOptions &options) {
  std::unique_ptr<PipelineInfo> info = KILN_TRY(this->info(capture, options));
  CreatedPipeline created;
  Stopwatch time;
  created.result = info->create(device, options.cache, &created.pipeline);
  created.microseconds = time.wall();
  created.cpuMicroseconds = time.cpu();
  created.allThreadsMicroseconds = time.allThreads();
  return created;
}

} // namespace replay
