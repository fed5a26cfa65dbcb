// SPDX-License-Identifier: MIT
// Blocks in order, edges and masks of small functions; what they compute is tested by execution.
#include "lgc/direct/shader/Flow.h"
#include "lgc/direct/shader/Locations.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <random>

using namespace lgc::direct;

namespace {

/// A function with a scalar and a vector argument, decided.
struct Decided {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  Flow flow;
  std::unique_ptr<Locations> locations;
  std::string refusal;
  bool isBuilt = false;

  explicit Decided(const std::string &body) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString("declare void @use(i32)\n"
                                       "define amdgpu_cs void @f(i32 inreg %s, i32 %v) {\n" +
                                           body + "}\n",
                                       diagnostic, context);
    if (!module) {
      ADD_FAILURE() << diagnostic.getMessage().str();
      return;
    }
    const llvm::Function &function = *module->getFunction("f");
    isBuilt = flow.build(function, refusal);
    if (isBuilt)
      locations = std::make_unique<Locations>(function, flow);
  }

  uint32_t place(llvm::StringRef name) const {
    for (const llvm::BasicBlock &block : *module->getFunction("f"))
      if (block.getName() == name)
        return flow.blockOf(&block);
    ADD_FAILURE() << name.str();
    return 0;
  }
  const FlowBlock &block(llvm::StringRef name) const { return flow.blocks()[place(name)]; }
  bool isVector(llvm::StringRef name) const {
    for (const llvm::BasicBlock &block : *module->getFunction("f"))
      for (const llvm::Instruction &inst : block)
        if (inst.getName() == name)
          return locations->isVector(&inst);
    ADD_FAILURE() << name.str();
    return false;
  }
};

TEST(Flow, ScalarBranchesJump) {
  const Decided f("entry:\n %c = icmp eq i32 %s, 0\n br i1 %c, label %then, label %else\n"
                  "then:\n br label %join\n"
                  "else:\n br label %join\n"
                  "join:\n %p = phi i32 [ 1, %then ], [ %s, %else ]\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  for (const FlowBlock &block : f.flow.blocks()) {
    EXPECT_EQ(block.mask, MaskKind::None);
    EXPECT_FALSE(block.mayBeEmpty);
  }
  EXPECT_FALSE(f.isVector("p"));
}

