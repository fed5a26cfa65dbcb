//===- OperandsTest.cpp - operands against the grammar, id rules ----------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/TestModule.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

TEST(Operands, Count) {
  expectBodyError(Op::OpIAdd, {uintId, firstFree, uint1Id},
                  "OpIAdd %21 (word @): operand 1 (IdRef) is missing, the instruction has 1 "
                  "operand words");
  expectBodyError(Op::OpIAdd, {uintId, firstFree, uint1Id, uint1Id, uint1Id},
                  "OpIAdd %21 (word @): has 3 operand words, only 2 expected");
  expectBodyError(Op::OpReturn, {1}, "OpReturn (word @): has 1 operand words, only 0 expected");
  expectBodyError(Op::OpLoad, {uintId, firstFree, localId, spv::MemoryAccessMask::Aligned},
                  "OpLoad %21 (word @): operand 2 (LiteralInteger) is missing, the instruction has "
                  "2 operand words");
}

TEST(Operands, Enumerants) {
  expectGlobalError(Op::OpTypePointer, {firstFree, 77, uintId},
                    "OpTypePointer %21 (word @): operand 0: StorageClass 77 is unknown");
  expectBodyError(
      Op::OpSelectionMerge, {bodyId, 0x40},
      "OpSelectionMerge (word @): operand 1: SelectionControl has the unknown bits 0x40");
  expectError(sample({.annotations =
                          [](TestModule &m) {
                            m.bad(Op::OpDecorate, {uintId, spv::Decoration::Location});
                          }}),
              "OpDecorate (word @): operand 2 (LiteralInteger) is missing, the instruction has 2 "
              "operand words");
}

TEST(Operands, Strings) {
  expectError(sample({.names = [](TestModule &m) { m.bad(Op::OpName, {mainId, 0x61616161}); }}),
              "OpName (word @): operand 1: the string does not end inside the instruction");
  expectError(sample({.names = [](TestModule &m) { m.bad(Op::OpName, {mainId, "abc", 7}); }}),
              "OpName (word @): has 3 operand words, only 2 expected");
}

TEST(Operands, LiteralWidth) {
  auto wide = [](std::initializer_list<Words> operands) {
    return sample({.globals = [&](TestModule &m) {
      m.op(Op::OpTypeInt, {firstFree, 64, 0}).bad(Op::OpConstant, operands);
    }});
  };
  EXPECT_EQ(errorOf(wide({firstFree, firstFree + 1, 1, 0}).bytes()), "");
  expectError(wide({firstFree, firstFree + 1, 1}),
              "OpConstant %22 (word @): operand 1 (LiteralContextDependentNumber) is missing, the "
              "instruction has 1 operand words");
  expectGlobalError(Op::OpConstant, {uintId, firstFree, 1, 0},
                    "OpConstant %21 (word @): has 2 operand words, only 1 expected");
  expectGlobalError(Op::OpConstant, {boolId, firstFree, 1},
                    "OpConstant %21 (word @): type %6 of the literal is no integer or float type");
}

TEST(Operands, SwitchLiterals) {
  auto switchOn = [](Id selector, std::initializer_list<Words> operands) {
    return sample({.globals =
                       [](TestModule &m) {
                         m.op(Op::OpTypeInt, {firstFree, 64, 0});
                         m.op(Op::OpConstant, {firstFree, firstFree + 1, 5, 0});
                       },
                   .body =
                       [&](TestModule &m) {
                         m.op(Op::OpSelectionMerge, {30, 0}).bad(Op::OpSwitch, operands);
                         m.op(Op::OpLabel, {30});
                       }});
  };
  EXPECT_EQ(errorOf(switchOn(0, {uint1Id, 30, 7, 30}).bytes()), "");
  EXPECT_EQ(errorOf(switchOn(0, {uint1Id, 30}).bytes()), "");
  EXPECT_EQ(errorOf(switchOn(0, {firstFree + 1, 30, 7, 0, 30, 8, 0, 30}).bytes()), "");
  expectError(switchOn(0, {firstFree + 1, 30, 7, 0}),
              "OpSwitch (word @): operand 4 (IdRef) is missing, the instruction has 4 operand "
              "words");
  expectError(switchOn(0, {uint1Id, 30, 7}),
              "OpSwitch (word @): operand 3 (IdRef) is missing, the instruction has 3 operand "
              "words");
  expectError(switchOn(0, {float1Id, 30, 7, 30}), "OpSwitch (word @): selector %10 is no integer");
}

