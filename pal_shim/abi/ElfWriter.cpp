//===- ElfWriter.cpp - deterministic writer of 64-bit little-endian ELF ---===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace llvm;

namespace pal::abi {
namespace {

constexpr uint64_t headerSize = 64;
constexpr uint64_t sectionHeaderSize = 64;
/// Larger ones would only fill the file with zeros.
constexpr uint64_t maxAlignment = 1 << 20;

void put(std::vector<uint8_t> &out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(uint8_t(value >> (8 * i)));
}

void padTo(std::vector<uint8_t> &out, uint64_t alignment) {
  out.resize(alignTo(out.size(), alignment));
}

bool hasFileData(const ElfImage::Section &section) {
  return section.type != ELF::SHT_NULL && section.type != ELF::SHT_NOBITS;
}

void writeHeader(std::vector<uint8_t> &out, const ElfImage &image, uint64_t sectionTable) {
  const ElfHeader &header = image.header;
  std::vector<uint8_t> bytes;
  bytes.reserve(headerSize);
  for (char c : StringRef(ELF::ElfMagic, 4))
    bytes.push_back(uint8_t(c));
  bytes.insert(bytes.end(), {ELF::ELFCLASS64, ELF::ELFDATA2LSB, ELF::EV_CURRENT, header.osAbi,
                             header.abiVersion, 0, 0, 0, 0, 0, 0, 0});
  put(bytes, header.type, 2);
  put(bytes, header.machine, 2);
  put(bytes, ELF::EV_CURRENT, 4);
  put(bytes, header.entry, 8);
  put(bytes, 0, 8); // program headers: none
  put(bytes, sectionTable, 8);
  put(bytes, header.flags, 4);
  put(bytes, headerSize, 2);
  put(bytes, 0, 2);
  put(bytes, 0, 2);
  put(bytes, sectionHeaderSize, 2);
  put(bytes, image.sections.size(), 2);
  put(bytes, header.nameSection, 2);
  std::copy(bytes.begin(), bytes.end(), out.begin());
}

void writeSectionHeader(std::vector<uint8_t> &out, const ElfImage::Section &section,
                        uint64_t offset) {
  put(out, section.nameOffset, 4);
  put(out, section.type, 4);
  put(out, section.flags, 8);
  put(out, section.address, 8);
  put(out, offset, 8);
  put(out, hasFileData(section) ? section.data.size() : section.size, 8);
  put(out, section.link, 4);
  put(out, section.info, 4);
  put(out, section.alignment, 8);
  put(out, section.entrySize, 8);
}

Error checkImage(const ElfImage &image) {
  if (image.sections.empty() || image.sections.size() >= ELF::SHN_LORESERVE)
    return tooLarge("ELF with " + Twine(image.sections.size()) +
                    " sections, the format has room for 1 to 65279");
  uint64_t total = headerSize + image.sections.size() * sectionHeaderSize + 8;
  for (size_t i = 0; i < image.sections.size(); ++i) {
    const ElfImage::Section &section = image.sections[i];
    uint64_t alignment = std::max<uint64_t>(section.alignment, 1);
    if (!isPowerOf2_64(alignment))
      return malformed("section " + Twine(i) + ": alignment " + hex(alignment) +
                       " is no power of two");
    if (alignment > maxAlignment)
      return tooLarge("section " + Twine(i) + ": alignment " + hex(alignment) + ", the limit is " +
                      hex(maxAlignment));
    total += section.data.size() + alignment;
    if (total > maxElfBytes)
      return tooLarge("ELF of more than " + hex(maxElfBytes) + " bytes");
  }
  return Error::success();
}

} // namespace

Expected<ElfImage> toImage(const ElfObject &object) {
  if (object.header().programHeaders != 0)
    return notSupported("ELF header: rewriting an ELF with program headers");
  ElfImage image;
  image.header = object.header();
  image.sections.reserve(object.sections().size());
  for (const ElfSection &from : object.sections()) {
    ElfImage::Section to;
    to.nameOffset = from.nameOffset;
    to.type = from.type;
    to.flags = from.flags;
    to.address = from.address;
    to.filePosition = from.offset;
    to.size = from.size;
    to.link = from.link;
    to.info = from.info;
    to.alignment = from.alignment;
    to.entrySize = from.entrySize;
    to.data.assign(from.data.begin(), from.data.end());
    image.sections.push_back(std::move(to));
  }
  return image;
}

Expected<std::vector<uint8_t>> writeElf(const ElfImage &image) {
  KILN_TRY(checkImage(image));
  std::vector<size_t> order(image.sections.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(image.sections[a].filePosition, a) <
           std::pair(image.sections[b].filePosition, b);
  });
  std::vector<uint8_t> out(headerSize);
  std::vector<uint64_t> offsets(image.sections.size());
  for (size_t index : order) {
    const ElfImage::Section &section = image.sections[index];
    if (section.type == ELF::SHT_NULL)
      continue;
    if (hasFileData(section)) {
      padTo(out, std::max<uint64_t>(section.alignment, 1));
      out.insert(out.end(), section.data.begin(), section.data.end());
      offsets[index] = out.size() - section.data.size();
    } else {
      offsets[index] = out.size();
    }
  }
  padTo(out, 8);
  writeHeader(out, image, out.size());
  for (size_t i = 0; i < image.sections.size(); ++i)
    writeSectionHeader(out, image.sections[i], offsets[i]);
  return out;
}

