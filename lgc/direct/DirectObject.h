//===- DirectObject.h - code objects of code made without LLVM ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the object files of glue and of the direct tier have in common.
///   pal::abi::ElfBuilder builder = startObject(target, code);
///   addMetadata(builder, blob);
///   builder.addSymbol(..., codeSection, ...);
#pragma once

#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace lgc::direct {

/// The number of the section that startObject() adds.
inline constexpr uint16_t codeSection = 2;

/// A relocatable file whose one section is `.text`, with \p code.
pal::abi::ElfBuilder startObject(const pal::abi::GpuTarget &target, llvm::ArrayRef<uint32_t> code);
/// The note that PAL reads; \p blob is MsgPack.
void addMetadata(pal::abi::ElfBuilder &builder, llvm::StringRef blob);

} // namespace lgc::direct
