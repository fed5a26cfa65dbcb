//===- CompilerImpl.h - what a Compiler holds -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "pal_shim/abi/TargetInfo.h"

namespace llpc {

struct Compiler::Impl {
  explicit Impl(const pal::abi::GpuTarget &target) : target(target) {}

  const pal::abi::GpuTarget &target;
};

} // namespace llpc
