//===- LinkGraphics.cpp - the ELF of a linked graphics pipeline -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Puts functions, data, symbols and relocations of the parts into one file:
///
///   .text                 [fetch glue][vertex stage] .. [stage] .. [fragment][export glue] padding
///   .rodata ..            sections of one name from all parts in a row
///   .note                 notes of the pre-rasterization part, metadata (LinkMetadata.cpp)
///   .AMDGPU.disasm ..     listings, if the parts have them
///   .symtab .rel.* .strtab
///
/// That is the order in the file. In the table of sections .strtab is the first.
///
/// Glue has no symbol of its own: the entry point in front of it, or around it, covers it.
#include "lgc/CompileError.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
using pal::abi::nameSectionIndex;
using support::endian::write32le;

namespace {

constexpr uint32_t codeEnd = 0xBF9F0000; ///< s_code_end
constexpr unsigned partCount = 4;
constexpr size_t symbolBytes = sizeof(ELF::Elf64_Sym), relBytes = sizeof(ELF::Elf64_Rel);

/// A stage's code: the function of a part, with glue in front or behind.
struct Chunk {
  unsigned part = 0;
  uint32_t function = 0;
  uint64_t offset = 0; ///< in .text
};

struct OutputSection {
  StringRef name;
  uint32_t type = ELF::SHT_PROGBITS;
  uint64_t flags = 0;
  uint64_t alignment = 1;
  uint64_t entrySize = 0;
  uint64_t size = 0;
  uint64_t offset = 0; ///< in the file
  uint32_t link = 0, info = 0;
  uint32_t name32 = 0; ///< in the string table
};

/// A section piece in its output section.
struct PlacedPiece {
  unsigned section = 0; ///< output section
  uint64_t offset = 0;
};

class Linker {
public:
  Linker(GraphicsLink &link, const LinkOptions &options)
      : link(link), options(options),
        parts{&link.vertexFetch, &link.preRasterization, &link.fragment, &link.colorExport} {}
  Expected<std::vector<uint8_t>> run();

private:
  enum PartIndex : unsigned { Fetch, Pre, Fragment, Export };

  void placeFunction(unsigned part, uint32_t function);
  void placeStage(unsigned part, uint32_t function);
  void placeText();
  void placeSections();
  void writeText();
  void writeSections();
  Error writeNote();
  void writeSymbols();
  Error writeLiterals();
  void writeRelocations();
  void writeStrings();
  void writeHeaders();

  unsigned addSection(StringRef name, uint32_t type, uint64_t flags, uint64_t alignment);
  void begin(OutputSection &section);
  void end(OutputSection &section) { section.size = out.size() - section.offset; }
  void padTo(uint64_t alignment) { out.resize(alignTo(out.size(), alignment)); }
  uint32_t addString(StringRef text);
  void writeSymbol(StringRef name, uint8_t info, unsigned section, uint64_t value, uint64_t size);
  /// Output section and offset of a place.
  std::pair<unsigned, uint64_t> find(unsigned part, const PiecePlace &place) const;
  template <typename T> void append(const T &value) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
    out.insert(out.end(), bytes, bytes + sizeof(T));
  }
  unsigned lineBytes() const { return link.preRasterization.part->target->major >= 11 ? 128 : 64; }

  GraphicsLink &link;
  const LinkOptions &options;
  const ResolvedPart *parts[partCount];
  std::vector<uint8_t> out;
  SmallVector<OutputSection, 12> sections;
  unsigned textSection = 0, noteSection = 0, symbolSection = 0;
  SmallVector<Chunk, 8> chunks;
  SmallVector<uint64_t, 8> functionOffsets[partCount];
  SmallVector<PlacedPiece, 4> placed[partCount];
  SmallVector<uint32_t, 8> symbolIndices[partCount];
  struct StageSymbol {
    HardwareStage stage;
    uint64_t offset, size;
  };
  SmallVector<StageSymbol, 4> stageSymbols;
  uint64_t textBytes = 0;
  SmallString<512> strings;
  uint32_t localSymbols = 0, symbolCount = 0;
};

