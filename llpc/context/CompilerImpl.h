//===- CompilerImpl.h - what a Compiler holds -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/TargetInfo.h"

namespace llpc {

struct Compiler::Impl {
  Impl(const pal::abi::GpuTarget &target, const CompilerOptions &options)
      : target(target), threadsPerPipeline(options.threadsPerPipeline),
        backend({.directGlue = options.directGlue}) {}

  const pal::abi::GpuTarget &target;
  const unsigned threadsPerPipeline; ///< CompilerOptions
  /// Shared by all threads; it keeps a pool of target machines and pass managers inside.
  lgc::Backend backend;
};

} // namespace llpc
