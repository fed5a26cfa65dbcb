//===- ReaderTest.cpp - header, instruction split, layout, tables ---------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

static std::string errorOfWords(std::vector<uint32_t> words) {
  TestModule m;
  m.words = std::move(words);
  return errorOf(m.bytes());
}

TEST(Reader, SampleParsesInEveryVersion) {
  for (uint32_t minor = 0; minor <= 6; ++minor) {
    auto module = parseOk(sample({}, 0x00010000 | minor << 8));
    ASSERT_TRUE(module);
    EXPECT_EQ(module->version(), 0x00010000u | minor << 8);
    EXPECT_EQ(module->bound(), 100u);
  }
}

TEST(Reader, BigEndianGivesTheSameModule) {
  TestModule m = sample();
  auto little = parseOk(m), big = parseOk(m, true);
  ASSERT_TRUE(little && big);
  EXPECT_EQ(little->words().vec(), big->words().vec());
  ASSERT_EQ(little->instructions().size(), big->instructions().size());
  for (size_t i = 0; i < little->instructions().size(); ++i) {
    const Inst &a = little->instructions()[i], &b = big->instructions()[i];
    EXPECT_EQ(place(a), place(b));
    EXPECT_EQ(a.operands.vec(), b.operands.vec());
    EXPECT_EQ(a.typeId, b.typeId);
  }
  EXPECT_EQ(big->entryPoints()[0].name, "main");
  EXPECT_EQ(big->name(mainId), "main");
}

TEST(Reader, Tables) {
  auto module = parseOk(sample());
  ASSERT_TRUE(module);
  ASSERT_EQ(module->functions().size(), 1u);
  const Function &function = module->functions()[0];
  EXPECT_EQ(module->findFunction(mainId), &function);
  ASSERT_EQ(function.blocks.size(), 2u);
  EXPECT_EQ(function.blocks[0].label, uint32_t(entryId));
  ASSERT_EQ(function.blocks[0].insts.size(), 2u);
  EXPECT_EQ(function.blocks[0].insts[0].opcode, Op::OpVariable);
  EXPECT_EQ(function.blocks[1].insts[0].opcode, Op::OpReturn);
  const EntryPoint *entry = module->findEntryPoint(spv::ExecutionModel::GLCompute, "main");
  ASSERT_TRUE(entry);
  ASSERT_EQ(entry->modes.size(), 1u);
  EXPECT_EQ(entry->modes[0].operands.vec(), (std::vector<uint32_t>{8, 4, 1}));
  EXPECT_EQ(module->findEntryPoint(spv::ExecutionModel::Fragment, "main"), nullptr);
  EXPECT_EQ(module->extInstSet(glslId), "GLSL.std.450");
  EXPECT_EQ(module->memberName(structId, 0), "data");
  EXPECT_EQ(module->memberName(structId, 1), "");
  EXPECT_EQ(module->typeDepth(floatId), 1u);
  EXPECT_EQ(module->typeDepth(bufferPointerId), 5u);
  EXPECT_EQ(module->typeDepth(bufferId), 0u);
  EXPECT_EQ(module->globals().size(), 15u);
  EXPECT_EQ(module->definition(99), nullptr);
  EXPECT_EQ(module->definition(~0u), nullptr);
  EXPECT_TRUE(module->hasCapability(spv::Capability::Matrix)); // implied by Shader
  EXPECT_EQ(module->capabilities().size(), 1u);
}

TEST(Reader, UnalignedBytes) {
  std::vector<uint8_t> bytes = sample().bytes();
  bytes.insert(bytes.begin(), 0);
  EXPECT_EQ(errorOf(llvm::ArrayRef(bytes).drop_front()), "");
}

TEST(Reader, Header) {
  EXPECT_EQ(errorOf({}), "invalid input: SPIR-V module is empty");
  EXPECT_EQ(errorOfWords({spv::MagicNumber}),
            "invalid input: SPIR-V module has 4 bytes; the header alone needs 20");
  EXPECT_EQ(errorOfWords({0x464c457f, 0, 0, 0, 0}),
            "invalid input: magic number is 0x464c457f, no SPIR-V module (0x07230203)");
  std::vector<uint8_t> odd = sample().bytes();
  odd.push_back(0);
  EXPECT_EQ(errorOf(odd), "invalid input: SPIR-V module has " + std::to_string(odd.size()) +
                              " bytes, which is no multiple of 4");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010700, 0, 10, 0}),
            "unsupported: header (word 1): SPIR-V version 1.7 not supported, only 1.0 to 1.6");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00020000, 0, 10, 0}),
            "unsupported: header (word 1): SPIR-V version 2.0 not supported, only 1.0 to 1.6");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x01010000, 0, 10, 0}),
            "invalid input: header (word 1): version word 0x01010000 is malformed");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 0, 0}),
            "invalid input: header (word 3): the id bound is 0");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10'000'000, 0}),
            "limit exceeded: header (word 3): the id bound 10000000 is above the limit 4194303");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 1}),
            "invalid input: header (word 4): the instruction schema is 1, must be 0");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 0}),
            "invalid input: module has no OpMemoryModel");
}

