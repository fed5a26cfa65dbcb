//===- FunctionsTest.cpp - functions, blocks, branches, calls -------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

static TestModule withFunctions(const Parts::Hook &hook) { return sample({.functions = hook}); }

TEST(Functions, Structure) {
  expectError(withFunctions([](TestModule &m) { m.bad(Op::OpLabel, {30}); }),
              "OpLabel %30 (word @): is outside a function");
  expectError(withFunctions([](TestModule &m) { m.bad(Op::OpFunctionEnd); }),
              "OpFunctionEnd (word @): is outside a function");
  expectError(withFunctions([](TestModule &m) { m.bad(Op::OpReturn); }),
              "OpReturn (word @): is outside a block");
  expectError(withFunctions([](TestModule &m) { m.bad(Op::OpFunctionParameter, {uintId, 30}); }),
              "OpFunctionParameter %30 (word @): parameters must follow their OpFunction");
  expectBodyError(Op::OpLabel, {30}, "OpLabel %30 (word @): the block %20 has no terminator");
  expectBodyError(Op::OpFunctionEnd, {}, "OpFunctionEnd (word @): the block %20 has no terminator");
  expectBodyError(Op::OpFunction, {voidId, 30, 0, voidFunctionId},
                  "OpFunction %30 (word @): the function before has no OpFunctionEnd");
  auto afterReturn = [](TestModule &m) { m.op(Op::OpReturn).bad(Op::OpKill); };
  expectError(sample({.body = afterReturn}), "OpKill (word @): is outside a block");
  expectError(withFunctions([](TestModule &m) {
                m.bad(Op::OpFunction, {voidId, 30, 0, voidFunctionId}).op(Op::OpLabel, {31});
              }),
              "OpFunction %30 (word @): no OpFunctionEnd before the end of the module");
}

TEST(Functions, Types) {
  expectError(withFunctions([](TestModule &m) { m.bad(Op::OpFunction, {voidId, 30, 0, uintId}); }),
              "OpFunction %30 (word @): function type %4 is no OpTypeFunction");
  expectError(
      withFunctions([](TestModule &m) { m.bad(Op::OpFunction, {uintId, 30, 0, voidFunctionId}); }),
      "OpFunction %30 (word @): result type %4 differs from the return type %2 of the function "
      "type");
  expectError(withFunctions([](TestModule &m) {
                m.op(Op::OpFunction, {voidId, 30, 0, voidFunctionId});
                m.bad(Op::OpFunctionParameter, {uintId, 31});
              }),
              "OpFunctionParameter %31 (word @): the function type has only 0 parameters");
  expectError(withFunctions([](TestModule &m) {
                m.bad(Op::OpFunction, {voidId, 30, 0, voidFunctionId}).op(Op::OpFunctionEnd);
              }),
              "OpFunction %30 (word @): function declarations must come before definitions");
  expectBodyError(Op::OpReturnValue, {uint1Id},
                  "OpReturnValue (word @): value %8 has type %4, the function returns %2");
}

/// uint f(uint): type %30, function %31, parameter %32, called from the sample's second block.
static TestModule withCallee(std::initializer_list<Words> call, const Parts::Hook &body) {
  return sample({.globals = [](TestModule &m) { m.op(Op::OpTypeFunction, {30, uintId, uintId}); },
                 .body = [&](TestModule &m) { m.bad(Op::OpFunctionCall, call); },
                 .functions = body});
}

static void callee(TestModule &m) {
  m.op(Op::OpFunction, {uintId, 31, 0, 30}).op(Op::OpFunctionParameter, {uintId, 32});
  m.op(Op::OpLabel, {33}).op(Op::OpReturnValue, {32}).op(Op::OpFunctionEnd);
}

TEST(Functions, Calls) {
  EXPECT_EQ(errorOf(withCallee({uintId, 40, 31, uint1Id}, callee).bytes()), "");
  expectError(withCallee({uintId, 40, 31}, callee),
              "OpFunctionCall %40 (word @): has 0 arguments, the callee has 1 parameters");
  expectError(withCallee({uintId, 40, 31, float1Id}, callee),
              "OpFunctionCall %40 (word @): argument %10 has type %5, the parameter has %4");
  expectError(withCallee({voidId, 40, 31, uint1Id}, callee),
              "OpFunctionCall %40 (word @): result type %2 differs from the return type %4 of the "
              "callee");
  expectError(withCallee({voidId, 40, 33}, callee),
              "OpFunctionCall %40 (word @): callee %33 is no OpFunction");
  expectBodyError(Op::OpFunctionCall, {voidId, 40, mainId},
                  "OpFunctionCall %40 (word @): recursive call of %1");
}

