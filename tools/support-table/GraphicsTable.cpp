//===- GraphicsTable.cpp - graphics features and what tests them ----------===//
// SPDX-License-Identifier: MIT
#include "tools/support-table/GraphicsTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace supporttable {
namespace {

/// A row of GraphicsFeatures.def. A row with `area` alone begins a group.
struct GraphicsFeature {
  llvm::StringLiteral area = "", what = "", where = "", message = "", words = "", tests = "";
};
constexpr GraphicsFeature graphicsFeatures[] = {
#define GROUP(area) {area},
#define FEATURE_WITH(what, where, words, tests) {"", what, where, "", words, tests},
#define LATER_WITH(what, message, words, tests)                                                    \
  {"", what, "gfx10.3 and later", message, words, tests},
#define REFUSED(what, message, tests) {"", what, "", message, "", tests},
#include "GraphicsFeatures.def"
};

/// What results are compared with.
struct Judges {
  bool lavapipe = false, formulas = false;

  bool any() const { return lavapipe || formulas; }
  Judges &operator|=(const Judges &other) {
    lavapipe |= other.lavapipe;
    formulas |= other.formulas;
    return *this;
  }
};

/// Tests that execute code other than by scripts: what they compare with, as test/exec/README.md
/// and their own texts say.
struct Runner {
  llvm::StringLiteral test;
  Judges judges;
};
constexpr Runner runners[] = {
    {"exec-ngg", {true, true}},
    {"exec-parts", {true, true}},
    {"icd_glue/wsi/WaylandWindowTest.cpp", {false, true}},
    {"test/color-export/ColorExportTest.cpp", {false, true}},
    {"test/exec/random_fragment.py", {true, false}},
    {"test/exec/random_geometry.py", {true, false}},
    {"test/exec/random_mesh.py", {true, false}},
    {"test/exec/random_mesh_outputs.py", {false, true}},
    {"test/exec/random_tessellation.py", {true, false}},
    {"test/vertex-fetch/VertexFetchTest.cpp", {false, true}},
};

/// Does \p test execute code? A name without a folder is one of ctest's.
bool executes(StringRef test) {
  return test.starts_with("test/exec/") || test.starts_with("test/api/") ||
         llvm::any_of(runners, [&](const Runner &runner) { return runner.test == test; });
}

/// Who judges what the test prints or draws, by its directives `compare` and `expect`.
llvm::ErrorOr<Judges> judgesOf(StringRef test) {
  for (const Runner &runner : runners)
    if (runner.test == test)
      return runner.judges;
  if (test.starts_with("test/api/"))
    return Judges{false, true};
  auto file = llvm::MemoryBuffer::getFile(test);
  if (!file)
    return file.getError();
  Judges judges;
  for (StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    if (!line.consume_front("//! ") && !line.consume_front(";! "))
      continue;
    judges.lavapipe |= line.starts_with("compare ");
    judges.formulas |= line.starts_with("expect ");
  }
  return judges;
}

void printLinks(llvm::raw_ostream &os, llvm::ArrayRef<StringRef> tests) {
  os << " |" << (tests.empty() ? " -" : "");
  for (StringRef test : tests) {
    const StringRef file = test.contains('/') ? test : "test/exec/README.md";
    StringRef name = test;
    name.consume_front("test/");
    os << " [" << name << "](" << file << ')';
  }
}

bool printRow(const GraphicsFeature &feature, llvm::raw_ostream &os, llvm::raw_ostream &errors) {
  bool isGood = true;
  os << "| " << feature.what << " | ";
  if (feature.where.empty())
    os << "no: \"" << feature.message << '"';
  else if (feature.message.empty())
    os << feature.where;
  else
    os << feature.where << "; else \"" << feature.message << '"';
  llvm::SmallVector<StringRef, 8> tests, compiled, executed;
  feature.tests.split(tests, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef test : tests)
    (executes(test) ? executed : compiled).push_back(test);
  printLinks(os, compiled);
  printLinks(os, executed);
  Judges judges;
  for (StringRef test : executed) {
    const auto some = judgesOf(test);
    if (!some || !some->any()) {
      errors << "support-table: " << test << ": "
             << (some ? "compares with nothing" : some.getError().message()) << '\n';
      isGood = false;
      continue;
    }
    judges |= *some;
  }
  os << " | " << (judges.lavapipe ? "lavapipe" : "")
     << (judges.lavapipe && judges.formulas ? ", " : "") << (judges.formulas ? "formulas" : "")
     << (judges.any() ? "" : "-") << " |\n";
  return isGood;
}

} // namespace

bool printGraphicsFeatures(llvm::raw_ostream &os, llvm::raw_ostream &errors) {
  os << "\nGraphics features and shader extensions. The second column: the generations that have "
        "it, "
        "and the message that the others give. Then the tests that look at the compiled code, "
        "those "
        "that execute it on the software device, and what the results are compared with: the "
        "picture "
        "or the buffers of lavapipe, or formulas in the test, made from the specification "
        "(lavapipe runs these tests too, unless the test says why not: a feature that it lacks, or "
        "a defect). On top of that, `diff-pairs` "
        "executes the vertex, tessellation, geometry and fragment shaders of the corpus, with "
        "neighbours made for those that belong to no pipeline, and compares the pictures with "
        "lavapipe's; [diff-exceptions.txt](test/exec/diff-exceptions.txt) says what it leaves out, "
        "and why.\n\n"
        "| Feature | Where | Compiled | Executed | Compared with |\n|---|---|---|---|---|\n";
  bool isGood = true;
  for (const GraphicsFeature &feature : graphicsFeatures) {
    if (!feature.area.empty())
      os << "| **" << feature.area << "** | | | | |\n";
    else
      isGood &= printRow(feature, os, errors);
  }
  return isGood;
}

void printTests(llvm::raw_ostream &os) {
  for (const GraphicsFeature &feature : graphicsFeatures)
    if (feature.area.empty())
      os << feature.tests << '\t' << feature.message << '\t' << feature.words << '\t'
         << feature.what << '\n';
}

} // namespace supporttable
