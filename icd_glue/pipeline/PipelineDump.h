//===- PipelineDump.h - KILN_DUMP_DIR -------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Environment.h"
#include "icd_glue/context/Device.h"
#include "llpc/PipeFile.h"

namespace icd {

/// Writes the pipeline as a .pipe file, when the environment asks for that. What goes wrong is a
/// warning: the application's pipeline does not depend on it.
template <typename Info>
void dumpPipeline(Device &device, const Info &info, const llpc::PipelineHashes &hashes) {
  const std::string &folder = device.environment().dumpFolder;
  if (folder.empty())
    return;
  auto dump = llpc::dumpPipeline(info, hashes);
  llvm::Error error = dump ? llpc::writeDump(*dump, folder) : dump.takeError();
  if (error)
    device.reportWarning("KILN-dump", "KILN_DUMP_DIR: " + llvm::toString(std::move(error)));
}

} // namespace icd
