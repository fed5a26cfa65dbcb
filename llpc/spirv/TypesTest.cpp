//===- TypesTest.cpp - types, constants, variables ------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/TestModule.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

TEST(Types, Scalars) {
  expectGlobalError(Op::OpTypeInt, {firstFree, 24, 0},
                    "OpTypeInt %21 (word @): integer width 24 is none of 8, 16, 32, 64");
  expectGlobalError(Op::OpTypeInt, {firstFree, 16, 2},
                    "OpTypeInt %21 (word @): signedness 2 is neither 0 nor 1");
  expectGlobalError(Op::OpTypeFloat, {firstFree, 80},
                    "OpTypeFloat %21 (word @): float width 80 is none of 16, 32, 64");
}

TEST(Types, VectorsAndMatrices) {
  expectGlobalError(Op::OpTypeVector, {firstFree, vec4Id, 2},
                    "OpTypeVector %21 (word @): component type %7 is no scalar type");
  expectGlobalError(Op::OpTypeVector, {firstFree, floatId, 5},
                    "OpTypeVector %21 (word @): component count 5 is none of 2, 3, 4");
  expectGlobalError(Op::OpTypeMatrix, {firstFree, floatId, 4},
                    "OpTypeMatrix %21 (word @): column type %5 is no vector of floats");
  expectGlobalError(Op::OpTypeMatrix, {firstFree, vec4Id, 1},
                    "OpTypeMatrix %21 (word @): column count 1 is none of 2, 3, 4");
}

TEST(Types, Images) {
  expectGlobalError(Op::OpTypeImage, {firstFree, boolId, 1, 0, 0, 0, 1, 0},
                    "OpTypeImage %21 (word @): sampled type %6 is neither void nor a number");
  expectGlobalError(Op::OpTypeImage, {firstFree, floatId, 1, 0, 2, 0, 1, 0},
                    "OpTypeImage %21 (word @): arrayed 2 is above 1");
  expectGlobalError(Op::OpTypeImage, {firstFree, floatId, 1, 0, 0, 0, 3, 0},
                    "OpTypeImage %21 (word @): sampled 3 is above 2");
  expectGlobalError(Op::OpTypeSampledImage, {firstFree, floatId},
                    "OpTypeSampledImage %21 (word @): image type %5 is no OpTypeImage");
}

TEST(Types, Arrays) {
  expectGlobalError(Op::OpTypeArray, {firstFree, voidId, uint4Id},
                    "OpTypeArray %21 (word @): operand 0: element type %2 is OpTypeVoid");
  expectGlobalError(Op::OpTypeArray, {firstFree, uint4Id, uint4Id},
                    "OpTypeArray %21 (word @): operand 0: %9 is no type");
  expectGlobalError(Op::OpTypeArray, {firstFree, floatId, float1Id},
                    "OpTypeArray %21 (word @): length %10 is no integer constant");
  expectGlobalError(Op::OpTypeArray, {firstFree, floatId, uintId},
                    "OpTypeArray %21 (word @): length %4 is no integer constant");
  auto withLength = [](uint32_t sign, uint32_t value) {
    return sample({.globals = [&](TestModule &m) {
      m.op(Op::OpTypeInt, {30, 16, sign}).op(Op::OpConstant, {30, 31, value});
      m.bad(Op::OpTypeArray, {32, floatId, 31});
    }});
  };
  EXPECT_EQ(errorOf(withLength(0, 0xffff).bytes()), "");
  expectError(withLength(0, 0), "OpTypeArray %32 (word @): length %31 is 0");
  expectError(withLength(1, 0xffffffff), "OpTypeArray %32 (word @): length %31 is negative");
  auto specLength = sample({.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, 31, 0}).op(Op::OpTypeArray, {32, floatId, 31});
  }});
  EXPECT_EQ(errorOf(specLength.bytes()), "");
  expectGlobalError(Op::OpTypeRuntimeArray, {firstFree, voidFunctionId},
                    "OpTypeRuntimeArray %21 (word @): operand 0: element type %3 is "
                    "OpTypeFunction");
}

TEST(Types, Structs) {
  expectGlobalError(Op::OpTypeStruct, {firstFree, uintId, voidId},
                    "OpTypeStruct %21 (word @): operand 1: element type %2 is OpTypeVoid");
  expectGlobalError(Op::OpTypeStruct, {firstFree, uintId, uint1Id},
                    "OpTypeStruct %21 (word @): operand 1: %8 is no type");
  expectGlobalError(Op::OpTypeStruct, {firstFree, firstFree},
                    "OpTypeStruct %21 (word @): operand 0: id %21 is used before its definition");
}

