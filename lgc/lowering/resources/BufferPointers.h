//===- BufferPointers.h - ptr addrspace(7) as resource and offset ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Takes the buffer pointers of a function apart, through GEPs, phis, selects and memory, for
/// lgc-lower-buffers.
///
/// Offsets. All of an offset goes into the part that the hardware checks against num_records
/// (voffset and the instruction's immediate), nothing into soffset, whose part in the check differs
/// between generations. Constants are collected from GEP indices and added last, where instruction
/// selection finds them for the immediate. All arithmetic is modulo 2^32, as in the hardware.
#pragma once

#include "lgc/lowering/resources/BufferAccess.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Module.h"

namespace lgc {

bool isBufferPointer(const llvm::Type *type);

/// Reports what `inst` does with a buffer pointer as Unsupported.
void reportBufferPointer(llvm::Instruction &inst, const llvm::Twine &what);

/// The place so many bytes behind `pointer`.
llvm::Value *offsetBytes(llvm::IRBuilderBase &b, llvm::Value *pointer, unsigned bytes);

class BufferPointers {
public:
  BufferPointers(llvm::Function &function, llvm::UniformityInfo &uniformity)
      : context(function.getContext()), layout(function.getParent()->getDataLayout()),
        uniformity(uniformity) {}

  /// Every instruction that makes a pointer; operands before users, but phis.
  void add(llvm::Instruction &pointer) { pointers.push_back(&pointer); }
  /// Behind the last add(): finds pointers into one resource, so that it needs no phi.
  void findRoots();
  /// Makes resource and offset of one of them, in front of it; in the same order.
  void split(llvm::Instruction &pointer);
  BufferAddress partsOf(llvm::Value *pointer);
  /// Behind the last split(), when nothing uses the pointers any more: completes phis, removes all.
  void finish();

private:
  llvm::Value *rootOf(llvm::Value *pointer);
  llvm::Value *computeRoot(llvm::Instruction &pointer);
  void splitGep(llvm::GetElementPtrInst &gep);
  void addTerm(llvm::IRBuilder<> &b, BufferAddress &address, llvm::Value *index,
               const llvm::APInt &scale);
  void createPhis(llvm::PHINode &phi);
  void fillPhis(llvm::PHINode &phi);

  llvm::LLVMContext &context;
  const llvm::DataLayout &layout;
  llvm::UniformityInfo &uniformity;
  llvm::SmallVector<llvm::Instruction *, 32> pointers;
  llvm::DenseMap<llvm::Value *, llvm::Value *> roots; ///< the one resource, else the pointer itself
  llvm::DenseMap<llvm::Value *, BufferAddress> parts;
};

} // namespace lgc
