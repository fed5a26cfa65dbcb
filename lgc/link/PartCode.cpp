//===- PartCode.cpp - code, data, symbols and relocations of a part -------===//
// SPDX-License-Identifier: MIT
/// \file
/// A link moves each function of a part by itself. That is right when nothing in `.text` refers to
/// another function, or to what stands between functions: there may be entry points and padding
/// only. What refers to a function or a section by relocation is followed.
#include "lgc/CompileError.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lgc {

using pal::abi::ElfObject;
using pal::abi::ElfRelocation;
using pal::abi::ElfSection;
using pal::abi::ElfSymbol;
using pal::abi::HardwareStage;

namespace {

/// What fills `.text` around functions: s_code_end, s_nop 0, nothing.
constexpr uint32_t paddings[] = {0xBF9F0000, 0xBF800000, 0};
constexpr uint64_t maxAlignment = 4096;

class CodeDigester {
public:
  CodeDigester(PartDigest &part, const ElfObject &elf) : part(part), elf(elf) {}
  Error run();

private:
  Error findText();
  Error findFunctions();
  Error checkPadding() const;
  Error findSections();
  Error findRelocations();
  Error findNamedSymbols();
  Expected<PiecePlace> place(unsigned section, uint64_t offset, const Twine &what) const;
  Expected<uint32_t> symbolPiece(uint32_t symbol);
  Expected<uint32_t> reference(const ElfSymbol &symbol);
  /// What falls through may have nothing to do.
  bool mayBeEmpty() const { return isGlue() || part.info.colorExport; }
  bool isGlue() const {
    return part.info.kind == PartKind::VertexFetch || part.info.kind == PartKind::ColorExport;
  }

  PartDigest &part;
  const ElfObject &elf;
  unsigned textSection = 0;
  std::vector<uint32_t> pieceOf;       ///< section piece + 1 by section index
  std::vector<uint32_t> symbolPieceOf; ///< symbol piece + 1 by symbol index
  std::vector<uint32_t> referenceOf;   ///< reference + 1 by symbol index
};

Error CodeDigester::findText() {
  for (auto [index, section] : enumerate(elf.sections())) {
    if (section.type == ELF::SHT_NULL || section.name != pal::abi::elf::textSection)
      continue;
    if (textSection || section.type != ELF::SHT_PROGBITS)
      return invalidInput("part: several sections .text, or one without bytes");
    textSection = static_cast<unsigned>(index);
  }
  if (!textSection)
    return invalidInput("part: no section .text");
  part.text = elf.sections()[textSection].data;
  return Error::success();
}

Error CodeDigester::findFunctions() {
  for (const ElfSymbol &symbol : elf.symbols()) {
    if (symbol.section != textSection || symbol.type != ELF::STT_FUNC)
      continue;
    FunctionPiece function;
    bool isEntry = false;
    for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i)
      if (symbol.name == pal::abi::entryPointSymbol(static_cast<HardwareStage>(i))) {
        function.stage = static_cast<HardwareStage>(i);
        isEntry = true;
      }
    if (!isEntry)
      return unsupported("part: function '" + symbol.name.take_front(64) + "' is no entry point");
    function.offset = static_cast<uint32_t>(symbol.value);
    function.size = static_cast<uint32_t>(symbol.size);
    if (function.offset % 4 || function.size % 4 || (function.size == 0 && !mayBeEmpty()))
      return invalidInput("part: size or place of '" + symbol.name.take_front(64) + "'");
    part.functions.push_back(function);
  }
  sort(part.functions,
       [](const FunctionPiece &a, const FunctionPiece &b) { return a.offset < b.offset; });
  for (size_t i = 1; i < part.functions.size(); ++i)
    if (part.functions[i - 1].offset + uint64_t(part.functions[i - 1].size) >
        part.functions[i].offset)
      return invalidInput("part: functions overlap");
  return Error::success();
}

Error CodeDigester::checkPadding() const {
  uint64_t at = 0;
  auto check = [&](uint64_t end) {
    for (; at + 4 <= end; at += 4)
      if (!is_contained(paddings, support::endian::read32le(part.text.data() + at)))
        return false;
    return true;
  };
  for (const FunctionPiece &function : part.functions) {
    if (!check(function.offset))
      break;
    at = function.offset + uint64_t(function.size);
  }
  if (!check(part.text.size()))
    return unsupported("part: .text at offset " + Twine(at) + " belongs to no function");
  return Error::success();
}

Error CodeDigester::findSections() {
  pieceOf.resize(elf.sections().size());
  for (auto [index, section] : enumerate(elf.sections())) {
    bool isData = section.isAlloc() && index != textSection;
    bool isListing =
        !section.isAlloc() && !isGlue() &&
        (section.name == ".AMDGPU.disasm" || section.name.starts_with(".AMDGPU.comment"));
    if (!isData && !isListing)
      continue;
    if (section.type != ELF::SHT_PROGBITS)
      return unsupported("part: " + elf.describeSection(static_cast<unsigned>(index)) +
                         " has type " + Twine(section.type));
    if (section.alignment > maxAlignment)
      return invalidInput("part: alignment of " +
                          elf.describeSection(static_cast<unsigned>(index)));
    SectionPiece piece;
    piece.name = section.name;
    piece.type = section.type;
    piece.flags = section.flags;
    piece.alignment = std::max<uint32_t>(static_cast<uint32_t>(section.alignment), 1);
    piece.entrySize = section.entrySize;
    piece.data = section.data;
    part.sections.push_back(piece);
    pieceOf[index] = static_cast<uint32_t>(part.sections.size());
  }
  return Error::success();
}