TEST(Flow, LanesOfBothBranchesMeetAgain) {
  const Decided f("entry:\n %c = icmp eq i32 %v, 0\n br i1 %c, label %then, label %else\n"
                  "then:\n br label %join\n"
                  "else:\n br label %join\n"
                  "join:\n %p = phi i32 [ 1, %then ], [ 2, %else ]\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  EXPECT_EQ(f.block("entry").kinds[0], EdgeKind::Narrow);
  EXPECT_EQ(f.block("entry").kinds[1], EdgeKind::Masked);
  EXPECT_EQ(f.block("else").mask, MaskKind::Set);
  EXPECT_EQ(f.block("join").mask, MaskKind::Saved);
  EXPECT_EQ(f.block("join").savedAt, f.place("entry"));
  EXPECT_TRUE(f.isVector("p"));
  // Nobody in `then`: on to `else`; nobody there either cannot be, `join` has them all.
  EXPECT_EQ(f.flow.skip(f.place("then")), f.place("else"));
  EXPECT_EQ(f.flow.resume(f.place("then")), f.place("else"));
  EXPECT_FALSE(f.block("join").mayBeEmpty);
}

/// A scalar branch over a block in which lanes wait cannot jump.
TEST(Flow, NobodyJumpsOverLanesThatWait) {
  const Decided f("entry:\n %c = icmp eq i32 %v, 0\n br i1 %c, label %then, label %else\n"
                  "then:\n %d = icmp eq i32 %s, 0\n br i1 %d, label %far, label %near\n"
                  "near:\n br label %else\n"
                  "else:\n br label %far\n"
                  "far:\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  for (EdgeKind kind : f.block("then").kinds)
    EXPECT_NE(kind, EdgeKind::Direct);
}

TEST(Flow, WhatLanesTakeOutOfALoopIsAVector) {
  const Decided f("entry:\n br label %loop\n"
                  "loop:\n %i = phi i32 [ 0, %entry ], [ %next, %more ]\n"
                  " %next = add i32 %i, 1\n %square = mul i32 %i, %i\n"
                  " %c = icmp ult i32 %i, %v\n br i1 %c, label %more, label %out\n"
                  "more:\n br label %loop\n"
                  "out:\n call void @use(i32 %square)\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  ASSERT_EQ(f.flow.loops().size(), 1u);
  EXPECT_TRUE(f.flow.loops()[0].hasMaskedExit);
  EXPECT_TRUE(f.isVector("square"));
  EXPECT_FALSE(f.isVector("i")); // only the loop reads it
  EXPECT_EQ(f.block("out").mask, MaskKind::Saved);
}

TEST(Flow, ScalarLoopsHaveNoMasks) {
  const Decided f("entry:\n br label %loop\n"
                  "loop:\n %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n %next = add i32 %i, 1\n"
                  " %c = icmp ult i32 %next, %s\n br i1 %c, label %loop, label %out\n"
                  "out:\n call void @use(i32 %i)\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  EXPECT_FALSE(f.flow.loops()[0].hasMaskedExit);
  EXPECT_FALSE(f.isVector("i"));
}

/// One jump back for several, at the end of the loop.
TEST(Flow, ContinuesAreJoined) {
  const Decided f("entry:\n br label %loop\n"
                  "loop:\n %i = phi i32 [ 0, %entry ], [ %a, %one ], [ %b, %two ]\n"
                  " %c = icmp eq i32 %v, %i\n br i1 %c, label %one, label %rest\n"
                  "one:\n %a = add i32 %i, 1\n br label %loop\n"
                  "rest:\n %d = icmp eq i32 %s, %i\n br i1 %d, label %two, label %out\n"
                  "two:\n %b = add i32 %i, 2\n br label %loop\n"
                  "out:\n ret void\n");
  ASSERT_TRUE(f.isBuilt);
  ASSERT_EQ(f.flow.loops().size(), 1u);
  const FlowLoop &loop = f.flow.loops()[0];
  EXPECT_EQ(loop.first, f.place("loop"));
  const FlowBlock &latch = f.flow.blocks()[loop.last];
  EXPECT_EQ(latch.ir, nullptr);
  ASSERT_EQ(latch.successors.size(), 1u);
  EXPECT_EQ(latch.successors[0], loop.first);
  EXPECT_GT(f.place("out"), loop.last);
  EXPECT_TRUE(f.isVector("i")); // lanes come with different steps
}

TEST(Flow, IrreducibleFlowIsRefused) {
  const Decided f("entry:\n %c = icmp eq i32 %s, 0\n br i1 %c, label %a, label %b\n"
                  "a:\n br label %b\n"
                  "b:\n %d = icmp eq i32 %s, 1\n br i1 %d, label %a, label %out\n"
                  "out:\n ret void\n");
  EXPECT_FALSE(f.isBuilt);
  EXPECT_EQ(f.refusal, "irreducible control flow");
}

/// \p count ifs, one behind the other.
std::string manyIfs(unsigned count) {
  std::string text = "entry:\n br label %b0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "b" + n + ":\n %c" + n + " = icmp ult i32 %v, " + n + "\n br i1 %c" + n +
            ", label %then" + n + ", label %b" + next + "\nthen" + n + ":\n call void @use(i32 " +
            n + ")\n br label %b" + next + "\n";
  }
  return text + "b" + std::to_string(count) + ":\n ret void\n";
}

TEST(Flow, ManyBlocksWaitForTheirNeighbours) {
  constexpr unsigned count = 20'000;
  const Decided f(manyIfs(count));
  ASSERT_TRUE(f.isBuilt) << f.refusal;
  ASSERT_EQ(f.flow.blocks().size(), 2 * count + 2u);
  for (unsigned i = 0; i < count; i += 997) {
    const uint32_t then = f.place("then" + std::to_string(i));
    const uint32_t join = f.place("b" + std::to_string(i + 1));
    EXPECT_EQ(f.flow.skip(then), join);
    EXPECT_EQ(f.flow.blocks()[join].mask, MaskKind::Saved);
    EXPECT_EQ(f.flow.blocks()[join].savedAt, f.place("b" + std::to_string(i)));
  }
}

TEST(Flow, LoopsWithoutEndAreRefused) {
  constexpr unsigned depth = 10'000;
  std::string text = "entry:\n br label %h0\n";
  for (unsigned i = 0; i < depth; ++i)
    text += "h" + std::to_string(i) + ":\n br label %h" + std::to_string(i + 1) + "\n";
  text += "h" + std::to_string(depth) + ":\n br label %l" + std::to_string(depth - 1) + "\n";
  for (unsigned i = depth; i-- > 0;)
    text += "l" + std::to_string(i) + ":\n %c" + std::to_string(i) + " = icmp ult i32 %s, " +
            std::to_string(i) + "\n br i1 %c" + std::to_string(i) + ", label %h" +
            std::to_string(i) + ", label %" + (i ? "l" + std::to_string(i - 1) : "out") + "\n";
  const Decided f(text + "out:\n ret void\n");
  EXPECT_FALSE(f.isBuilt);
  EXPECT_EQ(f.refusal, "loops that are nested too deep");
}

TEST(FirstBelow, IsWhatAWalkFinds) {
  std::mt19937 random(1);
  for (unsigned size = 0; size < 40; ++size) {
    std::vector<uint32_t> numbers(size);
    for (uint32_t &number : numbers)
      number = random() % 8 ? random() % 50 : ~0u;
    FirstBelow tree;
    tree.assign(size, [&](size_t i) { return numbers[i]; });
    for (uint32_t begin = 0; begin <= size; ++begin)
      for (uint32_t end = begin; end <= size; ++end) {
        const uint32_t limit = random() % 20;
        uint32_t expected = begin;
        while (expected < end && numbers[expected] >= limit)
          ++expected;
        ASSERT_EQ(tree.find(begin, end, limit), expected) << size << ' ' << begin << ' ' << end;
      }
  }
}

} // namespace
