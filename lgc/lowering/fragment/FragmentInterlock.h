//===- FragmentInterlock.h - the critical section of a wave ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
} // namespace llvm

namespace lgc {

/// Where a wave enters and leaves the critical section of fragment shader interlock, once each.
/// Source: docs/hw-notes.md#fragment.
struct CriticalSection {
  llvm::Instruction *begin = nullptr;  ///< before it
  llvm::Instruction *finish = nullptr; ///< before it; null: at the end of the shader
};

/// The section begins at the nearest place that dominates all begins and stands in no loop. It ends
/// at the only end when every invocation passes it once, else at the end of the shader. One of
/// \p ending, which go to the end, makes it last until then too.
/// \p calls: all lgc.interlock of \p function, of which at least one is reachable.
CriticalSection findCriticalSection(llvm::Function &function,
                                    llvm::ArrayRef<llvm::CallInst *> calls,
                                    llvm::ArrayRef<llvm::CallInst *> ending);

/// May \p call be executed between the section's begin and its end?
bool isInSection(const CriticalSection &section, const llvm::CallInst &call);

void beginCriticalSection(llvm::Instruction &before, unsigned gfxMajor);
void endCriticalSection(llvm::Instruction &before, unsigned gfxMajor);

} // namespace lgc
