//===- SourceInfo.cpp - statements, functions and variables of code --------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/SourceInfo.h"
#include "lgc/DebugSpace.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Endian.h"
#include <cmath>

using namespace llvm;

namespace debug {

namespace {

/// Parts of a value that are listed: arrays may be long.
constexpr uint64_t partsMax = 1024;
/// Types within types.
constexpr unsigned depthMax = 32;

uint64_t bytesOf(DWARFDie type) { return dwarf::toUnsigned(type.find(dwarf::DW_AT_byte_size), 0); }

std::string floatText(uint64_t bits, uint64_t bytes) {
  const fltSemantics &semantics = bytes == 2   ? APFloat::IEEEhalf()
                                  : bytes == 4 ? APFloat::IEEEsingle()
                                               : APFloat::IEEEdouble();
  SmallString<32> text;
  APFloat(semantics, APInt(unsigned(8 * bytes), bits))
      .toString(text, /*FormatPrecision=*/0,
                /*FormatMaxPadding=*/6);
  return text.str().str();
}

std::string scalarText(DWARFDie type, ArrayRef<uint8_t> memory) {
  const uint64_t bytes = bytesOf(type);
  uint64_t bits = 0;
  if (!bytes || bytes > sizeof(bits) || bytes > memory.size())
    return "?";
  for (uint64_t i = 0; i < bytes; ++i)
    bits |= uint64_t(memory[i]) << (8 * i);
  switch (dwarf::toUnsigned(type.find(dwarf::DW_AT_encoding), 0)) {
  case dwarf::DW_ATE_float:
    return floatText(bits, bytes);
  case dwarf::DW_ATE_boolean:
    return bits ? "true" : "false";
  case dwarf::DW_ATE_signed:
    return itostr(SignExtend64(bits, unsigned(8 * bytes)));
  default:
    return utostr(bits);
  }
}

/// Reads values, no more than anybody looks at.
class Reader {
public:
  /// \p memory begins with the value.
  Value read(DWARFDie type, ArrayRef<uint8_t> memory, std::string name, unsigned depth = 0);

private:
  void addElements(DWARFDie type, ArrayRef<uint8_t> memory, unsigned depth, Value &value);
  void addMembers(DWARFDie type, ArrayRef<uint8_t> memory, unsigned depth, Value &value);
  uint64_t left = 100'000; ///< values
};

struct Places {
  std::optional<uint64_t> count; ///< none: as many as there is memory for
  uint64_t stride = 0;           ///< bytes; 0: that of the elements
};

Places placesOf(DWARFDie array) {
  Places places;
  for (DWARFDie child : array.children())
    if (child.getTag() == dwarf::DW_TAG_subrange_type) {
      places.count = dwarf::toUnsigned(child.find(dwarf::DW_AT_count));
      places.stride =
          static_cast<uint64_t>(dwarf::toSigned(child.find(dwarf::DW_AT_byte_stride), 0));
    }
  return places;
}

void Reader::addElements(DWARFDie type, ArrayRef<uint8_t> memory, unsigned depth, Value &value) {
  DWARFDie element = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  const bool isVector = type.find(dwarf::DW_AT_GNU_vector).has_value();
  const Places places = placesOf(type);
  const uint64_t bytes = element ? element.getTypeSize(8).value_or(0) : 0;
  const uint64_t stride = places.stride ? places.stride : bytes;
  const uint64_t count = std::min(places.count.value_or(partsMax), partsMax);
  for (uint64_t i = 0; stride && i < count && left; ++i) {
    if (i * stride >= memory.size() || bytes > memory.size() - i * stride)
      break;
    value.parts.push_back(read(element, memory.drop_front(i * stride),
                               isVector ? std::string(1, "xyzw"[i % 4]) : "[" + utostr(i) + "]",
                               depth + 1));
  }
}

void Reader::addMembers(DWARFDie type, ArrayRef<uint8_t> memory, unsigned depth, Value &value) {
  for (DWARFDie member : type.children()) {
    if (member.getTag() != dwarf::DW_TAG_member || value.parts.size() >= partsMax || !left)
      continue;
    const uint64_t offset = dwarf::toUnsigned(member.find(dwarf::DW_AT_data_member_location), 0);
    if (offset <= memory.size())
      value.parts.push_back(read(member.getAttributeValueAsReferencedDie(dwarf::DW_AT_type),
                                 memory.drop_front(offset),
                                 dwarf::toString(member.find(dwarf::DW_AT_name), "?"), depth + 1));
  }
}

Value Reader::read(DWARFDie type, ArrayRef<uint8_t> memory, std::string name, unsigned depth) {
  constexpr size_t shownMax = 16;
  Value value;
  value.name = std::move(name);
  value.text = "?";
  while (type && type.getTag() == dwarf::DW_TAG_typedef) {
    if (value.type.empty())
      value.type = dwarf::toString(type.find(dwarf::DW_AT_name), "");
    type = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  }
  if (!type || depth > depthMax || !left)
    return value;
  --left;
  if (value.type.empty())
    value.type = dwarf::toString(type.find(dwarf::DW_AT_name), "");
  if (type.getTag() == dwarf::DW_TAG_base_type) {
    value.text = scalarText(type, memory);
    return value;
  }
  const bool isStruct = type.getTag() == dwarf::DW_TAG_structure_type;
  if (isStruct)
    addMembers(type, memory, depth, value);
  else if (type.getTag() == dwarf::DW_TAG_array_type)
    addElements(type, memory, depth, value);
  value.text = isStruct ? "{" : "(";
  for (size_t i = 0; i < std::min(value.parts.size(), shownMax); ++i)
    value.text +=
        (i ? ", " : "") + (isStruct ? value.parts[i].name + " = " : "") + value.parts[i].text;
  value.text += value.parts.size() > shownMax ? ", ..." : "";
  value.text += isStruct ? "}" : ")";
  return value;
}

/// What a pointer leads to; empty: nowhere. \p pointer: as lgc::DebugSpace has it.
ArrayRef<uint8_t> follow(const pal::device::StoppedWave &wave, lgc::DebugSpace space,
                         ArrayRef<uint8_t> pointer) {
  constexpr uint64_t bytesMax = 1u << 20;
  auto dword = [&](size_t i) {
    return 4 * i + 4 <= pointer.size() ? support::endian::read32le(&pointer[4 * i]) : 0;
  };
  if (space == lgc::DebugSpace::Lds)
    return wave.lds().drop_front(std::min<size_t>(dword(0), wave.lds().size()));
  const uint64_t address = uint64_t(dword(1) & 0xFFFF) << 32 | dword(0);
  return wave.memory(address, std::min<uint64_t>(dword(2), bytesMax));
}

/// Where in private memory a variable is; nothing: it is elsewhere, or nowhere any more.
std::optional<uint64_t> offsetOf(DWARFDie variable) {
  const auto location = variable.find(dwarf::DW_AT_location);
  const auto block = location ? location->getAsBlock() : std::nullopt;
  if (!block)
    return std::nullopt;
  const DataExtractor data(toStringRef(*block), /*IsLittleEndian=*/true, 8);
  for (const DWARFExpression::Operation &op : DWARFExpression(data, 8)) {
    if (op.isError())
      return std::nullopt;
    const bool isRegister =
        op.getCode() >= dwarf::DW_OP_breg0 && op.getCode() <= dwarf::DW_OP_breg31;
    if (op.getCode() == dwarf::DW_OP_fbreg || isRegister)
      return op.getRawOperand(0);
    if (op.getCode() == dwarf::DW_OP_bregx)
      return op.getRawOperand(1);
  }
  return std::nullopt;
}

void addVariable(DWARFDie variable, const pal::device::StoppedWave &wave, ArrayRef<uint8_t> memory,
                 std::vector<Value> &values) {
  const char *named = variable.getName(DINameKind::ShortName);
  const std::optional<uint64_t> offset = offsetOf(variable);
  if (!named || !offset || *offset > memory.size())
    return;
  DWARFDie type = variable.getAttributeValueAsReferencedDie(
      variable.findRecursively({dwarf::DW_AT_type}).value_or(DWARFFormValue()));
  memory = memory.drop_front(*offset);
  if (type && type.getTag() == dwarf::DW_TAG_pointer_type) {
    const uint64_t space = dwarf::toUnsigned(type.find(dwarf::DW_AT_address_class), 0);
    memory = follow(wave, static_cast<lgc::DebugSpace>(space), memory);
    type = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  }
  StringRef name = named;
  const bool isUnnamed = name.consume_front(".");
  Value value = Reader().read(type, memory, name.str());
  if (isUnnamed) // a block of GLSL: its members are variables
    std::move(value.parts.begin(), value.parts.end(), std::back_inserter(values));
  else
    values.push_back(std::move(value));
}

} // namespace

const Value *findValue(ArrayRef<Value> values, StringRef expression) {
  expression = expression.trim();
  const Value *found = nullptr;
  while (!expression.empty()) {
    expression.consume_front(".");
    size_t length = std::min(expression.find_first_of(".[", 1), expression.size());
    const Value *next = nullptr;
    for (const Value &value : found ? ArrayRef(found->parts) : values)
      if (value.name == expression.take_front(length))
        next = &value;
    if (!next)
      return nullptr;
    found = next;
    expression = expression.drop_front(length);
  }
  return found;
}

struct SourceInfo::Impl {
  std::unique_ptr<object::ObjectFile> object;
  std::unique_ptr<DWARFContext> dwarf;
  uint64_t textSection = object::SectionedAddress::UndefSection;

