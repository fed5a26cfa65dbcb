//===- RaceText.cpp - data races in words ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/RaceText.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Disassembly.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using llvm::Expected;
using llvm::StringRef;
using pal::device::MemoryAccess;

namespace kiln_cl {

namespace {

using Id = std::array<uint32_t, 3>;

Id idOf(uint32_t number, const Id &size) {
  return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
}

std::string listOf(const Id &id) { return llvm::formatv("({0}, {1}, {2})", id[0], id[1], id[2]); }

StringRef nameOf(MemoryAccess::Kind kind) {
  switch (kind) {
  case MemoryAccess::Kind::Load:
    return "read";
  case MemoryAccess::Kind::Store:
    return "write";
  case MemoryAccess::Kind::Atomic:
    break;
  }
  return "atomic access";
}

} // namespace

Expected<RunNames> RunNames::read(llvm::ArrayRef<uint8_t> elf) {
  RunNames names;
  const pal::abi::ElfObject object = KILN_TRY(pal::abi::ElfObject::parse(elf));
  if (const pal::abi::ElfSection *text = object.findSection(pal::abi::elf::textSection))
    names.code = text->data;
  const report::CodeObject stages = KILN_TRY(report::readCodeObject(elf));
  if (stages.stages.size() != 1)
    return lgc::unsupported("data races of code with several hardware stages");
  names.stage = stages.stages[0];
  names.listing =
      KILN_TRY(pal::device::disassemble(*stages.target, names.stage.waveSize, names.stage.bytes));
  names.lines = KILN_TRY(report::SourceMap::read(elf));
  return names;
}

/// Source line, or instruction.
std::string RunNames::placeOf(uint32_t pc) const {
  for (const report::SourcePlace &place : lines->at(pc)) {
    if (!place.line) // of built-in functions the call
      continue;
    StringRef file = llvm::sys::path::filename(place.file);
    if (file == "<stdin>") // as clang reads it
      file = llvm::sys::path::filename(program);
    return (file + ":" + llvm::Twine(place.line)).str();
  }
  const std::string offset = llvm::formatv("// {0:X-8}:", pc - stage.offset);
  for (const StringRef line : llvm::split(listing, '\n'))
    if (line.contains(offset))
      return llvm::formatv("pc {0:x} '{1}'", pc, line.split("//").first.trim());
  return llvm::formatv("pc {0:x}", pc);
}

std::string RunNames::textOf(const RaceAccess &access) const {
  const Id group = idOf(access.group, groupCount);
  Id item = idOf(access.item, groupSize);
  for (unsigned i = 0; i < 3; ++i)
    item[i] += group[i] * groupSize[i];
  return "\n  " + placeOf(access.pc) + ": " + nameOf(access.kind).str() + " by work-item " +
         listOf(item) + " of workgroup " + listOf(group);
}

std::string RunNames::textOf(const Race &race) const {
  std::string where = race.isLocal ? "local memory, byte " + llvm::utostr(race.address)
                                   : "memory at 0x" + llvm::utohexstr(race.address);
  for (const Buffer &buffer : buffers)
    if (!race.isLocal && race.address - buffer.address < buffer.size)
      where = "'" + buffer.name + "', byte " + llvm::utostr(race.address - buffer.address);
  return "data race in " + where + textOf(race.first) + textOf(race.second);
}

} // namespace kiln_cl
