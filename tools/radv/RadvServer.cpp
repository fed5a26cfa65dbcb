//===- RadvServer.cpp - the child that talks Vulkan -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Descriptor set layouts come from our own resource collection, so both compilers see the same
/// pipeline. Features: everything the device reports through the core structures.
#include "lgc/CompileError.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/spirv/Module.h"
#include "tools/cli/Clocks.h"
#include "tools/radv/RadvDriver.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdio>
#include <cstring>
#include <map>

namespace radv {

std::string Driver::open() {
  auto getProc = vulkan::openLoader();
  if (!getProc)
    return lgc::consumeToText(getProc.takeError()).message;
  auto created = vulkan::Instance::create(*getProc, {.program = "kiln-bench"});
  if (!created)
    return "no Vulkan driver (is Mesa's radeon driver installed?): " +
           lgc::consumeToText(created.takeError()).message;
  instance = created->release();
  return createDevice();
}

std::string Driver::createDevice() {
  auto get = [&](const char *name) { return instance->get<PFN_vkVoidFunction>(name); };
  if (instance->devices().empty())
    return "the driver offers no device";
  VkPhysicalDevice physical = instance->devices().front();
  VkPhysicalDeviceProperties properties{};
  reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(get("vkGetPhysicalDeviceProperties"))(
      physical, &properties);
  deviceName = properties.deviceName;
  auto executable = vkStruct<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  auto v13 = vkStruct<VkPhysicalDeviceVulkan13Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &executable);
  auto v12 = vkStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &v13);
  auto v11 = vkStruct<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &v12);
  auto features =
      vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v11);
  reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(get("vkGetPhysicalDeviceFeatures2"))(
      physical, &features);
  features.features.robustBufferAccess = VK_FALSE; // as our own default
  const float priority = 1;
  auto queue = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const char *extensions[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                              VK_KHR_SHADER_CLOCK_EXTENSION_NAME};
  auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 2;
  info.ppEnabledExtensionNames = extensions;
  if (reinterpret_cast<PFN_vkCreateDevice>(get("vkCreateDevice"))(physical, &info, nullptr,
                                                                  &device) != VK_SUCCESS)
    return "vkCreateDevice failed";
  auto getDeviceProc = reinterpret_cast<PFN_vkGetDeviceProcAddr>(get("vkGetDeviceProcAddr"));
#define X(name) name = reinterpret_cast<PFN_##name>(getDeviceProc(device, #name));
  KILN_DEVICE_FUNCTIONS(X)
#undef X
  return "";
}

bool Driver::createLayout(const std::vector<PeerDescriptor> &descriptors, uint32_t pushBytes,
                          VkShaderStageFlags stages, std::vector<VkDescriptorSetLayout> &sets,
                          VkPipelineLayout &layout) {
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> bindings;
  for (const PeerDescriptor &d : descriptors)
    bindings[d.set].push_back(
        {d.binding, static_cast<VkDescriptorType>(d.type), d.count, stages, nullptr});
  const uint32_t setCount = bindings.empty() ? 0 : bindings.rbegin()->first + 1;
  for (uint32_t set = 0; set < setCount; ++set) {
    const auto &list = bindings[set];
    auto info = vkStruct<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<uint32_t>(list.size());
    info.pBindings = list.data();
    VkDescriptorSetLayout handle = VK_NULL_HANDLE;
    if (vkCreateDescriptorSetLayout(device, &info, nullptr, &handle) != VK_SUCCESS)
      return false;
    sets.push_back(handle);
  }
  const VkPushConstantRange range{stages, 0, (pushBytes + 3) & ~3u};
  auto info = vkStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  info.setLayoutCount = setCount;
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = pushBytes ? 1 : 0;
  info.pPushConstantRanges = &range;
  return vkCreatePipelineLayout(device, &info, nullptr, &layout) == VK_SUCCESS;
}

