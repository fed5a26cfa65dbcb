//===- Seam.h - where glue and part meet ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM avoids hazards between instructions that it sees. At the seam it sees one side only, so the
/// glue waits for both. docs/parts.md lists every hazard, and why most need nothing.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// Ends glue in front of a part: behind \p b only the return may follow. \p target is that of the
/// pipeline. Constants in \p values are made in front of the waits, where LLVM would make them at
/// their use.
///
/// HW(gfx10.1): vector memory instructions must have read their registers before scalar ones write
/// those, LDS must not be used behind a branch without a wait for stores (of which there are none),
/// and a vector compare must not write EXEC while others read it.
/// HW(gfx11): a wave64 vector instruction that reads results from both sides of a change of EXEC
/// needs a wait, as does what reads an SGPR that a scalar instruction has written, and before that
/// a wave64 vector instruction has read as a mask. HW(gfx11.0): also what reads the result of a
/// transcendental instruction.
/// HW(gfx12): what reads an SGPR that was written after a vector instruction had read it needs a
/// wait. The function's attribute `amdgpu-sgpr-hazard-boundary-cull` ends it.
void endInFrontOfPart(llvm::IRBuilder<> &b, llvm::StringRef target, unsigned waveSize,
                      llvm::MutableArrayRef<llvm::Value *> values);

/// Begins glue behind a part, at the begin of a function: the same hazards the other way round.
/// Exports need nothing. \p writesScalars: the code that follows may write SGPRs or EXEC; otherwise
/// it may only compute in VGPRs.
void beginBehindPart(llvm::IRBuilder<> &b, llvm::StringRef target, unsigned waveSize,
                     bool writesScalars);

} // namespace lgc