  /// The innermost one first.
  SmallVector<DWARFDie, 4> functionsAt(uint64_t address) const {
    SmallVector<DWARFDie, 4> chain;
    if (DWARFCompileUnit *unit = dwarf->getCompileUnitForCodeAddress(address))
      unit->getInlinedChainForAddress(address, chain);
    return chain;
  }
};

SourceInfo::SourceInfo() : impl(std::make_unique<Impl>()) {}
SourceInfo::~SourceInfo() = default;

Expected<std::unique_ptr<SourceInfo>> SourceInfo::read(ArrayRef<uint8_t> elf) {
  auto object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(toStringRef(elf), "code object"));
  if (!object)
    return object.takeError();
  std::unique_ptr<SourceInfo> info(new SourceInfo);
  info->impl->object = std::move(*object);
  for (const object::SectionRef &section : info->impl->object->sections())
    if (section.isText())
      info->impl->textSection = section.getIndex();
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  info->impl->dwarf =
      DWARFContext::create(*info->impl->object, DWARFContext::ProcessDebugRelocations::Process,
                           nullptr, "", ignore, ignore);
  for (const std::unique_ptr<DWARFUnit> &unit : info->impl->dwarf->compile_units())
    if (const DWARFDebugLine::LineTable *table = info->impl->dwarf->getLineTableForUnit(unit.get()))
      for (const DWARFDebugLine::Row &row : table->Rows) {
        Frame place;
        place.line = row.Line;
        if (row.Line && !row.EndSequence &&
            table->getFileNameByIndex(
                row.File, "", DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, place.file))
          info->allStatements.push_back(std::move(place));
      }
  return info;
}