// --- Layout

void Linker::placeFunction(unsigned part, uint32_t function) {
  functionOffsets[part][function] = textBytes;
  chunks.push_back({part, function, textBytes});
  textBytes += parts[part]->part->functions[function].size;
}

void Linker::placeStage(unsigned part, uint32_t function) {
  HardwareStage stage = parts[part]->part->functions[function].stage;
  textBytes = alignTo(textBytes, pal::abi::elf::codeAlignment);
  uint64_t first = textBytes;
  if (part == Pre && link.vertexFetch.part && link.vertexFetch.part->info.fetch->stage == stage)
    placeFunction(Fetch, 0);
  placeFunction(part, function);
  if (part == Fragment && link.colorExport.part)
    placeFunction(Export, 0);
  stageSymbols.push_back({stage, first, textBytes - first});
}

void Linker::placeText() {
  for (unsigned i = 0; i < partCount; ++i)
    if (parts[i]->part)
      functionOffsets[i].resize(parts[i]->part->functions.size());
  for (unsigned part : {Pre, Fragment})
    if (parts[part]->part)
      for (uint32_t i = 0; i < parts[part]->part->functions.size(); ++i)
        placeStage(part, i);
}

unsigned Linker::addSection(StringRef name, uint32_t type, uint64_t flags, uint64_t alignment) {
  OutputSection section;
  section.name = name;
  section.type = type;
  section.flags = flags;
  section.alignment = alignment;
  section.name32 = name.empty() ? 0 : addString(name);
  sections.push_back(section);
  return static_cast<unsigned>(sections.size() - 1);
}

/// Where each piece goes. Loaded sections first, in the order in which they occur.
void Linker::placeSections() {
  strings.push_back('\0');
  addSection("", ELF::SHT_NULL, 0, 0);
  addSection(".strtab", ELF::SHT_STRTAB, 0, 1); // nameSectionIndex
  textSection = addSection(pal::abi::elf::textSection, ELF::SHT_PROGBITS,
                           ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, pal::abi::elf::codeAlignment);
  for (bool isLoaded : {true, false}) {
    for (unsigned part = 0; part < partCount; ++part) {
      if (!parts[part]->part)
        continue;
      placed[part].resize(parts[part]->part->sections.size());
      for (auto [index, piece] : enumerate(parts[part]->part->sections)) {
        if (((piece.flags & ELF::SHF_ALLOC) != 0) != isLoaded)
          continue;
        unsigned section = textSection;
        while (++section < sections.size() &&
               (sections[section].name != piece.name || sections[section].flags != piece.flags ||
                sections[section].entrySize != piece.entrySize)) {
        }
        if (section == sections.size()) {
          addSection(piece.name, piece.type, piece.flags, 1);
          sections.back().entrySize = piece.entrySize;
        }
        OutputSection &target = sections[section];
        target.alignment = std::max<uint64_t>(target.alignment, piece.alignment);
        target.size = alignTo(target.size, piece.alignment);
        placed[part][index] = {section, target.size};
        target.size += piece.data.size();
      }
    }
    if (isLoaded)
      noteSection = addSection(pal::abi::elf::noteSection, ELF::SHT_NOTE, 0, 4);
  }
}

std::pair<unsigned, uint64_t> Linker::find(unsigned part, const PiecePlace &place) const {
  if (place.inText)
    return {textSection, functionOffsets[part][place.index] + place.offset};
  const PlacedPiece &piece = placed[part][place.index];
  return {piece.section, piece.offset + place.offset};
}

// --- Contents

void Linker::begin(OutputSection &section) {
  padTo(std::max<uint64_t>(section.alignment, 1));
  section.offset = out.size();
}

