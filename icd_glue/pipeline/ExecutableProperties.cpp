//===- ExecutableProperties.cpp - VK_KHR_pipeline_executable_properties ---===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include <cstdio>
#include <cstring>

namespace icd {
namespace {

void writeText(char (&to)[VK_MAX_DESCRIPTION_SIZE], llvm::StringRef text) {
  size_t length = std::min<size_t>(text.size(), VK_MAX_DESCRIPTION_SIZE - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

struct Statistic {
  const char *name;
  const char *description;
  uint64_t (*get)(const llpc::ShaderStatistics &);
};

constexpr Statistic statistics[] = {
    {"VGPRs", "vector registers per lane", [](const auto &s) -> uint64_t { return s.vgprs; }},
    {"SGPRs", "scalar registers per wave", [](const auto &s) -> uint64_t { return s.sgprs; }},
    {"LDS bytes", "shared memory per workgroup",
     [](const auto &s) -> uint64_t { return s.ldsBytes; }},
    {"Scratch bytes", "private memory per lane",
     [](const auto &s) -> uint64_t { return s.scratchBytes; }},
    {"Code bytes", "machine code without padding",
     [](const auto &s) -> uint64_t { return s.codeBytes; }},
    {"Instructions", "machine instructions",
     [](const auto &s) -> uint64_t { return s.instructions; }},
    {"Waves per SIMD", "occupancy that these resources allow",
     [](const auto &s) -> uint64_t { return s.wavesPerSimd; }},
    {"Wave size", "lanes of a wave", [](const auto &s) -> uint64_t { return s.waveSize; }},
};

const std::vector<ExecutableInfo> &executablesOf(VkDevice device, VkPipeline pipeline) {
  return fromHandle<Pipeline>(pipeline)->data->executables(*fromHandle<Device>(device));
}

const ExecutableInfo *executableOf(VkDevice device, const VkPipelineExecutableInfoKHR &info) {
  const auto &executables = executablesOf(device, info.pipeline);
  return info.executableIndex < executables.size() ? &executables[info.executableIndex] : nullptr;
}

struct Representation {
  const char *name;
  const char *description;
  std::string ExecutableInfo::*text;
};
constexpr Representation representations[] = {
    {"LLVM IR", "before code generation", &ExecutableInfo::llvmIr},
    {"Disassembly", "of the machine code", &ExecutableInfo::disassembly},
};

/// Texts are zero-terminated. False: not all of it fits.
bool writeRepresentation(const std::string &text,
                         VkPipelineExecutableInternalRepresentationKHR &to) {
  to.isText = VK_TRUE;
  if (!to.pData) {
    to.dataSize = text.size() + 1;
    return true;
  }
  if (to.dataSize == 0)
    return false;
  size_t length = std::min(to.dataSize - 1, text.size());
  std::memcpy(to.pData, text.data(), length);
  static_cast<char *>(to.pData)[length] = 0;
  to.dataSize = length + 1;
  return length == text.size();
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL
GetPipelineExecutablePropertiesKHR(VkDevice device, const VkPipelineInfoKHR *info, uint32_t *count,
                                   VkPipelineExecutablePropertiesKHR *properties) {
  const auto &executables = executablesOf(device, info->pipeline);
  return writeList(executables, count, properties,
                   [](const ExecutableInfo &from, VkPipelineExecutablePropertiesKHR &to) {
                     to.stages = from.stages;
                     to.subgroupSize = from.subgroupSize;
                     writeText(to.name, from.name);
                     writeText(to.description, from.description);
                   });
}

VKAPI_ATTR VkResult VKAPI_CALL
GetPipelineExecutableStatisticsKHR(VkDevice device, const VkPipelineExecutableInfoKHR *info,
                                   uint32_t *count, VkPipelineExecutableStatisticKHR *output) {
  const ExecutableInfo *executable = executableOf(device, *info);
  if (!executable) {
    *count = 0;
    return VK_SUCCESS;
  }
  return writeList(statistics, count, output,
                   [&](const Statistic &from, VkPipelineExecutableStatisticKHR &to) {
                     writeText(to.name, from.name);
                     writeText(to.description, from.description);
                     to.format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
                     to.value.u64 = from.get(executable->statistics);
                   });
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineExecutableInternalRepresentationsKHR(
    VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
    VkPipelineExecutableInternalRepresentationKHR *output) {
  const ExecutableInfo *executable = executableOf(device, *info);
  std::vector<Representation> available;
  for (const Representation &representation : representations)
    if (executable && !(executable->*representation.text).empty())
      available.push_back(representation);
  bool complete = true;
  VkResult result =
      writeList(available, count, output,
                [&](const Representation &from, VkPipelineExecutableInternalRepresentationKHR &to) {
                  writeText(to.name, from.name);
                  writeText(to.description, from.description);
                  complete &= writeRepresentation(executable->*from.text, to);
                });
  return result == VK_SUCCESS && !complete ? VK_INCOMPLETE : result;
}

} // namespace icd
