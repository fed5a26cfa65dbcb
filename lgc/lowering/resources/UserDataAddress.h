//===- UserDataAddress.h - pointers made from user data -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What LowerDescriptors and LowerPushConstants share: table pointers are 32-bit root entries whose
/// high half is the high half of the program counter (PAL allocates code and tables in one 4 GiB
/// range, see docs/hw-notes.md).
#pragma once

#include "lgc/ResourceLookup.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace lgc {

/// Makes and caches pointers, one set per function. Everything it creates sits in the entry block,
/// where it dominates all uses and is computed once.
class UserDataAddress {
public:
  explicit UserDataAddress(llvm::Function &function) : function(function) {}

  /// ptr(4) to the first byte of the table that `hops` lead to; hops must not be empty.
  llvm::Value *tablePointer(llvm::ArrayRef<uint32_t> hops);
  /// ptr(4) to the table whose low half is a special value of `.user_data_reg_map`.
  llvm::Value *specialTable(uint32_t special);
  /// ptr(4) such that root entry i is at byte 4 x i.
  llvm::Value *spillTable();
  /// Root dwords as i32 (count 1) or <count x i32>.
  llvm::Value *rootDwords(uint32_t offset, uint32_t count);

private:
  llvm::Value *extend(llvm::Value *low);
  llvm::IRBuilder<> entryBuilder();

  llvm::Function &function;
  llvm::Instruction *last = nullptr; ///< what was inserted last; the next goes behind it
  llvm::Value *pc = nullptr;         ///< <2 x i32>
  llvm::Value *spill = nullptr;
  std::map<std::vector<uint32_t>, llvm::Value *> tables;
  std::map<uint32_t, llvm::Value *> specials;
  std::map<std::pair<uint32_t, uint32_t>, llvm::Value *> roots;
};

/// Loads from memory that no shader writes: `!invariant.load`, dword aligned.
llvm::LoadInst *createInvariantLoad(llvm::IRBuilderBase &b, llvm::Type *type, llvm::Value *pointer,
                                    const llvm::Twine &name = "");
/// `pointer` + `bytes`, or `pointer` itself for 0.
llvm::Value *offsetPointer(llvm::IRBuilderBase &b, llvm::Value *pointer, uint64_t bytes);

} // namespace lgc
