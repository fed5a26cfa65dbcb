//===- CodePacking.h - code objects, compressed ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// zstd with a dictionary. Half of a small pipeline's code object is metadata whose words are the
/// same in all of them; with some code objects of the same generation as dictionary they take a
/// third of the bytes that they take without.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace icd {

/// Code objects for a generation of GPUs, one behind the other: pipelines of the examples,
/// compiled when the driver is built (generate/dictionaries.py). What is packed
/// with it can be unpacked by the same build only.
llvm::ArrayRef<uint8_t> packingDictionary(const pal::abi::GpuTarget &target);

/// Empty if that would not be smaller.
std::vector<uint8_t> packCode(llvm::ArrayRef<uint8_t> code, llvm::ArrayRef<uint8_t> dictionary);

/// Fills \p code. False: \p packed is not what packCode() made of so many bytes.
bool unpackCode(llvm::ArrayRef<uint8_t> packed, llvm::ArrayRef<uint8_t> dictionary,
                llvm::MutableArrayRef<uint8_t> code);

} // namespace icd
