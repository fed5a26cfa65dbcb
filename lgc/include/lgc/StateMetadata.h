//===- StateMetadata.h - PipelineState in a module's named metadata -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace lgc {

/// Writes `state` into !lgc.target, !lgc.options, !lgc.compute, !lgc.graphics, !lgc.user.data, ...
/// (ir/StateNodes.h shows all), replacing what is there. Fields that have their default are
/// left out.
void writeState(llvm::Module &module, const PipelineState &state);
/// The reverse. Errors: InvalidInput naming the node that has an unknown key or a wrong shape.
llvm::Expected<PipelineState> readState(const llvm::Module &module);

} // namespace lgc
