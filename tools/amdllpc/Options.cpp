//===- Options.cpp - amdllpc's command line -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "pal_shim/abi/TargetInfo.h"
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

/// What options of the analyzer want of each other.
llvm::Error checkAnalyzer(const Options &options) {
  const AnalyzerOptions &analyzer = options.analyzer;
  auto isWanted = [&](AnalyzerFile kind) { return !analyzer.files[size_t(kind)].empty(); };
  if ((analyzer.parseIsa || analyzer.lineNumbers) && !isWanted(AnalyzerFile::Assembly))
    return lgc::invalidInput("options '-parse-isa' and '-line-numbers' are about -isa=FILE");
  if (isWanted(AnalyzerFile::BlockGraph) && isWanted(AnalyzerFile::InstructionGraph))
    return lgc::invalidInput("options '-cfg' and '-cfg-i' exclude each other");
  return llvm::Error::success();
}

} // namespace

/// What options want of each other, and what follows from them.
static llvm::Error complete(Options &options) {
  const AnalyzerOptions &analyzer = options.analyzer;
  if (options.inputs.empty() && analyzer.shaders.empty() && !options.help && !options.version &&
      !analyzer.listTargets)
    return lgc::invalidInput("no input; --help shows how to use amdllpc");
  if (options.relinkDemo && options.outputKind != llpc::OutputKind::Elf)
    return lgc::invalidInput(
        "option '-relink-demo' links code objects: -filetype=asm and -emit-... "
        "cannot be with it");
  if (wantsFacts(options) && options.outputKind != llpc::OutputKind::Elf)
    return lgc::invalidInput("options '-report', '-isa' and their like show code objects: "
                             "-filetype=asm and -emit-... cannot be with them");
  KILN_TRY(checkAnalyzer(options));
  if (options.run && !wantsReport(options))
    return lgc::invalidInput(
        "option '-run' is about a report or a comparison: -report=FILE.html, -compare=BEFORE");
  if (!options.limits.empty() && !wantsComparison(options))
    return lgc::invalidInput("option '-limit' is about a comparison: -compare=BEFORE");
  if (options.format >= ReportFormat::Markdown && !wantsComparison(options))
    return lgc::invalidInput(
        "options '-format=markdown' and '-format=html' are about a comparison: -compare=BEFORE");
  if (options.format == ReportFormat::Json && wantsComparison(options))
    return lgc::invalidInput("option '-format=json' is not about a comparison, which is a table, "
                             "markdown or html");
  // Lines come from there; the code is the same.
  if (wantsFacts(options))
    options.glsl.debugInfo = true;
  if (!analyzer.mode.empty())
    options.verbose = false; // the analyzer shows which programs it starts: there are none
  if (!analyzer.mode.empty() && !options.targetsGiven) {
    options.targets.clear();
    for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
      options.targets.push_back(target.name.str());
  }
  return llvm::Error::success();
}

llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments) {
  Options options;
  KILN_TRY(cli::parse(arguments, optionsOf(options), &options.inputs));
  KILN_TRY(complete(options));
  return options;
}

llvm::Expected<Options> optionsBefore(const Options &options) {
  Options before = options;
  before.limits.clear();
  before.format = ReportFormat::Table;
  before.report.clear();
  before.output.clear();
  before.outputKindGiven = before.verbose = before.relinkDemo = false;
  before.dumpFolder.clear();
  before.analyzer.files = {};
  std::vector<const char *> arguments;
  for (const std::string &argument : options.compareOptions)
    arguments.push_back(argument.c_str());
  std::vector<std::string> files;
  KILN_TRY(cli::parse(arguments, optionsOf(before), &files));
  if (!files.empty() || before.help || before.version || wantsOutput(before) || before.verbose ||
      !before.report.empty() || wantsAnalyzerFiles(before))
    return lgc::invalidInput("option '-compare-options' takes options of compilation only");
  KILN_TRY(complete(before));
  return before;
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
  os << "\nExamples:\n"
        "  amdllpc blur.comp                              figures of its code for gfx1100\n"
        "  amdllpc -gfxip=gfx1030,gfx1201 -o out/ shaders  code objects of a folder\n"
        "  amdllpc -filetype=asm -g -o - a.vert a.frag     assembly of a pipeline with lines\n"
        "  amdllpc -report=blur.html -run blur.comp        a page about the code, executed\n"
        "  amdllpc -compare git:HEAD~1 shaders             what a commit did to the code\n"
        "  amdllpc -s vk-offline -c gfx1030 -isa isa.txt -livereg live.txt -frag a.glsl\n"
        "                                                  as Radeon GPU Analyzer is called\n";
  os << "\nExit codes: 0 success, 1 invalid or unreadable input, 2 wrong command line, 3 "
        "unsupported,\n"
        "4 a limit is exceeded, 5 internal error, 6 worse than before (-compare), 130 interrupted; "
        "the "
        "largest one when inputs differ.\n";
  return text;
}

} // namespace amdllpc
