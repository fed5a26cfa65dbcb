//===- TextTest.cpp - texts of a report: sources, changes, the page -------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Page.h"
#include "tools/report/Sources.h"
#include "tools/report/TextChanges.h"
#include "gtest/gtest.h"

namespace report {
namespace {

using Lines = std::vector<llvm::StringRef>;

std::vector<std::string> applied(const Lines &before, llvm::ArrayRef<TextChange> changes) {
  std::vector<std::string> result;
  size_t at = 0;
  for (const TextChange &change : changes) {
    for (; at < change.begin; ++at)
      result.push_back(before[at].str());
    result.insert(result.end(), change.added.begin(), change.added.end());
    at += change.removed;
  }
  for (; at < before.size(); ++at)
    result.push_back(before[at].str());
  return result;
}

TEST(TextChanges, FindsWhatIsNew) {
  const Lines before = {"a", "b", "c", "d", "e"}, after = {"a", "x", "c", "e", "f"};
  const std::vector<TextChange> changes = changesOf(before, after);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].begin, 1u);
  EXPECT_EQ(changes[0].removed, 1u);
  EXPECT_EQ(changes[0].added, std::vector<std::string>{"x"});
  EXPECT_EQ(changes[1].removed, 1u);
  EXPECT_TRUE(changes[1].added.empty());
  EXPECT_EQ(changes[2].begin, 5u);
}

TEST(TextChanges, AnyTwoTexts) {
  const llvm::StringRef words[] = {"a", "b", "c", "d", "", "f"};
  uint32_t seed = 7;
  auto text = [&] {
    Lines lines;
    for (unsigned i = 0, n = (seed >> 20) % 40; i < n; ++i) {
      seed = seed * 1664525 + 1013904223;
      lines.push_back(words[(seed >> 16) % 6]);
    }
    seed = seed * 1664525 + 1013904223;
    return lines;
  };
  for (unsigned round = 0; round < 500; ++round) {
    const Lines before = text(), after = text();
    const std::vector<std::string> made = applied(before, changesOf(before, after));
    EXPECT_EQ(Lines(made.begin(), made.end()), after);
  }
}

TEST(TextChanges, ReadableIr) {
  const ReadableIr ir = readableIr("; ModuleID = 'x'\nsource_filename = \"x\"\n"
                                   "define void @f(i32 %a) #0 !dbg !3 {\n"
                                   "  %v = add i32 %a, 1, !dbg !7\n"
                                   "  store i32 %v, ptr null, align 4, !range !9, !dbg !8\n"
                                   "  call void @g(metadata !\"text, !x\")\n"
                                   "  ret void\n}\n\n\n!7 = !DILocation(line: 12, scope: !3)\n"
                                   "!2 = !DIFile(filename: \"a.comp\", directory: \"\")\n"
                                   "!3 = distinct !DISubprogram(name: \"f\", file: !2, line: 1)\n"
                                   "!8 = distinct !DILocation(line: 13, column: 2, scope: !3)\n");
  EXPECT_EQ(ir.lines, (std::vector<std::string>{
                          "define void @f(i32 %a) #0 {", "  %v = add i32 %a, 1",
                          "  store i32 %v, ptr null, align 4",
                          "  call void @g(metadata !\"text, !x\")", "  ret void", "}", ""}));
  EXPECT_EQ(ir.sourceLines, (std::vector<uint32_t>{0, 12, 13, 0, 0, 0, 0}));
  EXPECT_EQ(ir.files, std::vector<std::string>{"a.comp"});
  EXPECT_EQ(ir.fileOf[1], 0u);
}

/// Whatever shaders are called and say, it is data of the page.
TEST(Page, DataIsNoMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><!--&amp;";
  const std::string page = pageWith("{\"name\":\"" + hostile + "\"}");
  EXPECT_EQ(page.find(hostile), std::string::npos);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

std::vector<uint32_t> instruction(uint32_t opcode, std::vector<uint32_t> operands) {
  operands.insert(operands.begin(), uint32_t(operands.size() + 1) << 16 | opcode);
  return operands;
}
std::vector<uint32_t> moduleOf(std::initializer_list<std::vector<uint32_t>> instructions) {
  std::vector<uint32_t> words = {0x07230203, 0x00010600, 0, 50, 0};
  for (const std::vector<uint32_t> &each : instructions)
    words.insert(words.end(), each.begin(), each.end());
  return words;
}
constexpr uint32_t abc = 0x00636261;

TEST(Sources, OpSourceIsRead) {
  constexpr uint32_t opSource = 3, opSourceContinued = 2, opString = 7, opLine = 8;
  const std::vector<uint32_t> words =
      moduleOf({instruction(opString, {4, abc}), instruction(opSource, {2, 450, 4, abc}),
                instruction(opSourceContinued, {abc})});
  EXPECT_EQ(sourcesOf(words), (std::vector<Source>{{"abc", "GLSL", "abcabc"}}));
  EXPECT_FALSE(hasLines(words));
  EXPECT_TRUE(hasLines(moduleOf({instruction(opLine, {4, 1, 1})})));
  // Cut off anywhere: less is found, nothing else happens.
  for (size_t size = 0; size <= words.size(); ++size)
    sourcesOf(llvm::ArrayRef(words).take_front(size));
}

/// Sections of a .pipe file are one text; texts of one name that contradict each other are two.
TEST(Sources, PartsOfAFileAreOne) {
  std::vector<Source> sources;
  for (const char *text : {"\na\nb\n", "\n\n\n\nc", " \na\n", "\nd\n"})
    addSource(sources, {"f.pipe", "GLSL", text});
  addSource(sources, {"g.pipe", "GLSL", "x"});
  EXPECT_EQ(sources, (std::vector<Source>{{"f.pipe", "GLSL", " \na\nb\n\nc"},
                                          {"f.pipe", "GLSL", "\nd\n"},
                                          {"g.pipe", "GLSL", "x"}}));
}

TEST(Sources, LinesOfTheDisassembly) {
  constexpr uint32_t opEntryPoint = 15, opFunction = 54, opLabel = 248, opReturn = 253,
                     opFunctionEnd = 56, opNop = 0;
  const std::vector<uint32_t> words =
      moduleOf({instruction(opEntryPoint, {5, 2, abc}), instruction(opFunction, {1, 2, 0, 3}),
                instruction(opLabel, {5}), instruction(opNop, {}), instruction(opReturn, {}),
                instruction(opFunctionEnd, {})});
  const llvm::StringRef text = "; comment\n; another\nOpEntryPoint \"a\n;b\"\n%2 = OpFunction\n\n"
                               "%5 = OpLabel\nOpNop\nOpReturn\nOpFunctionEnd\n";
  const DisassemblyLines lines = addDisassemblyLines(words, text, "a.spv").value();
  constexpr uint32_t file = 50; // the bound before
  EXPECT_EQ(lines.words[3], 51u);
  const std::vector<uint32_t> expected[] = {instruction(8, {file, 8, 0}),
                                            instruction(8, {file, 9, 0})};
  for (const std::vector<uint32_t> &line : expected)
    EXPECT_NE(std::search(lines.words.begin(), lines.words.end(), line.begin(), line.end()),
              lines.words.end());
  EXPECT_TRUE(hasLines(lines.words));
  // Text that does not fit: the module as it was.
  EXPECT_FALSE(addDisassemblyLines(words, "OpNop\n", "a.spv"));
}

} // namespace
} // namespace report
