//===- GitTrees.h - files as they were in a revision ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace amdllpc {

/// Trees of revisions, unpacked whole, so that files which shaders include are those of the
/// revision, too. They are gone with the object.
class GitTrees {
public:
  GitTrees() = default;
  GitTrees(const GitTrees &) = delete;
  ~GitTrees();

  /// "git:REVISION:PATH", with a path from the top of the repository of the current folder, or
  /// from the current folder if it begins with "./". Errors: no such revision, nothing there.
  llvm::Expected<std::string> find(llvm::StringRef spec);
  /// \p path as it was in \p revision of the repository that it lies in. Errors: as above.
  llvm::Expected<std::string> find(llvm::StringRef revision, llvm::StringRef path);

private:
  llvm::Expected<std::string> treeOf(const std::string &top, llvm::StringRef revision);

  std::map<std::pair<std::string, std::string>, std::string> trees; ///< by repository and revision
  std::vector<std::string> folders;
};

/// Is it "git:..."?
inline bool namesRevision(llvm::StringRef text) { return text.starts_with("git:"); }

} // namespace amdllpc
