//===- Options.cpp - command line of kiln-pcc -----------------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace pcc {

const char *const usage =
    "usage: kiln-pcc --path DIR --out FILE [OPTIONS]\n"
    "       kiln-pcc info|verify|merge|strip|extract ...     works on caches; see its --help\n"
    "Compiles every pipeline (*.json) of a folder for Vulkan SC into one pipeline cache.\n"
    "  --path DIR           JSON and SPIR-V of the pipelines\n"
    "  --out FILE           the cache; with several chips FILE gets the chip in front of its "
    "suffix\n"
    "  --log FILE           messages, instead of standard error\n"
    "  --prefix STR         only JSON files whose names begin so\n"
    "  --chip NAME[,NAME]   target, gfx1100 if nothing is said; --list-architectures names all\n"
    "  --device ID          the target with this PCI device id (0x744c)\n"
    "  --debug              puts JSON and SPIR-V into the cache, for validation layers\n"
    "  -j N, --jobs N       threads\n"
    "  --incremental        takes pipelines that have not changed out of the old FILE\n"
    "  --depfile FILE       what the cache was made of, for make and ninja\n"
    "  --report FILE        registers, occupancy, code and pool sizes, as .json or .html\n"
    "  --diagnostics=json   errors and warnings as lines of JSON\n"
    "  --manifest COMPILER  prints a manifest for VulkanSCPccDiscovery; COMPILER is this program's "
    "path\n"
    "  --quiet              no progress and no summary\n"
    "The exit code is 0 only when all pipelines are in the cache; else those without errors are, "
    "if "
    "there are any.\n";

namespace {

struct TextOption {
  StringRef name;
  std::string Options::*place;
};
constexpr TextOption textOptions[] = {
    {"path", &Options::path},     {"out", &Options::out},           {"log", &Options::log},
    {"prefix", &Options::prefix}, {"device", &Options::device},     {"depfile", &Options::depfile},
    {"report", &Options::report}, {"manifest", &Options::manifest},
};

struct FlagOption {
  StringRef name;
  bool Options::*place;
};
constexpr FlagOption flagOptions[] = {
    {"debug", &Options::debug}, {"incremental", &Options::incremental},
    {"quiet", &Options::quiet}, {"list-architectures", &Options::listArchitectures},
    {"help", &Options::help},   {"h", &Options::help},
};

using Set = bool (*)(Options &options, StringRef value);
struct ValueOption {
  StringRef name;
  Set set;
};

bool setChips(Options &options, StringRef value) {
  llvm::SmallVector<StringRef, 8> names;
  value.split(names, ',', -1, /*KeepEmpty=*/false);
  options.chips.clear();
  for (StringRef name : names)
    if (!llvm::is_contained(options.chips, name))
      options.chips.push_back(name.trim().str());
  return !options.chips.empty();
}

bool setJobs(Options &options, StringRef value) {
  return llvm::to_integer(value, options.jobs, 10) && options.jobs > 0 && options.jobs <= 1024;
}

bool setDiagnostics(Options &options, StringRef value) {
  options.diagnostics = value == "json" ? Diagnostics::Json : Diagnostics::Text;
  return value == "json" || value == "text";
}

constexpr ValueOption valueOptions[] = {
    {"chip", setChips}, {"j", setJobs}, {"jobs", setJobs}, {"diagnostics", setDiagnostics}};

template <typename Row> const Row *findRow(llvm::ArrayRef<Row> rows, StringRef name) {
  const Row *row = llvm::find_if(rows, [&](const Row &r) { return r.name == name; });
  return row == rows.end() ? nullptr : row;
}

class Parser {
public:
  Parser(llvm::ArrayRef<const char *> arguments, Options &options)
      : rest(arguments), options(options) {}

  llvm::Error parse() {
    llvm::Error errors = llvm::Error::success();
    while (!rest.empty())
      errors = llvm::joinErrors(std::move(errors), parseOne());
    if (errors || options.help || options.listArchitectures || !options.manifest.empty())
      return errors;
    if (options.path.empty() || options.out.empty())
      return lgc::invalidInput("--path and --out are needed");
    if (!options.device.empty() && !options.chips.empty())
      return lgc::invalidInput("--chip and --device exclude one another");
    return llvm::Error::success();
  }

private:
  llvm::Error parseOne() {
    const StringRef whole = take();
    StringRef name = whole;
    if (!name.consume_front("-"))
      return lgc::invalidInput("unknown argument " + whole);
    name.consume_front("-");
    bool hasValue = name.contains('=');
    StringRef value;
    std::tie(name, value) = name.split('=');
    if (name.size() > 1 && name[0] == 'j' && llvm::all_of(name.drop_front(), llvm::isDigit)) {
      value = name.drop_front(); // -j4
      name = "j";
      hasValue = true;
    }
    if (const FlagOption *flag = findRow<FlagOption>(flagOptions, name)) {
      if (hasValue)
        return lgc::invalidInput(whole + ": takes no value");
      options.*flag->place = true;
      return llvm::Error::success();
    }
    const TextOption *text = findRow<TextOption>(textOptions, name);
    const ValueOption *other = findRow<ValueOption>(valueOptions, name);
    if (!text && !other)
      return lgc::invalidInput("unknown option " + whole);
    if (!hasValue) {
      if (rest.empty())
        return lgc::invalidInput(whole + " wants a value");
      value = take();
    }
    if (text)
      options.*text->place = value.str();
    else if (!other->set(options, value))
      return lgc::invalidInput(whole + ": not a value that it can have: " + value);
    return llvm::Error::success();
  }
  StringRef take() {
    const StringRef first = rest.front();
    rest = rest.drop_front();
    return first;
  }

  llvm::ArrayRef<const char *> rest;
  Options &options;
};

} // namespace

llvm::Error parseOptions(llvm::ArrayRef<const char *> arguments, Options &options) {
  return Parser(arguments, options).parse();
}

} // namespace pcc
