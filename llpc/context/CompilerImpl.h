//===- CompilerImpl.h - what a Compiler holds -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/TargetInfo.h"

namespace llpc {

struct Compiler::Impl {
  explicit Impl(const pal::abi::GpuTarget &target) : target(target) {}

  const pal::abi::GpuTarget &target;
  /// Shared by all threads; it keeps a pool of target machines and pass managers inside.
  lgc::Backend backend;
};

} // namespace llpc
