//===- PipelineDump.h - KILN_DUMP_DIR -------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/assemble/BuildInfo.h"

namespace icd {

class Device;

/// Writes the pipeline as a .pipe file, when the environment asks for that. What goes wrong is a
/// warning: the application's pipeline does not depend on it.
void dumpPipeline(Device &device, const BuildInfo &build, const llpc::PipelineHashes &hashes);

} // namespace icd
