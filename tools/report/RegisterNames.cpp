//===- RegisterNames.cpp - variables of the source in registers ------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/RegisterNames.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace report {

namespace {

/// The register that \p instr copies; nothing: it computes something, or copies a constant.
std::optional<RegRange> copiedBy(const Instruction &instr) {
  const llvm::StringRef name = instr.mnemonic;
  if (instr.isDual || (name != "v_mov_b32" && name != "s_mov_b32" && name != "v_mov_b16"))
    return std::nullopt;
  std::optional<RegRange> source;
  for (const RegRange &range : instr.effects.reads)
    if (range.isVgpr() || name.starts_with("s_"))
      source = range;
  return source;
}

} // namespace

std::vector<std::string> variablesIn(const MachineCode &code, const ControlFlow &flow,
                                     llvm::ArrayRef<std::string> variables, uint32_t instruction,
                                     RegRange wanted) {
  constexpr size_t mostWriters = 8, mostCopies = 32;
  std::vector<std::string> found;
  std::set<uint32_t> seen;
  auto writersOf = [&](uint32_t at, RegRange range) {
    return writersBefore(code, flow, at, range, mostWriters);
  };
  std::vector<uint32_t> pending = writes(code.code[instruction], wanted)
                                      ? std::vector<uint32_t>{instruction}
                                      : writersOf(instruction, wanted);
  while (!pending.empty() && seen.size() < mostCopies) {
    const uint32_t writer = pending.back();
    pending.pop_back();
    if (!seen.insert(writer).second)
      continue;
    // What a copy is of says more than its line, which code generation may have made up.
    if (const auto source = copiedBy(code.code[writer]))
      llvm::append_range(pending, writersOf(writer, *source));
    else if (!variables[writer].empty())
      found.push_back(variables[writer]);
  }
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace report
