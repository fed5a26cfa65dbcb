// SPDX-License-Identifier: MIT
// kiln-farm with inputs that end its compiler: FARM_FAULTS is a list "HOW:ITEM:TARGET,...",
// where HOW is signal, hang or memory, ITEM an item's number in the pack, and TARGET its number.
// What is to end has been compiled before, so that it is a pipeline like any other. With
// FARM_COPIES each compiler gives its first result for everything: sizes without the time.
#include "tools/cli/Arguments.h"
#include "tools/farm/Commands.h"
#include "llvm/ADT/SmallVector.h"
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unistd.h>
#include <vector>

namespace {

void endBy(llvm::StringRef how) {
  if (how == "signal")
    raise(SIGSEGV);
  while (how == "hang")
    pause();
  for (std::vector<std::unique_ptr<char[]>> taken; how == "memory";)
    taken.push_back(std::make_unique<char[]>(1 << 28));
}

void endPerhaps(llvm::StringRef faults, const farm::Unit &unit) {
  llvm::SmallVector<llvm::StringRef, 8> list;
  faults.split(list, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef fault : list) {
    const auto [how, where] = fault.split(':');
    const auto [item, target] = where.split(':');
    if (item == std::to_string(unit.item) && target == std::to_string(unit.target))
      endBy(how);
  }
}

farm::StartCompiler withFaults(farm::StartCompiler start) {
  const char *variable = std::getenv("FARM_FAULTS");
  const std::string faults = variable ? variable : "";
  return [start, faults](const std::string &dumps) -> llvm::Expected<farm::Compile> {
    auto compile = start(dumps);
    if (!compile)
      return compile;
    const bool copies = std::getenv("FARM_COPIES");
    auto first = std::make_shared<std::optional<farm::Outcome>>();
    return [compile = *compile, faults, copies, first](const farm::Unit &unit) {
      if (!*first || !copies)
        *first = compile(unit);
      farm::Outcome outcome = **first;
      endPerhaps(faults, unit);
      return outcome;
    };
  };
}

} // namespace

int main(int argc, char **argv) { return farm::mainOf(cli::argumentsOf(argc, argv), withFaults); }
