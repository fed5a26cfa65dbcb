// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"

namespace llpc::spirv {
namespace {

using namespace test;
using spv::Op;
using spv::StorageClass;

constexpr Id untypedId = firstFree, variableId = firstFree + 1;

/// The sample with a variable of storage class \p storage, whose pointer type says \p pointer.
TestModule withVariable(StorageClass storage, StorageClass pointer,
                        const std::vector<uint32_t> &rest) {
  return sample({.globals = [&](TestModule &m) {
    m.op(Op::OpTypeUntypedPointerKHR, {untypedId, pointer});
    m.bad(Op::OpUntypedVariableKHR, {untypedId, variableId, storage});
    m.words[m.mark] += static_cast<uint32_t>(rest.size()) << 16;
    m.words.insert(m.words.end(), rest.begin(), rest.end());
  }});
}

TEST(UntypedVariables, HaveTheTypeOfWhatTheyHold) {
  const auto module =
      parseOk(withVariable(StorageClass::StorageBuffer, StorageClass::StorageBuffer, {structId}));
  ASSERT_TRUE(module);
  const Inst *variable = module->definition(variableId);
  EXPECT_EQ(variable->opcode, Op::OpVariable);
  EXPECT_EQ(variable->size(), 1u);
  const Inst *type = module->definition(variable->typeId);
  ASSERT_TRUE(type);
  EXPECT_EQ(type->opcode, Op::OpTypePointer);
  EXPECT_LT(type->resultId, module->bound());
  EXPECT_EQ((*type)[0], uint32_t(StorageClass::StorageBuffer));
  EXPECT_EQ((*type)[1], structId);
  EXPECT_TRUE(module->isUntypedPointer(variableId));
  EXPECT_FALSE(module->isUntypedPointer(bufferId));
  EXPECT_EQ(module->words()[3], 100u) << "the words are what they were";
  EXPECT_LT(module->words()[3], module->bound());
}

TEST(UntypedVariables, KeepTheirInitializer) {
  const Id nullId = firstFree + 2;
  const auto module = parseOk(sample({.globals = [&](TestModule &m) {
    m.op(Op::OpConstantNull, {arrayId, nullId});
    m.op(Op::OpTypeUntypedPointerKHR, {untypedId, StorageClass::Workgroup});
    m.op(Op::OpUntypedVariableKHR,
         {untypedId, variableId, StorageClass::Workgroup, arrayId, nullId});
  }}));
  ASSERT_TRUE(module);
  const Inst *variable = module->definition(variableId);
  ASSERT_EQ(variable->size(), 2u);
  EXPECT_EQ((*variable)[0], uint32_t(StorageClass::Workgroup));
  EXPECT_EQ((*variable)[1], nullId);
}

TEST(UntypedVariables, AreArgumentsAndResults) {
  const auto calling = [](bool ofOtherType) {
    const Id otherId = firstFree + 2, takerTypeId = firstFree + 3, giverTypeId = firstFree + 4,
             takerId = firstFree + 5, giverId = firstFree + 9,
             pointerId = ofOtherType ? otherId : untypedId;
    return sample({.globals =
                       [=](TestModule &m) {
                         m.op(Op::OpTypeUntypedPointerKHR,
                              {untypedId, StorageClass::StorageBuffer});
                         m.op(Op::OpTypeUntypedPointerKHR, {otherId, StorageClass::Uniform});
                         m.op(Op::OpUntypedVariableKHR,
                              {untypedId, variableId, StorageClass::StorageBuffer, structId});
                         m.op(Op::OpTypeFunction, {takerTypeId, voidId, pointerId});
                         m.op(Op::OpTypeFunction, {giverTypeId, pointerId});
                       },
                   .body =
                       [=](TestModule &m) {
                         m.bad(Op::OpFunctionCall, {voidId, takerId + 3, takerId, variableId});
                       },
                   .functions =
                       [=](TestModule &m) {
                         m.op(Op::OpFunction, {voidId, takerId, 0, takerTypeId});
                         m.op(Op::OpFunctionParameter, {pointerId, takerId + 1});
                         m.op(Op::OpLabel, {takerId + 2}).op(Op::OpReturn).op(Op::OpFunctionEnd);
                         if (ofOtherType)
                           return;
                         m.op(Op::OpFunction, {pointerId, giverId, 0, giverTypeId});
                         m.op(Op::OpLabel, {giverId + 1}).op(Op::OpReturnValue, {variableId});
                         m.op(Op::OpFunctionEnd);
                       }});
  };
  parseOk(calling(false));
  expectError(calling(true), "OpFunctionCall %29 (word @): argument %22 has type "
                             "%21, the parameter has %23");
}

TEST(UntypedVariables, Errors) {
  const std::string place = "OpUntypedVariableKHR %22 (word @): ";
  expectError(withVariable(StorageClass::StorageBuffer, StorageClass::Uniform, {structId}),
              place + "storage class StorageBuffer differs from Uniform of the pointer type");
  expectError(withVariable(StorageClass::StorageBuffer, StorageClass::StorageBuffer, {}),
              place + "an untyped variable needs a data type");
  expectError(withVariable(StorageClass::StorageBuffer, StorageClass::StorageBuffer, {uint1Id}),
              place + "operand 1: %8 is no type");
  expectError(withVariable(StorageClass::StorageBuffer, StorageClass::StorageBuffer, {voidId}),
              place + "operand 1: element type %2 is OpTypeVoid");
  expectError(withVariable(StorageClass::Private, StorageClass::Private, {structId}),
              place + "an untyped variable in storage class Private not supported", "unsupported");
  expectError(sample({.globals =
                          [](TestModule &m) {
                            m.bad(Op::OpUntypedVariableKHR,
                                  {bufferPointerId, variableId, StorageClass::Uniform, structId});
                          }}),
              place + "result type %14 is no OpTypeUntypedPointerKHR");
  // The initializer has another type than the variable; behind the rewriting.
  expectError(withVariable(StorageClass::Workgroup, StorageClass::Workgroup, {arrayId, uint1Id}),
              "OpVariable %22 (word @): initializer %8 has type %4, expected %12");
}

TEST(UntypedVariables, CutOff) {
  TestModule whole =
      withVariable(StorageClass::StorageBuffer, StorageClass::StorageBuffer, {structId});
  for (size_t words = whole.mark; words < whole.mark + 5; ++words) {
    TestModule cut = whole;
    cut.words.resize(words);
    EXPECT_NE(errorOf(cut.bytes()), "");
  }
}

} // namespace
} // namespace llpc::spirv
