//===- CodeObject.cpp - after LLVM has written the ELF --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/CodeObject.h"
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/machine/LoadOffsets.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/abi/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

ArrayRef<uint8_t> bytesOf(ArrayRef<char> data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

/// Our own output does not follow the format: a defect, whatever kind the reader calls it.
Error asInternal(Error error) {
  return internalError("code object: " + consumeToText(std::move(error)).message);
}

/// Lanes of the largest group of waves that shares LDS, for the occupancy: a workgroup, or about
/// what the geometry engine puts into one.
uint32_t groupThreads(const PipelineState &state, HardwareStage stage, uint32_t waveSize) {
  if (stage == HardwareStage::Cs) {
    const auto &size =
        state.shader(state.isGraphics() ? ShaderStage::Task : ShaderStage::Compute).workgroupSize;
    return size[0] * size[1] * size[2];
  }
  return stage == HardwareStage::Hs || stage == HardwareStage::Gs ? mergedGroupThreads : waveSize;
}

Statistics stageStatistics(const pal::abi::ElfObject &object, HardwareStage id,
                           const pal::abi::HardwareStageInfo &stage,
                           const InstructionCounts &instructions) {
  Statistics stats;
  StringRef symbol = pal::abi::entryPointSymbol(id);
  stats.vgprs = stage.vgprCount.value_or(0);
  stats.sgprs = stage.sgprCount.value_or(0);
  stats.ldsBytes = stage.ldsSize.value_or(0);
  stats.scratchBytes = stage.scratchMemorySize.value_or(0);
  if (const pal::abi::ElfSymbol *entry = object.findSymbol(symbol))
    stats.codeBytes = static_cast<uint32_t>(entry->size);
  if (auto count = instructions.find(symbol); count != instructions.end())
    stats.instructions = count->second;
  return stats;
}

Error readStatistics(const pal::abi::ElfObject &object, const pal::abi::PipelineMetadata &metadata,
                     const PipelineState &state, const InstructionCounts &instructions,
                     CompileResult &result) {
  std::vector<StageStatistics> stages;
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
    auto id = static_cast<HardwareStage>(i);
    if (const auto &stage = metadata.hardwareStage(id))
      stages.push_back({id, stageStatistics(object, id, *stage, instructions)});
  }
  return setStatistics(std::move(stages), state, result);
}

/// Appends `text` to a string table and returns its offset.
uint32_t addString(pal::abi::ElfImage::Section &table, StringRef text) {
  auto offset = static_cast<uint32_t>(table.data.size());
  table.data.insert(table.data.end(), text.begin(), text.end());
  table.data.push_back(0);
  return offset;
}

/// A named piece of a section.
struct TextPart {
  std::string symbol;
  size_t begin, end;
};

/// Appends a section that is not loaded, with global symbols for parts of it. Global symbols may
/// stand at the end of the table, so no index changes.
void addSection(pal::abi::ElfImage &image, StringRef name, StringRef data,
                ArrayRef<TextPart> parts) {
  pal::abi::ElfImage::Section section;
  section.nameOffset = addString(image.sections[image.header.nameSection], name);
  section.type = ELF::SHT_PROGBITS;
  for (const auto &other : image.sections)
    section.filePosition = std::max(section.filePosition, other.filePosition + 1);
  section.data.assign(data.begin(), data.end());
  image.sections.push_back(std::move(section));
  for (auto &table : image.sections) {
    if (table.type != ELF::SHT_SYMTAB || table.link >= image.sections.size())
      continue;
    for (const TextPart &part : parts) {
      ELF::Elf64_Sym entry = {};
      entry.st_name = addString(image.sections[table.link], part.symbol);
      entry.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
      entry.st_shndx = static_cast<uint16_t>(image.sections.size() - 1);
      entry.st_value = part.begin;
      entry.st_size = part.end - part.begin;
      // As bytes: the target is little-endian, and so is every host that this project builds for.
      const auto *bytes = reinterpret_cast<const uint8_t *>(&entry);
      table.data.insert(table.data.end(), bytes, bytes + sizeof(entry));
    }
    return;
  }
}

