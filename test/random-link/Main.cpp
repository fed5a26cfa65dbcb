//===- Main.cpp - random parts under random layouts -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-random-link [--target=NAME,...] [--seed=N] [--modules=N] [--draws=N] [--layouts=N]
///                      [--whole=N] [--seconds=N] [--show] [--direct]
///
/// Makes random compute shaders (--modules) and pairs of vertex and fragment shaders (--draws),
/// compiles each as relocatable parts, and for each of several random application layouts links the
/// parts and, for every --whole-th layout, compiles the whole pipeline; all of it runs on the
/// software device. Buffers and colour targets must hold what the host computes. A difference
/// prints the seed that repeats it (with --modules=1 or --draws=1), with --show also code and
/// layouts. Exit code 1 then, and when a long run has met no large root or no spill table.
/// --direct: code is the direct tier's; exit code 1, too, when it refuses more than one module in
/// twenty.
#include "Case.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/abi/Verify.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace llvm;
using namespace randomlink;

namespace {

struct Options {
  std::vector<std::string> targets = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"};
  uint64_t seed = 1, modules = 0, draws = 0, layouts = 12, whole = 1, seconds = 0;
  bool show = false, direct = false;

  lgc::Tier tier() const { return direct ? lgc::Tier::Direct : lgc::Tier::Llvm; }
};

Error parseOptions(ArrayRef<const char *> arguments, Options &options) {
  auto setTargets = [&](StringRef value) { return cli::setList(options.targets, value); };
  const cli::Option table[] = {{"target", setTargets, "NAME,..."}, {"show", &options.show},
                               {"direct", &options.direct},        {"seed", &options.seed},
                               {"modules", &options.modules},      {"draws", &options.draws},
                               {"layouts", &options.layouts},      {"whole", &options.whole},
                               {"seconds", &options.seconds}};
  KILN_TRY(cli::parse(arguments, table, nullptr));
  return options.whole ? Error::success() : lgc::invalidInput("option '--whole' is 0");
}

struct Totals {
  uint64_t modules = 0, cases = 0, whole = 0, wrong = 0;
  uint64_t above16 = 0, above32 = 0;       ///< cases with more root dwords
  uint64_t spilled = 0;                    ///< cases whose parts read the spill table
  std::map<std::string, uint64_t> refused; ///< links, by message
  double linkSeconds = 0;
};

void printLayout(const lgc::ResourceMapping &mapping) {
  for (const lgc::ResourceNode &root : mapping.roots) {
    outs() << formatv("  {0} dword {1} x {2}, set {3} binding {4}\n",
                      lgc::resourceNodeTypeName(root.type), root.offsetInDwords, root.sizeInDwords,
                      root.set, root.binding);
    for (const lgc::ResourceNode &node : root.table)
      outs() << formatv("    {0} dword {1} x {2}, set {3} binding {4}\n",
                        lgc::resourceNodeTypeName(node.type), node.offsetInDwords,
                        node.sizeInDwords, node.set, node.binding);
  }
}

/// One target, with everything that is kept from case to case.
class Tester {
public:
  Tester(const std::string &target, const Options &options, Totals &totals)
      : target(target), options(options), totals(totals),
        quick(target, lgc::OptLevel::Quick, options.tier()),
        thorough(target, lgc::OptLevel::Default, options.tier()) {}

  Error start() {
    Expected<std::unique_ptr<Executor>> made = Executor::create(target);
    if (!made)
      return made.takeError();
    executor = std::move(*made);
    return Error::success();
  }

  void test(uint64_t seed, bool draws);
  /// Adds what the direct tier has made, and what not.
  void countDirect(uint64_t &made, std::map<std::string, uint64_t> &refused) const {
    for (const Compiler *compiler : {&quick, &thorough}) {
      made += compiler->direct;
      for (const auto &[reason, count] : compiler->refused)
        refused[reason] += count;
    }
  }

private:
  std::string target;
  const Options &options;
  Totals &totals;
  Compiler quick, thorough;
  std::unique_ptr<Executor> executor;

