//===- ResourceUsage.h - what an entry point uses, without compiling ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Descriptors and push constants that an entry point statically uses, directly or through calls.
/// The base of automatic layouts, and of the data that a driver keeps beside a module. Linear in
/// the size of the reachable code, no recursion, no LLVM IR.
#pragma once

#include "llpc/EntryReflection.h"
#include "llpc/SpecConstant.h"
#include "llpc/spirv/Module.h"
#include <vector>

namespace llpc {

/// Collects the usage of \p entry, which must belong to \p module. \p specialization decides array
/// sizes that depend on specialization constants.
/// Errors: InvalidInput for a used resource variable without DescriptorSet or Binding, or with a
/// type that cannot be a resource.
llvm::Expected<ResourceUsage>
collectResourceUsage(const spirv::Module &module, const spirv::EntryPoint &entry,
                     llvm::ArrayRef<SpecConstant> specialization = {});

/// Adds what another shader of the same pipeline uses, by the rules of ResourceUsage::nodes.
void mergeResourceUsage(ResourceUsage &into, const ResourceUsage &from);

} // namespace llpc