/// Cuts assembly text where the stages' functions begin; what stands in front belongs to the first
/// one, what stands behind to the last one.
std::vector<TextPart> cutByStage(StringRef text) {
  std::vector<TextPart> parts;
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
    auto id = static_cast<HardwareStage>(i);
    size_t begin = text.find(("\t.globl\t" + pal::abi::entryPointSymbol(id) + "\n").str());
    if (begin == StringRef::npos)
      begin = text.find(("\t.globl\t" + pal::abi::entryPointSymbol(id) + " ").str());
    if (begin != StringRef::npos)
      parts.push_back({("_amdgpu_" + pal::abi::hardwareStageKey(id).drop_front() + "_disasm").str(),
                       begin, text.size()});
  }
  sort(parts, [](const TextPart &a, const TextPart &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < parts.size(); ++i)
    parts[i - 1].end = parts[i].begin;
  if (!parts.empty())
    parts.front().begin = 0;
  return parts;
}

} // namespace

Error addExtras(SmallVectorImpl<char> &elf, const CodeObjectExtras &extras) {
  if (extras.ir.empty() && extras.disassembly.empty() && extras.partInfo.empty())
    return Error::success();
  auto object = pal::abi::ElfObject::parse(bytesOf(elf));
  if (!object)
    return asInternal(object.takeError());
  auto image = pal::abi::toImage(*object);
  if (!image)
    return asInternal(image.takeError());
  if (!extras.disassembly.empty())
    addSection(*image, ".AMDGPU.disasm", extras.disassembly, cutByStage(extras.disassembly));
  if (!extras.ir.empty())
    addSection(*image, ".AMDGPU.comment.llvmir", extras.ir, {});
  if (hasLoadOffsetMarks(*object))
    KILN_TRY(convertLoadOffsetMarks(*object, *image));
  if (!extras.partInfo.empty())
    addSection(*image, partInfoSection, toStringRef(extras.partInfo), {});
  auto bytes = pal::abi::writeElf(*image);
  if (!bytes)
    return asInternal(bytes.takeError());
  elf.assign(bytes->begin(), bytes->end());
  return Error::success();
}

Error setStatistics(std::vector<StageStatistics> stages, const PipelineState &state,
                    CompileResult &result) {
  if (stages.empty())
    return internalError("code object: no hardware stage");
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  for (auto &[id, stats] : stages) {
    stats.waveSize = chooseWaveSize(state, id);
    if (target)
      stats.wavesPerSimd = pal::abi::wavesPerSimd(
          *target, stats.waveSize, stats.vgprs, stats.ldsBytes,
          groupThreads(state, id, stats.waveSize), hardwareShaderState(id, state).wgpMode);
  }
  result.stats = {};
  if (!state.isGraphics())
    result.stats = stages.front().stats;
  else
    for (const StageStatistics &stage : stages) {
      result.stats.codeBytes += stage.stats.codeBytes;
      result.stats.instructions += stage.stats.instructions;
    }
  result.stages = std::move(stages);
  return Error::success();
}

namespace {

struct ParsedCodeObject {
  pal::abi::ElfObject object;
  pal::abi::PipelineMetadata metadata;
};

Expected<ParsedCodeObject> parseCodeObject(ArrayRef<char> elf) {
  auto object = pal::abi::ElfObject::parse(bytesOf(elf));
  if (!object)
    return asInternal(object.takeError());
  const pal::abi::ElfNote *note = object->findMetadataNote();
  if (!note)
    return internalError("code object: no metadata note");
  auto metadata = pal::abi::PipelineMetadata::parse(note->desc);
  if (!metadata)
    return asInternal(metadata.takeError());
  return ParsedCodeObject{std::move(*object), std::move(*metadata)};
}

} // namespace

Error finishCodeObject(SmallVectorImpl<char> &elf, const PipelineState &state,
                       const CodeObjectExtras &extras, const InstructionCounts &instructions,
                       CompileResult &result) {
  KILN_TRY(addExtras(elf, extras));
  // Read once, for the statistics and the rules: as long as the rules themselves take.
  auto parsed = KILN_TRY(parseCodeObject(elf));
  if (hasFunctions(parsed.metadata)) {
    auto withStack =
        KILN_TRY(addRayStack(parsed.object, parsed.metadata, pal::abi::findTarget(state.target),
                             state.rays.maxRecursionDepth));
    elf.assign(withStack.begin(), withStack.end());
    parsed = KILN_TRY(parseCodeObject(elf));
  }
  KILN_TRY(readStatistics(parsed.object, parsed.metadata, state, instructions, result));
  auto violations = pal::abi::verifyCodeObject(parsed.object, &parsed.metadata,
                                               pal::abi::findTarget(state.target));
  Error error = Error::success();
  for (const pal::abi::Violation &violation : violations)
    error = joinErrors(std::move(error), internalError("code object breaks rule " + violation.rule +
                                                       ": " + violation.message));
  return error;
}

} // namespace lgc
