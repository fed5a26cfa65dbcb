//===- Recorded.h - results of another vendor's GPU -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A text file with what test files wrote on a GPU that this machine need not have, and whose it
/// was. Lines:
///
///     device NAME, driver NAME INFO, vulkan MAJOR.MINOR.PATCH, date YYYY-MM-DD
///     differs CASE: WHY          it does not give there what the test file expects; no results
///     case CASE                  file name and variant
///     result RESOURCE            what `expect` or `compare` names,
///      W W*N ...                 in words, hexadecimal; *N: N times
///
/// `#` begins comments.
#pragma once

#include "../script/Script.h"
#include "../vk/Instance.h"
#include <map>

namespace exec {

class Recorded {
public:
  /// Errors: no such file; a line that is not so, with its number.
  static llvm::Expected<Recorded> load(const std::string &path);
  /// Of results of this device.
  static Recorded begin(const PhysicalDevice &device);

  /// What a case wrote: for each expectation the part of the resource that it is about.
  void add(const Case &test, llvm::ArrayRef<Bytes> results);
  /// It wrote something else than its file expects.
  void addDifference(const Case &test, llvm::StringRef why);
  llvm::Error write(const std::string &path) const;

  /// The first difference of a case to what is recorded, within the tolerances of its expectations;
  /// empty: none, or nothing is recorded of this case. Remembers that the case was seen.
  std::string compare(const Case &test, llvm::ArrayRef<Bytes> results);
  /// Recorded cases that compare() has not seen.
  std::vector<std::string> unseen() const;

private:
  struct Result {
    std::string resource;
    Bytes bytes;
  };
  struct Entry {
    std::vector<Result> results;
    std::string difference; ///< then there are none
    bool isSeen = false;
  };
  llvm::Error readLine(llvm::StringRef line, Entry *&entry);

  /// The case's name without folders.
  static std::string nameOf(const Case &test);

  std::string origin; ///< the line
  std::map<std::string, Entry> entries;
};

} // namespace exec
