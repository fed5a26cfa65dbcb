//===- Options.cpp - amdllpc's command line -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
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

llvm::Error setFlag(bool &flag, StringRef value) {
  if (value.empty() || value == "true" || value == "1" || value == "on")
    flag = true;
  else if (value == "false" || value == "0" || value == "off")
    flag = false;
  else
    return lgc::invalidInput("'" + value + "' is neither true nor false");
  return llvm::Error::success();
}

llvm::Error setNumber(uint32_t &number, StringRef value) {
  if (value.getAsInteger(0, number))
    return lgc::invalidInput("'" + value + "' is no number");
  return llvm::Error::success();
}

namespace {

bool isNamed(const OptionRow &row, StringRef name) {
  llvm::SmallVector<StringRef, 4> names;
  row.names.split(names, '|');
  return llvm::is_contained(names, name);
}

const OptionRow *findOption(StringRef name) {
  for (const OptionGroup &group : optionGroups())
    for (const OptionRow &row : group.rows)
      if (isNamed(row, name))
        return &row;
  return nullptr;
}

/// An option whose value is glued to its one-letter name: -j4, -DNAME=1, -Idir.
const OptionRow *findJoined(StringRef text) {
  const OptionRow *row = findOption(text.take_front(1));
  if (!row || !row->joined || text.size() < 2)
    return nullptr;
  // "-junk" is a mistyped option, not a number of jobs.
  return text[0] != 'j' || llvm::isDigit(text[1]) ? row : nullptr;
}

std::string nearestOption(StringRef name) {
  std::string best;
  unsigned bestDistance = std::max<unsigned>(2, name.size() / 3) + 1;
  for (const OptionGroup &group : optionGroups())
    for (const OptionRow &row : group.rows) {
      llvm::SmallVector<StringRef, 4> names;
      row.names.split(names, '|');
      for (StringRef candidate : names) {
        unsigned distance = name.edit_distance(candidate, true, bestDistance);
        if (candidate.size() > 1 && distance < bestDistance) {
          bestDistance = distance;
          best = candidate.str();
        }
      }
    }
  return best;
}

llvm::Error unknownOption(StringRef text, StringRef name) {
  std::string nearest = nearestOption(name);
  if (nearest.empty())
    return lgc::invalidInput("unknown option '" + text + "'; --help lists the options");
  return lgc::invalidInput("unknown option '" + text + "'; did you mean '-" + nearest + "'?");
}

/// Handles arguments[at] (an option) and moves `at` behind it and its value.
llvm::Error parseOption(Options &options, llvm::ArrayRef<const char *> arguments, size_t &at) {
  StringRef text = arguments[at++];
  StringRef body = text.drop_front(text.starts_with("--") ? 2 : 1);
  auto [name, value] = body.split('=');
  bool hasValue = body.contains('=');
  const OptionRow *row = findOption(name);
  if (!row) {
    row = findJoined(body);
    if (!row)
      return unknownOption(text, name);
    name = body.take_front(1);
    value = body.drop_front(1);
    hasValue = true;
  }
  if (!row->value.empty() && !hasValue) {
    if (at == arguments.size())
      return lgc::invalidInput("option '" + text + "' needs a value: " + row->value);
    value = arguments[at++];
  }
  if (row->ignored)
    options.ignored.push_back(name.str());
  if (llvm::Error error = row->apply(options, value))
    return lgc::invalidInput("option '-" + name +
                             "': " + lgc::consumeToText(std::move(error)).message);
  return llvm::Error::success();
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
  bool optionsEnded = false;
  for (size_t at = 0; at < arguments.size();) {
    StringRef text = arguments[at];
    if (optionsEnded || !text.starts_with("-") || text == "-" || text.starts_with("-,")) {
      options.inputs.push_back(text.str());
      ++at;
    } else if (text == "--") {
      optionsEnded = true;
      ++at;
    } else if (llvm::Error error = parseOption(options, arguments, at)) {
      return error;
    }
  }
  if (options.inputs.empty() && !options.help && !options.version)
    return lgc::invalidInput("no input; --help shows how to use amdllpc");
  if (options.relinkDemo && options.outputKind != llpc::OutputKind::Elf)
    return lgc::invalidInput(
        "option '-relink-demo' links code objects: -filetype=asm and -emit-... "
        "cannot be with it");
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
        "4 a limit is exceeded, 5 internal error; the largest one when inputs differ.\n";
  return text;
}

} // namespace amdllpc