Expected<PiecePlace> CodeDigester::place(unsigned section, uint64_t offset,
                                         const Twine &what) const {
  PiecePlace place;
  if (section == textSection) {
    place.inText = true;
    for (auto [index, function] : enumerate(part.functions))
      if (offset >= function.offset && offset - function.offset <= function.size) {
        place.index = static_cast<uint32_t>(index);
        place.offset = static_cast<uint32_t>(offset - function.offset);
        return place;
      }
    return invalidInput("part: " + what + " is outside of functions");
  }
  if (section >= pieceOf.size() || !pieceOf[section])
    return invalidInput("part: " + what + " is not in a section that is loaded");
  place.index = pieceOf[section] - 1;
  place.offset = static_cast<uint32_t>(offset);
  return place;
}

Expected<uint32_t> CodeDigester::symbolPiece(uint32_t index) {
  if (symbolPieceOf[index])
    return symbolPieceOf[index] - 1;
  const ElfSymbol &symbol = elf.symbols()[index];
  Expected<PiecePlace> where =
      place(symbol.section, symbol.value, "symbol '" + symbol.name.take_front(64) + "'");
  if (!where)
    return where.takeError();
  SymbolPiece piece;
  piece.name = symbol.name;
  piece.place = *where;
  piece.size = symbol.size;
  // Sections are put together, so that a section symbol becomes a place in one. The linker names
  // it.
  piece.type = symbol.type == ELF::STT_SECTION ? uint8_t(ELF::STT_NOTYPE) : symbol.type;
  piece.binding = symbol.binding;
  // Entry points are made anew; several parts may name their constants alike.
  if (where->inText || symbol.section == ELF::SHN_UNDEF || symbol.type != ELF::STT_OBJECT ||
      elf.sections()[symbol.section].isAlloc())
    piece.binding = ELF::STB_LOCAL;
  if (where->inText) {
    piece.type = ELF::STT_NOTYPE;
    piece.name = "";
  }
  part.symbols.push_back(piece);
  symbolPieceOf[index] = static_cast<uint32_t>(part.symbols.size());
  return symbolPieceOf[index] - 1;
}

Expected<uint32_t> CodeDigester::reference(const ElfSymbol &symbol) {
  uint32_t &known = referenceOf[&symbol - elf.symbols().data()];
  if (!known) {
    PartReference parsed = KILN_TRY(parseReference(symbol.name));
    part.references.push_back(parsed);
    known = static_cast<uint32_t>(part.references.size());
  }
  return known - 1;
}

Error CodeDigester::findRelocations() {
  for (const ElfRelocation &old : elf.relocations()) {
    if (!elf.sections()[old.target].isAlloc())
      continue;
    PiecePlace where = KILN_TRY(place(old.target, old.offset, "a relocation"));
    const ElfSymbol &symbol = elf.symbols()[old.symbol];
    const bool isLiteral = symbol.section == ELF::SHN_UNDEF &&
                           symbol.name.starts_with(pal::abi::elf::partSymbolPrefix);
    unsigned width = isLiteral ? 4 : pal::abi::relocationWidth(old.type);
    if (!width)
      return unsupported("part: relocation of type " + Twine(old.type));
    if (where.inText && where.offset + width > part.functions[where.index].size)
      return invalidInput("part: a relocation is outside of functions");
    if (isLiteral) {
      auto field = pal::remap::LiteralField::of(old, elf.sections()[old.target], part.target);
      if (!field)
        return asInvalid(field.takeError());
      uint32_t index = KILN_TRY(reference(symbol));
      part.literals.push_back({where, index, *field});
      continue;
    }
    if (old.hasAddend)
      return unsupported("part: relocations with addends");
    uint32_t piece = KILN_TRY(symbolPiece(old.symbol));
    part.relocations.push_back({where, old.type, piece});
  }
  return Error::success();
}

/// Parts of listings.
Error CodeDigester::findNamedSymbols() {
  for (auto [index, symbol] : enumerate(elf.symbols())) {
    if (symbol.section == textSection || symbol.section >= pieceOf.size() ||
        !pieceOf[symbol.section] || elf.sections()[symbol.section].isAlloc())
      continue;
    KILN_TRY(symbolPiece(static_cast<uint32_t>(index)));
  }
  return Error::success();
}

Error CodeDigester::run() {
  symbolPieceOf.resize(elf.symbols().size());
  referenceOf.resize(elf.symbols().size());
  for (auto step :
       {&CodeDigester::findText, &CodeDigester::findFunctions, &CodeDigester::findSections,
        &CodeDigester::findRelocations, &CodeDigester::findNamedSymbols})
    KILN_TRY((this->*step)());
  const pal::abi::ElfNote *note = elf.findMetadataNote();
  part.otherNotes = elf.sections()[note->section].data.take_front(note->offset);
  return checkPadding();
}

} // namespace

Error digestCode(PartDigest &part, const ElfObject &elf) { return CodeDigester(part, elf).run(); }

} // namespace lgc