  Error testLayouts(Case &subject, Random &random, lgc::ResourceMapping &layout);
  Error testLayout(Case &subject, const lgc::ResourceMapping &layout, bool compilesWhole);
  Error check(const char *what, const Bytes &elf, Case &subject,
              const lgc::ResourceMapping &layout);
};

Error Tester::check(const char *what, const Bytes &elf, Case &subject,
                    const lgc::ResourceMapping &layout) {
  for (const pal::abi::Violation &violation :
       pal::abi::verifyCodeObject(elf, pal::abi::findTarget(target)))
    return lgc::internalError(Twine(what) + " breaks rule " + violation.rule + ": " +
                              violation.message);
  Expected<Result> result = executor->run(elf, subject.module, layout);
  if (!result)
    return joinErrors(lgc::internalError(what), result.takeError());
  std::string difference = describeDifference(subject.module, *result, subject.expected);
  if (difference.empty())
    return Error::success();
  return lgc::internalError(Twine(what) + ": " + difference);
}

Error Tester::testLayout(Case &subject, const lgc::ResourceMapping &layout, bool compilesWhole) {
  lgc::LinkLayout linkLayout(layout);
  const auto start = std::chrono::steady_clock::now();
  Expected<Bytes> linked = subject.link(linkLayout);
  totals.linkSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!linked) {
    lgc::ErrorText error = lgc::consumeToText(linked.takeError());
    if (error.kind != lgc::ErrorKind::LimitExceeded)
      return lgc::internalError("link: " + error.message);
    ++totals.refused[error.message];
    return Error::success();
  }
  if (Error error = check("linked", *linked, subject, layout))
    return error;
  if (!compilesWhole)
    return Error::success();
  ++totals.whole;
  Expected<Bytes> whole = subject.compileMonolithic(layout);
  if (!whole)
    return whole.takeError();
  return check("whole", *whole, subject, layout);
}

Error Tester::testLayouts(Case &subject, Random &random, lgc::ResourceMapping &layout) {
  if (Error error = subject.compileParts(random))
    return error;
  for (uint64_t i = 0; i < options.layouts; ++i) {
    do
      layout = makeApplicationLayout(subject.module, random);
    while (rootDwords(layout) > pal::abi::userdata::maxEntries);
    ++totals.cases;
    totals.above16 += rootDwords(layout) > 16;
    totals.above32 += rootDwords(layout) > 32;
    totals.spilled += subject.readsSpillTable();
    if (Error error = testLayout(subject, layout, i % options.whole == 0))
      return error;
  }
  return Error::success();
}

void Tester::test(uint64_t seed, bool draws) {
  Random random(seed);
  RandomModule module = makeModule(random, draws);
  Compiler &compiler = chance(random, 25) ? thorough : quick;
  Case subject(std::move(module), compiler);
  lgc::ResourceMapping layout;
  ++totals.modules;
  Error error = testLayouts(subject, random, layout);
  if (!error)
    return;
  ++totals.wrong;
  outs() << target << (draws ? " --draws=1" : " --modules=1") << " --seed=" << seed << ": "
         << lgc::consumeToText(std::move(error)).message << "\n";
  if (!options.show)
    return;
  outs() << subject.text() << "application:\n";
  printLayout(layout);
}

/// Has a run of some length met what it is for?
bool coversEnough(const Totals &totals) {
  constexpr uint64_t longRun = 300; // cases
  if (totals.cases < longRun || (totals.above16 && totals.above32 && totals.spilled))
    return true;
  outs() << "no large root or no spill table: this run proves too little\n";
  return false;
}

/// Has the direct tier made what it was to make?
bool isDirectEnough(ArrayRef<std::unique_ptr<Tester>> testers) {
  uint64_t made = 0, refusals = 0;
  std::map<std::string, uint64_t> refused;
  for (const std::unique_ptr<Tester> &tester : testers)
    tester->countDirect(made, refused);
  for (const auto &[reason, count] : refused) {
    outs() << formatv("  direct tier refused {0} x {1}\n", count, reason);
    refusals += count;
  }
  outs() << formatv("  direct tier made {0}\n", made);
  return made >= 19 * refusals && made;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (Error error = parseOptions(cli::argumentsOf(argc, argv), options)) {
    errs() << "kiln-random-link: " << lgc::consumeToText(std::move(error)).message << "\n";
    return 2;
  }
  Totals totals;
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<std::unique_ptr<Tester>> testers;
  for (const std::string &target : options.targets) {
    testers.push_back(std::make_unique<Tester>(target, options, totals));
    if (Error error = testers.back()->start()) {
      errs() << target << ": " << toString(std::move(error)) << "\n";
      return 2;
    }
  }
  for (uint64_t i = 0; i < std::max(options.modules, options.draws); ++i) {
    if (options.seconds && seconds() > double(options.seconds))
      break;
    Tester &tester = *testers[(options.seed + i) % testers.size()];
    if (i < options.modules)
      tester.test(options.seed + i, /*draws=*/false);
    if (i < options.draws)
      tester.test(options.seed + i, /*draws=*/true);
  }
  outs() << formatv(
      "from seed {0}: {1} modules, {2} layouts ({3} with more than 16 root dwords, {4} "
      "with more than 32, {5} with a spill table), {6} compiled monolithically, {7} wrong; "
      "{8:f1} us a link; {9:f1} s\n",
      options.seed, totals.modules, totals.cases, totals.above16, totals.above32, totals.spilled,
      totals.whole, totals.wrong,
      totals.linkSeconds * 1e6 / double(std::max<uint64_t>(totals.cases, 1)), seconds());
  for (auto &[message, count] : totals.refused)
    outs() << formatv("  {0} x {1}\n", count, message);
  const bool isDirect = !options.direct || isDirectEnough(testers);
  return totals.wrong || !coversEnough(totals) || !isDirect ? 1 : 0;
}