TEST(Operands, ExtendedInstructions) {
  expectBodyError(Op::OpExtInst, {floatId, firstFree, glslId, 4, float1Id, float1Id},
                  "OpExtInst %21 (word @): GLSL.std.450 FAbs has 2 operands, 1 expected");
  expectBodyError(Op::OpExtInst, {floatId, firstFree, glslId, 200, float1Id},
                  "OpExtInst %21 (word @): GLSL.std.450 has no instruction 200");
  expectBodyError(Op::OpExtInst, {floatId, firstFree, float1Id, 4, float1Id},
                  "OpExtInst %21 (word @): %10 is no OpExtInstImport");
  expectGlobalError(Op::OpExtInst, {floatId, firstFree, glslId, 4, float1Id},
                    "OpExtInst %21 (word @): an instruction of GLSL.std.450 is outside a block");
}

TEST(Operands, NonSemanticMayBeAnywhereInTheLastSections) {
  constexpr Id set = 50;
  auto use = [id = Id(51)](TestModule &m) mutable {
    // Forward references to functions are usual here.
    m.op(Op::OpExtInst, {voidId, id++, set, 1234, mainId, uint1Id});
  };
  TestModule m = sample(
      {.globals = use,
       .entryBlock =
           [](TestModule &m) {
             m.op(Op::OpExtInst, {voidId, 61, set, 5});
             m.op(Op::OpVariable, {localPointerId, 62, spv::StorageClass::Function});
           },
       .functions = [](TestModule &m) { m.op(Op::OpExtInst, {voidId, 63, set, 5, mainId}); }});
  // The import goes behind the first one: capability (2 words), import (2 + 4 words).
  TestModule import;
  import.op(Op::OpExtInstImport, {set, "NonSemantic.Unknown"});
  m.words.insert(m.words.begin() + 5 + 2 + 6, import.words.begin() + 5, import.words.end());
  EXPECT_EQ(errorOf(m.bytes()), "");
}

TEST(Operands, SpecConstantOp) {
  expectGlobalError(Op::OpSpecConstantOp, {uintId, firstFree, Op::OpFAdd, uint1Id, uint1Id},
                    "OpSpecConstantOp %21 (word @): OpFAdd is not allowed in OpSpecConstantOp");
  expectGlobalError(Op::OpSpecConstantOp, {uintId, firstFree, Op::OpIAdd, uint1Id},
                    "OpSpecConstantOp %21 (word @): operand 2 (IdRef) is missing, the instruction "
                    "has 2 operand words");
  expectGlobalError(Op::OpSpecConstantOp, {uintId, firstFree, Op::OpSpecConstantOp, uint1Id},
                    "OpSpecConstantOp %21 (word @): OpSpecConstantOp is not allowed in "
                    "OpSpecConstantOp");
  expectGlobalError(Op::OpSpecConstantOp, {uintId, firstFree, Op::OpIAdd, uint1Id, bufferId},
                    "OpSpecConstantOp %21 (word @): operand 2: %15 is no constant");
  auto extract = sample({.globals = [](TestModule &m) {
    m.op(Op::OpConstantComposite, {vec4Id, 21, float1Id, float1Id, float1Id, float1Id});
    m.op(Op::OpSpecConstantOp, {floatId, 22, Op::OpCompositeExtract, 21, 3});
  }});
  EXPECT_EQ(errorOf(extract.bytes()), "");
}

