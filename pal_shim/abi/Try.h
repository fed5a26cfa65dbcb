//===- Try.h - handing errors on ------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
///     Module module = KILN_TRY(parse(bytes)); // parse() returns llvm::Expected<Module>
///     KILN_TRY(check(module));                // check() returns llvm::Error
///
/// An error is returned to the caller of the function (or lambda) that the line is in, which must
/// itself return llvm::Error or llvm::Expected. The rest of an llvm::Expected is its value. Handing
/// on is the only thing that is done so: who looks at an error writes it out.
#pragma once

#include "llvm/Support/Error.h"

namespace pal::abi::detail {

inline bool hasFailed(llvm::Error &error) { return static_cast<bool>(error); }
template <typename T> bool hasFailed(llvm::Expected<T> &value) { return !value; }

inline llvm::Error takeError(llvm::Error &error) { return std::move(error); }
template <typename T> llvm::Error takeError(llvm::Expected<T> &value) { return value.takeError(); }

inline void takeValue(llvm::Error &) {}
template <typename T> T takeValue(llvm::Expected<T> &value) { return std::move(*value); }

} // namespace pal::abi::detail

// A statement expression, which Clang and GCC have: the value is moved out of it.
#define KILN_TRY(...)                                                                              \
  ({                                                                                               \
    auto kilnTried = (__VA_ARGS__);                                                                \
    if (pal::abi::detail::hasFailed(kilnTried))                                                    \
      return pal::abi::detail::takeError(kilnTried);                                               \
    pal::abi::detail::takeValue(kilnTried);                                                        \
  })
