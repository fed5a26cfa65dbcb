//===- Picture.h - failed images for people --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../script/Scalar.h"

namespace exec {

/// Writes a PNG with three panels side by side: what came out, what was expected, and where they
/// differ (white: far apart). Layer 0 of mip 0, which \p actual and \p expected begin with.
/// Integers are scaled to their type's range, floating-point values shown from 0 to 1.
/// Errors: the file cannot be written.
llvm::Error writeComparison(const std::string &path, const ImageSpec &image, ScalarType type,
                            const Bytes &actual, const Bytes &expected);

} // namespace exec
