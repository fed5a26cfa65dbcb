//===- LineTable.cpp - which source lines code was made of ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/LineTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint16_t dwarfVersion = 4;
constexpr uint64_t dwordBytes = 4;

enum SectionKind : uint8_t { Abbrev, Info, Lines, Ranges, sectionKinds, Code = sectionKinds };
constexpr StringLiteral sectionNames[] = {".debug_abbrev", ".debug_info", ".debug_line",
                                          ".debug_ranges"};

/// A section that is being written.
class Section {
public:
  /// A number that depends on where another section will be.
  struct Reference {
    size_t offset;
    SectionKind to;
    uint64_t addend;
  };

  Section() : os(data), writer(os, endianness::little) {}
  template <typename T> void number(T value) { writer.write(value); }
  void byte(unsigned value) { number(static_cast<uint8_t>(value)); }
  void leb(uint64_t value) { encodeULEB128(value, os); }
  void signedLeb(int64_t value) { encodeSLEB128(value, os); }
  void text(StringRef value) {
    os << value.take_until([](char c) { return c == 0; });
    byte(0);
  }
  /// Of 64 bits where it is to code, else of 32.
  void refer(SectionKind to, uint64_t addend) {
    references.push_back({data.size(), to, addend});
    if (to == Code)
      number<uint64_t>(0);
    else
      number<uint32_t>(0);
  }
  /// A number of 32 bits: how many bytes come behind it. Returns what closes it.
  size_t beginLength() {
    number<uint32_t>(0);
    return data.size();
  }
  void endLength(size_t begin) {
    support::endian::write32le(&data[begin - sizeof(uint32_t)],
                               static_cast<uint32_t>(data.size() - begin));
  }
  size_t size() const { return data.size(); }
  ArrayRef<uint8_t> bytes() const { return arrayRefFromStringRef(data.str()); }

  std::vector<Reference> references;

private:
  SmallString<0> data;
  raw_svector_ostream os;
  support::endian::Writer writer;
};

/// A function where its code is, of a stage or inlined.
struct Scope {
  const DISubprogram *function = nullptr;
  const DILocation *call = nullptr;                     ///< of what is inlined
  SmallVector<std::pair<uint64_t, uint64_t>, 2> ranges; ///< bytes of the section of code
  SmallVector<unsigned, 2> inlined;                     ///< other scopes
};

/// The forms that entries of .debug_info have, numbered from 1 on.
struct EntryForm {
  uint16_t tag;
  bool hasChildren;
  std::initializer_list<std::pair<dwarf::Attribute, dwarf::Form>> fields;
};
enum : uint8_t { unitEntry = 1, originEntry, stageEntry, inlinedEntry, namesEntry, nameEntry };
const EntryForm entryForms[] = {
    {dwarf::DW_TAG_compile_unit,
     true,
     {{dwarf::DW_AT_producer, dwarf::DW_FORM_string},
      {dwarf::DW_AT_language, dwarf::DW_FORM_data2},
      {dwarf::DW_AT_name, dwarf::DW_FORM_string},
      {dwarf::DW_AT_stmt_list, dwarf::DW_FORM_sec_offset},
      {dwarf::DW_AT_low_pc, dwarf::DW_FORM_addr},
      {dwarf::DW_AT_high_pc, dwarf::DW_FORM_data8}}},
    {dwarf::DW_TAG_subprogram,
     false,
     {{dwarf::DW_AT_name, dwarf::DW_FORM_string},
      {dwarf::DW_AT_decl_file, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_decl_line, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_inline, dwarf::DW_FORM_data1}}},
    {dwarf::DW_TAG_subprogram,
     true,
     {{dwarf::DW_AT_name, dwarf::DW_FORM_string},
      {dwarf::DW_AT_decl_file, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_decl_line, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_low_pc, dwarf::DW_FORM_addr},
      {dwarf::DW_AT_high_pc, dwarf::DW_FORM_data8}}},
    {dwarf::DW_TAG_inlined_subroutine,
     true,
     {{dwarf::DW_AT_abstract_origin, dwarf::DW_FORM_ref4},
      {dwarf::DW_AT_ranges, dwarf::DW_FORM_sec_offset},
      {dwarf::DW_AT_call_file, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_call_line, dwarf::DW_FORM_udata},
      {dwarf::DW_AT_call_column, dwarf::DW_FORM_udata}}},
    {dwarf::DW_TAG_enumeration_type,
     true,
     {{dwarf::DW_AT_name, dwarf::DW_FORM_string}, {dwarf::DW_AT_byte_size, dwarf::DW_FORM_udata}}},
    {dwarf::DW_TAG_enumerator,
     false,
     {{dwarf::DW_AT_name, dwarf::DW_FORM_string},
      {dwarf::DW_AT_const_value, dwarf::DW_FORM_udata}}},
};

