//===- BenchOptions.cpp - kiln-bench's command line -----------------------===//
// SPDX-License-Identifier: MIT
#include "BenchOptions.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"

using namespace llvm;

namespace bench {

Error parseOptions(ArrayRef<const char *> arguments, Options &options, bool &help) {
  /// A flag that means others, too.
  auto all = [&options](std::initializer_list<bool Options::*> flags) -> cli::Set {
    return [&options, list = std::vector(flags)](StringRef value) -> Error {
      bool isOn = false;
      KILN_TRY(cli::setFlag(isOn, value));
      for (bool Options::*flag : list)
        options.*flag |= isOn;
      return Error::success();
    };
  };
  auto setRounds = [&](StringRef value) -> Error {
    KILN_TRY(cli::setNumber(options.rounds, value));
    options.cacheRounds = options.rounds;
    return Error::success();
  };
  auto noPeer = [&](StringRef value) -> Error {
    bool isAlone = false;
    KILN_TRY(cli::setFlag(isAlone, value));
    options.peer = !isAlone;
    return Error::success();
  };
  const cli::Option table[] = {
      {"h|help", &help},
      {"radv-server", &options.radvServer},
      {"quiet", &options.quiet},
      {"device", &options.device},
      {"graphics", &options.graphics},
      {"culling", all({&Options::graphics, &Options::culling})},
      {"link", &options.links},
      {"reflect", &options.reflect},
      {"scale", &options.scale},
      {"matrices", &options.matrices},
      {"pipelines", &options.pipelines},
      {"busy", &options.busy},
      {"caches", &options.caches},
      {"check", all({&Options::pipelines, &Options::check})},
      {"hits", all({&Options::pipelines, &Options::check, &Options::hitsOnly})},
      {"shaders", &options.perShader},
      {"no-peer", noPeer},
      {"seed", &options.seed},
      {"corpus", &options.corpus},
      {"work", &options.work},
      {"target", &options.target},
      {"family", &options.family},
      {"opt", &options.opt},
      {"tier", &options.tier},
      {"rounds", setRounds, "N"},
      {"memory-compiles", &options.memoryCompiles}};
  return cli::parse(arguments, table, nullptr);
}

void printUsage(raw_ostream &os) {
  os << "usage: kiln-bench [--rounds=N] [--target=gfxNNNN] [--family=navi31] "
        "[--opt=none|quick|default|fast] [--tier=llvm|direct]\n"
        "                  [--memory-compiles=N] [--no-peer] [--shaders] [--corpus=DIR] "
        "[--work=DIR]\n"
        "       kiln-bench --graphics [--culling] ...   graphics pipelines of the corpus\n"
        "       kiln-bench --link ...   links of separately compiled parts\n"
        "       kiln-bench --reflect [--rounds=N] [--shaders]   what modules use\n"
        "       kiln-bench --scale [--rounds=N] [--tier=direct]   time and memory against the "
        "length "
        "of shaders\n"
        "       kiln-bench --matrices ...   code of shaders of machine learning, and of a step of "
        "matrix products\n"
        "       kiln-bench --pipelines [--seed=N] ...   creation of captured pipelines\n"
        "       kiln-bench --check ...   of that only what is the same on every machine; the "
        "exit code judges it\n"
        "       kiln-bench --hits ...   of that only hit rates\n"
        "       kiln-bench --busy [--rounds=N] ...   creation while other processes compute\n"
        "       kiln-bench --caches [--rounds=N] ...   hits in caches, binaries, keys, fast "
        "links; "
        "the exit code judges sizes\n"
        "       kiln-bench --device [--rounds=N]   speed of the software device\n"
        "  --quiet   does not show how far it has come\n"
        "After Ctrl-C the figures are those of what was measured; the exit code is 130 then.\n"
        "\nExamples:\n"
        "  kiln-bench --rounds=5 --target=gfx1201 --family=gfx1201\n"
        "  kiln-bench --graphics --tier=direct --no-peer\n"
        "  kiln-bench --pipelines --rounds=3\n"
        "  kiln-bench --corpus=my-shaders --shaders\n";
}

} // namespace bench
