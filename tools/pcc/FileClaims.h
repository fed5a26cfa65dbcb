//===- FileClaims.h - what files a run reads and writes -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace pcc {

/// No file is written that is read, or written as something else, however its path is spelled and
/// through whatever links. Only devices such as /dev/null and terminals may be several things.
class FileClaims {
public:
  /// \p option: "--log". Errors: InvalidInput with both uses.
  llvm::Error write(const std::string &path, llvm::StringRef option);
  /// Errors: it is written.
  llvm::Error read(const std::string &path) const;

private:
  struct Use {
    std::string option, path;
  };
  const Use *find(const std::vector<std::string> &names) const;

  std::map<std::string, Use> written; ///< by all names that stand for a file
};

} // namespace pcc
