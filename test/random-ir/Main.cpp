//===- Main.cpp - random IR on the software device against the host ----------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-random-ir [--target=NAME,...] [--wave=32|64] [--seed=N] [--count=N] [--seconds=N]
///                    [--show] [--ir] [--trace] [--opcodes] [--perturb]
///                    [--direct] [--vgprs=N] [--sgprs=N]
///
/// Compiles random functions with LLVM for a GPU, runs them on the software device, and compares
/// what they store with what the host computes. A difference is reduced to the operations it needs
/// and printed with IR and assembly; the seed repeats it. Exit code 1 then. --ir only prints the
/// IR, for functions that crash the compiler; --opcodes counts what the device executed. --direct:
/// code of the direct tier; what it refuses is LLVM's, and counted; with at most so many registers.
#include "Program.h"
#include "Run.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <optional>
#include <set>

using namespace llvm;
using namespace randomir;

namespace {

struct Options {
  std::vector<std::string> targets = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};
  std::vector<unsigned> waves; ///< 32, 64, or both
  uint64_t seed = 1, count = 40, seconds = 0, vgprs = 0, sgprs = 0;
  bool opcodes = false, show = false, onlyIr = false, perturb = false, trace = false,
       direct = false;
};

Error parseOptions(ArrayRef<const char *> arguments, Options &options) {
  auto setTargets = [&](StringRef value) { return cli::setList(options.targets, value); };
  auto setWave = [&](StringRef value) {
    return cli::setNumber(options.waves.emplace_back(), value);
  };
  const cli::Option table[] = {
      {"target", setTargets, "NAME,..."}, {"wave", setWave, "32|64"},    {"seed", &options.seed},
      {"count", &options.count},          {"seconds", &options.seconds}, {"show", &options.show},
      {"opcodes", &options.opcodes},      {"ir", &options.onlyIr},       {"trace", &options.trace},
      {"perturb", &options.perturb},      {"direct", &options.direct},   {"vgprs", &options.vgprs},
      {"sgprs", &options.sgprs}};
  KILN_TRY(cli::parse(arguments, table, nullptr));
  if (options.waves.empty())
    options.waves = {32, 64};
  return Error::success();
}

struct Totals {
  uint64_t functions = 0, different = 0, notLoaded = 0;
  std::map<std::string, uint64_t> reasons;
};

/// The first output and lane that differ.
struct Difference {
  unsigned output, lane;
  uint64_t expected, actual;
};
std::optional<Difference> findDifference(const RandomFunction &function, const Inputs &inputs,
                                         const Machine &machine, const std::vector<Lanes> &actual) {
  std::vector<Lanes> expected = evaluate(function, inputs, machine);
  for (unsigned output = 0; output < expected.size(); ++output)
    for (unsigned lane = 0; lane < groupSize; ++lane)
      if (expected[output][lane] != actual[output][lane])
        return Difference{output, lane, expected[output][lane], actual[output][lane]};
  return std::nullopt;
}

/// Drops what the difference does not need: other outputs, then operations, whose uses take an
/// earlier value of the same type.
RandomFunction reduce(RandomFunction function, const Inputs &inputs, const Machine &machine,
                      Runner &runner) {
  auto stillDiffers = [&](const RandomFunction &candidate) {
    std::vector<Lanes> actual;
    Error error = runner.run(candidate, inputs, machine, actual);
    if (error) {
      consumeError(std::move(error));
      return false;
    }
    return findDifference(candidate, inputs, machine, actual).has_value();
  };
  for (unsigned output : function.outputs) {
    RandomFunction candidate = function;
    candidate.outputs = {output};
    if (stillDiffers(candidate)) {
      function = candidate;
      break;
    }
  }
  for (unsigned id = unsigned(function.nodes.size()); id-- > 0;) {
    const Node &node = function.nodes[id];
    if (node.kind != Node::Kind::Apply && node.kind != Node::Kind::Phi)
      continue;
    for (unsigned other = 0; other < id; ++other) {
      const Node &earlier = function.nodes[other];
      bool isInput = earlier.kind <= Node::Kind::Constant;
      if (earlier.type != node.type || !isInput)
        continue;
      RandomFunction candidate = function;
      for (unsigned user = id + 1; user < candidate.nodes.size(); ++user)
        std::replace(candidate.nodes[user].args.begin(), candidate.nodes[user].args.end(), id,
                     other);
      if (stillDiffers(candidate)) {
        function = candidate;
        break;
      }
    }
  }
  return function;
}

