//===- ElfObject.cpp - strict reader of 64-bit little-endian ELF ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Order of checks: header, section headers (all of them, before any is used), names, overlap, then
/// the symbol table, which relocations need, then notes and relocations. Every read goes through a
/// range that was checked against the file size without overflow first.
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

namespace pal::abi {
namespace {

constexpr uint64_t headerSize = 64;
constexpr uint64_t sectionHeaderSize = 64;
constexpr uint64_t symbolSize = 24;
constexpr uint64_t relSize = 16;
constexpr uint64_t relaSize = 24;
constexpr uint64_t noteHeaderSize = 12;
constexpr size_t maxNameLength = 16384;

/// True when [offset, offset + size) lies in [0, limit); no overflow.
bool fits(uint64_t offset, uint64_t size, uint64_t limit) {
  return offset <= limit && size <= limit - offset;
}

std::string quoted(StringRef name) {
  std::string text;
  raw_string_ostream os(text);
  os << '\'';
  // Names are hostile too: an error message must stay one printable line.
  printEscapedString(name.take_front(64), os);
  os << (name.size() > 64 ? "..." : "") << '\'';
  return text;
}

} // namespace

unsigned relocationWidth(uint32_t type) {
  switch (type) {
  case ELF::R_AMDGPU_ABS32_LO:
  case ELF::R_AMDGPU_ABS32_HI:
  case ELF::R_AMDGPU_REL32:
  case ELF::R_AMDGPU_ABS32:
  case ELF::R_AMDGPU_REL32_LO:
  case ELF::R_AMDGPU_REL32_HI:
    return 4;
  case ELF::R_AMDGPU_ABS64:
  case ELF::R_AMDGPU_REL64:
    return 8;
  case ELF::R_AMDGPU_REL16:
    return 2;
  default:
    return 0;
  }
}

bool ElfSection::isAlloc() const { return (flags & ELF::SHF_ALLOC) != 0; }

std::string ElfObject::describeSection(unsigned index) const {
  std::string text = "section " + utostr(index);
  if (index < allSections.size() && !allSections[index].name.empty())
    text += " (" + quoted(allSections[index].name) + ")";
  return text;
}

Expected<StringRef> ElfObject::stringAt(const ElfSection &table, uint64_t offset,
                                        const Twine &place) const {
  if (table.type != ELF::SHT_STRTAB)
    return malformed(place + ": name table " + describeSection(&table - allSections.data()) +
                     " is no string table");
  if (offset == 0 && table.data.empty())
    return StringRef();
  if (offset >= table.data.size())
    return malformed(place + ": name offset " + hex(offset) + " exceeds the string table size " +
                     hex(table.data.size()));
  StringRef rest(reinterpret_cast<const char *>(table.data.data()) + offset,
                 table.data.size() - offset);
  // Why a limit: many symbols that share one endless name must not take quadratic time.
  size_t length = rest.take_front(maxNameLength + 1).find('\0');
  if (length != StringRef::npos)
    return rest.take_front(length);
  if (rest.size() > maxNameLength)
    return tooLarge(place + ": name at string table offset " + hex(offset) + " is longer than " +
                    Twine(maxNameLength) + " characters");
  return malformed(place + ": name at string table offset " + hex(offset) + " is not terminated");
}

Error ElfObject::parseHeader() {
  if (data.size() < headerSize)
    return malformed("ELF header: file has " + Twine(data.size()) + " bytes, 64 are needed");
  const uint8_t *p = data.data();
  if (StringRef(reinterpret_cast<const char *>(p), 4) != StringRef(ELF::ElfMagic, 4))
    return malformed("ELF header: wrong magic number");
  if (p[ELF::EI_CLASS] != ELF::ELFCLASS64)
    return malformed("ELF header: class " + Twine(unsigned(p[ELF::EI_CLASS])) +
                     ", expected 2 (64-bit)");
  if (p[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return malformed("ELF header: data encoding " + Twine(unsigned(p[ELF::EI_DATA])) +
                     ", expected 1 (little endian)");
  if (p[ELF::EI_VERSION] != 1 || read32le(p + 20) != 1)
    return malformed("ELF header: version is not 1");
  elfHeader.osAbi = p[ELF::EI_OSABI];
  elfHeader.abiVersion = p[ELF::EI_ABIVERSION];
  elfHeader.type = read16le(p + 16);
  elfHeader.machine = read16le(p + 18);
  elfHeader.entry = read64le(p + 24);
  sectionTableOffset = read64le(p + 40);
  elfHeader.flags = read32le(p + 48);
  if (read16le(p + 52) != headerSize)
    return malformed("ELF header: header size " + Twine(read16le(p + 52)) + ", expected 64");
  elfHeader.programHeaders = read16le(p + 56);
  unsigned entrySize = read16le(p + 58);
  sectionCount = read16le(p + 60);
  elfHeader.nameSection = read16le(p + 62);
  if (sectionCount == 0) {
    if (sectionTableOffset != 0)
      return notSupported("ELF header: extended section numbering");
    return malformed("ELF header: no section headers");
  }
  if (entrySize != sectionHeaderSize)
    return malformed("ELF header: section header size " + Twine(entrySize) + ", expected 64");
  if (!fits(sectionTableOffset, sectionCount * sectionHeaderSize, data.size()))
    return malformed("ELF header: " + Twine(sectionCount) + " section headers at offset " +
                     hex(sectionTableOffset) + " exceed the file size " + hex(data.size()));
  if (elfHeader.nameSection >= sectionCount)
    return malformed("ELF header: section name table index " + Twine(elfHeader.nameSection) +
                     ", but there are " + Twine(sectionCount) + " sections");
  return Error::success();
}

Error ElfObject::parseSectionHeader(unsigned index, uint64_t tableOffset) {
  const uint8_t *p = data.data() + tableOffset + index * sectionHeaderSize;
  ElfSection section;
  section.nameOffset = read32le(p);
  section.type = read32le(p + 4);
  section.flags = read64le(p + 8);
  section.address = read64le(p + 16);
  section.offset = read64le(p + 24);
  section.size = read64le(p + 32);
  section.link = read32le(p + 40);
  section.info = read32le(p + 44);
  section.alignment = read64le(p + 48);
  section.entrySize = read64le(p + 56);
  auto place = [&] { return "section " + std::to_string(index); };
  if (index == 0 && (section.type != ELF::SHT_NULL || section.size != 0))
    return malformed(place() + ": the first section header must be null");
  if (section.alignment > 1 && !isPowerOf2_64(section.alignment))
    return malformed(place() + ": alignment " + hex(section.alignment) + " is no power of two");
  if (section.link >= sectionCount)
    return malformed(place() + ": linked section " + Twine(section.link) + ", but there are " +
                     Twine(sectionCount) + " sections");
  bool inFile = section.type != ELF::SHT_NULL && section.type != ELF::SHT_NOBITS;
  if (inFile) {
    if (!fits(section.offset, section.size, data.size()))
      return malformed(place() + ": offset " + hex(section.offset) + " + size " +
                       hex(section.size) + " exceeds the file size " + hex(data.size()));
    section.data = data.slice(section.offset, section.size);
  }
  allSections.push_back(section);
  return Error::success();
}

Error ElfObject::nameSections() {
  const ElfSection &names = allSections[elfHeader.nameSection];
  for (unsigned i = 1; i < sectionCount; ++i) {
    StringRef name = KILN_TRY(stringAt(names, allSections[i].nameOffset, "section " + Twine(i)));
    allSections[i].name = name;
  }
  return Error::success();
}

/// Why: a writer that copies each section must not grow a small hostile file into gigabytes.
Error ElfObject::checkOverlap() {
  constexpr unsigned headerIndex = ~0u, tableIndex = ~0u - 1; // no section
  struct Range {
    uint64_t begin, end;
    unsigned index;
  };
  std::vector<Range> ranges;
  ranges.reserve(sectionCount + 2);
  ranges.push_back({0, headerSize, headerIndex});
  ranges.push_back(
      {sectionTableOffset, sectionTableOffset + sectionCount * sectionHeaderSize, tableIndex});
  for (unsigned i = 1; i < sectionCount; ++i)
    if (!allSections[i].data.empty())
      ranges.push_back({allSections[i].offset, allSections[i].offset + allSections[i].size, i});
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
    return std::tie(a.begin, a.end, a.index) < std::tie(b.begin, b.end, b.index);
  });
  auto describe = [&](unsigned index) {
    return index == headerIndex  ? std::string("the ELF header")
           : index == tableIndex ? std::string("the section headers")
                                 : describeSection(index);
  };
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end)
      return malformed(describe(ranges[i].index) + " at offset " + hex(ranges[i].begin) +
                       " overlaps " + describe(ranges[i - 1].index) + ", which ends at " +
                       hex(ranges[i - 1].end));
  return Error::success();
}

