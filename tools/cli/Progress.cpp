//===- Progress.cpp - how far a long run has come -------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cli/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <chrono>

namespace cli {

namespace {

constexpr double patience = 2;                           // seconds in which nothing is shown
constexpr double secondsOfBar = 0.1, secondsOfLine = 10; // between two

Progress::Place standardError(bool isQuiet) {
  if (isQuiet)
    return {};
  auto seconds = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  return {&llvm::errs(), llvm::sys::Process::StandardErrIsDisplayed(), seconds};
}

} // namespace

Progress::Progress(std::string program, std::string what, size_t total, bool isQuiet)
    : Progress(std::move(program), std::move(what), total, standardError(isQuiet)) {}

Progress::Progress(std::string program, std::string what, size_t total, Place where)
    : program(std::move(program)), what(std::move(what)), total(total), place(std::move(where)) {
  if (place.stream)
    start = place.seconds();
  lastShown = start;
}

Progress::~Progress() { clear(); }

void Progress::update(size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  done = count;
  show();
}

void Progress::step() {
  std::lock_guard<std::mutex> lock(mutex);
  ++done;
  show();
}

void Progress::show() {
  // Of a single thing there is nothing to count.
  if (!place.stream || total < 2)
    return;
  const double now = place.seconds();
  const double interval = place.isTerminal ? secondsOfBar : secondsOfLine;
  if (now - start < patience || (lastShown > start && now - lastShown < interval))
    return;
  lastShown = now;
  if (place.isTerminal)
    drawBar();
  else if (done < total)
    *place.stream << llvm::formatv("{0}: {1} of {2} {3}, {4:f0} s\n", program, done, total, what,
                                   now - start);
  place.stream->flush();
}

void Progress::drawBar() {
  constexpr size_t width = 40;
  const size_t filled = std::min(done, total) * width / total;
  *place.stream << "\r[" << std::string(filled, '#') << std::string(width - filled, ' ') << "] "
                << done << '/' << total << ' ' << what;
  isDrawn = true;
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!isDrawn)
    return;
  *place.stream << "\r\x1b[K";
  place.stream->flush();
  isDrawn = false;
  lastShown = start; // drawn again at once
}

} // namespace cli
