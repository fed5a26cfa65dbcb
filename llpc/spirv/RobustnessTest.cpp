//===- RobustnessTest.cpp - truncated and mutated modules -----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"
#include "llpc/spirv/TrimDebug.h"
#include <random>

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

/// The sample with something of everything: loop, switch, groups, forward pointer, debug.
static TestModule richSample() {
  return sample(
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpDecorate, {60, spv::Decoration::Coherent}).op(Op::OpDecorationGroup, {60});
             m.op(Op::OpGroupDecorate, {60, bufferId});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypeForwardPointer, {61, spv::StorageClass::PhysicalStorageBuffer});
             m.op(Op::OpTypeStruct, {62, uintId, 61});
             m.op(Op::OpTypePointer, {61, spv::StorageClass::PhysicalStorageBuffer, 62});
             m.op(Op::OpConstantComposite, {vec4Id, 63, float1Id, float1Id, float1Id, float1Id});
             m.op(Op::OpSpecConstantOp, {floatId, 64, Op::OpCompositeExtract, 63, 1});
             m.op(Op::OpTypeFunction, {65, uintId, uintId});
           },
       .body =
           [](TestModule &m) {
             m.op(Op::OpBranch, {30}).op(Op::OpLabel, {30});
             m.op(Op::OpPhi, {uintId, 40, uint1Id, bodyId, 41, 31});
             m.op(Op::OpLoopMerge, {32, 31, 0}).op(Op::OpBranch, {31}).op(Op::OpLabel, {31});
             m.op(Op::OpFunctionCall, {uintId, 41, 70, 40});
             m.op(Op::OpBranchConditional, {trueId, 30, 32}).op(Op::OpLabel, {32});
             m.op(Op::OpExtInst, {floatId, 42, glslId, 4, float1Id});
             m.op(Op::OpSelectionMerge, {34, 0}).op(Op::OpSwitch, {40, 34, 1, 33, 2, 34});
             m.op(Op::OpLabel, {33}).op(Op::OpBranch, {34}).op(Op::OpLabel, {34});
           },
       .functions =
           [](TestModule &m) {
             m.op(Op::OpFunction, {uintId, 70, 0, 65}).op(Op::OpFunctionParameter, {uintId, 71});
             m.op(Op::OpLabel, {72}).op(Op::OpReturnValue, {71}).op(Op::OpFunctionEnd);
           }});
}

TEST(Robustness, RichSampleParses) {
  EXPECT_TRUE(parseOk(richSample()));
  EXPECT_TRUE(parseOk(richSample(), true));
}

TEST(Robustness, TruncationAtEveryWord) {
  std::vector<uint8_t> bytes = richSample().bytes();
  auto full = parseOk(richSample());
  ASSERT_TRUE(full);
  // Capabilities, imports and memory model alone (16 words) are a module without entry points.
  // Every other cut leaves something undefined or unfinished.
  for (size_t words = 0; words < bytes.size() / 4; ++words)
    EXPECT_EQ(errorOf(llvm::ArrayRef(bytes).take_front(words * 4)).empty(), words == 16) << words;
}

TEST(Robustness, MutatedWordsNeverCrash) {
  std::mt19937 random(12345);
  const TestModule original = richSample();
  size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    TestModule m = original;
    for (unsigned change = 0, count = 1 + random() % 3; change < count; ++change) {
      uint32_t &word = m.words[random() % m.words.size()];
      switch (random() % 4) {
      case 0:
        word = random();
        break;
      case 1:
        word ^= 1u << random() % 32;
        break;
      case 2:
        word = random() % 100;
        break;
      default:
        word = m.words[random() % m.words.size()];
      }
    }
    auto module = Module::parse(m.bytes());
    if (!module) {
      EXPECT_FALSE(lgc::consumeToText(module.takeError()).message.empty());
      continue;
    }
    ++accepted;
    EXPECT_LE(trimDebugInfo(**module).size(), m.words.size());
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 20'000u);
}

TEST(TrimDebug, KeepsAllButDebugInformation) {
  constexpr Id set = 50, file = 51, debug = 52;
  auto build = [](bool debugInfo) {
    TestModule m;
    m.op(Op::OpCapability, {spv::Capability::Shader});
    if (debugInfo)
      m.op(Op::OpExtInstImport, {set, "NonSemantic.Shader.DebugInfo.100"});
    m.op(Op::OpExtInstImport, {53, "NonSemantic.DebugPrintf"});
    m.op(Op::OpMemoryModel, {0, spv::MemoryModel::GLSL450});
    m.op(Op::OpEntryPoint, {spv::ExecutionModel::GLCompute, 1, "main"});
    m.op(Op::OpExecutionMode, {1, spv::ExecutionMode::LocalSize, 1, 1, 1});
    m.op(Op::OpString, {file, "a.comp"});
    if (debugInfo) {
      m.op(Op::OpSourceExtension, {"GL_X"}).op(Op::OpSource, {2, 450, file, "void"});
      m.op(Op::OpSourceContinued, {" main"});
    }
    m.op(Op::OpName, {1, "main"});
    if (debugInfo) {
      m.op(Op::OpName, {debug, "info"}).op(Op::OpMemberName, {5, 0, "field"});
      m.op(Op::OpModuleProcessed, {"tool"});
    }
    m.op(Op::OpTypeVoid, {2}).op(Op::OpTypeFunction, {3, 2}).op(Op::OpTypeInt, {4, 32, 0});
    m.op(Op::OpTypeStruct, {5, 4});
    if (debugInfo)
      m.op(Op::OpExtInst, {2, debug, set, 35, file});
    m.op(Op::OpFunction, {2, 1, 0, 3}).op(Op::OpLabel, {6});
    if (debugInfo)
      m.op(Op::OpLine, {file, 1, 1}).op(Op::OpNop).op(Op::OpNoLine);
    m.op(Op::OpExtInst, {2, 54, 53, 1, file});
    m.op(Op::OpReturn).op(Op::OpFunctionEnd);
    return m;
  };
  auto module = parseOk(build(true));
  ASSERT_TRUE(module);
  EXPECT_EQ(trimDebugInfo(*module), build(false).words);
  // What holds none is returned as it is, also from big-endian input.
  auto bare = parseOk(build(false), true);
  ASSERT_TRUE(bare);
  EXPECT_EQ(trimDebugInfo(*bare), build(false).words);
}
