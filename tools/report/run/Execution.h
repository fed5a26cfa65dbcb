//===- Execution.h - runs a shader with generated inputs ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Executes the code that a report is about on the software device, with the inputs that
/// `./kiln diff` generates for the shader, and counts what each instruction does.
#pragma once

#include "llpc/Compiler.h"
#include "tools/report/Report.h"

namespace pal::device {
class Debugger;
}

namespace report {

struct ExecutionRequest {
  llvm::ArrayRef<uint8_t> elf;
  std::string target;
  /// Not null: waves run one after another, and stop for it; nothing is counted.
  pal::device::Debugger *debugger = nullptr;
};

/// One dispatch of the pipeline that \p info made. Errors: inputs that cannot be generated, a
/// layout that this does not know how to fill, code that the device cannot load.
llvm::Expected<RunFacts> execute(const ExecutionRequest &request,
                                 const llpc::ComputePipelineBuildInfo &info);
/// One draw to a picture of 64 x 64 pixels, with the vertex input, topology, samples and formats of
/// \p info. Errors: as above; a pipeline that has not all its stages.
llvm::Expected<RunFacts> execute(const ExecutionRequest &request,
                                 const llpc::GraphicsPipelineBuildInfo &info);

} // namespace report
