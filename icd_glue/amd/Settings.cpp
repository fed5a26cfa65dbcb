//===- Settings.cpp - option strings of ICompiler::Create() ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Settings.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace icd::amd {
namespace {

using llvm::StringRef;

/// What is wanted instead of the value; empty: it has been taken.
using Wanted = std::string;

struct Range {
  uint32_t least, most;
};

template <uint32_t Settings::*Member, Range Bounds>
Wanted setNumber(Settings &settings, StringRef value) {
  uint32_t number = 0;
  if (value.getAsInteger(10, number) || number < Bounds.least || number > Bounds.most)
    return "a number from " + std::to_string(Bounds.least) + " to " + std::to_string(Bounds.most);
  settings.*Member = number;
  return {};
}

template <bool Settings::*Member> Wanted setSwitch(Settings &settings, StringRef value) {
  if (value != "on" && value != "off")
    return "on or off";
  settings.*Member = value == "on";
  return {};
}

template <std::string Settings::*Member> Wanted setText(Settings &settings, StringRef value) {
  settings.*Member = value.str();
  return {};
}

Wanted setSubgroupSize(Settings &settings, StringRef value) {
  if (value != "32" && value != "64")
    return "32 or 64";
  settings.subgroupSize = value == "32" ? 32 : 64;
  return {};
}

struct Row {
  llvm::StringLiteral name;
  Wanted (*set)(Settings &settings, StringRef value);
};
constexpr Row rows[] = {
    {"subgroup-size", setSubgroupSize},
    {"kiln-parts", setSwitch<&Settings::parts>},
    {"kiln-link-constants", setSwitch<&Settings::linkConstants>},
    {"kiln-stats", setSwitch<&Settings::stats>},
    {"kiln-part-workers", setNumber<&Settings::partWorkers, Range{1, 64}>},
    {"kiln-cache-mb", setNumber<&Settings::cacheMegabytes, Range{0, 65536}>},
    {"kiln-log", setText<&Settings::logFile>},
    {"kiln-dump", setText<&Settings::dumpFolder>},
};

/// Options of AMD's that say where its own compiler writes what this one does not write, or how it
/// uses a cache that this one does not use.
constexpr llvm::StringLiteral withoutMeaning[] = {
    "enable-errs", "enable-outs", "log-file-outs", "log-file-dbgs", "pipeline-dump-dir",
    "enable-pipeline-dump", "cache-full-pipelines",
    // The hardware's defect that it keeps away from is one that our code does not meet: loads of
    // multisampled images as one instruction are not made.
    "mattr"};

} // namespace

llvm::Expected<Settings> parseSettings(llvm::ArrayRef<const char *> options) {
  Settings settings;
  for (const char *option : options) {
    if (!option || option[0] != '-') // the program's name comes first
      continue;
    const auto [name, value] = StringRef(option).ltrim('-').split('=');
    const auto *row = llvm::find_if(rows, [&](const Row &r) { return r.name == name; });
    if (row != std::end(rows)) {
      const Wanted wanted = row->set(settings, value);
      if (!wanted.empty())
        return lgc::invalidInput("option '" + StringRef(option) + "': " + wanted + " is wanted");
      continue;
    }
    if (name.starts_with("kiln-"))
      return lgc::invalidInput("unknown option '" + StringRef(option) + "'");
    if (!llvm::is_contained(withoutMeaning, name))
      settings.unknown.push_back(option);
  }
  return settings;
}

std::vector<std::string> splitOptions(llvm::StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::vector<std::string> options;
  for (StringRef word : words)
    options.push_back(word.str());
  return options;
}

} // namespace icd::amd