std::vector<uint8_t> encodeNote(StringRef owner, uint32_t type, ArrayRef<uint8_t> desc) {
  std::vector<uint8_t> note;
  put(note, owner.size() + 1, 4);
  put(note, desc.size(), 4);
  put(note, type, 4);
  note.insert(note.end(), owner.begin(), owner.end());
  note.push_back(0);
  padTo(note, 4);
  note.insert(note.end(), desc.begin(), desc.end());
  padTo(note, 4);
  return note;
}

Expected<std::vector<uint8_t>> replaceMetadata(const ElfObject &object,
                                               ArrayRef<uint8_t> metadata) {
  const ElfNote *note = object.findMetadataNote();
  if (!note)
    return malformed("no metadata note (type 32 in a section named '.note')");
  ElfImage image = KILN_TRY(toImage(object));
  const ElfSection &section = object.sections()[note->section];
  std::vector<uint8_t> data(section.data.begin(), section.data.begin() + note->offset);
  std::vector<uint8_t> replacement = encodeNote(note->owner, note->type, metadata);
  data.insert(data.end(), replacement.begin(), replacement.end());
  // The old note's end, rounded up as the parser does; the last note may lack its padding.
  uint64_t oldEnd = alignTo(note->desc.end() - section.data.begin(), 4);
  if (oldEnd < section.data.size())
    data.insert(data.end(), section.data.begin() + oldEnd, section.data.end());
  image.sections[note->section].data = std::move(data);
  return writeElf(image);
}

ElfBuilder::ElfBuilder() {
  image.header.osAbi = elf::osAbiPal;
  image.header.abiVersion = elf::abiVersion;
  image.header.type = ELF::ET_REL;
  image.header.machine = elf::machine;
  image.sections.emplace_back();
  image.sections[0].alignment = 0;
  strings.push_back('\0');
  symbols.resize(24);
  addSection(".strtab", ELF::SHT_STRTAB, 0, 1, {});
}

uint32_t ElfBuilder::addName(StringRef name) {
  if (name.empty())
    return 0;
  uint32_t offset = uint32_t(strings.size());
  strings.append(name.begin(), name.end());
  strings.push_back('\0');
  return offset;
}

unsigned ElfBuilder::addSection(StringRef name, uint32_t type, uint64_t flags, uint64_t alignment,
                                ArrayRef<uint8_t> data) {
  ElfImage::Section section;
  section.nameOffset = addName(name);
  section.type = type;
  section.flags = flags;
  section.alignment = alignment;
  section.filePosition = image.sections.size();
  section.size = data.size();
  section.data.assign(data.begin(), data.end());
  image.sections.push_back(std::move(section));
  sectionNames.resize(image.sections.size());
  sectionNames.back() = name.str();
  return unsigned(image.sections.size() - 1);
}

uint32_t ElfBuilder::addSymbol(StringRef name, uint8_t type, uint8_t binding, uint16_t section,
                               uint64_t value, uint64_t size) {
  put(symbols, addName(name), 4);
  symbols.push_back(uint8_t(binding << 4 | (type & 0xF)));
  symbols.push_back(0);
  put(symbols, section, 2);
  put(symbols, value, 8);
  put(symbols, size, 8);
  if (binding == ELF::STB_LOCAL)
    localSymbols = symbolCount + 1;
  return symbolCount++;
}

void ElfBuilder::addRelocation(const ElfRelocation &relocation) {
  relocations.push_back(relocation);
}

void ElfBuilder::addRelocationSections(unsigned symbolTable) {
  // One section per target and kind, in the order of the targets.
  for (unsigned target = 1; target < symbolTable; ++target)
    for (bool hasAddend : {false, true}) {
      std::vector<uint8_t> data;
      for (const ElfRelocation &relocation : relocations) {
        if (relocation.target != target || relocation.hasAddend != hasAddend)
          continue;
        put(data, relocation.offset, 8);
        put(data, relocation.type, 4);
        put(data, relocation.symbol, 4);
        if (hasAddend)
          put(data, uint64_t(relocation.addend), 8);
      }
      if (data.empty())
        continue;
      unsigned index =
          addSection((hasAddend ? ".rela" : ".rel") + sectionNames[target],
                     hasAddend ? ELF::SHT_RELA : ELF::SHT_REL, ELF::SHF_INFO_LINK, 8, data);
      section(index).link = symbolTable;
      section(index).info = target;
      section(index).entrySize = hasAddend ? 24 : 16;
    }
}

Expected<std::vector<uint8_t>> ElfBuilder::finish() {
  unsigned symbolTable = addSection(".symtab", ELF::SHT_SYMTAB, 0, 8, symbols);
  addRelocationSections(symbolTable);
  section(symbolTable).link = nameSectionIndex;
  section(symbolTable).info = localSymbols;
  section(symbolTable).entrySize = 24;
  section(nameSectionIndex).data.assign(strings.begin(), strings.end());
  section(nameSectionIndex).filePosition = image.sections.size(); // behind all others
  image.header.nameSection = nameSectionIndex;
  return writeElf(image);
}

} // namespace pal::abi
