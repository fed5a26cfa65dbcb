//===- Main.cpp - kiln-cache ----------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The driver's cache on disk; docs/recipes.md.
#include "Commands.h"
#include "icd_glue/Environment.h"
#include "icd_glue/ProcessEnvironment.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

constexpr StringLiteral help = R"(usage: kiln-cache COMMAND [OPTIONS] [NAME...]

  list                   builds of the driver that code is there for, and programs with recipes
  verify                 read everything; exit code 1 if something is damaged
  prune                  remove code and recipes that nobody has used for --older-than days
  export PROGRAM FOLDER  a program's recipes as .pipe files with their SPIR-V (amdllpc compiles them)
  import PROGRAM FOLDER  recipes of such a folder
  warm [PROGRAM...]      have the driver that the Vulkan loader finds compile recipes, if its build
                         has not done so before; without a name those of all programs

  --dir=FOLDER           the cache's folder; else what KILN_CACHE_DIR and the like say
  --older-than=DAYS      of prune; default 0: everything
  -j N                   of warm: threads; default 2
  --devices=LIST         of warm: GPUs, as KILN_DEVICES has them; default gfx1100
  -q, --quiet            of warm: no progress

Examples:
  kiln-cache list
  kiln-cache prune --older-than=30
  kiln-cache export game.exe pipelines
  kiln-cache warm -j4 game.exe
)";

struct Command {
  StringRef name;
  Error (*run)(const kilncache::Options &options);
  bool takesNames;
};
constexpr Command commands[] = {
    {"list", kilncache::list, false},           {"verify", kilncache::verify, false},
    {"prune", kilncache::prune, false},         {"export", kilncache::exportRecipes, true},
    {"import", kilncache::importRecipes, true}, {"warm", kilncache::warm, true},
};

/// The folder that the driver would use.
Expected<std::string> usualFolder() {
  auto environment = KILN_TRY(icd::Environment::read(icd::processEnvironment));
  if (environment.disk.folder.empty())
    return lgc::invalidInput("there is no home for a cache; --dir names one");
  return environment.disk.folder;
}

Error run(ArrayRef<const char *> arguments) {
  kilncache::Options options;
  bool wantsHelp = false;
  const cli::Option table[] = {{"dir", &options.folder},
                               {"older-than", &options.olderThanDays},
                               {"j", &options.workers, {}, /*isJoined=*/true},
                               {"devices", &options.devices},
                               {"q|quiet", &options.isQuiet},
                               {"h|help", &wantsHelp}};
  KILN_TRY(cli::parse(arguments, table, &options.arguments));
  if (wantsHelp) {
    outs() << help;
    return Error::success();
  }
  if (options.arguments.empty())
    return lgc::invalidInput("no command; --help lists them");
  const std::string name = options.arguments.front();
  options.arguments.erase(options.arguments.begin());
  const auto *command = find_if(commands, [&](const Command &one) { return one.name == name; });
  if (command == std::end(commands))
    return lgc::invalidInput("no command '" + name + "'; --help lists them");
  if (!command->takesNames && !options.arguments.empty())
    return lgc::invalidInput(name + ": '" + options.arguments.front() + "' is too much");
  if (options.workers == 0)
    return lgc::invalidInput("-j 0: at least one thread is needed");
  if (options.folder.empty())
    options.folder = KILN_TRY(usualFolder());
  if (!sys::fs::is_directory(options.folder))
    return lgc::invalidInput("there is no folder " + options.folder);
  return command->run(options);
}

} // namespace

int main(int count, char **arguments) {
  if (cli::printVersion("kiln-cache", cli::argumentsOf(count, arguments)))
    return 0;
  Error error = run(cli::argumentsOf(count, arguments));
  if (!error)
    return 0;
  outs().flush();
  errs() << "kiln-cache: error: " << lgc::consumeToText(std::move(error)).message << '\n';
  return 1;
}