class LineTableWriter {
public:
  explicit LineTableWriter(ArrayRef<PlacedCode> stages) : stages(stages) {}
  void run(pal::abi::ElfBuilder &builder, uint16_t codeSection);

private:
  unsigned fileNumber(const DIFile *file);
  void addCode(const DILocation &place, uint64_t begin, uint64_t end, unsigned root);
  void addScopes(const PlacedCode &stage);
  void writeRows(const PlacedCode &stage);
  void writeLines();
  void writeForms();
  void writeOrigins();
  void beginEntry(const Scope &scope);
  void writeScopes(unsigned root);
  void writeNames(const DICompileUnit &unit);
  void writeInfo();

  ArrayRef<PlacedCode> stages;
  Section sections[sectionKinds];
  Section program; ///< of the line table
  StringMap<unsigned> fileNumbers;
  std::vector<StringRef> files;
  std::vector<Scope> scopes;
  SmallVector<unsigned, 2> roots;                                            ///< scopes of stages
  DenseMap<std::pair<unsigned, const DILocation *>, unsigned> inlinedScopes; ///< by caller, call
  DenseMap<const DISubprogram *, uint32_t> origins;                          ///< offsets of entries
};

uint64_t bytesOf(const ShaderCode &code) { return code.dwords.size() * dwordBytes; }

/// From 1 on.
unsigned LineTableWriter::fileNumber(const DIFile *file) {
  const auto [number, isNew] =
      fileNumbers.try_emplace(file ? file->getFilename() : "", fileNumbers.size() + 1);
  if (isNew)
    files.push_back(number->getKey());
  return number->second;
}

//===--- Lines --------------------------------------------------------------===//

/// Of the special opcodes of the table: which steps of lines they have.
constexpr int lineBase = -5;
constexpr unsigned lineRange = 14, firstSpecial = dwarf::DW_LNS_set_isa + 1;

void LineTableWriter::writeRows(const PlacedCode &stage) {
  unsigned file = 1, line = 1, column = 0;
  uint32_t at = 0; // dword
  program.byte(0);
  program.leb(1 + sizeof(uint64_t));
  program.byte(dwarf::DW_LNE_set_address);
  program.refer(Code, stage.offset);
  auto addRow = [&](uint32_t dword, unsigned newFile, unsigned newLine, unsigned newColumn,
                    unsigned discriminator = 0) {
    if (discriminator) { // of this row only
      program.byte(0);
      program.leb(1 + getULEB128Size(discriminator));
      program.byte(dwarf::DW_LNE_set_discriminator);
      program.leb(discriminator);
    }
    if (newFile != file) {
      program.byte(dwarf::DW_LNS_set_file);
      program.leb(newFile);
    }
    if (newColumn != column) {
      program.byte(dwarf::DW_LNS_set_column);
      program.leb(newColumn);
    }
    const int64_t lines = int64_t(newLine) - line;
    const uint64_t special = uint64_t(lines - lineBase) + uint64_t(lineRange) * (dword - at);
    if (lines >= lineBase && lines < lineBase + int(lineRange) && special + firstSpecial < 256) {
      program.byte(static_cast<unsigned>(special) + firstSpecial);
    } else {
      program.byte(dwarf::DW_LNS_advance_line);
      program.signedLeb(lines);
      program.byte(dwarf::DW_LNS_advance_pc);
      program.leb(dword - at);
      program.byte(dwarf::DW_LNS_copy);
    }
    file = newFile, line = newLine, column = newColumn, at = dword;
  };
  const std::vector<CodePlace> &places = stage.code->places;
  const unsigned ownFile = fileNumber(stage.code->function->getFile());
  // What stands in front of the first place is of none.
  if (places.empty() || places.front().dword)
    addRow(0, ownFile, 0, 0);
  for (const CodePlace &place : places)
    if (place.place)
      addRow(place.dword, fileNumber(place.place->getFile()), place.place->getLine(),
             place.place->getColumn(), place.place->getDiscriminator());
    else
      addRow(place.dword, ownFile, 0, 0);
  program.byte(dwarf::DW_LNS_advance_pc);
  program.leb(stage.code->dwords.size() - at);
  program.byte(0);
  program.leb(1);
  program.byte(dwarf::DW_LNE_end_sequence);
}

