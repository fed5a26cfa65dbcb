//===- Main.cpp - random parts under random layouts -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-random-link [--target=NAME,...] [--seed=N] [--modules=N] [--layouts=N] [--seconds=N]
///                      [--show]
///
/// Makes random compute shaders, compiles each as a relocatable part, and for each of several
/// random application layouts links the part, compiles the whole shader, and runs both on the
/// software device. Both must store what the host computes. A difference prints the seed that
/// repeats it (with --modules=1), with --show also module and layouts. Exit code 1 then.
#include "Harness.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Verify.h"
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
  uint64_t seed = 1, modules = 50, layouts = 12, seconds = 0;
  bool show = false;
};

bool parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    StringRef arg = argv[i];
    auto number = [&](StringRef name, uint64_t &value) {
      return arg.consume_front(name) && !arg.getAsInteger(0, value);
    };
    if (arg.consume_front("--target=")) {
      SmallVector<StringRef, 8> names;
      arg.split(names, ',');
      options.targets.assign(names.begin(), names.end());
    } else if (arg == "--show") {
      options.show = true;
    } else if (!number("--seed=", options.seed) && !number("--modules=", options.modules) &&
               !number("--layouts=", options.layouts) && !number("--seconds=", options.seconds)) {
      errs() << "unknown option " << argv[i] << "\n";
      return false;
    }
  }
  return true;
}

struct Totals {
  uint64_t modules = 0, cases = 0, spilled = 0, wrong = 0;
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
      : target(target), options(options), totals(totals), quick(target, lgc::OptLevel::Quick),
        thorough(target, lgc::OptLevel::Default) {}

  Error start() {
    Expected<std::unique_ptr<Executor>> made = Executor::create(target);
    if (!made)
      return made.takeError();
    executor = std::move(*made);
    return Error::success();
  }

  /// False when something is wrong.
  bool test(uint64_t seed);

private:
  std::string target;
  const Options &options;
  Totals &totals;
  Compiler quick, thorough;
  std::unique_ptr<Executor> executor;

  Error testLayout(const RandomModule &module, Compiler &compiler, const std::string &text,
                   const lgc::Part &part, const lgc::ResourceMapping &layout);
  Error check(const char *what, const Bytes &elf, const RandomModule &module,
              const lgc::ResourceMapping &layout);
};

Error Tester::check(const char *what, const Bytes &elf, const RandomModule &module,
                    const lgc::ResourceMapping &layout) {
  for (const pal::abi::Violation &violation :
       pal::abi::verifyCodeObject(elf, pal::abi::findTarget(target)))
    return lgc::internalError(Twine(what) + " breaks rule " + violation.rule + ": " +
                              violation.message);
  Expected<std::vector<uint32_t>> output = executor->run(elf, module, layout);
  if (!output)
    return joinErrors(lgc::internalError(what), output.takeError());
  const std::vector<uint32_t> expected = expectedOutput(module);
  for (size_t i = 0; i < expected.size(); ++i)
    if ((*output)[i] != expected[i])
      return lgc::internalError(formatv("{0}: lane {1}, access {2}: {3:x} instead of {4:x}", what,
                                        i / module.accesses.size(), i % module.accesses.size(),
                                        (*output)[i], expected[i])
                                    .str());
  return Error::success();
}

Error Tester::testLayout(const RandomModule &module, Compiler &compiler, const std::string &text,
                         const lgc::Part &part, const lgc::ResourceMapping &layout) {
  lgc::LinkLayout linkLayout(layout);
  const auto start = std::chrono::steady_clock::now();
  Expected<Bytes> linked = lgc::linkParts({.compute = &part}, linkLayout, {});
  totals.linkSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!linked) {
    lgc::ErrorText error = lgc::consumeToText(linked.takeError());
    if (error.kind != lgc::ErrorKind::LimitExceeded)
      return lgc::internalError("link: " + error.message);
    ++totals.refused[error.message];
    return Error::success();
  }
  if (Error error = check("linked", *linked, module, layout))
    return error;
  Expected<Bytes> whole = compiler.compile(text, layout, /*relocatable=*/false);
  if (!whole)
    return whole.takeError();
  return check("whole", *whole, module, layout);
}

bool Tester::test(uint64_t seed) {
  Random random(seed);
  const RandomModule module = makeModule(random);
  const std::string text = moduleText(module);
  Compiler &compiler = chance(random, 25) ? thorough : quick;
  const lgc::ResourceMapping partLayout = makePartLayout(module, random);
  lgc::ResourceMapping layout;
  auto fails = [&](Error error) {
    if (!error)
      return false;
    ++totals.wrong;
    outs() << target << " seed " << seed << ": " << lgc::consumeToText(std::move(error)).message
           << "\n";
    if (options.show) {
      outs() << text << "part:\n";
      printLayout(partLayout);
      outs() << "application:\n";
      printLayout(layout);
    }
    return true;
  };
  ++totals.modules;
  Expected<Bytes> elf = compiler.compile(text, partLayout, /*relocatable=*/true);
  if (!elf)
    return !fails(elf.takeError());
  Expected<std::shared_ptr<const lgc::Part>> part = lgc::Part::create(*elf);
  if (!part)
    return !fails(part.takeError());
  for (uint64_t i = 0; i < options.layouts; ++i) {
    do
      layout = makeApplicationLayout(module, random);
    while (rootDwords(layout) > pal::abi::userdata::maxEntries);
    ++totals.cases;
    totals.spilled += !(*part)->info().spilled.empty();
    if (fails(testLayout(module, compiler, text, **part, layout)))
      return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parseOptions(argc, argv, options))
    return 2;
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
  for (uint64_t i = 0; i < options.modules; ++i) {
    if (options.seconds && seconds() > double(options.seconds))
      break;
    testers[i % testers.size()]->test(options.seed + i);
  }
  outs() << formatv(
      "seeds {0} to {1}: {2} modules, {3} layouts ({4} with a spill table), {5} wrong; "
      "{6:f1} us a link; {7:f1} s\n",
      options.seed, options.seed + totals.modules - 1, totals.modules, totals.cases, totals.spilled,
      totals.wrong, totals.linkSeconds * 1e6 / double(std::max<uint64_t>(totals.cases, 1)),
      seconds());
  for (auto &[message, count] : totals.refused)
    outs() << formatv("  {0} x {1}\n", count, message);
  return totals.wrong ? 1 : 0;
}
