//===- CodeObject.cpp - after LLVM has written the ELF --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/CodeObject.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Verify.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace lgc {
namespace {

ArrayRef<uint8_t> bytesOf(ArrayRef<char> data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

/// Our own output does not follow the format: a defect, whatever kind the reader calls it.
Error asInternal(Error error) {
  return internalError("code object: " + consumeToText(std::move(error)).message);
}

Error readStatistics(ArrayRef<uint8_t> elf, const PipelineState &state, Statistics &stats) {
  auto object = pal::abi::ElfObject::parse(elf);
  if (!object)
    return asInternal(object.takeError());
  const pal::abi::ElfNote *note = object->findMetadataNote();
  if (!note)
    return internalError("code object: no metadata note");
  auto metadata = pal::abi::PipelineMetadata::parse(note->desc);
  if (!metadata)
    return asInternal(metadata.takeError());
  const auto &stage = metadata->hardwareStage(pal::abi::HardwareStage::Cs);
  if (!stage)
    return internalError("code object: no compute stage");
  stats.vgprs = stage->vgprCount.value_or(0);
  stats.sgprs = stage->sgprCount.value_or(0);
  stats.ldsBytes = stage->ldsSize.value_or(0);
  stats.scratchBytes = stage->scratchMemorySize.value_or(0);
  if (const pal::abi::ElfSymbol *entry =
          object->findSymbol(pal::abi::entryPointSymbol(pal::abi::HardwareStage::Cs)))
    stats.codeBytes = static_cast<uint32_t>(entry->size);
  if (const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target)) {
    const auto &size = state.compute.workgroupSize;
    stats.wavesPerSimd = pal::abi::wavesPerSimd(*target, stats.waveSize, stats.vgprs,
                                                stats.ldsBytes, size[0] * size[1] * size[2]);
  }
  return Error::success();
}

/// Appends `text` to a string table and returns its offset.
uint32_t addString(pal::abi::ElfImage::Section &table, StringRef text) {
  auto offset = static_cast<uint32_t>(table.data.size());
  table.data.insert(table.data.end(), text.begin(), text.end());
  table.data.push_back(0);
  return offset;
}

/// Appends a section that is not loaded, with one global symbol for the whole of it when `symbol`
/// is not empty. Global symbols may stand at the end of the table, so no index changes.
void addTextSection(pal::abi::ElfImage &image, StringRef name, StringRef text, StringRef symbol) {
  pal::abi::ElfImage::Section section;
  section.nameOffset = addString(image.sections[image.header.nameSection], name);
  section.type = ELF::SHT_PROGBITS;
  for (const auto &other : image.sections)
    section.filePosition = std::max(section.filePosition, other.filePosition + 1);
  section.data.assign(text.begin(), text.end());
  image.sections.push_back(std::move(section));
  if (symbol.empty())
    return;
  for (auto &table : image.sections) {
    if (table.type != ELF::SHT_SYMTAB || table.link >= image.sections.size())
      continue;
    ELF::Elf64_Sym entry = {};
    entry.st_name = addString(image.sections[table.link], symbol);
    entry.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
    entry.st_shndx = static_cast<uint16_t>(image.sections.size() - 1);
    entry.st_size = text.size();
    // As bytes: the target is little-endian, and so is every host that this project builds for.
    const auto *bytes = reinterpret_cast<const uint8_t *>(&entry);
    table.data.insert(table.data.end(), bytes, bytes + sizeof(entry));
    return;
  }
}

Error addTexts(SmallVectorImpl<char> &elf, const CodeObjectTexts &texts) {
  auto object = pal::abi::ElfObject::parse(bytesOf(elf));
  if (!object)
    return asInternal(object.takeError());
  auto image = pal::abi::toImage(*object);
  if (!image)
    return asInternal(image.takeError());
  if (!texts.disassembly.empty())
    addTextSection(*image, ".AMDGPU.disasm", texts.disassembly, "_amdgpu_cs_disasm");
  if (!texts.ir.empty())
    addTextSection(*image, ".AMDGPU.comment.llvmir", texts.ir, "");
  auto bytes = pal::abi::writeElf(*image);
  if (!bytes)
    return asInternal(bytes.takeError());
  elf.assign(bytes->begin(), bytes->end());
  return Error::success();
}

} // namespace

Error finishCodeObject(SmallVectorImpl<char> &elf, const PipelineState &state,
                       const CodeObjectTexts &texts, Statistics &stats) {
  if (!texts.ir.empty() || !texts.disassembly.empty())
    if (Error error = addTexts(elf, texts))
      return error;
  if (Error error = readStatistics(bytesOf(elf), state, stats))
    return error;
  auto violations = pal::abi::verifyCodeObject(bytesOf(elf), pal::abi::findTarget(state.target));
  Error result = Error::success();
  for (const pal::abi::Violation &violation : violations)
    result =
        joinErrors(std::move(result), internalError("code object breaks rule " + violation.rule +
                                                    ": " + violation.message));
  return result;
}

} // namespace lgc
