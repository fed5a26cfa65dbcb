//===- Printf.h - what kernels print --------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Kernels.h"
#include "llvm/ADT/ArrayRef.h"

namespace kiln_cl {

/// One record as text; \p values: the record behind its two words. What a conversion has no value
/// for, or no letter that OpenCL C knows, is printed as it stands.
std::string printedText(const llpc::KernelPrintf &print, llvm::ArrayRef<uint8_t> values);

/// All records of a buffer (KernelPrintf) in its order. \p isFull: some did not fit.
std::string printedRecords(llvm::ArrayRef<llpc::KernelPrintf> prints,
                           llvm::ArrayRef<uint8_t> buffer, bool &isFull);

} // namespace kiln_cl
