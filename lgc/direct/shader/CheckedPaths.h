//===- CheckedPaths.h - what checks along all paths know ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace lgc::direct {

/// By word: what holds on some path to a place.
struct WordsOnPaths {
  llvm::BitVector written, lost;

  /// Has anything become true?
  bool join(const WordsOnPaths &other) {
    const WordsOnPaths old = *this;
    written |= other.written;
    lost |= other.lost;
    return written != old.written || lost != old.lost;
  }
};

/// For checks that go along the paths of a program: what is defined within the blocks of a loop
/// only belongs to one iteration. A path that jumps over its definition in the next one has no
/// lanes where it is read.
class IterationUnits {
public:
  explicit IterationUnits(const Program &program)
      : units(program.units), definedIn(program.units.size(), {noBlock, 0}) {
    for (const auto &[block, content] : llvm::enumerate(program.blocks))
      for (const MachineOp &op : content.ops) {
        const llvm::ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
        for (unsigned i = 0; i < op.count; ++i)
          if (op.operands[i].isUnit() && infos[i].isWritten()) {
            auto &[first, last] = definedIn[op.operands[i].value];
            first = std::min(first, static_cast<uint32_t>(block));
            last = static_cast<uint32_t>(block);
          }
      }
  }

  /// Of the loop from block \p first to \p last.
  bool isOfIteration(uint32_t number, uint32_t first, uint32_t last) const {
    const Unit &unit = units[number];
    return definedIn[number].first >= first && definedIn[number].second <= last &&
           !unit.acrossIterations && !unit.fromLastIteration && !unit.fromStart;
  }

private:
  const std::vector<Unit> units;
  /// Blocks of the first and the last definition, by unit.
  std::vector<std::pair<uint32_t, uint32_t>> definedIn;
};

} // namespace lgc::direct
