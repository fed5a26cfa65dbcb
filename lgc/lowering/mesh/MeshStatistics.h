//===- MeshStatistics.h - counters of task and mesh shaders ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// 64-bit counters for queries, by number in the buffer that the driver has for them. Source:
/// AMD's compiler.
enum class MeshStatistic : uint8_t { MeshInvocations, MeshPrimitives, TaskInvocations };

/// HW(gfx10.3): does not count these; shaders do it for pipelines whose counts queries may ask for.
bool countsMeshes(const PipelineState &state);

/// Adds to a counter, once for each invocation that is active where `b` stands.
void addMeshStatistic(llvm::IRBuilder<> &b, MeshStatistic statistic, llvm::Value *amount);

} // namespace lgc
