//===- Seam.h - where glue and part meet ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM avoids hazards between instructions that it sees. At the seam it sees one side only.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// Makes code behind \p b independent of how the vector and scalar instructions in front of it end,
/// where the hardware does not. \p target is that of the pipeline.
///
/// HW(gfx11): a wave64 vector instruction that reads results from both sides of a change of EXEC
/// needs a wait, as does what reads an SGPR that a scalar instruction has written, and before that
/// a wave64 vector instruction has read as a mask. HW(gfx11.0): also what reads the result of a
/// transcendental instruction.
///
/// Constants in \p values are made in front of the wait, where LLVM would make them at their use.
void waitAtSeam(llvm::IRBuilder<> &b, llvm::StringRef target, unsigned waveSize,
                llvm::MutableArrayRef<llvm::Value *> values = {});

} // namespace lgc
