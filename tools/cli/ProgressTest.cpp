//===- ProgressTest.cpp - bars and lines of long runs ---------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cli/Progress.h"
#include "gtest/gtest.h"

namespace cli {
namespace {

/// A stream and a clock that the test moves.
struct Scene {
  std::string text;
  llvm::raw_string_ostream stream{text};
  double now = 100;

  Progress::Place place(bool isTerminal) {
    return {&stream, isTerminal, [this] { return now; }};
  }
  std::string take() {
    stream.flush();
    return std::exchange(text, "");
  }
};

TEST(Progress, NothingInTwoSeconds) {
  Scene scene;
  {
    Progress progress("tool", "files", 10, scene.place(true));
    scene.now += 1.9;
    progress.update(5);
  }
  EXPECT_EQ(scene.take(), "");
}

TEST(Progress, BarOfATerminal) {
  Scene scene;
  Progress progress("tool", "files", 4, scene.place(true));
  scene.now += 2.5;
  progress.update(1);
  EXPECT_EQ(scene.take(), "\r[" + std::string(10, '#') + std::string(30, ' ') + "] 1/4 files");
  scene.now += 0.05; // too soon
  progress.update(2);
  EXPECT_EQ(scene.take(), "");
  progress.clear();
  EXPECT_EQ(scene.take(), "\r\x1b[K");
  progress.clear();
  EXPECT_EQ(scene.take(), "");
  progress.update(2); // it was removed for other output: again at once
  EXPECT_EQ(scene.take(), "\r[" + std::string(20, '#') + std::string(20, ' ') + "] 2/4 files");
}

TEST(Progress, LinesOfALog) {
  Scene scene;
  Progress progress("tool", "files", 1000, scene.place(false));
  for (int i = 0; i < 100; ++i) {
    scene.now += 0.25;
    progress.step();
  }
  EXPECT_EQ(scene.take(), "tool: 8 of 1000 files, 2 s\ntool: 48 of 1000 files, 12 s\n"
                          "tool: 88 of 1000 files, 22 s\n");
}

TEST(Progress, QuietAndSingle) {
  Scene scene;
  Progress quiet("tool", "files", 10, /*isQuiet=*/true);
  quiet.update(5);
  Progress single("tool", "files", 1, scene.place(true));
  scene.now += 60;
  single.update(0);
  EXPECT_EQ(scene.take(), "");
}

} // namespace
} // namespace cli
