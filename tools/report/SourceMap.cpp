//===- SourceMap.cpp - which source line an instruction was made of -------===//
// SPDX-License-Identifier: MIT
#include "tools/report/SourceMap.h"
#include "lgc/DebugNames.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <map>

using namespace llvm;

namespace report {

struct SourceMap::Impl {
  std::unique_ptr<object::ObjectFile> object;
  std::unique_ptr<DWARFContext> dwarf;
  uint64_t textSection = object::SectionedAddress::UndefSection;
  std::map<uint64_t, std::string> variables; ///< by number

  void readVariables();
};

void SourceMap::Impl::readVariables() {
  for (const std::unique_ptr<DWARFUnit> &unit : dwarf->compile_units())
    for (const DWARFDie type : unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false).children()) {
      if (type.getTag() != dwarf::DW_TAG_enumeration_type ||
          StringRef(dwarf::toString(type.find(dwarf::DW_AT_name), "")) != lgc::valueNames)
        continue;
      for (const DWARFDie entry : type.children())
        variables[dwarf::toUnsigned(entry.find(dwarf::DW_AT_const_value), 0)] =
            dwarf::toString(entry.find(dwarf::DW_AT_name), "");
    }
}

SourceMap::SourceMap() : impl(std::make_unique<Impl>()) {}
SourceMap::~SourceMap() = default;

Expected<std::unique_ptr<SourceMap>> SourceMap::read(ArrayRef<uint8_t> elf) {
  auto object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(toStringRef(elf), "code object"));
  if (!object)
    return object.takeError();
  std::unique_ptr<SourceMap> map(new SourceMap);
  map->impl->object = std::move(*object);
  for (const object::SectionRef &section : map->impl->object->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      consumeError(name.takeError());
    else if (*name == ".text")
      map->impl->textSection = section.getIndex();
  }
  // What is wrong with a line table costs lines, not the report.
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  map->impl->dwarf =
      DWARFContext::create(*map->impl->object, DWARFContext::ProcessDebugRelocations::Process,
                           nullptr, "", ignore, ignore);
  map->impl->readVariables();
  return map;
}

std::vector<SourcePlace> SourceMap::at(uint64_t address) const {
  DILineInfoSpecifier wanted(DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                             DILineInfoSpecifier::FunctionNameKind::ShortName);
  const DIInliningInfo info =
      impl->dwarf->getInliningInfoForAddress({address, impl->textSection}, wanted);
  std::vector<SourcePlace> result;
  for (uint32_t i = 0; i < info.getNumberOfFrames(); ++i) {
    const DILineInfo &frame = info.getFrame(i);
    SourcePlace place;
    place.line = frame.Line;
    place.column = frame.Column;
    if (frame.FileName != DILineInfo::BadString)
      place.file = frame.FileName;
    // The entry point is called after its stage; GLSL's functions have their parameters behind.
    if (const StringRef name = frame.FunctionName;
        name != DILineInfo::BadString && !name.starts_with("lgc."))
      place.function = name.take_until([](char c) { return c == '('; }).str();
    const auto variable = impl->variables.find(frame.Discriminator / lgc::valueNameStep);
    if (i == 0 && variable != impl->variables.end())
      place.variable = variable->second;
    result.push_back(std::move(place));
  }
  return result;
}

} // namespace report