/// Behind all rows, whose files it lists.
void LineTableWriter::writeLines() {
  static constexpr uint8_t operandCounts[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  static_assert(std::size(operandCounts) + 1 == firstSpecial);
  Section &out = sections[Lines];
  const size_t all = out.beginLength();
  out.number(dwarfVersion);
  const size_t header = out.beginLength();
  out.byte(dwordBytes); // the shortest instruction
  out.byte(1);          // operations of an instruction
  out.byte(1);          // rows are statements
  out.byte(static_cast<uint8_t>(lineBase));
  out.byte(lineRange);
  out.byte(firstSpecial);
  for (const uint8_t count : operandCounts)
    out.byte(count);
  out.byte(0); // folders
  for (const StringRef name : files) {
    out.text(name);
    for (unsigned field = 0; field < 3; ++field) // folder, time, size
      out.leb(0);
  }
  out.byte(0);
  out.endLength(header);
  for (Section::Reference reference : program.references) {
    reference.offset += out.size();
    out.references.push_back(reference);
  }
  for (const uint8_t value : program.bytes())
    out.byte(value);
  out.endLength(all);
}

//===--- Functions ----------------------------------------------------------===//

/// Code from \p begin to \p end was made of a place; it is of the function there, and of those that
/// this one was inlined in.
void LineTableWriter::addCode(const DILocation &place, uint64_t begin, uint64_t end,
                              unsigned root) {
  SmallVector<const DILocation *, 4> inlined; // the innermost first
  for (const DILocation *at = &place; at->getInlinedAt(); at = at->getInlinedAt())
    inlined.push_back(at);
  unsigned scope = root;
  for (const DILocation *at : reverse(inlined)) {
    const auto next = static_cast<unsigned>(scopes.size());
    const auto [found, isNew] = inlinedScopes.try_emplace({scope, at->getInlinedAt()}, next);
    if (isNew) {
      scopes[scope].inlined.push_back(next);
      scopes.push_back({at->getScope()->getSubprogram(), at->getInlinedAt(), {}, {}});
    }
    scope = found->second;
    auto &ranges = scopes[scope].ranges;
    if (!ranges.empty() && ranges.back().second == begin)
      ranges.back().second = end;
    else
      ranges.push_back({begin, end});
  }
}

void LineTableWriter::addScopes(const PlacedCode &stage) {
  const auto root = static_cast<unsigned>(scopes.size());
  roots.push_back(root);
  scopes.push_back({stage.code->function, nullptr, {}, {}});
  const std::vector<CodePlace> &places = stage.code->places;
  for (size_t i = 0; i < places.size(); ++i) {
    const uint64_t end =
        i + 1 < places.size() ? places[i + 1].dword * dwordBytes : bytesOf(*stage.code);
    if (places[i].place)
      addCode(*places[i].place, stage.offset + places[i].dword * dwordBytes, stage.offset + end,
              root);
  }
  scopes[root].ranges.push_back({stage.offset, stage.offset + bytesOf(*stage.code)});
}

void LineTableWriter::writeForms() {
  Section &out = sections[Abbrev];
  unsigned number = 0;
  for (const EntryForm &form : entryForms) {
    out.leb(++number);
    out.leb(form.tag);
    out.byte(form.hasChildren);
    for (const auto &[attribute, how] : form.fields) {
      out.leb(attribute);
      out.leb(how);
    }
    out.leb(0);
    out.leb(0);
  }
  out.leb(0);
}

/// What functions that are inlined somewhere are, once.
void LineTableWriter::writeOrigins() {
  Section &out = sections[Info];
  for (const Scope &scope : scopes) {
    if (!scope.call || !origins.try_emplace(scope.function, out.size()).second)
      continue;
    out.leb(originEntry);
    out.text(scope.function->getName());
    out.leb(fileNumber(scope.function->getFile()));
    out.leb(scope.function->getLine());
    out.byte(dwarf::DW_INL_inlined);
  }
}

void LineTableWriter::beginEntry(const Scope &scope) {
  Section &out = sections[Info];
  if (!scope.call) {
    out.leb(stageEntry);
    out.text(scope.function->getName());
    out.leb(fileNumber(scope.function->getFile()));
    out.leb(scope.function->getLine());
    out.refer(Code, scope.ranges.front().first);
    out.number(scope.ranges.front().second - scope.ranges.front().first);
    return;
  }
  out.leb(inlinedEntry);
  out.number(origins[scope.function]);
  out.refer(Ranges, sections[Ranges].size());
  out.leb(fileNumber(scope.call->getFile()));
  out.leb(scope.call->getLine());
  out.leb(scope.call->getColumn());
  // From the unit's first address on, which is that of the section of code.
  for (const auto &[begin, end] : scope.ranges) {
    sections[Ranges].number(begin);
    sections[Ranges].number(end);
  }
  for (unsigned i = 0; i < 2; ++i)
    sections[Ranges].number<uint64_t>(0);
}

/// Calls may be deeply nested, so this does not call itself.
void LineTableWriter::writeScopes(unsigned root) {
  SmallVector<std::pair<unsigned, size_t>, 8> open = {{root, 0}}; // scope, next one inside
  beginEntry(scopes[root]);
  while (!open.empty()) {
    auto &[scope, next] = open.back();
    if (next < scopes[scope].inlined.size()) {
      const unsigned inner = scopes[scope].inlined[next++];
      beginEntry(scopes[inner]);
      open.push_back({inner, 0});
      continue;
    }
    sections[Info].leb(0);
    open.pop_back();
  }
}

/// What discriminators mean (lgc/DebugNames.h).
void LineTableWriter::writeNames(const DICompileUnit &unit) {
  Section &out = sections[Info];
  for (const DICompositeType *type : unit.getEnumTypes()) {
    out.leb(namesEntry);
    out.text(type->getName());
    out.leb(type->getSizeInBits() / 8);
    for (const DINode *node : type->getElements()) {
      const auto *name = cast<DIEnumerator>(node);
      out.leb(nameEntry);
      out.text(name->getName());
      out.leb(name->getValue().getZExtValue());
    }
    out.leb(0);
  }
}

void LineTableWriter::writeInfo() {
  Section &out = sections[Info];
  const size_t all = out.beginLength();
  out.number(dwarfVersion);
  out.refer(Abbrev, 0);
  out.byte(sizeof(uint64_t)); // of an address
  const DICompileUnit *unit = scopes[roots.front()].function->getUnit();
  out.leb(unitEntry);
  out.text(unit->getProducer());
  out.number(static_cast<uint16_t>(dwarf::DW_LANG_C));
  out.text(unit->getFilename());
  out.refer(Lines, 0);
  out.refer(Code, 0);
  out.number(stages.back().offset + bytesOf(*stages.back().code));
  SmallSetVector<const DICompileUnit *, 2> units;
  for (const unsigned root : roots)
    units.insert(scopes[root].function->getUnit());
  for (const DICompileUnit *each : units)
    writeNames(*each);
  writeOrigins();
  for (const unsigned root : roots)
    writeScopes(root);
  out.leb(0);
  out.endLength(all);
}

void LineTableWriter::run(pal::abi::ElfBuilder &builder, uint16_t codeSection) {
  for (const PlacedCode &stage : stages) {
    if (!stage.code->function)
      continue;
    addScopes(stage);
    writeRows(stage);
  }
  if (roots.empty())
    return;
  writeForms();
  writeInfo();
  writeLines();
  unsigned numbers[sectionKinds + 1];
  uint32_t symbols[sectionKinds + 1];
  numbers[Code] = codeSection;
  for (unsigned kind = 0; kind < sectionKinds; ++kind)
    numbers[kind] =
        builder.addSection(sectionNames[kind], ELF::SHT_PROGBITS, 0, 1, sections[kind].bytes());
  for (unsigned kind = 0; kind <= sectionKinds; ++kind)
    symbols[kind] = builder.addSymbol("", ELF::STT_SECTION, ELF::STB_LOCAL,
                                      static_cast<uint16_t>(numbers[kind]), 0, 0);
  for (unsigned kind = 0; kind < sectionKinds; ++kind)
    for (const Section::Reference &reference : sections[kind].references)
      builder.addRelocation(
          {.target = numbers[kind],
           .offset = reference.offset,
           .type = reference.to == Code ? ELF::R_AMDGPU_ABS64 : ELF::R_AMDGPU_ABS32,
           .symbol = symbols[reference.to],
           .addend = static_cast<int64_t>(reference.addend),
           .hasAddend = true});
}

} // namespace

void addLineTable(pal::abi::ElfBuilder &builder, uint16_t codeSection,
                  ArrayRef<PlacedCode> stages) {
  LineTableWriter(stages).run(builder, codeSection);
}

} // namespace lgc::direct
