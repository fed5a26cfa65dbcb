//===- CompareTest.cpp - what changed between two reports -----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Compare.h"
#include "tools/report/LineMatches.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

namespace report {
namespace {

/// A report of one stage with two instructions of line 3, and one of line 4.
std::string reportOf(int vgprs, int stall, const std::string &name = "a.comp") {
  return R"({"format": 1, "sources": [{"name": "dir/a.comp"}], "pipelines": [{"name": ")" + name +
         R"(", "target": "gfx1100", "entry": "main", "stages": [{"stage": "cs", "figures": {"vgprs": )" +
         std::to_string(vgprs) +
         R"(, "waves_per_simd": 16}, "cycles": {"cycles": 10}, "code": {"place": [0, 0, 1],
             "places": [[[0, 3, ""]], [[0, 4, ""]]], "stall": [0, )" +
         std::to_string(stall) + R"(, 0], "stall_once": [0, 0, 0]}}]}]})";
}

/// With a second pipeline, which has no code.
std::string withAnother(const std::string &report) {
  return llvm::StringRef(report).drop_back(2).str() +
         R"(, {"name": "c.comp", "target": "gfx1100", "stages": []}]})";
}

/// \p report with another number of waves.
std::string withWaves(std::string report, int waves) {
  const llvm::StringRef key = "\"waves_per_simd\": ";
  return report.replace(report.find(key) + key.size(), 2, std::to_string(waves));
}

/// \p report, executed.
std::string withRun(std::string report, int cycles) {
  return report.insert(report.find("\"code\""),
                       "\"run\": {\"cycles\": " + std::to_string(cycles) + "}, ");
}

Comparison compare(const std::string &before, const std::string &after) {
  return llvm::cantFail(Comparison::read(before, after));
}

TEST(Compare, FiguresAndLines) {
  const Comparison c = compare(reportOf(10, 2), reportOf(12, 7, "other/folder/a.comp"));
  ASSERT_EQ(c.stages().size(), 1u);
  EXPECT_TRUE(c.stages()[0].isChanged());
  ASSERT_EQ(c.stages()[0].lines.size(), 1u);
  EXPECT_EQ(c.stages()[0].lines[0].place, "a.comp:3");
  EXPECT_EQ(c.stages()[0].lines[0].cyclesBefore, 4);
  EXPECT_EQ(c.stages()[0].lines[0].cyclesAfter, 9);
  EXPECT_NE(c.table().find("10 -> 12"), std::string::npos);
  EXPECT_NE(c.table().find("a.comp:3: instructions 2, cycles 4 -> 9"), std::string::npos);
  EXPECT_NE(c.markdown().find("**10 -> 12**"), std::string::npos);
  EXPECT_NE(c.table().find("1 of 1 stages changed"), std::string::npos);
}

TEST(Compare, Limits) {
  const Comparison c = compare(reportOf(10, 2), reportOf(12, 2));
  auto beyond = [&](const char *text) {
    return c.beyond({llvm::cantFail(parseComparisonLimit(text))}).size();
  };
  EXPECT_EQ(beyond("vgprs=0"), 1u);
  EXPECT_EQ(beyond("vgprs=2"), 0u);
  EXPECT_EQ(beyond("vgprs=20%"), 0u);
  EXPECT_EQ(beyond("vgprs=19%"), 1u);
  EXPECT_EQ(beyond("cycles=0"), 0u);
  for (const char *wrong : {"vgprs", "vgprs=", "vgprs=x", "vgprs=-1", "colour=1", "vgprs=nan"})
    EXPECT_FALSE(llvm::errorToBool(parseComparisonLimit(wrong).takeError()) == false) << wrong;
}

TEST(Compare, StagesOfOneReportOnly) {
  const Comparison c = compare(reportOf(10, 2), withAnother(reportOf(10, 2, "b.comp")));
  EXPECT_TRUE(c.stages().empty());
  EXPECT_NE(c.table().find("only before: a.comp"), std::string::npos);
  EXPECT_NE(c.table().find("only now: b.comp"), std::string::npos);
}

/// Reports come from files: whatever is in them is an error, or less is found.
TEST(Compare, WhatIsNoReport) {
  const std::string good = reportOf(1, 1);
  for (const char *bad : {"", "{", "[]", "{}", "{\"format\": 2}", "1"})
    EXPECT_TRUE(llvm::errorToBool(Comparison::read(bad, good).takeError())) << bad;
  for (
      const char *odd :
      {R"({"format": 1})", R"({"format": 1, "pipelines": 3})", R"({"format": 1, "pipelines": [1]})",
       R"({"format": 1, "pipelines": [{"stages": [{"code": {"place": [7, "x", -1], "places": [[]]}}]}]})",
       R"({"format": 1, "pipelines": [{"stages": [{"figures": [], "cycles": 1, "code": {"place": [0], "places": [[[]]]}}]}]})"})
    EXPECT_FALSE(llvm::errorToBool(Comparison::read(odd, odd).takeError())) << odd;
}

TEST(Compare, NamesInMarkdown) {
  const Comparison c = compare(reportOf(1, 1, "a|b<img>.comp"), reportOf(2, 1, "a|b<img>.comp"));
  EXPECT_EQ(c.markdown().find("<img>"), std::string::npos);
  EXPECT_NE(c.markdown().find("a\\|b\\<img\\>.comp"), std::string::npos);
}

TEST(Compare, OnePipelineWhateverItsName) {
  const std::string other = reportOf(12, 2, "b.comp");
  const Comparison single = compare(reportOf(10, 2), other);
  ASSERT_EQ(single.stages().size(), 1u);
  EXPECT_EQ(single.stages()[0].pipeline, "b.comp");
  // Of two nobody knows which is meant.
  EXPECT_EQ(compare(withAnother(reportOf(10, 2)), other).stages().size(), 0u);
}

TEST(Compare, PlainFigures) {
  const std::string before =
      plainReport({{"a.comp", "gfx1100", "main", "cs", {{"vgprs", 14}, {"waves_per_simd", 16}}}});
  const Comparison c = compare(before, reportOf(10, 2));
  ASSERT_EQ(c.stages().size(), 1u);
  EXPECT_EQ(c.stages()[0].before[0], 14);
  EXPECT_FALSE(c.stages()[0].before[1]);
  EXPECT_TRUE(c.stages()[0].lines.empty());
  EXPECT_NE(c.table().find("? -> 10"), std::string::npos); // cycles
  const ComparisonLimit none{"cycles", 0, false};
  EXPECT_TRUE(c.beyond(none).empty());
  // What only one of them knows is no change.
  const std::string same = plainReport({{"a.comp", "gfx1100", "main", "cs", {{"vgprs", 10}}}});
  EXPECT_FALSE(compare(same, reportOf(10, 2)).stages()[0].isChanged());
}

TEST(Compare, ExecutedCycles) {
  const std::string report = reportOf(10, 2);
  EXPECT_EQ(compare(report, report).markdown().find("executed"), std::string::npos);
  const Comparison c = compare(withRun(report, 700), withRun(report, 900));
  EXPECT_TRUE(c.stages()[0].isChanged());
  EXPECT_NE(c.table().find("executed cycles"), std::string::npos);
  EXPECT_NE(c.table().find("700 -> 900"), std::string::npos);
  EXPECT_NE(c.page().find("700 -&gt; 900"), std::string::npos);
  EXPECT_EQ(c.beyond({llvm::cantFail(parseComparisonLimit("executed_cycles=10%"))}).size(), 1u);
  // One of them was not executed.
  EXPECT_NE(compare(reportOf(9, 2), withRun(report, 900)).table().find("? -> 900"),
            std::string::npos);
}

/// Lines of equal text are the same line; those between them go in turn.
TEST(Compare, MatchedLines) {
  using List = std::vector<uint32_t>;
  EXPECT_EQ(matchLines("a\nb\nc", "a\nnew\nnew2\n  b\nc"), (List{1, 4, 5}));
  EXPECT_EQ(matchLines("a\nb\nc", "a\nB\nc"), (List{1, 2, 3}));
  EXPECT_EQ(matchLines("a\nb\nx\nc", "a\nB\nc"), (List{1, 2, 0, 3}));
  EXPECT_EQ(matchLines("a\nb\nc", "c"), (List{0, 0, 1}));
}

/// Line 3 of the text before is line 5 now.
TEST(Compare, LinesThatMoved) {
  std::string before = reportOf(10, 2), after = reportOf(12, 7, "new.comp");
  auto replace = [](std::string &report, const std::string &from, const std::string &to) {
    report.replace(report.find(from), from.size(), to);
  };
  replace(before, R"("dir/a.comp")", R"("dir/a.comp", "text": "1\n2\nthree();\nfour();\n")");
  replace(after, R"("dir/a.comp")",
          R"("dir/new.comp", "text": "1\n2\nx\ny\n three();\nfour();\n")");
  replace(after, "[[0, 3, \"\"]]", "[[0, 5, \"\"]]");
  replace(after, "[[0, 4, \"\"]]", "[[0, 6, \"\"]]");
  const Comparison c = compare(before, after);
  ASSERT_EQ(c.stages()[0].lines.size(), 1u);
  EXPECT_EQ(c.stages()[0].lines[0].place, "new.comp:5");
  EXPECT_EQ(c.stages()[0].lines[0].text, "three();");
  EXPECT_EQ(c.stages()[0].lines[0].cyclesBefore, 4);
  EXPECT_EQ(c.stages()[0].lines[0].cyclesAfter, 9);
}

TEST(Compare, Page) {
  const std::string page =
      compare(withWaves(reportOf(10, 2), 12), reportOf(12, 7, "<b>.comp")).page();
  EXPECT_NE(page.find("<td class=\"worse\" title=\"worse\">10 -&gt; 12"), std::string::npos);
  // The sign says where the number went, the colour what that means.
  EXPECT_NE(page.find("<td class=\"better\" title=\"better\">12 -&gt; 16 \u25B2"),
            std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;.comp"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("a.comp:3"), std::string::npos);
}

} // namespace
} // namespace report
