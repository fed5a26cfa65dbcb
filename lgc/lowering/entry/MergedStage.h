//===- MergedStage.h - two shaders in one hardware stage ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From gfx9 on, vertex + control and vertex/evaluation + geometry shaders run as one program: a
/// wave has lanes for either half, whose counts MergedWaveInfo says, and hands values over through
/// LDS. What the lowerings of such stages share:
///
///   define void @lgc.hw.HS() {
///     init.exec -1                 ; the hardware starts with the lanes of the first half only
///     if (lane < info[7:0])        { first half }
///     barrier
///     if (lane < info[15:8])       { second half }
///   }
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// createHardwareFunction with an entry block that sets EXEC and ends in `ret`. `halves` (not null)
/// give the debug information that theirs is inlined into.
llvm::Function *createMergedFunction(llvm::Module &module, const PipelineState &state,
                                     pal::abi::HardwareStage stage,
                                     llvm::ArrayRef<llvm::Function *> halves);

/// Inlines `half` at the builder's position, which must be in front of an instruction, erases the
/// function, and leaves the builder behind it.
void inlineHalf(llvm::IRBuilder<> &b, llvm::Function &half);

/// Puts the builder into a new block that lanes with `condition` execute. \returns the first
/// instruction behind it, for b.SetInsertPoint.
llvm::Instruction *beginGuarded(llvm::IRBuilder<> &b, llvm::Value *condition, const char *name);

/// The number of the lane in its wave.
llvm::Value *createLaneId(llvm::IRBuilder<> &b, unsigned waveSize);
/// lane < info[shift + 7 : shift]; `info` is HwValue::MergedWaveInfo.
llvm::Value *createHasThread(llvm::IRBuilder<> &b, llvm::Value *info, unsigned shift,
                             llvm::Value *lane);

/// Makes what was written to LDS before visible to all lanes behind: of the wave, or of the group
/// of waves, all of which must get there or end.
void createLdsBarrier(llvm::IRBuilder<> &b, bool wholeGroup);

} // namespace lgc
