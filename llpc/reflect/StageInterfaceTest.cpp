//===- StageInterfaceTest.cpp - locations that entry points have ----------===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/StageInterface.h"
#include "llpc/spirv/TestModule.h"

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;
using Base = InterfaceSlot::Base;

namespace {

enum : uint32_t {
  type = firstFree,
  element,
  scalar,
  length,
  pointer,
  variable,
  pointer2,
  variable2
};

/// The outputs of a fragment shader whose interface is `variable` and `variable2`.
llvm::Expected<std::vector<InterfaceSlot>> outputsOf(const Parts::Hook &decorations,
                                                     const Parts::Hook &globals) {
  TestModule m(0x00010000, 100);
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::Fragment, mainId, "main", variable, variable2});
  m.op(Op::OpDecorate, {variable2, Decoration::BuiltIn, spv::BuiltIn::FragDepth});
  decorations(m);
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpTypeFloat, {floatId, 32});
  m.op(Op::OpTypeVector, {vec4Id, floatId, 4}).op(Op::OpConstant, {uintId, uint4Id, 4});
  m.op(Op::OpTypePointer, {pointer2, StorageClass::Output, floatId});
  m.op(Op::OpVariable, {pointer2, variable2, StorageClass::Output});
  globals(m);
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  auto module = spirv::test::parseOk(m);
  if (!module)
    return lgc::internalError("the module does not parse");
  return collectOutputs(*module, module->entryPoints()[0]);
}

/// One output of `type` at location 1, with further decorations.
std::vector<InterfaceSlot> outputs(const Parts::Hook &types, const Parts::Hook &decorations = {}) {
  auto result = outputsOf(
      [&](TestModule &m) {
        m.op(Op::OpDecorate, {variable, Decoration::Location, 1});
        if (decorations)
          decorations(m);
      },
      [&](TestModule &m) {
        types(m);
        m.op(Op::OpTypePointer, {pointer, StorageClass::Output, type});
        m.op(Op::OpVariable, {pointer, variable, StorageClass::Output});
      });
  if (result)
    return *result;
  ADD_FAILURE() << lgc::consumeToText(result.takeError()).message;
  return {};
}

using Slots = std::vector<InterfaceSlot>;

TEST(StageInterface, ScalarsAndVectorsOfEachWidth) {
  struct Row {
    bool isFloat;
    uint32_t bits, isSigned;
    Base base;
  };
  for (const Row &row :
       {Row{true, 16, 0, Base::Float}, Row{true, 32, 0, Base::Float}, Row{true, 64, 0, Base::Float},
        Row{false, 16, 1, Base::Sint}, Row{false, 16, 0, Base::Uint}, Row{false, 32, 1, Base::Sint},
        Row{false, 64, 0, Base::Uint}, Row{false, 8, 1, Base::Sint}}) {
    auto declare = [&](TestModule &m, uint32_t id) {
      if (row.isFloat && row.bits == 32)
        return floatId; // types without parameters are declared once
      if (!row.isFloat && row.bits == 32 && !row.isSigned)
        return uintId;
      if (row.isFloat)
        m.op(Op::OpTypeFloat, {id, row.bits});
      else
        m.op(Op::OpTypeInt, {id, row.bits, row.isSigned});
      return static_cast<SampleId>(id);
    };
    for (uint32_t components : {2u, 3u, 4u}) {
      const InterfaceSlot expected = {1, 0, row.base, static_cast<uint8_t>(row.bits),
                                      static_cast<uint8_t>(components)};
      EXPECT_EQ(outputs([&](TestModule &m) {
                  const uint32_t id = declare(m, scalar);
                  m.op(Op::OpTypeVector, {type, id, components});
                }),
                Slots{expected})
          << row.bits << " bits, " << components << " components";
    }
  }
}

TEST(StageInterface, ComponentAndIndex) {
  auto half = [](TestModule &m) { m.op(Op::OpTypeVector, {type, floatId, 2}); };
  EXPECT_EQ(outputs(half,
                    [](TestModule &m) {
                      m.op(Op::OpDecorate, {variable, Decoration::Component, 2});
                      m.op(Op::OpDecorate, {variable, Decoration::Index, 1});
                    }),
            (Slots{{1, 1, Base::Float, 32, 4}}));
}

TEST(StageInterface, TwoVariablesShareALocation) {
  auto result = outputsOf(
      [](TestModule &m) {
        m.op(Op::OpDecorate, {variable, Decoration::Location, 3});
        m.op(Op::OpMemberDecorate, {type, 0, Decoration::Location, 3});
        m.op(Op::OpMemberDecorate, {type, 0, Decoration::Component, 1});
        m.op(Op::OpMemberDecorate, {type, 1, Decoration::Location, 3});
        m.op(Op::OpMemberDecorate, {type, 1, Decoration::Component, 0});
      },
      [](TestModule &m) {
        m.op(Op::OpTypeStruct, {type, floatId, floatId});
        m.op(Op::OpTypePointer, {pointer, StorageClass::Output, type});
        m.op(Op::OpVariable, {pointer, variable, StorageClass::Output});
      });
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(*result, (Slots{{3, 0, Base::Float, 32, 2}}));
}

TEST(StageInterface, ArraysMatricesAndStructuresTakeLocationsInTurn) {
  auto array = outputs([](TestModule &m) { m.op(Op::OpTypeArray, {type, vec4Id, uint4Id}); });
  EXPECT_EQ(array, (Slots{{1, 0, Base::Float, 32, 4},
                          {2, 0, Base::Float, 32, 4},
                          {3, 0, Base::Float, 32, 4},
                          {4, 0, Base::Float, 32, 4}}));
  auto matrix = outputs([](TestModule &m) { m.op(Op::OpTypeMatrix, {type, vec4Id, 2}); });
  EXPECT_EQ(matrix, (Slots{{1, 0, Base::Float, 32, 4}, {2, 0, Base::Float, 32, 4}}));
  auto structure = outputs(
      [](TestModule &m) {
        m.op(Op::OpTypeArray, {element, uintId, uint4Id});
        m.op(Op::OpTypeStruct, {type, floatId, element, vec4Id, floatId});
      },
      [](TestModule &m) { // built-in members are left out
        m.op(Op::OpMemberDecorate, {type, 3, Decoration::BuiltIn, spv::BuiltIn::FragStencilRefEXT});
      });
  EXPECT_EQ(structure, (Slots{{1, 0, Base::Float, 32, 1},
                              {2, 0, Base::Uint, 32, 1},
                              {3, 0, Base::Uint, 32, 1},
                              {4, 0, Base::Uint, 32, 1},
                              {5, 0, Base::Uint, 32, 1},
                              {6, 0, Base::Float, 32, 4}}));
}

TEST(StageInterface, Errors) {
  auto error = [](const Parts::Hook &decorations, uint32_t typeId) {
    auto result = outputsOf(decorations, [&](TestModule &m) {
      m.op(Op::OpTypePointer, {pointer, StorageClass::Output, typeId});
      m.op(Op::OpVariable, {pointer, variable, StorageClass::Output});
    });
    return result ? "" : lgc::consumeToText(result.takeError()).message;
  };
  EXPECT_NE(error([](TestModule &) {}, floatId).find(": no Location"), std::string::npos);
  EXPECT_NE(
      error([](TestModule &m) { m.op(Op::OpDecorate, {variable, Decoration::Location, 4096}); },
            floatId)
          .find(": location 4096 is out of range"),
      std::string::npos);
}

} // namespace
