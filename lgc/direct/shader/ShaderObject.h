//===- ShaderObject.h - code of shaders as a code object ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Writes the file that LLVM's assembly printer would have made of the same code, without the
/// sections that nobody reads (docs/direct-tier.md#the-code-object).
#pragma once

#include "lgc/Compile.h"
#include "lgc/direct/shader/Generate.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class Module;
}

namespace lgc::direct {

struct StageCode {
  pal::abi::HardwareStage stage;
  ShaderCode code;
};

/// What metadata say of it, but for the size of waves and what follows from that.
Statistics statisticsOf(const ShaderCode &code);

/// \p module has the metadata that lowering wrote; it stays as it is. Errors: Internal, if that
/// metadata is not what lowering writes.
llvm::Expected<std::vector<uint8_t>> writeShaderObject(const llvm::Module &module,
                                                       llvm::ArrayRef<StageCode> stages,
                                                       const pal::abi::GpuTarget &target);

} // namespace lgc::direct