std::vector<Frame> SourceInfo::framesAt(uint32_t address) const {
  const DILineInfoSpecifier wanted(DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                                   DILineInfoSpecifier::FunctionNameKind::ShortName);
  const DIInliningInfo lines =
      impl->dwarf->getInliningInfoForAddress({address, impl->textSection}, wanted);
  const SmallVector<DWARFDie, 4> chain = impl->functionsAt(address);
  std::vector<Frame> frames;
  for (uint32_t i = 0; i < lines.getNumberOfFrames(); ++i) {
    const DILineInfo &line = lines.getFrame(i);
    Frame frame;
    frame.line = line.Line;
    frame.column = line.Column;
    if (line.FileName != DILineInfo::BadString)
      frame.file = line.FileName;
    // GLSL's functions have their parameters behind; the entry point is called after its stage.
    frame.function = StringRef(line.FunctionName).take_until([](char c) { return c == '('; }).str();
    if (StringRef name = frame.function; name.consume_front("lgc.shader.")) {
      for (Frame &inner : frames)
        inner.shader = name.str();
      frame.shader = name.str();
      frame.function = "main";
    }
    frame.instance = i < chain.size() ? chain[i].getOffset() : 0;
    frames.push_back(std::move(frame));
    // What calls a shader is the merged one of its wave.
    if (!frames.back().shader.empty())
      break;
  }
  return frames;
}

std::vector<Value> SourceInfo::variablesOf(const pal::device::StoppedWave &wave, unsigned lane,
                                           size_t frame) const {
  const SmallVector<DWARFDie, 4> chain = impl->functionsAt(wave.pc());
  const ArrayRef<uint8_t> memory = wave.scratch(lane);
  std::vector<Value> values;
  if (frame >= chain.size())
    return values;
  std::vector<DWARFDie> scopes = {chain[frame]};
  while (!scopes.empty()) {
    const DWARFDie scope = scopes.back();
    scopes.pop_back();
    for (DWARFDie child : scope.children()) {
      if (child.getTag() == dwarf::DW_TAG_lexical_block)
        scopes.push_back(child);
      if (child.getTag() == dwarf::DW_TAG_variable ||
          child.getTag() == dwarf::DW_TAG_formal_parameter)
        addVariable(child, wave, memory, values);
    }
  }
  return values;
}

} // namespace debug
