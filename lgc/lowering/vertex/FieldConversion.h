//===- FieldConversion.h - channels of vertex formats by arithmetic -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Typed loads convert, but want their addresses aligned. What may lie anywhere is put together
/// from bytes, and converted here to the same bits:
///   before: dword, its upper 16 bits are G of R16G16_SNORM
///   after:  %i = ashr i32 %dword, 16
///           %f = sitofp, divided by 32767, at least -1
#pragma once

#include "lgc/TexelFormat.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// Bits of a dword.
struct BitField {
  unsigned first = 0;
  unsigned bits = 32;
};

/// The field as a typed load gives it: i32 of integers, else float; a whole dword as it is.
llvm::Value *convertField(llvm::IRBuilder<> &b, llvm::Value *dword, BitField field,
                          NumericKind kind);

} // namespace lgc