PeerStage Driver::readStatistics(VkPipeline pipeline, uint32_t index) {
  PeerStage result;
  auto info = vkStruct<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
  info.pipeline = pipeline;
  info.executableIndex = index;
  uint32_t count = 0;
  vkGetPipelineExecutableStatisticsKHR(device, &info, &count, nullptr);
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, vkStruct<VkPipelineExecutableStatisticKHR>(
                 VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
  vkGetPipelineExecutableStatisticsKHR(device, &info, &count, statistics.data());
  struct Row {
    const char *name;
    unsigned PeerStage::*member;
  };
  static constexpr Row rows[] = {
      {"Code size", &PeerStage::codeBytes}, {"Instructions", &PeerStage::instructions},
      {"VGPRs", &PeerStage::vgprs},         {"SGPRs", &PeerStage::sgprs},
      {"LDS size", &PeerStage::ldsBytes},   {"Scratch size", &PeerStage::scratchBytes}};
  for (const VkPipelineExecutableStatisticKHR &s : statistics) {
    for (const Row &row : rows)
      if (!std::strcmp(s.name, row.name))
        result.*row.member = static_cast<unsigned>(s.value.u64);
  }
  return result;
}

static std::vector<PeerDescriptor> peerDescriptors(const llpc::ResourceUsage &usage) {
  std::vector<PeerDescriptor> descriptors;
  for (const llpc::ResourceNodeData &node : usage.nodes) {
    const bool runtime = node.arraySize == llpc::ResourceNodeData::runtimeArray;
    descriptors.push_back(
        {node.set, node.binding, vulkanDescriptorType(node.type), runtime ? 16 : node.arraySize});
  }
  return descriptors;
}

std::optional<PeerResult> Driver::compile(const std::string &file, const std::string &entryName,
                                          bool statistics) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return std::nullopt;
  const llvm::StringRef text = (*buffer)->getBuffer();
  auto module = llpc::spirv::Module::parse(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt;
  }
  const auto *entry = (*module)->findEntryPoint(spv::ExecutionModel::GLCompute, entryName);
  if (!entry)
    return std::nullopt;
  auto usage = llpc::collectResourceUsage(**module, *entry);
  if (!usage) {
    llvm::consumeError(usage.takeError());
    return std::nullopt;
  }
  std::vector<VkDescriptorSetLayout> sets;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  if (!createLayout(peerDescriptors(*usage), usage->pushConstSize, VK_SHADER_STAGE_COMPUTE_BIT,
                    sets, layout))
    return std::nullopt;

  PeerResult result;
  const double start = cli::threadCpuMs();
  auto moduleInfo = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  moduleInfo.codeSize = text.size();
  moduleInfo.pCode = reinterpret_cast<const uint32_t *>(text.data());
  VkShaderModule shader = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkResult status = vkCreateShaderModule(device, &moduleInfo, nullptr, &shader);
  if (status == VK_SUCCESS) {
    auto info =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.flags = statistics ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = entryName.c_str();
    info.layout = layout;
    status = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  }
  result.cpuMs = cli::threadCpuMs() - start;
  if (status == VK_SUCCESS && statistics)
    static_cast<PeerStage &>(result) = readStatistics(pipeline, 0);
  vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyShaderModule(device, shader, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  for (VkDescriptorSetLayout set : sets)
    vkDestroyDescriptorSetLayout(device, set, nullptr);
  if (status != VK_SUCCESS)
    return std::nullopt;
  return result;
}

static void printStage(const PeerStage &s) {
  std::printf(" %u %u %u %u %u %u", s.codeBytes, s.instructions, s.vgprs, s.sgprs, s.ldsBytes,
              s.scratchBytes);
}

/// "G" or "H" (with statistics) and a job.
static void answerGraphics(Driver &driver, const char *line) {
  std::optional<GraphicsJob> job = GraphicsJob::parse(line + 2);
  auto result = job ? driver.compileGraphics(*job, line[0] == 'H') : std::nullopt;
  if (!result) {
    std::printf("failed\n");
    return;
  }
  std::printf("ok %f %f %zu", result->cpuMs, result->wallMs, result->stages.size());
  for (const GraphicsPeerResult::Stage &s : result->stages) {
    std::printf(" %u", s.vkStages);
    printStage(s);
  }
  std::printf("\n");
}

/// "F" or "S" (with statistics), an entry point and a file.
static void answerCompute(Driver &driver, const char *line) {
  const auto [entry, file] = llvm::StringRef(line + 2).split(' ');
  const auto result = driver.compile(file.str(), entry.str(), line[0] == 'S');
  if (!result) {
    std::printf("failed\n");
    return;
  }
  std::printf("ok %f", result->cpuMs);
  printStage(*result);
  std::printf("\n");
}

int runRadvServer() {
  Driver driver;
  if (std::string reason = driver.open(); !reason.empty()) {
    std::printf("%s\n", reason.c_str());
    return 1;
  }
  std::printf("ready %s\n", driver.deviceName.c_str());
  std::fflush(stdout);
  char line[16384];
  while (std::fgets(line, sizeof line, stdin)) {
    line[std::strcspn(line, "\n")] = 0;
    if (std::strlen(line) < 3)
      continue;
    if (line[0] == 'G' || line[0] == 'H')
      answerGraphics(driver, line);
    else
      answerCompute(driver, line);
    std::fflush(stdout);
  }
  return 0;
}

} // namespace radv
