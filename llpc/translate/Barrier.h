//===- Barrier.h - memory semantics shared by atomics and barriers --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

/// A Memory Semantics operand.
struct MemorySemantics {
  bool acquire = false;
  bool release = false;
  bool isVolatile = false;
  bool workgroupMemory = false; ///< LDS
  bool globalMemory = false;    ///< buffers, images, physical storage

  bool orders() const { return (acquire || release) && (workgroupMemory || globalMemory); }
};

/// Decodes the constant `id`. Error when it is no constant.
llvm::Expected<MemorySemantics> memorySemantics(Translator &t, Id id);

/// Fence with the release (`Release`) or acquire (`Acquire`) half of the semantics, or both
/// (`AcquireRelease`); nothing when the semantics do not ask for it.
void createFence(Translator &t, const MemorySemantics &semantics, llvm::AtomicOrdering halves,
                 const char *syncScope);
/// All invocations of the workgroup wait here for each other, and see what they wrote to what
/// \p semantics name.
void createWorkgroupBarrier(Translator &t, const MemorySemantics &semantics);

} // namespace llpc
