//===- CodeObjectTemplate.cpp - a code object for many layouts ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/remap/CodeObjectTemplate.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bitset>

using namespace llvm;

namespace pal::remap {

namespace userdata = abi::userdata;
using abi::hex;
using abi::malformed;
using abi::notSupported;

/// Writes the code object anew, without literal symbols and with patchable metadata, and notes
/// where what a link changes came to stand.
struct CodeObjectTemplate::Builder {
  const abi::ElfObject &elf;
  const TemplateOptions &options;
  CodeObjectTemplate &result;
  abi::ElfBuilder writer{};
  std::vector<uint32_t> sectionOf{}; ///< new index by old one; 0: left out
  std::vector<uint32_t> symbolOf{};  ///< likewise
  std::vector<uint32_t> literalOf{}; ///< index of the literal by symbol
  std::vector<uint8_t> noteData{};
  std::vector<uint32_t> literalSections{}; ///< new index, of each of result.patches
  unsigned noteSection = 0;

  bool isLiteral(const abi::ElfSymbol &symbol) const {
    return !options.literalPrefix.empty() && symbol.section == ELF::SHN_UNDEF &&
           symbol.name.starts_with(options.literalPrefix);
  }
  Error encodeNote();
  void copySections();
  void copySymbols();
  Error copyRelocations();
  Error finish();
};

Error CodeObjectTemplate::Builder::encodeNote() {
  const abi::ElfNote *note = elf.findMetadataNote();
  if (!note)
    return malformed("no metadata note (type 32 in a section named '.note')");
  abi::PipelineMetadata parsed = KILN_TRY(abi::PipelineMetadata::parse(note->desc));
  MsgPackEncoder encoder;
  result.metadata = KILN_TRY(encodeMetadata(encoder, parsed.document()));
  ArrayRef<uint8_t> section = elf.sections()[note->section].data;
  noteData.assign(section.begin(), section.begin() + note->offset);
  std::vector<uint8_t> encoded = abi::encodeNote(note->owner, note->type, encoder.bytes);
  noteData.insert(noteData.end(), encoded.begin(), encoded.end());
  // The old note's end, rounded up as the parser does; the last note may lack its padding.
  uint64_t oldEnd = alignTo(note->desc.end() - section.data(), 4);
  if (oldEnd < section.size())
    noteData.insert(noteData.end(), section.begin() + oldEnd, section.end());
  noteSection = note->section;
  return Error::success();
}

void CodeObjectTemplate::Builder::copySections() {
  abi::ElfHeader &header = writer.header();
  abi::ElfHeader old = elf.header();
  header.osAbi = old.osAbi;
  header.abiVersion = old.abiVersion;
  header.type = old.type;
  header.machine = old.machine;
  header.entry = old.entry;
  header.flags = old.flags;
  sectionOf.resize(elf.sections().size());
  for (auto [index, section] : enumerate(elf.sections())) {
    bool isTable = section.type == ELF::SHT_NULL || section.type == ELF::SHT_SYMTAB ||
                   section.type == ELF::SHT_STRTAB || section.type == ELF::SHT_REL ||
                   section.type == ELF::SHT_RELA;
    bool isDropped = !options.droppedSection.empty() && section.name == options.droppedSection;
    if (isTable || isDropped)
      continue;
    ArrayRef<uint8_t> data = index == noteSection ? ArrayRef<uint8_t>(noteData) : section.data;
    unsigned copy = writer.addSection(section.name, section.type, section.flags,
                                      std::max<uint64_t>(section.alignment, 1), data);
    writer.section(copy).entrySize = section.entrySize;
    if (section.type == ELF::SHT_NOBITS)
      writer.section(copy).size = section.size;
    sectionOf[index] = copy;
  }
}

void CodeObjectTemplate::Builder::copySymbols() {
  ArrayRef<abi::ElfSymbol> symbols = elf.symbols();
  symbolOf.resize(symbols.size());
  literalOf.resize(symbols.size());
  for (bool wantLocal : {true, false})
    for (size_t i = 1; i < symbols.size(); ++i) {
      const abi::ElfSymbol &symbol = symbols[i];
      if ((symbol.binding == ELF::STB_LOCAL) != wantLocal)
        continue;
      if (isLiteral(symbol)) {
        auto found = find(result.literalNames, symbol.name);
        literalOf[i] = static_cast<uint32_t>(found - result.literalNames.begin());
        if (found == result.literalNames.end())
          result.literalNames.push_back(symbol.name.str());
        continue;
      }
      uint16_t section = symbol.section;
      if (section != ELF::SHN_UNDEF && section < ELF::SHN_LORESERVE) {
        section = static_cast<uint16_t>(sectionOf[section]);
        if (!section)
          continue; // of a section that is left out
      }
      symbolOf[i] = writer.addSymbol(symbol.name, symbol.type, symbol.binding, section,
                                     symbol.value, symbol.size);
    }
}

Error CodeObjectTemplate::Builder::copyRelocations() {
  for (const abi::ElfRelocation &old : elf.relocations()) {
    const abi::ElfSymbol &symbol = elf.symbols()[old.symbol];
    std::string place = elf.describeSection(old.target) + ", relocation at " + hex(old.offset);
    if (!sectionOf[old.target])
      continue;
    if (!isLiteral(symbol)) {
      if (old.symbol && !symbolOf[old.symbol])
        return malformed(place + ": its symbol is in a section that is left out");
      abi::ElfRelocation relocation = old;
      relocation.target = sectionOf[old.target];
      relocation.symbol = symbolOf[old.symbol];
      writer.addRelocation(relocation);
      continue;
    }
    LiteralField field = KILN_TRY(LiteralField::of(old, elf.sections()[old.target], result.target));
    // The place is relative to the section until finish() knows where that is.
    result.patches.push_back({static_cast<uint32_t>(old.offset), literalOf[old.symbol], field});
    literalSections.push_back(sectionOf[old.target]);
  }
  return Error::success();
}

/// Places become offsets in the file.
Error CodeObjectTemplate::Builder::finish() {
  result.image = KILN_TRY(writer.finish());
  abi::ElfObject copy = KILN_TRY(abi::ElfObject::parse(result.image));
  const abi::ElfNote *note = copy.findMetadataNote();
  if (!note)
    return malformed("no metadata note");
  auto base = static_cast<uint32_t>(note->desc.data() - result.image.data());
  auto move = [base](Place &place) { place += place ? base : 0; };
  for (Place *place : {&result.metadata.userDataLimit, &result.metadata.spillThreshold,
                       &result.metadata.pipelineHash[0], &result.metadata.pipelineHash[1]})
    move(*place);
  for (StagePlaces &stage : result.metadata.stages) {
    for (Place *place : {&stage.vgprCount, &stage.sgprCount, &stage.scratchMemorySize,
                         &stage.ldsSize, &stage.scratchEn})
      move(*place);
    for (StagePlaces::Entry &entry : stage.apiEntries)
      move(entry.place);
  }
  for (auto [patch, section] : zip_equal(result.patches, literalSections))
    patch.place += static_cast<uint32_t>(copy.sections()[section].offset);
  return Error::success();
}

Expected<CodeObjectTemplate> CodeObjectTemplate::create(const abi::ElfObject &elf,
                                                        const TemplateOptions &options) {
  if (elf.header().programHeaders != 0)
    return notSupported("ELF header: rewriting an ELF with program headers");
  CodeObjectTemplate result;
  result.target = abi::findTargetByMach(elf.header().flags & abi::elf::machMask);
  Builder builder{elf, options, result};
  KILN_TRY(builder.encodeNote());
  builder.copySections();
  builder.copySymbols();
  KILN_TRY(builder.copyRelocations());
  KILN_TRY(builder.finish());
  return result;
}

size_t CodeObjectTemplate::memoryBytes() const {
  size_t bytes = sizeof(*this) + image.capacity() + patches.capacity() * sizeof(Literal);
  for (const std::string &name : literalNames)
    bytes += sizeof(std::string) + name.capacity();
  for (const StagePlaces &stage : metadata.stages)
    bytes += sizeof(stage) + stage.apiEntries.capacity() * sizeof(StagePlaces::Entry);
  return bytes;
}

uint32_t CodeObjectTemplate::workgroupBytes() const {
  for (const StagePlaces &stage : metadata.stages)
    if (stage.stage == abi::HardwareStage::Cs)
      return stage.ldsBytes;
  return 0;
}

Expected<std::vector<uint8_t>> CodeObjectTemplate::apply(const Numbering &numbering) const {
  std::vector<uint8_t> out(image);
  uint32_t limit = numbering.userDataLimit;
  for (const StagePlaces &stage : metadata.stages) {
    std::bitset<userdata::maxEntries> seen;
    for (const StagePlaces::Entry &entry : stage.apiEntries) {
      uint32_t dword =
          entry.dword < numbering.dwords.size() ? numbering.dwords[entry.dword] : noDword;
      if (!userdata::isApiEntry(dword))
        return malformed("user data dword " + Twine(entry.dword) +
                         (dword == noDword
                              ? Twine(" is not in the new layout")
                              : " becomes dword " + Twine(dword) + ", PAL has 160 entries"));
      // HW(gfx12): PAL keeps one register of a stage for each entry.
      if (target && target->major >= 12 && seen[dword])
        return notSupported("user data dword " + Twine(dword) + " is mapped twice in a stage");
      seen[dword] = true;
      limit = std::max(limit, dword + 1);
      patch32(out.data(), entry.place, dword);
    }
    if (stage.stage == abi::HardwareStage::Cs && numbering.workgroupBytes > stage.ldsBytes) {
      if (!stage.ldsSize)
        return malformed("a compute shader without .lds_size");
      patch32(out.data(), stage.ldsSize, numbering.workgroupBytes);
    }
  }
  for (const Literal &literal : patches) {
    uint32_t value =
        literal.index < numbering.literals.size() ? numbering.literals[literal.index] : 0;
    std::optional<uint32_t> word = literal.field.word(value);
    if (!word)
      return abi::tooLarge("offset " + Twine(value) + " ('" + literalNames[literal.index] +
                           "') does not fit a scalar load");
    support::endian::write32le(&out[literal.place], *word);
  }
  if (metadata.userDataLimit)
    patch32(out.data(), metadata.userDataLimit, limit);
  if (metadata.spillThreshold)
    patch32(out.data(), metadata.spillThreshold, numbering.spillThreshold);
  for (unsigned i = 0; i < 2; ++i)
    if (metadata.pipelineHash[i] && numbering.pipelineHash[i])
      patch64(out.data(), metadata.pipelineHash[i], numbering.pipelineHash[i]);
  return out;
}

} // namespace pal::remap
