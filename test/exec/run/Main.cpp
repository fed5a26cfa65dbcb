//===- Main.cpp - kiln-exec: runs shaders through Vulkan ------------------===//
// SPDX-License-Identifier: MIT
#include "Runners.h"
#include "lgc/CompileError.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <cstdio>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace exec {
namespace {

constexpr const char *usage = R"(usage: kiln-exec COMMAND [OPTIONS] [FILE|FOLDER...]

  scripts    test files with their expectations (.comp, .spvasm, .draw, .rays)
  families   every value instruction over edge values; takes no files
  cases      folders of the shader corpus with a case.json
  sample     compute shaders (FILE[,ENTRY[,ID=VALUE...]], FILE: GLSL, .spvasm or .spv) with
             generated inputs: lavapipe writes results to --reference, others compare with them
  pairs      the stages of a draw with a generated scene, each as for sample: VERT+FRAG,
             VERT+GEOM+FRAG, VERT+GEOM+ (no fragment shader), VERT+TESC+TESE+FRAG, MESH+FRAG,
             TASK+MESH+FRAG (files of both are named so, also FILE.mesh.spv); 4x:VERT+FRAG:
             four samples, blended; pictures of differences go to --output
  captures   captured pipelines (docs/replay.md) with generated inputs and their own state, bit by
             bit what --record has written to --reference, or with --near what lavapipe has

  --device=TEXT      only devices whose name contains TEXT
  --filter=TEXT      only tests whose name contains TEXT
  --reference=DIR    lavapipe's results: written by lavapipe (which makes DIR), read by other drivers
  --record           this driver writes --reference, not lavapipe
  --recorded=FILE    of scripts: compares with another GPU's results, too; with --record writes them
  --exact            all bits count in comparisons with --reference
  --near             of captures: --reference is lavapipe's, which rounds otherwise
  --output=DIR       pictures of differences
  --control-defects=FILE  what lavapipe is known to do wrong: said, but no failure
  --captures=DIR     of scripts: ray tracing pipelines as captures, for kiln-replay
  --modules=DIR      of scripts: where the SPIR-V files of sections [STAGE file NAME] are
  --seed=N           of generated inputs
  --part=K/N         of families: every Nth module, from the Kth on
  --validation       with VK_LAYER_KHRONOS_validation; any message is a failure
  --verbose          a line for each test
  --quiet            does not show how far it has come

Examples:
  kiln-exec scripts --filter=atomic test/exec/scripts
  kiln-exec sample --reference=results examples/blur.comp
  kiln-exec pairs --reference=results examples/trefoil.vert+examples/trefoil.frag

Drivers are found by the Vulkan loader: set VK_DRIVER_FILES to choose one.
)";

Error parseArguments(llvm::ArrayRef<const char *> arguments, RunOptions &options) {
  auto setPart = [&](StringRef value) {
    auto [part, parts] = value.split('/');
    const bool isGood = !part.getAsInteger(10, options.part) &&
                        !parts.getAsInteger(10, options.parts) && options.part < options.parts;
    return isGood ? Error::success() : failure("'" + value + "' is not of the form K/N");
  };
  const cli::Option table[] = {{"device", &options.device},
                               {"filter", &options.filter},
                               {"reference", &options.referenceFolder},
                               {"recorded", &options.recorded},
                               {"output", &options.output},
                               {"control-defects", &options.controlDefects},
                               {"captures", &options.captures},
                               {"modules", &options.modules},
                               {"verbose", &options.verbose},
                               {"validation", &options.validation},
                               {"quiet", &options.quiet},
                               {"record", &options.record},
                               {"exact", &options.exact},
                               {"near", &options.near},
                               {"seed", &options.seed},
                               {"part", setPart, "K/N"}};
  if (arguments.empty())
    return failure("no command");
  options.command = arguments.front();
  return cli::parse(arguments.drop_front(), table, &options.inputs);
}

using Runner = void (*)(Session &, Report &, const RunOptions &);
constexpr struct {
  const char *command;
  Runner run;
} runners[] = {{"scripts", runScripts}, {"families", runFamilies}, {"cases", runCorpusCases},
               {"sample", runSamples},  {"pairs", runPairs},       {"captures", runCaptures}};

/// Makes the folder of --reference for who writes to it. False, with a message: there is none.
bool makeReferenceFolder(const PhysicalDevice &physical, const RunOptions &options) {
  if (options.referenceFolder.empty() || (!physical.isCpuReference() && !options.record))
    return true;
  const std::error_code code = llvm::sys::fs::create_directories(options.referenceFolder);
  if (code)
    std::printf("kiln-exec: %s: %s\n", options.referenceFolder.c_str(), code.message().c_str());
  return !code;
}

int runAll(Instance &instance, const RunOptions &options, Runner run) {
  bool isGreen = true;
  unsigned devices = 0;
  for (const PhysicalDevice &physical : instance.devices()) {
    Session session(instance, physical);
    if (session.name().find(options.device) == std::string::npos)
      continue;
    ++devices;
    if (!makeReferenceFolder(physical, options))
      return 2;
    ControlDefects defects;
    if (physical.isCpuReference()) {
      Expected<ControlDefects> loaded =
          ControlDefects::load(options.controlDefects, controlHost(session.subgroupSize()));
      if (!loaded) {
        std::printf("kiln-exec: %s\n", llvm::toString(loaded.takeError()).c_str());
        return 2;
      }
      defects = std::move(*loaded);
    }
    Report report(session.name(), options.verbose, std::move(defects));
    run(session, report, options);
    report.summary();
    isGreen &= report.isGreen();
    if (cli::isInterrupted())
      return cli::interruptedExitCode;
  }
  if (devices == 0)
    std::printf("kiln-exec: no device%s%s\n", options.device.empty() ? "" : " named ",
                options.device.c_str());
  return isGreen && devices > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (cli::printInformation("kiln-exec", usage, cli::argumentsOf(argc, argv)))
    return 0;
  // A driver that crashes must not take the lines before with it.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  RunOptions options;
  Runner run = nullptr;
  if (Error error = parseArguments(cli::argumentsOf(argc, argv), options)) {
    std::fprintf(stderr, "kiln-exec: %s\n%s", lgc::consumeToText(std::move(error)).message.c_str(),
                 usage);
    return 2;
  }
  if (options.command == "instructions")
    return listInstructions(options);
  for (const auto &row : runners)
    if (options.command == row.command)
      run = row.run;
  if (!run) {
    std::fprintf(stderr, "kiln-exec: unknown command '%s'\n%s", options.command.c_str(), usage);
    return 2;
  }
  Expected<std::unique_ptr<Instance>> instance = Instance::create(options.validation);
  if (!instance) {
    std::fprintf(stderr, "kiln-exec: %s\n", llvm::toString(instance.takeError()).c_str());
    return 1;
  }
  cli::catchInterrupts();
  int result = runAll(**instance, options, run);
  for (const std::string &message : (*instance)->messages()) {
    std::printf("VALIDATION %s\n", message.c_str());
    result = 1;
  }
  return result;
}

} // namespace
} // namespace exec

int main(int argc, char **argv) { return exec::main(argc, argv); }
