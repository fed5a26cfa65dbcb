//===- CompilerIdentity.h - which compiler makes the code -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace icd {

/// What code and keys depend on besides their inputs: the sources of compiler and driver, the
/// Vulkan headers and the LLVM library that is loaded. The same in all programs of one version, so
/// that each takes what the others have stored: the driver, kiln-replay, kiln-pcc. Empty if LLVM's
/// library does not say which one it is.
std::string compilerIdentity();

} // namespace icd
