//===- Kernel.h - OpenCL kernels ------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What modules of the Kernel dialect (llpc/spirv/KernelDialect.h) have of their own. Kernels are
/// ordinary functions with parameters, which another kernel may call. The entry function takes the
/// arguments from push constants, as llpc/Kernels.h says, and calls the kernel:
///   before: OpEntryPoint Kernel %k "k";  %k = OpFunction: float CrossWorkgroup *, uint
///   after:  define internal void @k(ptr addrspace(1), i32);  define void @lgc.shader.cs() {
///             %p = inttoptr (load i64, lgc.push.const + 0);  %n = load i32, lgc.push.const + 8
///             call void @k(%p, %n) }
/// Pointers: CrossWorkgroup -> ptr addrspace(1); UniformConstant -> ptr addrspace(4);
/// Generic -> ptr. All memory has LLVM's natural layout, which is OpenCL C's.
#pragma once

#include "llpc/translate/Translator.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llpc {

struct KernelArgument;
struct KernelInterface;

bool isKernel(const Translator &t);
/// A variable at module scope: a __constant one, or a __global one, whose memory is the code
/// object's.
llvm::Expected<llvm::Value *> programVariable(Translator &t, const Inst &variable, Id pointeeId);
/// What Alignment says of a variable; 1 without, and outside of kernels.
llvm::Align declaredAlign(const Translator &t, Id variableId);
/// What the kernel takes. Errors: as kernelInterface().
llvm::Expected<const KernelInterface *> kernelInterfaceOf(Translator &t);
/// Of an argument, which stays what it is, at \p offset.
llvm::Value *loadArgument(Translator &t, llvm::Type *type, uint32_t offset, uint32_t align);
/// What stands for an image or sampler that the kernel takes, and for an OpConstantSampler
/// (KernelImages.cpp).
llvm::Value *descriptorArgument(Translator &t, const KernelArgument &argument);
llvm::Expected<llvm::Value *> literalSamplerValue(Translator &t, const Inst &constant);
/// Behind the functions of the module: adds the entry function.
/// Errors: Unsupported for built-ins that are not known when a kernel is compiled.
llvm::Error addKernelEntry(Translator &t);

/// Argument \p number of a call: a pointer to a copy where the function has one of its own.
llvm::Expected<llvm::Value *> passByValue(Translator &t, const Inst &call, unsigned number,
                                          llvm::Value *argument);
/// An instruction of OpenCL.std that loads or stores, with literals among its operands
/// (KernelAccess.cpp). False for all others.
llvm::Expected<bool> translateKernelAccess(Translator &t, const Inst &inst);
/// The same of printf (KernelPrintf.cpp). Errors: as printfOf().
llvm::Expected<bool> translateKernelPrintf(Translator &t, const Inst &inst);
/// What OpenCL C says of floats: denormals, infinities, NaN and signs of zeros count; products and
/// sums are contracted unless the entry point says otherwise (ContractionOff).
void setKernelModes(Translator &t);

/// for (i = first; i < count; i += step) body(i), with numbers of 64 bits (AsyncCopies.cpp).
void emitKernelLoop(Translator &t, llvm::Value *first, llvm::Value *count, uint64_t step,
                    llvm::function_ref<void(llvm::Value *index)> body);

llvm::ArrayRef<OpEntry> kernelOps();
llvm::ArrayRef<OpEntry> asyncCopyOps();  ///< AsyncCopies.cpp
llvm::ArrayRef<ExtEntry> openClStdOps(); ///< OpenClStd.cpp

} // namespace llpc