void describe(const RandomFunction &function, const Inputs &inputs, const Machine &machine,
              Runner &runner) {
  std::vector<Lanes> actual;
  if (Error error = runner.run(function, inputs, machine, actual)) {
    errs() << toString(std::move(error)) << "\n"
           << runner.irText(function, machine) << runner.assembly(function, machine);
    return;
  }
  std::set<unsigned> needed = neededNodes(function);
  std::optional<Difference> difference = findDifference(function, inputs, machine, actual);
  if (difference) {
    RandomFunction all = function;
    all.outputs.clear();
    for (unsigned id : needed)
      if (function.nodes[id].kind != Node::Kind::Begin &&
          function.nodes[id].kind != Node::Kind::End)
        all.outputs.push_back(id);
    std::vector<Lanes> values = evaluate(all, inputs, machine);
    for (unsigned i = 0; i < all.outputs.size(); ++i) {
      const Node &node = function.nodes[all.outputs[i]];
      errs() << "  %" << all.outputs[i] << " = "
             << (node.kind == Node::Kind::Apply ? allOps()[node.op].name : "input or phi");
      for (unsigned arg : node.args)
        errs() << " %" << arg;
      errs() << formatv(" imm {0:x}: {1} {2:x}\n", node.imm, nameOf(node.type),
                        values[i][difference->lane]);
    }
    errs() << formatv("  output %{0}, lane {1}: expected {2:x}, device {3:x}\n",
                      function.outputs[difference->output], difference->lane, difference->expected,
                      difference->actual);
  }
  errs() << runner.irText(function, machine) << runner.assembly(function, machine);
}

void check(uint64_t seed, const Machine &machine, Runner &runner, const Options &options,
           Totals &totals) {
  std::mt19937_64 random(seed);
  RandomFunction function = generate(seed, 8 + unsigned(random() % 33), machine);
  Inputs inputs = makeInputs(seed);
  std::string place = formatv("{0} wave{1} seed {2}{3}", machine.target, machine.lanes, seed,
                              machine.flushF32 ? " flush" : "");
  ++totals.functions;
  if (options.onlyIr) {
    outs() << runner.irText(function, machine);
    return;
  }
  std::vector<Lanes> actual;
  if (Error error = runner.run(function, inputs, machine, actual)) {
    std::string message = toString(std::move(error));
    ++totals.notLoaded;
    if (!totals.reasons[message]++)
      errs() << place << ": " << message << "\n";
    if (options.show)
      describe(function, inputs, machine, runner);
    return;
  }
  bool differs = findDifference(function, inputs, machine, actual).has_value();
  if (differs) {
    ++totals.different;
    errs() << place << ": the device differs from the host\n";
    if (totals.different <= 5)
      describe(reduce(function, inputs, machine, runner), inputs, machine, runner);
  } else if (options.show) {
    describe(function, inputs, machine, runner);
  }
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (Error error = parseOptions(cli::argumentsOf(argc, argv), options)) {
    errs() << "kiln-random-ir: " << lgc::consumeToText(std::move(error)).message << "\n";
    return 2;
  }
  Totals totals;
  auto start = std::chrono::steady_clock::now();
  auto isTimeUp = [&] {
    return options.seconds &&
           std::chrono::steady_clock::now() - start >= std::chrono::seconds(options.seconds);
  };
  Runner runner(options.perturb, options.trace);
  uint64_t last = options.seconds ? ~0ull : options.seed + options.count;
  for (uint64_t seed = options.seed; seed < last && !isTimeUp(); ++seed)
    for (const std::string &target : options.targets)
      for (unsigned lanes : options.waves) {
        Machine machine;
        machine.target = target;
        StringRef digits = StringRef(target).drop_front(3);
        unsigned version = 0;
        if (digits.getAsInteger(10, version) || version < 1000) {
          errs() << "no target " << target << "\n";
          return 2;
        }
        machine.major = version / 100;
        machine.minor = version / 10 % 10;
        machine.lanes = lanes;
        machine.flushF32 = seed % 4 == 3;
        machine.realTrue16 = machine.major >= 11 && seed % 3 == 1;
        machine.graphics = seed % 5 < 2;
        machine.direct = options.direct;
        machine.vgprLimit = static_cast<unsigned>(options.vgprs);
        machine.sgprLimit = static_cast<unsigned>(options.sgprs);
        machine.realTrue16 &= !options.direct;
        machine.level = seed % 7 == 0   ? lgc::OptLevel::Quick
                        : seed % 7 == 1 ? lgc::OptLevel::Fast
                                        : lgc::OptLevel::Default;
        check(seed, machine, runner, options, totals);
      }
  if (options.opcodes)
    for (auto &[key, count] : runner.opcodeCounts())
      outs() << key.first << " " << key.second << " " << count << "\n";
  outs() << totals.functions << " functions, " << totals.different << " differ, "
         << totals.notLoaded << " could not be run\n";
  for (auto &[reason, count] : runner.refusals())
    outs() << "  " << count << " left to LLVM: " << reason << "\n";
  for (auto &[message, count] : totals.reasons)
    outs() << "  " << count << " times: " << message << "\n";
  return totals.different || totals.notLoaded ? 1 : 0;
}
