//===- Arguments.cpp - command lines of tools -----------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cli/Arguments.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::StringRef;

namespace cli {

std::string versionText(StringRef program) {
  return (program + " (Kiln " KILN_VERSION ", LLVM " LLVM_VERSION_STRING ")").str();
}

bool printVersion(StringRef program, llvm::ArrayRef<const char *> arguments) {
  StringRef first = arguments.empty() ? "" : arguments.front();
  if (!first.consume_front("-") || first.ltrim('-') != "version")
    return false;
  llvm::outs() << versionText(program) << '\n';
  return true;
}

bool printInformation(StringRef program, StringRef help, llvm::ArrayRef<const char *> arguments) {
  if (printVersion(program, arguments))
    return true;
  StringRef first = arguments.empty() ? "" : arguments.front();
  if (first != "--help" && first != "-help" && first != "-h")
    return false;
  llvm::outs() << help;
  return true;
}

Error setFlag(bool &flag, StringRef value) {
  if (value.empty() || value == "true" || value == "1" || value == "on")
    flag = true;
  else if (value == "false" || value == "0" || value == "off")
    flag = false;
  else
    return lgc::invalidInput("'" + value + "' is neither true nor false");
  return Error::success();
}

template <typename T> Error setNumber(T &number, StringRef value) {
  if (value.getAsInteger(0, number))
    return lgc::invalidInput("'" + value + "' is no number");
  return Error::success();
}
template Error setNumber(unsigned &number, StringRef value);
template Error setNumber(uint64_t &number, StringRef value);

Error setList(std::vector<std::string> &list, StringRef value) {
  llvm::SmallVector<StringRef, 8> parts;
  value.split(parts, ',', -1, /*KeepEmpty=*/false);
  if (parts.empty())
    return lgc::invalidInput("nothing is named");
  list.assign(parts.begin(), parts.end());
  return Error::success();
}

namespace {

llvm::SmallVector<StringRef, 4> namesOf(const Option &option) {
  llvm::SmallVector<StringRef, 4> names;
  option.names.split(names, '|');
  return names;
}

const Option *findOption(llvm::ArrayRef<Option> options, StringRef name) {
  const auto *found =
      llvm::find_if(options, [&](const Option &o) { return llvm::is_contained(namesOf(o), name); });
  return found == options.end() ? nullptr : found;
}

/// An option whose value follows its one-letter name: -j4, -DNAME=1, -Idir.
const Option *findJoined(llvm::ArrayRef<Option> options, StringRef text) {
  const Option *option = findOption(options, text.take_front(1));
  if (!option || !option->isJoined || text.size() < 2)
    return nullptr;
  // "-junk" is a mistyped option, not a number of jobs.
  return text[0] != 'j' || llvm::isDigit(text[1]) ? option : nullptr;
}

Error unknownOption(llvm::ArrayRef<Option> options, StringRef text, StringRef name) {
  StringRef best;
  unsigned bestDistance = std::max<unsigned>(2, name.size() / 3) + 1;
  for (const Option &option : options)
    for (StringRef candidate : namesOf(option)) {
      const unsigned distance = name.edit_distance(candidate, true, bestDistance);
      if (candidate.size() > 1 && distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
  if (best.empty())
    return lgc::invalidInput("unknown option '" + text + "'" +
                             (findOption(options, "help") ? "; --help lists the options" : ""));
  const StringRef dashes = text.starts_with("--") ? "--" : "-";
  return lgc::invalidInput("unknown option '" + text + "'; did you mean '" + dashes + best + "'?");
}

struct Store {
  StringRef value;

  Error operator()(bool *flag) const { return setFlag(*flag, value); }
  Error operator()(std::string *text) const {
    *text = value.str();
    return Error::success();
  }
  Error operator()(unsigned *number) const { return setNumber(*number, value); }
  Error operator()(uint64_t *number) const { return setNumber(*number, value); }
  Error operator()(const Set &set) const { return set(value); }
};

bool isFlag(const Option &option) {
  return std::holds_alternative<bool *>(option.place) ||
         (std::holds_alternative<Set>(option.place) && option.value.empty());
}

/// The flag for help, if one of \p arguments is it.
const Option *helpAmong(llvm::ArrayRef<const char *> arguments, llvm::ArrayRef<Option> options) {
  const Option *help = findOption(options, "help");
  for (StringRef argument : arguments) {
    if (!help || argument == "--") // files follow
      break;
    if (argument.consume_front("-") && findOption(options, argument.ltrim('-')) == help)
      return help;
  }
  return nullptr;
}

} // namespace

Error parseOne(llvm::ArrayRef<const char *> &arguments, llvm::ArrayRef<Option> options,
               std::vector<std::string> *files) {
  const StringRef text = arguments.front();
  arguments = arguments.drop_front();
  if (text == "--" && files) {
    files->insert(files->end(), arguments.begin(), arguments.end());
    arguments = {};
    return Error::success();
  }
  if (!text.starts_with("-") || text == "-" || text.starts_with("-,")) {
    if (!files)
      return lgc::invalidInput("unknown argument '" + text + "'");
    files->push_back(text.str());
    return Error::success();
  }
  const StringRef body = text.drop_front(text.starts_with("--") ? 2 : 1);
  auto [name, value] = body.split('=');
  bool hasValue = body.contains('=');
  const Option *option = findOption(options, name);
  if (!option) {
    option = findJoined(options, body);
    if (!option)
      return unknownOption(options, text, name);
    name = body.take_front(1);
    value = body.drop_front(1);
    hasValue = true;
  }
  if (!isFlag(*option) && !hasValue) {
    if (arguments.empty())
      return lgc::invalidInput("option '" + text + "' needs a value" +
                               (option->value.empty() ? "" : ": " + option->value));
    value = arguments.front();
    arguments = arguments.drop_front();
  }
  const StringRef dashes = text.starts_with("--") ? "--" : "-";
  if (Error error = std::visit(Store{value}, option->place))
    return lgc::invalidInput("option '" + dashes + name +
                             "': " + lgc::consumeToText(std::move(error)).message);
  return Error::success();
}

Error parse(llvm::ArrayRef<const char *> arguments, llvm::ArrayRef<Option> options,
            std::vector<std::string> *files) {
  llvm::ArrayRef<const char *> rest = arguments;
  while (!rest.empty())
    if (Error error = parseOne(rest, options, files)) {
      const Option *help = helpAmong(arguments, options);
      if (!help)
        return error;
      llvm::consumeError(std::move(error));
      return std::visit(Store{"true"}, help->place);
    }
  return Error::success();
}

} // namespace cli
