//===- Options.cpp - amdllpc's command line -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

ExitCode exitCodeOf(lgc::ErrorKind kind) {
  switch (kind) {
  case lgc::ErrorKind::InvalidInput:
    return ExitCode::InvalidInput;
  case lgc::ErrorKind::Unsupported:
    return ExitCode::Unsupported;
  case lgc::ErrorKind::LimitExceeded:
    return ExitCode::LimitExceeded;
  case lgc::ErrorKind::Internal:
    break;
  }
  return ExitCode::Internal;
}

namespace {

/// The rows as the parser takes them. Of those without effect each name is an option of its own,
/// which is noted.
std::vector<cli::Option> optionsOf(Options &options) {
  std::vector<cli::Option> all;
  for (const OptionGroup &group : optionGroups())
    for (const OptionRow &row : group.rows) {
      if (!row.ignored) {
        all.push_back({row.names, [&](StringRef value) { return row.apply(options, value); },
                       row.value, row.joined});
        continue;
      }
      llvm::SmallVector<StringRef, 32> names;
      row.names.split(names, '|');
      for (StringRef name : names)
        all.push_back({name,
                       [&options, name](StringRef) {
                         options.ignored.push_back(name.str());
                         return llvm::Error::success();
                       },
                       row.value});
    }
  return all;
}

void appendWrapped(llvm::raw_ostream &os, StringRef text, unsigned indent, unsigned width) {
  unsigned column = indent;
  llvm::SmallVector<StringRef, 32> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    if (column + word.size() > width && column > indent) {
      os << '\n';
      os.indent(indent);
      column = indent;
    }
    os << (column > indent ? " " : "") << word;
    column += word.size() + 1;
  }
  os << '\n';
}

void appendRow(llvm::raw_ostream &os, const OptionRow &row) {
  constexpr unsigned column = 32;
  std::string left = "  ";
  llvm::SmallVector<StringRef, 4> names;
  row.names.split(names, '|');
  for (StringRef name : names)
    left += (left.size() > 2 ? ", -" : "-") + name.str();
  if (!row.value.empty())
    left += (names.back().size() == 1 ? " " : "=") + row.value.str();
  os << left;
  if (left.size() + 2 > column) {
    os << '\n';
    os.indent(column);
  } else {
    os.indent(column - left.size());
  }
  appendWrapped(os, row.help, column, 100);
}

} // namespace

llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments) {
  Options options;
  KILN_TRY(cli::parse(arguments, optionsOf(options), &options.inputs));
  if (options.inputs.empty() && !options.help && !options.version)
    return lgc::invalidInput("no input; --help shows how to use amdllpc");
  if (options.relinkDemo && options.outputKind != llpc::OutputKind::Elf)
    return lgc::invalidInput(
        "option '-relink-demo' links code objects: -filetype=asm and -emit-... "
        "cannot be with it");
  if (wantsFacts(options) && options.outputKind != llpc::OutputKind::Elf)
    return lgc::invalidInput("option '-report' shows code objects: -filetype=asm and -emit-... "
                             "cannot be with it");
  if (options.run && options.report.empty())
    return lgc::invalidInput("option '-run' is about a report: -report=FILE.html");
  if (!options.limits.empty() && options.compare.empty())
    return lgc::invalidInput("option '-limit' is about a comparison: -compare=BEFORE.json");
  if (options.format == ReportFormat::Markdown && options.compare.empty())
    return lgc::invalidInput(
        "option '-format=markdown' is about a comparison: -compare=BEFORE.json");
  // Lines come from there; the code is the same.
  if (wantsFacts(options))
    options.glsl.debugInfo = true;
  return options;
}

std::string helpText() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "usage: amdllpc [OPTIONS] INPUT...\n\n"
        "Compiles Vulkan shaders and pipelines to AMDGPU code objects with PAL metadata.\n\n"
        "An INPUT is a file (.pipe .spv .spvasm .comp .vert .tesc .tese .geom .task .mesh .frag),\n"
        "a folder (all such files in it), FILE,ENTRY to choose an entry point, or - for standard\n"
        "input. Files of different graphics stages are one pipeline; a stage alone is compiled as "
        "a\n"
        "part of one. Options may be written with one or two dashes; a value follows after '=' or\n"
        "as the next argument. Flags take =false to turn them off.\n";
  for (const OptionGroup &group : optionGroups()) {
    os << '\n' << group.title << ":\n";
    for (const OptionRow &row : group.rows)
      appendRow(os, row);
  }
  os << "\nExit codes: 0 success, 1 invalid or unreadable input, 2 wrong command line, 3 "
        "unsupported,\n"
        "4 a limit is exceeded, 5 internal error, 6 worse than before (-compare); the largest one "
        "when inputs differ.\n";
  return text;
}

} // namespace amdllpc