void Linker::writeText() {
  OutputSection &section = sections[textSection];
  begin(section);
  auto fill = [&](uint64_t end) {
    while (out.size() - section.offset < end)
      append(codeEnd);
  };
  for (const Chunk &chunk : chunks) {
    fill(chunk.offset);
    const PartDigest &part = *parts[chunk.part]->part;
    const FunctionPiece &function = part.functions[chunk.function];
    const uint8_t *code = part.text.data() + function.offset;
    out.insert(out.end(), code, code + function.size);
  }
  // HW: instructions are prefetched up to three cache lines behind the last one.
  fill(alignTo(textBytes, lineBytes()) + 3 * lineBytes());
  end(section);
}

/// Pieces of a section, at the places that they have.
void Linker::writeSections() {
  for (unsigned index = textSection + 1; index < sections.size(); ++index) {
    OutputSection &section = sections[index];
    if (index == noteSection)
      continue;
    begin(section);
    uint64_t size = section.size;
    out.resize(section.offset + size);
    for (unsigned part = 0; part < partCount; ++part)
      for (auto [which, place] : enumerate(placed[part])) {
        ArrayRef<uint8_t> data = parts[part]->part->sections[which].data;
        if (place.section == index && !data.empty())
          std::copy(data.begin(), data.end(), out.begin() + section.offset + place.offset);
      }
  }
}

Error Linker::writeNote() {
  OutputSection &section = sections[noteSection];
  begin(section);
  ArrayRef<uint8_t> others = link.preRasterization.part->otherNotes;
  out.insert(out.end(), others.begin(), others.end());
  constexpr StringRef owner("AMDGPU\0", 8); // with padding
  uint32_t header[] = {7, 0, pal::abi::elf::noteType};
  size_t headerAt = out.size();
  append(header);
  out.insert(out.end(), owner.begin(), owner.end());
  size_t begin = out.size();
  KILN_TRY(linkMetadata(link, options, out));
  write32le(&out[headerAt + 4], static_cast<uint32_t>(out.size() - begin));
  padTo(4);
  end(section);
  return Error::success();
}

// --- Symbols and relocations

uint32_t Linker::addString(StringRef text) {
  auto offset = static_cast<uint32_t>(strings.size());
  strings += text;
  strings.push_back('\0');
  return offset;
}

void Linker::writeSymbol(StringRef name, uint8_t info, unsigned section, uint64_t value,
                         uint64_t size) {
  ELF::Elf64_Sym symbol = {};
  symbol.st_name = name.empty() ? 0 : addString(name);
  symbol.st_info = info;
  symbol.st_shndx = static_cast<uint16_t>(section);
  symbol.st_value = value;
  symbol.st_size = size;
  append(symbol);
  ++symbolCount;
}

void Linker::writeSymbols() {
  symbolSection = addSection(".symtab", ELF::SHT_SYMTAB, 0, 8);
  begin(sections[symbolSection]);
  writeSymbol("", 0, 0, 0, 0);
  for (bool isLocal : {true, false}) {
    for (unsigned part = 0; part < partCount; ++part) {
      if (!parts[part]->part)
        continue;
      symbolIndices[part].resize(parts[part]->part->symbols.size());
      for (auto [index, symbol] : enumerate(parts[part]->part->symbols)) {
        if ((symbol.binding == ELF::STB_LOCAL) != isLocal)
          continue;
        symbolIndices[part][index] = symbolCount;
        auto [section, value] = find(part, symbol.place);
        // PAL reads symbols by name, of whatever type, but for those of sections.
        std::string name =
            symbol.name.empty() ? ("place." + Twine(symbolCount)).str() : symbol.name.str();
        writeSymbol(name, static_cast<uint8_t>(symbol.binding << 4 | symbol.type), section, value,
                    symbol.size);
      }
    }
    if (isLocal)
      localSymbols = symbolCount;
  }
  for (const StageSymbol &stage : stageSymbols)
    writeSymbol(pal::abi::entryPointSymbol(stage.stage), ELF::STB_GLOBAL << 4 | ELF::STT_FUNC,
                textSection, stage.offset, stage.size);
  OutputSection &section = sections[symbolSection];
  end(section);
  section.entrySize = symbolBytes;
  section.info = localSymbols;
}

