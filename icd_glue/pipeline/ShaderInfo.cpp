//===- ShaderInfo.cpp - VK_AMD_shader_info --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What tools such as Radeon GPU Analyzer ask a driver for: resources, machine code and its text,
/// of one stage of a pipeline. Of stages that the hardware runs as one, each has what that one has.
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include <cstring>

namespace icd {
namespace {

/// What of them shaders may use (RDNA ISA manuals, "Storage state").
constexpr uint32_t availableSgprs = 106;

VkShaderStatisticsInfoAMD statisticsOf(const ExecutableInfo &executable,
                                       const pal::abi::GpuTarget &target) {
  const llpc::ShaderStatistics &from = executable.statistics;
  VkShaderStatisticsInfoAMD to = {};
  to.shaderStageMask = executable.stages;
  to.resourceUsage.numUsedVgprs = from.vgprs;
  to.resourceUsage.numUsedSgprs = from.sgprs;
  to.resourceUsage.ldsSizePerLocalWorkGroup = pal::abi::maxLdsBytesPerWorkgroup;
  to.resourceUsage.ldsUsageSizeInBytes = from.ldsBytes;
  to.resourceUsage.scratchMemUsageInBytes = from.scratchBytes;
  to.numPhysicalVgprs = from.waveSize == 64 ? target.vgprsWave32 / 2 : target.vgprsWave32;
  to.numPhysicalSgprs = pal::abi::sgprsPerWave * target.maxWavesPerSimd;
  to.numAvailableVgprs = pal::abi::maxVgprsPerWave;
  to.numAvailableSgprs = availableSgprs;
  if (executable.stages & VK_SHADER_STAGE_COMPUTE_BIT)
    std::copy(from.workgroupSize.begin(), from.workgroupSize.end(), to.computeWorkGroupSize);
  return to;
}

/// \p size and \p to as Vulkan's commands that give bytes have them.
VkResult writeBytes(const void *from, size_t bytes, size_t *size, void *to) {
  if (!to) {
    *size = bytes;
    return VK_SUCCESS;
  }
  const VkResult result = *size < bytes ? VK_INCOMPLETE : VK_SUCCESS;
  *size = std::min(*size, bytes);
  if (*size)
    std::memcpy(to, from, *size);
  return result;
}

VkResult writeText(const std::string &text, size_t *size, void *to) {
  if (text.empty())
    return VK_ERROR_FEATURE_NOT_PRESENT;
  return writeBytes(text.c_str(), text.size() + 1, size, to);
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL GetShaderInfoAMD(VkDevice device, VkPipeline pipeline,
                                                VkShaderStageFlagBits stage,
                                                VkShaderInfoTypeAMD type, size_t *size,
                                                void *info) {
  Device &owner = *fromHandle<Device>(device);
  const PipelineData &data = *fromHandle<Pipeline>(pipeline)->data;
  if (data.kind == PipelineData::Kind::Library)
    return VK_ERROR_FEATURE_NOT_PRESENT;
  const CodeObject *code = data.code(owner);
  const auto &executables = data.executables(owner);
  const auto found =
      llvm::find_if(executables, [&](const ExecutableInfo &e) { return e.stages & stage; });
  if (!code || found == executables.end())
    return VK_ERROR_FEATURE_NOT_PRESENT;
  switch (type) {
  case VK_SHADER_INFO_TYPE_STATISTICS_AMD: {
    const VkShaderStatisticsInfoAMD statistics = statisticsOf(*found, owner.target());
    return writeBytes(&statistics, sizeof(statistics), size, info);
  }
  case VK_SHADER_INFO_TYPE_BINARY_AMD: {
    const llvm::ArrayRef<uint8_t> elf = code->elf();
    return elf.empty() ? VK_ERROR_FEATURE_NOT_PRESENT
                       : writeBytes(elf.data(), elf.size(), size, info);
  }
  case VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD:
    return writeText(disassemblyOf(code->elf(), *found, owner.target()), size, info);
  default:
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
}

} // namespace icd
