//===- ControlDefects.h - what the control is known to do wrong -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// lavapipe is the control, not the device under test: where it is wrong and somebody has written
/// that down (control-defects.txt), that is said and counts as no failure. What it gets wrong
/// depends on the processor, because LLVM compiles its shaders for it, and on the width of its
/// vectors.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace exec {

/// What a defect may depend on.
struct ControlHost {
  bool hasAvx512 = false;  ///< the processor, and so the operations that LLVM chooses
  unsigned vectorBits = 0; ///< of lavapipe's vectors: 32 for each invocation of a subgroup
};
/// \p subgroupSize: of lavapipe.
ControlHost controlHost(unsigned subgroupSize);

class ControlDefects {
public:
  /// Lines `TEST | HOSTS | WHAT`, `#` begins comments. Errors: a line that is not so, with its
  /// number.
  static llvm::Expected<ControlDefects> parse(llvm::StringRef text, const ControlHost &host);
  /// An empty name: no defects. Errors: no such file; those of parse().
  static llvm::Expected<ControlDefects> load(const std::string &path, const ControlHost &host);

  /// What is known to be wrong in a test of this name on this host, or empty.
  llvm::StringRef find(llvm::StringRef test) const;

private:
  struct Row {
    std::string test, what;
  };
  std::vector<Row> rows; ///< those that hold on this host
};

} // namespace exec