Error ElfObject::parseSections() {
  allSections.reserve(sectionCount);
  for (unsigned i = 0; i < sectionCount; ++i)
    KILN_TRY(parseSectionHeader(i, sectionTableOffset));
  KILN_TRY(nameSections());
  return checkOverlap();
}

Expected<ElfSymbol> ElfObject::parseSymbol(const ElfSection &table, const ElfSection &names,
                                           uint64_t index) {
  const uint8_t *p = table.data.data() + index * symbolSize;
  ElfSymbol symbol;
  StringRef name = KILN_TRY(stringAt(names, read32le(p), "symbol " + Twine(index)));
  symbol.name = name;
  symbol.type = p[4] & 0xF;
  symbol.binding = p[4] >> 4;
  symbol.other = p[5];
  symbol.section = read16le(p + 6);
  symbol.value = read64le(p + 8);
  symbol.size = read64le(p + 16);
  auto place = [&] {
    return "symbol " + utostr(index) +
           (symbol.name.empty() ? std::string() : " (" + quoted(symbol.name) + ")");
  };
  if (symbol.section == ELF::SHN_XINDEX)
    return notSupported(place() + ": extended section numbering");
  if (symbol.section >= ELF::SHN_LORESERVE || symbol.section == ELF::SHN_UNDEF)
    return symbol;
  if (symbol.section >= sectionCount)
    return malformed(place() + ": section index " + Twine(symbol.section) + ", but there are " +
                     Twine(sectionCount) + " sections");
  const ElfSection &section = allSections[symbol.section];
  if (!fits(symbol.value, symbol.size, section.size))
    return malformed(place() + ": value " + hex(symbol.value) + " + size " + hex(symbol.size) +
                     " exceeds " + describeSection(symbol.section) + " of size " +
                     hex(section.size));
  return symbol;
}

