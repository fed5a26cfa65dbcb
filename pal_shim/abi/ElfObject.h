//===- ElfObject.h - strict reader of 64-bit little-endian ELF ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Parses a relocatable ELF as PAL's loader and our relinker need it: sections, symbols, notes and
/// relocations, all decoded and checked once, so that users index without further checks.
///
/// The bytes are hostile: they may come from an application's cache file. parse() rejects every
/// offset, size, index or string that leaves its container, overlapping sections, and the ELF
/// extensions that no compiler writes for AMDGPU (extended section numbering). Why not
/// llvm::object: it checks lazily, at each access, and reports without the place.
///
/// Only what is needed to read on is checked here; whether it is a *PAL* code object (OSABI,
/// machine, names, metadata) is Verify.h's question.
#pragma once

#include "pal_shim/abi/AbiError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace pal::abi {

/// Where the section name table must be: PAL's ElfProcessor, by which AMD's driver adds sections to
/// code objects, takes section 1 for it, whatever e_shstrndx says. LLVM writes it there.
inline constexpr uint16_t nameSectionIndex = 1;

struct ElfHeader {
  uint8_t osAbi = 0;
  uint8_t abiVersion = 0;
  uint16_t type = 0;
  uint16_t machine = 0;
  uint64_t entry = 0;
  uint32_t flags = 0;
  uint16_t programHeaders = 0; ///< count; their contents are not read
  uint16_t nameSection = 0;    ///< index of the section name table
};

struct ElfSection {
  llvm::StringRef name;
  uint32_t nameOffset = 0;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t address = 0;
  uint64_t offset = 0;
  uint64_t size = 0; ///< in memory; data is empty for SHT_NOBITS
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t alignment = 0;
  uint64_t entrySize = 0;
  llvm::ArrayRef<uint8_t> data;

  bool isAlloc() const;
};

struct ElfSymbol {
  llvm::StringRef name;
  uint8_t type = 0;
  uint8_t binding = 0;
  uint8_t other = 0;
  uint16_t section = 0; ///< index, or a reserved SHN_ value; 0 is undefined
  uint64_t value = 0;   ///< offset in its section
  uint64_t size = 0;
};

struct ElfNote {
  unsigned section = 0; ///< index of the section it is in
  uint64_t offset = 0;  ///< of the note's header in that section
  llvm::StringRef owner;
  uint32_t type = 0;
  llvm::ArrayRef<uint8_t> desc;
};

struct ElfRelocation {
  unsigned target = 0; ///< index of the section to be patched
  uint64_t offset = 0; ///< in that section
  uint32_t type = 0;
  uint32_t symbol = 0; ///< index into symbols()
  int64_t addend = 0;  ///< of a RELA entry
  bool hasAddend = false;
};

/// Bytes that a relocation of this R_AMDGPU_ type patches; 0 for types that PAL does not apply.
unsigned relocationWidth(uint32_t type);

/// A parsed ELF. Refers to the bytes given to parse(), which must outlive it.
class ElfObject {
public:
  /// Errors: AbiError with the place, such as
  /// "section 3 ('.rel.text'): offset 0x400 + size 0x40 exceeds the file size 0x410".
  static llvm::Expected<ElfObject> parse(llvm::ArrayRef<uint8_t> bytes);

  const ElfHeader &header() const { return elfHeader; }
  llvm::ArrayRef<ElfSection> sections() const { return allSections; }
  llvm::ArrayRef<ElfSymbol> symbols() const { return allSymbols; }
  llvm::ArrayRef<ElfNote> notes() const { return allNotes; }
  llvm::ArrayRef<ElfRelocation> relocations() const { return allRelocations; }
  llvm::ArrayRef<uint8_t> bytes() const { return data; }

  /// First section of that name, or null.
  const ElfSection *findSection(llvm::StringRef name) const;
  /// First defined symbol of that name, or null.
  const ElfSymbol *findSymbol(llvm::StringRef name) const;
  /// The note that PAL reads: the first of type NT_AMDGPU_METADATA in a section named ".note", or
  /// null.
  const ElfNote *findMetadataNote() const;
  /// "section 3 ('.text')", for messages.
  std::string describeSection(unsigned index) const;

private:
  llvm::Error parseHeader();
  llvm::Error parseSections();
  llvm::Error parseSectionHeader(unsigned index, uint64_t tableOffset);
  llvm::Error nameSections();
  llvm::Error checkOverlap();
  llvm::Error parseSymbols(unsigned sectionIndex);
  llvm::Expected<ElfSymbol> parseSymbol(const ElfSection &table, const ElfSection &names,
                                        uint64_t index);
  llvm::Error parseNotes(unsigned sectionIndex);
  llvm::Error parseRelocations(unsigned sectionIndex);
  llvm::Expected<llvm::StringRef> stringAt(const ElfSection &table, uint64_t offset,
                                           const llvm::Twine &place) const;

  llvm::ArrayRef<uint8_t> data;
  ElfHeader elfHeader;
  uint64_t sectionTableOffset = 0;
  unsigned sectionCount = 0;
  unsigned symbolSection = 0;
  std::vector<ElfSection> allSections;
  std::vector<ElfSymbol> allSymbols;
  std::vector<ElfNote> allNotes;
  std::vector<ElfRelocation> allRelocations;
};

} // namespace pal::abi
