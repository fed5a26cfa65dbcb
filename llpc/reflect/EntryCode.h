//===- EntryCode.h - what the code of an entry point names ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One walk over the functions that an entry point reaches through calls, for everything that
/// reflection wants to know of code.
#pragma once

#include "llpc/EntryReflection.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/StageInterface.h"

namespace llpc {

/// A module-scope variable that some instruction names.
struct UsedVariable {
  static constexpr uint64_t everyMember = ~0ull;
  const spirv::Inst *definition = nullptr;
  /// Of an Input or Output block (below arrays of blocks): bit per member that access chains with
  /// constant indices select, the last bit for member 63 and all behind it.
  uint64_t members = 0;

  static bool covers(uint64_t members, uint32_t member) {
    return members >> (member < 63 ? member : 63) & 1;
  }
};

struct EntryCode {
  std::vector<UsedVariable> variables; ///< in the order of first use
  EntryTraits instructionTraits;
  uint64_t visitedInstructions = 0;
};

/// Linear in the reachable code; each function is visited once, with a stack on the heap. Variables
/// that are only the initializer of a used variable count too, and so do initialized outputs.
EntryCode walkEntry(const spirv::Module &module, const spirv::EntryPoint &entry);

/// What code that is walked already depends on, and collectResourceUsage() of it.
EntryTraits traitsOf(const spirv::Module &module, const spirv::EntryPoint &entry,
                     const EntryCode &code);
llvm::Expected<ResourceUsage> usageOf(const spirv::Module &module, const EntryCode &code,
                                      llvm::ArrayRef<SpecConstant> specialization);

/// The usage of a kernel of OpenCL, as KernelInterface says it: parameters are push constants.
llvm::Expected<ResourceUsage> usageOfKernel(const spirv::Module &module,
                                            const spirv::EntryPoint &entry);

/// Offset of the first member of the push constants that \p code uses; 0 when there are none.
uint32_t pushConstantBegin(const spirv::Module &module, const EntryCode &code);

/// collectInputs() of arrays whose sizes \p specialization decides.
llvm::Expected<std::vector<InterfaceSlot>> inputsOf(const spirv::Module &module,
                                                    const spirv::EntryPoint &entry,
                                                    llvm::ArrayRef<SpecConstant> specialization);

} // namespace llpc