TEST(Functions, ParametersAndReturn) {
  expectError(withCallee({uintId, 40, 31, uint1Id},
                         [](TestModule &m) {
                           m.bad(Op::OpFunction, {uintId, 31, 0, 30}).op(Op::OpLabel, {33});
                         }),
              "OpFunction %31 (word @): has 0 parameters, the function type has 1");
  expectError(withCallee({uintId, 40, 31, uint1Id},
                         [](TestModule &m) {
                           m.op(Op::OpFunction, {uintId, 31, 0, 30});
                           m.bad(Op::OpFunctionParameter, {floatId, 32});
                         }),
              "OpFunctionParameter %32 (word @): parameter 0 has type %5, the function type says "
              "%4");
  expectError(withCallee({uintId, 40, 31, uint1Id},
                         [](TestModule &m) {
                           m.op(Op::OpFunction, {uintId, 31, 0, 30});
                           m.op(Op::OpFunctionParameter, {uintId, 32}).op(Op::OpLabel, {33});
                           m.bad(Op::OpReturn);
                         }),
              "OpReturn (word @): the function returns a value, must be OpReturnValue");
}

TEST(Functions, MutualRecursion) {
  auto function = [](TestModule &m, Id id, Id calls) {
    m.op(Op::OpFunction, {voidId, id, 0, voidFunctionId}).op(Op::OpLabel, {id + 1});
    m.bad(Op::OpFunctionCall, {voidId, id + 2, calls});
    m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  };
  expectError(withFunctions([&](TestModule &m) {
                function(m, 30, 40);
                function(m, 40, 50);
                function(m, 50, 30);
              }),
              "OpFunctionCall %52 (word @): recursive call of %30");
  // A diamond is no recursion.
  EXPECT_EQ(errorOf(withFunctions([&](TestModule &m) {
                      function(m, 30, 50);
                      function(m, 40, 50);
                      m.op(Op::OpFunction, {voidId, 50, 0, voidFunctionId});
                      m.op(Op::OpLabel, {51}).op(Op::OpReturn).op(Op::OpFunctionEnd);
                    }).bytes()),
            "");
}

TEST(Functions, LongCallChainNeedsNoStack) {
  constexpr uint32_t count = 100'000, first = 100;
  TestModule m = withFunctions([&](TestModule &m) {
    m.words[3] = first + 3 * count;
    for (uint32_t i = 0; i < count; ++i) {
      Id id = first + 3 * i;
      m.op(Op::OpFunction, {voidId, id, 0, voidFunctionId}).op(Op::OpLabel, {id + 1});
      if (i + 1 < count)
        m.op(Op::OpFunctionCall, {voidId, id + 2, id + 3});
      m.op(Op::OpReturn).op(Op::OpFunctionEnd);
    }
  });
  EXPECT_EQ(errorOf(m.bytes()), "");
}

TEST(Blocks, BranchTargets) {
  // The sample's own OpReturn would follow the branch: start another block for it.
  auto branchTo = [](Id target) {
    return sample({.body = [=](TestModule &m) {
      m.op(Op::OpUndef, {uintId, 60}).bad(Op::OpBranch, {target}).op(Op::OpLabel, {61});
    }});
  };
  EXPECT_EQ(errorOf(branchTo(61).bytes()), "");
  expectError(branchTo(uint1Id), "OpBranch (word @): target %8 is no label of this function");
  expectError(branchTo(entryId),
              "OpBranch (word @): target %19 is the entry block of the function");
  expectError(branchTo(60), "OpBranch (word @): target %60 is OpUndef, no OpLabel");
  expectError(branchTo(mainId), "OpBranch (word @): target %1 is OpFunction, no OpLabel");
  expectError(withFunctions([](TestModule &m) {
                m.op(Op::OpFunction, {voidId, 30, 0, voidFunctionId}).op(Op::OpLabel, {31});
                m.bad(Op::OpBranch, {bodyId}).op(Op::OpFunctionEnd);
              }),
              "OpBranch (word @): target %20 is no label of this function");
}

TEST(Blocks, Merges) {
  expectBodyError(Op::OpSelectionMerge, {bodyId, 0},
                  "OpSelectionMerge (word @): is followed by OpReturn, must be "
                  "OpBranchConditional or OpSwitch");
  expectBodyError(Op::OpLoopMerge, {bodyId, bodyId, 0},
                  "OpLoopMerge (word @): is followed by OpReturn, must be OpBranch or "
                  "OpBranchConditional");
  expectError(sample({.body =
                          [](TestModule &m) {
                            m.bad(Op::OpSelectionMerge, {uint1Id, 0});
                            m.op(Op::OpBranchConditional, {trueId, 30, 30}).op(Op::OpLabel, {30});
                          }}),
              "OpSelectionMerge (word @): target %8 is no label of this function");
  EXPECT_EQ(errorOf(sample({.body =
                                [](TestModule &m) {
                                  m.op(Op::OpSelectionMerge, {30, 0});
                                  m.op(Op::OpBranchConditional, {trueId, 30, 30, 1, 9});
                                  m.op(Op::OpLabel, {30});
                                }})
                        .bytes()),
            "");
}

