//===- BusyBench.h - pipelines while everything else is busy --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "PipelineBench.h"

namespace bench {

/// What a caller waits for captured pipelines that it creates as soon as their modules are there,
/// with and without parts, beside RADV, on a machine that does nothing else and on one where many
/// processes want each core: threads of low priority get almost nothing there, and nobody may wait
/// for them. Returns the exit code; 77: no captures.
int runBusyBench(const PipelineOptions &options);

} // namespace bench
