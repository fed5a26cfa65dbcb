//===- Progress.h - how far a long run has come ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shown on standard error for what takes longer than two seconds: a bar where that is a terminal,
/// else a line every ten seconds, for logs.
///
///   cli::Progress progress("kiln-replay", "pipelines", count, options.quiet);
///   for (...) { progress.update(done); ... }
#pragma once

#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <mutex>
#include <string>

namespace cli {

class Progress {
public:
  /// Where it is shown; tests have a clock and a stream of their own.
  struct Place {
    llvm::raw_ostream *stream = nullptr;
    bool isTerminal = false;
    std::function<double()> seconds; ///< since some moment
  };

  /// \p what: "pipelines". \p isQuiet: nothing is shown.
  Progress(std::string program, std::string what, size_t total, bool isQuiet);
  Progress(std::string program, std::string what, size_t total, Place place);
  /// Nothing of the bar stays.
  ~Progress();
  Progress(const Progress &) = delete;

  /// \p done of all are finished. For any thread.
  void update(size_t done);
  /// One more is.
  void step();
  /// Removes the bar, before something else is written; the next update() draws it again.
  void clear();

private:
  void show();
  void drawBar();

  std::string program, what;
  size_t total, done = 0;
  Place place;
  double start = 0, lastShown = 0;
  bool isDrawn = false;
  std::mutex mutex;
};

} // namespace cli