Error ElfObject::parseSymbols(unsigned sectionIndex) {
  std::string place = describeSection(sectionIndex);
  if (symbolSection != 0)
    return malformed(place + ": second symbol table, the first is " +
                     describeSection(symbolSection));
  symbolSection = sectionIndex;
  const ElfSection &table = allSections[sectionIndex];
  if (table.entrySize != symbolSize || table.data.size() % symbolSize != 0)
    return malformed(place + ": symbol table with entry size " + Twine(table.entrySize) +
                     " and size " + hex(table.size) + ", expected entries of 24 bytes");
  uint64_t count = table.data.size() / symbolSize;
  if (table.info > count)
    return malformed(place + ": first global symbol " + Twine(table.info) + ", but there are " +
                     Twine(count) + " symbols");
  const ElfSection &names = allSections[table.link];
  allSymbols.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    ElfSymbol symbol = KILN_TRY(parseSymbol(table, names, i));
    allSymbols.push_back(symbol);
  }
  return Error::success();
}

Error ElfObject::parseNotes(unsigned sectionIndex) {
  const ElfSection &section = allSections[sectionIndex];
  std::string place = describeSection(sectionIndex);
  if (section.alignment > 4)
    return notSupported(place + ": notes with alignment " + Twine(section.alignment));
  ArrayRef<uint8_t> rest = section.data;
  while (!rest.empty()) {
    uint64_t offset = section.data.size() - rest.size();
    std::string where = place + ", note at offset " + hex(offset);
    if (rest.size() < noteHeaderSize)
      return malformed(where + ": header is cut off");
    uint64_t nameSize = read32le(rest.data());
    uint64_t descSize = read32le(rest.data() + 4);
    ElfNote note;
    note.section = sectionIndex;
    note.offset = offset;
    note.type = read32le(rest.data() + 8);
    // 32-bit sizes, so that these sums cannot overflow.
    uint64_t descBegin = noteHeaderSize + alignTo(nameSize, 4);
    if (!fits(descBegin, descSize, rest.size()))
      return malformed(where + ": name size " + Twine(nameSize) + " and description size " +
                       Twine(descSize) + " exceed the section");
    StringRef name(reinterpret_cast<const char *>(rest.data()) + noteHeaderSize, nameSize);
    if (!name.empty() && !name.consume_back(StringRef("\0", 1)))
      return malformed(where + ": owner name is not terminated");
    note.owner = name;
    note.desc = rest.slice(descBegin, descSize);
    allNotes.push_back(note);
    rest = rest.drop_front(std::min<uint64_t>(alignTo(descBegin + descSize, 4), rest.size()));
  }
  return Error::success();
}

