//===- FallThroughTest.cpp - functions that fall through to glue ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/FallThrough.h"
#include "lgc/CompileError.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// "" or the message.
std::string check(StringRef body, StringRef type = "float") {
  const std::string text =
      ("--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_ps " + type +
       " @f() { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\nbody: |\n" + body)
          .str();
  std::string message = "not called";
  withMir("gfx1100", text, [&](MachineFunction &function) {
    // The parser takes for granted that an empty block goes on with the next one.
    for (MachineBasicBlock &block : function)
      while (block.empty() && !block.succ_empty())
        block.removeSuccessor(block.succ_begin());
    Error error = checkFallThrough(function);
    message = error ? consumeToText(std::move(error)).message : "";
  });
  return message;
}

TEST(FallThrough, AtTheEnd) {
  EXPECT_EQ(check("  bb.0:\n    SI_RETURN_TO_EPILOG $vgpr0\n"), "");
  // As LLVM does it when a block that ends the program is last.
  EXPECT_EQ(check("  bb.0:\n    S_BRANCH %bb.2\n  bb.1:\n    S_ENDPGM 0\n  bb.2:\n"), "");
  // Nobody falls through.
  EXPECT_EQ(check("  bb.0:\n    S_ENDPGM 0\n"), "");
  EXPECT_EQ(check("  bb.0:\n    S_BRANCH %bb.0\n"), "");
}

TEST(FallThrough, Elsewhere) {
  const char *first = "'f' returns in block 0, which is not the last one";
  EXPECT_EQ(check("  bb.0:\n    SI_RETURN_TO_EPILOG $vgpr0\n  bb.1:\n    S_ENDPGM 0\n"), first);
  // What was the end has been moved.
  EXPECT_EQ(check("  bb.0:\n    S_BRANCH %bb.1\n  bb.1:\n  bb.2:\n    S_ENDPGM 0\n"),
            "'f' returns in block 1, which is not the last one");
  // Without a result there is nothing to fall into.
  EXPECT_EQ(check("  bb.0:\n  bb.1:\n    S_ENDPGM 0\n", "void"), "");
}

} // namespace
