//===- CompilerIdentity.cpp - which compiler makes the code ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/context/BuildId.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"
#include <vulkan/vulkan_core.h>

namespace icd {

#include "icd_glue/SourceHash.inc"

std::string compilerIdentity() {
  // Why not its version: distributions mend LLVM without changing that.
  const std::string llvm = buildIdAt(reinterpret_cast<const void *>(&LLVMGetVersion));
  if (llvm.empty())
    return {};
  return std::string(sourceHash) + " headers " + std::to_string(VK_HEADER_VERSION_COMPLETE) +
         " LLVM " LLVM_VERSION_STRING " " + llvm;
}

} // namespace icd