Error ElfObject::parseRelocations(unsigned sectionIndex) {
  const ElfSection &section = allSections[sectionIndex];
  std::string place = describeSection(sectionIndex);
  bool hasAddend = section.type == ELF::SHT_RELA;
  uint64_t entrySize = hasAddend ? relaSize : relSize;
  if (section.entrySize != entrySize || section.data.size() % entrySize != 0)
    return malformed(place + ": relocations with entry size " + Twine(section.entrySize) +
                     " and size " + hex(section.size) + ", expected entries of " +
                     Twine(entrySize) + " bytes");
  if (section.info == 0 || section.info >= sectionCount)
    return malformed(place + ": relocates section " + Twine(section.info) + ", but there are " +
                     Twine(sectionCount) + " sections");
  if (symbolSection == 0 || section.link != symbolSection)
    return malformed(place + ": linked section " + Twine(section.link) +
                     " is not the symbol table");
  const ElfSection &target = allSections[section.info];
  for (uint64_t i = 0, count = section.data.size() / entrySize; i < count; ++i) {
    const uint8_t *p = section.data.data() + i * entrySize;
    ElfRelocation relocation;
    relocation.target = section.info;
    relocation.offset = read64le(p);
    relocation.type = read32le(p + 8);
    relocation.symbol = read32le(p + 12);
    relocation.hasAddend = hasAddend;
    if (hasAddend)
      relocation.addend = static_cast<int64_t>(read64le(p + 16));
    auto where = [&] { return place + ", relocation " + utostr(i); };
    if (relocation.symbol >= allSymbols.size())
      return malformed(where() + ": symbol " + Twine(relocation.symbol) + ", but there are " +
                       Twine(allSymbols.size()) + " symbols");
    uint64_t width = std::max(relocationWidth(relocation.type), 1u);
    if (target.type == ELF::SHT_NOBITS || !fits(relocation.offset, width, target.size))
      return malformed(where() + ": " + Twine(width) + " bytes at offset " +
                       hex(relocation.offset) + " exceed " + describeSection(section.info) +
                       " of size " + hex(target.data.size()));
    allRelocations.push_back(relocation);
  }
  return Error::success();
}

Expected<ElfObject> ElfObject::parse(ArrayRef<uint8_t> bytes) {
  ElfObject object;
  object.data = bytes;
  KILN_TRY(object.parseHeader());
  KILN_TRY(object.parseSections());
  for (unsigned i = 1; i < object.sectionCount; ++i)
    if (object.allSections[i].type == ELF::SHT_SYMTAB)
      KILN_TRY(object.parseSymbols(i));
  for (unsigned i = 1; i < object.sectionCount; ++i) {
    uint32_t type = object.allSections[i].type;
    if (type == ELF::SHT_NOTE) {
      KILN_TRY(object.parseNotes(i));
    } else if (type == ELF::SHT_REL || type == ELF::SHT_RELA) {
      KILN_TRY(object.parseRelocations(i));
    }
  }
  return object;
}

const ElfSection *ElfObject::findSection(StringRef name) const {
  for (const ElfSection &section : allSections)
    if (section.type != ELF::SHT_NULL && section.name == name)
      return &section;
  return nullptr;
}

const ElfSymbol *ElfObject::findSymbol(StringRef name) const {
  for (const ElfSymbol &symbol : allSymbols)
    if (symbol.section != ELF::SHN_UNDEF && symbol.name == name)
      return &symbol;
  return nullptr;
}

const ElfNote *ElfObject::findMetadataNote() const {
  for (const ElfNote &note : allNotes)
    if (note.type == elf::noteType && allSections[note.section].name == elf::noteSection)
      return &note;
  return nullptr;
}

} // namespace pal::abi
