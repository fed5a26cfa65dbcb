//===- DecorationsTest.cpp - decorations, groups, entry points ------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

static TestModule annotated(const Parts::Hook &hook) { return sample({.annotations = hook}); }

TEST(Decorations, Queries) {
  auto module = parseOk(annotated([](TestModule &m) {
    m.op(Op::OpDecorate, {bufferId, spv::Decoration::Coherent});
    m.op(Op::OpMemberDecorate, {structId, 0, spv::Decoration::NonWritable});
  }));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->decorations(bufferId).size(), 3u);
  EXPECT_TRUE(module->hasDecoration(bufferId, spv::Decoration::Coherent));
  EXPECT_FALSE(module->hasDecoration(bufferId, spv::Decoration::Volatile));
  const Decoration *binding = module->findDecoration(bufferId, spv::Decoration::Binding);
  ASSERT_TRUE(binding);
  EXPECT_EQ(binding->operands[0], 3u);
  EXPECT_TRUE(module->findDecoration(structId, spv::Decoration::Offset, 0));
  EXPECT_FALSE(module->findDecoration(structId, spv::Decoration::Offset));
  EXPECT_FALSE(module->findDecoration(structId, spv::Decoration::Offset, 1));
  EXPECT_TRUE(module->hasDecoration(structId, spv::Decoration::BufferBlock));
  EXPECT_FALSE(module->hasDecoration(structId, spv::Decoration::NonWritable));
  EXPECT_EQ(module->decorations(structId).size(), 3u);
  EXPECT_EQ(module->decorations(structId, 0).size(), 2u);
  EXPECT_TRUE(module->decorations(99).empty());
}

TEST(Decorations, Groups) {
  auto module = parseOk(annotated([](TestModule &m) {
    m.op(Op::OpDecorate, {30, spv::Decoration::NonWritable});
    m.op(Op::OpDecorate, {30, spv::Decoration::Coherent}).op(Op::OpDecorationGroup, {30});
    m.op(Op::OpGroupDecorate, {30, bufferId, localId});
    m.op(Op::OpGroupMemberDecorate, {30, structId, 0});
  }));
  ASSERT_TRUE(module);
  for (Id id : {Id(bufferId), Id(localId)}) {
    EXPECT_TRUE(module->hasDecoration(id, spv::Decoration::NonWritable));
    EXPECT_TRUE(module->hasDecoration(id, spv::Decoration::Coherent));
  }
  EXPECT_TRUE(module->findDecoration(structId, spv::Decoration::Coherent, 0));
  EXPECT_FALSE(module->hasDecoration(structId, spv::Decoration::Coherent));
  EXPECT_EQ(module->decorations(bufferId).size(), 4u);
}

TEST(Decorations, Errors) {
  expectError(annotated([](TestModule &m) {
                m.bad(Op::OpMemberDecorate, {structId, 1, spv::Decoration::Offset, 4});
              }),
              "OpMemberDecorate (word @): member 1 of %13 does not exist, the struct has 1 "
              "members");
  expectError(annotated([](TestModule &m) {
                m.bad(Op::OpMemberDecorate, {uintId, 0, spv::Decoration::Offset, 4});
              }),
              "OpMemberDecorate (word @): target %4 is no OpTypeStruct");
  expectError(annotated([](TestModule &m) {
                m.bad(Op::OpDecorate, {uintId, spv::Decoration::UniformId, uint1Id});
              }),
              "OpDecorate (word @): decoration UniformId needs OpDecorateId");
  expectError(annotated([](TestModule &m) {
                m.bad(Op::OpDecorateId, {uintId, spv::Decoration::Binding, uint1Id});
              }),
              "OpDecorateId (word @): decoration Binding does not allow OpDecorateId");
  expectError(annotated([](TestModule &m) { m.bad(Op::OpGroupDecorate, {glslId, uintId}); }),
              "OpGroupDecorate (word @): %18 is no OpDecorationGroup");
  expectError(annotated([](TestModule &m) {
                m.op(Op::OpDecorationGroup, {30}).op(Op::OpDecorationGroup, {31});
                m.bad(Op::OpGroupDecorate, {30, 31});
              }),
              "OpGroupDecorate (word @): target %31 is an OpDecorationGroup itself");
  expectError(annotated([](TestModule &m) {
                m.op(Op::OpDecorationGroup, {30});
                m.bad(Op::OpGroupMemberDecorate, {30, structId, 7});
              }),
              "OpGroupMemberDecorate (word @): member 7 of %13 does not exist, the struct has 1 "
              "members");
}

