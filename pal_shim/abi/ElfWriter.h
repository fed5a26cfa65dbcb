//===- ElfWriter.h - deterministic writer of 64-bit little-endian ELF -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Builds an ELF from parts, and re-emits a parsed one with other metadata.
///
/// Output depends on the input alone: sections keep their order in the file, each at the next
/// offset that its alignment allows, gaps are zero, the section headers come last at a multiple of
/// 8. That is how LLVM lays its objects out, so re-emitting LLVM's own ELF with an unchanged note
/// gives the same bytes.
#pragma once

#include "pal_shim/abi/ElfObject.h"
#include <string>
#include <vector>

namespace pal::abi {

/// The largest file that the writer makes.
inline constexpr uint64_t maxElfBytes = uint64_t(1) << 28;

/// An ELF to be written. Section 0 (null) is implied by the builder, but present in `sections`.
struct ElfImage {
  struct Section {
    uint32_t nameOffset = 0;
    uint32_t type = 0;
    uint64_t flags = 0;
    uint64_t address = 0;
    uint64_t filePosition = 0; ///< order in the file: ascending, ties by index
    uint64_t size = 0;         ///< in memory, for SHT_NOBITS; else data.size() counts
    uint32_t link = 0;
    uint32_t info = 0;
    uint64_t alignment = 1;
    uint64_t entrySize = 0;
    std::vector<uint8_t> data;
  };
  ElfHeader header;
  std::vector<Section> sections;
};

/// Copies a parsed ELF. Program headers are not copied: Unsupported when there are any.
llvm::Expected<ElfImage> toImage(const ElfObject &object);

/// Lays out and writes. Errors: TooLarge beyond maxElfBytes, 0xFF00 sections or alignments of
/// 1 MiB, Malformed when an alignment is no power of two.
llvm::Expected<std::vector<uint8_t>> writeElf(const ElfImage &image);

/// One note in the form of a SHT_NOTE section: header, owner and description, each padded to 4.
std::vector<uint8_t> encodeNote(llvm::StringRef owner, uint32_t type, llvm::ArrayRef<uint8_t> desc);

/// Writes \p object again with \p metadata as the description of the note that PAL reads. All
/// other notes, sections, symbols and relocations stay as they are.
/// Errors: Malformed when there is no such note, and those of toImage and writeElf.
llvm::Expected<std::vector<uint8_t>> replaceMetadata(const ElfObject &object,
                                                     llvm::ArrayRef<uint8_t> metadata);

/// Builds an ELF section by section. Indices are final when returned; section 1 is the table of
/// names (see nameSectionIndex), last in the file.
///   ElfBuilder builder;                            // AMDGPU, AMDPAL, ET_REL
///   unsigned text = builder.addSection(".text", ELF::SHT_PROGBITS, flags, 256, code);
///   builder.addSymbol("_amdgpu_cs_main", ELF::STT_FUNC, ELF::STB_GLOBAL, text, 0, code.size());
///   Expected<std::vector<uint8_t>> elf = builder.finish();
class ElfBuilder {
public:
  ElfBuilder();
  ElfHeader &header() { return image.header; }
  unsigned addSection(llvm::StringRef name, uint32_t type, uint64_t flags, uint64_t alignment,
                      llvm::ArrayRef<uint8_t> data);
  /// Local symbols must be added before others, as ELF wants it.
  uint32_t addSymbol(llvm::StringRef name, uint8_t type, uint8_t binding, uint16_t section,
                     uint64_t value, uint64_t size);
  /// Collected per target section; finish() makes one `.rel`/`.rela` section of each.
  void addRelocation(const ElfRelocation &relocation);
  ElfImage::Section &section(unsigned index) { return image.sections[index]; }
  /// Adds relocation sections, symbol and string table and writes. Call once.
  llvm::Expected<std::vector<uint8_t>> finish();

private:
  uint32_t addName(llvm::StringRef name);
  void addRelocationSections(unsigned symbolTable);

  ElfImage image;
  std::vector<std::string> sectionNames;
  std::string strings;
  std::vector<uint8_t> symbols;
  uint32_t localSymbols = 1;
  uint32_t symbolCount = 1;
  std::vector<ElfRelocation> relocations;
};

} // namespace pal::abi
