//===- PartSymbols.h - numbers that linking fills in ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// In a relocatable part (PartState::relocatable), the offset of a binding in its table and of a
/// root dword in the spill table are literals with a relocation (lgc/Part.h).
///
///   whole:        %p = getelementptr i8, ptr addrspace(4) %table, i64 48
///   relocatable:  %r = call range(i32 0, -2147483648) i32
///                     @llvm.amdgcn.reloc.constant(metadata !{!"kiln.table.0.3"})
///                 %p = getelementptr i8, ptr addrspace(4) %table, i64 (zext %r)
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace lgc {

/// i32, not negative: the offset in bytes that `symbol` becomes.
llvm::Value *createRelocation(llvm::IRBuilderBase &b, const std::string &symbol);
/// `pointer` + that offset.
llvm::Value *relocatedPointer(llvm::IRBuilderBase &b, llvm::Value *pointer,
                              const std::string &symbol);

/// The dword of the rootSymbol that `call`, of llvm.amdgcn.reloc.constant, names; none for others.
std::optional<uint32_t> relocatedRootDword(const llvm::CallInst &call);

/// The root node that holds the dword, or null.
const ResourceNode *findRootNode(const ResourceMapping &mapping, uint32_t dword);

} // namespace lgc
