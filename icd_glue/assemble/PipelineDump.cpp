//===- PipelineDump.cpp - KILN_DUMP_DIR -----------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PipelineDump.h"
#include "icd_glue/Environment.h"
#include "icd_glue/context/Device.h"

namespace icd {

void dumpPipeline(Device &device, const BuildInfo &build, const llpc::PipelineHashes &hashes) {
  const std::string &folder = device.environment().dumpFolder;
  if (folder.empty())
    return;
  auto dump = build.dump(hashes);
  if (llvm::Error error = dump ? llpc::writeDump(*dump, folder) : dump.takeError())
    device.reportWarning("KILN-dump", "KILN_DUMP_DIR: " + llvm::toString(std::move(error)));
}

} // namespace icd