TEST(Types, ForwardPointers) {
  auto list = [](uint32_t storage, bool defined = true) {
    return sample({.globals = [=](TestModule &m) {
      m.bad(Op::OpTypeForwardPointer, {30, spv::StorageClass::PhysicalStorageBuffer});
      m.op(Op::OpTypeStruct, {31, uintId, 30});
      if (defined)
        m.op(Op::OpTypePointer, {30, storage, 31});
    }});
  };
  EXPECT_EQ(errorOf(list(uint32_t(spv::StorageClass::PhysicalStorageBuffer)).bytes()), "");
  expectError(list(uint32_t(spv::StorageClass::Uniform)),
              "OpTypeForwardPointer (word @): storage class PhysicalStorageBuffer differs from "
              "Uniform of the pointer type");
  expectError(list(0, false), "OpTypeForwardPointer (word @): id %30 is never defined");
  expectError(sample({.globals =
                          [](TestModule &m) {
                            m.bad(Op::OpTypeForwardPointer,
                                  {30, spv::StorageClass::PhysicalStorageBuffer});
                            m.op(Op::OpTypeStruct, {30, uintId});
                          }}),
              "OpTypeForwardPointer (word @): %30 is no OpTypePointer");
}

TEST(Types, DepthLimit) {
  auto nested = [](uint32_t levels) {
    return sample({.globals = [=](TestModule &m) {
      m.words[3] = 1000;
      for (uint32_t i = 0; i < levels; ++i)
        m.bad(Op::OpTypeStruct, {100 + i, i ? 99 + i : uint32_t(uintId)});
    }});
  };
  EXPECT_EQ(errorOf(nested(254).bytes()), "");
  expectError(nested(255), "OpTypeStruct %354 (word @): types are nested deeper than 255 levels",
              "limit exceeded");
}

TEST(Types, FunctionType) {
  expectGlobalError(Op::OpTypeFunction, {firstFree, uintId, voidId},
                    "OpTypeFunction %21 (word @): operand 1: element type %2 is OpTypeVoid");
  expectGlobalError(Op::OpTypeFunction, {firstFree, uint1Id},
                    "OpTypeFunction %21 (word @): operand 0: %8 is no type");
  expectGlobalError(Op::OpTypePointer, {firstFree, spv::StorageClass::Uniform, uint1Id},
                    "OpTypePointer %21 (word @): operand 1: %8 is no type");
}

TEST(Constants, Kinds) {
  expectGlobalError(Op::OpConstantTrue, {uintId, firstFree},
                    "OpConstantTrue %21 (word @): result type %4 is no OpTypeBool");
  expectGlobalError(Op::OpSpecConstantFalse, {uintId, firstFree},
                    "OpSpecConstantFalse %21 (word @): result type %4 is no OpTypeBool");
  expectGlobalError(Op::OpConstantNull, {voidId, firstFree},
                    "OpConstantNull %21 (word @): type %2 (OpTypeVoid) has no null value");
  expectGlobalError(Op::OpUndef, {voidId, firstFree},
                    "OpUndef %21 (word @): result type %2 is OpTypeVoid");
}

TEST(Constants, Composites) {
  expectGlobalError(Op::OpConstantComposite, {vec4Id, firstFree, float1Id, float1Id, float1Id},
                    "OpConstantComposite %21 (word @): has 3 constituents, the type %7 has 4 "
                    "elements");
  expectGlobalError(Op::OpConstantComposite,
                    {vec4Id, firstFree, float1Id, float1Id, float1Id, uint1Id},
                    "OpConstantComposite %21 (word @): constituent %8 has type %4, expected %5");
  expectGlobalError(Op::OpSpecConstantComposite,
                    {vec4Id, firstFree, float1Id, float1Id, float1Id, bufferId},
                    "OpSpecConstantComposite %21 (word @): constituent %15 is no constant");
  expectGlobalError(Op::OpConstantComposite, {uintId, firstFree, uint1Id},
                    "OpConstantComposite %21 (word @): result type %4 is no composite type");
  expectGlobalError(Op::OpConstantComposite, {arrayId, firstFree},
                    "OpConstantComposite %21 (word @): has 0 constituents, the type %12 has 4 "
                    "elements");
}

TEST(Variables, StorageClass) {
  expectGlobalError(Op::OpVariable, {uintId, firstFree, spv::StorageClass::Uniform},
                    "OpVariable %21 (word @): result type %4 is no OpTypePointer");
  expectGlobalError(Op::OpVariable, {bufferPointerId, firstFree, spv::StorageClass::Private},
                    "OpVariable %21 (word @): storage class Private differs from Uniform of the "
                    "pointer type");
  expectGlobalError(Op::OpVariable, {localPointerId, firstFree, spv::StorageClass::Function},
                    "OpVariable %21 (word @): storage class Function outside a function");
  auto inEntry = [](std::initializer_list<Words> operands) {
    return sample({.entryBlock = [&](TestModule &m) { m.bad(Op::OpVariable, operands); }});
  };
  expectError(inEntry({bufferPointerId, firstFree, spv::StorageClass::Uniform}),
              "OpVariable %21 (word @): storage class Uniform inside a function, must be Function");
  expectError(inEntry({localPointerId, firstFree, spv::StorageClass::Function, localId}),
              "OpVariable %21 (word @): initializer %17 is neither a constant nor a global "
              "variable");
  expectError(inEntry({localPointerId, firstFree, spv::StorageClass::Function, float1Id}),
              "OpVariable %21 (word @): initializer %10 has type %5, expected %4");
  EXPECT_EQ(
      errorOf(inEntry({localPointerId, firstFree, spv::StorageClass::Function, uint1Id}).bytes()),
      "");
}
