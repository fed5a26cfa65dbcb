//===- PipelineReplacement.h - KILN_REPLACE_DIR ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/assemble/BuildInfo.h"
#include "icd_glue/code/CodeObject.h"

namespace icd {

class Device;

/// The code of the .pipe file in the environment's folder that is this pipeline in somebody else's
/// words, such as another driver's: the one of the name that a dump of \p build would have, or else
/// the one of the same modules. The code is the .elf file beside it, or what the compiler makes of
/// the file. Says in the log which file that was. \p hashes are those of \p build.
/// Errors: InvalidInput, there is no such file, there are several, or it cannot be read;
/// Unsupported, resources cannot be bound as it wants (Replacement.h); those of the compile.
llvm::Expected<std::shared_ptr<const CodeObject>>
replacementOf(Device &device, const BuildInfo &build, const llpc::PipelineHashes &hashes);

} // namespace icd
