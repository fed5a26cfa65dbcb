//===- LoadOffsetMarks.cpp - labels at loads -> relocations ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/machine/LoadOffsets.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lgc {

using pal::abi::ElfImage;
using pal::abi::ElfObject;
using pal::abi::ElfSymbol;
using Bytes = std::vector<uint8_t>;

namespace {

constexpr size_t symbolSize = 24, relocationSize = 16;

/// The second dword of a load is patched.
struct Patch {
  uint64_t offset = 0;
  uint32_t symbol = 0; ///< new index
};

void put(Bytes &out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

class MarkConverter {
public:
  MarkConverter(const ElfObject &object, ElfImage &image) : object(object), image(image) {}

  Error run() {
    for (auto [index, section] : enumerate(image.sections))
      if (section.type == ELF::SHT_SYMTAB)
        table = index;
    if (!table || image.sections[table].data.size() != object.symbols().size() * symbolSize)
      return internalError("code object: symbol table");
    moveSymbols();
    if (!text)
      return internalError("code object: label of a load outside of .text");
    renumberRelocations();
    addRelocations();
    return Error::success();
  }

private:
  const ElfObject &object;
  ElfImage &image;
  size_t table = 0;
  size_t text = 0; ///< section with the labels
  std::vector<uint32_t> newIndex;
  std::vector<Patch> patches;

  static bool isMark(const ElfSymbol &symbol) {
    return symbol.name.starts_with(loadOffsetMarkPrefix);
  }

  /// Leaves labels out, and adds what they name.
  void moveSymbols() {
    ElfImage::Section &section = image.sections[table];
    Bytes kept;
    uint32_t count = 0, locals = 0;
    StringMap<uint32_t> undefined;
    for (auto [index, symbol] : enumerate(object.symbols())) {
      newIndex.push_back(count);
      if (isMark(symbol))
        continue;
      const uint8_t *bytes = section.data.data() + index * symbolSize;
      kept.insert(kept.end(), bytes, bytes + symbolSize);
      if (index < section.info)
        ++locals;
      if (symbol.section == ELF::SHN_UNDEF)
        undefined[symbol.name] = count;
      ++count;
    }
    Bytes &names = image.sections[section.link].data;
    for (const ElfSymbol &symbol : object.symbols()) {
      if (!isMark(symbol))
        continue;
      text = symbol.section;
      const StringRef tail = symbol.name.drop_front(loadOffsetMarkPrefix.size()).split('.').second;
      const std::string name = (pal::abi::elf::partSymbolPrefix + tail).str();
      auto [known, isNew] = undefined.insert({name, count});
      if (isNew) {
        put(kept, names.size(), 4);
        put(kept, ELF::STB_GLOBAL << 4 | ELF::STT_NOTYPE, 4); // info, other, undefined
        put(kept, 0, 8);
        put(kept, 0, 8);
        names.insert(names.end(), name.begin(), name.end());
        names.push_back(0);
        ++count;
      }
      patches.push_back({symbol.value + 4, known->second});
    }
    section.data = std::move(kept);
    section.info = locals;
    sort(patches, [](const Patch &a, const Patch &b) { return a.offset < b.offset; });
  }

  void renumberRelocations() {
    for (ElfImage::Section &section : image.sections) {
      if (section.type != ELF::SHT_REL && section.type != ELF::SHT_RELA)
        continue;
      for (size_t at = 0; at + section.entrySize <= section.data.size(); at += section.entrySize) {
        uint8_t *symbol = section.data.data() + at + 12;
        support::endian::write32le(symbol, newIndex[support::endian::read32le(symbol)]);
      }
    }
  }

  ElfImage::Section &relocationsOfText() {
    for (ElfImage::Section &section : image.sections)
      if (section.type == ELF::SHT_REL && section.info == text)
        return section;
    ElfImage::Section section;
    Bytes &names = image.sections[image.header.nameSection].data;
    section.nameOffset = static_cast<uint32_t>(names.size());
    const StringRef name = ".rel.text";
    names.insert(names.end(), name.begin(), name.end());
    names.push_back(0);
    section.type = ELF::SHT_REL;
    section.flags = ELF::SHF_INFO_LINK;
    section.alignment = 8;
    section.entrySize = relocationSize;
    section.link = static_cast<uint32_t>(table);
    section.info = static_cast<uint32_t>(text);
    for (const auto &other : image.sections)
      section.filePosition = std::max(section.filePosition, other.filePosition + 1);
    image.sections.push_back(std::move(section));
    return image.sections.back();
  }

  void addRelocations() {
    Bytes &data = relocationsOfText().data;
    for (const Patch &patch : patches) {
      put(data, patch.offset, 8);
      put(data, pal::abi::elf::loadOffsetRelocation, 4);
      put(data, patch.symbol, 4);
    }
  }
};

} // namespace

bool hasLoadOffsetMarks(const ElfObject &object) {
  return any_of(object.symbols(), [](const ElfSymbol &symbol) {
    return symbol.name.starts_with(loadOffsetMarkPrefix);
  });
}

Error convertLoadOffsetMarks(const ElfObject &object, ElfImage &image) {
  return MarkConverter(object, image).run();
}

} // namespace lgc