TEST(Reader, WordLimit) {
  Limits limits;
  limits.maxWords = 16;
  auto module = Module::parse(sample().bytes(), limits);
  ASSERT_FALSE(bool(module));
  lgc::ErrorText text = lgc::consumeToText(module.takeError());
  EXPECT_EQ(text.kind, lgc::ErrorKind::LimitExceeded);
  EXPECT_EQ(text.message, "SPIR-V module has " + std::to_string(sample().words.size()) +
                              " words; the limit is 16");
}

TEST(Reader, InstructionSplit) {
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 0, 0x0002ffff, 0}),
            "invalid input: word 5: unknown opcode 65535");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 0, 17}),
            "invalid input: OpCapability (word 5): the word count is 0");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 0, 3 << 16 | 17, 1}),
            "invalid input: OpCapability (word 5): the word count 3 is beyond the end of the "
            "module (2 words left)");
  EXPECT_EQ(errorOfWords({spv::MagicNumber, 0x00010000, 0, 10, 0, 2 << 16 | 1, 1}),
            "invalid input: OpUndef (word 5): the word count 2 is too small, at least 3 expected");
}

static TestModule start(uint32_t capability = uint32_t(spv::Capability::Shader)) {
  TestModule m;
  return m.op(Op::OpCapability, {capability});
}

TEST(Reader, OpenClIsNamed) {
  expectError(
      start().bad(Op::OpMemoryModel, {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}),
      "OpMemoryModel (word @): AddressingModel Physical64 not supported", "unsupported");
  expectError(
      start().bad(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::OpenCL}),
      "OpMemoryModel (word @): MemoryModel OpenCL not supported", "unsupported");
  expectError(
      start().bad(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::Simple}),
      "OpMemoryModel (word @): memory model Simple not supported, only GLSL450 and Vulkan",
      "unsupported");
  TestModule unknown;
  expectError(unknown.bad(Op::OpCapability, {65000}),
              "OpCapability (word @): capability 65000 not supported", "unsupported");
}

TEST(Reader, LayoutOrder) {
  expectError(start().bad(Op::OpTypeVoid, {1}),
              "OpTypeVoid %1 (word @): OpMemoryModel must come before it");
  expectError(sample({.names = [](TestModule &m) { m.bad(Op::OpCapability, {1}); }}),
              "OpCapability (word @): belongs to the section of capabilities, which must come "
              "before the debug names");
  expectGlobalError(Op::OpDecorate, {uintId, spv::Decoration::RelaxedPrecision},
                    "OpDecorate (word @): belongs to the section of annotations, which must come "
                    "before the types and globals");
  expectBodyError(Op::OpConstant, {uintId, firstFree, 1},
                  "OpConstant %21 (word @): belongs to the section of types and globals, which "
                  "must come before the functions");
  expectError(sample({.annotations =
                          [](TestModule &m) {
                            m.bad(Op::OpExecutionMode,
                                  {mainId, spv::ExecutionMode::LocalSize, 1, 1, 1});
                          }}),
              "OpExecutionMode (word @): belongs to the section of execution modes, which must "
              "come before the annotations");
  expectError(start()
                  .op(Op::OpMemoryModel, {0, spv::MemoryModel::GLSL450})
                  .bad(Op::OpMemoryModel, {0, spv::MemoryModel::GLSL450}),
              "OpMemoryModel (word @): a second OpMemoryModel");
}

TEST(Reader, DebugInstructionsMayBeAnywhereTheyAreAllowed) {
  auto debug = [](TestModule &m) { m.op(Op::OpNop).op(Op::OpNoLine); };
  EXPECT_TRUE(parseOk(sample({.modes = debug,
                              .names = debug,
                              .annotations = debug,
                              .globals = debug,
                              .entryBlock = debug,
                              .body = debug,
                              .functions = debug})));
}

TEST(Reader, HugeBoundCostsNoMemory) {
  TestModule m = sample();
  m.words[3] = 4'194'303;
  auto module = parseOk(m);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->definition(4'194'302), nullptr);
  EXPECT_EQ(module->definition(4'194'303), nullptr);
}

TEST(Reader, Names) {
  EXPECT_EQ(opName(Op::OpIAdd), "OpIAdd");
  EXPECT_EQ(opName(static_cast<Op>(60000)), "Op60000");
  EXPECT_EQ(capabilityName(spv::Capability::Int64), "Int64");
  EXPECT_EQ(capabilityName(static_cast<spv::Capability>(60000)), "60000");
}
