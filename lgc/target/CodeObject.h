//===- CodeObject.h - after LLVM has written the ELF ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/target/TargetSession.h"
#include "pal_shim/abi/Metadata.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace pal::abi {
class ElfObject;
struct GpuTarget;
} // namespace pal::abi

namespace lgc {

/// What travels in sections that are not loaded; empty ones are left out.
struct CodeObjectExtras {
  std::string ir; ///< section .AMDGPU.comment.llvmir
  /// Section .AMDGPU.disasm, with a symbol _amdgpu_XX_disasm for each hardware stage's part.
  std::string disassembly;
  std::vector<uint8_t> partInfo; ///< section .kiln.part
};

/// Adds the extras as sections that are not loaded. Errors: Internal.
llvm::Error addExtras(llvm::SmallVectorImpl<char> &elf, const CodeObjectExtras &extras);

/// Gives \p result the statistics of all stages, in the order of hardware stages, with sizes of
/// waves and occupancy, which \p stages have not. Errors: Internal, if there are none.
llvm::Error setStatistics(std::vector<StageStatistics> stages, const PipelineState &state,
                          CompileResult &result);

/// Adds the extras, reads the statistics of every stage out of the code object (`instructions` by
/// name of the entry point), and checks it against the rules of the PAL ABI. Errors: Internal when
/// a rule is broken.
llvm::Error finishCodeObject(llvm::SmallVectorImpl<char> &elf, const PipelineState &state,
                             const CodeObjectExtras &extras, const InstructionCounts &instructions,
                             CompileResult &result);

/// Is there code besides that of entry points?
bool hasFunctions(pal::abi::PipelineMetadata &metadata);
/// The code object with scratch memory for \p depth levels of recursion (RayStack.h). Errors:
/// LimitExceeded.
llvm::Expected<std::vector<uint8_t>> addRayStack(const pal::abi::ElfObject &object,
                                                 pal::abi::PipelineMetadata &metadata,
                                                 const pal::abi::GpuTarget *target, uint32_t depth);

} // namespace lgc