Error Linker::writeLiterals() {
  for (unsigned part = 0; part < partCount; ++part) {
    if (!parts[part]->part)
      continue;
    for (const LiteralPiece &literal : parts[part]->part->literals) {
      auto [section, offset] = find(part, literal.place);
      uint32_t value = parts[part]->references[literal.reference];
      std::optional<uint32_t> word = literal.field.word(value);
      if (!word)
        return limitExceeded("link: offset " + Twine(value) + " does not fit a scalar load");
      write32le(&out[sections[section].offset + offset], *word);
    }
  }
  return Error::success();
}

/// Relocations that the loader applies, in a section for each of their targets.
void Linker::writeRelocations() {
  unsigned targets = symbolSection;
  for (unsigned target = textSection; target < targets; ++target) {
    unsigned relocationSection = 0;
    for (unsigned part = 0; part < partCount; ++part) {
      if (!parts[part]->part)
        continue;
      for (const RelocationPiece &relocation : parts[part]->part->relocations) {
        auto [section, offset] = find(part, relocation.place);
        if (section != target)
          continue;
        if (!relocationSection) {
          SmallString<32> name(".rel");
          name += sections[target].name;
          relocationSection = addSection("", ELF::SHT_REL, ELF::SHF_INFO_LINK, 8);
          sections[relocationSection].name32 = addString(name);
          begin(sections[relocationSection]);
        }
        ELF::Elf64_Rel entry = {};
        entry.r_offset = offset;
        entry.setSymbolAndType(symbolIndices[part][relocation.symbol], relocation.type);
        append(entry);
      }
    }
    if (!relocationSection)
      continue;
    OutputSection &section = sections[relocationSection];
    end(section);
    section.entrySize = relBytes;
    section.link = symbolSection;
    section.info = target;
  }
}

void Linker::writeStrings() {
  OutputSection &section = sections[nameSectionIndex];
  begin(section);
  out.insert(out.end(), strings.begin(), strings.end());
  end(section);
  sections[symbolSection].link = nameSectionIndex;
}

void Linker::writeHeaders() {
  padTo(8);
  ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_ident[ELF::EI_OSABI] = pal::abi::elf::osAbiPal;
  header.e_ident[ELF::EI_ABIVERSION] = pal::abi::elf::abiVersion;
  header.e_type = ELF::ET_REL;
  header.e_machine = pal::abi::elf::machine;
  header.e_version = ELF::EV_CURRENT;
  header.e_shoff = out.size();
  header.e_flags = link.preRasterization.part->elfFlags;
  header.e_ehsize = sizeof(header);
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shstrndx = nameSectionIndex;
  std::memcpy(out.data(), &header, sizeof(header));
  for (const OutputSection &section : sections) {
    ELF::Elf64_Shdr entry = {};
    entry.sh_name = section.name32;
    entry.sh_type = section.type;
    entry.sh_flags = section.flags;
    entry.sh_offset = section.offset;
    entry.sh_size = section.size;
    entry.sh_link = section.link;
    entry.sh_info = section.info;
    entry.sh_addralign = section.alignment;
    entry.sh_entsize = section.entrySize;
    append(entry);
  }
}

Expected<std::vector<uint8_t>> Linker::run() {
  placeText();
  placeSections();
  uint64_t estimate = textBytes + 8192;
  for (const OutputSection &section : sections)
    estimate += section.size + section.alignment;
  out.reserve(estimate);
  out.resize(sizeof(ELF::Elf64_Ehdr));
  writeText();
  writeSections();
  KILN_TRY(writeNote());
  KILN_TRY(writeLiterals());
  writeSymbols();
  writeRelocations();
  writeStrings();
  writeHeaders();
  return std::move(out);
}

} // namespace

Expected<std::vector<uint8_t>> linkGraphics(GraphicsLink &link, const LinkOptions &options) {
  return Linker(link, options).run();
}

} // namespace lgc