TEST(Ids, Bounds) {
  expectBodyError(Op::OpIAdd, {uintId, 100, uint1Id, uint1Id},
                  "OpIAdd %100 (word @): result id %100 is outside the bound 100");
  expectBodyError(Op::OpIAdd, {uintId, 0, uint1Id, uint1Id},
                  "OpIAdd (word @): result id %0 is outside the bound 100");
  expectBodyError(Op::OpIAdd, {uintId, firstFree, uint1Id, 100},
                  "OpIAdd %21 (word @): operand 1: id %100 is outside the bound 100");
  expectBodyError(Op::OpIAdd, {uintId, firstFree, 0, uint1Id},
                  "OpIAdd %21 (word @): operand 0: id %0 is outside the bound 100");
  expectBodyError(Op::OpIAdd, {4'000'000'000u, firstFree, uint1Id, uint1Id},
                  "OpIAdd %21 (word @): result type %4000000000 is outside the bound 100");
}

TEST(Ids, Definitions) {
  expectBodyError(Op::OpIAdd, {uintId, uint1Id, uint1Id, uint1Id},
                  "OpIAdd %8 (word @): id %8 is already defined by OpConstant (word 74)");
  expectBodyError(Op::OpIAdd, {uintId, firstFree, uint1Id, 40},
                  "OpIAdd %21 (word @): operand 1: id %40 is used before its definition");
  expectBodyError(Op::OpIAdd, {uintId, firstFree, uint1Id, firstFree},
                  "OpIAdd %21 (word @): operand 1: id %21 is used before its definition");
  expectBodyError(Op::OpIAdd, {uint1Id, firstFree, uint1Id, uint1Id},
                  "OpIAdd %21 (word @): result type %8 is no type but OpConstant");
  expectBodyError(Op::OpIAdd, {40, firstFree, uint1Id, uint1Id},
                  "OpIAdd %21 (word @): result type %40 is used before its definition");
}

TEST(Ids, ForwardReferencesMustBeDefinedInTheEnd) {
  expectError(sample({.names = [](TestModule &m) { m.bad(Op::OpName, {40, "x"}); }}),
              "OpName (word @): id %40 is never defined");
  expectError(sample({.annotations =
                          [](TestModule &m) {
                            m.bad(Op::OpDecorate, {40, spv::Decoration::RelaxedPrecision});
                          }}),
              "OpDecorate (word @): id %40 is never defined");
  expectBodyError(Op::OpFunctionCall, {voidId, 21, 40},
                  "OpFunctionCall %21 (word @): id %40 is never defined");
}

TEST(Grammar, Tables) {
  const OpInfo *store = findOp(uint32_t(Op::OpStore));
  ASSERT_TRUE(store);
  EXPECT_EQ(nameOf(*store), "OpStore");
  EXPECT_EQ(store->opClass, OpClass::Memory);
  EXPECT_FALSE(store->hasResult);
  ASSERT_EQ(operandsOf(*store).size(), 3u);
  EXPECT_EQ(operandsOf(*store)[2].kind, OperandKind::MemoryAccess);
  EXPECT_EQ(operandsOf(*store)[2].quantifier, Quantifier::Optional);
  EXPECT_EQ(findOp(65535), nullptr);
  EXPECT_EQ(enumName(OperandKind::Dim, 5), "Buffer");
  EXPECT_EQ(enumName(OperandKind::StorageClass, 5349), "PhysicalStorageBuffer");
  EXPECT_EQ(enumName(OperandKind::BuiltIn, 28), "GlobalInvocationId");
  EXPECT_EQ(enumName(OperandKind::BuiltIn, 65000), "65000");
  auto extName = [](llvm::StringRef set, uint32_t number) {
    return nameOf(*findExtInst(*findExtSet(set), number));
  };
  EXPECT_EQ(extName("GLSL.std.450", 31), "Sqrt");
  EXPECT_EQ(extName("SPV_AMD_shader_trinary_minmax", 4), "FMax3AMD");
  EXPECT_EQ(extName("SPV_AMD_gcn_shader", 3), "TimeAMD");
  EXPECT_EQ(extName("SPV_AMD_shader_ballot", 4), "MbcntAMD");
  EXPECT_EQ(findExtSet("NonSemantic.X"), nullptr);
}
