//===- Executable.cpp - VK_KHR_pipeline_executable_properties -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/code/Executable.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/device/Disassembly.h"
#include "pal_shim/device/InstructionCount.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

using pal::abi::HardwareStage;

VkShaderStageFlags flagOf(llpc::ShaderStage stage) {
  return stage < llpc::ShaderStage::Count ? llpc::namesOf(stage).vulkanFlag : 0;
}

namespace {

/// The text in a section of a code object, or the part of it that \p symbol names; empty when there
/// is none.
std::string textOf(const pal::abi::ElfObject &elf, llvm::StringRef name,
                   llvm::StringRef symbol = {}) {
  const pal::abi::ElfSection *section = elf.findSection(name);
  if (!section)
    return {};
  llvm::StringRef text(reinterpret_cast<const char *>(section->data.data()), section->data.size());
  if (!symbol.empty()) {
    const pal::abi::ElfSymbol *part = elf.findSymbol(symbol);
    if (!part)
      return {};
    text = text.substr(part->value, part->size);
  }
  return text.rtrim('\0').str();
}

/// Shaders that the hardware runs as a compute shader with the whole code object to itself.
bool isComputeLike(VkShaderStageFlags stages) {
  return stages & (VK_SHADER_STAGE_COMPUTE_BIT | rayTracingStages);
}

/// "vertex + geometry": without commas, because tools put names into tables. Of code that the
/// compiler made itself the hardware stage.
std::string nameOf(VkShaderStageFlags stages, llvm::StringRef key) {
  std::string name;
  for (const llpc::StageNames &row : llpc::stageNames())
    if (stages & row.vulkanFlag)
      name += (name.empty() ? "" : " + ") + row.name.str();
  return name.empty() ? "hardware stage " + key.str() : name;
}

ExecutableInfo describeStage(HardwareStage stage, VkShaderStageFlags stages,
                             const llpc::ShaderStatistics &statistics) {
  const llvm::StringRef key = hardwareStageKey(stage).drop_front();
  ExecutableInfo info;
  info.name = nameOf(stages, key);
  // Nothing that depends on how the code was asked for: the same code has the same description.
  info.description = stages & VK_SHADER_STAGE_COMPUTE_BIT ? "compute shader"
                     : isComputeLike(stages)              ? "ray tracing kernel"
                                                          : "hardware stage " + key.upper();
  info.stages = stages;
  info.hardwareStage = stage;
  info.subgroupSize = statistics.waveSize;
  info.statistics = statistics;
  return info;
}

void addTexts(ExecutableInfo &info, HardwareStage stage, const pal::abi::ElfObject &elf) {
  const llvm::StringRef key = hardwareStageKey(stage).drop_front();
  const bool isCompute = isComputeLike(info.stages);
  info.disassembly =
      textOf(elf, ".AMDGPU.disasm", isCompute ? "" : ("_amdgpu_" + key + "_disasm").str());
  info.llvmIr = textOf(elf, ".AMDGPU.comment.llvmir"); // of all stages
}

/// The shaders that the hardware runs in \p stage of a pipeline with all of \p stages. Vulkan's
/// stages before rasterization are merged in pairs; behind the merged geometry stage of the legacy
/// path there is a copy shader that nobody wrote.
VkShaderStageFlags shadersIn(HardwareStage stage, VkShaderStageFlags stages) {
  constexpr VkShaderStageFlags hull =
      VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  const bool hasTessellation = stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  const VkShaderStageFlags last =
      hasTessellation ? VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT : VK_SHADER_STAGE_VERTEX_BIT;
  switch (stage) {
  case HardwareStage::Hs:
    return stages & hull;
  case HardwareStage::Gs:
    return stages & (last | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_MESH_BIT_EXT);
  case HardwareStage::Vs:
    return stages & VK_SHADER_STAGE_GEOMETRY_BIT ? 0 : stages & last;
  case HardwareStage::Ps:
    return stages & VK_SHADER_STAGE_FRAGMENT_BIT;
  case HardwareStage::Cs:
    return stages & (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | rayTracingStages);
  }
  return 0;
}

/// Of the function that \p entry names; empty where it has none.
llvm::ArrayRef<uint8_t> codeOf(const pal::abi::ElfObject &elf, const pal::abi::ElfSymbol &entry) {
  if (entry.section >= elf.sections().size())
    return {};
  const llvm::ArrayRef<uint8_t> code = elf.sections()[entry.section].data;
  if (entry.value > code.size() || entry.size > code.size() - entry.value)
    return {};
  return code.slice(entry.value, entry.size);
}

/// 0: there are bytes that are no instructions.
uint32_t instructionsOf(llvm::ArrayRef<uint8_t> code, const pal::abi::GpuTarget &target,
                        unsigned waveSize) {
  auto count = pal::device::countInstructions(target, waveSize, code);
  if (count)
    return static_cast<uint32_t>(*count);
  llvm::consumeError(count.takeError());
  return 0;
}

llpc::ShaderStatistics statisticsOf(HardwareStage stage, const pal::abi::HardwareStageInfo &from,
                                    const pal::abi::ElfObject &elf,
                                    const pal::abi::GpuTarget &target) {
  llpc::ShaderStatistics to;
  to.vgprs = from.vgprCount.value_or(0);
  to.sgprs = from.sgprCount.value_or(0);
  to.ldsBytes = from.ldsSize.value_or(0);
  to.scratchBytes = from.scratchMemorySize.value_or(0);
  to.waveSize = from.wavefrontSize.value_or(0);
  if (const pal::abi::ElfSymbol *entry = elf.findSymbol(pal::abi::entryPointSymbol(stage))) {
    to.codeBytes = static_cast<uint32_t>(entry->size);
    to.instructions = instructionsOf(codeOf(elf, *entry), target, to.waveSize);
  }
  uint32_t groupThreads = to.waveSize;
  if (from.threadgroupDimensions && from.threadgroupDimensions->size() == 3) {
    llvm::copy(*from.threadgroupDimensions, to.workgroupSize.begin());
    groupThreads = to.workgroupSize[0] * to.workgroupSize[1] * to.workgroupSize[2];
  }
  to.wavesPerSimd = pal::abi::wavesPerSimd(target, to.waveSize, to.vgprs, to.ldsBytes, groupThreads,
                                           from.wgpMode.value_or(true));
  return to;
}

} // namespace

