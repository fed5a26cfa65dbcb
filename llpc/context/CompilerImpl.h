//===- CompilerImpl.h - what a Compiler holds -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/TargetInfo.h"

namespace llpc {

struct Compiler::Impl {
  Impl(const pal::abi::GpuTarget &target, unsigned threadsPerPipeline)
      : target(target), threadsPerPipeline(threadsPerPipeline) {}

  const pal::abi::GpuTarget &target;
  const unsigned threadsPerPipeline; ///< CompilerOptions
  /// Shared by all threads; it keeps a pool of target machines and pass managers inside.
  lgc::Backend backend;
};

} // namespace llpc