TEST(Decorations, QuadraticGroupsAreLimited) {
  TestModule m = annotated([](TestModule &m) {
    for (int i = 0; i < 2000; ++i)
      m.op(Op::OpDecorate, {30, spv::Decoration::Coherent});
    m.op(Op::OpDecorationGroup, {30}).bad(Op::OpGroupDecorate, {30});
    for (int i = 0; i < 2000; ++i)
      m.words.push_back(bufferId);
    m.words[m.mark] += 2000 << 16;
  });
  std::string error = errorOf(m.bytes());
  EXPECT_TRUE(llvm::StringRef(error).starts_with("limit exceeded: OpGroupDecorate (word "))
      << error;
}

TEST(EntryPoints, Errors) {
  auto withEntry = [](std::initializer_list<Words> operands) {
    TestModule m = sample();
    TestModule entry;
    entry.op(Op::OpEntryPoint, operands);
    // Behind the sample's own entry point, which ends at word 21.
    m.mark = 21;
    m.words.insert(m.words.begin() + m.mark, entry.words.begin() + 5, entry.words.end());
    return m;
  };
  constexpr auto model = spv::ExecutionModel::GLCompute;
  EXPECT_EQ(errorOf(withEntry({model, mainId, "other", bufferId}).bytes()), "");
  expectError(withEntry({model, mainId, "main"}),
              "OpEntryPoint (word @): a second entry point \"main\" of execution model GLCompute");
  expectError(withEntry({model, uintId, "x"}), "OpEntryPoint (word @): %4 is no OpFunction");
  expectError(withEntry({model, mainId, "x", uint1Id}),
              "OpEntryPoint (word @): interface id %8 is no global variable");
  expectError(withEntry({model, mainId, "x", localId}),
              "OpEntryPoint (word @): interface id %17 is no global variable");
  expectError(withEntry({model, mainId, "x", 90}),
              "OpEntryPoint (word @): id %90 is never defined");
  expectError(withEntry({spv::ExecutionModel::Kernel, mainId, "x"}),
              "OpEntryPoint (word @): ExecutionModel Kernel not supported", "unsupported");
  expectError(withEntry({77, mainId, "x"}),
              "OpEntryPoint (word @): operand 0: ExecutionModel 77 is unknown");
  TestModule valued = withEntry({model, 31, "x"});
  TestModule callee;
  callee.op(Op::OpFunction, {uintId, 31, 0, 30}).op(Op::OpLabel, {33});
  callee.op(Op::OpReturnValue, {uint1Id}).op(Op::OpFunctionEnd);
  valued.words.insert(valued.words.end(), callee.words.begin() + 5, callee.words.end());
  TestModule type;
  type.op(Op::OpTypeFunction, {30, uintId});
  // Behind OpTypeInt, which is 12 words behind OpTypeVoid at 56, plus the entry point's words.
  size_t entryWords = 4;
  valued.words.insert(valued.words.begin() + 65 + entryWords, type.words.begin() + 5,
                      type.words.end());
  expectError(valued, "OpEntryPoint (word @): function %31 returns a value");
}

TEST(EntryPoints, ExecutionModes) {
  auto withMode = [](Op opcode, std::initializer_list<Words> operands) {
    return sample({.modes = [&](TestModule &m) { m.bad(opcode, operands); }});
  };
  expectError(withMode(Op::OpExecutionMode, {mainId, spv::ExecutionMode::LocalSize, 1, 1, 1}),
              "OpExecutionMode (word @): execution mode LocalSize is given twice for %1");
  expectError(withMode(Op::OpExecutionMode, {uintId, spv::ExecutionMode::LocalSize, 1, 1, 1}),
              "OpExecutionMode (word @): %4 is the function of no OpEntryPoint");
  expectError(withMode(Op::OpExecutionMode,
                       {mainId, spv::ExecutionMode::LocalSizeId, uint1Id, uint1Id, uint1Id}),
              "OpExecutionMode (word @): execution mode LocalSizeId needs OpExecutionModeId");
  expectError(withMode(Op::OpExecutionModeId, {mainId, spv::ExecutionMode::Invocations, uint1Id}),
              "OpExecutionModeId (word @): execution mode Invocations needs OpExecutionMode");
  expectError(withMode(Op::OpExecutionMode, {mainId, spv::ExecutionMode::LocalSize, 1, 1}),
              "OpExecutionMode (word @): operand 4 (LiteralInteger) is missing, the instruction "
              "has 4 operand words");
  auto floats = [](uint32_t first, uint32_t second) {
    return sample({.modes = [=](TestModule &m) {
      m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::DenormPreserve, first});
      m.bad(Op::OpExecutionMode, {mainId, spv::ExecutionMode::DenormPreserve, second});
    }});
  };
  EXPECT_EQ(errorOf(floats(16, 32).bytes()), "");
  expectError(floats(32, 32),
              "OpExecutionMode (word @): execution mode DenormPreserve is given twice for %1");
  auto module = parseOk(withMode(
      Op::OpExecutionModeId, {mainId, spv::ExecutionMode::LocalSizeId, uint1Id, uint4Id, uint1Id}));
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->entryPoints()[0].modes[1].isId);
}