std::vector<ExecutableInfo> describe(llvm::ArrayRef<uint8_t> bytes, VkShaderStageFlags stages,
                                     const pal::abi::GpuTarget &target) {
  auto elf = pal::abi::ElfObject::parse(bytes);
  const pal::abi::ElfNote *note = elf ? elf->findMetadataNote() : nullptr;
  auto metadata = note ? pal::abi::PipelineMetadata::parse(note->desc)
                       : llvm::Expected<pal::abi::PipelineMetadata>(lgc::invalidInput("no note"));
  std::vector<ExecutableInfo> all;
  // The loader has taken these bytes.
  if (!elf)
    llvm::consumeError(elf.takeError());
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return all;
  }
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
    const auto stage = static_cast<HardwareStage>(i);
    if (const auto &from = metadata->hardwareStage(stage)) {
      all.push_back(
          describeStage(stage, shadersIn(stage, stages), statisticsOf(stage, *from, *elf, target)));
      addTexts(all.back(), stage, *elf);
    }
  }
  return all;
}

std::string disassemblyOf(llvm::ArrayRef<uint8_t> bytes, const ExecutableInfo &executable,
                          const pal::abi::GpuTarget &target) {
  auto elf = pal::abi::ElfObject::parse(bytes);
  if (!elf) {
    llvm::consumeError(elf.takeError());
    return {};
  }
  const pal::abi::ElfSymbol *entry =
      elf->findSymbol(pal::abi::entryPointSymbol(executable.hardwareStage));
  if (!entry)
    return {};
  auto text =
      pal::device::disassemble(target, executable.statistics.waveSize, codeOf(*elf, *entry));
  if (text)
    return std::move(*text);
  llvm::consumeError(text.takeError());
  return {};
}

} // namespace icd
