//===- Faults.h - what is wrong in a file ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// All errors of a file are reported in one run: whoever finds one notes it here and reads on, as
/// long as what follows does not depend on it.
///
///     const size_t before = faults.size();
///     faults.note(readThis());
///     faults.note(readThat());
///     return faults.since(before); // to the caller, who needs both
#pragma once

#include "tools/replay/JsonText.h"
#include <vector>

namespace pcc {

using replay::TextPlace;

/// An error or a warning.
struct Message {
  bool isError = false;
  std::string pipeline; ///< identifier; empty: not known, or none
  TextPlace place;      ///< its file is empty where there is none
  std::string text;
};

/// The errors are noted already.
class Noted : public llvm::ErrorInfo<Noted> {
public:
  static char ID;
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;
};

class Faults {
public:
  /// More are not looked for.
  static constexpr size_t most = 100;

  /// Nothing happens for success, for Noted, and for what is there already; when isFull(), errors
  /// are only counted.
  void note(llvm::Error error);
  void warn(TextPlace place, std::string text);

  /// Grows with every error.
  size_t size() const { return count; }
  bool isFull() const { return count >= most; }
  /// Noted unless there are no more errors than \p before.
  llvm::Error since(size_t before) const;
  /// In the order of their places.
  std::vector<Message> take();

private:
  void add(Message message);

  std::vector<Message> messages;
  size_t count = 0;
};

} // namespace pcc
