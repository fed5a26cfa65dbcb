//===- CodeObject.cpp - hardware stages of an ELF -------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/CodeObject.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/Try.h"

using namespace pal::abi;

namespace report {

/// SPI_PS_INPUT_ADDR: registers of each input.
static unsigned fragmentInputs(const PipelineMetadata &metadata) {
  struct Row {
    llvm::StringLiteral field;
    unsigned registers;
  };
  static constexpr Row rows[] = {
      {key::perspSampleEna, 2},    {key::perspCenterEna, 2},    {key::perspCentroidEna, 2},
      {key::perspPullModelEna, 3}, {key::linearSampleEna, 2},   {key::linearCenterEna, 2},
      {key::linearCentroidEna, 2}, {key::lineStippleTexEna, 1}, {key::posXFloatEna, 1},
      {key::posYFloatEna, 1},      {key::posZFloatEna, 1},      {key::posWFloatEna, 1},
      {key::frontFaceEna, 1},      {key::ancillaryEna, 1},      {key::sampleCoverageEna, 1},
      {key::posFixedPtEna, 1}};
  unsigned count = 0;
  for (const Row &row : rows)
    if (metadata.graphicsNumber({key::spiPsInputAddr, row.field}).value_or(0))
      count += row.registers;
  return count;
}

static unsigned vgprsAtStart(const GpuTarget &target, HardwareStage stage,
                             const PipelineMetadata &metadata) {
  // HW(gfx10): a register for each local id. HW(gfx11+): packed in v0.
  constexpr unsigned ofVertexWork = 9; // five of GS, four of ES: no other stage has more
  switch (stage) {
  case HardwareStage::Cs:
    return target.major < 11 ? 3 : 1;
  case HardwareStage::Ps:
    return fragmentInputs(metadata);
  default:
    return ofVertexWork;
  }
}

static StageCode readStage(const GpuTarget &target, HardwareStage stage,
                           const PipelineMetadata &metadata, const HardwareStageInfo &info) {
  StageCode result;
  result.stage = stage;
  result.waveSize = info.wavefrontSize.value_or(64);
  result.vgprs = info.vgprCount.value_or(0);
  result.sgprs = info.sgprCount.value_or(0);
  result.ldsBytes = info.ldsSize.value_or(0);
  result.scratchBytes = info.scratchMemorySize.value_or(0);
  result.isWgpMode = info.wgpMode.value_or(false);
  if (info.threadgroupDimensions) {
    uint64_t threads = 1;
    for (const uint32_t size : *info.threadgroupDimensions)
      threads *= size;
    result.workgroupThreads = unsigned(std::min<uint64_t>(threads, 1024));
    for (size_t i = 0; i < std::min<size_t>(3, info.threadgroupDimensions->size()); ++i)
      result.workgroupSize[i] = (*info.threadgroupDimensions)[i];
  }
  result.vgprsAtStart = vgprsAtStart(target, stage, metadata);
  return result;
}

llvm::Expected<CodeObject> readCodeObject(llvm::ArrayRef<uint8_t> elf) {
  const ElfObject object = KILN_TRY(ElfObject::parse(elf));
  CodeObject result;
  result.target = findTargetByMach(object.header().flags & 0xFF);
  if (!result.target)
    return notSupported("machine " + hex(object.header().flags & 0xFF));
  const ElfNote *note = object.findMetadataNote();
  if (!note)
    return malformed("no metadata note");
  const PipelineMetadata metadata = KILN_TRY(PipelineMetadata::parse(note->desc));
  for (unsigned i = 0; i < hardwareStageCount; ++i) {
    const auto stage = static_cast<HardwareStage>(i);
    const std::optional<HardwareStageInfo> &info = metadata.hardwareStage(stage);
    const ElfSymbol *symbol = object.findSymbol(entryPointSymbol(stage));
    if (!info || !symbol || symbol->section >= object.sections().size())
      continue;
    const ElfSection &section = object.sections()[symbol->section];
    if (symbol->value > section.data.size() || symbol->size > section.data.size() - symbol->value)
      return malformed("symbol '" + symbol->name + "' leaves its section");
    StageCode code = readStage(*result.target, stage, metadata, *info);
    code.address = section.address + symbol->value;
    code.offset = symbol->value;
    code.bytes = section.data.slice(symbol->value, symbol->size);
    result.stages.push_back(code);
  }
  return result;
}

unsigned wavesWith(const GpuTarget &target, const StageCode &stage, unsigned vgprs) {
  const unsigned threads = stage.workgroupThreads ? stage.workgroupThreads : stage.waveSize;
  return wavesPerSimd(target, stage.waveSize, vgprs, stage.ldsBytes, threads, stage.isWgpMode);
}

unsigned vgprGranule(const GpuTarget &target, unsigned waveSize) {
  return target.vgprGranule32 * 32 / waveSize;
}

std::vector<WaveStep> waveSteps(const GpuTarget &target, const StageCode &stage, size_t most) {
  const unsigned now = wavesWith(target, stage, stage.vgprs);
  std::vector<WaveStep> steps;
  unsigned last = now;
  for (unsigned vgprs = stage.vgprs; vgprs > 1 && steps.size() < most; --vgprs)
    if (const unsigned waves = wavesWith(target, stage, vgprs); waves > last) {
      steps.insert(steps.begin(), {vgprs, waves});
      last = waves;
    }
  for (unsigned vgprs = stage.vgprs + 1; vgprs <= maxVgprsPerWave; ++vgprs) {
    const unsigned waves = wavesWith(target, stage, vgprs);
    if (waves == now)
      continue;
    // With the most registers that do not cost yet another one.
    while (vgprs < maxVgprsPerWave && wavesWith(target, stage, vgprs + 1) == waves)
      ++vgprs;
    steps.push_back({vgprs, waves});
    break;
  }
  return steps;
}

unsigned registersToNextWave(const GpuTarget &target, const StageCode &stage, unsigned vgprs) {
  const unsigned now = wavesWith(target, stage, vgprs);
  for (unsigned fewer = 1; fewer < vgprs; ++fewer)
    if (wavesWith(target, stage, vgprs - fewer) > now)
      return fewer;
  return 0;
}

} // namespace report
