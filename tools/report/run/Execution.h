//===- Execution.h - runs a shader with generated inputs ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Executes the code that a report is about on the software device, with the inputs that
/// `./kiln diff` generates for the shader, and counts what each instruction does.
#pragma once

#include "lgc/Pipeline.h"
#include "llpc/SpecConstant.h"
#include "pal_shim/device/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace pal::device {
class Debugger;
}

namespace report {

struct ExecutionRequest {
  llvm::ArrayRef<uint8_t> elf;
  std::string target;
  const lgc::ResourceMapping *mapping = nullptr; ///< that the code was compiled with
  llvm::ArrayRef<uint8_t> spirv;
  std::string entry;
  std::vector<llpc::SpecConstant> specialization;
  /// Not null: waves run one after another, and stop for it; nothing is counted.
  pal::device::Debugger *debugger = nullptr;
};

struct Execution {
  std::array<uint32_t, 3> groups = {}; ///< of the dispatch
  /// What was generated, in words: name, and size or values.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::vector<pal::device::InstructionProfile> profile;
  std::string fault; ///< not empty: it ended there
};

/// One dispatch of a compute shader. Errors: inputs that cannot be generated, a layout that this
/// does not know how to fill, code that the device cannot load.
llvm::Expected<Execution> executeCompute(const ExecutionRequest &request);

} // namespace report