/// entry -> body -> {30, 31} -> 32 with an OpPhi; the sample's return ends block 32.
static TestModule diamond(std::initializer_list<Words> phi) {
  return sample({.body = [&](TestModule &m) {
    m.op(Op::OpSelectionMerge, {32, 0}).op(Op::OpBranchConditional, {trueId, 30, 31});
    m.op(Op::OpLabel, {30}).op(Op::OpBranch, {32}).op(Op::OpLabel, {31}).op(Op::OpBranch, {32});
    m.op(Op::OpLabel, {32}).bad(Op::OpPhi, phi);
  }});
}

TEST(Blocks, Phis) {
  EXPECT_EQ(errorOf(diamond({uintId, 40, uint1Id, 30, uint4Id, 31}).bytes()), "");
  expectError(diamond({uintId, 40, uint1Id, 30}),
              "OpPhi %40 (word @): has 1 parents, the block has 2 predecessors");
  expectError(diamond({uintId, 40, uint1Id, 30, uint1Id, bodyId}),
              "OpPhi %40 (word @): parent %20 is no predecessor of the block");
  expectError(diamond({uintId, 40, uint1Id, 30, uint4Id, 30}),
              "OpPhi %40 (word @): parent %30 appears twice");
  expectError(diamond({uintId, 40, uint1Id, 30, uint4Id}),
              "OpPhi %40 (word @): operand 3 (IdRef) is missing, the instruction has 3 operand "
              "words");
  expectError(diamond({uintId, 40, uint1Id, 30, 90, 31}),
              "OpPhi %40 (word @): id %90 is never defined");
  expectError(
      sample({.entryBlock = [](TestModule &m) { m.bad(Op::OpPhi, {uintId, 40, uint1Id, 30}); }}),
      "OpPhi %40 (word @): is in the entry block of its function");
  expectError(sample({.body =
                          [](TestModule &m) {
                            m.op(Op::OpIAdd, {uintId, 41, uint1Id, uint1Id});
                            m.bad(Op::OpPhi, {uintId, 40, uint1Id, entryId});
                          }}),
              "OpPhi %40 (word @): must come before all other instructions of its block");
}

TEST(Blocks, LoopPhiRefersForward) {
  TestModule m = sample({.body = [](TestModule &m) {
    m.op(Op::OpBranch, {30}).op(Op::OpLabel, {30});
    m.op(Op::OpPhi, {uintId, 40, uint1Id, bodyId, 41, 31});
    m.op(Op::OpLoopMerge, {32, 31, 0}).op(Op::OpBranch, {31}).op(Op::OpLabel, {31});
    m.op(Op::OpIAdd, {uintId, 41, 40, uint1Id});
    m.op(Op::OpBranchConditional, {trueId, 30, 32}).op(Op::OpLabel, {32});
  }});
  EXPECT_EQ(errorOf(m.bytes()), "");
}

TEST(Blocks, Variables) {
  expectBodyError(Op::OpVariable, {localPointerId, 40, spv::StorageClass::Function},
                  "OpVariable %40 (word @): is not in the first block of its function");
  expectError(sample({.entryBlock =
                          [](TestModule &m) {
                            m.op(Op::OpLoad, {uintId, 41, localId});
                            m.bad(Op::OpVariable,
                                  {localPointerId, 40, spv::StorageClass::Function});
                          }}),
              "OpVariable %40 (word @): must come before all other instructions of its function");
}

TEST(Functions, DeclarationsNeedLinkage) {
  auto declaration = [](bool linkage) {
    TestModule m;
    m.op(Op::OpCapability, {spv::Capability::Shader});
    if (linkage)
      m.op(Op::OpCapability, {spv::Capability::Linkage});
    m.op(Op::OpMemoryModel, {0, spv::MemoryModel::GLSL450}).op(Op::OpTypeVoid, {1});
    m.op(Op::OpTypeFunction, {2, 1}).bad(Op::OpFunction, {1, 3, 0, 2}).op(Op::OpFunctionEnd);
    return m;
  };
  EXPECT_EQ(errorOf(declaration(true).bytes()), "");
  expectError(declaration(false), "OpFunction %3 (word @): the function has no blocks");
}
