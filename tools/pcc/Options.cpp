//===- Options.cpp - command line of kiln-pcc -----------------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/STLExtras.h"
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
    "there are any; 130 after Ctrl-C: those that were finished.\n"
    "\nExamples:\n"
    "  kiln-pcc --path pipelines --out app.bin\n"
    "  kiln-pcc --path pipelines --out app.bin --chip gfx1030,gfx1201 --report app.html\n"
    "  kiln-pcc --path pipelines --out app.bin --incremental --depfile app.d\n"
    "  kiln-pcc info app.bin\n";

namespace {

using Set = llvm::Error (*)(Options &options, StringRef value);

llvm::Error setChips(Options &options, StringRef value) {
  std::vector<std::string> names;
  KILN_TRY(cli::setList(names, value));
  options.chips.clear();
  for (StringRef name : names)
    if (!llvm::is_contained(options.chips, name.trim()))
      options.chips.push_back(name.trim().str());
  return llvm::Error::success();
}

llvm::Error setJobs(Options &options, StringRef value) {
  const bool isGood =
      llvm::to_integer(value, options.jobs, 10) && options.jobs > 0 && options.jobs <= 1024;
  return isGood ? llvm::Error::success()
                : lgc::invalidInput("'" + value + "' is no number of threads (1 to 1024)");
}

llvm::Error setDiagnostics(Options &options, StringRef value) {
  options.diagnostics = value == "json" ? Diagnostics::Json : Diagnostics::Text;
  return value == "json" || value == "text"
             ? llvm::Error::success()
             : lgc::invalidInput("'" + value + "' is none of json, text");
}

} // namespace

llvm::Error parseOptions(llvm::ArrayRef<const char *> arguments, Options &options) {
  auto with = [&](Set set) -> cli::Set {
    return [&options, set](StringRef value) { return set(options, value); };
  };
  const cli::Option table[] = {{"path", &options.path},
                               {"out", &options.out},
                               {"log", &options.log},
                               {"prefix", &options.prefix},
                               {"device", &options.device},
                               {"depfile", &options.depfile},
                               {"report", &options.report},
                               {"manifest", &options.manifest},
                               {"debug", &options.debug},
                               {"incremental", &options.incremental},
                               {"quiet", &options.quiet},
                               {"list-architectures", &options.listArchitectures},
                               {"h|help", &options.help},
                               {"chip", with(setChips), "NAME,..."},
                               {"j|jobs", with(setJobs), "N", /*isJoined=*/true},
                               {"diagnostics", with(setDiagnostics), "json|text"}};
  llvm::Error errors = llvm::Error::success();
  while (!arguments.empty())
    errors = llvm::joinErrors(std::move(errors), cli::parseOne(arguments, table, nullptr));
  if (options.help) {
    llvm::consumeError(std::move(errors)); // whoever asks for help is told of nothing else
    return llvm::Error::success();
  }
  if (errors || options.listArchitectures || !options.manifest.empty())
    return errors;
  if (options.path.empty() || options.out.empty())
    return lgc::invalidInput("--path and --out are needed");
  if (!options.device.empty() && !options.chips.empty())
    return lgc::invalidInput("--chip and --device exclude one another");
  return llvm::Error::success();
}

} // namespace pcc
